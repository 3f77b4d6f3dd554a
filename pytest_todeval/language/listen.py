"""Understand a bot's free text, whoever wrote it."""

from collections.abc import Iterator
import re

from pytest_todeval.language import speech
from pytest_todeval.language.heard import Act, Heard
from pytest_todeval.language.lexicon import Lexicon, lexicon
from pytest_todeval.language.mentions import Mention, mentions
from pytest_todeval.language.requests import asks_for, demands
from pytest_todeval.language.text import LONGEST, Clause, clauses, opens_as_question, plain
from pytest_todeval.language.vocabulary import Vocabulary

__all__ = ["listen"]

_DOMAIN_WORDS = (
    ("taxi", re.compile(r"\b(?:taxis?|cabs?|pick(?:ed)? you up|contact number|(?:black|white|red|yellow|blue|gr[ea]y) (?:toyota|skoda|bmw|honda|ford|audi|lexus|volvo|volkswagen|tesla))\b")),
    ("train", re.compile(r"\b(?:trains?|tr ?\d{3,4}|tickets?|payable at the station)\b")),
    ("hotel", re.compile(r"\b(?:hotels?|guest ?-?houses?|lodgings?|nights?|rooms?|accomm?odations?|place to stay|stars?|wifi|bed and breakfast)\b")),
    ("restaurant", re.compile(r"\b(?:restaurants?|tables?|food|cuisine|dine|dining|eat|meal|eatery|serves?)\b")),
    ("attraction", re.compile(r"\b(?:attractions?|museums?|colleges?|theatres?|nightclubs?|entrance|admission|swimming|cinemas?|churches|architecture|entry)\b")),
    ("hospital", re.compile(r"\bhospital\b")),
    ("police", re.compile(r"\bpolice\b")),
)  # fmt: skip

_ALTERNATIVES = frozenset({"area", "pricerange", "food", "type", "stars", "day"})


def listen(
    text: str, vocabulary: Vocabulary, *, domain: str | None = None, user_said: str = ""
) -> tuple[Heard, ...]:
    """What a bot's reply says, in order and without repetitions.

    `domain` is what the user currently talks about, `user_said` the user's last utterance: both help
    where the reply is elliptic. Understands English; text in which nothing is understood gives `()`.
    Only the first `text.LONGEST` characters are listened to; time is linear in them.
    """
    known = lexicon(vocabulary)
    said = plain(text)
    heard = list(_heard(said, text, known, vocabulary, domain, plain(user_said)))
    return tuple(dict.fromkeys(heard))


def _heard(
    said: str, raw: str, known: Lexicon, vocabulary: Vocabulary, domain: str | None, user: str
) -> Iterator[Heard]:
    about = domain
    booked = False
    for clause in clauses(said):
        about = _domain_of(clause.text, vocabulary, about)
        for heard in _clause(clause, known, about, user):
            about = heard.domain or about
            booked = booked or heard.act is Act.BOOKED
            yield heard
    for code in speech.references(raw[:LONGEST]):
        if not booked:
            yield Heard(Act.BOOKED, about)
            booked = True
        yield Heard(Act.REFERENCE, about, "reference", code)


def _domain_of(text: str, vocabulary: Vocabulary, default: str | None) -> str | None:
    own = [name for name in vocabulary.names if re.search(rf"\b{re.escape(name.lower())}s?\b", text)]
    if own:
        return own[0]
    found = [name for name, pattern in _DOMAIN_WORDS if pattern.search(text)]
    return default if default in found or not found else found[0]


def _clause(clause: Clause, known: Lexicon, domain: str | None, user: str) -> Iterator[Heard]:
    text = clause.text
    found = mentions(text, known, domain)
    domain = next((m.domain for m in found if m.domain and m.slot == "name"), domain)
    if clause.asks or demands(text):
        yield from _question(text, found, known, domain, asks=clause.asks)
    if not opens_as_question(text):
        asked = set(asks_for(text, known, domain)) if clause.asks or demands(text) else set()
        yield from _statement(text, [m for m in found if m.slot not in asked], domain)
    if speech.FAREWELL.search(text):
        yield Heard(Act.BYE, domain)


def _question(
    text: str, found: list[Mention], known: Lexicon, domain: str | None, *, asks: bool
) -> Iterator[Heard]:
    asked = list(dict.fromkeys(asks_for(text, known, domain)))
    yield from (Heard(Act.REQUEST, domain, slot) for slot in asked)
    if asks and speech.offers_booking(text) and not asked:
        yield Heard(Act.OFFER_BOOK, domain)
    if speech.MORE.search(text):
        yield Heard(Act.REQUEST_MORE, domain)
    if opens_as_question(text):
        yield from _told(_told_in_question(text, found, asked), domain)


_SUGGESTION = re.compile(
    r"\b(?:(?:may|can|might|could) i (?:suggest|recommend)|how about|what about|how does|i (?:suggest|recommend))\b"
)
_BOOKING_SLOTS = frozenset({"day", "time", "people", "stay", "leaveAt", "arriveBy"})


def _told_in_question(text: str, found: list[Mention], asked: list[str]) -> list[Mention]:
    """A question names venues; it tells values only where it is about a venue it names."""
    names = [m for m in found if m.slot in ("name", "trainID")]
    if names and not asked:
        return [m for m in found if m.slot not in _BOOKING_SLOTS or _SUGGESTION.search(text)]
    return names


def _statement(text: str, found: list[Mention], domain: str | None) -> Iterator[Heard]:
    names = [m for m in found if m.slot in ("name", "trainID")]
    if speech.booking_failed(text) and not speech.lacks_information(text):
        yield Heard(Act.BOOKING_FAILED, domain)
        return
    if speech.booked(text):
        yield Heard(Act.BOOKED, domain)
    elif speech.no_offer(text) and not speech.lacks_information(text) and not names:
        yield Heard(Act.NO_OFFER, domain)
        return
    if speech.MORE.search(text):
        yield Heard(Act.REQUEST_MORE, domain)
    yield from _told(found, domain)


def _told(found: list[Mention], domain: str | None) -> Iterator[Heard]:
    for mention in found:
        act = Act.OFFER if mention.slot in ("name", "trainID") else Act.INFORM
        yield Heard(act, mention.domain or domain, mention.slot, mention.value)
