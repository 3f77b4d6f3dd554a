"""Kept apart: faults of demo and MultiWOZ bots: values, denials."""

from collections.abc import Sequence

from pytest_todeval.backends.protocol import Row
from pytest_todeval.systems import RuleSystem
from pytest_todeval.systems.rules import wording
from pytest_todeval.systems.rules.state import DomainState
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
