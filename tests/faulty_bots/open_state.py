"""Faults of demo and MultiWOZ bots: wrong bookings, wrong words about right ones."""

from collections.abc import Sequence
from typing import Any

from pytest_todeval.backends.protocol import Row
from pytest_todeval.systems import RuleSystem
from pytest_todeval.systems.rules.state import DomainState
from tests.faulty_bots import mutants
from tests.faulty_bots.reshaped import DAY_AFTER, Rewords, TellsOtherwise, later
from tests.faulty_bots.seeded import Catalogue

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue("demo")
fault = CATALOGUE.fault
TABLES_AND_ROOMS = ("restaurant", "hotel")
BOOKED = ("restaurant", "hotel", "train")

# Wrong state

fault("state", "action", *TABLES_AND_ROOMS)(mutants.BooksTheDayAfter)
fault("state", "action", *BOOKED)(mutants.BooksForOneMore)
fault("state", "action", "hotel")(mutants.BooksOneNight)
fault("state", "action", *BOOKED)(mutants.BooksTwice)
fault("state", "action", *BOOKED, "taxi")(mutants.OnlyClaimsToBook)


@fault("state", "action", "train")
class BooksTheNextTrain(RuleSystem):
    """Books another train on the same way than the one that was offered and accepted."""

    others: Sequence[Row] = ()

    def search(self, state: DomainState) -> Sequence[Row]:
        rows = super().search(state)
        if state.domain == "train":
            self.others = rows
        return rows

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        if state.domain == "train" and len(self.others) > 1:
            other = next(r for r in self.others if r["trainID"] != arguments["trainID"])
            arguments = {**arguments, "trainID": str(other["trainID"])}
        return super().book(state, arguments)


@fault("state", "action", "taxi")
class TaxiGoesTheWrongWay(RuleSystem):
    """Orders the taxi from where the user wants to go to where the user is, and says so."""

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        if state.domain == "taxi":
            ends = {
                "departure": arguments["destination"],
                "destination": arguments["departure"],
            }
            arguments = {**arguments, **ends}
        return super().book(state, arguments)


# Wrong words about a right state

fault("words", "response", *BOOKED)(mutants.InventsReferences)


@fault("words", "response", *TABLES_AND_ROOMS)
class SaysAnotherDayAndParty(TellsOtherwise):
    """Books the day and party asked for, and tells the next day and two people fewer or more."""

    def told(self, domain: str, result: dict[str, Any]) -> dict[str, Any]:
        if domain not in TABLES_AND_ROOMS:
            return result
        people = int(result["people"])
        party = str(people - 2 if people > 2 else people + 2)
        return {**result, "day": DAY_AFTER[result["day"]], "people": party}


@fault("words", "response", "taxi")
class SaysAnotherTaxiTime(TellsOtherwise):
    """Orders the taxi for the right time and tells one 90 minutes later."""

    def told(self, domain: str, result: dict[str, Any]) -> dict[str, Any]:
        if domain != "taxi":
            return result
        times = {slot: result[slot] for slot in {"leaveAt", "arriveBy"} & set(result)}
        return {**result, **{slot: later(clock, 90) for slot, clock in times.items()}}


@fault("words", "context", *BOOKED)
class TellsTheFirstReference(RuleSystem):
    """Tells the reference of the first booking of the dialogue with every later one too."""

    first = ""

    def reference_to_tell(self, state: DomainState, result: dict[str, Any]) -> str:
        self.first = self.first or super().reference_to_tell(state, result)
        return self.first


@fault("words", "response", *BOOKED)
class TellsNoReference(Rewords):
    """Books and says so, but never tells a reference number."""

    def reword(self, text: str) -> str:
        sentences = text.split(" The reference number is ")
        rest = [part.partition(".")[2] for part in sentences[1:]]
        return sentences[0] + "".join(rest)

    def tell_reference(self, state: DomainState) -> str:
        return "You will not need one." if state.booked else super().tell_reference(state)


@fault("words", "response", "train")
class MultipliesTheFareWrongly(RuleSystem):
    """Tells the total fare for one ticket fewer or more than it has booked."""

    def try_to_book(self, state: DomainState) -> list[str]:
        before = len(state.booked)
        said = super().try_to_book(state)
        price = str((state.row or {}).get("price", ""))
        if state.domain != "train" or len(state.booked) == before or not price:
            return said
        people = int(state.booked[-1]["people"])
        count = people - 1 if people > 1 else 2
        return [*said, f"The total fare is {float(price.split()[0]) * count:.2f} pounds."]


fault("words", "flow", *BOOKED)(mutants.BooksInSilence)
fault("words", "action", *TABLES_AND_ROOMS)(mutants.HidesRefusals)


@fault("service", "response", *BOOKED)
class BooksAndSaysItFailed(RuleSystem):
    """Books, and tells the user that the booking failed; the user leaves without knowing of it."""

    def try_to_book(self, state: DomainState) -> list[str]:
        before = len(state.booked)
        said = super().try_to_book(state)
        if len(state.booked) == before:
            return said
        return [self.booking_refused(state, "the system did not answer")]
