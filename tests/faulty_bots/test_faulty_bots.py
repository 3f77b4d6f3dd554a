"""Faulty bots are caught by the assertion made for their fault; the healthy bot passes it."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from pytest_todeval.backends.multiwoz import MultiwozBackend, MultiwozDatabase
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import Goal
from pytest_todeval.evaluate.judge.rule_judge import RuleJudge
from pytest_todeval.evaluate.metrics.task_success import evaluate
from pytest_todeval.goals import store
from pytest_todeval.simulation.agenda import AgendaUser
from pytest_todeval.simulation.loop import run_dialogue
from pytest_todeval.systems import RuleSystem
from pytest_todeval.worlds import registry
from tests.faulty_bots.asserted import MUTANTS, Check, Mutant, keeps_rules

DEMO = registry.load("demo")
DATABASE = MultiwozDatabase.load(store.DEMO)


BOTS: dict[str, type[RuleSystem]] = {
    "RuleSystem": RuleSystem,
    **{mutant.name: mutant.bot for mutant in MUTANTS},
}


@cache
def played(bot: str, goal_id: str) -> tuple[Dialogue, RuleJudge]:
    goal = next(goal for goal in DEMO.goals if goal.id == goal_id)
    backend = MultiwozBackend(DATABASE, goal)
    user = AgendaUser(goal, DATABASE.vocabulary())
    dialogue = run_dialogue(goal, user, BOTS[bot], backend=backend)
    dialogue = replace(dialogue, verdicts=evaluate(dialogue, backend))
    return dialogue, RuleJudge(backend=backend)


def goals_for(mutant: Mutant) -> list[Goal]:
    if not mutant.domains:
        return list(DEMO.goals)
    return [g for g in DEMO.goals if any(part.domain in mutant.domains for part in g.domains)]


def broken_on(bot: type[RuleSystem], check: Check, goals: list[Goal]) -> Iterator[str]:
    """The goals on which it is caught, played one by one as they are asked for."""
    return (goal.id for goal in goals if not check(*played(bot.__name__, goal.id)))


def name(mutant: Mutant) -> str:
    return f"{mutant.name}-{mutant.holds.__qualname__.split('.')[0]}"


@pytest.mark.parametrize("mutant", MUTANTS, ids=name)
def test_faulty_bot_is_caught(mutant: Mutant) -> None:
    assert next(broken_on(mutant.bot, mutant.holds, goals_for(mutant)), None) is not None


@pytest.mark.parametrize("mutant", MUTANTS, ids=name)
def test_healthy_bot_passes_the_same_assertion(mutant: Mutant) -> None:
    assert list(broken_on(RuleSystem, mutant.holds, goals_for(mutant))) == []


def test_healthy_bot_keeps_every_rule() -> None:
    assert list(broken_on(RuleSystem, keeps_rules, list(DEMO.goals))) == []


def test_mutants_are_many_and_differ() -> None:
    assert len({mutant.bot for mutant in MUTANTS}) >= 15
