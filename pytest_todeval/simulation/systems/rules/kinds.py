"""What kind of venue: its name, area, price, food, type and amenities."""

import re
from collections.abc import Iterator
from functools import lru_cache

from pytest_todeval.nlu.questions.asked import INTERNET, PARKING
from pytest_todeval.nlu.values.normalise import DONTCARE, normalise
from pytest_todeval.nlu.values.wordings import AREAS, HOW_DEAR, PRICES, TYPES
from pytest_todeval.simulation.systems.rules import patterns
from pytest_todeval.simulation.systems.rules.heard_text import (
    VENUES,
    HeardText,
    SaidValue,
    given,
    is_rejected,
)
from pytest_todeval.simulation.systems.rules.lexicon import BotLexicon

LOOSE_FOODS = frozenset({
    "world", "creative", "unusual", "traditional", "fusion", "crossover", "the americas",
    "modern global", "english", "bistro",
})  # fmt: skip
FOOD_QUALIFIERS = frozenset({
    "modern", "north", "south", "east", "west", "northern", "southern", "eastern", "western",
    "middle", "new", "latin", "sri",
})  # fmt: skip
NO_FOOD = frozenset({
    "the", "a", "any", "some", "good", "great", "type", "kind", "of", "what", "their", "your",
    "that", "this", "serve", "serves", "serving", "like", "for", "no", "and", "in", "nice",
    "best", "other", "different", "more", "same", "cheap", "expensive", "moderate", "find", "is",
    "do", "fine", "local", "get", "place", "have", "moderately", "priced", "delicious", "about",
    "on", "with", "food", "or", "want", "after", "its", "particular", "certain", "specific", "sort",
    "favourite", "favorite", "only", "just", "me", "my", "by", "to", "all",
})  # fmt: skip
POINTING = re.compile(r"\b(?:the|that|this|my|their|same|as|our|your) $")


def names(heard: HeardText, lexicon: BotLexicon) -> Iterator[SaidValue]:
    for match in re.finditer(r"@(\d+)", heard.said):
        mention = heard.names[int(match[1])]
        before = heard.said[: match.start()]
        if re.search(
            r"\b(?:near|close to|nearby|next to|instead of|not|from|as|besides) (?:the )?$", before
        ):
            continue
        if mention.domain in VENUES:
            yield SaidValue(str(mention.domain), "name", mention.name, at=match.start())
        elif mention.domain is None:
            yield from given(heard, "name", mention.name, match)


def train_ids(heard: HeardText, lexicon: BotLexicon) -> Iterator[SaidValue]:
    for match in re.finditer(r"\btr ?(\d{4})\b", heard.said):
        yield SaidValue("train", "trainID", f"TR{match[1]}", at=match.start())


def prices(heard: HeardText, lexicon: BotLexicon) -> Iterator[SaidValue]:
    for value, pattern in PRICES.items():
        for match in pattern.finditer(heard.said):
            if not HOW_DEAR.search(heard.said[max(0, match.start() - 12) :]):
                yield from given(heard, "pricerange", value, match, noun=True)


def areas(heard: HeardText, lexicon: BotLexicon) -> Iterator[SaidValue]:
    for match in AREAS.finditer(heard.said):
        value = normalise("area", match[0])
        yield from given(heard, "area", value, match, noun=True)


@lru_cache(maxsize=16)
def _food_pattern(foods: tuple[str, ...]) -> re.Pattern[str]:
    wordings = sorted({*foods, *patterns.FOODS}, key=len, reverse=True)
    return re.compile(
        rf"\b({'|'.join(map(re.escape, wordings))})\b(?! (?:street|road|house|college|museum|park))"
    )


def foods(heard: HeardText, lexicon: BotLexicon) -> Iterator[SaidValue]:
    known = lexicon.values.get(("restaurant", "food"), {})
    spans = []
    for match in _food_pattern(tuple(known)).finditer(heard.said):
        follows = re.match(
            r"[ -]*(?:type )?(?:food|cuisine|restaurant|place|or)", heard.said[match.end() :]
        )
        asked = heard.context.asked_for(("food",)) is not None
        if match[1] in LOOSE_FOODS and not follows and not asked:
            continue
        spans.append(match.span())
        if not is_rejected(heard, match.start()):
            yield SaidValue("restaurant", "food", known.get(match[1], match[1]), at=match.start())
    for match in re.finditer(r"\b((?:[a-z]+ )?[a-z]+) (?:food|cuisine)\b", heard.said):
        *before, last = match[1].split()
        taken = any(start < match.end() and match.start() < end for start, end in spans)
        if last not in NO_FOOD and not taken:
            words = [word for word in before if word in FOOD_QUALIFIERS]
            yield SaidValue("restaurant", "food", " ".join([*words, last]), at=match.start())


@lru_cache(maxsize=16)
def _type_pattern(types: tuple[tuple[str, str], ...]) -> re.Pattern[str]:
    own = {
        re.escape(word) + "s?"
        for word, value in types
        if value not in TYPES and normalise("type", word) == value
    }
    wordings = [*TYPES.values(), *sorted(own)]
    return re.compile("|".join(rf"\b(?:{wording})\b" for wording in wordings))


def types(heard: HeardText, lexicon: BotLexicon) -> Iterator[SaidValue]:
    known = lexicon.values.get(("attraction", "type"), {})
    for match in _type_pattern(tuple(known.items())).finditer(heard.said):
        if POINTING.search(heard.said[: match.start()]) or (
            re.match(r" types?\b", heard.said[match.end() :]) and "what" in heard.said
        ):
            continue
        value = (
            known.get(match[0]) or known.get(match[0].rstrip("s")) or normalise("type", match[0])
        )
        if not is_rejected(heard, match.start()):
            yield SaidValue("attraction", "type", value, at=match.start())
    yield from hotel_types(heard)


HOTEL = re.compile(
    r"\btypes? (?:of )?(?:should be |is |be |a )?(?:a )?hotel\b(?! (?:is|are|"
    r"do))|\bhotel type\b(?= (?:please|of))|\b(?:should|must|to) be (?:a|an)"
    r" (?:actual )?hotel\b|\ba hotel,? (?:not|rather|instead)|\bhotel"
    r" (?:rather|instead|and not|not)\b|\bhotels? only\b"
)
GUESTHOUSE = re.compile(r"\bguesthouses?\b")


def hotel_types(heard: HeardText) -> Iterator[SaidValue]:
    if re.search(r"guesthouse or (?:a )?hotel|hotel or (?:a )?guesthouse", heard.said):
        return
    for match in GUESTHOUSE.finditer(heard.said):
        before = heard.said[: match.start()]
        if not POINTING.search(before) and not is_rejected(heard, match.start()):
            yield SaidValue("hotel", "type", "guesthouse", at=match.start())
    for match in HOTEL.finditer(heard.said):
        if not re.search(r"\bwh(?:at|ich) $|\bknow (?:the )?$", heard.said[: match.start()]):
            yield SaidValue("hotel", "type", "hotel", at=match.start())
    asked = heard.context.asked_for(("type",))
    short = len(heard.said) < 40 and re.search(r"\bhotel\b", heard.said)
    if asked == ("hotel", "type") and short and not GUESTHOUSE.search(heard.said):
        yield SaidValue("hotel", "type", "hotel", at=short.start())


ASKS = re.compile(r"\bwhether\b|\bif (?:it|they)\b|\b(?:does it|do they)\b")
ASKS_OF_ONE = re.compile(
    r"\b(?:is|if) there\b|\b(?:does|do) (?:the \w+|that|this|@\d+)\b|\bthey have\b"
)
NEGATED = re.compile(
    r"\b(?:no|not|without|don't|doesn't|does not|do not|isn't|didn't|never)\b"
    r"(?: (?!with\b|and\b|but\b)[a-z]+){0,4} $"
)
NOT_NEEDED = re.compile(r" (?:is not|isn't) (?:needed|necessary|required|important)")


def amenities(heard: HeardText, lexicon: BotLexicon) -> Iterator[SaidValue]:
    for slot, pattern in (("internet", INTERNET), ("parking", PARKING)):
        for match in pattern.finditer(heard.said):
            value = _wanted(heard, match)
            if value is not None:
                yield SaidValue("hotel", slot, value, at=match.start())


def _wanted(heard: HeardText, match: re.Match[str]) -> str | None:
    """Says whether an amenity is wanted; None if the user only asks about it."""
    first, last = heard.sentence_at(match.start())
    before, sentence = heard.said[first : match.start()], heard.said[first:last]
    if ASKS.search(before) or (
        ("hotel" in heard.context.offered or heard.names) and ASKS_OF_ONE.search(before)
    ):
        return None
    if re.search(r"\b(?:(?:tell me|know) about|give me|i need to know)\b[^,]*$", before):
        return None
    if patterns.ANY.search(sentence) and "any" not in sentence:
        return DONTCARE
    negated = NEGATED.search(before) or NOT_NEEDED.match(heard.said, match.end())
    return "no" if negated else "yes"


def departments(heard: HeardText, lexicon: BotLexicon) -> Iterator[SaidValue]:
    if "hospital" not in (heard.context.domain, *(domain for _, domain in heard.cues)):
        return
    known = lexicon.values.get(("hospital", "department"), {})
    for wording in sorted(known, key=len, reverse=True):
        place = heard.said.find(wording)
        if place >= 0:
            yield SaidValue("hospital", "department", known[wording], at=place)
            return
