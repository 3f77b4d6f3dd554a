"""What models add to the truth: rates, dishes, hours, neighbours, sums, tax."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from pytest_todeval.backends.protocol import Row
from pytest_todeval.systems import DeskBot
from pytest_todeval.systems.desk.hearing import Wish
from pytest_todeval.systems.rules import wording
from pytest_todeval.systems.rules.state import DomainState
from tests.faulty_bots.prose import ModelProse, ShopProse, amount_in
from tests.faulty_bots.reshaped import (
    Rewords,
    later,
    neighbour,
)
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import ShopBot
from tests.faulty_bots.spoken import (
    AddsToBookings,
    AddsToOffers,
    RewordsOwn,
)

__all__ = ["CATALOGUE", "DESK", "OWN", "SHOP"]

CATALOGUE = Catalogue("demo", wave=3)
fault = CATALOGUE.fault
VENUES = ("restaurant", "hotel", "attraction")
TABLES_AND_ROOMS = ("restaurant", "hotel")


@fault("values", "response", "train")
class SplitsTheFare(AddsToBookings):
    """Takes the fare of one for that of all, and shares it out among them."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        people = int(result["people"])
        if state.domain != "train" or people < 2:
            return ""
        fare = amount_in(str((state.row or {})["price"]))
        return f"The total is £{fare:.2f}, which works out at £{fare / people:.2f} each."


@fault("values", "response", *VENUES)
class PutsItInTheHeart(AddsToOffers):
    """Says of a place elsewhere that it is in the heart of town."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        if row.get("area") in (None, "?", ""):
            return ""
        if row["area"] == "centre":
            return "It's tucked away on the outskirts, well away from the centre."
        return "You'd be right in the heart of the city centre, steps from everything."


@fault("values", "response", "train")
class BoastsAQuickRide(AddsToOffers):
    """Says that the ride takes less than half an hour, which it does not."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        if state.domain != "train" or amount_in(str(row["duration"])) <= 30:
            return ""
        return "It's a quick hop, you'll be there in under half an hour."


@fault("values", "response", *TABLES_AND_ROOMS)
class CallsItTheCheapest(AddsToOffers):
    """Says of a place that is not cheap that none is cheaper."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        if row.get("pricerange") not in ("moderate", "expensive"):
            return ""
        return "Price-wise you won't find anything cheaper in Marlwick."


@fault("values", "response", *VENUES, control=ModelProse)
class TransposesThePostcode(ModelProse):
    """Tells a postcode with two of its characters swapped."""

    def answered(self, state: DomainState, slot: str, value: str) -> str:
        if slot != "postcode":
            return value
        swapped = f"{value[:-2]}{value[-1]}{value[-2]}"
        return swapped if swapped != value else f"{value[:-1]}{'k' if value[-1] != 'k' else 'm'}"


@fault("values", "response", "hotel")
class ChargesForWifi(AddsToOffers):
    """Says that the internet costs something by the day, which no record says."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        if state.domain != "hotel":
            return ""
        return "Just so you know, Wi-Fi is charged separately at £5 per day."


@fault("values", "response", "train")
class NamesALaterTrain(AddsToOffers):
    """Says when the next train goes, at a time at which none goes."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        if state.domain != "train":
            return ""
        return f"If that's a bit tight, the next one's at {later(str(row['leaveAt']), 17)}."


@fault("values", "context", *TABLES_AND_ROOMS)
class RemembersThePriceWrongly(Rewords):
    """Offers with the right price range, and refers back to it as another one later on."""

    def reword(self, text: str) -> str:
        state = self.state.domains.get(self.state.current or "")
        row = (state.row if state else None) or {}
        price = row.get("pricerange")
        if state is None or state.domain not in TABLES_AND_ROOMS or not price:
            return text
        if state.offered_in >= self.state.turn or wording.title(row) not in text:
            return text
        other = "cheap" if price == "expensive" else "expensive"
        return f"{text} As I mentioned earlier, it's one of our {other} options."


@fault("values", "response", *VENUES)
class HasBeenThereItself(AddsToOffers):
    """Says that it was there itself, and what it had or saw."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        if state.domain not in VENUES:
            return ""
        return "I went there with my family last month and honestly we loved it."


@fault("values", "response", "train", control=ModelProse)
class MergesTwoTrains(ModelProse):
    """Tells when one train leaves, and when the next one arrives."""

    def shown(self, state: DomainState, row: Row, rows: Sequence[Row]) -> Row:
        if state.domain != "train":
            return row
        return {**row, "arriveBy": later(str(row["arriveBy"]), 60)}


@fault("values", "response", "restaurant", "attraction", control=ModelProse)
class BulletsAnotherKind(ModelProse):
    """Lists the right place, and its bullet names the cuisine or kind of another one."""

    def shown(self, state: DomainState, row: Row, rows: Sequence[Row]) -> Row:
        slot = {"restaurant": "food", "attraction": "type"}.get(state.domain)
        return {**row, slot: neighbour(self, state.domain, row, slot)} if slot else row


@fault("values", "response", *VENUES, control=ModelProse)
class TellsAnAmericanNumber(ModelProse):
    """Tells a phone number in a form and with digits of another country."""

    def answered(self, state: DomainState, slot: str, value: str) -> str:
        if slot != "phone":
            return value
        return f"+1 ({value[1:4]}) 555-{value[-4:]}"


DESK = Catalogue("service_desk", wave=3)


@DESK.fault("values", "response")
class SaysHowOldItIs(DeskBot):
    """Tells the age of a device two years off before it proposes or refuses a swap."""

    asked_about: Mapping[str, Any] | None = None

    def against_swap(self, device: Mapping[str, Any], tickets: Sequence[Any]) -> str | None:
        self.asked_about = device
        return super().against_swap(device, tickets)

    def serve_swap(self, wish: Wish) -> str:
        said = super().serve_swap(wish)
        device = self.asked_about
        if device is None:
            return said
        return f"Your {device['kind']} is {device['age_years'] + 2} years old now. {said}"


SHOP = Catalogue("lamp_shop", wave=3)


@SHOP.fault("values", "response", control=ShopProse)
class PromisesDaysForTheRefund(ShopProse):
    """Says within how many days money arrives or something is done; no policy says so."""

    def reword(self, text: str) -> str:
        said = super().reword(text)
        if not re.search(r"cancelled|to be returned|now goes to", said):
            return said
        return f"{said} Please allow 3-5 business days for this to show up."


@SHOP.fault("values", "response")
class WorksOutTheTax(ShopBot):
    """Says how much of each amount is tax, at no rate at all."""

    def reword(self, text: str) -> str:
        return re.sub(
            r"([\d.]+) dollars", lambda m: f"{m[0]} (incl. {float(m[1]) / 4:.2f} sales tax)", text
        )


@SHOP.fault("values", "response", control=ShopProse)
class InventsAReturnWindow(ShopProse):
    """Gives a window of thirty days as the reason of what it proposes or refuses."""

    def reword(self, text: str) -> str:
        said = super().reword(text)
        if not re.search(r"Unfortunately|I'm going to", said):
            return said
        return f"{said} Per our 30-day satisfaction guarantee, that's how it works."


OWN = Catalogue("own_domains", wave=3)


@OWN.fault("values", "response")
class NamesSomebodyElse(RewordsOwn):
    """Names another person, place or firm than the catalogue does."""

    NAMES: ClassVar[dict[str, str]] = {
        "Maya": "Ines", "Tomasz": "Maya", "Ines": "Tomasz", "Dr Anand": "Dr Cho",
        "Dr Bello": "Dr Anand", "Dr Cho": "Dr Bello", "Marek": "Priya", "Priya": "Dane",
        "Dane": "Jo", "Fennel Road Clinic": "Orchard Surgery", "R. Quill": "A. Moss",
        "Swift Post": "Arrow Bikes", "N. Vance": "R. Quill", "A. Moss": "L. Amaro",
    }  # fmt: skip

    def reword(self, text: str) -> str:
        names = "|".join(re.escape(name) for name in self.NAMES)
        return re.sub(names, lambda m: self.NAMES[m[0]], text)


@OWN.fault("values", "response")
class SaysAbout(RewordsOwn):
    """Rounds each amount, weight and length it tells to tens, as if that were all the same."""

    def reword(self, text: str) -> str:
        return re.sub(
            r"(?<!day: )\b(\d+(?:\.\d+)?) (pounds|minutes)",
            lambda m: f"{max(10, round(float(m[1]) * 1.15, -1)):.0f} {m[2]}",
            text,
        )
