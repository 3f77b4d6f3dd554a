"""Which form a stored trajectory has, and one that breaks off after a call."""

import json
from pathlib import Path

from pytest_todeval.research.offline.trajectories.steps import Spoken, StoredCall, steps
from pytest_todeval.research.offline.transcripts import read_transcripts
from tests.support.library_world import Message, bot, call, set_field, user

ACT: Message = {"role": "system", "content": "Write Action: and then JSON."}
MADE = call(set_field("L1", "weeks", 4), "ok")
WRITTEN = bot('Action: {"name": "look", "arguments": {}}')


def test_calls_in_messages_of_their_own_are_no_text_whatever_the_bot_was_told() -> None:
    name = MADE[0]["tool_calls"][0]["function"]["name"]
    for messages in ([ACT, *MADE], [ACT, MADE[0]]):
        (made,) = steps(messages)
        assert isinstance(made, StoredCall)
        assert made.name == name
    assert list(steps([MADE[1], WRITTEN])) == [Spoken(WRITTEN["content"])]
    assert list(steps([ACT, WRITTEN])) == [StoredCall("look")]


def test_a_trajectory_that_breaks_off_after_a_call_keeps_it_in_a_turn_of_its_own(
    tmp_path: Path,
) -> None:
    messages = [user("Hello."), bot("Hi."), user("Extend it."), *MADE]
    task = {"instruction": "Extend it", "actions": [], "outputs": []}
    entry = {"task_id": 3, "trial": 0, "reward": 0.0, "info": {"task": task}, "traj": messages}
    path = tmp_path / "file.json"
    path.write_text(json.dumps([entry]), encoding="utf-8")
    (one,) = read_transcripts(path).found
    turns = [(turn.index, turn.user, turn.system) for turn in one.dialogue.turns]
    assert turns == [(1, "Hello.", "Hi."), (2, "Extend it.", "")]
    assert len(one.dialogue.turns[1].tool_calls) == 1
