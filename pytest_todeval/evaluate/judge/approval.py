"""The strongest sound suite in one question: verdicts, rules and cohesion together."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pytest_todeval.core.assertable import YesNo
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.score import ScoreSeries
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.errors import JudgeFault
from pytest_todeval.evaluate.rules.report import RuleReport, RuleResult

COHESION = 4
"""The least cohesion of a turn."""
NOT_ASKED = frozenset({"satisfied", "inform"})
"""Verdicts left out: whether the user felt served, which blames more right bots than wrong ones,
and what `success` holds, too."""
FIRST = ("no-phantom-booking", "true-confirmations", "true-reference", "does-what-it-says")
"""Rules told first if they are broken: the bot says of its deeds what is not so."""


@dataclass(frozen=True, repr=False, eq=False)
class Approval(YesNo):
    """The verdict of the one-line suite; truthy if no sound check speaks against the dialogue.

    Asking for its truth raises JudgeFault if nothing speaks against it, but a verdict is undecided,
    or nothing could be checked at all: neither a pass nor the bot's failure.
    """

    goal: str
    verdicts: Sequence[Verdict]
    """Those of the goal's world, `booking` and `success` or `reward`."""
    rules: RuleReport
    cohesion: ScoreSeries

    def __bool__(self) -> bool:
        __tracebackhide__ = True  # a test shows its own line, not this one
        if self.failed:
            return False
        for verdict in self.verdicts:
            if verdict.undecided:
                bool(verdict)
        if not self.checked:
            raise JudgeFault(f"{self.goal}: nothing could be checked of this dialogue")
        return True

    @property
    def parts(self) -> tuple[object, ...]:
        """Returns what the results file keeps of this verdict."""
        return (self.rules, {self.cohesion.name: self.cohesion})

    @property
    def failed(self) -> tuple[str, ...]:
        """Lists what speaks against the bot, worst first: verdicts, rules, cohesion."""
        return (*map(_told, self._verdicts_failed()), *self._rules_broken(), *self._incohesive())

    @property
    def advice(self) -> tuple[str, ...]:
        """Returns the broken rules that only advise (docs/rules.md)."""
        return tuple(map(_broken, _once(self.rules.advice)))

    @property
    def checked(self) -> tuple[str, ...]:
        """Returns the names of the verdicts, rules and scores that found something to check."""
        told = [each.name for each in self.verdicts if each.applicable and not each.undecided]
        scored = any(score.value is not None for score in self.cohesion)
        return (*told, *sorted(self.rules.applied), *([self.cohesion.name] if scored else []))

    @property
    def unchecked(self) -> Mapping[str, str]:
        """Maps the name of each check that found nothing, or that hangs on a doubt, to the
        reason.
        """
        found = {v.name: v.doubt or v.refused for v in self.verdicts if v.undecided}
        found |= {v.name: v.reason for v in self.verdicts if not v.applicable}
        for name, results in self.rules.by_rule().items():
            if name not in self.rules.applied:
                said = self.rules.idle.get(name) or results[0].reason
                found[str(name)] = said.removeprefix("not applicable: ")
        return found

    def explain(self) -> str:
        """Explains, one line each, what failed, what only advises, what was checked and what could
        not be.
        """
        lines = [f"failed: {each}" for each in self.failed]
        lines += [f"advice: {each}" for each in self.advice]
        lines.append(f"checked: {', '.join(self.checked) or 'nothing'}")
        open_ = {v.name: v.doubt or v.refused for v in self.verdicts if v.undecided}
        lines += [f"undecided: {name}, {why}" for name, why in open_.items()]
        lines += [f"cannot apply: {name}, {why}" for name, why in self.rules.idle.items()]
        rest = [n for n in self.unchecked if n not in open_ and n not in self.rules.idle]
        if rest:
            lines.append(f"not applicable, nothing to check: {', '.join(rest)}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        failed = self.failed
        if not failed:
            return f"<approved: {self._counts}>"
        more = f"; {len(failed) - 1} more" if len(failed) > 1 else ""
        return f"<NOT approved: {failed[0]}{more} ({self._counts})>"

    @property
    def _counts(self) -> str:
        return f"checked {len(self.checked)}, found nothing to check in {len(self.unchecked)}"

    def _line(self) -> str:
        return "judge.approves(dialogue)"

    def _verdicts_failed(self) -> Iterator[Verdict]:
        bad = [each for each in self.verdicts if not each.undecided and not each.passed]
        return iter(sorted(bad, key=lambda each: each.name != "booking"))

    def _rules_broken(self) -> Iterator[str]:
        broken = sorted(self.rules.broken, key=lambda each: each.rule not in FIRST)
        return map(_broken, _once(broken))

    def _incohesive(self) -> Iterator[str]:
        for score in self.cohesion:
            if score.value is not None and score.value < COHESION:
                yield f"turn {score.turn}: {score.reason} (cohesion {score.value:g})"


def _told(verdict: Verdict) -> str:
    where = f" (turn {', '.join(map(str, verdict.turns))})" if verdict.turns else ""
    return f"{verdict.name}{where}: {verdict.reason}"


def _broken(result: RuleResult) -> str:
    return f"turn {result.turn}: {result.reason} (rule {result.rule})"


def _once(results: Sequence[RuleResult]) -> Iterator[RuleResult]:
    """Keeps the first result of each rule."""
    first: dict[str, RuleResult] = {}
    for result in results:
        first.setdefault(result.rule, result)
    return iter(first.values())


def approval(
    dialogue: Dialogue, verdicts: Sequence[Verdict], rules: RuleReport, cohesion: ScoreSeries
) -> Approval:
    """Runs verdicts, rules and cohesion on a dialogue and returns what they say together."""
    asked = [each for each in verdicts if each.name not in NOT_ASKED]
    return Approval(dialogue.goal.name, asked, rules, cohesion)
