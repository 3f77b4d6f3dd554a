"""A dialogue as text for a person: short by default, whole on request."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_todeval.core.dialogue import Dialogue, ToolCall, Turn

__all__ = ["render"]

SHORT_TURNS = 4
SHORT_RESULT = 160


def render(dialogue: "Dialogue", *, full: bool = False) -> str:
    """The turns, one line per speaker and tool call; `full` shows every turn and result whole.

    Turns that the goal goes on from come first, with their numbers (0 and less).
    """
    told = (*dialogue.goal.opening, *dialogue.turns)
    turns = told if full else told[-SHORT_TURNS:]
    count = len(dialogue.turns)
    played = f"{count} turn{'' if count == 1 else 's'}"
    lines = [f"{dialogue.goal.name}: {played}, stopped by {dialogue.stop_reason}"]
    if dialogue.detail:
        lines[0] += f" ({dialogue.detail.splitlines()[0]})"
    if len(turns) < len(told):
        lines.append(f"  ... {len(told) - len(turns)} earlier turns; -vv shows them")
    for turn in turns:
        lines.extend(_turn_lines(turn, full))
    if dialogue.last_words:
        lines.append(f"  {'':>3} user: {dialogue.last_words}")
    return "\n".join(lines)


def _turn_lines(turn: "Turn", full: bool) -> Iterator[str]:
    yield f"  {turn.index:>3} user: {turn.user}"
    for call in turn.tool_calls:
        yield f"      tool: {_call_line(call, full)}"
    first, *rest = turn.system.splitlines() or [""]
    yield f"       bot: {first}"
    yield from (f"            {line}" for line in rest)


def _call_line(call: "ToolCall", full: bool) -> str:
    arguments = ", ".join(f"{name}={value!r}" for name, value in call.arguments.items())
    if call.error is not None:
        return f"{call.name}({arguments}) refused: {call.error}"
    result = json.dumps(call.result, ensure_ascii=False, default=str)
    if not full and len(result) > SHORT_RESULT:
        result = result[:SHORT_RESULT] + " ..."
    return f"{call.name}({arguments}) -> {result}"
