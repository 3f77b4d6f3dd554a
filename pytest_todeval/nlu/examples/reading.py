"""`hearing:` as people write it: sentences of their bot, and what these mean.

hearing:
  - says: "You're good to go!"            # or a list of sentences
    means: booked                         # or a list of claims, or `nothing`
  - says: "Your stylist will be {stylist}."
    means: inform stylist={stylist}
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn

from pytest_todeval.core.dialogue_act import DialogueAct
from pytest_todeval.core.documents import Document, read_document
from pytest_todeval.core.example import GAP, Example
from pytest_todeval.core.notation import notation, parse_claim
from pytest_todeval.errors import InvalidFile, known_names
from pytest_todeval.nlu.examples.patterns import pattern_of

MOST = 500
"""Sentences of one file."""
LONGEST = 300
"""Characters of a sentence."""
MOST_GAPS = 4
"""Of a sentence."""
NOTHING = "nothing"
KEYS = ("says", "means")

Key = str | int


def read_examples(path: Path) -> tuple[Example, ...]:
    """Returns the examples of a file: a list, or a mapping with the key `hearing`.

    Raises InvalidFile with `file:line` for whatever is no example, and for examples that contradict
    each other.
    """
    document = read_document(path)
    if isinstance(document.value, Mapping):
        if "hearing" not in document.value:
            known = known_names("hearing", map(str, document.value))
            raise InvalidFile(f"{document.where()}: `hearing` is missing; {known}")
        return examples_in(document, "hearing")
    return examples_in(document)


def examples_in(document: Document, *keys: Key) -> tuple[Example, ...]:
    """The examples that stand under `keys` in a document. Raises InvalidFile as `read_examples`."""
    value = document.value
    for key in keys:
        value = value[key]
    return _ExampleReader(document, keys).examples(value)


class _ExampleReader:
    """Reads one list of examples; each complaint names its line."""

    def __init__(self, document: Document, keys: tuple[Key, ...]) -> None:
        self.document = document
        self.keys = keys

    def fail(self, at: Sequence[Key], said: str) -> NoReturn:
        keys = (*self.keys, *at)
        path = ".".join(map(str, keys))
        raise InvalidFile(f"{self.document.where(*keys)}: {path or 'the file'}: {said}")

    def examples(self, value: Any) -> tuple[Example, ...]:
        if not isinstance(value, list):
            self.fail((), f"got {_kind(value)}, expected a list of `says` and `means`")
        placed = [found for at, entry in enumerate(value) for found in self.entry(at, entry)]
        if len(placed) > MOST:
            self.fail((), f"got {len(placed)} sentences, expected {MOST} at most")
        self.check_contradictions(placed)
        return tuple(dict.fromkeys(example for _, example in placed))

    def entry(self, at: int, entry: Any) -> Iterator[tuple[tuple[Key, ...], Example]]:
        if not isinstance(entry, Mapping):
            self.fail((at,), f"got {_kind(entry)}, expected a mapping with `says` and `means`")
        for key in entry:
            if key not in KEYS:
                self.fail((at, key), f"unknown key; {known_names(str(key), KEYS)}")
        for key in KEYS:
            if key not in entry:
                self.fail((at,), f"`{key}` is missing; expected `says` and `means`")
        means = tuple(self.claims(at, entry["means"]))
        for place, says in self.sentences(at, entry["says"]):
            self.check_gaps(place, says, means)
            yield place, Example(says, means)

    def sentences(self, at: int, value: Any) -> Iterator[tuple[tuple[Key, ...], str]]:
        if isinstance(value, list) and value:
            places: Iterable[tuple[tuple[Key, ...], Any]] = (
                ((at, "says", n), each) for n, each in enumerate(value)
            )
        else:
            places = [((at, "says"), value)]
        for place, says in places:
            if not isinstance(says, str):
                self.fail(place, f"got {_kind(says)}, expected a sentence, or a list of them")
            if len(says) > LONGEST:
                self.fail(place, f"got {len(says)} characters, expected {LONGEST} at most")
            if not pattern_of(says):
                self.fail(place, f"got {says!r}, expected a sentence with words in it")
            yield place, says.strip()

    def claims(self, at: int, value: Any) -> Iterator[DialogueAct]:
        if value == NOTHING:
            return
        many = isinstance(value, list)
        for number, line in enumerate(value if many else [value]):
            place = (at, "means", number) if many else (at, "means")
            if not isinstance(line, str):
                self.fail(place, f"got {_kind(line)}, expected a claim such as `booked`")
            try:
                yield parse_claim(line)
            except ValueError as error:
                self.fail(place, f"{error}; expected a claim such as `booked`, or `{NOTHING}`")
        if many and not value:
            self.fail((at, "means"), f"got an empty list, expected claims, or `{NOTHING}`")

    def check_gaps(self, at: tuple[Key, ...], says: str, means: Sequence[DialogueAct]) -> None:
        gaps = GAP.findall(says)
        used = [gap for claim in means for gap in GAP.findall(f"{claim.value} {claim.of}")]
        for gap in dict.fromkeys(gaps):
            if gap not in used:
                self.fail(at, f"the gap {{{gap}}} is not in what it means; use it there, or in "
                          "`says` write words that it stands for")  # fmt: skip
            if gaps.count(gap) > 1:
                self.fail(at, f"the gap {{{gap}}} stands in it twice, expected once")
        for gap in used:
            if gap not in gaps:
                self.fail(at, f"it means {{{gap}}}, a gap that is not in it; {_gaps(gaps)}")
        if len(gaps) > MOST_GAPS:
            self.fail(at, f"got {len(gaps)} gaps, expected {MOST_GAPS} at most")
        pattern = pattern_of(says)
        if not any(part.word for part in pattern):
            self.fail(at, f"got only gaps in {says!r}, expected words around them")
        for one, other in pairwise(pattern):
            if one.gap and other.gap:
                self.fail(at, f"nothing stands between {{{one.gap}}} and {{{other.gap}}}, so it is "
                          "not clear where the first ends; expected a word")  # fmt: skip

    def check_contradictions(self, placed: Sequence[tuple[tuple[Key, ...], Example]]) -> None:
        first: dict[object, tuple[tuple[Key, ...], Example]] = {}
        for place, example in placed:
            at, other = first.setdefault(pattern_of(example.says), (place, example))
            if set(other.means) != set(example.means):
                line = self.document.line(*self.keys, *at)
                before = f"line {line}" if line else ".".join(map(str, at))
                self.fail(
                    place,
                    f"{example.says!r} means {meaning(example)} here, and the same words mean "
                    f"{meaning(other)} on {before}; expected one meaning",
                )


def meaning(example: Example) -> str:
    """Returns what an example means, as people write it."""
    return " and ".join(f"`{notation(claim)}`" for claim in example.means) or f"`{NOTHING}`"


def _gaps(gaps: Sequence[str]) -> str:
    return f"its gaps: {', '.join(f'{{{gap}}}' for gap in gaps)}" if gaps else "it has none"


def _kind(value: Any) -> str:
    named = {dict: "a mapping", list: "a list", type(None): "nothing"}.get(type(value))
    return named or repr(value)[:60]
