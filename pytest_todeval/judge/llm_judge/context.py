"""What a judge is shown of a dialogue: every word of user, bot and tools fenced, facts included."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from pytest_todeval.core.dialogue import Dialogue, ToolCall, Turn
from pytest_todeval.errors import JudgeFault
from pytest_todeval.llm.fence import fenced

__all__ = [
    "BEFORE",
    "contexts",
    "has_results",
    "history",
    "judged_turns",
    "transcript",
    "turn_values",
]

NOTHING = "(nothing was looked up in this turn)"
"""Stands outside of any fence, if nothing that the bot says can stand."""
BEFORE = "(The turns up to here were before. They are known, and nobody is judged by them.)"
"""Stands outside of any fence, too."""
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]")
"""Of an object in memory: another one in every run."""


def judged_turns(dialogue: Dialogue) -> tuple[Turn, ...]:
    """The turns there are to judge.

    Raises JudgeFault if there is none, or if nobody says a word: shown an empty dialogue, a
    model invents one and judges that.
    """
    if any(turn.user.strip() or turn.system.strip() for turn in dialogue.turns):
        return dialogue.turns
    raise JudgeFault(
        f"{dialogue.goal.name}: the dialogue has no turn to judge (it stopped by "
        f"{dialogue.stop_reason})"
    )


def history(dialogue: Dialogue, before: int) -> str:
    """The turns whose index is less than `before`, the goal's opening too; empty without any.

    It only grows: that of a turn is the beginning of that of the next, so that a provider's prompt
    cache serves it.
    """
    told = (*dialogue.goal.opening, *dialogue.turns)
    shown = (turn for turn in told if turn.index < before)
    return "\n\n".join(_block(turn, turn_values(turn)) for turn in shown)


def contexts(dialogue: Dialogue) -> Iterator[dict[str, str]]:
    """What fills the prompt about each turn, in their order; every text is fenced once only.

    Keys: those of `turn_values`, `turn` (its number), `history` (what was before it) and `dialogue`
    (that and the turn itself, in the same form: the next turn's prompt begins with all of it).
    """
    before = history(dialogue, 1)
    for turn in dialogue.turns:
        values = turn_values(turn)
        now = "\n\n".join(part for part in (before, _block(turn, values)) if part)
        yield {**values, "turn": str(turn.index), "history": before, "dialogue": now}
        before = now


def turn_values(turn: Turn) -> dict[str, str]:
    """What fills `{{user}}`, `{{tools}}` and `{{response}}` of a prompt, each fenced."""
    return {
        "user": fenced("user", turn.user),
        "tools": fenced("tools", _looked_up(turn)) if _looked(turn) else NOTHING,
        "response": fenced("bot", turn.system),
    }


def transcript(dialogue: Dialogue) -> str:
    """The whole dialogue, with what the user said when it left without waiting for an answer.

    After the goal's opening stands `BEFORE`.
    """
    blocks = [_block(turn, turn_values(turn)) for turn in dialogue.goal.opening]
    blocks += [BEFORE] if blocks else []
    blocks += [_block(turn, turn_values(turn)) for turn in dialogue.turns]
    if dialogue.last_words:
        blocks.append(f"Last words\n{fenced('user', dialogue.last_words)}")
    return "\n\n".join(blocks)


def has_results(turn: Turn) -> bool:
    """Whether something came back in this turn that the bot's reply can be held against."""
    answered = any(call.result is not None or call.error is not None for call in turn.tool_calls)
    return answered or bool(turn.retrieved)


def _block(turn: Turn, values: Mapping[str, str]) -> str:
    return "\n".join([f"Turn {turn.index}", *values.values()])


def _looked(turn: Turn) -> bool:
    return bool(turn.tool_calls or turn.retrieved)


def _looked_up(turn: Turn) -> str:
    return "\n".join([*map(_call_line, turn.tool_calls), *_retrieved_lines(turn)])


def _call_line(call: ToolCall) -> str:
    came = {"result": call.result} if call.error is None else {"error": call.error}
    return _json({"tool": call.name, "arguments": call.arguments, **came})


def _retrieved_lines(turn: Turn) -> Iterator[str]:
    return (_json({"rank": rank, "retrieved": item}) for rank, item in enumerate(turn.retrieved, 1))


def _json(parts: Mapping[str, Any]) -> str:
    return f"{{{', '.join(f'{json.dumps(name)}: {_value(part)}' for name, part in parts.items())}}}"


def _value(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, default=_plain)
    except Exception:  # no JSON (a circle, too deep, keys that are no text), or `__str__` raises
        return json.dumps(_type_name(value))


def _plain(value: object) -> object:
    """What JSON lacks, so that it reads the same in every process: no address, no order of sets."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, set | frozenset):
        return sorted(map(str, value))
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: getattr(value, each.name) for each in fields(value)}
    text = str(value)
    return _type_name(value) if ADDRESS.search(text) else text


def _type_name(value: object) -> str:
    return f"({type(value).__name__}, not shown)"
