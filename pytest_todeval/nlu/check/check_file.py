"""Files of wordings and expectations, for `todeval hear --check`; see docs/hearing.md.

names: {restaurant: [Rose House]}     # known names by domain
values: {food: [italian, thai]}       # known values by slot
goals: demo                           # in their place: a goal set or goal file that knows them
hearing:                              # optional: examples, as in a goal file
  - {says: "You're good to go!", means: booked}
sentences:
  - text: "Rose House is yours for Friday."   # the bot's turn
    hears: [booked, offer Rose House]         # [] for nothing
    domain: restaurant                # optional: what the user talks about
    user: "Book it, please."          # optional: what the user said before
    kind: booked                      # optional: by what the summary counts
    unlisted: true                    # optional: its names are to be heard without being known
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from pytest_todeval.core.dialogue_act import DialogueAct
from pytest_todeval.core.documents import Document, read_document
from pytest_todeval.core.example import Example
from pytest_todeval.core.notation import parse_claim
from pytest_todeval.errors import InvalidFile, known_names
from pytest_todeval.nlu.check.comparing import ExpectedWording
from pytest_todeval.nlu.examples.reading import examples_in
from pytest_todeval.nlu.vocabulary import Vocabulary

KEYS = ("names", "values", "goals", "hearing", "sentences")
WORDING_KEYS = ("text", "hears", "domain", "user", "kind", "unlisted")
NOT = "not "
"""Before a claim that must not be heard."""

Key = str | int


@dataclass(frozen=True, slots=True)
class CheckFile:
    """What a file of wordings holds."""

    wordings: tuple[ExpectedWording, ...]
    vocabulary: Vocabulary
    """The names and values of the file itself."""
    goals: str | None = None
    """A goal set, or a goal file beside this one, whose names and values are known."""
    hearing: tuple[Example, ...] = ()


def read_check(path: Path) -> CheckFile:
    """Reads a file of wordings. Raises InvalidFile with `file:line` if it is none."""
    return _CheckFileReader(read_document(path)).file()


class _CheckFileReader:
    def __init__(self, document: Document) -> None:
        self.document = document

    def fail(self, keys: tuple[Key, ...], said: str) -> NoReturn:
        path = ".".join(map(str, keys)) or "the file"
        raise InvalidFile(f"{self.document.where(*keys)}: {path}: {said}")

    def file(self) -> CheckFile:
        top = self.document.value
        if not isinstance(top, Mapping):
            self.fail((), f"got {_kind(top)}, expected a mapping with `sentences`")
        self.check_keys((), top, KEYS)
        if not isinstance(top.get("sentences"), list) or not top["sentences"]:
            self.fail((), "`sentences` is missing; expected a list of `text` and `hears`")
        goals = self.text((), top, "goals") or None
        if goals and ("names" in top or "values" in top):
            both = "names" if "names" in top else "values"
            self.fail((both,), "expected `goals`, or `names` and `values`, not both")
        hearing = examples_in(self.document, "hearing") if "hearing" in top else ()
        vocabulary = Vocabulary(self.lists(top, "names"), self.lists(top, "values"), hearing)
        wordings = tuple(self.wording(at, entry) for at, entry in enumerate(top["sentences"]))
        return CheckFile(wordings, vocabulary, goals, hearing)

    def check_keys(
        self, at: tuple[Key, ...], found: Mapping[Any, Any], keys: tuple[str, ...]
    ) -> None:
        for key in found:
            if key not in keys:
                self.fail((*at, key), f"unknown key; {known_names(str(key), keys)}")

    def lists(self, top: Mapping[Any, Any], name: str) -> dict[str, tuple[str, ...]]:
        """`{restaurant: [Rose House]}`; nothing for a key that is not there."""
        value = top.get(name) or {}
        if not isinstance(value, Mapping):
            self.fail((name,), f"got {_kind(value)}, expected a mapping of lists")
        return {str(key): tuple(self.listed((name, key), each)) for key, each in value.items()}

    def listed(self, at: tuple[Key, ...], value: Any) -> Iterator[str]:
        for number, each in enumerate(value if isinstance(value, list) else [value]):
            if isinstance(each, bool) or not isinstance(each, str | int):
                keys = (*at, number) if isinstance(value, list) else at
                self.fail(keys, f"got {_kind(each)}, expected text")
            yield str(each)

    def wording(self, at: int, entry: Any) -> ExpectedWording:
        keys: tuple[Key, ...] = ("sentences", at)
        if not isinstance(entry, Mapping):
            self.fail(keys, f"got {_kind(entry)}, expected a mapping with `text` and `hears`")
        self.check_keys(keys, entry, WORDING_KEYS)
        for key in ("text", "hears"):
            if key not in entry:
                self.fail(keys, f"`{key}` is missing; expected `text` and `hears`")
        if not isinstance(entry.get("unlisted", False), bool):
            self.fail(
                (*keys, "unlisted"), f"got {_kind(entry['unlisted'])}, expected true or false"
            )
        hears, hears_not = self.expectations((*keys, "hears"), entry["hears"])
        return ExpectedWording(
            text=self.text(keys, entry, "text"),
            hears=hears,
            hears_not=hears_not,
            domain=self.text(keys, entry, "domain") or None,
            user=self.text(keys, entry, "user"),
            kind=self.text(keys, entry, "kind"),
            unlisted=entry.get("unlisted", False),
            where=self.document.where(*keys),
        )

    def text(self, at: tuple[Key, ...], entry: Mapping[Any, Any], key: str) -> str:
        value = entry.get(key, "")
        if not isinstance(value, str) or (key in entry and key != "user" and not value.strip()):
            self.fail((*at, key), f"got {_kind(value)}, expected text")
        return value

    def expectations(
        self, at: tuple[Key, ...], value: Any
    ) -> tuple[tuple[DialogueAct, ...], tuple[DialogueAct, ...]]:
        """Returns what is to be heard, and what is not."""
        if not isinstance(value, list):
            self.fail(at, f"got {_kind(value)}, expected a list of claims, or [] for nothing")
        hears: list[DialogueAct] = []
        hears_not: list[DialogueAct] = []
        for number, line in enumerate(value):
            if not isinstance(line, str):
                self.fail((*at, number), f"got {_kind(line)}, expected a claim such as `booked`")
            try:
                claim = parse_claim(line.removeprefix(NOT))
            except ValueError as error:
                self.fail((*at, number), f"{error}; expected a claim such as `booked`")
            (hears_not if line.startswith(NOT) else hears).append(claim)
        return tuple(hears), tuple(hears_not)


def _kind(value: Any) -> str:
    named = {dict: "a mapping", list: "a list", type(None): "nothing"}.get(type(value))
    return named or repr(value)[:60]
