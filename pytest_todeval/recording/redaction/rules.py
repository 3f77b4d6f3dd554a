"""What is redacted beside the common credentials: lines of `todeval_redact` in the ini file."""

from collections.abc import Iterable
from dataclasses import dataclass

from pytest_todeval.errors import UsageError, known_names
from pytest_todeval.recording.json_path import NOWHERE, JsonPlace, root
from pytest_todeval.recording.matching import pattern_of
from pytest_todeval.recording.redaction.names import plain_name
from pytest_todeval.recording.redaction.personal import PERSONAL
from pytest_todeval.recording.redaction.shape import Shape

KINDS = ("header", "query", "form", "json", "pattern", "keep", "personal")


@dataclass(frozen=True, slots=True)
class Rules:
    """What a project adds to the common rules."""

    headers: frozenset[str] = frozenset()
    """Of responses, in lower case: kept with a placeholder, rather than dropped."""
    query: frozenset[str] = frozenset()
    form: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    """Of members of JSON objects."""
    paths: JsonPlace = NOWHERE
    """Of members of JSON bodies."""
    shapes: tuple[Shape, ...] = ()
    kept: frozenset[str] = frozenset()
    """Names (`plain_name`) that hold no secret, whatever the common rules say."""


COMMON = Rules()
"""Nothing beside what is always redacted."""


def rules_from(lines: Iterable[str]) -> Rules:
    """Returns the rules that lines such as `query: key` or `json: $.session.id` state.

    Raises UsageError naming the line and what it may be.
    """
    told: dict[str, list[str]] = {kind: [] for kind in KINDS}
    shapes: list[Shape] = []
    for line in lines:
        kind, _, what = (part.strip() for part in line.partition(":"))
        if kind not in told:
            raise UsageError(f"todeval_redact: {line!r}: {known_names(kind, KINDS)}")
        if not what and kind != "personal":
            raise UsageError(f"todeval_redact: {line!r} names no {kind}; write `{kind}: ...`")
        told[kind].append(what)
        if kind == "pattern":
            pattern = pattern_of("todeval_redact", what)
            shapes.append(Shape(f"what todeval_redact calls one ({what})", (), pattern))
        elif kind == "personal":
            shapes += _personal(what)
    return Rules(
        headers=frozenset(map(str.lower, told["header"])),
        query=frozenset(told["query"]),
        form=frozenset(told["form"]),
        names=frozenset(name for name in told["json"] if not name.startswith("$")),
        paths=root(path for path in told["json"] if path.startswith("$")),
        shapes=tuple(shapes),
        kept=frozenset(map(plain_name, told["keep"])),
    )


def _personal(text: str) -> list[Shape]:
    kinds = text.split() or list(PERSONAL)
    for kind in kinds:
        if kind not in PERSONAL:
            raise UsageError(f"todeval_redact: personal: {known_names(kind, PERSONAL)}")
    return [PERSONAL[kind] for kind in kinds]
