"""Finds what an emphasised phrase of a goal's message means: a value, something to ask for, a
domain.
"""

from collections.abc import Iterator

from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.evaluate.metrics.keywords import PHRASE, Keyword, keywords_of
from pytest_todeval.goals.message import mentions
from pytest_todeval.nlu.cues import DOMAINS_RAISED
from pytest_todeval.nlu.questions.asked import USERS_ASK
from pytest_todeval.nlu.text.plain import plain
from pytest_todeval.nlu.values.normalise import canonical_slot

DOMAIN = "domain"
"""The kind of a keyword that is raised by talk about a domain."""
REFERENCE = "reference number"
TAKEN_OVER = {
    "same day": ("day",),
    "same group": ("people",),
    "same area": ("area",),
    "same price range": ("pricerange",),
    "booked time": ("arriveBy", "leaveAt"),
}
"""Phrases that take a value over from another domain, by the slots that they mean."""


def meanings(word: Keyword, goal: Goal) -> tuple[Keyword, ...]:
    """Returns the keywords any of which raises this one: the meanings of a phrase, else its words.

    "4 people" means the goal's number of people, however it is said; "place to stay" that somebody
    speaks of a hotel, or of the one that the goal names. A phrase without such a meaning stands for
    itself.
    """
    if word.kind != PHRASE:
        return (word,)
    parts = [part for part in goal.domains if part.domain == word.domain]
    return next((found for part in parts if (found := tuple(_of(word, part, goal)))), (word,))


def _of(word: Keyword, part: DomainGoal, goal: Goal) -> Iterator[Keyword]:
    phrase = str(word.value)
    simple = plain(phrase)
    mine = [each for each in keywords_of(goal) if each.domain == part.domain]
    values = [each for each in mine if each.value and _tells(phrase, each.slot, each.value)]
    asked = [each for each in mine if each.value is None and _names(each.slot, simple)]
    if values or asked:
        yield from values or asked
    elif REFERENCE in simple:
        yield Keyword(part.domain, "reference", None, "request")
    elif (cue := DOMAINS_RAISED.get(part.domain)) is not None and cue.search(simple):
        yield Keyword(part.domain, "", None, DOMAIN)
        yield from (each for each in mine if each.value and each.slot == "name")


def _tells(phrase: str, slot: str, value: str) -> bool:
    simple = plain(phrase)
    over = (slots for same, slots in TAKEN_OVER.items() if same in simple)
    return any(canonical_slot(slot) in slots for slots in over) or bool(
        mentions([phrase], {slot: value})
    )


def _names(slot: str, simple: str) -> bool:
    wordings = USERS_ASK.get(slot)
    return slot.lower() in simple or (wordings is not None and bool(wordings.search(simple)))
