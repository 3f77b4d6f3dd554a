"""A rule, and a set of rules."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from pytest_todeval.core.fingerprint import fingerprint
from pytest_todeval.errors import UsageError
from pytest_todeval.evaluate.rules.conditions import TurnCondition
from pytest_todeval.evaluate.rules.finding import Found, View
from pytest_todeval.evaluate.rules.report import (
    BROKEN,
    COMPLIES,
    NOT_APPLICABLE,
    RuleResult,
)


@dataclass(frozen=True)
class Never:
    """The condition must not hold."""

    condition: TurnCondition

    def judge(self, view: View, earlier: Sequence[View]) -> Found:
        found = self.condition.find(view)
        return Found(None if found.holds is None else not found.holds, found.reason)


@dataclass(frozen=True)
class Always:
    """The condition must hold."""

    condition: TurnCondition

    def judge(self, view: View, earlier: Sequence[View]) -> Found:
        return self.condition.find(view)


@dataclass(frozen=True)
class Before:
    """If `this` holds, `needs` must have held in the same turn or an earlier one."""

    this: TurnCondition
    needs: TurnCondition

    def judge(self, view: View, earlier: Sequence[View]) -> Found:
        happened = self.this.find(view)
        if not happened.holds:
            return Found(None, happened.reason)
        needed = [self.needs.find(each) for each in (view, *reversed(earlier))]
        met = next((found for found in needed if found.holds), None)
        if met is not None:
            return Found(True, met.reason)
        if all(found.holds is None for found in needed):
            return Found(None, needed[0].reason)
        return Found(False, f"{happened.reason}, but not before: {needed[0].reason}")


@dataclass(frozen=True)
class JudgedRule:
    """What a model has to tell (`LLMJudge.rules`); evidence does not."""

    sentence: str
    """The rule as the model is given it."""

    def judge(self, view: View, earlier: Sequence[View]) -> Found:
        """Raises UsageError: there is no model here."""
        raise UsageError(f"turn {view.index}: only a model can tell whether {self.sentence!r}")


Demand = Never | Always | Before | JudgedRule


@dataclass(frozen=True)
class Rule:
    """One rule: what must never, or always, be so, if it applies."""

    id: str
    says: str
    """The rule in a sentence, for people."""
    demand: Demand
    when: TurnCondition | None = None
    """Where it applies; everywhere without."""
    advises: bool = False
    """Whether it is shown when it is broken, and fails nothing: it blames too many right bots."""

    def idle(self, view: View) -> RuleResult | None:
        """The result if the rule does not apply to a turn, or nothing tells; None if it does.

        Untold conditions make a rule not applicable, never broken.
        """
        applies = Found(True, "") if self.when is None else self.when.find(view)
        if applies.holds:
            return None
        return self._of(view, NOT_APPLICABLE, f"not applicable: {applies.reason}")

    def result(self, view: View, earlier: Sequence[View]) -> RuleResult:
        """Judges one turn by evidence. Raises UsageError if it takes a model."""
        if (idle := self.idle(view)) is not None:
            return idle
        found = self.demand.judge(view, earlier)
        if found.holds is None:
            return self._of(view, NOT_APPLICABLE, f"not applicable: {found.reason}")
        return self._of(view, COMPLIES if found.holds else BROKEN, found.reason)

    def _of(self, view: View, value: int, reason: str) -> RuleResult:
        return RuleResult(self.id, self.says, view.index, value, reason, advises=self.advises)


@dataclass(frozen=True)
class RuleSet:
    """Rules under one name."""

    name: str
    rules: tuple[Rule, ...]
    source: Path | None = None
    texts: tuple[tuple[str, str], ...] = ()
    """Of the files that it was read from: the name of the set, and a hash of the text."""

    @property
    def hashes(self) -> dict[str, str]:
        """By name, a hash of each set that it is made of: results say which rules they rest on."""
        told = (f"{rule.id}: {rule.says}".encode(errors="replace") for rule in self.rules)
        return dict(self.texts) or {self.name: fingerprint(told)}

    def merged(self, other: "RuleSet") -> "RuleSet":
        """Returns both together, a rule that stands in both once.

        Raises UsageError if one id stands for two different rules.
        """
        kept = self._merged.get(id(other))
        if kept is None:  # the other set is kept, too, so that its id is not used again
            kept = self._merged[id(other)] = (other, self._merge(other))
        return kept[1]

    @cached_property
    def _merged(self) -> dict[int, tuple["RuleSet", "RuleSet"]]:
        """Returns what was merged with it before: each dialogue asks for the same sets."""
        return {}

    def _merge(self, other: "RuleSet") -> "RuleSet":
        known = {rule.id: rule for rule in self.rules}
        for rule in other.rules:
            there = known.setdefault(rule.id, rule)
            if there.advises and not rule.advises:  # one of the two promotes it
                known[rule.id] = there = replace(there, advises=False)
            if there is not rule and there != replace(rule, advises=there.advises):
                raise UsageError(
                    f"rule id {rule.id!r} stands for two different rules, in {self.name!r} and in "
                    f"{other.name!r}; rename one of them"
                )
        texts = {**self.hashes, **other.hashes}
        return RuleSet(
            f"{self.name}+{other.name}", tuple(known.values()), texts=tuple(texts.items())
        )
