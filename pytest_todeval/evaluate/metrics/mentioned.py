"""Finds whether a message raises a keyword of the goal: a value, or a slot to be asked for."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.dialogue_act import Act, DialogueAct
from pytest_todeval.evaluate.metrics.keywords import PHRASE, Keyword
from pytest_todeval.evaluate.metrics.phrases import DOMAIN
from pytest_todeval.facts.dialogue import MAX_TEXT, TurnFacts, gather
from pytest_todeval.facts.told_values import says_value
from pytest_todeval.nlu.cues import ALONE, ASKING, BOOKED_TIME, DOMAINS_RAISED, PEOPLE
from pytest_todeval.nlu.names.lexicon import Lexicon, lexicon
from pytest_todeval.nlu.questions.asked import NEVER_A_CONSTRAINT, USERS_ASK
from pytest_todeval.nlu.text.plain import clauses, plain
from pytest_todeval.nlu.values.mentions import Mention, mentions
from pytest_todeval.nlu.values.normalise import NAME_SLOTS, TIME_SLOTS, canonical_slot, same_value

USER, BOT = "user", "bot"
_SENTENCE = re.compile(r"[^.?!\n]+[.?!\n]?")
_SAME = re.compile(
    r"\bsame (?:\w+ ){0,3}?(day|people|group|party|area|part|price|price ?range|pricerange|time"
    r"|number)\b"
)
_REFERS_TO = {
    "day": "day", "people": "people", "group": "people", "party": "people", "number": "people",
    "area": "area", "part": "area", "price": "pricerange", "price range": "pricerange",
    "pricerange": "pricerange", "time": "time",
}  # fmt: skip


@dataclass(frozen=True)
class SpokenPlace:
    """What was said by one side in one turn."""

    turn: int
    speaker: str
    text: str
    simple: str
    """The text, made plain."""
    domains: frozenset[str]
    """What it is about."""
    named: frozenset[str]
    """The domains that its own words raise, or that it tells of."""
    mentioned: tuple[Mention, ...]
    told: frozenset[str]
    """Slots whose value the bot tells."""
    shared: frozenset[Keyword]
    """Keywords that several domains of the goal have alike."""
    known: Lexicon

    def raises(self, keyword: Keyword) -> bool:
        """Says whether a keyword is raised here."""
        slot = canonical_slot(keyword.slot)
        about = keyword.domain in self.domains
        if keyword.kind == DOMAIN:
            return keyword.domain in self.named
        if keyword.kind == PHRASE:
            words = re.escape(plain(str(keyword.value)))
            return re.search(rf"(?<!\w){words}(?!\w)", self.simple) is not None
        if keyword.value is None:
            return (about or keyword not in self.shared) and self._asks_or_tells(slot)
        if keyword in self.shared and not about:
            return False
        return self._says(slot, keyword.value) or (keyword in self.shared and self._refers_to(slot))

    def _says(self, slot: str, value: str) -> bool:
        alike = [m.value for m in self.mentioned if _family(m.slot) == _family(slot)]
        alike += _people(self.simple) if slot == "people" else []
        return any(same_value(slot, value, each) for each in alike) or says_value(
            self.text, slot, value
        )

    def _refers_to(self, slot: str) -> bool:
        """Says whether a message takes over another domain's value: "the same day", "by the booked
        time".
        """
        if slot in TIME_SLOTS and BOOKED_TIME.search(self.simple):
            return True
        return any(_family(_REFERS_TO[m[1]]) == _family(slot) for m in _SAME.finditer(self.simple))

    def _asks_or_tells(self, slot: str) -> bool:
        return slot in self.told or any(
            _words(slot, self.known).search(sentence)
            and (slot in NEVER_A_CONSTRAINT or slot not in USERS_ASK or ASKING.search(sentence))
            for sentence in _SENTENCE.findall(self.simple)
        )


def places(dialogue: Dialogue, keywords: Sequence[Keyword]) -> Iterator[SpokenPlace]:
    """Returns the messages in order; the user's last words are a turn of their own."""
    evidence = gather(dialogue)
    known, shared = lexicon(evidence.vocabulary), _shared(keywords)
    domains = tuple(dict.fromkeys(word.domain for word in keywords))

    def place(turn: int, speaker: str, said: str, facts: TurnFacts | None) -> SpokenPlace:
        text = said[:MAX_TEXT]
        simple = plain(text)
        named = {domain for domain in domains if _cue(domain).search(simple)}
        heard = facts.heard if facts is not None and speaker == BOT else ()
        named |= _told_of(heard)
        about = {*named, *({facts.domain} if facts is not None and facts.domain else ())}
        found = tuple(_mentions(simple, known, sorted(about)))
        return SpokenPlace(
            turn,
            speaker,
            text,
            simple,
            frozenset(about),
            frozenset(named),
            found,
            _told(heard),
            shared,
            known,
        )

    for facts in evidence.told:
        yield place(facts.index, USER, facts.turn.user, facts)
        yield place(facts.index, BOT, facts.turn.system, facts)
    if dialogue.last_words:
        last = evidence.turns[-1] if evidence.turns else None
        yield place(len(dialogue.turns) + 1, USER, dialogue.last_words, last)


def _mentions(simple: str, known: Lexicon, domains: Sequence[str]) -> Iterator[Mention]:
    about: Sequence[str | None] = domains or [None]
    for clause in clauses(simple):
        for domain in about:
            yield from mentions(clause.text, known, domain)


def _people(simple: str) -> list[str]:
    """Finds numbers of people as users say them: "a table for 8", "seven of us", "just me"."""
    found = [group for match in PEOPLE.finditer(simple) for group in match.groups() if group]
    return found + (["1"] if ALONE.search(simple) else [])


def _told(heard: Sequence[DialogueAct]) -> frozenset[str]:
    acts = (Act.INFORM, Act.REFERENCE, Act.OFFER)
    return frozenset(h.slot for h in heard if h.act in acts and h.slot and h.value)


def _told_of(heard: Sequence[DialogueAct]) -> set[str]:
    acts = (Act.OFFER, Act.BOOKED)
    return {h.domain for h in heard if h.act in acts and h.domain}


def _shared(keywords: Sequence[Keyword]) -> frozenset[Keyword]:
    return frozenset(
        one
        for one in keywords
        if any(one.domain != other.domain and _alike(one, other) for other in keywords)
    )


def _alike(one: Keyword, other: Keyword) -> bool:
    slot = canonical_slot(one.slot)
    if _family(slot) != _family(canonical_slot(other.slot)):
        return False
    if one.value is None or other.value is None:
        return one.value is None
    return same_value(slot, one.value, other.value)


def _family(slot: str) -> str:
    """Returns the slots whose values look like this one's; the words around a value say which is
    meant.
    """
    return "time" if slot in TIME_SLOTS else "name" if slot in NAME_SLOTS else slot


def _cue(domain: str) -> re.Pattern[str]:
    return DOMAINS_RAISED.get(domain) or re.compile(rf"\b{re.escape(domain.lower())}")


def _words(slot: str, known: Lexicon) -> re.Pattern[str]:
    """Returns the wordings with which a slot is asked for."""
    own = USERS_ASK.get(slot) or known.own_slots.get(slot)
    return own or re.compile(rf"\b{re.escape(slot.lower())}")
