"""Where seeded faults are played: goals, their user, a backend, and the healthy bot."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.hearing.own_domains import WORDINGS, DeskWithCatalogue, OwnBot, own_goals
from pytest_todeval.backends.multiwoz import MultiwozBackend, MultiwozDatabase
from pytest_todeval.backends.satisfiable import unsatisfiable
from pytest_todeval.backends.tool_backend import TAU_BENCH_STEPS, ToolBackend
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import Goal
from pytest_todeval.evaluate.metrics.reward import rewards
from pytest_todeval.evaluate.metrics.task_success import evaluate
from pytest_todeval.facts.dialogue import with_claims
from pytest_todeval.goals import store
from pytest_todeval.goals.multiwoz import load_goals
from pytest_todeval.simulation.agenda import AgendaUser
from pytest_todeval.simulation.loop import run_dialogue
from pytest_todeval.simulation.scripted import ScriptedUser
from pytest_todeval.systems import DeskBot, RuleSystem
from pytest_todeval.worlds.demo.world import DemoWorld
from pytest_todeval.worlds.service_desk.world import ServiceDeskWorld
from tests.faulty_bots import shop

__all__ = ["GROUNDS", "Ground", "ground_of", "multiwoz"]

Played = tuple[Dialogue, Any]
"""A dialogue with its verdicts, and the backend as the bot has left it."""


@dataclass(frozen=True, eq=False)
class Ground:
    """A world to seed faults into."""

    name: str
    goals: Sequence[Goal]
    healthy: type[Any]
    play: Callable[[type[Any], Goal], Played]


def _with_slots(database: MultiwozDatabase) -> Callable[[type[Any], Goal], Played]:
    def play(bot: type[Any], goal: Goal) -> Played:
        backend = MultiwozBackend(database, goal)
        user = AgendaUser(goal, database.vocabulary())
        dialogue = with_claims(run_dialogue(goal, user, bot, backend), backend)
        return replace(dialogue, verdicts=evaluate(dialogue, backend)), backend

    return play


def _own(bot: type[Any], goal: Goal) -> Played:
    desk = DeskWithCatalogue(goal)
    wording = WORDINGS[getattr(bot, "wording_name", "plain")]
    dialogue = run_dialogue(goal, AgendaUser(goal), lambda: bot(desk, wording), backend=desk)
    dialogue = with_claims(dialogue, desk)
    return replace(dialogue, verdicts=evaluate(dialogue, desk)), desk


def _desk(bot: type[Any], goal: Goal) -> Played:
    world = ServiceDeskWorld()
    backend = world.backend(goal)
    dialogue = run_dialogue(goal, world.user(goal), bot, backend)
    return replace(dialogue, verdicts=world.evaluate(dialogue, backend)), backend


@cache
def _shop() -> Any:
    return shop.shop()


def _shopping(bot: type[Any], goal: Goal) -> Played:
    backend = ToolBackend(_shop(), TAU_BENCH_STEPS, first_call_only=True)
    dialogue = run_dialogue(goal, ScriptedUser(goal.raw["says"]), bot, backend)
    return replace(dialogue, verdicts=rewards(dialogue, backend)), backend


def _demo() -> Ground:
    goals = DemoWorld().load().goals
    return Ground("demo", goals, RuleSystem, _with_slots(MultiwozDatabase.load(store.DEMO)))


def multiwoz(data: Path, split: str = "test") -> Ground:
    """MultiWOZ's own goals, from a folder that holds its data; those that no row meets left out."""
    database = MultiwozDatabase.load(data)
    goals = [goal for goal in load_goals(data, split) if unsatisfiable(goal, database) is None]
    return Ground("multiwoz", goals, RuleSystem, _with_slots(database))


GROUNDS: dict[str, Callable[[], Ground]] = {
    "demo": _demo,
    "service_desk": lambda: Ground("service_desk", ServiceDeskWorld().load().goals, DeskBot, _desk),
    "lamp_shop": lambda: Ground("lamp_shop", shop.GOALS, shop.ShopBot, _shopping),
    "own_domains": lambda: Ground("own_domains", own_goals(), OwnBot, _own),
}


@cache
def ground_of(name: str) -> Ground:
    """A world that needs no data; loaded once."""
    return GROUNDS[name]()
