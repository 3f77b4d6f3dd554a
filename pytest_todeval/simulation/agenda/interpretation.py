"""One turn of the bot, read with the user's business in one domain in mind."""

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace

from pytest_todeval.core.dialogue_act import Act, DialogueAct
from pytest_todeval.facts.calls.wishes import agrees
from pytest_todeval.facts.told_values import says_value
from pytest_todeval.nlu.questions.beyond_slots import Ask, UserQuestion, about_booking
from pytest_todeval.nlu.questions.options import numbered, reply_words, wants_number
from pytest_todeval.nlu.questions.personal import personal_topics
from pytest_todeval.nlu.values.normalise import same_name
from pytest_todeval.nlu.values.requested import (
    asks_to_repeat,
    heard_answer,
    taken_for_answer,
    worded_answer,
)
from pytest_todeval.simulation.agenda.answering import SETTLED
from pytest_todeval.simulation.agenda.booking_reading import BookingReading
from pytest_todeval.simulation.agenda.memory import UNKNOWN, DomainPart
from pytest_todeval.simulation.agenda.reaction import Reaction
from pytest_todeval.simulation.agenda.reading import UNCLEAR_IN_TEXT

MOST_REFUSALS = 2
"""Times the bot may say that there is nothing before the user takes what it offers instead."""
PERSONAL = frozenset({"phone", "email", "address", "postcode"})
"""Slots that a bot asks of the person, if the goal has no value for them."""
CODES = frozenset({"phone", "postcode", "trainID"})
"""Slots whose value in a row is the answer if it stands in the text in whatever form."""
CHECKED = frozenset({"phone", "postcode", "price", "duration"})
"""Slots told in one form only, so that a row seen can contradict what was told."""


@dataclass(eq=False)
class Interpretation(BookingReading):
    """Reads one turn: facts go into the memory of the part, the rest becomes a reaction."""

    asked: Sequence[UserQuestion] = ()
    """What the bot asks besides slots; then of that what the user takes for a question."""
    said: str = ""
    """What the user said before."""

    def __post_init__(self) -> None:
        super().__post_init__()
        meant = [self._meant(question) for question in self.asked]
        self.asked = [question for question in meant if not self._takes_up(question)]

    def _meant(self, question: UserQuestion) -> UserQuestion:
        """A question that reads the booking back, whatever its words, asks whether it is right.

        What seems to ask who the user is, by a word of the user's own business only, does not:
        "the visit for your dog" says nothing of special requests.
        """
        unclear = question.ask is Ask.UNKNOWN and self.reads_back(self.text)
        if question.ask is Ask.FACT:
            rest = self.without_told(question.sentence)
            explained = question.topic in personal_topics(rest) or question.topic in rest
            if not explained and not self.reads_back(question.sentence):
                return replace(question, ask=Ask.WELCOME, topic="")
            unclear = not explained
        return replace(question, ask=Ask.CONFIRM, topic="") if unclear else question

    def _takes_up(self, question: UserQuestion) -> bool:
        """Says whether what seems a question is part of the answer to the user's own."""
        wanted = [slot for slot in self.part.asking if slot not in self.part.slots]
        return question.ask is Ask.FACT and any(slot in question.sentence for slot in wanted)

    def reaction(self) -> Reaction:
        """Facts first, then offers, then what the bot got wrong, then what it wants to know."""
        self.note_bookings()
        self._refusals()
        self._offers()
        self._errors()
        self._told()
        self._questions()
        return self.answer

    def _refusals(self) -> None:
        part = self.part
        if part.booked or self.answer.changed:
            return
        changing = {s: v for s, v in part.inform.items() if part.goal.inform.get(s) != v}
        turned_down = part.tries_first and (self.turns_down(changing) or self._found_nothing())
        if Act.NO_OFFER not in self.acts and not turned_down:
            return
        if part.venue and not part.tries_first:
            return
        if part.tries_first:
            self.answer.changed = part.take_alternative()
        else:
            part.refusals += 1
            self.answer.refused = True

    def _found_nothing(self) -> bool:
        """Says whether a look-up visibly found nothing, and the bot neither offers anything nor
        asks for what it has not heard.
        """
        part = self.part
        moves_on = self.offered() or self.acts & {Act.BOOKED, Act.OFFER_BOOK}
        if not self.seen.found_nothing or moves_on or part.untold.keys() & {*self.requested()}:
            return False
        self.answer.note = "took a look-up that found nothing for what was done"
        return True

    def _offers(self) -> None:
        part = self.part
        if part.booked or self.answer.changed:
            return
        offers = self.offered()
        if part.tries_first and not part.untold and self.is_about_to_book():
            self.change_mind()
        elif not offers:
            self._take_as_named()
        elif part.venue and any(same_name(part.venue, offer) for offer in offers):
            return
        elif part.untold:  # more constraints follow; what is offered before them may not meet them
            part.candidate = next((o for o in offers if not self.faults(o)), "")
        else:
            self._choose(offers)

    def _take_as_named(self) -> None:
        """A bot that goes on without repeating the name has understood it, unless it refuses."""
        part = self.part
        named = part.inform.get("name", "")
        goes_on = self.acts & {Act.REQUEST, Act.OFFER_BOOK, Act.INFORM}
        if named and part.told.get("name") and goes_on and not self.answer.refused:
            part.venue = part.venue or named
        elif part.candidate and not part.untold and Act.REQUEST not in self.acts:
            self._choose([part.candidate])
        elif Act.OFFER_BOOK in self.acts and not part.untold and not self.answer.refused:
            part.found = True

    def _choose(self, offers: Sequence[str]) -> None:
        part, fitting = self.part, [offer for offer in offers if not self.faults(offer)]
        if fitting and part.tries_first:
            self.change_mind()
        elif fitting:
            self._take(fitting[0], one_of=len(offers))
        elif self.answer.refused or (part.venue and Act.OFFER_BOOK not in self.acts):
            return
        else:
            self.answer.another = self.not_too_often(self.faults(offers[0]), {}, offers[0])
            if not self.answer.another:
                self._take(offers[0], one_of=len(offers))

    def _take(self, offer: str, one_of: int) -> None:
        part = self.part
        if self.answer.refused:
            if self.row(offer) is None and part.refusals < MOST_REFUSALS:
                return
            self.answer.refused = False
        if part.venue:
            part.forget_venue()
        part.venue = offer
        self.answer.taken, self.answer.had_choice = offer, one_of > 1

    def _errors(self) -> None:
        """What was said and is not what the user said: in the text, or in what the bot searched."""
        part = self.part
        quiet = {Act.NO_OFFER, Act.BOOKING_FAILED} & self.acts
        if self.answer.wrong or self.answer.changed or self.answer.another or part.booked:
            return
        if quiet:
            return
        asked = self.requested()
        wrong = self.wrong_in_text({s: v for s, v in part.told.items() if s not in asked})
        got = {slot: str(self.got(slot)) for slot in wrong}
        for slot, value in self._asked_to_confirm():
            if slot in part.slots and not self.meets(slot, part.slots[slot], value):
                wrong[slot], got[slot] = part.slots[slot], value
        self.answer.wrong = self.not_too_often(wrong, got)
        if self.answer.wrong.keys() & part.inform.keys():
            part.forget_venue()

    def _asked_to_confirm(self) -> Iterator[tuple[str, str]]:
        """Slots and values in questions whether they are right, or whether to go ahead."""
        for question in self.asked:
            if question.ask in (Ask.CONFIRM, Ask.GO_AHEAD, Ask.BOOK):
                yield from ((s, v) for s, v in question.values if s not in UNCLEAR_IN_TEXT)

    def _told(self) -> None:
        part = self.part
        if part.tries_first or self.answer.changed or self.answer.another or part.needs_venue:
            return
        before = set(part.answers)
        note_told(part, self.heard)
        doubtful = self._doubt(part.answers.keys() - before)
        for slot in part.pending:
            if slot not in part.answers and slot not in doubtful:
                self._told_in_other_words(slot)

    def _doubt(self, slots: Set[str]) -> set[str]:
        """If a visible row says otherwise, ask once more before taking the bot's word."""
        part = self.part
        rows = self.rows(part.venue)
        doubtful = {
            slot
            for slot in slots & CHECKED
            if part.denied[slot] == 0 and (known := [str(row[slot]) for row in rows if slot in row])
            if not any(agrees(slot, value, part.answers[slot]) for value in known)
        }
        for slot in doubtful:
            part.denied[slot] += 1
            del part.answers[slot]
        return doubtful

    def _told_in_other_words(self, slot: str) -> None:
        part = self.part
        row = self.row(part.venue) or part.made or {}
        code = str(row.get(slot, "")) if slot in CODES else ""
        seen = code if code and says_value(self.text, slot, code) else ""
        said = seen or worded_answer(
            part.goal, slot, self.text, asked=part.asking, user=self.said, row=row
        )
        said = said or taken_for_answer(
            part.goal, slot, self.text, asked=part.asking, user=self.said
        )
        if said:
            part.answers[slot] = said
        elif slot in part.asking and self.denies():
            part.denied[slot] += 1
            if row.get(slot) == "?" or part.denied[slot] > 1:
                part.answers[slot] = UNKNOWN

    def _questions(self) -> None:
        part, answer = self.part, self.answer
        topics = {question.topic for question in self.asked}
        slots = dict.fromkeys(slot for slot in self.requested() if slot not in topics)
        facts = [s for s in slots if s in PERSONAL and s not in part.slots]
        answer.asked = tuple(slot for slot in slots if slot not in facts)
        part.asked.update(answer.asked)
        answer.questions = (*self.asked, *(UserQuestion(Ask.FACT, slot) for slot in facts))
        self._agreements({question.ask for question in self.asked})
        answer.not_understood = not self._is_clear and asks_to_repeat(self.text)
        answer.unclear = not self._is_clear and self.text.rstrip().endswith("?")
        unknown = any(question.ask is Ask.UNKNOWN for question in self.asked)
        answer.baffling = unknown and not self._is_clear and not answer.not_understood
        if wants_number(self.text):
            answer.numbered = numbered(self.text)

    def _agreements(self, asks: Set[Ask]) -> None:
        """Whether the bot wants a yes: to book, or to what it says."""
        part, answer = self.part, self.answer
        answer.reply = reply_words(self.text)
        books = part.wants_booking or not part.needs_venue
        offers = self.offers_to_book() and not self._asks_for_booking()
        answer.offers_booking = offers or (Ask.GO_AHEAD in asks and books)
        if answer.reply is not None and part.needs_booking and Ask.CONFIRM not in asks:
            answer.offers_booking = True
        answer.confirms = bool(asks & {Ask.CONFIRM, Ask.GO_AHEAD}) and not answer.offers_booking

    def _asks_for_booking(self) -> bool:
        """Whether what seems an offer to book asks for something else: a name for the booking."""
        asked = [question for question in self.asked if question.ask is not Ask.WELCOME]
        return bool(asked) and all(
            question.ask in SETTLED and about_booking(question.sentence) for question in asked
        )

    @property
    def _is_clear(self) -> bool:
        asks = {question.ask for question in self.asked} - {Ask.WELCOME, Ask.UNKNOWN}
        return bool(self.acts - {Act.BYE, Act.INFORM} or asks)


def note_told(part: DomainPart, heard: Sequence[DialogueAct]) -> None:
    """Keeps the answers to what the user asks for, or will."""
    for slot in part.unanswered:
        value = heard_answer(part.domain, slot, heard)
        if value:
            part.answers[slot] = value
