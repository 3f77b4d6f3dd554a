"""A dialogue as tau2 stores its own: a `SimulationRun`, as plain JSON.

No times are kept of a dialogue, so its messages are a second apart, from the epoch on.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from pytest_todeval.core.dialogue import Dialogue, ToolCall
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.core.verdict import Verdict

STOP = "###STOP###"
TOKENS = (STOP, "###TRANSFER###", "###OUT-OF-SCOPE###")
EPOCH = datetime(1970, 1, 1, tzinfo=UTC).replace(tzinfo=None)
INFRASTRUCTURE = "infrastructure_error"
ENDED = {
    StopReason.USER_DONE: "user_stop",
    StopReason.USER_GAVE_UP: "user_stop",
    StopReason.SYSTEM_DONE: "agent_stop",
    StopReason.IMPORTED: "user_stop",
    StopReason.TURN_LIMIT: "max_steps",
    StopReason.DIALOGUE_TIMEOUT: "timeout",
}
"""tau2's names for how a dialogue ended; of any other that counts it is the agent's error."""
PREFIX = "reward_"
BASIS = ("DB", "ENV_ASSERTION", "ACTION", "COMMUNICATE", "NL_ASSERTION")

Message = dict[str, Any]


def simulation(
    dialogue: Dialogue, task_id: str, reward: float | None, *, id: str, greeting: str = ""
) -> dict[str, Any]:
    """Returns the dialogue as tau2 stores one; `reward` is None if it says nothing of the bot.

    `greeting` are the agent's first words, which no bot is asked for.
    """
    messages = list(_messages(dialogue, greeting))
    for number, message in enumerate(messages):
        message |= {"turn_idx": number, "timestamp": _time(number)}
    counts = reward is not None
    return {
        "id": id,
        "task_id": task_id,
        "timestamp": _time(0),
        "start_time": _time(0),
        "end_time": _time(len(messages)),
        "duration": sum(turn.latency for turn in dialogue.turns),
        "termination_reason": termination_reason(dialogue) if counts else INFRASTRUCTURE,
        "agent_cost": sum(turn.usage.cost for turn in dialogue.turns if turn.usage is not None),
        "user_cost": 0.0,
        "reward_info": None if reward is None else _reward_info(reward, dialogue.verdicts),
        "messages": messages,
        "trial": dialogue.trial,
        "info": {"todeval": {"stop_reason": str(dialogue.stop_reason), "detail": dialogue.detail}},
    }


def termination_reason(dialogue: Dialogue) -> str:
    """Returns how it ended, by tau2's names."""
    if dialogue.fault not in (None, Outcome.FAILED):
        return INFRASTRUCTURE
    return ENDED.get(dialogue.stop_reason, "agent_error")


def _messages(dialogue: Dialogue, greeting: str) -> Iterator[Message]:
    history = (dialogue.goal.raw.get("initial_state") or {}).get("message_history")
    if history:
        yield from (dict(message) for message in history)
    elif greeting:
        yield {"role": "assistant", "content": greeting}
    for turn in dialogue.turns:
        place = f"turn_{turn.index}"
        yield from _calls(turn.user_calls, "user", place)
        yield {"role": "user", "content": turn.user}
        yield from _calls(turn.tool_calls, "assistant", place)
        if turn.system:
            yield {"role": "assistant", "content": turn.system}
    yield from _calls(dialogue.last_calls, "user", "end")
    if words := _last_words(dialogue):
        yield {"role": "user", "content": words}


def _last_words(dialogue: Dialogue) -> str:
    said = dialogue.last_words
    left = ENDED.get(dialogue.stop_reason) == "user_stop"
    if not left or any(token in said for token in TOKENS):
        return said
    return f"{said} {STOP}".strip()


def _calls(calls: Sequence[ToolCall], by: str, place: str) -> Iterator[Message]:
    """Returns each call as a message of its own, then what came of it."""
    for number, call in enumerate(calls):
        id = f"{place}_{by}_{number}"
        made = {"id": id, "name": call.name, "arguments": dict(call.arguments), "requestor": by}
        yield {"role": by, "content": None, "tool_calls": [made]}
        result = call.result if call.error is None else call.error
        told = result if isinstance(result, str) else json.dumps(result, default=str)
        failed = call.error is not None
        yield {"role": "tool", "id": id, "content": told, "requestor": by, "error": failed}


def _reward_info(reward: float, verdicts: Mapping[str, Verdict]) -> dict[str, Any]:
    parts = {
        name: float(verdicts[PREFIX + name.lower()].passed)
        for name in BASIS
        if PREFIX + name.lower() in verdicts
    }
    database = parts.get("DB")
    check = {} if database is None else {"db_match": database == 1, "db_reward": database}
    return {
        "reward": reward,
        "reward_basis": list(parts) or None,
        "reward_breakdown": parts or None,
        "db_check": check or None,
        "info": {name: verdict.reason for name, verdict in verdicts.items()},
    }


def _time(second: int) -> str:
    return (EPOCH + timedelta(seconds=second)).isoformat()


def task_of(goal: Goal) -> dict[str, Any]:
    """Returns the task as tau2 has it; of another goal, its words and what tau-bench's ask for."""
    if "user_scenario" in goal.raw:
        return dict(goal.raw)
    actions, outputs = goal.raw.get("actions"), goal.raw.get("outputs")
    made = actions if isinstance(actions, list) else []
    return {
        "id": goal.id,
        "user_scenario": {"persona": None, "instructions": "\n".join(goal.message)},
        "evaluation_criteria": {
            "actions": [
                {"action_id": str(n), "name": each["name"], "arguments": each["kwargs"]}
                for n, each in enumerate(made)
            ],
            "env_assertions": [],
            "communicate_info": outputs if isinstance(outputs, list) else [],
            "nl_assertions": [],
            "reward_basis": ["DB", "COMMUNICATE"],
        },
    }
