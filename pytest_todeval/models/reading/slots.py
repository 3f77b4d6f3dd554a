"""Slots with values, and an explanation."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pytest_todeval.models.reading.objects import find_answer, fold, reason_in
from pytest_todeval.models.reading.reader import TEXT, Unreadable, strict, titled


@dataclass(frozen=True, slots=True)
class SlotsReply:
    """Slots that a judge names, and why."""

    slots: dict[str, str]
    """`domain-slot` -> value, as written; perhaps none."""
    reason: str


@dataclass(frozen=True)
class SlotsReader:
    """Reads `{"explanation": ..., KEY: {"domain-slot": value}}` (two-dimensional DST, tables 6, 7).

    The paper's text and its prompts differ in the plural of the key: both are understood. Strict
    schemas know no free keys, so the schema asks for a list of slots and values, read as well.
    """

    key: str

    @property
    def schema(self) -> Mapping[str, Any]:
        pair = strict({"slot": TEXT, "value": TEXT})
        return titled("slots", {"explanation": TEXT, self.key: {"type": "array", "items": pair}})

    @property
    def expected(self) -> str:
        return (
            f'Answer with one JSON object with the keys "explanation", a text, and "{self.key}", '
            "an object with the value of each slot named; empty if there is none."
        )

    def read(self, text: str) -> SlotsReply:
        """The slots. Raises Unreadable if the key is missing: that is not the same as none."""
        answer, _ = find_answer(text, self._keys)
        keys = [] if answer is None else [key for key in self._keys if key in answer]
        if answer is None or len(keys) != 1:
            raise Unreadable(f"there is no JSON object with one key {self.key!r} in the answer")
        return SlotsReply(_slots(answer[keys[0]]), reason_in(answer))

    @property
    def _keys(self) -> tuple[str, str]:
        one = fold(self.key).removesuffix("s")
        return one, f"{one}s"


def _slots(given: object) -> dict[str, str]:
    slots: dict[str, str] = {}
    for name, value in _pairs(given):
        if slots.setdefault(name.strip(), _text(name, value)) != _text(name, value):
            raise Unreadable(f"the slot {name[:80]!r} is there with two values")
    return slots


def _pairs(given: object) -> Iterator[tuple[str, object]]:
    if isinstance(given, dict):
        yield from given.items()
    elif isinstance(given, list):
        for pair in given:
            if not isinstance(pair, dict) or not isinstance(pair.get("slot"), str):
                raise Unreadable(f"{str(pair)[:80]!r} is no slot with a value")
            yield pair["slot"], pair.get("value")
    else:
        raise Unreadable("expected an object with slots and their values")


def _text(name: str, value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise Unreadable(f"the value of {name[:80]!r} is not a text")
    return str(value).strip()
