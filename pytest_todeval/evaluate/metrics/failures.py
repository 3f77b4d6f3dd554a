"""Finds why a task failed, by kind: its calls are held against the reference solution's, by rule.

The kinds refine those of tau-bench's `auto_error_identification.py` (Yao et al. 2024, published
code), which asks a model. Here nothing is asked: calls that changed the tables are paired with the
reference's, equal ones first, then those of the same tool, then those on the same record.
"""

import json
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_todeval.core.dialogue import Dialogue, ToolCall
from pytest_todeval.core.failure import Failure, FailureKind

SHOWN = 120
"""Characters of a call or a value in a detail."""
MAX_CALLS = 100
"""Of either side that are paired: the work grows with the square."""


@dataclass(frozen=True, slots=True)
class WantedCall:
    """A call of the reference solution."""

    name: str
    arguments: Mapping[str, Any]
    changes: bool
    """Whether it changes the tables."""
    by_user: bool = False

    def __str__(self) -> str:
        return _shown(self.name, self.arguments)


@dataclass(frozen=True, slots=True)
class CallMade:
    """A call of the dialogue."""

    call: ToolCall
    turn: int | None
    """None if it came after the last turn."""
    changed: bool
    by_user: bool = False

    def __str__(self) -> str:
        return _shown(self.call.name, self.call.arguments)


def calls_made(dialogue: Dialogue) -> Iterator[CallMade]:
    """Returns the calls of both sides in order; the caller sets `changed` where it knows."""
    for turn in dialogue.turns:
        yield from (CallMade(call, turn.index, False, by_user=True) for call in turn.user_calls)
        yield from (CallMade(call, turn.index, False) for call in turn.tool_calls)
    yield from (CallMade(call, None, False, by_user=True) for call in dialogue.last_calls)


def write_failures(
    dialogue: Dialogue,
    wanted: Sequence[WantedCall],
    made: Sequence[CallMade],
    ending: Collection[str],
) -> list[Failure]:
    """Lists how the calls that change something differ from the reference's, in the order of the
    dialogue.

    `ending` are the tools that hand the dialogue over. Empty if the changing calls are those of the
    reference solution: whatever is wrong then, they do not show it.
    """
    pairing = _Pairing(dialogue, wanted, made, ending)
    found = pairing.failures()
    return sorted(found, key=lambda failure: math.inf if failure.turn is None else failure.turn)


class _Pairing:
    def __init__(
        self,
        dialogue: Dialogue,
        wanted: Sequence[WantedCall],
        made: Sequence[CallMade],
        ending: Collection[str],
    ) -> None:
        self.dialogue = dialogue
        self.wanted = [each for each in wanted if each.changes][:MAX_CALLS]
        self.made = [each for each in made if each.changed][:MAX_CALLS]
        self.refused = [each for each in made if not each.changed][:MAX_CALLS]
        meant_to_end = any(each.name in ending for each in wanted)
        over = (each for each in made if each.call.name in ending and not meant_to_end)
        self.handed_over = next(over, None)

    def failures(self) -> Iterator[Failure]:
        self._drop_equal()
        yield from self._same_tool(self.made)
        yield from self._same_tool(self.refused)
        yield from self._same_record()
        for place, lost in enumerate(self.wanted):
            over = self.handed_over
            if over and place == 0 and not lost.by_user:
                detail = f"{over.call.name} in place of {lost}"
                yield Failure(FailureKind.WRONG_TOOL, detail, over.turn)
            else:
                yield _missing(lost)
        for each in self.made:
            by = "by the user: " if each.by_user else ""
            yield Failure(FailureKind.UNWANTED_WRITE, f"{by}{each}", each.turn)

    def _drop_equal(self) -> None:
        """Removes the pairs of equal calls."""
        for each in list(self.wanted):
            same = next((m for m in self.made if _equal(each, m)), None)
            if same is not None:
                self.made.remove(same)
                self.wanted.remove(each)

    def _same_tool(self, made: list[CallMade]) -> Iterator[Failure]:
        """Pairs calls of one tool, most similar first, and removes them."""
        pairs = sorted(
            (
                (_unlikeness(each, other), place, at)
                for place, each in enumerate(self.wanted)
                for at, other in enumerate(made)
                if each.name == other.call.name and each.by_user == other.by_user
            ),
        )
        taken, used = set[int](), set[int]()
        for _, place, at in pairs:
            if place in taken or at in used:
                continue
            taken.add(place)
            used.add(at)
            yield self._otherwise(self.wanted[place], made[at])
        self.wanted = [each for place, each in enumerate(self.wanted) if place not in taken]
        made[:] = [each for at, each in enumerate(made) if at not in used]

    def _otherwise(self, wanted: WantedCall, made: CallMade) -> Failure:
        """Finds a call of the right tool that was refused or had another argument."""
        differing = _differing(wanted.arguments, made.call.arguments)
        if not differing:
            answer = made.call.error or str(made.call.result)
            why = f"was refused: {answer}" if answer.startswith("Error") else "changed nothing"
            return Failure(FailureKind.MISSING_WRITE, _cut(f"{made} {why}"), made.turn)
        told = "; ".join(
            f"{name}: expected {_value(wanted.arguments, name)}, "
            f"got {_value(made.call.arguments, name)}"
            for name in differing
        )
        users = all(self._users(wanted, made, name) for name in differing)
        kind = FailureKind.USER if users else FailureKind.WRONG_ARGUMENT
        said = "as the user said, not as it was told to: " if users else ""
        return Failure(kind, _cut(f"{made.call.name}: {said}{told}"), made.turn)

    def _users(self, wanted: WantedCall, made: CallMade, name: str) -> bool:
        """Says whether the user gave this value instead of the one that it was told to give."""
        right, got = wanted.arguments.get(name), made.call.arguments.get(name)
        if not isinstance(right, str) or not isinstance(got, str) or not (right and got):
            return False
        told = "\n".join(self.dialogue.goal.message).lower()
        turns = [
            turn for turn in self.dialogue.turns if made.turn is None or turn.index <= made.turn
        ]
        said = "\n".join(turn.as_meant for turn in turns).lower()
        right, got = right.lower(), got.lower()
        return got in said and got not in told and right in told and right not in said

    def _same_record(self) -> Iterator[Failure]:
        """Pairs calls of different tools on the same record, and removes them."""
        for each in list(self.wanted):
            other = next((m for m in self.made if _share_record(each, m)), None)
            if other is not None:
                self.made.remove(other)
                self.wanted.remove(each)
                yield Failure(FailureKind.WRONG_TOOL, f"{other} in place of {each}", other.turn)


def _missing(lost: WantedCall) -> Failure:
    kind = FailureKind.MISSING_USER_CALL if lost.by_user else FailureKind.MISSING_WRITE
    return Failure(kind, f"never made: {lost}")


def _equal(wanted: WantedCall, made: CallMade) -> bool:
    same = wanted.name == made.call.name and wanted.by_user == made.by_user
    return same and not _differing(wanted.arguments, made.call.arguments)


def _differing(wanted: Mapping[str, Any], made: Mapping[str, Any]) -> list[str]:
    names = dict.fromkeys((*wanted, *made))
    return [name for name in names if _text(wanted, name) != _text(made, name)]


def _unlikeness(wanted: WantedCall, made: CallMade) -> float:
    """Returns the share of the arguments that differ."""
    names = {*wanted.arguments, *made.call.arguments}
    differing = _differing(wanted.arguments, made.call.arguments)
    return len(differing) / len(names) if names else 0.0


def _share_record(wanted: WantedCall, made: CallMade) -> bool:
    """Says whether an argument that names a record (`..._id`) has the same value on both sides."""
    if wanted.by_user != made.by_user:
        return False
    return any(
        name.endswith("_id") and made.call.arguments.get(name) == value
        for name, value in wanted.arguments.items()
    )


def _text(arguments: Mapping[str, Any], name: str) -> str:
    """Writes a value so that equal values have equal text; `nothing` is not JSON."""
    if name not in arguments:
        return "nothing"
    try:
        return json.dumps(arguments[name], sort_keys=True)
    except (TypeError, ValueError, RecursionError):
        return f"{arguments[name]!r:.1000}"


def _value(arguments: Mapping[str, Any], name: str) -> str:
    return _cut(_text(arguments, name))


def _shown(name: str, arguments: Mapping[str, Any]) -> str:
    given = ", ".join(f"{each}={_text(arguments, each)}" for each in arguments)
    return _cut(f"{name}({given})")


def _cut(text: str) -> str:
    return text if len(text) <= 2 * SHOWN else f"{text[: 2 * SHOWN]} ..."
