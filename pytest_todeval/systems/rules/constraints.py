"""The values that the user gives for slots, each with the domain it is for."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pytest_todeval.language.numbers import to_number
from pytest_todeval.language.times import time_spans
from pytest_todeval.language.values import DONTCARE, normalise
from pytest_todeval.systems.rules import patterns
from pytest_todeval.systems.rules.heard_text import HeardText
from pytest_todeval.systems.rules.lexicon import Lexicon

__all__ = ["Said", "constraints", "indifference", "repeated"]


@dataclass(frozen=True, slots=True)
class Said:
    """A value for a slot, or a reference to where it is known from."""

    domain: str
    slot: str
    value: str = ""
    as_in: str | None = None
    """The domain to take it from ("the same day as the restaurant", "from the hotel"); "" for
    whichever came before; None where the value is given."""
    at: int = 0
    """Where in the text it stands."""


VENUES = ("restaurant", "hotel", "attraction")
BOOKED = ("restaurant", "hotel", "train")
JOURNEYS = ("train", "taxi")
SLOT_OF_SAME = {
    "area": "area", "part": "area", "side": "area", "location": "area", "place": "area",
    "price": "pricerange", "pricerange": "pricerange", "day": "day", "time": "time",
    "group": "people", "people": "people", "party": "people", "number of people": "people",
}  # fmt: skip
DOMAINS_OF = {
    "area": VENUES, "pricerange": VENUES, "people": BOOKED, "day": BOOKED,
    "time": ("restaurant", "train", "taxi"), "food": ("restaurant",), "type": ("hotel", "attraction"),
    "stars": ("hotel",), "internet": ("hotel",), "parking": ("hotel",), "stay": ("hotel",),
    "departure": JOURNEYS, "destination": JOURNEYS, "leaveAt": JOURNEYS, "arriveBy": JOURNEYS,
    "name": VENUES, "department": ("hospital",),
}  # fmt: skip
SLOT_WORDS = {
    "area": r"\barea|part of town|location|where\b|side of town", "pricerange": r"\bpric\w+|\bcost|budget",
    "type": r"\btype\b(?! of food)|kind of (?:attraction|place)", "food": r"\bfood|cuisine", "stars": r"\bstars?\b|rating",
    "internet": r"\binternet|wifi", "parking": r"\bparking", "day": r"\bday\b", "name": r"\bname\b",
    "leaveAt": r"\bdeparture time|leav\w+|\btimes?\b", "arriveBy": r"\barriv\w+",
}  # fmt: skip
AS_THE = re.compile(
    r" ?(?:of (?:town|the city|people) ?)?(?:as|for|with) (?:the |my |our |that )?([^.,?!;]*)"
)
REJECTED = re.compile(
    r"\b(?:not|instead of|rather than|other than|isn't|don't want|too)(?: \w+){0,2} $"
)
LOOSE_FOODS = frozenset(
    {
        "world",
        "creative",
        "unusual",
        "traditional",
        "fusion",
        "crossover",
        "the americas",
        "modern global",
        "english",
        "bistro",
    }
)
NO_FOOD = frozenset(
    [
        "the",
        "a",
        "any",
        "some",
        "good",
        "great",
        "type",
        "kind",
        "of",
        "what",
        "their",
        "your",
        "that",
        "this",
        "serve",
        "serves",
        "serving",
        "like",
        "for",
        "no",
        "and",
        "in",
        "nice",
        "best",
        "other",
        "different",
        "more",
        "same",
        "cheap",
        "expensive",
        "moderate",
        "find",
        "is",
        "do",
        "fine",
        "local",
        "get",
        "place",
        "have",
        "moderately",
        "priced",
        "delicious",
        "about",
        "on",
        "with",
        "food",
        "or",
        "want",
    ]
)
POINTING = re.compile(r"\b(?:the|that|this|my|their|same|as|our|your) $")


def constraints(heard: HeardText, lexicon: Lexicon) -> list[Said]:
    """Every value given, in the order of the text."""
    found: list[Said] = []
    for reader in (_names, _times, _people, _stays, _stars, _days, _prices, _foods, _types):
        found += reader(heard, lexicon)
    for reader in (_areas, _amenities, _departments, _short_answers):
        found += reader(heard, lexicon)
    return sorted(found, key=lambda said: said.at)


def _given(
    heard: HeardText, slot: str, value: str, match: re.Match[str], *, noun: bool = False
) -> Iterator[Said]:
    if REJECTED.search(heard.said[: match.start()]):
        return
    end = match.end() if noun else None
    domain = heard.domain_at(match.start(), slot, DOMAINS_OF[slot], before_noun=end)
    if domain is not None:
        yield Said(domain, slot, value, at=match.start())


def _names(heard: HeardText, lexicon: Lexicon) -> Iterator[Said]:
    for match in re.finditer(r"@(\d+)", heard.said):
        mention = heard.names[int(match[1])]
        before = heard.said[: match.start()]
        if re.search(
            r"\b(?:near|close to|nearby|next to|instead of|not|from|as|besides) (?:the )?$", before
        ):
            continue
        if mention.domain in VENUES:
            yield Said(str(mention.domain), "name", mention.name, at=match.start())
        elif mention.domain is None:
            yield from _given(heard, "name", mention.name, match)


BOOKED_TIME = re.compile(
    r"\b(?:by|in time for|before|at|for) (?:the|my|our) (?:\w+ )?"
    r"(?:booked time|booking|reservations?|dinner)\b"
)


def _times(heard: HeardText, lexicon: Lexicon) -> Iterator[Said]:
    for match in BOOKED_TIME.finditer(heard.said):
        domain = heard.domain_at(match.start(), "arriveBy", JOURNEYS)
        if domain is not None:
            yield Said(domain, "arriveBy", as_in="restaurant", at=match.start())
    for start, end, clock in time_spans(heard.said):
        first, last = heard.sentence_at(start)
        moves = re.search(r"\b(?:leav|depart|arriv|pick)\w*", heard.said[first:last])
        domain = heard.domain_at(start, "time", JOURNEYS if moves else DOMAINS_OF["time"])
        if domain is None:
            asked = heard.context.asked_for(("time", "leaveAt", "arriveBy"))
            domain = asked[0] if asked else "restaurant"
        slot = "time" if domain == "restaurant" else _moves(heard, start, end, domain)
        yield Said(domain, slot, clock, at=start)


def _moves(heard: HeardText, start: int, end: int, domain: str) -> str:
    """Whether a time is one of leaving or of arriving."""
    first, last = heard.sentence_at(start)
    before, after = heard.said[first:start], heard.said[end:last]
    verbs = re.findall(
        r"\b(leav|depart|pick|go(?=ing)|arriv|get (?=there|to|in)|be (?=there|at)|reach)([^,]*)",
        before,
    )
    preposition = re.search(
        r"\b(after|by|before|until|around|at)(?: or (?:after|before))? $", before
    )
    said = preposition[1] if preposition else ""
    if said in ("by", "before", "until") and (
        not verbs or (domain == "train" and len(verbs[-1][1].split()) > 4)
    ):
        return "arriveBy"
    if said == "after" and (domain == "train" or not verbs):
        return "leaveAt"
    if verbs:
        return "leaveAt" if verbs[-1][0] in ("leav", "depart", "pick", "go") else "arriveBy"
    if re.search(r"\barriv|\barrival", before + after):
        return "arriveBy"
    asked = heard.context.asked_for(("leaveAt", "arriveBy"))
    return asked[1] if asked else "leaveAt"


def _people(heard: HeardText, lexicon: Lexicon) -> Iterator[Said]:
    for match in patterns.PEOPLE.finditer(heard.said):
        number = to_number(next(group for group in match.groups() if group))
        if number not in (None, "0"):
            yield from _given(heard, "people", str(number), match)
    for match in patterns.ALONE.finditer(heard.said):
        yield from _given(heard, "people", "1", match)


def _stays(heard: HeardText, lexicon: Lexicon) -> Iterator[Said]:
    for match in patterns.STAY.finditer(heard.said):
        number = to_number(next(group for group in match.groups() if group))
        if number not in (None, "0"):
            yield Said("hotel", "stay", str(number), at=match.start())


def _stars(heard: HeardText, lexicon: Lexicon) -> Iterator[Said]:
    for match in patterns.STARS.finditer(heard.said):
        number = to_number(next(group for group in match.groups() if group))
        if number is not None:
            yield Said("hotel", "stars", number, at=match.start())


def _days(heard: HeardText, lexicon: Lexicon) -> Iterator[Said]:
    for match in patterns.DAY.finditer(heard.said):
        if match[1] in ("sun", "sat", "wed") and not match[2] and "restaurant" not in heard.said:
            pass
        yield from _given(heard, "day", normalise("day", match[0]), match)


def _prices(heard: HeardText, lexicon: Lexicon) -> Iterator[Said]:
    for value, pattern in patterns.PRICES.items():
        for match in pattern.finditer(heard.said):
            if not patterns.HOW_DEAR.search(heard.said[max(0, match.start() - 12) :]):
                yield from _given(heard, "pricerange", value, match, noun=True)


def _areas(heard: HeardText, lexicon: Lexicon) -> Iterator[Said]:
    for match in patterns.AREAS.finditer(heard.said):
        value = normalise("area", match[0])
        yield from _given(heard, "area", value, match, noun=True)


@lru_cache(maxsize=16)
def _food_pattern(foods: tuple[str, ...]) -> re.Pattern[str]:
    wordings = sorted({*foods, *patterns.FOODS}, key=len, reverse=True)
    return re.compile(
        rf"\b({'|'.join(map(re.escape, wordings))})\b(?! (?:street|road|house|college|museum|park))"
    )


def _foods(heard: HeardText, lexicon: Lexicon) -> Iterator[Said]:
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
        if not REJECTED.search(heard.said[: match.start()]):
            yield Said("restaurant", "food", known.get(match[1], match[1]), at=match.start())
    for match in re.finditer(r"\b((?:[a-z]+ )?[a-z]+) (?:food|cuisine)\b", heard.said):
        words = [word for word in match[1].split() if word not in NO_FOOD]
        taken = any(start < match.end() and match.start() < end for start, end in spans)
        if words and words[-1] == match[1].split()[-1] and not taken:
            yield Said("restaurant", "food", " ".join(words), at=match.start())


@lru_cache(maxsize=16)
def _type_pattern(types: tuple[tuple[str, str], ...]) -> re.Pattern[str]:
    own = {
        re.escape(word) + "s?"
        for word, value in types
        if value not in patterns.TYPES and normalise("type", word) == value
    }
    wordings = [*patterns.TYPES.values(), *sorted(own)]
    return re.compile("|".join(rf"\b(?:{wording})\b" for wording in wordings))


def _types(heard: HeardText, lexicon: Lexicon) -> Iterator[Said]:
    known = lexicon.values.get(("attraction", "type"), {})
    for match in _type_pattern(tuple(known.items())).finditer(heard.said):
        if POINTING.search(heard.said[: match.start()]) or (
            re.match(r" types?\b", heard.said[match.end() :]) and "what" in heard.said
        ):
            continue
        value = (
            known.get(match[0]) or known.get(match[0].rstrip("s")) or normalise("type", match[0])
        )
        if not REJECTED.search(heard.said[: match.start()]):
            yield Said("attraction", "type", value, at=match.start())
    yield from _hotel_types(heard)


HOTEL = re.compile(
    r"\btypes? (?:of )?(?:should be |is |be |a )?(?:a )?hotel\b(?! (?:is|are|do))|\bhotel type\b(?= (?:please|of))|\b(?:should|must|to) be (?:a|an) (?:actual )?hotel\b|\ba hotel,? (?:not|rather|instead)|\bhotel (?:rather|instead|and not|not)\b|\bhotels? only\b"
)
GUESTHOUSE = re.compile(r"\bguesthouses?\b")


def _hotel_types(heard: HeardText) -> Iterator[Said]:
    either = re.search(r"guesthouse or (?:a )?hotel|hotel or (?:a )?guesthouse", heard.said)
    if either:
        return
    for match in GUESTHOUSE.finditer(heard.said):
        before = heard.said[: match.start()]
        if not POINTING.search(before) and not REJECTED.search(before):
            yield Said("hotel", "type", "guesthouse", at=match.start())
    for match in HOTEL.finditer(heard.said):
        if not re.search(r"\bwh(?:at|ich) $|\bknow (?:the )?$", heard.said[: match.start()]):
            yield Said("hotel", "type", "hotel", at=match.start())
    asked = heard.context.asked_for(("type",))
    short = len(heard.said) < 40 and re.search(r"\bhotel\b", heard.said)
    if asked == ("hotel", "type") and short and not GUESTHOUSE.search(heard.said):
        yield Said("hotel", "type", "hotel", at=short.start())


NEGATED = re.compile(
    r"\b(?:no|not|without|don't|doesn't|does not|do not|isn't|didn't|never)\b"
    r"(?: (?!with\b|and\b|but\b)[a-z]+){0,4} $"
)
NOT_NEEDED = re.compile(r" (?:is not|isn't) (?:needed|necessary|required|important)")


def _amenities(heard: HeardText, lexicon: Lexicon) -> Iterator[Said]:
    for slot, pattern in (("internet", patterns.INTERNET), ("parking", patterns.PARKING)):
        for match in pattern.finditer(heard.said):
            value = _wanted(heard, match)
            if value is not None:
                yield Said("hotel", slot, value, at=match.start())


def _wanted(heard: HeardText, match: re.Match[str]) -> str | None:
    """Whether an amenity is wanted; None where the user only asks about it."""
    first, last = heard.sentence_at(match.start())
    before, sentence = heard.said[first : match.start()], heard.said[first:last]
    asks = r"\bwhether\b|\bif (?:it|they|there)\b|\bis there\b|\b(?:does|do) (?:it|they|the \w+|that|this|@\d+)\b|\bthey have\b"
    if "hotel" in heard.context.offered or heard.names:
        if re.search(asks, before):
            return None
    elif re.search(r"\bwhether\b", before):
        return None
    if re.search(r"\b(?:(?:tell me|know) about|give me|i need to know)\b[^,]*$", before):
        return None
    if patterns.ANY.search(sentence) and "any" not in sentence:
        return DONTCARE
    negated = NEGATED.search(before) or NOT_NEEDED.match(heard.said, match.end())
    return "no" if negated else "yes"


def _departments(heard: HeardText, lexicon: Lexicon) -> Iterator[Said]:
    if "hospital" not in (heard.context.domain, *(domain for _, domain in heard.cues)):
        return
    known = lexicon.values.get(("hospital", "department"), {})
    for wording in sorted(known, key=len, reverse=True):
        place = heard.said.find(wording)
        if place >= 0:
            yield Said("hospital", "department", known[wording], at=place)
            return


def _short_answers(heard: HeardText, lexicon: Lexicon) -> Iterator[Said]:
    """A bare number as the answer to "how many?"."""
    match = re.fullmatch(
        rf"[^a-z0-9]*(?:(?:yes|ok|sure|it will be|there will be|for|just|i need|about|make it)[ ,]*)*{patterns.NUMBER}[^a-z0-9]*(?:(?:please|thanks|thank you|of them)[^a-z0-9]*)?",
        heard.said,
    )
    asked = heard.context.asked_for(("people", "stay", "stars"))
    if match and asked and not patterns.PEOPLE.search(heard.said):
        number = to_number(match[1])
        if number is not None:
            yield Said(*asked, number, at=match.start(1))


def indifference(heard: HeardText, told: Sequence[Said]) -> list[Said]:
    """ "I don't care about the price", "any": slots for which every value will do."""
    found = []
    for start, end in heard.sentences():
        sentence = heard.said[start:end]
        if not patterns.ANY.search(sentence):
            continue
        given = {s.slot for s in told if start <= s.at < end}
        named = [
            s for s, words in SLOT_WORDS.items() if re.search(words, sentence) and s not in given
        ]
        for slot in named:
            domain = heard.domain_at(start, slot, DOMAINS_OF[slot])
            if domain is not None:
                found.append(Said(domain, slot, DONTCARE, at=start))
        if not named and not given:
            found += [
                Said(domain, slot, DONTCARE, at=start) for domain, slot in heard.context.asked
            ]
    return found


def repeated(heard: HeardText) -> list[Said]:
    """ "The same day as the restaurant booking": taken out of the text, to be looked up."""
    found = []
    for match in patterns.SAME.finditer(heard.said):
        slot = SLOT_OF_SAME[match[1]]
        tail = AS_THE.match(heard.said, match.end())
        other = ""
        end = match.end()
        if tail is not None:
            cues = [cue for cue in heard.cues if tail.start() <= cue[0] < tail.end()]
            if cues:
                other, end = cues[0][1], _end_of_reference(heard, cues[0][0])
        heard.hide(match.start(), end)
        among = [domain for domain in DOMAINS_OF[slot] if domain != other]
        domain = heard.domain_at(match.start(), slot, among)
        if domain is not None:
            found.append(Said(domain, slot, as_in=other, at=match.start()))
    return found


def _end_of_reference(heard: HeardText, start: int) -> int:
    tail = re.compile(r"(?:@\d+|[a-z]+)(?: (?:booking|reservation|train|hotel|restaurant))?").match(
        heard.said, start
    )
    return tail.end() if tail else start


Reader = Callable[[HeardText, Lexicon], Iterator[Said]]
