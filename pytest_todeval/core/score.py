"""Scores: a number on a scale with its reason, or unscored, with why."""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import overload

from pytest_todeval.core.assertable import Assertable, Several
from pytest_todeval.core.bound import SIGNS, decides, good
from pytest_todeval.core.verdict import Sample
from pytest_todeval.errors import JudgeFault

SHOWN = 60
"""Characters of a value in a message."""

REASON = 100
"""Characters of a reason in a message about something else."""


class _Comparable(Assertable):
    """What is compared with a number, in every turn that it has."""

    __slots__ = ()

    @abstractmethod
    def _every(self, sign: str, bound: object) -> bool:
        """Says whether it is so in every turn to which the score applies."""

    def __eq__(self, other: object) -> bool:
        __tracebackhide__ = True
        if isinstance(other, type(self)):
            return self._compared() == other._compared()
        return self._every("==", other)

    def __ne__(self, other: object) -> bool:
        __tracebackhide__ = True
        if isinstance(other, type(self)):
            return self._compared() != other._compared()
        return self._every("!=", other)

    __hash__ = Assertable.__hash__

    def __ge__(self, bound: float) -> bool:
        __tracebackhide__ = True
        return self._every(">=", bound)

    def __gt__(self, bound: float) -> bool:
        __tracebackhide__ = True
        return self._every(">", bound)

    def __le__(self, bound: float) -> bool:
        __tracebackhide__ = True
        return self._every("<=", bound)

    def __lt__(self, bound: float) -> bool:
        __tracebackhide__ = True
        return self._every("<", bound)


@dataclass(frozen=True, slots=True, eq=False)
class Score(_Comparable):
    """A number on a declared scale with its reason, or *unscored*, with why.

    It is compared with numbers as a series of one turn is.
    """

    name: str
    value: float | None
    reason: str
    turn: int | None = None
    """1-based; None for a score of the whole dialogue."""
    scale: tuple[float, float] = (1, 5)
    unscored: str | None = None
    """Why there is no number: `not applicable` (nothing to judge) or what went wrong."""
    samples: tuple[Sample, ...] = ()
    """The answers that `value` is the median of, if more than one was asked for."""
    definition: str = ""
    """What the number means: metric, version, prompt and model; only equal ones are comparable."""

    NOT_APPLICABLE = "not applicable"

    def __post_init__(self) -> None:
        if (self.value is None) != (self.unscored is not None):
            raise ValueError(f"score {self.name!r}: give either a value or why there is none")
        if self.value is not None and not self.scale[0] <= self.value <= self.scale[1]:
            raise ValueError(f"score {self.name!r}: {self.value} is outside {self.scale}")
        object.__setattr__(self, "samples", Several(self.samples))

    @property
    def is_fault(self) -> bool:
        """Says whether the judge ought to have scored this and could not."""
        return self.unscored is not None and self.unscored != self.NOT_APPLICABLE

    @property
    def spread(self) -> float:
        """Returns the greatest difference between two samples; 0 if one answer was asked for."""
        values = [sample.value for sample in self.samples if sample.value is not None]
        return max(values) - min(values) if values else 0.0

    def __repr__(self) -> str:
        value = "unscored" if self.value is None else f"{self.value:g} of {self.scale[1]:g}"
        where = "" if self.turn is None else f" in turn {self.turn}"
        told = self.unscored or self.reason
        return f"<{self.name} {value}{where}{f': {told}' if told else ''}>"

    def _line(self) -> str:
        return f"{self.name} >= {good(*self.scale):g}"

    def _every(self, sign: str, bound: object) -> bool:
        __tracebackhide__ = True
        return ScoreSeries(self.name, [self])._every(sign, bound)


class ScoreSeries(Sequence[Score], _Comparable):
    """One score per turn. `series >= 4` asks it of *every* turn, never of the mean.

    So do `>`, `<=`, `<`, `==` and `!=`. Turns in which the score is not applicable are left out.
    Comparing raises

    - `JudgeFault` if a turn could not be scored, or none has a number: neither is a pass, nor the
      bot's failure (`applicable` says whether there is anything to compare);
    - `AssertionError` if `<=`, `<`, `==` or `!=` is so in some turns only: its opposite is no more
      so of every turn, and `not` must not make a pass of it;
    - `UsageError` if it comes out the same for every score on the scale, and for what is no number.
    """

    def __init__(self, name: str, scores: Sequence[Score]) -> None:
        self.name = name
        self.scores: tuple[Score, ...] = Several(scores)

    @overload
    def __getitem__(self, index: int) -> Score: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Score]: ...

    def __getitem__(self, index: int | slice) -> Score | Sequence[Score]:
        return self.scores[index]

    def __len__(self) -> int:
        return len(self.scores)

    def __iter__(self) -> Iterator[Score]:
        return iter(self.scores)

    def __contains__(self, value: object) -> bool:
        __tracebackhide__ = True
        if isinstance(value, Score):
            return any(value is each for each in self.scores)
        self._refuse(f"`in` does not say of which turns of {self.name}")

    def __repr__(self) -> str:
        values = " ".join("-" if s.value is None else f"{s.value:g}" for s in self.scores)
        return f"<{self.name} by turn: {values or 'no turns'}>"

    def _compared(self) -> tuple[object, ...]:
        return (self.name, *self.scores)

    def _line(self) -> str:
        scale = self.scores[0].scale if len(self.scores) else (1, 5)
        return f"{self.name} >= {good(*scale):g}"

    @property
    def applicable(self) -> bool:
        """Whether there is anything to score in any turn: not all of them are not applicable."""
        return any(score.unscored != Score.NOT_APPLICABLE for score in self.scores)

    def breaking(self, compare: Callable[[float, float], bool], bound: float) -> list[Score]:
        """The scores for which `compare(score, bound)` does not hold, in the order of the turns.

        Raises JudgeFault if a turn is unscored without being inapplicable, or none is scored.
        """
        __tracebackhide__ = True  # a test shows its own line, not this one
        faults = [s for s in self.scores if s.is_fault]
        if faults:
            first = faults[0]
            where = "" if first.turn is None else f" of turn {first.turn}"
            raise JudgeFault(f"{self.name}{where} is unscored: {first.unscored}")
        if not len(self.scores):
            raise JudgeFault(f"{self.name}: the dialogue has no turn to score")
        if not self.applicable:
            raise JudgeFault(
                f"{self.name} is not applicable ({self.scores[0].reason:.{REASON}}): none of "
                f"{len(self.scores)} scores is a number. If that may be, ask `.applicable` first; "
                "if the bot looks things up unseen, have it report its tool calls (docs/bots.md)"
            )
        return [s for s in self.scores if s.value is not None and not compare(s.value, bound)]

    def _every(self, sign: str, bound: object) -> bool:
        __tracebackhide__ = True
        if isinstance(bound, bool) or not isinstance(bound, int | float) or not isfinite(bound):
            self._refuse(f"{self.name} {sign} {bound!r:.{SHOWN}}: expected a number")
        compare = SIGNS[sign]
        broken = self.breaking(compare, bound)
        least, most = self.scores[0].scale
        if not decides(sign, bound, least, most):
            self._refuse(
                f"{self.name} {sign} {bound:g} comes out the same whatever the bot does, as scores "
                f"go from {least:g} to {most:g}"
            )
        kept = [s for s in self.scores if s.value is not None and compare(s.value, bound)]
        if broken and kept and sign not in (">=", ">"):
            raise AssertionError(_mixed(f"{self.name} {sign} {bound:g}", kept, broken))
        return not broken


def _mixed(told: str, kept: Sequence[Score], broken: Sequence[Score]) -> str:
    """Returns what is so in some turns only, with the first reason."""
    so, other = (", ".join(str(each.turn) for each in group) for group in (kept, broken))
    first = broken[0]
    return (
        f"{told} in turn {so}, and not in turn {other} (turn {first.turn}: {first.value:g}, "
        f"{first.reason}): a comparison is asked of every turn; `>=` and `>` say how good each has "
        "to be"
    )
