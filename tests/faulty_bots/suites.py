"""What the suites assert, world by world: the one place to edit for new sets and verdicts.

*Plain* is the verdicts; *line* is `assert judge.approves(dialogue)`; *full* adds to the verdicts
the floors of turn scores, all shipped rules, those that only advise, too, and whatever else a
world's users may assert without writing a rule of their own.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.errors import JudgeFault
from pytest_todeval.evaluate.judge.rule_judge import RuleJudge
from pytest_todeval.worlds.service_desk.world import ServiceDeskWorld
from pytest_todeval.worlds.tau_bench.world import TauBenchWorld

__all__ = ["ALSO", "FLOORS", "PLAIN", "RULE_SETS", "SLOWEST", "SUITES", "Findings", "findings"]

SUITES = ("plain", "line", "full")

PLAIN: Mapping[str, tuple[str, ...]] = {
    "demo": ("inform", "success", "booking"),
    "multiwoz": ("inform", "success", "booking"),
    "own_domains": ("inform", "success", "booking"),
    "service_desk": ("reward",),
    "lamp_shop": ("reward",),
    "tau_bench": (),
}
"""Verdicts asserted in both suites: `assert dialogue.NAME`. Stored trajectories of tau-bench
bring a reward of their own."""

ALSO: Mapping[str, tuple[str, ...]] = dict.fromkeys(PLAIN, ("satisfied",))
"""Verdicts that only the full suite asserts; one that a dialogue does not have is passed over."""

FLOORS: Mapping[str, int] = {
    "conversation_cohesion": 4,
    "backend_consistency": 4,
    "policy_compliance": 4,
}
"""`assert judge.turns(dialogue).NAME >= FLOOR`, as the README has it."""

_BOOKING_SETS = ("common", "restaurant", "hotel", "attraction", "train", "taxi")
RULE_SETS: Mapping[str, tuple[str, ...]] = {
    "demo": _BOOKING_SETS,
    "multiwoz": _BOOKING_SETS,
    "own_domains": ("common",),
    "service_desk": tuple(map(str, ServiceDeskWorld.rules)),
    "lamp_shop": ("tasks",),
    "tau_bench": tuple(map(str, TauBenchWorld.rules)),
}
"""`assert judge.rules(dialogue, [...])`: the shipped sets for a world's bots; they are those of the
judge's policy compliance too."""

SLOWEST: Mapping[str, float] = {"p90": 8.0, "worst": 10.0}
"""Seconds: `assert dialogue.latency.NAME <= LIMIT`; passed over if a dialogue has none."""


@dataclass
class Findings:
    """What a suite finds against one dialogue, by the name of the assertion."""

    failed: dict[str, str] = field(default_factory=dict)
    """Assertion -> reason."""
    undecided: dict[str, str] = field(default_factory=dict)
    """What hangs on a doubt or on a fault that is not the bot's: neither pass nor failure."""

    def note(self, name: str, holds: Callable[[], Any], reason: str) -> None:
        """Take in what an assertion comes to."""
        try:
            if not holds():
                self.failed[name] = reason
        except JudgeFault as fault:
            self.undecided[name] = str(fault)


def findings(ground: str, dialogue: Dialogue, judge: RuleJudge, suite: str) -> Findings:
    """What a suite finds against a dialogue."""
    found = Findings()
    if dialogue.fault is Outcome.FAILED:  # the plugin fails a test whose bot crashed
        found.failed["crash"] = dialogue.detail or str(dialogue.stop_reason)
    elif dialogue.fault is not None:
        found.undecided["fault"] = f"{dialogue.fault}: {dialogue.detail}"
    if suite == "line":
        return _of_one_line(found, ground, dialogue, judge)
    for name in PLAIN[ground]:
        verdict = getattr(dialogue, name)
        found.note(name, partial(bool, verdict), verdict.reason)
    if suite == "full" and dialogue.turns:
        for name, holds, reason in _of_the_full_suite(ground, dialogue, judge):
            found.note(name, holds, reason)
    return found


def _of_one_line(found: Findings, ground: str, dialogue: Dialogue, judge: RuleJudge) -> Findings:
    """What `judge.approves` finds, by verdict, rule and score; and what the outcome says."""
    if dialogue.turns:
        approval = judge.approves(dialogue, RULE_SETS[ground])
        found.note("approves", partial(bool, approval), "; ".join(approval.failed))
    return found


def _of_the_full_suite(
    ground: str, dialogue: Dialogue, judge: RuleJudge
) -> Iterator[tuple[str, Callable[[], Any], str]]:
    for name in ALSO[ground]:
        verdict = getattr(dialogue, name, None)
        if verdict is not None:
            yield name, partial(bool, verdict), verdict.reason
    scores = judge.turns(dialogue).scores
    for name, floor in FLOORS.items():
        series = scores[name]
        if any(score.value is not None for score in series):
            yield f"{name} >= {floor}", partial(series.__ge__, floor), repr(series)
    report = judge.rules(dialogue, RULE_SETS[ground])
    for result in (*report.broken, *report.advice):
        yield f"rule {result.rule}", partial(bool, False), f"turn {result.turn}: {result.reason}"
    latency = getattr(dialogue, "latency", None)
    if latency is not None:
        for name, limit in SLOWEST.items():
            seconds = getattr(latency, name)
            yield f"latency.{name} <= {limit}", partial(bool, seconds <= limit), f"{seconds:.1f} s"
