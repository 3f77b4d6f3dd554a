"""Kept apart: faults of demo and MultiWOZ bots: values, denials, understanding, order, service."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

from pytest_todeval.backends.protocol import Row, ToolRefused
from pytest_todeval.core.dialogue import Reply
from pytest_todeval.systems import RuleSystem
from pytest_todeval.systems.rules import wording
from pytest_todeval.systems.rules.requests import Request
from pytest_todeval.systems.rules.state import BOOKING_SLOTS, DomainState
from pytest_todeval.systems.rules.understanding import Understood
from tests.faulty_bots.reshaped import OffersOtherwise, Rewords, later, neighbour
from tests.faulty_bots.seeded import Catalogue

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue("demo", apart=True)
fault = CATALOGUE.fault
VENUES = ("restaurant", "hotel", "attraction")
BOOKED = ("restaurant", "hotel", "train")

# Values


@fault("values", "response", "restaurant", "hotel")
class SaysAnotherPriceRange(OffersOtherwise):
    """Says of what it offers that it is cheap if it is not, and moderate if it is."""

    def described(self, domain: str, row: Row) -> Row:
        if row.get("pricerange") not in ("cheap", "moderate", "expensive"):
            return row
        return {**row, "pricerange": "moderate" if row["pricerange"] == "cheap" else "cheap"}


@fault("values", "response", "restaurant", "attraction")
class SaysAnotherKind(OffersOtherwise):
    """Says that a restaurant serves another food, or that an attraction is of another type."""

    def described(self, domain: str, row: Row) -> Row:
        slot = {"restaurant": "food", "attraction": "type"}.get(domain)
        return row if slot is None else {**row, slot: neighbour(self, domain, row, slot)}


@fault("values", "response", "hotel")
class SwapsInternetAndParking(OffersOtherwise):
    """Says of a hotel that it has parking if it has none, and the other way round."""

    def described(self, domain: str, row: Row) -> Row:
        if domain != "hotel":
            return row
        return {**row, "parking": "no" if row.get("parking") == "yes" else "yes"}


@fault("values", "response", "train")
class SaysTrainsArriveSooner(OffersOtherwise):
    """Says of the train it offers that it arrives a quarter of an hour sooner than it does."""

    def described(self, domain: str, row: Row) -> Row:
        if domain != "train":
            return row
        return {**row, "arriveBy": later(str(row["arriveBy"]), -15)}


@fault("values", "response", *VENUES)
class TellsTheNextAddress(RuleSystem):
    """Tells the address of another venue, as a join by the wrong row would."""

    def value_to_tell(self, row: Row, slot: str) -> str | None:
        told = super().value_to_tell(row, slot)
        if slot != "address" or not told or "name" not in row:
            return told
        return neighbour(self, "attraction", row, "address")


@fault("values", "response", "attraction", "train")
class TellsAnotherPrice(RuleSystem):
    """Tells an entrance fee or a fare of half a pound less than it is; free things cost a pound."""

    def value_to_tell(self, row: Row, slot: str) -> str | None:
        told = super().value_to_tell(row, slot)
        if slot not in ("entrance fee", "price") or not told:
            return told
        number = told.split()[0]
        if number.replace(".", "", 1).isdigit():
            return f"{float(number) - 0.5:.2f} pounds"
        return "1 pound"


@fault("values", "response", "restaurant", "hotel", "attraction", "train")
class DropsADigit(RuleSystem):
    """Tells phone numbers and postcodes without their last character."""

    def value_to_tell(self, row: Row, slot: str) -> str | None:
        told = super().value_to_tell(row, slot)
        return told[:-1] if told and slot in ("phone", "postcode") else told


@fault("values", "response", "hotel", "restaurant")
class InventsAnAmenity(RuleSystem):
    """Adds to each offer something that no row says: a pool, a live band."""

    def offer(self, state: DomainState, heard: Understood, rows: Sequence[Row]) -> list[str]:
        said = super().offer(state, heard, rows)
        extra = {
            "hotel": "It also has a heated pool and breakfast is included.",
            "restaurant": "A live band plays there every night from 20:00.",
        }.get(state.domain)
        return [*said, extra] if extra and state.row is not None else said


@fault("values", "response", "restaurant", "hotel", "attraction")
class MiscountsWhatItFound(RuleSystem):
    """Tells a larger number of venues than it has found."""

    def search(self, state: DomainState) -> Sequence[Row]:
        rows = super().search(state)
        if self.count > 1:
            self.count += 7
        return rows


@fault("values", "context", *VENUES)
class ContradictsItsOffer(Rewords):
    """Offers a venue in its right part of town, and two turns later puts it in another one."""

    offered: Row | None = None
    due = 0

    def offer(self, state: DomainState, heard: Understood, rows: Sequence[Row]) -> list[str]:
        said = super().offer(state, heard, rows)
        if state.row is not None and self.offered is None and state.row.get("area", "?") != "?":
            self.offered, self.due = state.row, self.state.turn + 1
        return said

    def reword(self, text: str) -> str:
        if self.offered is None or self.state.turn != self.due:
            return text
        areas = [a for a in ("centre", "north", "west") if a != self.offered["area"]]
        return f"{wording.title(self.offered)} is in the {areas[0]} of town. {text}"


# Denials


@fault("denials", "action", "train")
class SaysSoldOutUntried(RuleSystem):
    """Says of the first train that is to be booked that it is sold out, without having tried."""

    denied = False

    def try_to_book(self, state: DomainState) -> list[str]:
        if state.domain != "train" or self.denied:
            return super().try_to_book(state)
        self.denied = True
        return ["Unfortunately that train is sold out, I was unable to book it. Another day?"]


@fault("denials", "action", "taxi")
class SaysNoTaxiIsFree(RuleSystem):
    """Says at first that no taxi can be had, without having asked for one."""

    denied = False

    def order_taxi(self, state: DomainState) -> list[str]:
        if self.denied:
            return super().order_taxi(state)
        self.denied = True
        return ["I am sorry, there are no taxis available then. Would another time do?"]


@fault("denials", "entity", *VENUES)
class LooksForMoreThanAsked(RuleSystem):
    """Adds a wish of its own to the first search, finds nothing, and says that there is nothing."""

    narrowed = False

    def search(self, state: DomainState) -> Sequence[Row]:
        wanted = state.wanted
        if self.narrowed or state.domain not in VENUES or not wanted or "name" in wanted:
            return super().search(state)
        self.narrowed = True
        found = self.backend.call(f"find_{state.domain}", **wanted, name="the top floor")
        state.changed, self.count = False, 0
        rows: Sequence[Row] = found["results"]
        return rows


@fault("denials", "response", "restaurant", "hotel")
class GivesAnotherReason(RuleSystem):
    """Says of a booking refused for its day or time that the place is closed for good."""

    def booking_refused(self, state: DomainState, reason: str) -> str:
        name = wording.title(state.row or {})
        return (
            f"I am sorry, the booking failed: {name} has closed down. "
            "Would you like to try another day or time?"
        )


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

    def answer_request(self, state: DomainState, request: Request) -> str:
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
