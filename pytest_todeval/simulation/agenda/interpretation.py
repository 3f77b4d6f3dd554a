"""One turn of the bot, read with the user's business in one domain in mind."""

from collections.abc import Sequence, Set
from dataclasses import dataclass, field

from pytest_todeval.core.claim import Act, Claim
from pytest_todeval.evidence.answers import (
    answer_in,
    asks_to_repeat,
    row_value_in,
)
from pytest_todeval.evidence.calls import Seen
from pytest_todeval.evidence.wishes import agrees
from pytest_todeval.language.values import YES_NO_SLOTS, same_name
from pytest_todeval.simulation.agenda.memory import Part, answering
from pytest_todeval.simulation.agenda.reading import Reading

__all__ = ["Interpretation", "Reaction", "note_told"]

MOST_REFUSALS = 2
"""Times the bot may say that there is nothing before the user takes what it offers instead."""
CHECKED = frozenset({"phone", "postcode"})
"""Slots told in one form only, so that a row seen can contradict what was told."""


@dataclass(slots=True)
class Reaction:
    """What the bot's turn calls for."""

    asked: tuple[str, ...] = ()
    """Slots the bot wants to know."""
    wrong: dict[str, str] = field(default_factory=dict)
    """Slot -> what it should be, where the bot got it wrong."""
    booked_wrong: bool = False
    """Whether `wrong` is about a booking that was made."""
    changed: dict[str, str] = field(default_factory=dict)
    """Slot -> the alternative, where the goal has one and the first wish failed."""
    unforced: bool = False
    """Whether `changed` comes though nothing was refused."""
    another: dict[str, str] | None = None
    """What the venue offered does not meet."""
    taken: str = ""
    """Which offer the user takes."""
    had_choice: bool = False
    """Whether it was one of several."""
    refused: bool = False
    """Nothing meets the constraints, and there is no alternative."""
    booking_failed: bool = False
    """The booking failed, and there is no alternative."""
    offers_booking: bool = False
    not_understood: bool = False
    """The bot says that it did not understand, and nothing else."""
    unclear: bool = False
    """The bot asks something, and it was not understood what."""
    puzzling: bool = False
    """The bot found something and spoke, but nothing of it was understood."""


class Interpretation(Reading):
    """Reads one turn: facts go into the memory of the part, the rest becomes a reaction."""

    def __init__(
        self,
        part: Part,
        text: str,
        heard: Sequence[Claim],
        seen: Seen,
        unlisted: Sequence[str],
    ) -> None:
        super().__init__(part, text, heard, seen, unlisted)
        self.answer = Reaction()

    def reaction(self) -> Reaction:
        """Facts first, then offers, then what the bot got wrong, then what it wants to know."""
        self._bookings()
        self._refusals()
        self._offers()
        self._errors()
        self._told()
        self._questions()
        return self.answer

    def _bookings(self) -> None:
        part = self.part
        if not part.wants_booking:
            return
        if self.is_booked():
            self._take_booking()
        elif self._is_refused():
            self._failed_booking()

    def _is_refused(self) -> bool:
        if Act.BOOKING_FAILED in self.acts or (self.seen.refused and not self.asks_for_more()):
            return True
        return self.part.tries_first_book and self.turns_down(self.part.goal.fail_book)

    def _take_booking(self) -> None:
        part = self.part
        wrong = self._wrong_in_booking()
        if part.tries_first:
            self._change_mind()
            return
        if wrong:
            part.booked = False
            self.answer.wrong, self.answer.booked_wrong = wrong, True
            return
        if part.tries_first_book and part.booked is False:
            self.answer.changed = part.take_alternative_booking()
            self.answer.unforced = True
            return
        part.booked = True
        references = [h.value for h in self.heard if h.act is Act.REFERENCE and h.value]
        if self.seen.reference and self.seen.reference in self.text:
            references.insert(0, self.seen.reference)
        if references:
            part.reference = references[0]
            part.answers["reference"] = references[0]
        if self.seen.booked is not None and not part.venue:
            key = "trainID" if part.domain == "train" else "name"
            part.venue = str(self.seen.booked.get(key, ""))

    def _wrong_in_booking(self) -> dict[str, str]:
        part = self.part
        if self.seen.booked is not None:
            wanted = dict(part.slots)
            if part.venue and part.domain not in ("taxi", "train"):
                wanted["name"] = part.venue
            got = self.seen.booked
            wrong = {s: v for s, v in wanted.items() if s in got and not self.meets(s, v, got[s])}
        elif part.booked:
            return {}
        else:
            wrong = self.wrong_in_text(part.book)
        return self.not_too_often(wrong, {s: str(self.got(s)) for s in wrong})

    def _failed_booking(self) -> None:
        part = self.part
        if part.booked:
            return
        if part.tries_first_book and any(s in part.told for s in part.goal.fail_book):
            self.answer.changed = part.take_alternative_booking()
        else:
            part.booking_failures += 1
            self.answer.booking_failed = True

    def _refusals(self) -> None:
        part = self.part
        if part.booked or self.answer.changed:
            return
        changing = {s: v for s, v in part.inform.items() if part.goal.inform.get(s) != v}
        if Act.NO_OFFER not in self.acts and not (part.tries_first and self.turns_down(changing)):
            return
        if part.venue and not part.tries_first:
            return
        if part.tries_first:
            self.answer.changed = part.take_alternative()
        else:
            part.refusals += 1
            self.answer.refused = True

    def _offers(self) -> None:
        part = self.part
        if part.booked or self.answer.changed:
            return
        offers = self.offered()
        if part.tries_first and not part.untold and self.is_about_to_book():
            self._change_mind()
        elif not offers:
            self._take_as_named()
        elif part.venue and any(same_name(part.venue, offer) for offer in offers):
            return
        elif part.untold:  # more constraints follow; what is offered before them may not meet them
            part.candidate = next((o for o in offers if not self.faults(o)), "")
        else:
            self._choose(offers)

    def _change_mind(self) -> None:
        """What was to fail did not: take the goal's constraints all the same."""
        self.answer.changed = self.part.take_alternative()
        self.answer.unforced = True

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
            self._change_mind()
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
        if part.venue and part.answers:
            part.forget_venue()
        part.venue = offer
        self.answer.taken, self.answer.had_choice = offer, one_of > 1

    def _errors(self) -> None:
        """What was said and is not what the user said: in the text, or in what the bot searched."""
        part = self.part
        quiet = {Act.NO_OFFER, Act.BOOKING_FAILED} & self.acts
        if self.answer.wrong or self.answer.changed or self.answer.another or part.booked:
            return
        if quiet or self.seen.refused:
            return
        asked = self.requested()
        wrong = self.wrong_in_text({s: v for s, v in part.told.items() if s not in asked})
        got = {slot: str(self.got(slot)) for slot in wrong}
        searched = self.seen.searched or {}
        for slot, value in part.told.items():
            if slot not in part.inform or slot not in searched or slot in wrong:
                continue
            if not agrees(slot, value, searched[slot]):
                wrong[slot], got[slot] = value, str(searched[slot])
        self.answer.wrong = self.not_too_often(wrong, got)
        if self.answer.wrong.keys() & part.inform.keys():
            part.forget_venue()

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
        """Where a visible row says otherwise, ask once more before taking the bot's word."""
        part = self.part
        row = self.row(part.venue) or {}
        doubtful = {
            slot
            for slot in slots & CHECKED.intersection(row)
            if part.denied[slot] == 0 and not agrees(slot, str(row[slot]), part.answers[slot])
        }
        for slot in doubtful:
            part.denied[slot] += 1
            del part.answers[slot]
        return doubtful

    def _told_in_other_words(self, slot: str) -> None:
        part = self.part
        row = self.row(part.venue)
        value = "" if row is None else str(row.get(slot, ""))
        said = "" if slot in YES_NO_SLOTS else row_value_in(value, self.text, part.venue)
        said = said or answer_in(self.text, slot, asked=part.asking)
        if said:
            part.answers[slot] = said
        elif slot in part.asking and self.denies():
            part.denied[slot] += 1
            if value == "?" or part.denied[slot] > 1:
                part.answers[slot] = "unknown"

    def _questions(self) -> None:
        self.answer.asked = tuple(dict.fromkeys(self.requested()))
        self.part.asked.update(self.answer.asked)
        self.answer.offers_booking = Act.OFFER_BOOK in self.acts
        clear = self.acts - {Act.BYE, Act.INFORM}
        self.answer.not_understood = not clear and asks_to_repeat(self.text)
        self.answer.unclear = not clear and self.text.rstrip().endswith("?")


def note_told(part: Part, heard: Sequence[Claim]) -> None:
    """Keep the answers to what the user asks for, or will."""
    told = {h.slot: h.value for h in heard if h.act is Act.INFORM and h.slot and h.value}
    for h in heard:
        if h.act in (Act.OFFER, Act.REFERENCE) and h.slot and h.value:
            told.setdefault(h.slot, h.value)
    for slot in part.unanswered:
        value = next((told[name] for name in answering(part.domain, slot) if name in told), None)
        if value is not None:
            part.answers[slot] = value
