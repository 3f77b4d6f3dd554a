"""What the user's own words raise of its goal, message by message, and whether a user says them.

By rule, of goals with slots, in English.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import DomainGoal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.evaluate.metrics.coverage import CoverageReport
from pytest_todeval.evaluate.metrics.keywords import Keyword, keywords_of
from pytest_todeval.evaluate.metrics.mentioned import places
from pytest_todeval.facts.dialogue import MAX_TEXT
from pytest_todeval.nlu.cues import DOMAINS_RAISED
from pytest_todeval.nlu.text.plain import plain

MANY = 3
"""Messages about nothing from which a user has strayed, if they are more than the others."""
FOREIGN = 2
"""Messages in another language from which a user has strayed, if fewer have English words."""
SHOWN = 80
_ABOUT_BOOKING = re.compile(r"\b(?:book|booked|booking|reserve|reservation|reference)\b")
_SHORT_ANSWER = re.compile(
    r"\A(?:(?:oh|um|uh|well|hm|great|thanks|actually) )*(?:yes|yeah|yep|no|nope|not|ok|okay|sure"
    r"|right|correct|exactly|please|fine|good|great|perfect|any|either|both|(?:the|that) (?:first"
    r"|second|third|last|latter|cheapest))\b|\b(?:preference|matter|(?:don t|not) (?:care|mind)"
    r"|please|sounds|anything|any)\b"
)
_CALLS_BACK = re.compile(
    r"\b(?:hello|there|pardon|sorry|understand|mean|meant|repeat|again|already|said|asked|told"
    r"|wrong|wanted|answer)\b"
)
_NAME = re.compile(r"(?<![.!?] )(?<!\A)\b[A-Z][a-z]{3,}\b|\b\w*\d\w*\b")
_PERSONAL = re.compile(r"\b(?:names?|e-?mail|phone|contact|address|card|postcode|zip)\b")

_ENGLISH = re.compile(
    r"\b(?:the|you|your|and|for|with|would|like|need|please|my|are|that|what|which|how|can|thanks"
    r"|thank|hello|hi|looking|book|from|this|there|have)\b"
)
_NOT_ENGLISH = re.compile(
    r"\b(?:je|un|une|pour|et|vous|est|le|les|des|du|ich|und|der|das|ein|eine|einen|bitte|mit|auch|el"
    r"|los|las|por|para|una|con|en|busco|quiero|cerco|per|che|il|di|della|ik|een|het|op|naar|um|uma"
    r"|em|na|nie|dla)\b"
)


@dataclass(frozen=True, slots=True)
class UserMessage:
    """What the user said in one message, or with its last words."""

    text: str
    answered: str
    """What the bot had said before; empty at the start."""
    named: frozenset[str]
    """The goal's domains that it raises by name."""
    told: tuple[Keyword, ...]
    """The goal's values that it tells, and what it asks for."""

    @property
    def is_foreign(self) -> bool:
        """Says whether it is in another language than English, or at least in another script."""
        letters = [each for each in self.text if each.isalpha()]
        latin = sum(each < "\u0250" for each in letters)
        said = plain(self.text)
        other = len(set(_NOT_ENGLISH.findall(said))) > 1 and not _ENGLISH.search(said)
        return other or 2 * latin < len(letters)

    @property
    def is_idle(self) -> bool:
        """Says whether it is neither about the goal, nor an answer, nor a complaint about one."""
        if self.named or self.told:
            return False
        said, asked = plain(self.text), plain(self.answered)
        if _ABOUT_BOOKING.search(said) or _CALLS_BACK.search(said):
            return False
        if "?" in self.answered and (_SHORT_ANSWER.search(said) or _PERSONAL.search(asked)):
            return False
        return not _names_again(self.text, self.answered)


def user_messages(
    dialogue: Dialogue, judged: CoverageReport | None = None
) -> tuple[UserMessage, ...]:
    """Returns all that the user said after the goal's opening, in order.

    What it told of its goal is heard by rule, unless a model's report says it.
    """
    wanted = keywords_of(dialogue.goal)
    heard = ["", *(turn.system for turn in dialogue.turns)]
    return tuple(
        UserMessage(
            place.text,
            heard[place.turn - 1],
            place.named,
            tuple(word for word in wanted if place.raises(word))
            if judged is None
            else tuple(word for word in judged.keywords if _told_at(word, place.turn)),
        )
        for place in places(dialogue, wanted)
        if place.speaker == "user" and place.turn >= 1
    )


def conveyed_none(dialogue: Dialogue, messages: Sequence[UserMessage]) -> str:
    """Why no verdict can count: no value of the goal was told; empty if one was, or it has none.

    A value that is but a word for its domain ("hotel") says nothing of what is wanted. A user that
    was cut off in its first messages might have told more.
    """
    goal = dialogue.goal
    left = dialogue.stop_reason in (StopReason.USER_DONE, StopReason.USER_GAVE_UP)
    if goal.opening or (len(messages) < MANY and not left):
        return ""
    held = {(part.domain, slot) for part in goal.parts for slot in _values(part)}
    told = {(word.domain, word.slot) for message in messages for word in message.told}
    if not held or held & told:
        return ""
    return f"the user told no value of its goal in {len(messages)} messages"


def strayed(dialogue: Dialogue, messages: Sequence[UserMessage]) -> str:
    """Why the words are no user's of this goal, of which it left some untold; empty if they are."""
    told = {str(word) for message in messages for word in message.told}
    if told.issuperset(map(str, keywords_of(dialogue.goal))):
        return ""
    foreign = [message for message in messages if message.is_foreign]
    english = sum(_ENGLISH.search(plain(message.text)) is not None for message in messages)
    if len(foreign) >= FOREIGN and len(foreign) > english:
        return (
            f"{len(foreign)} of the user's {len(messages)} messages are not in English, "
            f"such as {foreign[0].text!r:.{SHOWN}}"
        )
    idle = [message for message in messages if message.is_idle]
    if len(idle) < MANY or 2 * len(idle) <= len(messages):
        return ""
    return (
        f"{len(idle)} of the user's {len(messages)} messages are about nothing of its goal, "
        f"such as {idle[0].text!r:.{SHOWN}}"
    )


def _told_at(word: Keyword, turn: int) -> bool:
    return word.turn == turn and word.speaker == "user"


def _values(part: DomainGoal) -> tuple[str, ...]:
    cue = DOMAINS_RAISED.get(part.domain)
    held = {**part.fail_inform, **part.inform, **part.fail_book, **part.book}
    return tuple(slot for slot, value in held.items() if not (cue and cue.search(plain(value))))


def _names_again(text: str, answered: str) -> bool:
    """Says whether it repeats a name or a figure that the bot has said."""
    named = {name.lower() for name in _NAME.findall(answered[:MAX_TEXT])}
    return not named.isdisjoint(re.findall(r"\w+", text.lower()))
