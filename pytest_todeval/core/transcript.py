"""A dialogue as text for a person: short by default, whole on request."""

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pytest_todeval.core.notation import notation
from pytest_todeval.shown import in_terminal

if TYPE_CHECKING:
    from pytest_todeval.core.dialogue import Dialogue, ToolCall, Turn
    from pytest_todeval.core.dialogue_act import DialogueAct

SHORT_TURNS = 4
SHORT_TEXT = 2_000
"""Characters of what one side says in a turn."""
SHORT_RESULT = 160
SHORT_ARGUMENT = 400
"""Characters of what a call was given: enough for any published tool's."""
SHORT_NAME = 80
SHOWN_BY_PYTEST = 240
"""Characters of a value in a failed assertion; it cuts the middle out of longer ones."""


MARK = "> "
"""Before each line of the decisive turn."""


def render(
    dialogue: "Dialogue",
    *,
    full: bool = False,
    heard: bool = False,
    decisive: int | None = None,
) -> str:
    """Returns the turns, one line per speaker and tool call; `full` shows every turn and result.

    It is fit for a terminal, and cut where it is longer than that can show.

    With `heard`, under each text of the bot what was heard in it.

    `decisive`: the number of the turn that is marked, and is never left out.

    Before them stand the reasons of failed verdicts that pytest cuts in an assertion.
    Turns that the goal goes on from come first, with their numbers (0 and less).
    """
    told = (*dialogue.goal.opening, *dialogue.turns)
    turns = told if full else _short(told, decisive)
    count = len(dialogue.turns)
    played = f"{count} turn{'' if count == 1 else 's'}"
    lines = [f"{dialogue.goal.name}: {played}, stopped by {dialogue.stop_reason}"]
    if dialogue.detail:
        lines[0] += f" ({dialogue.detail.splitlines()[0]})"
    lines += _failures(dialogue)
    shown = told[0].index if told else 1
    for turn in turns:
        if left := turn.index - shown:
            earlier = "earlier " if turn is turns[0] else ""
            lines.append(f"  ... {left} {earlier}turn{'' if left == 1 else 's'} (-vv shows all)")
        shown = turn.index + 1
        found = turn_lines(turn, full, heard and turn.claims is not None)
        is_marked = turn.index == decisive
        lines.extend(f"{MARK}{line.removeprefix('  ')}" if is_marked else line for line in found)
    lines.extend(_own_lines(dialogue.last_calls, full))
    if dialogue.last_words:
        lines.extend(_said("      user: ", dialogue.last_words, full))
    return in_terminal("\n".join(lines))


def _short(told: "Sequence[Turn]", decisive: int | None) -> "Sequence[Turn]":
    """The last turns; of a decisive one before them, it, the one before it and the last two."""
    last = told[-SHORT_TURNS:]
    if decisive is None or not last or decisive >= last[0].index:
        return last
    return [each for each in told if each.index in (decisive - 1, decisive)] + [*told[-2:]]


def _failures(dialogue: "Dialogue") -> Iterator[str]:
    """If pytest would cut one off: all reasons, each once: the reward's are those of its parts."""
    failed = [
        v for v in dialogue.verdicts.values() if v.applicable and not v.passed and not v.doubt
    ]
    if all(len(repr(verdict)) <= SHOWN_BY_PYTEST for verdict in failed):
        return
    seen: set[str] = set()
    for verdict in failed[::-1]:  # parts come after the reward
        told = verdict.reason.split("; ")
        reasons = [each for each in told if each not in seen]
        seen.update(told, [f"{verdict.name} failed: {told[0]}"])  # as tau2's reward has it
        if not reasons:
            continue
        yield f"  {verdict.name} failed: {reasons[0]}"
        yield from (f"      {reason}" for reason in reasons[1:])


def turn_lines(turn: "Turn", full: bool = False, heard: bool = False) -> Iterator[str]:
    """A line for each that spoke, each tool call and changed record; not yet fit for a terminal."""
    yield from _own_lines(turn.user_calls, full)
    yield from _said(f"  {turn.index:>3} user: ", turn.user, full)
    if turn.meant:
        yield from _said("     meant: ", turn.meant, full)
    for call in turn.tool_calls:
        yield f"      tool: {_call_line(call, full)}"
    for change in turn.changed or ():
        yield f"   changed: {_cut(str(change), SHORT_RESULT, full)}"
    yield from _said("       bot: ", turn.system, full)
    if heard:
        yield f"     heard: {'; '.join(map(_claim_text, turn.claims or ())) or 'nothing'}"


def _said(who: str, text: str, full: bool) -> Iterator[str]:
    """Each line below the first is indented, so that none passes for the next speaker's."""
    first, *rest = _cut(text, SHORT_TEXT, full).splitlines() or [""]
    yield f"{who}{first}"
    yield from (f"{'':12}{line}" for line in rest)


def _claim_text(claim: "DialogueAct") -> str:
    return notation(claim) + (f" (doubtful: {claim.doubt})" if claim.doubt else "")


def _own_lines(calls: "Sequence[ToolCall]", full: bool) -> Iterator[str]:
    """Returns the user's calls, which the bot does not see."""
    return (f"      user's tool: {_call_line(call, full)}" for call in calls)


def _call_line(call: "ToolCall", full: bool) -> str:
    arguments = ", ".join(f"{name}={value!r}" for name, value in call.arguments.items())
    made = f"{_cut(call.name, SHORT_NAME, full)}({_cut(arguments, SHORT_ARGUMENT, full)})"
    if call.error is not None:
        return f"{made} refused: {_cut(call.error, SHORT_RESULT, full)}"
    return f"{made} -> {_cut(_shown(call.result), SHORT_RESULT, full)}"


def _shown(result: object) -> str:
    """As it is, if that is one line: tasks' tools answer with JSON as text."""
    if isinstance(result, str) and result.isprintable() and result:
        return result
    return json.dumps(result, ensure_ascii=False, default=str)


def _cut(text: str, most: int, full: bool) -> str:
    return text if full or len(text) <= most else f"{text[:most]} ..."
