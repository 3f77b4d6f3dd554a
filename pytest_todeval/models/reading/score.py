"""One score with its reason, or several by name."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from pytest_todeval.models.reading.answer_text import answer_text, said
from pytest_todeval.models.reading.grade import Grades, numbers_in
from pytest_todeval.models.reading.headings import Headed, headed, opening, reason_beside
from pytest_todeval.models.reading.objects import find_answer, fold, folded, reason_in
from pytest_todeval.models.reading.reader import TEXT, Unreadable, number, strict, titled

NAMES = ("score", "rating")


@dataclass(frozen=True, slots=True)
class ScoreReply:
    """A number on the scale, and why."""

    value: float | None
    """None: not applicable, there is nothing to judge."""
    reason: str


@dataclass(frozen=True)
class ScoreReader:
    """Reads `{"reason": ..., "score": N}`, and the `Score: N` of replies in plain text.

    A score counts if a line begins with `Score:`, or if it is all there is before the
    justification. What is in quotation marks is quoted, and neither counts nor contradicts; any
    other `Score: N`, and any line with nothing but a score, makes the reply Unreadable if it
    differs, as does a number that contradicts its label. Beside a JSON object, any number on the
    scale that differs does.
    """

    scale: tuple[int, int] = (1, 5)
    not_applicable: bool = False

    @property
    def schema(self) -> Mapping[str, Any]:
        return titled("score", {"reason": TEXT, "score": number(self.scale, self.not_applicable)})

    @property
    def expected(self) -> str:
        return (
            'Answer with one JSON object with the keys "reason", a text, and "score", '
            f"{self._grades.expected}."
        )

    def read(self, text: str) -> ScoreReply:
        answer, around = find_answer(text, ("score",))
        spoken = said(around)
        if answer is None:
            value, reason = self._in_text(answer_text(text), spoken)
        else:
            value, reason = self._grades.of_json(answer["score"]), reason_in(answer)
            self._check_beside(spoken, value)
        if {*self._grades.mentions(spoken), *self._alone(spoken)} - {value}:
            raise Unreadable("the answer gives another score as well")
        return ScoreReply(value, reason)

    @property
    def _grades(self) -> Grades:
        return Grades(self.scale, self.not_applicable)

    def _in_text(self, text: str, spoken: str) -> tuple[float | None, str]:
        found = list(headed(spoken, NAMES)) or list(self._opening(spoken))
        values = {self._grades.of_text(each.value) for each in found}
        if not values:
            raise Unreadable(f"there is no score in the answer, expected {self._grades.expected}")
        if len(values) > 1:
            raise Unreadable("there are several different scores in the answer")
        return values.pop(), reason_beside(text, found[0])

    def _check_beside(self, spoken: str, value: float | None) -> None:
        low, high = self.scale
        if any(low <= number <= high for number in numbers_in(spoken) - {value}):
            raise Unreadable("beside the JSON object the answer gives another number")

    def _alone(self, spoken: str) -> Iterator[float | None]:
        """Returns the scores that have a line for themselves, without a heading."""
        for line in spoken.split("\n"):
            with suppress(Unreadable):
                yield self._grades.of_text(line)

    def _opening(self, spoken: str) -> Iterator[Headed]:
        first = opening(spoken)
        with suppress(Unreadable):
            self._grades.of_text(first.value)
            yield first


@dataclass(frozen=True)
class ScoresReader:
    """Reads `{"NAME": {"reason": ..., "score": N}, ...}`: all of the names, or none at all."""

    scales: Mapping[str, tuple[int, int]]
    """Name -> lowest and highest score."""
    not_applicable: frozenset[str] = frozenset()
    """The names whose score may be `not applicable`."""

    @property
    def schema(self) -> Mapping[str, Any]:
        return titled(
            "scores",
            {
                name: strict({"reason": TEXT, "score": number(scale, name in self.not_applicable)})
                for name, scale in self.scales.items()
            },
        )

    @property
    def expected(self) -> str:
        names = "; ".join(f'"{name}": {self._grades(name).expected}' for name in self.scales)
        return (
            'Answer with one JSON object with these keys, each an object with "reason", a text, '
            f'and "score": {names}.'
        )

    def read(self, text: str) -> dict[str, ScoreReply]:
        """The scores by name, in the order of `scales`. Raises Unreadable if one is missing."""
        answer, around = find_answer(text, self.scales)
        if answer is None:
            raise Unreadable("there is no JSON object with the scores in the answer")
        scores = dict(self._scores(answer))
        strange = numbers_in(said(around)) - {score.value for score in scores.values()}
        if any(low <= n <= high for n in strange for low, high in self.scales.values()):
            raise Unreadable("beside the JSON object the answer gives another number")
        return scores

    def _scores(self, answer: Mapping[str, object]) -> Iterator[tuple[str, ScoreReply]]:
        for name in self.scales:
            part = answer.get(fold(name))
            if not isinstance(part, dict):
                raise Unreadable(f"{name}: expected an object with a reason and a score")
            inner = folded(part)
            try:
                value = self._grades(name).of_json(inner.get("score"))
            except Unreadable as error:
                raise Unreadable(f"{name}: {error}") from None
            yield name, ScoreReply(value, reason_in(inner))

    def _grades(self, name: str) -> Grades:
        return Grades(self.scales[name], name in self.not_applicable)
