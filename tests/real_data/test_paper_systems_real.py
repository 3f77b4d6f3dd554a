"""The papers' systems on MultiWOZ: its goals are booked, and the figures' schema is declared."""

from pathlib import Path
from typing import Any

import pytest

from pytest_todeval import systems
from pytest_todeval.backends.multiwoz import MultiwozBackend, MultiwozDatabase
from pytest_todeval.evaluate.metrics.task_success import evaluate
from pytest_todeval.goals.multiwoz import load_goals
from pytest_todeval.goals.select import select
from pytest_todeval.research.systems.call_schema import CallSchema
from pytest_todeval.research.systems.venue_tools import VenueTools
from pytest_todeval.simulation.agenda import AgendaUser
from pytest_todeval.simulation.loop import Limits, run_dialogue
from pytest_todeval.testing import StandInServer
from tests.papers.test_clem_todd_systems import CALLS, theirs
from tests.support import systems_world
from tests.support.chat_world import client_of

GOALS = 10


@pytest.fixture
def database(shared_data: Path) -> MultiwozDatabase:
    return MultiwozDatabase.load(shared_data / "multiwoz" / "db")


@pytest.mark.parametrize("name", CALLS)
def test_the_figures_values_are_those_of_the_databases(
    name: str, database: MultiwozDatabase
) -> None:
    tools = VenueTools(MultiwozBackend(database))
    declared = {
        each["function"]["name"]: each["function"]["parameters"]["properties"]
        for each in CallSchema(tools, published=True).schemas
    }
    properties, _ = theirs(name)
    for slot, each in properties.items():
        mine: Any = declared[name][slot]
        if "enum" in each:
            without_a_star = {"0"} if slot == "stars" else set()
            assert set(mine["enum"]) == set(each["enum"]) | without_a_star, slot


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name",
    [
        *("MonolithicSystem", "ModularProgSystem", "ModularLLMSystem"),
        *("AutoTODSystem", "PipelineSystem", "FunctionCallingSystem"),
    ],
)
def test_each_books_goals_of_multiwoz(
    name: str, shared_data: Path, database: MultiwozDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(systems_world, "DATABASE", database)
    goals = select(load_goals(shared_data / "multiwoz", "test"), booking=True, limit=GOALS, seed=5)
    booked = []
    with StandInServer(systems_world.rule_model) as server:
        system = getattr(systems, name)(client_of(server))
        for goal in goals:
            backend = MultiwozBackend(database, goal)
            user = AgendaUser(goal, database.vocabulary(), seed=0)
            limits = Limits(protocol="strict")
            dialogue = run_dialogue(goal, user, system, backend, limits)
            assert dialogue.violations == ()
            booked.append(evaluate(dialogue, backend)["booking"].metric)
    assert server.failures == ()
    assert booked.count(True) >= 0.8 * GOALS
