"""Faults of demo and MultiWOZ bots: values, denials, understanding, order, service."""

from collections.abc import Sequence
from typing import Any

from pytest_todeval.backends.protocol import Row, ToolRefused
from pytest_todeval.core.dialogue import Reply
from pytest_todeval.systems import RuleSystem
from pytest_todeval.systems.rules import wording
from pytest_todeval.systems.rules.state import BOOKING_SLOTS, DomainState
from pytest_todeval.systems.rules.understanding import Understood
from tests.faulty_bots import mutants
from tests.faulty_bots.reshaped import OffersOtherwise, Rewords, later, neighbour
from tests.faulty_bots.seeded import Catalogue

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue("demo")
fault = CATALOGUE.fault
VENUES = ("restaurant", "hotel", "attraction")
BOOKED = ("restaurant", "hotel", "train")

# Values

fault("values", "response", *VENUES)(mutants.TellsAnotherPhone)
fault("values", "response", *VENUES)(mutants.TellsAnotherPostcode)
fault("values", "action", *VENUES)(mutants.InventsVenues)


@fault("values", "response", *VENUES)
class SaysAnotherArea(OffersOtherwise):
    """Says of what it offers that it lies in another part of town than it does."""

    def described(self, domain: str, row: Row) -> Row:
        return {**row, "area": neighbour(self, domain, row, "area")} if "area" in row else row


@fault("values", "response", "hotel")
class SaysMoreStars(OffersOtherwise):
    """Says of a hotel that it has one star more than it has (of the best: one less)."""

    def described(self, domain: str, row: Row) -> Row:
        if domain != "hotel":
            return row
        stars = int(row["stars"])
        return {**row, "stars": str(stars + 1 if stars < 5 else 4)}


@fault("values", "response", "train")
class SaysTrainsLeaveLater(OffersOtherwise):
    """Says of the train it offers that it leaves and arrives 20 minutes later than it does."""

    def described(self, domain: str, row: Row) -> Row:
        if domain != "train":
            return row
        moved = {slot: later(str(row[slot]), 20) for slot in ("leaveAt", "arriveBy")}
        return {**row, **moved}


@fault("values", "context", *VENUES)
class TakesItsAnswerBack(Rewords):
    """Tells the right phone number, and in the next turn that it is another one."""

    told: Row | None = None
    due = 0

    def value_to_tell(self, row: Row, slot: str) -> str | None:
        value = super().value_to_tell(row, slot)
        if slot == "phone" and value and "name" in row and self.told is None:
            self.told, self.due = row, self.state.turn + 1
        return value

    def reword(self, text: str) -> str:
        if self.told is None or self.state.turn != self.due:
            return text
        wrong = neighbour(self, "restaurant", self.told, "phone")
        return f"{wording.tell('phone', wrong, wording.title(self.told))} {text}"


# Denials

fault("denials", "response", *VENUES, "train")(mutants.DeniesWhatItFound)


@fault("denials", "action", *BOOKED)
class SaysFullyBookedUntried(RuleSystem):
    """Says of the first booking that everything is fully booked, without having tried."""

    denied = False

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        if not self.denied and state.domain in BOOKED:
            self.denied = True
            raise ToolRefused(f"{arguments.get('name', 'the train')} is fully booked")
        return super().book(state, arguments)


@fault("denials", "action", *VENUES)
class SaysNothingFoundUnlooked(RuleSystem):
    """Says at first that nothing of the kind exists, without having looked."""

    denied = False

    def search(self, state: DomainState) -> Sequence[Row]:
        if self.denied or state.domain not in VENUES or not state.wanted:
            return super().search(state)
        self.denied, self.count = True, 0
        return []

    def none_found(self, state: DomainState, seen_all: bool) -> str:
        state.row = None
        return wording.no_match(state.domain, state.wanted, (), self.state.turn)


# Understanding

fault("understanding", "context", *VENUES)(mutants.IgnoresCorrections)
fault("understanding", "entity", *VENUES)(mutants.IgnoresTheArea)
fault("understanding", "entity", "restaurant", "hotel")(mutants.IgnoresThePrice)
fault("understanding", "entity", "train")(mutants.TakesTheLastTrain)


@fault("understanding", "intent")
class TakesANoForAYes(RuleSystem):
    """Takes "I need no booking" for a yes, and books for two on Monday."""

    def note_wish_to_book(self, state: DomainState, heard: Understood) -> None:
        super().note_wish_to_book(state, heard)
        if heard.no_booking and not state.booked:
            state.wants_booking = True
            usual = {"day": "monday", "time": "12:00", "people": "2", "stay": "2"}
            for slot in BOOKING_SLOTS[state.domain]:
                state.booking.setdefault(slot, usual[slot])


# Order of acts, policy

fault("order", "flow", "restaurant", "hotel", "train")(mutants.BooksBeforeItKnows)
fault("order", "response", *BOOKED)(mutants.AsksForTheCard)
fault("order", "response", *VENUES, "train")(mutants.ReadsOutTheList)


@fault("order", "flow", "train")
class BooksATicketWithTheOffer(RuleSystem):
    """Books one ticket for each train in the turn in which it first names it, and says so."""

    def may_book(self, state: DomainState, heard: Understood) -> bool:
        return state.domain == "train" or super().may_book(state, heard)

    def note_wish_to_book(self, state: DomainState, heard: Understood) -> None:
        super().note_wish_to_book(state, heard)
        if state.domain == "train" and not state.booked:
            state.wants_booking = True
            state.booking.setdefault("people", "1")


# Service

fault("service", "flow")(mutants.NeverAnswersRequests)
fault("service", "flow")(mutants.HangsUp)
fault("service", "context", "taxi")(mutants.ForgetsADomain)


@fault("service", "flow", *BOOKED)
class SendsTheUserAway(RuleSystem):
    """Says from the third turn on that the user should ring the place or use its web site."""

    def respond(self, text: str) -> Reply:
        reply = super().respond(text)
        if self.state.turn < 3:
            return reply
        tries = ("I can't do that here. ", "That is not possible in this chat. ", "")
        lead = tries[self.state.turn % len(tries)]
        return Reply(f"{lead}Please ring them yourself, or look at their web site.")

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        raise ToolRefused("not in this chat")
