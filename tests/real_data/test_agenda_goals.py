"""The agenda user over real goals."""

from pathlib import Path

from pytest_todeval.core.dialogue import Turn
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.goals.multiwoz import load_goals
from pytest_todeval.simulation.agenda import AgendaUser
from pytest_todeval.simulation.agenda.memory import Memory
from pytest_todeval.simulation.agenda.taxi import missing_places


def test_places_of_every_taxi_follow_from_the_message(shared_data: Path) -> None:
    checked = 0
    for goal in load_goals(shared_data / "multiwoz", "val"):
        memory = Memory(goal)
        taxi = memory.part("taxi")
        if taxi is None or "departure" in taxi.inform:
            continue
        for part in memory.parts:
            part.venue = f"<{part.domain}>"
        places = missing_places(taxi, memory)
        assert places is not None, goal.id
        assert places["departure"] != places["destination"]
        text = " ".join(goal.message)
        if "leave the" in text:
            leaving = text.split("leave the", 1)[1]
            assert places["departure"].strip("<>") in leaving[:50], goal.id
        else:
            assert places["destination"] == "<restaurant>", goal.id
        checked += 1
    assert checked == 149


def test_every_goal_can_be_said_and_a_silent_bot_is_left(shared_data: Path) -> None:
    for goal in load_goals(shared_data / "multiwoz", "val")[:150]:
        assert _end(goal) is StopReason.USER_GAVE_UP, goal.id


def _end(goal: Goal) -> StopReason:
    user = AgendaUser(goal)
    said = user.respond(None)
    for index in range(1, 50):
        if said.stop is not None:
            return said.stop
        said = user.respond(Turn(index, said.text, "..."))
    raise AssertionError("the user does not stop")
