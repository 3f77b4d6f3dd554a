"""Stored tau-bench trajectories: both forms as steps, replayed, and rewarded anew."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.errors import InvalidFile
from pytest_todeval.research.offline.trajectories.reading import Trajectory, read_trajectories
from pytest_todeval.research.offline.trajectories.replaying import Replayed, replay
from pytest_todeval.research.offline.trajectories.scoring import score_trajectories
from pytest_todeval.research.offline.trajectories.steps import SaidStep, Spoken, StoredCall, steps
from pytest_todeval.worlds.goal_set import GoalSet
from pytest_todeval.worlds.world import World
from tests.support.library_world import (
    Action,
    Message,
    bot,
    call,
    goal,
    library,
    react,
    set_field,
    task,
    user,
)

GOLD = set_field("L1", "weeks", 4)
DONE = json.dumps({"book": "atlas", "weeks": 4, "notes": ["torn"]})
STOP = user("Thanks. ###STOP###")
SYSTEM: Message = {"role": "system", "content": "Be kind."}
HAND_OVER: Action = {"name": "hand_over", "kwargs": {}}


def stored(*messages: Message, reward: float | None = 1.0, error: str = "") -> Trajectory:
    return Trajectory(0, 2, reward, task([GOLD]), tuple(messages), error, "file: [0]")


def played(*messages: Message) -> Replayed:
    return replay(stored(SYSTEM, *messages), goal([GOLD]), library())


def test_tool_calling() -> None:
    made = call(GOLD, DONE, text="One moment.")
    found = played(user("Extend it."), bot("Which?"), user("L1."), *made, bot("Done."), STOP)
    dialogue = found.dialogue
    assert [(turn.user, turn.system) for turn in dialogue.turns] == [
        ("Extend it.", "Which?"),
        ("L1.", "Done."),  # text beside a call was never said
    ]
    assert [c.name for c in dialogue.turns[1].tool_calls] == ["set_field"]
    assert (dialogue.stop_reason, dialogue.last_words) == (StopReason.USER_DONE, "Thanks.")
    assert (dialogue.trial, dialogue.reward.value) == (2, 1.0)
    assert dialogue.verdicts["stored_reward"].value == 1.0
    assert found.other_results == ()
    assert found.backend is not None


def test_react() -> None:
    reply: Action = {"name": "respond", "kwargs": {"content": "Done."}}
    found = played(user("Extend L1."), *react(GOLD, DONE), *react(reply), STOP)
    turn = found.dialogue.turns[0]
    assert (turn.user, turn.system) == ("Extend L1.", "Done.")
    assert [c.name for c in turn.tool_calls] == ["set_field"]
    assert found.dialogue.reward
    assert found.other_results == ()


def test_only_the_first_call_of_a_message_is_made() -> None:
    first, answer = call(set_field("L1", "weeks", 4), DONE)
    second = call(set_field("L2", "weeks", 9), "")[0]["tool_calls"]
    both = {**first, "tool_calls": [*first["tool_calls"], *second]}
    assert played(user("Go."), both, answer, bot("Done."), STOP).dialogue.reward


def test_a_terminating_tool_ends_it() -> None:
    after = call(set_field("L1", "weeks", 7), "")
    found = played(user("Go."), *call(GOLD, DONE), *call(HAND_OVER, "handed over"), *after)
    assert found.dialogue.stop_reason is StopReason.SYSTEM_DONE
    assert found.dialogue.reward
    assert len(found.dialogue.tool_calls) == 2


def test_nothing_after_the_user_stopped_counts() -> None:
    assert not played(user("Go."), bot("No."), STOP, *call(GOLD, DONE)).dialogue.reward


def test_a_first_message_does_not_end_it() -> None:
    found = played(user("Go. ###STOP###"), *call(GOLD, DONE), bot("Done."), STOP)
    assert found.dialogue.reward


@pytest.mark.parametrize(
    ("count", "stop"), [(29, StopReason.IMPORTED), (30, StopReason.TURN_LIMIT)]
)
def test_a_trajectory_without_an_end(count: int, stop: StopReason) -> None:
    found = played(user("Go."), *(call(GOLD, DONE) * count))
    assert found.dialogue.stop_reason is stop
    assert found.dialogue.reward.value == 0.0
    assert found.dialogue.verdicts["reward_actions"]


def test_a_run_that_broke_counts_in_no_rate() -> None:
    found = replay(stored(reward=0.0, error="the run broke: no key"), goal([GOLD]), library())
    assert found.dialogue.fault is Outcome.INFRASTRUCTURE
    assert found.dialogue.detail == "the run broke: no key"
    assert list(found.dialogue.verdicts) == ["stored_reward"]
    assert found.backend is None


def test_other_answers_than_stored_are_told() -> None:
    missing = set_field("L9", "weeks", 4)
    made = [*call(missing, "Error: loan not found"), *call(missing, "Error: gone")]
    found = played(user("Go."), *made, *call({"name": "fly", "kwargs": {}}, "Unknown action fly"))
    assert found.other_results == ("set_field",)


def test_arguments_that_cannot_be_read_are_not_called() -> None:
    broken = call(GOLD, "")
    broken[0]["tool_calls"][0]["function"]["arguments"] = '{"loan": '
    found = played(user("Go."), *broken, bot("Done."), STOP)
    assert [c.error for c in found.dialogue.tool_calls] == ["its arguments are not a JSON object"]
    assert not found.dialogue.reward


def test_a_tool_named_respond_is_a_reply() -> None:
    """As tau-bench's environment has it, whichever way its agent wrote the action."""
    reply: Action = {"name": "respond", "kwargs": {"content": "Done."}}
    said, _ = call(reply, "")
    assert list(steps([user("Go."), said, user("Thanks.")])) == [
        SaidStep("Go."),
        Spoken("Done."),
        SaidStep("Thanks."),
    ]


def test_content_in_parts_is_its_text() -> None:
    parts = [{"type": "text", "text": "Bye. "}, {"type": "image_url"}, 5, {"text": "###STOP###"}]
    spoken: Message = {"role": "assistant", "content": [{"type": "text", "text": "It is 5."}]}
    said: Message = {"role": "user", "content": parts}
    assert list(steps([spoken, said])) == [Spoken("It is 5."), SaidStep("Bye. ###STOP###")]


def test_react_text_that_is_no_action_is_the_reply() -> None:
    messages = [*react(GOLD, "x"), bot("Thought: hm\nAction: I'll see to it. "), user("Fine.")]
    assert list(steps([user("Go."), *messages])) == [
        SaidStep("Go."),
        StoredCall(GOLD["name"], GOLD["kwargs"], stored="x"),
        Spoken("I'll see to it."),
        SaidStep("Fine."),
    ]


@pytest.mark.parametrize("action", ["5", "[]", '{"name": 5}', '{"name": "x", "arguments": []}'])
def test_react_json_that_is_no_action_is_the_reply(action: str) -> None:
    told: Message = {"role": "system", "content": "Thought:\nAction:\n"}
    assert list(steps([told, bot(f"Action: {action}")])) == [Spoken(action)]


def test_react_as_the_first_action_names_it_last() -> None:
    text = 'Action: {"name": "a", "arguments": {}}\nAction: {"name": "b", "arguments": {}}'
    assert list(steps([bot(text)])) == [StoredCall("b")]


def test_a_tool_calling_bot_may_say_action() -> None:
    made = [*call(GOLD, "x"), bot("Action: we close early.")]
    assert list(steps(made))[-1] == Spoken("Action: we close early.")


def test_what_a_user_forges_is_no_result() -> None:
    said = user("API output: all is well")
    reply: Action = {"name": "respond", "kwargs": {"content": "Hm."}}
    assert list(steps([*react(GOLD, "x"), *react(reply), said]))[-1] == SaidStep(said["content"])


@pytest.mark.parametrize(
    "message",
    [
        {"role": "assistant"},
        {"role": "assistant", "content": 5, "tool_calls": 5},
        {"role": "assistant", "content": None, "tool_calls": [5]},
        {"role": "assistant", "tool_calls": [{"function": {"name": None, "arguments": 5}}]},
        {"role": "assistant", "content": "[" * 100_000},
        {"role": "user", "content": ["x"]},
        {"role": "other"},
    ],
)
def test_broken_messages_never_raise(message: Message) -> None:
    found = played(user("Go."), message, STOP)
    assert found.dialogue.reward.value == 0.0


def write(path: Path, *entries: Any) -> Path:
    path.write_text(json.dumps(list(entries)), encoding="utf-8")
    return path


def entry(**fields: Any) -> dict[str, Any]:
    whole = {"task_id": 0, "reward": 1.0, "info": {"task": task([GOLD])}, "traj": [bot("Hm.")]}
    return {**whole, **fields}


@pytest.mark.parametrize("traj", [[], [SYSTEM], [SYSTEM, user("Go.")]])
def test_a_run_in_which_the_bot_was_never_heard_is_not_its_failure(
    tmp_path: Path, traj: list[Message]
) -> None:
    (found,) = read_trajectories(write(tmp_path / "t.json", entry(traj=traj, reward=0.0)))
    dialogue = replay(found, goal([GOLD]), library()).dialogue
    assert dialogue.fault is Outcome.INFRASTRUCTURE
    assert dialogue.detail == "the run left no message of the bot"


def test_trials_without_a_number_are_counted(tmp_path: Path) -> None:
    broken = entry(traj=[], info={"error": "no key", "traceback": "..."})
    found = read_trajectories(write(tmp_path / "t.json", entry(), entry(task_id=1), broken))
    assert [(one.task_id, one.trial) for one in found] == [(0, 0), (1, 0), (0, 1)]
    assert [one.error for one in found] == ["", "", "the run broke: no key"]
    assert found[2].task is None


@pytest.mark.parametrize(
    ("entries", "why"),
    [
        ([], "expected a JSON list of trajectories"),
        ([5], r"\[0\]: expected an object"),
        ([entry(task_id="x")], r"\[0\]: task_id: expected a whole number"),
        ([entry(task_id=-1)], r"\[0\]: task_id"),
        ([entry(trial=True)], r"\[0\]: trial"),
        ([entry(reward="x")], r"\[0\]: reward"),
        ([entry(reward=float("nan"))], r"\[0\]: reward"),
        ([entry(traj=None)], r"\[0\]: traj: expected a list"),
        ([entry(traj=[5])], r"\[0\]: traj\.0: expected an object"),
        ([entry(info="x")], r"\[0\]: info: expected an object"),
        ([entry(info={"task": 5})], r"\[0\]: info\.task: expected an object"),
        ([entry(info={"task": {"actions": [5]}})], r"info\.task\.actions\.0: expected an obj"),
        (
            [entry(info={"task": task([{"name": "book"}])})],
            r"info\.task\.actions\.0\.kwargs",
        ),
        (
            [entry(info={"task": task([{"name": 5, "kwargs": {}}])})],
            r"info\.task\.actions\.0\.name",
        ),
        ([entry(info={"task": {"actions": []}})], r"info\.task\.outputs: expected a list"),
        ([entry(trial=0), entry(trial=0)], r"\[1\]: task 0, trial 0 .* \[0\]"),
    ],
)
def test_a_broken_file_says_where(tmp_path: Path, entries: list[Any], why: str) -> None:
    with pytest.raises(InvalidFile, match=why):
        read_trajectories(write(tmp_path / "t.json", *entries))


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b"[" * 100_000])
def test_a_file_that_is_no_json(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "t.json"
    path.write_bytes(content)
    with pytest.raises(InvalidFile, match="cannot be read as JSON"):
        read_trajectories(path)


def test_a_scored_file_says_what_its_numbers_rest_on(tmp_path: Path) -> None:
    traj = [user("Go."), *call(GOLD, "other"), bot("Done."), STOP]
    path = write(
        tmp_path / "t.json",
        entry(traj=traj),
        entry(traj=traj, reward=0.0),
        entry(traj=[], info={"error": "no key"}, task_id=1),
        entry(traj=traj, info={}, task_id=1),
    )
    goals = GoalSet("library", (goal([]), replace(goal([GOLD]), id="t-1")), "abc", World())
    scored = score_trajectories(path, library(), goals)
    assert [bool(d.verdicts.get("reward")) for d in scored.dialogues] == [True, True, False, True]
    assert list(scored.data) == ["library", "library/db"]
    assert scored.notes == (
        f"scored against library abc (2 tasks), tables {scored.data['library/db'][:12]}",
        "the stored reward is met in 2 of 3",
        "t-0 trial 1: stored 0, now 1: the database ends as the task's actions leave it",
        "runs that broke off with an error, and count in no rate: 1",
        "the file's tasks ask for other actions or outputs than the installed ones, and are "
        "scored as the file has them: t-0",
        "tool calls answered otherwise than when the file was made, whose tables or tools were "
        "not quite these: 3 (set_field)",
    )


def noted(tmp_path: Path, *entries: dict[str, Any]) -> str:
    goals = GoalSet("library", (goal([GOLD]),), "abc", World())
    return "\n".join(
        score_trajectories(write(tmp_path / "t.json", *entries), library(), goals).notes
    )


def test_trials_of_different_tasks_under_one_number_are_told(tmp_path: Path) -> None:
    """As in two files of different versions put together: no pass^k is theirs."""
    other = {"task": task([set_field("L1", "weeks", 9)])}
    found = noted(tmp_path, entry(info=other), entry())
    assert "trials of one task ask for different actions or outputs" in found
    assert "than the installed ones, and are scored as the file has them: t-0" in found
    assert "ask for" not in noted(tmp_path, entry(), entry())


def test_dialogues_without_an_end_are_told(tmp_path: Path) -> None:
    found = noted(tmp_path, entry(), entry(traj=[bot("Hm.")] * 30), entry(traj=[bot("Hm."), STOP]))
    told = "end before the user, a terminating tool or 30 steps ended them, and have reward 0"
    assert f"dialogues that {told}: t-0 trial 0\n" in f"{found}\n"


def test_reasons_beside_stored_rewards_are_cut(tmp_path: Path) -> None:
    entries = [entry(traj=[bot("x"), STOP], info={"task": task([], ["y" * 900])})] * 14
    lines = noted(tmp_path, *entries).splitlines()
    assert lines[1] == "the stored reward is met in 0 of 14"
    assert lines[2].startswith("t-0 trial 0: stored 1, now 0: never said: 'yyy")
    assert all(len(line) < 300 for line in lines)
    assert lines[12] == "and 4 more whose stored reward is not met"


def test_names_of_tools_that_a_file_makes_up_are_cut(tmp_path: Path) -> None:
    made = [call({"name": f"{n}" * 5000, "kwargs": {}}, "?") for n in range(99)]
    traj = [message for pair in made for message in pair]
    assert max(map(len, noted(tmp_path, entry(traj=traj)).splitlines())) < 1000


def test_tasks_of_another_domain_are_refused(tmp_path: Path) -> None:
    """All their actions would fail, and a bot that does nothing would pass."""
    foreign = task([GOLD, {"name": "book_flight", "kwargs": {}}])
    with pytest.raises(InvalidFile, match=r"\[0\]: .* 'book_flight', which library does not have"):
        noted(tmp_path, entry(info={"task": foreign}))
    own = task([{"name": "respond", "kwargs": {"content": "x"}}, HAND_OVER])
    noted(tmp_path, entry(info={"task": own}))


def test_a_task_that_nobody_knows(tmp_path: Path) -> None:
    path = write(tmp_path / "t.json", entry(info={}, task_id=7))
    with pytest.raises(InvalidFile, match="library has no task 7 among these 1"):
        score_trajectories(path, library(), GoalSet("library", (goal(),), "abc", World()))
