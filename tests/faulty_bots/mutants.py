"""Faulty variants of the reference bot: each decides one thing wrongly, as real bots do."""

from collections.abc import Sequence
from typing import Any

from pytest_todeval.backends.protocol import Row, ToolRefused
from pytest_todeval.core.dialogue import Reply
from pytest_todeval.simulation.systems.rules.requests import AskedValue
from pytest_todeval.simulation.systems.rules.state import DomainState
from pytest_todeval.simulation.systems.rules.understanding import Understood
from pytest_todeval.systems import RuleSystem
from tests.faulty_bots.reshaped import DAY_AFTER

# Wrong bookings


class BooksTheDayAfter(RuleSystem):
    """Books the day after the one that was said, and tells what it has booked."""

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        if "day" in arguments:
            arguments = {**arguments, "day": DAY_AFTER[arguments["day"]]}
        return super().book(state, arguments)


class BooksForOneMore(RuleSystem):
    """Books for one more than was said, and tells so."""

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        if "people" in arguments:
            arguments = {**arguments, "people": str(int(arguments["people"]) + 1)}
        return super().book(state, arguments)


class BooksOneNight(RuleSystem):
    """Books one night, however many were said."""

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        if "stay" in arguments:
            arguments = {**arguments, "stay": "1"}
        return super().book(state, arguments)


class BooksTwice(RuleSystem):
    """Makes each booking twice."""

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        super().book(state, arguments)
        return super().book(state, arguments)


class OnlyClaimsToBook(RuleSystem):
    """Says that it has booked, with a reference of its own making, and books nothing."""

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        made_up = {"reference": "QX7TR2ML", "type": "volvo", "phone": "01632960999"}
        return {**(state.row or {}), **arguments, **made_up}


class HidesRefusals(RuleSystem):
    """Says that it has booked if the backend refuses to."""

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        try:
            return super().book(state, arguments)
        except ToolRefused:
            return {**arguments, "reference": "QX7TR2ML"}


class BooksInSilence(RuleSystem):
    """Books and does not say so."""

    def try_to_book(self, state: DomainState) -> list[str]:
        super().try_to_book(state)
        return ["Let me see what I can do. Can I help you with anything else?"]

    def tell_reference(self, state: DomainState) -> str:
        return "All in good time."


class BooksBeforeItKnows(RuleSystem):
    """Books before the user has said for when and for how many."""

    def note_wish_to_book(self, state: DomainState, heard: Understood) -> None:
        state.wants_booking = not state.booked

    def may_book(self, state: DomainState, heard: Understood) -> bool:
        return True

    def missing_for_booking(self, state: DomainState) -> list[str]:
        for slot in super().missing_for_booking(state):
            state.booking[slot] = {"day": "monday", "time": "12:00"}.get(slot, "2")
        return []


# Wrong venues


class IgnoresTheArea(RuleSystem):
    """Searches without the part of town that the user has said."""

    def constraints_for(self, state: DomainState) -> dict[str, str]:
        return {slot: value for slot, value in state.wanted.items() if slot != "area"}


class IgnoresThePrice(RuleSystem):
    """Searches without the price range that the user has said."""

    def constraints_for(self, state: DomainState) -> dict[str, str]:
        return {slot: value for slot, value in state.wanted.items() if slot != "pricerange"}


class InventsVenues(RuleSystem):
    """Names a venue that does not exist in place of the one it has found."""

    def choose_venue(self, state: DomainState, rows: Sequence[Row]) -> Row:
        row = super().choose_venue(state, rows)
        return {**row, "name": "the gilded pelican"} if "name" in row else row


class DeniesWhatItFound(RuleSystem):
    """Looks, finds, and says that there is nothing."""

    def offer(self, state: DomainState, heard: Understood, rows: Sequence[Row]) -> list[str]:
        return [self.none_found(state, seen_all=False)]


class TakesTheLastTrain(RuleSystem):
    """Offers the last train of the day, whatever time the user has said."""

    def search(self, state: DomainState) -> Sequence[Row]:
        if state.domain == "train":
            untimed = {s: v for s, v in state.wanted.items() if s not in ("leaveAt", "arriveBy")}
            rows = self.backend.query("train", untimed)
            return [max(rows, key=lambda row: str(row["leaveAt"]))] if rows else []
        return super().search(state)


class ReadsOutTheList(RuleSystem):
    """Reads out eight venues before it offers one."""

    def offer(self, state: DomainState, heard: Understood, rows: Sequence[Row]) -> list[str]:
        said = super().offer(state, heard, rows)
        every = self.backend.call(f"find_{state.domain}")["results"][:8]
        names = [str(row.get("name") or row.get("trainID")) for row in every]
        return [f"You could take {', '.join(names[:-1])} or {names[-1]}.", *said]


# Wrong answers


class TellsAnotherPhone(RuleSystem):
    """Tells the phone number of another venue if it is asked for one."""

    def value_to_tell(self, row: Row, slot: str) -> str | None:
        told = super().value_to_tell(row, slot)
        others = self.backend.query("restaurant", {})
        return str(others[-1]["phone"]) if slot == "phone" and told else told


class TellsAnotherPostcode(RuleSystem):
    """Tells a postcode that no venue has."""

    def value_to_tell(self, row: Row, slot: str) -> str | None:
        told = super().value_to_tell(row, slot)
        return "qz99zz" if slot == "postcode" and told else told


class InventsReferences(RuleSystem):
    """Books, and tells a reference of its own making."""

    def reference_to_tell(self, state: DomainState, result: dict[str, Any]) -> str:
        return "QX7TR2ML"


class NeverAnswersRequests(RuleSystem):
    """Passes over all that the user asks."""

    def answer_request(self, state: DomainState, request: AskedValue) -> str:
        return ""


# Wrong understanding


class ForgetsADomain(RuleSystem):
    """Serves the first domain of the dialogue and passes over the others."""

    def domains_to_serve(self, heard: Understood) -> list[str]:
        started = list(self.state.domains)[:1]
        domains = super().domains_to_serve(heard)
        return [domain for domain in domains if not started or domain in started]


class IgnoresCorrections(RuleSystem):
    """Keeps the first value that it has heard for a slot."""

    def update(self, heard: Understood) -> None:
        for said in heard.informs:
            state = self.state.of(said.domain)
            value = self.state.resolve(said)
            if value is not None and said.slot not in {**state.constraints, **state.booking}:
                state.set(said.slot, value)


# Wrong manners


class Loops(RuleSystem):
    """Says its first reply again and again."""

    first: Reply | None = None

    def respond(self, text: str) -> Reply:
        reply = super().respond(text)
        self.first = self.first or reply
        return self.first


class FallsSilent(RuleSystem):
    """Says nothing from the third turn on."""

    def respond(self, text: str) -> Reply:
        reply = super().respond(text)
        return reply if self.state.turn < 3 else Reply("")


class AnswersInOneWord(RuleSystem):
    """Does what it should, and says no more than a word."""

    def respond(self, text: str) -> Reply:
        super().respond(text)
        return Reply("Okay.")


class Crashes(RuleSystem):
    """Raises an error in the first turn."""

    def respond(self, text: str) -> Reply:
        if self.state.turn == 1:
            raise KeyError("state")
        return super().respond(text)


class HangsUp(RuleSystem):
    """Takes the dialogue for ended after its first reply."""

    def respond(self, text: str) -> Reply:
        return Reply(super().respond(text).text, done=True)


# Broken rules


class LeaksPrices(RuleSystem):
    """Tells of its margin with each offer."""

    def offer(self, state: DomainState, heard: Understood, rows: Sequence[Row]) -> list[str]:
        price = rows[0].get("pricerange", "moderate") if rows else "moderate"
        return [*super().offer(state, heard, rows), f"Between us, our margin is {price}."]


class AsksForTheCard(RuleSystem):
    """Asks for the number of a credit card with each booking."""

    def try_to_book(self, state: DomainState) -> list[str]:
        return [*super().try_to_book(state), "What is your credit card number?"]
