"""A dialogue as tau2 stores one, for its own tools to read."""

from typing import Any

import pytest

from pytest_todeval.core.dialogue import Dialogue, ToolCall, Turn, Usage
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.worlds.tau2.simulation import simulation, task_of

GOAL = Goal("t1", "tau2/mock", (), ("You want the atlas.",))
CALLS = (ToolCall("lend", {"book": "atlas"}, {"days": 14}), ToolCall("look", {}, error="no book"))


def stored(
    *turns: Turn,
    goal: Goal = GOAL,
    stop: StopReason = StopReason.USER_DONE,
    reward: float | None = 1.0,
    greeting: str = "",
    **more: Any,
) -> dict[str, Any]:
    dialogue = Dialogue(goal, turns, stop, **more)
    return simulation(dialogue, "t1", reward, id="s", greeting=greeting)


def said(run: dict[str, Any]) -> list[tuple[str, str]]:
    return [(each["role"], each["content"]) for each in run["messages"]]


def test_calls_stand_between_the_words_in_the_order_made() -> None:
    packed = ToolCall("pack", {"book": "atlas"}, "packed")
    turn = Turn(1, "The atlas.", "Lent.", CALLS, user_calls=(packed,), latency=2.0,
                usage=Usage(cost=0.5))  # fmt: skip
    silent = Turn(2, "And?", "", latency=1.0)
    run = stored(turn, silent, greeting="Hi!", last_calls=(packed,), last_words="Bye.", trial=3)
    assert said(run) == [
        ("assistant", "Hi!"),
        ("user", None),
        ("tool", "packed"),
        ("user", "The atlas."),
        ("assistant", None),
        ("tool", '{"days": 14}'),
        ("assistant", None),
        ("tool", "no book"),
        ("assistant", "Lent."),
        ("user", "And?"),
        ("user", None),
        ("tool", "packed"),
        ("user", "Bye. ###STOP###"),
    ]
    messages = run["messages"]
    assert [each["error"] for each in messages if each["role"] == "tool"] == [
        False, False, True, False,
    ]  # fmt: skip
    assert messages[4]["tool_calls"] == [
        {
            "id": messages[5]["id"],
            "name": "lend",
            "arguments": {"book": "atlas"},
            "requestor": "assistant",
        }
    ]
    ids = [each["tool_calls"][0]["id"] for each in messages if each.get("tool_calls")]
    assert ids == [each["id"] for each in messages if each["role"] == "tool"]
    assert len(set(ids)) == 4
    assert [each["turn_idx"] for each in messages] == list(range(13))
    assert (messages[0]["timestamp"], messages[12]["timestamp"]) == (
        "1970-01-01T00:00:00",
        "1970-01-01T00:00:12",
    )
    assert (run["start_time"], run["end_time"]) == ("1970-01-01T00:00:00", "1970-01-01T00:00:13")
    assert (run["duration"], run["agent_cost"], run["trial"]) == (3.0, 0.5, 3)


def test_a_tasks_own_history_comes_first_and_takes_the_greetings_place() -> None:
    history = [{"role": "user", "content": "The novel."}]
    goal = Goal("t1", "tau2/mock", (), raw={"initial_state": {"message_history": history}})
    found = stored(Turn(1, "And?", "Yes."), goal=goal, greeting="Hi!", stop=StopReason.TURN_LIMIT)
    assert said(found) == [("user", "The novel."), ("user", "And?"), ("assistant", "Yes.")]
    assert history == [{"role": "user", "content": "The novel."}]


@pytest.mark.parametrize(
    ("stop", "fault", "reward", "reason"),
    [
        (StopReason.USER_DONE, None, 1.0, "user_stop"),
        (StopReason.USER_GAVE_UP, None, 0.0, "user_stop"),
        (StopReason.SYSTEM_DONE, None, 1.0, "agent_stop"),
        (StopReason.TURN_LIMIT, None, 0.0, "max_steps"),
        (StopReason.EMPTY_REPLY, Outcome.FAILED, 0.0, "agent_error"),
        (StopReason.DIALOGUE_TIMEOUT, Outcome.INFRASTRUCTURE, 0.0, "infrastructure_error"),
        (StopReason.USER_DONE, None, None, "infrastructure_error"),
    ],
)
def test_how_it_ended(
    stop: StopReason, fault: Outcome | None, reward: float | None, reason: str
) -> None:
    found = stored(stop=stop, fault=fault, reward=reward)
    assert found["termination_reason"] == reason
    assert (found["reward_info"] is None) is (reward is None)


@pytest.mark.parametrize(
    ("stop", "words", "kept"),
    [
        (StopReason.USER_DONE, "", "###STOP###"),
        (StopReason.USER_GAVE_UP, "Bye.", "Bye. ###STOP###"),
        (StopReason.USER_DONE, "To a person. ###TRANSFER###", "To a person. ###TRANSFER###"),
        (StopReason.TURN_LIMIT, "Bye.", "Bye."),
        (StopReason.TURN_LIMIT, "", None),
    ],
)
def test_a_user_that_leaves_says_so(stop: StopReason, words: str, kept: str | None) -> None:
    expected = [] if kept is None else [("user", kept)]
    assert said(stored(stop=stop, last_words=words)) == expected


def test_the_reward_with_its_parts() -> None:
    verdicts = {
        "reward": Verdict("reward", False, "not packed", value=0.0),
        "reward_db": Verdict("reward_db", True, "as it should be"),
        "reward_action": Verdict("reward_action", False, "no pack"),
    }
    assert stored(reward=0.0, verdicts=verdicts)["reward_info"] == {
        "reward": 0.0,
        "reward_basis": ["DB", "ACTION"],
        "reward_breakdown": {"DB": 1.0, "ACTION": 0.0},
        "db_check": {"db_match": True, "db_reward": 1.0},
        "info": {
            "reward": "not packed",
            "reward_db": "as it should be",
            "reward_action": "no pack",
        },
    }
    wrong = {"reward_db": Verdict("reward_db", False, "other")}
    check = stored(reward=0.0, verdicts=wrong)["reward_info"]["db_check"]
    assert check == {"db_match": False, "db_reward": 0.0}
    alone = stored(reward=1.0, verdicts={"reward": Verdict("reward", True, "r")})["reward_info"]
    assert [alone[name] for name in ("reward_basis", "reward_breakdown", "db_check")] == [None] * 3


def test_a_task_as_tau2_has_it_or_made_of_another_benchmarks() -> None:
    own = Goal("t1", "tau2/mock", (), raw={"id": "t1", "user_scenario": {}})
    assert task_of(own) == own.raw
    actions = [{"name": "lend", "kwargs": {"book": "atlas"}}]
    found = task_of(Goal("7", "tau_bench/x", (), ("Lend it.", "Now."), raw={"actions": actions}))
    assert found["id"] == "7"
    assert found["user_scenario"] == {"persona": None, "instructions": "Lend it.\nNow."}
    assert found["evaluation_criteria"]["actions"] == [
        {"action_id": "0", "name": "lend", "arguments": {"book": "atlas"}}
    ]
    assert task_of(Goal("7", "own", ()))["evaluation_criteria"]["actions"] == []
