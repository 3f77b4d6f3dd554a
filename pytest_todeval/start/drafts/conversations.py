"""Goals of many conversations: each checked, duplicates folded, the failed and the rarest first."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.errors import InvalidFile
from pytest_todeval.start.drafts.from_dialogue import goal_id, shown_in, signature
from pytest_todeval.start.drafts.goal_text import require_goals, yaml_of
from pytest_todeval.start.drafts.masking import Masks

ALIKE = 92.0
"""How alike the users' words of two conversations with the same deeds are, of 100, to be one."""
NOTHING_SHOWN = "no tool call shows a deed or a look-up with a value that the user said"


@dataclass
class DraftedGoal:
    """The goal of a conversation, and of others that are like it."""

    entry: Mapping[str, Any]
    dialogue: Dialogue
    refused: int
    """Calls that failed in it."""
    unsaid: Sequence[str] = ()
    """Slots of its deeds whose values the user never said."""
    like: list[str] = field(default_factory=list)
    """Conversations that are folded into it."""

    @property
    def lines(self) -> list[str]:
        """Returns what its user said, turn by turn."""
        said = [turn.user for turn in self.dialogue.turns if turn.user]
        return [*said, *([self.dialogue.last_words] if self.dialogue.last_words else [])]


@dataclass
class Drafts:
    """What a file of conversations comes to."""

    goals: list[DraftedGoal]
    left_out: Mapping[str, str]
    """Conversation -> why it has no goal."""
    masked: int
    """Different personal values that were replaced."""


def drafts_of(dialogues: Mapping[str, Dialogue], *, keep_personal: bool = False) -> Drafts:
    """Returns the goals of conversations, by their ids."""
    found: list[DraftedGoal] = []
    left_out: dict[str, str] = {}
    masked = 0
    for id, dialogue in dialogues.items():
        if not keep_personal:
            masks = Masks()
            dialogue = masks.masked(dialogue)
            masked += masks.count
        shown = shown_in(dialogue)
        entry = shown.entry(goal_id(id))
        reason = NOTHING_SHOWN if entry is None else _wrong(entry)
        if entry is None or reason:
            left_out[id] = reason
        else:
            found.append(DraftedGoal(entry, dialogue, shown.refused, tuple(shown.unsaid)))
    return Drafts(_ordered(_folded(found)), left_out, masked)


def _wrong(entry: Mapping[str, Any]) -> str:
    """Says why an entry is no goal; empty if it is one."""
    try:
        require_goals(yaml_of([entry], ""))
    except InvalidFile as error:
        return str(error).splitlines()[0]
    return ""


def _folded(drafts: Sequence[DraftedGoal]) -> list[DraftedGoal]:
    """Without duplicates: the same deeds and values, or the same deeds in nearly the same words."""
    from rapidfuzz import fuzz

    kept: dict[Any, list[DraftedGoal]] = {}
    for draft in drafts:
        alike = kept.setdefault(signature(draft.entry), [])
        words = " ".join(draft.lines).lower()
        for other in alike:
            same = _body(other.entry) == _body(draft.entry)
            if same or fuzz.ratio(words, " ".join(other.lines).lower()) >= ALIKE:
                other.like.append(str(draft.entry["id"]))
                other.refused = max(other.refused, draft.refused)
                break
        else:
            alike.append(draft)
    return [draft for alike in kept.values() for draft in alike]


def _body(entry: Mapping[str, Any]) -> str:
    return json.dumps({key: entry[key] for key in entry if key != "id"}, sort_keys=True).lower()


def _ordered(drafts: Sequence[DraftedGoal]) -> list[DraftedGoal]:
    """Returns those in which a call failed first, then those whose deeds are rarest."""
    times = Counter(signature(draft.entry) for draft in drafts for _ in (draft, *draft.like))
    return sorted(drafts, key=lambda each: (not each.refused, times[signature(each.entry)]))


def transcript_of(draft: DraftedGoal) -> dict[str, Any]:
    """Returns a conversation in the format of docs/transcripts.md, with its goal."""
    return {
        "id": draft.entry["id"],
        "goal": dict(draft.entry),
        "turns": [_turn(turn) for turn in draft.dialogue.turns],
        **({"last_words": draft.dialogue.last_words} if draft.dialogue.last_words else {}),
    }


def _turn(turn: Turn) -> dict[str, Any]:
    calls = [
        {
            "name": call.name,
            "arguments": dict(call.arguments),
            **({"result": call.result} if call.error is None else {"error": call.error}),
        }
        for call in turn.tool_calls
    ]
    said = {"user": turn.user, "system": turn.system}
    return {**said, **({"tool_calls": calls} if calls else {})}


RECORDED = '''\
"""Users who say again what people said: a goal each, of {goals}."""

import pytest

from pytest_todeval import Dialogue, Goal, Judge, ScriptedUser

SAID = {said}


@pytest.fixture
def user_simulator(goal: Goal) -> ScriptedUser:
    return ScriptedUser(SAID[goal.id])


@pytest.mark.goals({source})
def test_recorded_users(dialogue: Dialogue, judge: Judge) -> None:
    assert judge.approves(dialogue)
'''


def recorded_test(drafts: Sequence[DraftedGoal], goals: str) -> str:
    """Returns a test whose users say what was said in the conversations."""
    said = {str(draft.entry["id"]): draft.lines for draft in drafts}
    text = json.dumps(said, indent=4, ensure_ascii=False)
    return RECORDED.format(goals=goals, said=text, source=json.dumps(goals))
