"""The user's side of a dialogue, and the bot's time: verdict and seconds."""

from dataclasses import replace
from typing import Any

import pytest

from pytest_todeval.core.latency import Latency
from pytest_todeval.core.outcome import SCRIPT_ENDED, Outcome, StopReason
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.errors import JudgeFault, NeverDone
from pytest_todeval.simulation.agenda import AgendaUser
from pytest_todeval.simulation.loop import Limits, run_dialogue
from pytest_todeval.simulation.scripted import ScriptedUser
from tests.support.dialogue_world import dialogue, restaurant_goal, said

HELD = dialogue(restaurant_goal(), said("Hi", "Hello?"), said("A table", "No."))
WON, LOST = Verdict("reward", True, "all is told"), Verdict("reward", False, "no ticket is open")


@pytest.mark.parametrize(
    ("stop", "detail", "reason"),
    [
        (StopReason.USER_GAVE_UP, "no booking", "gave up in turn 2: no booking"),
        (StopReason.TURN_LIMIT, "30 turns", "ran out of turns in turn 2: 30 turns"),
        (StopReason.TURN_LIMIT, "", "ran out of turns in turn 2: it does not say why"),
    ],
)
def test_a_user_that_left_unserved_is_not_satisfied(
    stop: StopReason, detail: str, reason: str
) -> None:
    verdict = replace(HELD, stop_reason=stop, detail=detail).satisfied
    assert not verdict
    assert verdict.reason == f"the user {reason}; the bot said last: 'No.'"
    assert verdict.turns == (2,)


def test_a_user_that_has_everything_is_satisfied() -> None:
    verdict = replace(HELD, stop_reason=StopReason.USER_DONE, detail="everything is done").satisfied
    assert verdict
    assert verdict.applicable


def test_a_bot_that_broke_off_satisfies_nobody() -> None:
    crashed = replace(
        HELD, stop_reason=StopReason.SYSTEM_ERROR, fault=Outcome.FAILED, detail="KeyError: 'x'"
    )
    assert not crashed.satisfied
    assert "KeyError" in crashed.satisfied.reason


@pytest.mark.parametrize(
    "how",
    [
        {"stop_reason": StopReason.IMPORTED},
        {"stop_reason": StopReason.NETWORK, "fault": Outcome.INFRASTRUCTURE},
        {"stop_reason": StopReason.USER_DONE, "detail": SCRIPT_ENDED},
        {"stop_reason": StopReason.SYSTEM_DONE},
    ],
)
def test_where_nothing_tells_it_does_not_apply(how: dict[str, Any]) -> None:
    assert not replace(HELD, **how).satisfied.applicable


@pytest.mark.parametrize(
    "how",
    [
        {"stop_reason": StopReason.USER_DONE, "detail": SCRIPT_ENDED},
        {"stop_reason": StopReason.SYSTEM_DONE},
    ],
)
def test_of_a_script_and_of_a_bot_that_ends_it_the_metrics_tell(how: dict[str, Any]) -> None:
    ended = replace(HELD, **how)
    assert replace(ended, verdicts={"reward": WON}).satisfied
    lost = replace(ended, verdicts={"reward": LOST}).satisfied
    assert not lost
    assert "no ticket is open" in lost.reason
    with pytest.raises(JudgeFault):
        bool(replace(ended, verdicts={"reward": replace(WON, doubt="a word")}).satisfied)


def test_a_scripted_user_leaves_as_its_script_ends() -> None:
    assert ScriptedUser([]).respond(None).reason == SCRIPT_ENDED


def test_what_a_user_lacked_is_its_own_word_else_what_a_verdict_says() -> None:
    left = replace(
        HELD, stop_reason=StopReason.TURN_LIMIT, detail="2 turns", verdicts={"reward": LOST}
    )
    assert "2 turns; what is lacking: no ticket is open; the bot" in left.satisfied.reason
    told = replace(left, detail="2 turns; what is lacking: a ticket")
    assert "2 turns; what is lacking: a ticket; no ticket is open" in told.satisfied.reason


def test_a_task_that_was_done_by_refusing_is_served() -> None:
    left = replace(HELD, stop_reason=StopReason.USER_GAVE_UP, detail="it refused")
    assert replace(left, verdicts={"reward": WON}).satisfied
    with pytest.raises(JudgeFault, match="a word"):
        bool(replace(left, verdicts={"success": replace(LOST, doubt="a word")}).satisfied)


def test_a_world_may_say_itself_who_is_served() -> None:
    own = Verdict("satisfied", True, "it was refused, as it should be")
    assert replace(HELD, stop_reason=StopReason.USER_GAVE_UP, verdicts={"satisfied": own}).satisfied


@pytest.mark.parametrize("user", [ScriptedUser(["Hi"] * 3), AgendaUser(restaurant_goal())])
def test_a_user_whose_turns_are_used_up_tells_what_it_has_not_come_to(user: Any) -> None:
    played = run_dialogue(restaurant_goal(), user, lambda text: "Sorry, no.", limits=Limits(2))
    if isinstance(user, ScriptedUser):
        assert played.detail == "2 turns were played before the script had ended"
        assert not played.satisfied.applicable
    else:
        assert "; what is lacking: restaurant: " in played.detail
        assert not played.satisfied


def verdict(name: str, *turns: int, passed: bool = True) -> Verdict:
    return Verdict(name, passed, f"{name} it is", turns)


@pytest.mark.parametrize(
    ("verdicts", "turn"),
    [
        ([verdict("success", 1, 4), verdict("booking", 3)], 4),
        ([verdict("success", 1), verdict("booking", 5)], 5),
        ([verdict("success", 2), replace(verdict("booking", 9), applicable=False)], 2),
        ([verdict("reward")], 2),
        ([], 2),
    ],
)
def test_done_is_the_turn_that_brought_the_last_thing(verdicts: list[Verdict], turn: int) -> None:
    done = replace(HELD, stop_reason=StopReason.USER_DONE, detail="everything is done")
    assert replace(done, verdicts={each.name: each for each in verdicts}).turns_to_done == turn


def test_what_was_never_done_is_less_than_no_number_of_turns() -> None:
    lacking = verdict("booking", passed=False)
    never = replace(HELD, verdicts={"success": verdict("success", 1), "booking": lacking})
    with pytest.raises(NeverDone, match="never done in 2 turns: booking it is"):
        assert never.turns_to_done <= 100
    with pytest.raises(NeverDone, match="the user gave up in turn 2"):
        assert replace(HELD, stop_reason=StopReason.USER_GAVE_UP).turns_to_done <= 100
    with pytest.raises(JudgeFault, match="undecided"):
        assert replace(HELD, verdicts={"reward": replace(WON, doubt="a word")}).turns_to_done
    with pytest.raises(JudgeFault, match="turns_to_done is unknown"):
        assert HELD.turns_to_done


def test_latency_by_nearest_rank() -> None:
    found = Latency.of({turn: float(turn) for turn in range(1, 11)})
    assert (found.p50, found.p90, found.worst, found.worst_turn) == (5.0, 9.0, 10.0, 10)
    assert Latency.of({1: 3.0}).p50 == Latency.of({1: 3.0}).worst == 3.0
    assert "worst 3.00 s in turn 1" in repr(Latency.of({1: 3.0}))


def test_a_dialogue_tells_its_latency_if_it_was_measured() -> None:
    slow = replace(
        HELD, turns=(replace(HELD.turns[0], latency=0.5), replace(HELD.turns[1], latency=12.0))
    )
    assert slow.latency.worst == 12.0
    assert slow.latency.worst_turn == 2
    with pytest.raises(AttributeError, match="latency"):
        _ = HELD.latency
