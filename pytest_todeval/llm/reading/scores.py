"""Several named scores in one reply."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pytest_todeval.llm.reading.answer_text import said
from pytest_todeval.llm.reading.fields import find_answer, fold, folded, reason_in
from pytest_todeval.llm.reading.grade import LABELS, Grades, numbers_in
from pytest_todeval.llm.reading.reader import Unreadable
from pytest_todeval.llm.reading.schema import TEXT, number, strict, titled
from pytest_todeval.llm.reading.score import ScoreReply

__all__ = ["ScoresReader"]


@dataclass(frozen=True)
class ScoresReader:
    """Reads `{"NAME": {"reason": ..., "score": N}, ...}`: all of the names, or none at all."""

    scales: Mapping[str, tuple[int, int]]
    """Name -> lowest and highest score."""
    not_applicable: frozenset[str] = frozenset()
    """The names whose score may be `not applicable`."""

    @property
    def schema(self) -> Mapping[str, Any]:
        """For structured output."""
        return titled(
            "scores",
            {
                name: strict({"reason": TEXT, "score": number(scale, name in self.not_applicable)})
                for name, scale in self.scales.items()
            },
        )

    @property
    def expected(self) -> str:
        """What a model is told that is asked again."""
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
        scale = self.scales[name]
        return Grades(scale, LABELS if scale == (1, 5) else {}, name in self.not_applicable)
