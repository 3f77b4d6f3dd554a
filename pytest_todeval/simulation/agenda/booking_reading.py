"""What a turn of the bot says of the booking that the user wants."""

import re
from collections.abc import Mapping

from pytest_todeval.core.dialogue_act import Act
from pytest_todeval.facts.calls.reading import CallFact
from pytest_todeval.nlu.values.normalise import same_name
from pytest_todeval.simulation.agenda.reading import VENUES, DomainReading


class BookingReading(DomainReading):
    """One turn, read for the booking; `answer` gathers what the turn calls for."""

    def note_bookings(self) -> None:
        """Believe, doubt, correct or withdraw a booking, by what the bot says."""
        part = self.part
        if not part.wants_booking:
            return
        told = self.says_booked()
        if told is False and part.booked:
            part.withdraw_booking()
        if told:
            self._take_booking(self.wrong_in_text(part.book) | self._wrong_name())
        elif self.seen.made is not None and not self.is_understood:
            self._take_for_done(self.seen.made)
        elif self._is_refused():
            self._failed_booking()
        if self.seen.made is not None and told is None and not part.booked:
            part.unheard = self.text

    def _take_for_done(self, made: CallFact) -> None:
        """Nothing was understood: a booking that can be seen in the calls counts."""
        part = self.part
        wanted = dict(part.slots)
        if part.venue and part.domain not in ("taxi", "train"):
            wanted["name"] = part.venue
        got = made.slots
        wrong = {s: v for s, v in wanted.items() if s in got and not self.meets(s, v, got[s])}
        self.answer.note = f"took the visible call {made.call.name}(...) for what was done"
        self._take_booking(wrong)

    def _is_refused(self) -> bool:
        if Act.BOOKING_FAILED in self.acts:
            return True
        if self.seen.refused and not self.asks_for_more() and self.says_booked() is None:
            self.answer.note = "took a booking call that was refused for what was done"
            return True
        failing = self.part.goal.fail_book
        return self.part.tries_first_book and (
            self.turns_down(failing) or self._asks_for_another(failing)
        )

    def _asks_for_another(self, slots: Mapping[str, str]) -> bool:
        """Says whether the bot asks for another value of what is to fail: "Try another day?"."""
        told = [slot for slot, value in slots.items() if self.part.told.get(slot) == value]
        words = "|".join(re.escape(slot.replace("_", " ")) for slot in told)
        asks = rf"\b(?:another|other|different|alternative|new)\W{{1,3}}(?:\w+ or )?(?:{words})\b"
        return bool(told) and re.search(asks, self.text, re.I) is not None

    def _take_booking(self, wrong: Mapping[str, str]) -> None:
        part = self.part
        if part.tries_first:
            self.change_mind()
            return
        if not part.booked:
            wrong = self.not_too_often(wrong, {s: str(self.got(s)) for s in wrong})
            if wrong:
                self.answer.wrong, self.answer.booked_wrong = wrong, True
                return
        if part.tries_first_book and not part.booked:
            self.answer.changed = part.take_alternative_booking()
            self.answer.unforced = True
            return
        part.booked = True
        references = [h.value for h in self.heard if h.act is Act.REFERENCE and h.value]
        if references:
            part.reference = references[0]
            part.answers["reference"] = references[0]
        if self.seen.booked is not None and not part.venue:
            part.venue = str(self.seen.booked.get(part.key, ""))

    def _wrong_name(self) -> dict[str, str]:
        """Returns the venue wanted, if the bot says that it has booked another one."""
        part, said = self.part, self.offered()
        other = len(said) == 1 and part.venue and not same_name(said[0], part.venue)
        return {"name": part.venue} if other and part.domain in VENUES else {}

    def _failed_booking(self) -> None:
        part = self.part
        if part.booked:
            return
        if part.tries_first_book and any(s in part.told for s in part.goal.fail_book):
            self.answer.changed = part.take_alternative_booking()
        else:
            part.booking_failures += 1
            self.answer.booking_failed = True

    def change_mind(self) -> None:
        """What was to fail did not: take the goal's constraints all the same."""
        self.answer.changed = self.part.take_alternative()
        self.answer.unforced = True
