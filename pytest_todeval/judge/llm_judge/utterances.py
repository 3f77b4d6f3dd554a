"""A dialogue as its two sides spoke it: no tool call, no word on which of them is a machine."""

from collections.abc import Iterator

from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.judge.llm_judge.context import BEFORE, judged_turns
from pytest_todeval.llm.fence import fenced

__all__ = ["SYSTEM", "USER", "spoken_turn", "until_reply", "utterances"]

USER, SYSTEM = "user", "system"
"""The names of the sides. Either may be a person or a machine."""


def utterances(dialogue: Dialogue) -> str:
    """What user and system said, in order, each utterance fenced; the user's last words, too.

    After the goal's opening stands `BEFORE`. Raises JudgeFault if nobody says a word.
    """
    turns = judged_turns(dialogue)
    opening = [spoken_turn(turn) for turn in dialogue.goal.opening]
    blocks = [*opening, *([BEFORE] if opening else []), *map(spoken_turn, turns)]
    if dialogue.last_words:
        blocks.append(f"Last words\n{fenced(USER, dialogue.last_words)}")
    return "\n\n".join(blocks)


def until_reply(dialogue: Dialogue) -> Iterator[str]:
    """For each turn the conversation up to the reply: what was said before, and what the user says.

    Each text but its end is the beginning of the next, so that a provider's prompt cache serves it.
    """
    before = [spoken_turn(turn) for turn in dialogue.goal.opening]
    for turn in dialogue.turns:
        yield "\n\n".join([*before, f"Turn {turn.index}\n{fenced(USER, turn.user)}"])
        before.append(spoken_turn(turn))


def spoken_turn(turn: Turn) -> str:
    """What the two sides said in one turn, under its number."""
    said = (fenced(USER, turn.user), fenced(SYSTEM, turn.system))
    return "\n".join((f"Turn {turn.index}", *said))
