"""What a check of rules came to: per rule and turn 1, 0 or -1, after AutoEval-ToD (prompt H.3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["BROKEN", "COMPLIES", "NOT_APPLICABLE", "RuleReport", "RuleResult"]

COMPLIES, BROKEN, NOT_APPLICABLE = 1, 0, -1


@dataclass(frozen=True, slots=True)
class RuleResult:
    """One rule in one turn."""

    rule: str
    """Its id."""
    says: str
    """The rule in a sentence."""
    turn: int
    """1-based."""
    value: int
    """1 the turn complies, 0 it breaks the rule, -1 the rule does not apply to it."""
    reason: str


@dataclass(frozen=True, repr=False)
class RuleReport:
    """All results, by turn and then in the order of the rules; truthy where no rule was broken."""

    results: Sequence[RuleResult]

    def __bool__(self) -> bool:
        return not self.broken

    def __repr__(self) -> str:
        broken = self.broken
        if not broken:
            applied = sum(result.value == COMPLIES for result in self.results)
            return f"<rules kept: {len(self.by_rule())} rules, applied {applied} times>"
        first = broken[0]
        more = f"; {len(broken) - 1} more" if len(broken) > 1 else ""
        return f"<rule {first.rule} BROKEN in turn {first.turn}: {first.reason}{more}>"

    @property
    def broken(self) -> tuple[RuleResult, ...]:
        """The results where a rule was broken, earliest turn first."""
        return tuple(result for result in self.results if result.value == BROKEN)

    def of_turn(self, turn: int) -> tuple[RuleResult, ...]:
        """The results of one turn (1-based)."""
        return tuple(result for result in self.results if result.turn == turn)

    def by_rule(self) -> Mapping[str, list[RuleResult]]:
        """The results by rule id, for the results file."""
        found: dict[str, list[RuleResult]] = {}
        for result in self.results:
            found.setdefault(result.rule, []).append(result)
        return found
