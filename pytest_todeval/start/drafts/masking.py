"""Personal data of conversations, replaced by data of nobody, the same wherever it stands."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pytest_todeval.core.dialogue import Dialogue, ToolCall, Turn
from pytest_todeval.recording.redaction.personal import PERSONAL

NAMES = ("name", "first_name", "last_name", "surname", "full_name", "customer_name", "guest_name",
         "passenger_name", "user_name")  # fmt: skip
"""Arguments of tools that hold a person's name."""
PEOPLE = ("Ada Marsh", "Ben Okafor", "Clara Lind", "Dev Patel", "Eva Novak", "Finn Walsh")
MASKS: Mapping[str, str] = {
    "email": "person{n}@example.org",
    "phone": "01632 9600{n:02d}",
    "card": "4000 0000 0000 {n:04d}",
    "iban": "GB00 TEST 0000 0000 0000 {n:02d}",
    "ssn": "000-00-{n:04d}",
    "ip": "192.0.2.{n}",
}


class Masks:
    """What stands in place of what, in one conversation."""

    def __init__(self) -> None:
        self._by_text: dict[str, str] = {}
        self._counts: dict[str, int] = {}

    def masked(self, dialogue: Dialogue) -> Dialogue:
        """Returns the dialogue without personal data in words, arguments and results."""
        for turn in dialogue.turns:
            for call in turn.tool_calls:
                self._learn_names(call.arguments)
        turns = tuple(self._turn(turn) for turn in dialogue.turns)
        return replace(dialogue, turns=turns, last_words=self._text(dialogue.last_words))

    @property
    def count(self) -> int:
        """Returns how many different values were replaced."""
        return len(self._by_text)

    def _turn(self, turn: Turn) -> Turn:
        calls = tuple(
            ToolCall(
                call.name,
                self._value(call.arguments),
                self._value(call.result),
                None if call.error is None else self._text(call.error),
            )
            for call in turn.tool_calls
        )
        user, system = self._text(turn.user), self._text(turn.system)
        return replace(turn, user=user, system=system, tool_calls=calls)

    def _learn_names(self, arguments: Mapping[str, Any]) -> None:
        """Names of people: an argument `name` of two words or more, in capitals."""
        for slot, value in arguments.items():
            if isinstance(value, Mapping):
                self._learn_names(value)
            elif slot.lower() in NAMES[1:] and isinstance(value, str) and value.strip():
                self._stand_in("name", value.strip())

    def _value(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, Mapping):
            return {key: self._value(each) for key, each in value.items()}
        return [self._value(each) for each in value] if isinstance(value, list) else value

    def _text(self, text: str) -> str:
        for kind, shape in PERSONAL.items():
            for start, end in reversed([*shape.spans(text)]):
                mask = self._stand_in(kind, text[start:end])
                text = f"{text[:start]}{mask}{text[end:]}"
        for known, mask in self._by_text.items():
            if mask in PEOPLE:
                text = re.sub(rf"(?<!\w){re.escape(known)}(?!\w)", mask, text, flags=re.I)
        return text

    def _stand_in(self, kind: str, value: str) -> str:
        if value in self._by_text.values():  # a mask is not masked
            return value
        if value not in self._by_text:
            n = self._counts[kind] = self._counts.get(kind, 0) + 1
            made = PEOPLE[(n - 1) % len(PEOPLE)] if kind == "name" else MASKS[kind].format(n=n)
            self._by_text[value] = made
        return self._by_text[value]
