"""What a check of rules came to: per rule and turn 1, 0 or -1, after AutoEval-ToD (prompt H.3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pytest_todeval.core.assertable import ByName, Several, YesNo
from pytest_todeval.core.verdict import Sample
from pytest_todeval.errors import JudgeFault

COMPLIES, BROKEN, NOT_APPLICABLE = 1, 0, -1
EVIDENCE = "evidence"
"""Who judged what no model was asked about."""


@dataclass(frozen=True, slots=True, eq=False)
class RuleResult(YesNo):
    """One rule in one turn; truthy unless it is broken and may fail."""

    rule: str
    """Its id."""
    says: str
    """The rule in a sentence."""
    turn: int
    """1-based."""
    value: int | None
    """1 the turn complies, 0 it breaks the rule, -1 the rule does not apply to it; None if a
    model was asked and its answer does not tell."""
    reason: str
    """Why it is so; of None, why nothing can be told."""
    by: str = EVIDENCE
    """Who judged: `evidence`, or the model or models asked."""
    samples: tuple[Sample, ...] = ()
    """The answers that `value` comes from, if more than one was asked for."""
    advises: bool = False
    """Whether the rule advises: it is shown when it is broken, and fails nothing."""

    def __bool__(self) -> bool:
        __tracebackhide__ = True  # a test shows its own line, not this one
        if self.value is None:
            raise JudgeFault(
                f"rule {self.rule} in turn {self.turn} could not be judged by {self.by}: "
                f"{self.reason}"
            )
        return self.value != BROKEN or self.advises

    def _line(self) -> str:
        return "judge.rules(dialogue, ...)"


@dataclass(frozen=True, repr=False, eq=False)
class RuleReport(YesNo):
    """All results, by turn and then in the order of the rules.

    Truthy if no rule was broken that may fail.

    Asking for its truth raises JudgeFault if no rule is known to be broken, but a model's answer
    left one open: that is neither a pass nor the bot's failure.
    """

    results: Sequence[RuleResult]
    definition: str = ""
    """What the judged results mean: prompt and model; empty if no model was asked."""
    idle: Mapping[str, str] = field(default_factory=dict)
    """By id, the rules that could not apply to this dialogue, with what they lack."""

    def __bool__(self) -> bool:
        __tracebackhide__ = True  # a test shows its own line, not this one
        if self.untold and not self.broken:
            return bool(self.untold[0])
        return not self.broken

    def __post_init__(self) -> None:
        object.__setattr__(self, "results", Several(self.results))

    def _line(self) -> str:
        return "judge.rules(dialogue, ...)"

    def __repr__(self) -> str:
        broken = self.broken
        if not broken and self.untold:
            first = self.untold[0]
            return f"<rule {first.rule} UNTOLD in turn {first.turn}: {first.reason}>"
        if not broken:
            rules = len(self.by_rule())
            return f"<rules kept: {len(self.applied)} of {rules} found something to check>"
        first = broken[0]
        more = f"; {len(broken) - 1} more" if len(broken) > 1 else ""
        return f"<rule {first.rule} BROKEN in turn {first.turn}: {first.reason}{more}>"

    @property
    def broken(self) -> tuple[RuleResult, ...]:
        """Returns the results in which a rule that may fail was broken, earliest turn first."""
        return tuple(each for each in self.results if each.value == BROKEN and not each.advises)

    @property
    def advice(self) -> tuple[RuleResult, ...]:
        """Returns the results in which a rule was broken that advises, earliest turn first."""
        return tuple(each for each in self.results if each.value == BROKEN and each.advises)

    @property
    def applied(self) -> frozenset[str]:
        """Returns the ids of the rules that found something to check in some turn."""
        return frozenset(each.rule for each in self.results if each.value in (COMPLIES, BROKEN))

    @property
    def untold(self) -> tuple[RuleResult, ...]:
        """Returns the results that a model ought to have given and did not, earliest turn first."""
        return tuple(result for result in self.results if result.value is None)

    def of_turn(self, turn: int) -> tuple[RuleResult, ...]:
        """Returns the results of one turn (1-based)."""
        return Several(result for result in self.results if result.turn == turn)

    def by_rule(self) -> ByName[tuple[RuleResult, ...]]:
        """Returns the results by rule id, for the results file."""
        found: dict[str, list[RuleResult]] = {}
        for result in self.results:
            found.setdefault(result.rule, []).append(result)
        return ByName({rule: Several(results) for rule, results in found.items()})
