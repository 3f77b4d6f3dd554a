"""Builds what a judge sees of a dialogue: every word fenced, with or without the results of
tools.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from pytest_todeval.core.dialogue import Dialogue, ToolCall, Turn
from pytest_todeval.errors import JudgeFault
from pytest_todeval.models.fence import fenced

NOTHING = "(nothing was looked up in this turn)"
"""Stands outside of any fence, if nothing that the bot says can stand."""
BEFORE = "(The turns up to here were before. They are known, and nobody is judged by them.)"
"""Stands outside of any fence, too."""
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]")
"""Of an object in memory: another one in every run."""


def judged_turns(dialogue: Dialogue) -> tuple[Turn, ...]:
    """Returns the turns to judge.

    Raises JudgeFault if there is none, or if nobody says a word: shown an empty dialogue, a
    model invents one and judges that.
    """
    if any(turn.user.strip() or turn.system.strip() for turn in dialogue.turns):
        return dialogue.turns
    raise JudgeFault(
        f"{dialogue.goal.name}: the dialogue has no turn to judge (it stopped by "
        f"{dialogue.stop_reason})"
    )


def contexts(dialogue: Dialogue) -> Iterator[dict[str, str]]:
    """Returns the values that fill the prompt about each turn, in order; every text is fenced only
    once.

    Keys: those of `turn_values`, `turn` (its number), `history` (what was before it) and `dialogue`
    (that and the turn itself, in the same form: the next turn's prompt begins with all of it).
    """
    before = "\n\n".join(map(_block, dialogue.goal.opening))
    for turn in dialogue.turns:
        values = turn_values(turn)
        now = "\n\n".join(filter(None, (before, _block(turn))))
        yield {**values, "turn": str(turn.index), "history": before, "dialogue": now}
        before = now


def turn_values(turn: Turn) -> dict[str, str]:
    """Returns the values for `{{user}}`, `{{tools}}` and `{{response}}` of a prompt, each
    fenced.
    """
    return {
        "user": fenced("user", turn.user),
        "tools": fenced("tools", looked) if (looked := _looked_up(turn)) else NOTHING,
        "response": fenced("bot", turn.system),
    }


def transcript(dialogue: Dialogue) -> str:
    """Returns the whole dialogue, with the user's last words if it left without waiting for an
    answer.

    After the goal's opening stands `BEFORE`.
    """
    return _whole(dialogue, _block)


def has_results(turn: Turn) -> bool:
    """Says whether a tool returned something in this turn that the reply can be checked against."""
    answered = any(call.result is not None or call.error is not None for call in turn.tool_calls)
    return answered or bool(turn.retrieved)


def _block(turn: Turn) -> str:
    return "\n".join([f"Turn {turn.index}", *turn_values(turn).values()])


def _whole(dialogue: Dialogue, shown: Callable[[Turn], str]) -> str:
    before = list(map(shown, dialogue.goal.opening))
    last = f"Last words\n{fenced(USER, dialogue.last_words)}" if dialogue.last_words else ""
    parts = (*before, BEFORE if before else "", *map(shown, dialogue.turns), last)
    return "\n\n".join(filter(None, parts))


def _looked_up(turn: Turn) -> str:
    items = enumerate(turn.retrieved, 1)
    retrieved = (_json({"rank": rank, "retrieved": item}) for rank, item in items)
    return "\n".join([*map(_call_line, turn.tool_calls), *retrieved])


def _call_line(call: ToolCall) -> str:
    came = {"result": call.result} if call.error is None else {"error": call.error}
    return _json({"tool": call.name, "arguments": call.arguments, **came})


def _json(parts: Mapping[str, Any]) -> str:
    return f"{{{', '.join(f'{json.dumps(name)}: {_value(part)}' for name, part in parts.items())}}}"


def _value(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, default=_plain)
    except Exception:  # no JSON (a circle, too deep, keys that are no text), or `__str__` raises
        return json.dumps(_type_name(value))


def _plain(value: object) -> object:
    """Writes values that JSON lacks so that they read the same in every process: no addresses, no
    order of sets.
    """
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


USER, SYSTEM = "user", "system"
"""The names of the sides. Either may be a person or a machine."""


def utterances(dialogue: Dialogue) -> str:
    """Returns the dialogue as the two sides spoke it: no tool calls, and no hint which side is a
    machine.

    Raises JudgeFault if nobody says a word.
    """
    judged_turns(dialogue)
    return _whole(dialogue, spoken_turn)


def until_reply(dialogue: Dialogue) -> Iterator[str]:
    """Returns, for each turn, the conversation up to the reply: what was said before, and the
    user's message.

    Each text but its end is the beginning of the next, so that a provider's prompt cache serves it.
    """
    before = [spoken_turn(turn) for turn in dialogue.goal.opening]
    for turn in dialogue.turns:
        yield "\n\n".join([*before, f"Turn {turn.index}\n{fenced(USER, turn.user)}"])
        before.append(spoken_turn(turn))


def spoken_turn(turn: Turn) -> str:
    """Returns what both sides said in one turn, under its number."""
    said = (fenced(USER, turn.user), fenced(SYSTEM, turn.system))
    return "\n".join((f"Turn {turn.index}", *said))
