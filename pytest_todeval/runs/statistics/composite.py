"""A score with weights of one's own over several metrics (AutoEval-ToD, appendix D).

    0.6 success + 0.3 policy_compliance + 0.1 no-price

A part is a metric (its rate), a score (its mean, taken from its scale to 0 to 1) or a rule (its
adherence). The composite is the weighted mean of its parts, 0 to 1: only the ratio of the weights
matters. It is comparable to no other of other weights, so its definition is its formula.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pytest_todeval.errors import UsageError

_LINE = re.compile(r"\s*([A-Za-z][\w-]*)\s*=\s*(\S.*)", re.DOTALL)
_PART = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)\s*\*?\s*([^\s*][^+]*)", re.ASCII)
EXPECTED = "`NAME = WEIGHT METRIC + WEIGHT METRIC ...`, e.g. `ours = 0.7 success + 0.3 booking`"


@dataclass(frozen=True, slots=True)
class Composite:
    """Weights by metric, score or rule."""

    name: str
    weights: Mapping[str, float]

    @classmethod
    def parse(cls, name: str, formula: str) -> "Composite":
        """From its formula. Raises UsageError."""
        weights: dict[str, float] = {}
        for text in formula.split(" + "):
            found = _PART.fullmatch(text.strip())
            if found is None or not float(found[1]):
                raise UsageError(
                    f"composite {name!r}: got {text.strip()!r:.60}, expected a weight above 0 and "
                    f"a metric; write {EXPECTED}"
                )
            part = found[2].strip()
            if part in weights:
                raise UsageError(f"composite {name!r}: {part!r} has two weights; write one")
            weights[part] = float(found[1])
        return cls(name, weights)

    @property
    def formula(self) -> str:
        """As it is written: its definition."""
        return " + ".join(f"{weight:g} {part}" for part, weight in self.weights.items())

    def missing(self, parts: Mapping[str, float | None]) -> tuple[str, ...]:
        """Returns the parts without a number."""
        return tuple(part for part in self.weights if parts.get(part) is None)

    def value(self, parts: Mapping[str, float | None]) -> float | None:
        """Returns the weighted mean of the parts, each 0 to 1; None if one has no number."""
        known = {part: value for part, value in parts.items() if value is not None}
        if any(part not in known for part in self.weights):
            return None
        weighed = math.fsum(weight * known[part] for part, weight in self.weights.items())
        return weighed / math.fsum(self.weights.values())


def composites_from(lines: Sequence[str]) -> tuple[Composite, ...]:
    """Those of lines `NAME = FORMULA`. Raises UsageError on a wrong line or a name twice."""
    found: dict[str, Composite] = {}
    for line in lines:
        match = _LINE.fullmatch(line)
        if match is None:
            raise UsageError(f"composite: got {line!r:.60}, expected {EXPECTED}")
        if match[1] in found:
            raise UsageError(f"composite {match[1]!r} is there twice; give one another name")
        found[match[1]] = Composite.parse(match[1], match[2])
    return tuple(found.values())
