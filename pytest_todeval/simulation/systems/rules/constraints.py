"""The values that the user gives for slots, each with the domain it is for."""

import re
from collections.abc import Sequence

from pytest_todeval.nlu.values.normalise import DONTCARE
from pytest_todeval.simulation.systems.rules import amounts, kinds, patterns
from pytest_todeval.simulation.systems.rules.heard_text import DOMAINS_OF, HeardText, SaidValue
from pytest_todeval.simulation.systems.rules.lexicon import BotLexicon

READERS = (
    kinds.names, kinds.prices, kinds.foods, kinds.types, kinds.areas, kinds.amenities,
        kinds.departments, kinds.train_ids,
    amounts.times, amounts.people, amounts.stays, amounts.stars, amounts.days,
        amounts.short_answers,
)  # fmt: skip
SLOT_OF_SAME = {
    "area": "area", "part": "area", "side": "area", "location": "area", "place": "area",
    "price": "pricerange", "pricerange": "pricerange", "day": "day", "time": "time",
    "group": "people", "people": "people", "party": "people", "number of people": "people",
}  # fmt: skip
SLOT_WORDS = {
    "area": r"\barea|part of town|location|where\b|side of town",
        "pricerange": r"\bpric\w+|\bcost|budget",
    "type": r"\btype\b(?! of food)|kind of (?:attraction|place)", "food": r"\bfood|cuisine",
        "stars": r"\bstars?\b|rating",
    "internet": r"\binternet|wifi", "parking": r"\bparking", "day": r"\bday\b", "name": r"\bname\b",
    "leaveAt": r"\bdeparture time|leav\w+|\btimes?\b", "arriveBy": r"\barriv\w+",
}  # fmt: skip
AS_THE = re.compile(
    r" ?(?:of (?:town|the city|people) ?)?(?:as|for|with) (?:the |my |our |that )?([^.,?!;]*)"
)


def constraints(heard: HeardText, lexicon: BotLexicon) -> list[SaidValue]:
    """Returns every value given, in the order of the text."""
    found = [said for reader in READERS for said in reader(heard, lexicon)]
    return sorted(found, key=lambda said: said.at)


NO_PREFERENCE = re.compile(
    r"(?:no|nope|not (?:really|at all)|none|i don't|i do not)\b(?! (?:need|want))"
)
CORRECTS = re.compile(r"\b(?:said|asked|meant?|mean|wrong|right|quite|instead|looking|that one)\b")
PREFERENCES = frozenset({"area", "pricerange", "food", "type", "stars", "leaveAt", "arriveBy"})


def indifference(heard: HeardText, told: Sequence[SaidValue]) -> list[SaidValue]:
    """Slots for which every value will do."""
    found = _no_to_a_question(heard, told)
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
                found.append(SaidValue(domain, slot, DONTCARE, at=start))
        if not named and not given:
            found += [
                SaidValue(domain, slot, DONTCARE, at=start) for domain, slot in heard.context.asked
            ]
    return found


def _no_to_a_question(heard: HeardText, told: Sequence[SaidValue]) -> list[SaidValue]:
    """Returns the slots that a "not really" leaves open, if the bot asked for a preference."""
    if not NO_PREFERENCE.match(heard.said) or CORRECTS.search(heard.said):
        return []
    given = {(said.domain, said.slot) for said in told}
    open_questions = [a for a in heard.context.asked if a[1] in PREFERENCES and a not in given]
    return [SaidValue(domain, slot, DONTCARE) for domain, slot in open_questions]


def repeated(heard: HeardText) -> list[SaidValue]:
    """Words like "the same day as the restaurant": taken out of the text, to be looked up."""
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
            found.append(SaidValue(domain, slot, as_in=other, at=match.start()))
    return found


def _end_of_reference(heard: HeardText, start: int) -> int:
    tail = re.compile(r"(?:@\d+|[a-z]+)(?: (?:booking|reservation|train|hotel|restaurant))?").match(
        heard.said, start
    )
    return tail.end() if tail else start
