"""One of several options with its reason."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pytest_todeval.models.reading.answer_text import answer_text, said
from pytest_todeval.models.reading.headings import Headed, headed, opening, reason_beside
from pytest_todeval.models.reading.objects import find_answer, fold, reason_in
from pytest_todeval.models.reading.reader import TEXT, Unreadable, one_of, titled

_BRACKETS = re.compile(r"\[\[(?P<value>[^\[\]]{1,80})\]\]")
_LINE = re.compile(r"^[^\n]{1,100}$", re.MULTILINE)
_EDGES = " .,!()[]\"'"


@dataclass(frozen=True, slots=True)
class ChoiceReply:
    """The option chosen, as it was offered, and why."""

    value: str
    reason: str


@dataclass(frozen=True)
class ChoiceReader:
    """Reads `{"reason": ..., "choice": OPTION}`, `Choice: OPTION`, `[[OPTION]]`, and an option that
    has a line for itself or stands before the justification.

    All that a reply chooses, quotations apart, must be the same; nothing near an option is one.
    """

    options: tuple[str, ...]
    """As the model is to write them; case does not matter."""

    @property
    def schema(self) -> Mapping[str, Any]:
        return titled("choice", {"reason": TEXT, "choice": one_of(self.options)})

    @property
    def expected(self) -> str:
        options = ", ".join(f'"{option}"' for option in self.options)
        return (
            'Answer with one JSON object with the keys "reason", a text, and "choice", '
            f"one of {options}."
        )

    def read(self, text: str) -> ChoiceReply:
        answer, around = find_answer(text, ("choice",))
        found = list(self._in_text(said(around)))
        if answer is not None:  # then `Choice:` may head the object
            found = [each for each in found if self._option(each.value) is not None]
        values = {self._value(each.value) for each in found}
        if answer is not None:
            values.add(self._value(answer["choice"]))
        if len(values) != 1:
            raise Unreadable(f"the answer chooses {len(values)} of the options, expected one")
        reason = reason_beside(answer_text(text), found[0]) if answer is None else reason_in(answer)
        return ChoiceReply(values.pop(), reason)

    def _in_text(self, spoken: str) -> Iterator[Headed]:
        for match in _BRACKETS.finditer(spoken):
            yield Headed(match["value"], *match.span())
        yield from headed(spoken, ("choice", "verdict", "winner", "answer"))
        alone = (Headed(line.group(), *line.span()) for line in _LINE.finditer(spoken))
        yield from (each for each in (opening(spoken), *alone) if self._option(each.value))

    def _value(self, given: object) -> str:
        option = self._option(given) if isinstance(given, str) else None
        if option is None:
            raise Unreadable(f"the choice is {str(given)[:80]!r}, not one of {self.options}")
        return option

    def _option(self, given: str) -> str | None:
        wanted = fold(given).strip(_EDGES)
        return next((each for each in self.options if fold(each).strip(_EDGES) == wanted), None)
