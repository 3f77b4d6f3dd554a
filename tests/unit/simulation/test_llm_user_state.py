"""A user that tracks its goal: what moves, what is ignored, and when it may leave."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.simulation.llm_user.progress import MOST_IDLE, Progress
from pytest_todeval.simulation.llm_user.reply import Draft
from pytest_todeval.simulation.llm_user.tracker import PartStatus, Tracker
from pytest_todeval.simulation.loop import Limits
from pytest_todeval.testing import ChatRequest, StandInServer
from tests.support.llm_user_world import HEADSET, HOTEL, play, scripted

PARTS = ("hotel.inform.area", "hotel.book.people", "hotel.booked")
ALL_DONE = dict.fromkeys(PARTS, "done")


def tracked(state: Mapping[str, Any] | str, text: str) -> str:
    written = state if isinstance(state, str) else json.dumps(state)
    return f"Thought: hm\nState: {written}\nResponse: {text}"


def test_the_parts_come_from_the_goal() -> None:
    goal = Goal(
        "a",
        "b",
        (
            DomainGoal("train", {"leaveAt": "17:15"}, request=("price", "duration")),
            DomainGoal("taxi", wants_booking=True),
        ),
    )
    parts = ("train.inform.leaveAt", "train.request.price", "train.request.duration", "taxi.booked")
    assert Tracker.of(goal).open == parts
    assert Tracker.of(HOTEL).open == PARTS
    assert Tracker.of(HEADSET).open == ("task.1",)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("done", PartStatus.DONE),
        (True, PartStatus.DONE),
        (1, PartStatus.DONE),
        ("TRUE ", PartStatus.DONE),
        ("failed", PartStatus.FAILED),
        (False, PartStatus.OPEN),
        (None, PartStatus.OPEN),
        ("None", PartStatus.OPEN),
        ("", PartStatus.OPEN),
        ({"value": "north", "status": "done"}, PartStatus.DONE),
    ],
)
def test_what_a_model_says_of_a_part(value: object, expected: PartStatus) -> None:
    for state in ({"hotel.inform.area": value}, {"Hotel": {"inform": {"area": value}}}):
        after, ignored = Tracker.of(HOTEL).after(state)
        assert (after.parts["hotel.inform.area"], ignored) == (expected, ())


@pytest.mark.parametrize(
    ("state", "why"),
    [
        ({"hotel.info.area": "done"}, "no part 'hotel.info.area' in the goal"),
        ({"area": "done"}, "no part 'area' in the goal"),
        ({"hotel": "done"}, "no part 'hotel' in the goal"),
        ({"hotel.inform.area": "north"}, "hotel.inform.area: 'north' is no status"),
        ({"hotel.inform.area": ["done"]}, "hotel.inform.area: ['done'] is no status"),
        ({"hotel.inform.area": 0.5}, "hotel.inform.area: 0.5 is no status"),
    ],
)
def test_what_does_not_fit_is_ignored_and_told(state: dict[str, object], why: str) -> None:
    after, ignored = Tracker.of(HOTEL).after(state)
    assert (after, ignored) == (Tracker.of(HOTEL), (why,))


def test_a_value_in_place_of_a_status_settles_a_request() -> None:
    goal = Goal("a", "b", (DomainGoal("hotel", request=("phone",)),))
    assert Tracker.of(goal).after({"hotel.request.phone": "01223 1"})[0].open == ()


def test_the_state_is_kept_and_shown_back() -> None:
    with scripted(
        tracked({"hotel.inform.area": "done"}, "A hotel in the north."),
        tracked("{'hotel.book.people': True, 'hotel.booked': None}", "For 2."),
        tracked(ALL_DONE, "<COMPLETE_CONVERSATION>"),
    ) as model:
        played = play(model, "state_tracking", bot=["How many?", "Booked."])
    assert played.heard == ["A hotel in the north.", "For 2."]
    assert played.dialogue.stop_reason is StopReason.USER_DONE
    assert played.user.notes == ()
    shown = [request.last_user for request in played.asked]
    assert '"hotel.inform.area": "open"' in shown[0]
    assert '"hotel.inform.area": "done",\n "hotel.book.people": "open"' in shown[1]
    assert '"hotel.book.people": "done",\n "hotel.booked": "open"' in shown[2]


def test_a_broken_state_keeps_the_last_good_one_and_strange_paths_are_counted() -> None:
    with scripted(
        tracked({"hotel.inform.area": "done"}, "A hotel in the north."),
        tracked('{"hotel.book.people": do', "For 2."),
        tracked({"hotel.stars": "done", "hotel.book.people": "done"}, "And?"),
        tracked(ALL_DONE, "<COMPLETE_CONVERSATION>"),
    ) as model:
        played = play(model, "state_tracking", bot=["How many?", "Hm.", "Booked."])
    assert played.heard == ["A hotel in the north.", "For 2.", "And?"]
    assert '"hotel.inform.area": "done",\n "hotel.book.people": "open"' in played.asked[2].last_user
    broken, strange = played.user.notes
    assert played.dialogue.notes == played.user.notes
    assert "state that cannot be read" in broken
    assert strange == "no part 'hotel.stars' in the goal"


def test_the_user_does_not_leave_while_parts_are_open() -> None:
    with scripted(
        tracked({"hotel.inform.area": "done"}, "A hotel in the north."),
        tracked({}, "<COMPLETE CONVERSATION>"),
        tracked({"hotel.book.people": "done"}, "It is for 2."),
        "<COMPLETE CONVERSATION>",
        tracked(ALL_DONE, "<COMPLETE CONVERSATION>"),
    ) as model:
        played = play(model, "state_tracking", bot=["Anything else?", "Booked."])
    assert played.heard == ["A hotel in the north.", "It is for 2."]
    assert "are open: hotel.book.people, hotel.booked;" in played.asked[2].last_user
    assert played.dialogue.stop_reason is StopReason.USER_DONE


def test_leaving_twice_while_parts_are_open_is_the_simulators_fault() -> None:
    bye = tracked({}, "<COMPLETE CONVERSATION>")
    with scripted(tracked({}, "A hotel."), bye, bye) as model:
        played = play(model, "state_tracking", bot=["Yes?"])
    assert played.dialogue.stop_reason is StopReason.SIMULATOR_FAULT
    assert "hotel.booked" in played.dialogue.detail


def test_who_has_everything_leaves_without_a_token_once_nothing_is_asked() -> None:
    with scripted(
        tracked(ALL_DONE, "A hotel in the north for 2, book it."),
        tracked(ALL_DONE, "Yes, please."),
        tracked(ALL_DONE, "Lovely, goodbye."),
    ) as model:
        played = play(model, "state_tracking", bot=["Shall I book the Alpha?", "Booked."])
    assert played.heard == ["A hotel in the north for 2, book it.", "Yes, please."]
    assert played.dialogue.stop_reason is StopReason.USER_DONE
    assert played.dialogue.last_words == "Lovely, goodbye."


def test_where_the_bot_failed_the_user_gives_up() -> None:
    failed = {**ALL_DONE, "hotel.booked": "failed"}
    with scripted(tracked({}, "A hotel."), tracked(failed, "Pity. ###STOP###")) as model:
        played = play(model, "state_tracking", bot=["We are full."])
    assert played.dialogue.stop_reason is StopReason.USER_GAVE_UP
    assert played.dialogue.detail == "the bot did not do: hotel.booked"
    assert played.dialogue.last_words == "Pity."
    assert played.dialogue.fault is None


def test_the_user_does_not_go_on_where_nothing_moves() -> None:
    def answer(request: ChatRequest) -> str:
        return tracked({}, f"Well, hotel number {len(request.messages)}")

    with StandInServer(answer) as model:
        played = play(model, "state_tracking", bot=["Hm."] * 30, limits=Limits(max_turns=30))
    assert played.dialogue.stop_reason is StopReason.USER_GAVE_UP
    assert "nothing came of 6 turns; still open: hotel.inform.area" in played.dialogue.detail
    assert len(played.dialogue.turns) == 6
    assert "no part changed: 5." in played.asked[-1].last_user


def test_turns_without_progress_are_counted_anew_after_each_step() -> None:
    progress = Progress.of(HOTEL)
    for at in range(MOST_IDLE):
        progress.take(Draft("Hm.", state={}))
        assert (progress.idle, progress.stalled) == (at + 1, at + 1 == MOST_IDLE)
    progress.take(Draft("In the north.", state={"hotel.inform.area": "done"}))
    assert (progress.idle, progress.stalled) == (0, False)
    progress.take(Draft("Hm.", state_fault="has a state that cannot be read"))
    assert (progress.idle, progress.notes[-1]) == (0, "the user has a state that cannot be read")
    progress.take(Draft("Hm.", state={}))
    assert progress.idle == 1
