"""How often a rule is kept (AutoEval-ToD, table 4: adherence to domain-specific rules in %)."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Adherence:
    """What was found of a rule in many turns."""

    complies: int
    broken: int
    not_applicable: int
    untold: int
    """Turns in which a model was asked and its answer does not tell."""

    @property
    def rate(self) -> float | None:
        """The share of the turns that comply among those to which the rule applies, 0 to 1.

        None if it applied to none.
        """
        applied = self.complies + self.broken
        return self.complies / applied if applied else None


def adherence(values: Iterable[int | None]) -> Adherence:
    """Counts values of a rule: 1 complies, 0 broken, -1 does not apply, None untold."""
    counts = Counter(values)
    return Adherence(counts[1], counts[0], counts[-1], counts[None])
