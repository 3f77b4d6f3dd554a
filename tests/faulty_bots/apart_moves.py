"""Kept apart: faults of demo and MultiWOZ bots: understanding, order, service."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

from pytest_todeval.backends.protocol import Row, ToolRefused
from pytest_todeval.core.dialogue import Reply
from pytest_todeval.systems import RuleSystem
from pytest_todeval.systems.rules.requests import AskedValue
from pytest_todeval.systems.rules.state import BOOKING_SLOTS, DomainState
from pytest_todeval.systems.rules.understanding import Understood
from tests.faulty_bots.reshaped import later
from tests.faulty_bots.seeded import Catalogue

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue("demo", apart=True)
fault = CATALOGUE.fault
VENUES = ("restaurant", "hotel", "attraction")
BOOKED = ("restaurant", "hotel", "train")

# Understanding


@fault("understanding", "entity", "train")
class TakesArrivalForDeparture(RuleSystem):
    """Takes the time by which a train must arrive for the time from which it may leave."""

    def update(self, heard: Understood) -> None:
        told = tuple(
            replace(said, slot="leaveAt")
            if (said.domain, said.slot) == ("train", "arriveBy")
            else said
            for said in heard.informs
        )
        super().update(replace(heard, informs=told))


@fault("understanding", "entity", "hotel", "attraction")
class DropsTheType(RuleSystem):
    """Searches without the type that the user has said."""

    def constraints_for(self, state: DomainState) -> dict[str, str]:
        return {slot: value for slot, value in state.wanted.items() if slot != "type"}


@fault("understanding", "entity", "restaurant", "hotel", "train")
class HearsTuesdayForThursday(RuleSystem):
    """Takes Tuesday for Thursday and Saturday for Sunday, and the other way round."""

    ALIKE: ClassVar = {"tuesday": "thursday", "saturday": "sunday", "friday": "monday"}

    def update(self, heard: Understood) -> None:
        alike = {**self.ALIKE, **{b: a for a, b in self.ALIKE.items()}}
        told = tuple(
            replace(said, value=alike.get(said.value, said.value)) if said.slot == "day" else said
            for said in heard.informs
        )
        super().update(replace(heard, informs=told))


@fault("understanding", "context", "restaurant", "hotel", "attraction")
class CarriesTheAreaOver(RuleSystem):
    """Searches each further domain in the part of town asked for in the first."""

    area = ""

    def constraints_for(self, state: DomainState) -> dict[str, str]:
        wanted = state.wanted
        if state.domain not in VENUES or "name" in wanted:
            return wanted
        self.area = self.area or wanted.get("area", "")
        return {**wanted, "area": self.area} if self.area else wanted


@fault("understanding", "intent")
class HearsTheFirstRequestOnly(RuleSystem):
    """Answers the first thing asked in a turn, and passes over the others."""

    def answer_requests(self, state: DomainState, heard: Understood) -> list[str]:
        return super().answer_requests(state, replace(heard, requests=heard.requests[:1]))


# Order of acts, policy


@fault("order", "flow", *BOOKED)
class BooksOnAQuestion(RuleSystem):
    """Books for two on Friday as soon as the user asks anything about what is offered."""

    def note_wish_to_book(self, state: DomainState, heard: Understood) -> None:
        super().note_wish_to_book(state, heard)
        asks = any(request.domain == state.domain for request in heard.requests)
        if asks and not state.booked:
            state.wants_booking = True
            usual = {"day": "friday", "time": "18:00", "people": "2", "stay": "1"}
            for slot in BOOKING_SLOTS[state.domain]:
                state.booking.setdefault(slot, usual[slot])

    def may_book(self, state: DomainState, heard: Understood) -> bool:
        return True


@fault("order", "response", *BOOKED)
class AsksForTheMaidenName(RuleSystem):
    """Asks with each booking for the maiden name of the user's mother."""

    def try_to_book(self, state: DomainState) -> list[str]:
        return [*super().try_to_book(state), "For security, what is your mother's maiden name?"]


@fault("order", "flow", *BOOKED)
class AsksForWhatWasSaid(RuleSystem):
    """Asks once more for all that a booking needs, though the user has just said it."""

    asked_again = False

    def missing_for_booking(self, state: DomainState) -> list[str]:
        missing = super().missing_for_booking(state)
        if missing or self.asked_again:
            return missing
        self.asked_again = True
        return list(BOOKING_SLOTS[state.domain])


@fault("order", "action", "restaurant", "hotel")
class RebooksUnasked(RuleSystem):
    """If a booking is refused, books the day or time after at once, and tells so."""

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        try:
            return super().book(state, arguments)
        except ToolRefused:
            if "time" in arguments:
                moved = {"time": later(arguments["time"], 30)}
            else:
                moved = {"stay": "2" if arguments["stay"] == "1" else "1"}
            return super().book(state, {**arguments, **moved})


# Service


@fault("service", "flow", *BOOKED)
class SaysItOnlyInforms(RuleSystem):
    """Offers, and refuses to book: it says that it can only give information."""

    def try_to_book(self, state: DomainState) -> list[str]:
        state.wants_booking = False
        return ["I can only give information here; I am not able to make bookings."]


@fault("service", "flow", *BOOKED)
class LeavesAfterTheFirstBooking(RuleSystem):
    """Takes the dialogue for ended once anything is booked, whatever else is open."""

    def respond(self, text: str) -> Reply:
        reply = super().respond(text)
        booked = any(state.booked for state in self.state.domains.values())
        return Reply(reply.text, state=reply.state, done=booked)


@fault("service", "flow", *VENUES)
class AnswersSomethingElse(RuleSystem):
    """Tells the address if it is asked for the phone number, and the phone number for the rest."""

    def answer_request(self, state: DomainState, request: AskedValue) -> str:
        other = "address" if request.slot == "phone" else "phone"
        return super().answer_request(state, request._replace(slot=other))


@fault("service", "flow", *VENUES)
class KeepsAskingForMore(RuleSystem):
    """Never offers: there is always one more question to ask."""

    def asks_for(self, state: DomainState, heard: Understood, rows: Sequence[Row]) -> str | None:
        questions = {
            "restaurant": ("food", "area", "pricerange"),
            "hotel": ("area", "pricerange", "stars"),
            "attraction": ("type", "area"),
        }.get(state.domain)
        if questions is None:
            return super().asks_for(state, heard, rows)
        return questions[self.state.turn % len(questions)]
