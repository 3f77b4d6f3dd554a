"""What the suites make of seeded faults and variants: fired, caught, survived, false alarms."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import Goal
from pytest_todeval.evaluate.judge.rule_judge import RuleJudge
from tests.faulty_bots.grounds import Ground, ground_of
from tests.faulty_bots.seeded import SeededFault, Variant
from tests.faulty_bots.suites import RULE_SETS, SUITES, Findings, findings

__all__ = [
    "Alarms",
    "Kills",
    "alarms_of",
    "by_dialogue",
    "by_mutant",
    "goals_for",
    "kills_of",
    "rate",
    "signature",
    "survivors",
]


SECONDS = 5
"""No healthy turn takes so long here."""


@dataclass
class Kills:
    """What came of one fault."""

    fault: SeededFault
    played: int = 0
    fired: list[str] = field(default_factory=list)
    """Ids of the goals whose dialogue differs from the healthy bot's."""
    shown: dict[str, str] = field(default_factory=dict)
    """Fired goal -> a hash of the dialogue."""
    caught: dict[str, list[str]] = field(default_factory=lambda: {suite: [] for suite in SUITES})
    """Suite -> ids of the fired goals in which it finds something against this bot alone."""
    undecided: list[str] = field(default_factory=list)
    """Ids of the fired goals that the full suite leaves to nobody: doubts, faults of others."""
    by: dict[str, dict[str, str]] = field(default_factory=lambda: {suite: {} for suite in SUITES})
    """Suite -> assertion that caught it -> the first reason."""


@dataclass
class Alarms:
    """What the suites find against a bot that is right."""

    name: str
    ground: str
    apart: bool = False
    played: int = 0
    differs: int = 0
    """Dialogues that are not the healthy bot's."""
    raised: dict[str, dict[str, dict[str, str]]] = field(
        default_factory=lambda: {suite: {} for suite in SUITES}
    )
    """Suite -> id of the goal -> assertion -> reason."""
    undecided: list[str] = field(default_factory=list)


def signature(dialogue: Dialogue) -> tuple[Any, ...]:
    """All that can be seen of a dialogue; of its latency only what no healthy turn comes near."""
    turns = [
        (turn.user, turn.system, repr(turn.tool_calls), turn.latency // SECONDS)
        for turn in dialogue.turns
    ]
    booked = tuple(repr(booking) for booking in dialogue.final_bookings)
    return (dialogue.stop_reason, dialogue.last_words, booked, tuple(turns))


def goals_for(ground: Ground, domains: Sequence[str], limit: int | None) -> list[Goal]:
    """The goals with one of the domains (all if none is given), at most `limit`, evenly spread."""
    fit = [
        goal
        for goal in ground.goals
        if not domains or any(part.domain in domains for part in goal.domains)
    ]
    if limit is None or limit >= len(fit):
        return fit
    return [fit[at * len(fit) // limit] for at in range(limit)]


@dataclass(frozen=True)
class _Healthy:
    signature: tuple[Any, ...]
    findings: dict[str, Findings]


def _judged(ground: Ground, dialogue: Dialogue, backend: Any) -> dict[str, Findings]:
    judge = RuleJudge(RULE_SETS[ground.name], backend)
    return {suite: findings(ground.name, dialogue, judge, suite) for suite in SUITES}


@cache
def _healthy(ground: Ground, goal_id: str) -> _Healthy:
    goal = next(goal for goal in ground.goals if goal.id == goal_id)
    dialogue, backend = ground.play(ground.healthy, goal)
    return _Healthy(signature(dialogue), _judged(ground, dialogue, backend))


def kills_of(
    fault: SeededFault,
    limit: int | None = None,
    ground: Ground | None = None,
    enough: int | None = None,
) -> Kills:
    """Play a fault, compare with the right bot under the same seed, and judge what differs.

    At most `limit` goals are played, and none after the fault has fired `enough` times. A finding
    counts only if the right bot's dialogue of that goal has none of that name: a rule that
    forbids what every bot of a world does catches nobody.
    """
    ground = ground or ground_of(fault.ground)
    beside = replace(ground, healthy=fault.control) if fault.control else ground
    kills = Kills(fault)
    for goal in goals_for(ground, fault.domains, limit):
        if enough is not None and len(kills.fired) >= enough:
            break
        kills.played += 1
        healthy = _healthy(beside, goal.id)
        dialogue, backend = ground.play(fault.bot, goal)
        dialogue = fault.stamp(dialogue)
        shown = signature(dialogue)
        if shown != healthy.signature:
            kills.fired.append(goal.id)
            kills.shown[goal.id] = hashlib.sha256(repr(shown).encode()).hexdigest()
            _judge(kills, goal.id, _judged(ground, dialogue, backend), healthy)
    return kills


def _judge(kills: Kills, goal: str, judged: dict[str, Findings], healthy: _Healthy) -> None:
    for suite, found in judged.items():
        known = healthy.findings[suite].failed
        new = {name: reason for name, reason in found.failed.items() if name not in known}
        if new:
            kills.caught[suite].append(goal)
            for name, reason in new.items():
                kills.by[suite].setdefault(name, f"{goal}: {reason}")
        elif suite == "full" and found.undecided:
            kills.undecided.append(goal)


def alarms_of(variant: Variant, limit: int | None = None, ground: Ground | None = None) -> Alarms:
    """Play a bot that is right; everything found against it is a false alarm."""
    ground = ground or ground_of(variant.ground)
    alarms = Alarms(variant.name, ground.name, variant.apart)
    for goal in goals_for(ground, (), limit):
        alarms.played += 1
        dialogue, backend = ground.play(variant.bot, goal)
        alarms.differs += signature(dialogue) != _healthy(ground, goal.id).signature
        found = _judged(ground, dialogue, backend)
        for suite in SUITES:
            if found[suite].failed:
                alarms.raised[suite][goal.id] = found[suite].failed
        if found["full"].undecided and not found["full"].failed:
            alarms.undecided.append(goal.id)
    return alarms


def rate(part: int, whole: int) -> str:
    """`12 of 40 = 30 %`."""
    return f"{part} of {whole} = {100 * part / whole:.0f} %" if whole else "none"


def by_mutant(kills: Iterable[Kills], suite: str) -> tuple[int, int]:
    """(caught, fired): faults that fired at all, and those of which a dialogue was caught."""
    fired = [each for each in kills if each.fired]
    return sum(bool(each.caught[suite]) for each in fired), len(fired)


def by_dialogue(kills: Iterable[Kills], suite: str) -> tuple[int, int]:
    """(caught, fired): dialogues in which a fault fired, and those that were caught."""
    kills = list(kills)
    return (
        sum(len(each.caught[suite]) for each in kills),
        sum(len(each.fired) for each in kills),
    )


def survivors(kills: Iterable[Kills], suite: str) -> Iterator[Kills]:
    """Faults that fired and of which no dialogue was caught."""
    return (each for each in kills if each.fired and not each.caught[suite])
