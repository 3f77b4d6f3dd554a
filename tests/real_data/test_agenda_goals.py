"""The agenda user over real goals."""

from pathlib import Path

from pytest_todeval.backends.multiwoz import MultiwozBackend, MultiwozDatabase
from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.goals.multiwoz import load_goals
from pytest_todeval.nlu.values.normalise import find_times, to_minutes
from pytest_todeval.simulation.agenda import AgendaUser
from pytest_todeval.simulation.agenda.memory import GoalMemory
from pytest_todeval.simulation.agenda.taxi import missing_places
from pytest_todeval.simulation.loop import run_dialogue
from pytest_todeval.systems import RuleSystem


def test_places_of_every_taxi_follow_from_the_message(shared_data: Path) -> None:
    checked = 0
    for goal in load_goals(shared_data / "multiwoz", "val"):
        memory = GoalMemory(goal)
        taxi = next((part for part in memory.parts if part.domain == "taxi"), None)
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


def _play(goal: Goal, data: Path, style: str = "plain") -> Dialogue:
    database = MultiwozDatabase.load(data / "multiwoz" / "db")
    user = AgendaUser(goal, database.vocabulary(), style=style)
    return run_dialogue(goal, user, RuleSystem, backend=MultiwozBackend(database, goal))


def test_real_goals_are_played_to_their_end_and_the_user_keeps_to_them(shared_data: Path) -> None:
    goals = load_goals(shared_data / "multiwoz", "val")[::25]
    for goal in goals:
        dialogue = _play(goal, shared_data)
        assert dialogue.stop_reason is StopReason.USER_DONE, dialogue.explain(full=True)
        booked = {booking.domain for booking in dialogue.final_bookings}
        assert booked == {part.domain for part in goal.domains if part.wants_booking}, goal.id
        said = " ".join(turn.user for turn in dialogue.turns)
        assert set(find_times(said)) <= _times(goal), dialogue.explain(full=True)


def test_a_real_dialogue_is_the_same_each_time(shared_data: Path) -> None:
    goal = load_goals(shared_data / "multiwoz", "val")[4]
    first, second = (_play(goal, shared_data, "terse") for _ in range(2))
    assert [turn.user for turn in first.turns] == [turn.user for turn in second.turns]


def test_every_slot_that_may_fail_is_tried_before_the_goals_own(shared_data: Path) -> None:
    goals = [
        goal
        for goal in load_goals(shared_data / "multiwoz", "val")
        if any(part.fail_book for part in goal.domains)
    ]
    for goal in goals[:10]:
        refused = [call for call in _play(goal, shared_data).tool_calls if call.error is not None]
        assert refused, goal.id


def _times(goal: Goal) -> set[str]:
    values = {
        value
        for part in goal.domains
        for slots in (part.inform, part.fail_inform, part.first_book, part.book)
        for value in slots.values()
    }
    minutes = {to_minutes(value) for value in values}
    return {f"{m // 60:02}:{m % 60:02}" for m in minutes if m is not None}
