"""A dialogue as tau-bench stores its own: `{"task_id", "trial", "reward", "info", "traj"}`."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pytest_todeval.core.dialogue import Dialogue, ToolCall
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.worlds.tau_bench.user import STOP

RESPOND = "respond"
"""tau-bench's action that is a reply."""
LEFT = (StopReason.USER_DONE, StopReason.USER_GAVE_UP)
FIELDS = ("user_id", "instruction", "actions", "outputs")
"""Of a task."""


def trajectory(
    dialogue: Dialogue, task_id: int, reward: float, *, policy: str = "", broke: str = ""
) -> dict[str, Any]:
    """Returns the dialogue as an `EnvRunResult` of tau-bench's, as plain JSON.

    `policy` is the text of its system message. A run that `broke` has reward 0, no messages, and
    says why, as tau-bench's own have.
    """
    info: dict[str, Any] = {"error": broke, "traceback": ""}
    if not broke:
        told = {name: verdict.reason for name, verdict in dialogue.verdicts.items()}
        info = {"task": _task(dialogue.goal), "source": "user", "reward_info": told}
    return {
        "task_id": task_id,
        "reward": 0.0 if broke else reward,
        "info": info,
        "traj": [] if broke else list(_messages(dialogue, policy)),
        "trial": dialogue.trial,
    }


def steps_of_dialogue(dialogue: Dialogue) -> Iterator[tuple[str, Mapping[str, Any], str]]:
    """Returns the bot's actions in order: name, arguments, and what it was told after it."""
    heard = [*(turn.user for turn in dialogue.turns[1:]), last_words(dialogue)]
    for turn, following in zip(dialogue.turns, heard, strict=False):  # no turn, no last words
        for call in turn.tool_calls:
            yield call.name, call.arguments, _observation(call)
        if turn.system:
            yield RESPOND, {"content": turn.system}, following


def last_words(dialogue: Dialogue) -> str:
    """Returns what the user said last, with tau-bench's token if it left."""
    said = dialogue.last_words
    if dialogue.stop_reason not in LEFT or STOP in said:
        return said
    return f"{said} {STOP}".strip()


def _messages(dialogue: Dialogue, policy: str) -> Iterator[dict[str, Any]]:
    yield {"role": "system", "content": policy}
    first = dialogue.turns[0].user if dialogue.turns else last_words(dialogue)
    yield {"role": "user", "content": first}
    for number, (name, arguments, told) in enumerate(steps_of_dialogue(dialogue)):
        if name == RESPOND and set(arguments) == {"content"}:
            yield {"role": "assistant", "content": arguments["content"], "tool_calls": None}
            if told:
                yield {"role": "user", "content": told}
            continue
        id = f"call_{number}"
        function = {"name": name, "arguments": json.dumps(dict(arguments))}
        made = [{"id": id, "type": "function", "function": function}]
        yield {"role": "assistant", "content": None, "tool_calls": made}
        yield {"role": "tool", "tool_call_id": id, "name": name, "content": told}


def _observation(call: ToolCall) -> str:
    if call.error is not None:
        return call.error
    result = call.result
    return result if isinstance(result, str) else json.dumps(result, default=str)


def _task(goal: Goal) -> dict[str, Any]:
    """Returns the task; of a goal that is none, its words and nothing to be done."""
    empty: dict[str, Any] = {"user_id": "", "actions": [], "outputs": []}
    told = {"instruction": "\n".join(goal.message), **goal.raw}
    found = {name: told.get(name, empty.get(name)) for name in FIELDS}
    if not _are_actions(found["actions"]):
        found["actions"] = []
    return found


def _are_actions(value: object) -> bool:
    return isinstance(value, Sequence) and all(
        isinstance(each, Mapping) and "name" in each and "kwargs" in each for each in value
    )
