"""The models of a run: a file with the settings of each lane, and what the command line adds.

user:
  model: gpt-4o-mini
judge:                      # several: a panel
  - model: gpt-4o
    temperature: 0
  - model: qwen2.5:32b
    base_url: http://localhost:11434/v1
    key: OLLAMA_KEY         # the name of the variable, never the key
system:
  model: gpt-4o-mini
"""

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from pathlib import Path

from pytest_todeval.core.documents import Document, read_document
from pytest_todeval.core.lane import Lane
from pytest_todeval.errors import InvalidFile, UsageError, known_names
from pytest_todeval.models.settings import ModelSettings

NAMES = tuple(field.name for field in fields(ModelSettings) if field.compare)
LANES = tuple(lane.value for lane in Lane)
Place = tuple[str | int, ...]


def read_models(path: Path) -> dict[Lane, tuple[ModelSettings, ...]]:
    """The settings of each lane in a YAML or JSON file; lanes that it does not name have none.

    Raises InvalidFile with `path:line`; it never shows a key that was written into the file.
    """
    document = read_document(path)
    if not isinstance(document.value, dict) or not document.value:
        raise InvalidFile(
            f"{document.where()}: expected the lanes {', '.join(LANES)} with the settings of their "
            "models, such as\njudge:\n  model: gpt-4o\n  temperature: 0"
        )
    for name in document.value:
        if name not in LANES:
            known = known_names(str(name), LANES)
            raise InvalidFile(f"{document.where(name)}: unknown lane {name!r:.60}; {known}")
    return {Lane(name): tuple(_panel(document, name)) for name in document.value}


def settings_for(
    lane: Lane,
    *,
    file: Path | None = None,
    model: str | None = None,
    base_url: str | None = None,
    url_of_file: bool = False,
) -> tuple[ModelSettings, ...]:
    """Returns the models set for a lane: none, one, or for the judge several, which are a panel.

    `model` and `base_url` are what the command line says, for all lanes (`gpt-4o`) or by lane
    (`judge:gpt-4o,user:qwen2.5:32b`); they win over the file, whose other settings of the lane then
    hold for the model named. `url_of_file`: it is the ini file that says `base_url`. Raises
    UsageError for what cannot be meant, InvalidFile for the file.
    """
    models = by_lane("--todeval-model", model)
    address = by_lane("--todeval-base-url", base_url).get(lane)
    found = read_models(file).get(lane, ()) if file is not None else ()
    name = models.get(lane)
    if name is not None:
        found = (_renamed(found, name),)
    return found if address is None else tuple(moved(one, address, url_of_file) for one in found)


def by_lane(option: str, text: str | None) -> dict[Lane, str]:
    """Returns what an option says for each lane; a value without a lane is for those not named.

    Only names of lanes are prefixes: names of models and addresses contain colons. Raises
    UsageError naming the option.
    """
    if text is None or not text.strip():
        return {}
    found: dict[str, str] = {}
    for part in text.split(","):
        prefix, _, rest = (piece.strip() for piece in part.partition(":"))
        name, value = (prefix, rest) if prefix in LANES else ("", part.strip())
        if not value or name in found:
            what = "says nothing" if not value else f"is a second one for {name or 'all lanes'}"
            raise UsageError(
                f"{option}={text}: {part.strip()!r} {what}; expected one value for all lanes, or "
                f"LANE:VALUE for {', '.join(LANES)}, with commas between them"
            )
        found[name] = value
    others = dict.fromkeys(Lane, found.pop("")) if "" in found else {}
    return others | {Lane(name): value for name, value in found.items()}


def _panel(document: Document, lane: str) -> Iterator[ModelSettings]:
    value = document.value[lane]
    if not isinstance(value, list):
        yield _settings(document, value, (lane,))
        return
    if lane != Lane.JUDGE and len(value) > 1:
        raise InvalidFile(
            f"{document.where(lane)}: {len(value)} models for the lane {lane}, expected one: only "
            "the judge may be several models"
        )
    if not value:
        raise InvalidFile(
            f"{document.where(lane)}: got an empty list, expected the settings of a model, such as "
            "`model: gpt-4o`, or leave the lane out"
        )
    for index, item in enumerate(value):
        yield _settings(document, item, (lane, index))


def _settings(document: Document, value: object, place: Place) -> ModelSettings:
    if not isinstance(value, dict):
        raise InvalidFile(
            f"{document.where(*place)}: expected the settings of a model, such as `model: gpt-4o`"
        )
    for name in value:
        if name not in NAMES:
            raise InvalidFile(
                f"{document.where(*place, name)}: unknown setting {name!r:.60}; "
                f"{known_names(str(name), NAMES)}"
            )
    if "model" not in value:
        raise InvalidFile(f"{document.where(*place)}: no model; write `model: NAME`")
    return _checked(document, value, place)


def _checked(document: Document, value: Mapping[str, object], place: Place) -> ModelSettings:
    """The settings; each is tried alone first, so that the line of a wrong one can be told."""
    for name in sorted(value, key="model".__ne__):
        try:
            _made({"model": value["model"], name: value[name]})
        except UsageError as error:
            raise InvalidFile(f"{document.where(*place, name)}: {error}") from None
    told = {"base_url", "key"} if "profile" in value else {"base_url", "key"} & value.keys()
    return replace(_made(value), of_files=frozenset(told))


def _made(value: Mapping[str, object]) -> ModelSettings:
    # Every value is checked where the settings are made.
    return ModelSettings(**value)  # type: ignore[arg-type]


def _renamed(found: tuple[ModelSettings, ...], model: str) -> ModelSettings:
    """The settings of this model in the file, else those of the lane's only one, renamed."""
    same = [one for one in found if one.model == model]
    if same or len(found) != 1:
        return same[0] if same else ModelSettings(model)
    return replace(found[0], model=model)


def moved(settings: ModelSettings, base_url: str, of_file: bool) -> ModelSettings:
    """Returns the settings at another address. Raises UsageError for one that is none."""
    told = settings.of_files - {"base_url"} | ({"base_url"} if of_file else set())
    try:
        return replace(settings, base_url=base_url, of_files=told)
    except UsageError as error:
        raise UsageError(f"--todeval-base-url: {error}") from None
