"""Journeys: where a train or taxi starts and ends, by name or as "the hotel"."""

import re

from pytest_todeval.nlu.cues import DOMAINS_RAISED
from pytest_todeval.simulation.systems.rules.heard_text import HeardText, SaidValue

VENUE_WORDS = {
    "restaurant": r"restaurant|diner|eatery|dinner",
    "hotel": r"hotel|guesthouse|lodging|b and b|accommodation|place i'm staying",
    "attraction": (
        r"attraction|museum|college|park|theatre|cinema|nightclub|club|church|"
        r"gallery|pool|swimming ?pool|concert ?hall|boat|architecture|"
        r"entertainment|cafe"
    ),
    "train": r"train station|station",
}
_WORDS = "|".join(VENUE_WORDS.values())
PLACE = (
    rf"(?:(?:the|my|our|this|that) )?(?:(?:{_WORDS}),? (?:called )?)?@(\d+)|"
    rf"(?:the|my|our|this|that) (?:first |last )?({_WORDS})\b"
)
_FILLER = r"(?:the )?(?:station in |city of |town of )?"
FROM = re.compile(
    rf"\b(?:from|leav(?:e|es|ing)(?: from)?|depart(?:s|ing|ure)?(?: (?:point|"
    rf"place|location|site|is|should be|will be))*(?: from)?|out of|"
    rf"pick(?:ed)?(?: me| us)? ?up(?: (?:is|point|location|will be|should"
    rf" be))*(?: at| from)?|starting (?:at|from)|coming from)"
    rf" {_FILLER}(?:{PLACE})"
)
TO = re.compile(
    rf"\b(?:to|into|towards?|destination(?: (?:is|will be|should be|would"
    rf" be))*|arriv(?:e|es|ing)(?: (?:at|in))?|reach|take (?:me|us) to|"
    rf"drop(?:ped)?(?: me| us)? ?off(?: (?:at|is|location|will be))*|going|get"
    rf" (?:me |us )?(?:back )?to|for|visit|head(?:ing|ed)? (?:to|for))"
    rf" {_FILLER}(?:{PLACE})"
)
BETWEEN = re.compile(rf"\bbetween {_FILLER}(?:{PLACE}) and {_FILLER}(?:{PLACE})")
PAIR = re.compile(rf"(?:{PLACE}) (?:to|-|->) {_FILLER}(?:{PLACE})")
BARE = re.compile(PLACE)
BOTH = ("departure", "destination")
NAMING = ((BOTH, BETWEEN), (("departure",), FROM), (BOTH, PAIR), (("destination",), TO))
"""What names which places, in the order in which they are read."""


def places(heard: HeardText) -> list[SaidValue]:
    """Returns the places of a journey that the user names; they are taken out of the text."""
    found: list[SaidValue] = []
    domain = heard.context.domain
    spans = []
    for start, end in heard.sentences():
        domain = _journey(heard, start, end, domain)
        if domain in ("taxi", "train"):
            spans.append((domain, start, end))
    for domain, start, end in spans:
        found += _in_sentence(heard, domain, start, end)
    return found


def _journey(heard: HeardText, start: int, end: int, before: str | None) -> str | None:
    """Returns the domain of a sentence, as far as journeys are concerned."""
    sentence = heard.said[start:end]
    if DOMAINS_RAISED["taxi"].search(sentence) or re.search(
        r"\bbetween the (?:two|2) places\b", sentence
    ):
        return "taxi"
    if DOMAINS_RAISED["train"].search(re.sub(r"\btrain station", "_", sentence)):
        return "train"
    if before in ("taxi", "train"):
        other = [
            d for place, d in heard.cues if start <= place < end and d not in ("taxi", "train")
        ]
        looks = re.search(
            (
                r"\b(?:looking for|find|need|want) (?:a |an |some )?(?:\w+"
                r" )?(?:restaurant|hotel|place|guesthouse|attraction|museum)"
            ),
            sentence,
        )
        return "other" if other and (looks or before == "train") and not _goes(sentence) else before
    if (
        _goes(sentence)
        and _stations(heard, sentence)
        and ("taxi", "departure") not in heard.context.asked
    ):
        heard.cues = sorted([*heard.cues, (start, "train")])
        return "train"
    return before


def _goes(sentence: str) -> bool:
    return FROM.search(sentence) is not None or TO.search(sentence) is not None


def _stations(heard: HeardText, sentence: str) -> bool:
    """Whether it goes from one station to another, or names one that is not in the bot's town."""
    matches = [*FROM.finditer(sentence), *TO.finditer(sentence)]
    named = {heard.names[int(m[1])] for m in matches if m[1] is not None}
    stations = {mention.name for mention in named if mention.domain == "train"}
    return len(stations) > 1 or bool(stations - {heard.home})


def _in_sentence(heard: HeardText, domain: str, start: int, end: int) -> list[SaidValue]:
    found: dict[str, SaidValue] = {}
    for slots, pattern in NAMING:
        for match in pattern.finditer(heard.said, start, end):
            groups = match.groups()
            for place, its_slot in zip((groups[:2], groups[2:]), slots, strict=False):
                said = _said(heard, domain, its_slot, place, match.start())
                if said is not None and (its_slot not in found):
                    found[its_slot] = said
            for start_of, end_of in _place_spans(match):
                heard.hide(start_of, end_of)
    if not found:
        found = _answer(heard, domain, start, end)
    return list(found.values())


def _place_spans(match: re.Match[str]) -> list[tuple[int, int]]:
    """Returns where the places stand in a match; the words around them are still to be read."""
    spans = [match.span(n) for n in range(1, match.re.groups + 1) if match[n] is not None]
    return [(start - (match.string[start - 1] == "@"), end) for start, end in spans]


def _said(
    heard: HeardText, domain: str, slot: str, place: tuple[str | None, ...], at: int
) -> SaidValue | None:
    number, word = place[0], place[1]
    if number is not None:
        mention = heard.names[int(number)]
        if domain == "train" and mention.domain != "train":
            return None
        return SaidValue(domain, slot, mention.name, at=at)
    if word is None or domain == "train":
        return None
    venue = next(d for d, words in VENUE_WORDS.items() if re.fullmatch(words, word))
    return SaidValue(domain, slot, as_in=venue, at=at) if venue != "train" else None


def _answer(heard: HeardText, domain: str, start: int, end: int) -> dict[str, SaidValue]:
    """Returns a bare place as the answer to "where from?"."""
    asked = heard.context.asked_for(BOTH)
    match = BARE.search(heard.said, start, end)
    if asked is None or match is None or asked[0] != domain:
        return {}
    said = _said(heard, domain, asked[1], match.groups(), match.start())
    if said is None:
        return {}
    heard.hide(match.start(), match.end())
    return {asked[1]: said}
