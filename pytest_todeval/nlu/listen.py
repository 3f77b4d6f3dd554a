"""Understand a bot's free text, whoever wrote it."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from pytest_todeval.core.dialogue_act import Act, DialogueAct, Factuality
from pytest_todeval.core.steps import Verb
from pytest_todeval.nlu.bookings.booking_act import BookingAct, Parts
from pytest_todeval.nlu.bookings.booking_acts import deeds
from pytest_todeval.nlu.bookings.codes import references
from pytest_todeval.nlu.bookings.proposals import offers_booking, offers_in_passing
from pytest_todeval.nlu.bookings.revisions import Revisions
from pytest_todeval.nlu.classifier.classifier import weighed
from pytest_todeval.nlu.cues import DOMAINS_TOLD
from pytest_todeval.nlu.examples.of_turn import TurnExamples
from pytest_todeval.nlu.names.corrections import Corrections
from pytest_todeval.nlu.names.lexicon import Lexicon, lexicon
from pytest_todeval.nlu.names.naming import Naming, settled
from pytest_todeval.nlu.names.nothing_found import denies_feature, finds_nothing
from pytest_todeval.nlu.names.unlisted import with_candidates
from pytest_todeval.nlu.questions.requests import asks_for, demands
from pytest_todeval.nlu.slots import words_in
from pytest_todeval.nlu.text import speech
from pytest_todeval.nlu.text.manner import unmannered
from pytest_todeval.nlu.text.plain import LONGEST, Clause, plain
from pytest_todeval.nlu.tool_names import ACTIONS
from pytest_todeval.nlu.values.ellipsis import short_answers
from pytest_todeval.nlu.values.journeys import JOURNEYS
from pytest_todeval.nlu.values.mentions import Mention, mentions
from pytest_todeval.nlu.verbs import as_booking, speaks_of, verbs_named
from pytest_todeval.nlu.vocabulary import Vocabulary

RECENT = 512
"""Turns that are remembered: user, metrics and reports listen to the same ones."""
OPENING = 200
"""Characters of a reply in which an answer of few words is looked for."""


def listen(
    text: str,
    vocabulary: Vocabulary,
    *,
    domain: str | None = None,
    user_said: str = "",
    names: Sequence[tuple[str | None, str]] = (),
) -> tuple[DialogueAct, ...]:
    """Returns what a bot's reply says, in order and without repetitions.

    `domain` is what the user currently talks about; if it is None, the user's last utterance
    `user_said` tells it. `names` are domains and names that the vocabulary has not. English only;
    text in which nothing is understood gives `()`.
    Only the first `text.LONGEST` characters are listened to; time is linear in them.
    """
    return _listen(
        unmannered(text[:LONGEST]), vocabulary, domain, user_said[:LONGEST], tuple(names)
    )


@lru_cache(maxsize=RECENT)
def _listen(
    text: str,
    vocabulary: Vocabulary,
    domain: str | None,
    user_said: str,
    names: tuple[tuple[str | None, str], ...],
) -> tuple[DialogueAct, ...]:
    known = lexicon(vocabulary)
    said = plain(user_said)
    about = domain or _domain_of(said, vocabulary, None)
    known = with_candidates(known.with_names(names) if names else known, text, about)
    naming = Naming(text, known, said)
    turn = _ListenedTurn(known, vocabulary, naming, said)
    heard = tuple(turn.settlement.settled(turn.heard(text, about)))
    claims = settled(claim for claim in heard if not turn.corrections.take_back(claim))
    return weighed(claims, text, said, about=about, given=turn.given)


class _ListenedTurn:
    """Listens to one turn."""

    def __init__(
        self, known: Lexicon, vocabulary: Vocabulary, naming: Naming, user_said: str
    ) -> None:
        self.known = known
        self.vocabulary = vocabulary
        self.naming = naming
        self.user_said = user_said
        self.wanted = speech.asks_to_book(user_said)
        """Whether the user has just asked for a booking."""
        self.denied = False
        """Whether the clause before denies a name."""
        self.answer: bool | None = None
        """Whether the turn has said yes or no to the user's "Is it booked?"."""
        self.own_deed = False
        """Whether the turn says something of the deed that the goal's domain or action is."""
        self.settlement = Revisions()
        self.corrections = Corrections()
        self.lessons = TurnExamples(vocabulary, naming.text)

    def heard(self, text: str, about: str | None) -> Iterator[DialogueAct]:
        """Returns the claims in order, before any is withdrawn."""
        codes = references(text[:LONGEST])
        numbers = {code for code, _ in codes}
        answers = dict(short_answers(self.user_said, plain(text[:OPENING]), self.known))
        said: list[DialogueAct] = []
        done: Sequence[BookingAct] = ()
        for clause in self.naming.clauses(self.lessons.cover):
            about = _domain_of(clause.text, self.vocabulary, about)
            if clause.index == 0:
                done = self._deeds(clause)
            start, end = clause.span
            here = [deed for deed in done if start <= deed.place < end]
            self.corrections.read(clause.text)
            for heard in _clause(clause, self, about, here):
                self.corrections.after(heard)
                about = heard.domain or about
                if heard.act is Act.NO_OFFER and not heard.slot:
                    if answers and not said:
                        continue  # a bare "No" to "Does it have ...?" denies no venue
                    if denies_feature(clause.text, self.user_said, self.vocabulary.names):
                        continue
                said.append(heard)
                if heard.slot != "phone" or heard.value not in numbers:
                    yield heard
        yield from self._references(codes, said, about)
        told = {claim.slot for claim in said if claim.act in (Act.INFORM, Act.REQUEST)}
        for slot, value in answers.items():
            if slot not in told:
                yield DialogueAct(Act.INFORM, about, slot, value, sentence=text[:OPENING])

    def _deeds(self, clause: Clause) -> Sequence[BookingAct]:
        sentence = clause.sentence
        self.settlement.read(sentence.text)
        plain_text = speech.without_names(sentence.text, self.known)
        found = deeds(plain_text, sentence.parts, wanted=self.wanted)
        if all(deed.act is not Act.BOOKED for deed in found):
            found = self._own_deeds(plain_text, sentence.parts) or found
        if undone := _UNDONE.search(sentence.text):
            at = undone.start()
            found = tuple(d for d in found if d.act is not Act.BOOKED or d.place > at)
        if not found and self.answer is None:
            self.answer = speech.answered(sentence.text, self.user_said)
            if self.answer is not None:
                failed = not self.answer and speech.asks_success(self.user_said)
                said = Factuality.ASSERTED if self.answer or failed else Factuality.DENIED
                found = (BookingAct(Act.BOOKING_FAILED if failed else Act.BOOKED, said, 0),)
        return found

    def _own_deeds(self, text: str, parts: Parts) -> tuple[BookingAct, ...]:
        """Returns what a sentence says of the deed that the goal's own domain or action is, as it
        would say of a booking: "I've blocked the card".
        """
        for verb in _own_verbs(self.vocabulary):
            if speaks_of(text, verb):
                found = deeds(as_booking(text, verb), parts, wanted=self.wanted)
                self.own_deed |= bool(found)
                return tuple(replace(d, place=min(d.place, len(text) - 1)) for d in found)
        return ()

    @property
    def given(self) -> frozenset[Act] | None:
        """Acts that examples of the project or the user's question settle; None if nothing does."""
        if self.answer is not None or self.own_deed:
            return self.lessons.acts | {Act.BOOKED, Act.BOOKING_FAILED}
        return self.lessons.acts if self.lessons.found else None

    def without_venues_own(
        self, of_bookings: list[DialogueAct], stated: Sequence[DialogueAct]
    ) -> Iterator[DialogueAct]:
        """Returns what a clause says of bookings, without refusals that only tell why a venue named
        in it, or right before it, is none: "Rose House is full". Nobody has asked to book there.
        """
        denied = any(one.act is Act.NO_OFFER and one.value and one.holds for one in stated)
        against = not self.wanted and (denied or (self.denied and not stated))
        self.denied = denied
        for claim in of_bookings:
            if not (against and claim.act is Act.BOOKING_FAILED and claim.holds):
                yield claim

    def _references(
        self, codes: list[tuple[str, Factuality]], said: list[DialogueAct], about: str | None
    ) -> Iterator[DialogueAct]:
        """Reference numbers; one says that the booking stands if no other word does."""
        aside = (Factuality.ASKED, Factuality.OF_OTHERS)
        told = [one for one in said if one.act is Act.BOOKED and one.factuality not in aside]
        told += [one for one in said if one.act is Act.BOOKING_FAILED and one.holds]
        for code, given in codes:
            if self.lessons.covers(code):
                continue
            if not told:
                told = [DialogueAct(Act.BOOKED, about, factuality=given)]
                yield told[0]
            held = any(one.holds and one.act is Act.BOOKED for one in told)
            how = given if held else told[-1].factuality
            yield DialogueAct(Act.REFERENCE, about, "reference", code, factuality=how)


@lru_cache(maxsize=RECENT)
def _own_verbs(vocabulary: Vocabulary) -> tuple[Verb, ...]:
    """Returns the verbs that a goal's own domains and the actions that it wants name."""
    own = [name for name in vocabulary.names if name not in _BUILT_IN]
    actions = [value for slot in ACTIONS for value in vocabulary.values.get(slot, ())]
    return verbs_named(frozenset(word for name in (*own, *actions) for word in words_in(name)))


def _domain_of(text: str, vocabulary: Vocabulary, default: str | None) -> str | None:
    found = _domains_told(text)
    if vocabulary.slots:  # of a goal over own domains: a bus may have a station, too
        said = {word.removesuffix("s") for word in re.findall(r"\w+", text)}
        found = tuple(name for name in found if name in vocabulary.names or name in said)
    own = [name for name in vocabulary.names if name not in _BUILT_IN and _own(name).search(text)]
    if own or "taxi" in found:
        return own[0] if own else "taxi"
    if default in JOURNEYS and "train" not in found and _ON_THE_WAY.search(text):
        return default
    return default if default in found or not found else found[0]


_CUES = re.compile("|".join(pattern.pattern for _, pattern in DOMAINS_TOLD))
"""Finds something in every text that is about a domain."""


@lru_cache(maxsize=RECENT)
def _domains_told(text: str) -> tuple[str, ...]:
    """Returns the domains of which a plain text speaks."""
    if not _CUES.search(text):
        return ()
    return tuple(name for name, pattern in DOMAINS_TOLD if pattern.search(text))


_UNDONE = re.compile(r"\b(?:has|have) (?:now |just )?been cancell?ed\b")
"""What stands before it, "Done", tells of no booking."""
_ON_THE_WAY = re.compile(
    r"\b(?:leav\w+|depart\w*|arriv\w+|pick\w* (?:you )?up|drop\w*|head(?:ed|ing)|travel\w*"
    r"|destination|from\b.{1,60}\bto)\b"
)
_BUILT_IN = frozenset(name for name, _ in DOMAINS_TOLD)


@lru_cache(maxsize=256)
def _own(domain: str) -> re.Pattern[str]:
    words = re.split(r"[\W_]+", domain.lower())
    return re.compile(r"\b" + r"[ -]?".join(map(re.escape, words)) + r"s?\b")


def _clause(
    clause: Clause, turn: _ListenedTurn, domain: str | None, done: list[BookingAct]
) -> Iterator[DialogueAct]:
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
            deed = BookingAct(claim.act, claim.factuality, 0, claim.doubt)
            of_bookings.append(turn.settlement.claim(deed, claim.domain, claim.sentence))
        else:
            yield claim
    stated: list[DialogueAct] = []
    if not clause.inverted:
        told = [m for m in found if m.slot not in asked]
        stated = list(_statement(text, told, domain, naming, of_bookings))
    yield from turn.without_venues_own(of_bookings, stated)
    if not clause.asks and offers_in_passing(text, done, clause.sentence.text):
        yield DialogueAct(Act.OFFER_BOOK, domain, sentence=text)
    yield from stated
    if speech.FAREWELL.search(text):
        yield DialogueAct(Act.BYE, domain)


def _without_names(text: str, found: list[Mention]) -> str:
    """Returns the text with names of venues blanked out: "The Good Food Shop?" asks for no food."""
    for mention in found:
        if mention.slot == "name":
            blank = " " * (mention.end - mention.start)
            text = text[: mention.start] + blank + text[mention.end :]
    return text


def _question(
    clause: Clause, found: list[Mention], asked: list[str], domain: str | None, naming: Naming
) -> Iterator[DialogueAct]:
    text = clause.text
    asked = list(dict.fromkeys([*asked, *_alternatives(clause, found)]))
    yield from (DialogueAct(Act.REQUEST, domain, slot, sentence=text) for slot in asked)
    if clause.asks and offers_booking(text) and not asked:
        yield DialogueAct(Act.OFFER_BOOK, domain, sentence=text)
    if speech.MORE.search(text) and not asked:
        yield DialogueAct(Act.REQUEST_MORE, domain)
    if clause.inverted:
        yield from naming.told(text, _told_in_question(text, found, asked), domain, asks=True)


def _alternatives(clause: Clause, found: list[Mention]) -> Iterator[str]:
    """Slots asked for by naming values to choose from: "small or large?"."""
    if clause.asks and re.search(r"\bor\b", clause.text):
        counts = Counter(m.slot for m in found if m.slot not in _NEVER_CHOSEN)
        yield from (slot for slot, count in counts.items() if count > 1)


_NEVER_CHOSEN = frozenset({"name", "trainID", "phone", "address", "postcode", "reference", "price"})
_SUGGESTION = re.compile(
    r"\b(?:(?:may|can|might|could) i (?:suggest|recommend)|how about|what about|how does)\b"
)
_BOOKING_SLOTS = frozenset({"day", "time", "people", "stay"})


def _told_in_question(text: str, found: list[Mention], asked: list[str]) -> list[Mention]:
    """Returns a question names venues; it tells values only if it is about a venue it names."""
    names = [m for m in found if m.slot in ("name", "trainID")]
    if names and not asked:
        return [m for m in found if m.slot not in _BOOKING_SLOTS or _SUGGESTION.search(text)]
    if _SUGGESTION.search(text) or offers_booking(text):
        return [m for m in found if m in names or m.slot in ("leaveAt", "arriveBy")]
    return names


def _statement(
    text: str,
    found: list[Mention],
    domain: str | None,
    naming: Naming,
    of_bookings: list[DialogueAct],
) -> Iterator[DialogueAct]:
    told = list(naming.told(text, found, domain))
    named = [claim for claim in told if claim.act in (Act.OFFER, Act.NO_OFFER)]
    holding = {claim.act for claim in of_bookings if claim.holds}
    if holding == {Act.BOOKING_FAILED}:
        yield from (claim for claim in named if claim.act is Act.NO_OFFER)
        return
    nothing = None if of_bookings or named else finds_nothing(text)
    if nothing is not None:
        yield DialogueAct(Act.NO_OFFER, domain, factuality=nothing, sentence=text)
        return
    if speech.MORE.search(text):
        yield DialogueAct(Act.REQUEST_MORE, domain)
    yield from told
