"""Kept apart: faults of demo and MultiWOZ bots: wrong bookings, wrong words about right ones."""

from typing import Any

from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.core.dialogue import Reply
from pytest_todeval.systems import RuleSystem
from pytest_todeval.systems.rules.state import DomainState
from pytest_todeval.systems.rules.understanding import Understood
from tests.faulty_bots.reshaped import DAYS, Rewords, TellsOtherwise, later
from tests.faulty_bots.seeded import Catalogue

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue("demo", apart=True)
fault = CATALOGUE.fault
BOOKED = ("restaurant", "hotel", "train")

# Wrong state


@fault("state", "action", "restaurant")
class BooksAnHourLater(RuleSystem):
    """Books the table an hour after the time that the user said."""

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        if state.domain == "restaurant":
            arguments = {**arguments, "time": later(arguments["time"], 60)}
        return super().book(state, arguments)


@fault("state", "action", "restaurant", "hotel")
class BooksAPlaceNearby(RuleSystem):
    """Books another venue in the same part of town than the one it has offered, and names it."""

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        if "name" in arguments and state.row is not None:
            near = self.backend.query(state.domain, {"area": str(state.row.get("area", ""))})
            others = (str(row["name"]) for row in near if row["name"] != arguments["name"])
            arguments = {**arguments, "name": next(others, arguments["name"])}
        return super().book(state, arguments)


@fault("state", "action", "train")
class BooksTheEarliestTrain(RuleSystem):
    """Books the first train of that day and way, whichever the user has accepted."""

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        if state.domain == "train" and state.row is not None:
            way = {s: str(state.row[s]) for s in ("departure", "destination", "day")}
            first = min(self.backend.query("train", way), key=lambda row: str(row["leaveAt"]))
            arguments = {**arguments, "trainID": str(first["trainID"])}
        return super().book(state, arguments)


@fault("state", "entity", *BOOKED)
class BooksForTwoWhateverIsSaid(RuleSystem):
    """Books for a party of two, the value in its form before anybody has typed."""

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        if "people" in arguments:
            arguments = {**arguments, "people": "2"}
        return super().book(state, arguments)


@fault("state", "flow", *BOOKED)
class BooksAgainWhenThanked(RuleSystem):
    """Books the last thing a second time when the user goes on to something else or asks more."""

    again = False

    def reply(self, heard: Understood) -> str:
        for state in self.state.domains.values():
            if state.booked and not self.again and state.domain in BOOKED and state.tried:
                self.again = True
                self.book(state, state.tried)
        return super().reply(heard)


@fault("state", "entity", "taxi")
class TaxiHalfADayOff(RuleSystem):
    """Takes a taxi's time for one in the other half of the day."""

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        if state.domain == "taxi":
            for slot in {"leaveAt", "arriveBy"} & set(arguments):
                arguments = {**arguments, slot: later(arguments[slot], 720)}
        return super().book(state, arguments)


@fault("state", "action", *BOOKED)
class SaysDoneWithoutBooking(RuleSystem):
    """Makes up the result of the first booking of the dialogue; later ones are real."""

    pretended = False

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        if self.pretended or state.domain == "taxi":
            return super().book(state, arguments)
        self.pretended = True
        row = {s: v for s, v in (state.row or {}).items() if isinstance(v, str)}
        return {**row, **arguments, "reference": "M4RLW1CK"}


# Wrong words about a right state


@fault("words", "response", "restaurant")
class SaysAnEarlierTable(TellsOtherwise):
    """Books the table for the right time and tells one half an hour earlier."""

    def told(self, domain: str, result: dict[str, Any]) -> dict[str, Any]:
        return {**result, "time": later(result["time"], -30)} if domain == "restaurant" else result


@fault("words", "response", "hotel")
class SaysMoreNights(TellsOtherwise):
    """Books the nights asked for and tells one more."""

    def told(self, domain: str, result: dict[str, Any]) -> dict[str, Any]:
        return {**result, "stay": str(int(result["stay"]) + 1)} if domain == "hotel" else result


@fault("words", "response", "restaurant", "hotel")
class SaysItBookedElsewhere(TellsOtherwise):
    """Books the right venue, and names another of the database in its confirmation."""

    def told(self, domain: str, result: dict[str, Any]) -> dict[str, Any]:
        if domain not in ("restaurant", "hotel"):
            return result
        rows = self.backend.database.rows(domain)
        other = next(row for row in reversed(rows) if row["name"] != result["name"])
        return {**result, "name": str(other["name"])}


@fault("words", "response", "taxi")
class SaysAnotherTaxiPlace(TellsOtherwise):
    """Orders the right taxi and tells that it goes to the station."""

    def told(self, domain: str, result: dict[str, Any]) -> dict[str, Any]:
        return {**result, "destination": "the railway station"} if domain == "taxi" else result


@fault("words", "response", "taxi")
class TellsAnotherCarsNumber(RuleSystem):
    """Tells the contact number of a taxi with two digits swapped."""

    def phone_to_call(self, result: dict[str, Any]) -> str:
        number = super().phone_to_call(result)
        at = next((n for n in range(2, len(number) - 1) if number[n] != number[n + 1]), 2)
        return number[:at] + number[at + 1] + number[at] + number[at + 2 :]


@fault("words", "response", *BOOKED)
class MistypesTheReference(RuleSystem):
    """Tells the reference with its last two characters swapped, or the last one changed."""

    def reference_to_tell(self, state: DomainState, result: dict[str, Any]) -> str:
        right = super().reference_to_tell(state, result)
        swapped = right[:-2] + right[-1] + right[-2]
        return swapped if swapped != right else right[:-1] + ("A" if right[-1] != "A" else "B")


@fault("words", "flow", *BOOKED)
class PutsTheReferenceOff(Rewords):
    """Tells of each booking, but says that the reference will follow, which it never does."""

    def reword(self, text: str) -> str:
        head, found, tail = text.partition("The reference number is ")
        rest = tail.partition(".")[2]
        return f"{head}The reference will follow shortly.{rest}" if found else text


@fault("words", "response", "train")
class SaysAnotherTrainIsBooked(TellsOtherwise):
    """Books the accepted train and names another id in its confirmation."""

    def told(self, domain: str, result: dict[str, Any]) -> dict[str, Any]:
        if domain != "train":
            return result
        return {**result, "trainID": f"TR{(int(result['trainID'][2:]) + 17) % 9000 + 1000}"}


@fault("words", "response", "train")
class TellsOneFareAsTheTotal(RuleSystem):
    """Tells the fare of one ticket as what all of them cost together."""

    def try_to_book(self, state: DomainState) -> list[str]:
        before = len(state.booked)
        said = super().try_to_book(state)
        price = str((state.row or {}).get("price", ""))
        if state.domain != "train" or len(state.booked) == before or not price:
            return said
        people = int(state.booked[-1]["people"])
        if people == 1:
            return said
        return [*said, f"All {people} tickets together cost {price}."]


@fault("words", "action", "restaurant", "hotel")
class MovesARefusedBooking(RuleSystem):
    """Books another day in silence if the one asked for is refused, and tells the one asked for."""

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        try:
            return super().book(state, arguments)
        except ToolRefused:
            for day in DAYS:
                try:
                    made = super().book(state, {**arguments, "day": day})
                except ToolRefused:
                    continue
                return {**made, **arguments}
            raise


@fault("service", "action", *BOOKED)
class BreaksDownAfterBooking(RuleSystem):
    """Books, and from then on says nothing but that the systems are down."""

    def respond(self, text: str) -> Reply:
        reply = super().respond(text)
        if not any(state.booked for state in self.state.domains.values()):
            return reply
        lead = ("I am sorry, ", "Unfortunately, ", "Again, ")[self.state.turn % 3]
        return Reply(f"{lead}our systems are down at the moment. Please come back later.")
