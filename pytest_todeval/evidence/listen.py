"""Understand a bot's free text, whoever wrote it."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from pytest_todeval.core.claim import Act, Claim
from pytest_todeval.evidence import speech
from pytest_todeval.evidence.deeds import deeds
from pytest_todeval.evidence.journeys import JOURNEYS
from pytest_todeval.evidence.layout import blocks
from pytest_todeval.evidence.lessons import Lessons
from pytest_todeval.evidence.lexicon import Lexicon, lexicon
from pytest_todeval.evidence.making import Deed
from pytest_todeval.evidence.mentions import Mention, mentions
from pytest_todeval.evidence.naming import Naming, settled
from pytest_todeval.evidence.requests import asks_for, demands
from pytest_todeval.evidence.settlement import Settlement
from pytest_todeval.evidence.unlisted import with_candidates
from pytest_todeval.language.text import LONGEST, Clause, plain
from pytest_todeval.language.vocabulary import Vocabulary

__all__ = ["listen"]

_DOMAIN_WORDS = (
    ("taxi", re.compile(
            r"\b(?:taxis?|cabs?|pick(?:ed)? you up|picked up|contact number|(?:black|white|red"
            r"|yellow|blue|gr[ea]y) (?:toyota|skoda|bmw|honda|ford|audi|lexus|volvo|volkswagen"
            r"|tesla))\b")),
    ("train", re.compile(r"\b(?:trains?|tr ?\d{3,4}|tickets?|payable at the station)\b")),
    ("hotel", re.compile(
            r"\b(?:hotels?|guest ?-?houses?|lodgings?|nights?|rooms?|accomm?odations?"
            r"|place to stay|stars?|wifi|bed and breakfast)\b")),
    ("restaurant", re.compile(
            r"\b(?:restaurants?|tables?|food|cuisine|dine|dining|eat|meal|eatery|serves?)\b")),
    ("attraction", re.compile(
            r"\b(?:attractions?|museums?|colleges?|theatres?|nightclubs?|entrance|admission"
            r"|swimming|cinemas?|churches|architecture|entry)\b")),
    ("hospital", re.compile(r"\bhospital\b")),
    ("police", re.compile(r"\bpolice\b")),
)  # fmt: skip


def listen(
    text: str,
    vocabulary: Vocabulary,
    *,
    domain: str | None = None,
    user_said: str = "",
    names: Sequence[tuple[str | None, str]] = (),
) -> tuple[Claim, ...]:
    """What a bot's reply says, in order and without repetitions.

    `domain` is what the user currently talks about; where it is None, the user's last utterance
    `user_said` tells it. `names` are domains and names that the vocabulary has not. English only; text in which nothing is understood gives `()`.
    Only the first `text.LONGEST` characters are listened to; time is linear in them.
    """
    known = lexicon(vocabulary)
    said = plain(user_said)
    about = domain or _domain_of(said, vocabulary, None)
    known = with_candidates(known.with_names(names) if names else known, text, about)
    naming = Naming(text[:LONGEST], known, said)
    turn = _Turn(known, vocabulary, naming, speech.asks_to_book(said))
    return settled(turn.settlement.settled(turn.heard(text, about)))


class _Turn:
    """Listens to one turn."""

    def __init__(
        self, known: Lexicon, vocabulary: Vocabulary, naming: Naming, wanted: bool
    ) -> None:
        self.known = known
        self.vocabulary = vocabulary
        self.naming = naming
        self.wanted = wanted
        """Whether the user has just asked for a booking."""
        self.settlement = Settlement()
        self.lessons = Lessons(vocabulary, naming.text)

    def heard(self, text: str, about: str | None) -> Iterator[Claim]:
        """The claims in order, before any is withdrawn."""
        codes = speech.references(text[:LONGEST])
        said: list[Claim] = []
        done: list[Deed] = []
        for clause in self.naming.clauses(self.lessons.cover):
            about = _domain_of(clause.text, self.vocabulary, about)
            if clause.index == 0:
                done = self._deeds(clause)
            start, end = clause.span
            here = [deed for deed in done if start <= deed.place < end]
            for heard in _clause(clause, self, about, here):
                about = heard.domain or about
                said.append(heard)
                if heard.slot != "phone" or heard.value not in codes:
                    yield heard
        yield from self._references(codes, said, about)

    def _deeds(self, clause: Clause) -> list[Deed]:
        sentence = clause.sentence
        self.settlement.read(sentence.text)
        plain_text = speech.without_names(sentence.text, self.known)
        return deeds(plain_text, sentence.parts, wanted=self.wanted)

    def _references(
        self, codes: list[str], said: list[Claim], about: str | None
    ) -> Iterator[Claim]:
        """Reference numbers; one says that the booking stands if no other word does."""
        booked = [one for one in said if one.act is Act.BOOKED]
        for code in codes:
            if self.lessons.covers(code):
                continue
            if not booked:
                booked = [Claim(Act.BOOKED, about)]
                yield booked[0]
            held = next((one for one in booked if one.holds), booked[-1])
            yield Claim(Act.REFERENCE, about, "reference", code, factuality=held.factuality)


def _domain_of(text: str, vocabulary: Vocabulary, default: str | None) -> str | None:
    found = [name for name, pattern in _DOMAIN_WORDS if pattern.search(text)]
    own = [name for name in vocabulary.names if name not in _BUILT_IN and _own(name).search(text)]
    if own or "taxi" in found:
        return own[0] if own else "taxi"
    if default in JOURNEYS and "train" not in found and _ON_THE_WAY.search(text):
        return default
    return default if default in found or not found else found[0]


_ON_THE_WAY = re.compile(
    r"\b(?:leav\w+|depart\w*|arriv\w+|pick\w* (?:you )?up|drop\w*|head(?:ed|ing)|travel\w*"
    r"|destination|from\b.{1,60}\bto)\b"
)
_BUILT_IN = frozenset(name for name, _ in _DOMAIN_WORDS)


@lru_cache(maxsize=256)
def _own(domain: str) -> re.Pattern[str]:
    words = re.split(r"[\W_]+", domain.lower())
    return re.compile(r"\b" + r"[ -]?".join(map(re.escape, words)) + r"s?\b")


def _clause(
    clause: Clause, turn: _Turn, domain: str | None, done: list[Deed]
) -> Iterator[Claim]:
    text, known, naming = clause.text, turn.known, turn.naming
    found = naming.meant(mentions(text, known, domain), text, domain)
    domain = next((m.domain for m in found if m.domain and m.slot == "name"), domain)
    if speech.thanks(text):
        found = []
    asked: list[str] = []
    if clause.asks or demands(text):
        asked = list(asks_for(_without_names(text, found), known, domain))
        yield from _question(clause, found, asked, domain, naming)
    of_bookings = [turn.settlement.claim(deed, domain, text) for deed in done]
    for claim in turn.lessons.claims(clause, domain):
        if claim.act in (Act.BOOKED, Act.BOOKING_FAILED):
            deed = Deed(claim.act, claim.factuality, 0, claim.doubt)
            of_bookings.append(turn.settlement.claim(deed, claim.domain, claim.sentence))
        else:
            yield claim
    yield from of_bookings
    if not clause.inverted:
        told = [m for m in found if m.slot not in asked]
        yield from _statement(text, told, domain, naming, of_bookings)
    if speech.FAREWELL.search(text):
        yield Claim(Act.BYE, domain)


def _without_names(text: str, found: list[Mention]) -> str:
    """The text with names of venues blanked out: "The Good Food Shop?" asks for no food."""
    for mention in found:
        if mention.slot == "name":
            blank = " " * (mention.end - mention.start)
            text = text[: mention.start] + blank + text[mention.end :]
    return text


def _question(
    clause: Clause, found: list[Mention], asked: list[str], domain: str | None, naming: Naming
) -> Iterator[Claim]:
    text = clause.text
    asked = list(dict.fromkeys([*asked, *_alternatives(clause, found)]))
    yield from (Claim(Act.REQUEST, domain, slot) for slot in asked)
    if clause.asks and speech.offers_booking(text) and not asked:
        yield Claim(Act.OFFER_BOOK, domain)
    if speech.MORE.search(text) and not asked:
        yield Claim(Act.REQUEST_MORE, domain)
    if clause.inverted:
        yield from naming.told(text, _told_in_question(text, found, asked), domain, asks=True)


def _alternatives(clause: Clause, found: list[Mention]) -> Iterator[str]:
    """Slots asked for by naming values to choose from: "small or large?"."""
    if clause.asks and re.search(r"\bor\b", clause.text):
        counts = Counter(m.slot for m in found if m.slot not in _NEVER_CHOSEN)
        yield from (slot for slot, count in counts.items() if count > 1)


_NEVER_CHOSEN = frozenset({"name", "trainID", "phone", "address", "postcode", "reference", "price"})
_SUGGESTION = re.compile(
    r"\b(?:(?:may|can|might|could) i (?:suggest|recommend)|how about|what about|how does"
    r"|i (?:suggest|recommend))\b"
)
_BOOKING_SLOTS = frozenset({"day", "time", "people", "stay"})


def _told_in_question(text: str, found: list[Mention], asked: list[str]) -> list[Mention]:
    """A question names venues; it tells values only where it is about a venue it names."""
    names = [m for m in found if m.slot in ("name", "trainID")]
    if names and not asked:
        return [m for m in found if m.slot not in _BOOKING_SLOTS or _SUGGESTION.search(text)]
    if _SUGGESTION.search(text) or speech.offers_booking(text):
        return [m for m in found if m in names or m.slot in ("leaveAt", "arriveBy")]
    return names


def _statement(
    text: str,
    found: list[Mention],
    domain: str | None,
    naming: Naming,
    of_bookings: list[Claim],
) -> Iterator[Claim]:
    told = list(naming.told(text, found, domain))
    named = [claim for claim in told if claim.act in (Act.OFFER, Act.NO_OFFER)]
    holding = {claim.act for claim in of_bookings if claim.holds}
    if holding == {Act.BOOKING_FAILED}:
        yield from (claim for claim in named if claim.act is Act.NO_OFFER)
        return
    if not holding and not named and speech.no_offer(text) and not speech.lacks_information(text):
        yield Claim(Act.NO_OFFER, domain, sentence=text)
        yield from naming.nothing_found()
        return
    if speech.MORE.search(text):
        yield Claim(Act.REQUEST_MORE, domain)
    yield from told
    yield from naming.given_up(text, named, domain)
