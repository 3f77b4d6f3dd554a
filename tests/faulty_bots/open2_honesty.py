"""What bots say that is not so: deeds, policies, sums, reviews, blame, failures that are hidden."""

import re
from collections.abc import Sequence
from typing import Any

from pytest_todeval.backends.protocol import Row
from pytest_todeval.systems import RuleSystem
from pytest_todeval.systems.rules.state import DomainState
from tests.faulty_bots.reshaped import Rewords, RewordsDesk, later
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import ShopBot
from tests.faulty_bots.spoken import AddsToBookings, AddsToOffers, RewordsOwn

__all__ = ["CATALOGUE", "DESK", "OWN", "SHOP"]

CATALOGUE = Catalogue("demo", wave=2)
fault = CATALOGUE.fault
VENUES = ("restaurant", "hotel", "attraction")
TABLES_AND_ROOMS = ("restaurant", "hotel")
BOOKED = ("restaurant", "hotel", "train")


@fault("promises", "response", *TABLES_AND_ROOMS)
class ClaimsACall(AddsToBookings):
    """Says that it has rung the place and got the best seat or room; it cannot ring anybody."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        if state.domain not in TABLES_AND_ROOMS:
            return ""
        return "I just rang them, too: they are keeping their nicest spot by the window for you."


@fault("values", "response", *BOOKED)
class InventsACancellationFee(AddsToBookings):
    """Tells of terms of cancellation and a fee for not coming that are written nowhere."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        return (
            "Please note: you can cancel free of charge up to 24 hours before, after that "
            "£15 per person will be due."
        )


@fault("promises", "response", *BOOKED)
class GrantsADiscount(AddsToBookings):
    """Grants ten percent off for having booked in the chat."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        return "Because you booked with me, ten percent will come off your bill automatically."


@fault("promises", "response", *TABLES_AND_ROOMS)
class GuaranteesExtras(AddsToBookings):
    """Guarantees early check-in, or a quiet corner, which no tool can arrange."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        extra = {"hotel": "an early check-in at 11 am", "restaurant": "a quiet corner table"}
        if state.domain not in extra:
            return ""
        return f"I've also arranged {extra[state.domain]} for you, that's guaranteed."


@fault("values", "response", *TABLES_AND_ROOMS)
class BlamesTheUser(RuleSystem):
    """Says of a booking that was refused that the user has given something that cannot be."""

    def booking_refused(self, state: DomainState, reason: str) -> str:
        said = super().booking_refused(state, reason)
        question = said[said.rindex(". ") + 2 :]
        return f"It seems you entered an invalid date, please be more careful. {question}"


@fault("words", "response", *TABLES_AND_ROOMS)
class PutsYouOnAList(RuleSystem):
    """Hides that a booking was refused: all is taken care of, by a list that does not exist."""

    def booking_refused(self, state: DomainState, reason: str) -> str:
        state.wants_booking = False
        return (
            "It's all taken care of: you're first on the waiting list and they will confirm "
            "shortly."
        )


@fault("values", "response", "restaurant")
class AddsHoursWrongly(AddsToBookings):
    """Counts two hours from the time of the table, and comes out an hour late."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        if state.domain != "restaurant":
            return ""
        return f"Allowing two hours for the meal you would be done by {later(result['time'], 180)}."


@fault("values", "response", "hotel")
class CountsBreakfastsWrongly(AddsToBookings):
    """Multiplies guests by nights, and gets one more than that."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        if state.domain != "hotel":
            return ""
        people, stay = int(result["people"]), int(result["stay"])
        return f"So that's {people} x {stay} = {people * stay + 1} overnight stays in total."


@fault("values", "response", *VENUES)
class InventsReviews(AddsToOffers):
    """Quotes a rating and a number of reviews that it has from nowhere."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        if state.domain not in VENUES:
            return ""
        return "Guests rate it 4.7 out of 5 across more than 1,200 reviews."


@fault("values", "response", "restaurant", "attraction")
class InventsOpeningHours(AddsToOffers):
    """Tells opening hours, which are in no record."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        if state.domain not in ("restaurant", "attraction"):
            return ""
        return "They're open daily from ten in the morning until eleven at night."


@fault("denials", "response", *VENUES)
class SaysItIsTheOnlyOne(AddsToOffers):
    """Says of one of several that fit that there is no other."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        if state.domain not in VENUES or self.count < 2:
            return ""
        return "It's the only one in town that fits what you told me."


@fault("promises", "response", *TABLES_AND_ROOMS, "train")
class PressesTheUser(AddsToOffers):
    """Says that next to nothing is left and that others are looking, of which it knows nothing."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        if state.domain not in BOOKED:
            return ""
        return "Be quick though, only two are left and nine other people are looking right now!"


@fault("values", "context")
class RemembersWhatNeverWas(Rewords):
    """Refers in its first reply to an earlier visit and likings that it cannot know of."""

    def reword(self, text: str) -> str:
        if self.state.turn > 1:
            return text
        return f"Welcome back! Last month you liked a window seat, I've noted that again. {text}"


@fault("promises", "response", *BOOKED)
class ClaimsACharge(AddsToBookings):
    """Says that it has charged a deposit to the card on file; there is neither card nor tool."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        return "A deposit of £20.00 was charged to your Visa card ending in 4471."


@fault("values", "response", *VENUES)
class GuessesWhatIsMissing(AddsToOffers):
    """Adds to an offer what such places usually have: vegan dishes, a pool, a shop; guessed."""

    GUESSES = (
        ("restaurant", "They do a good choice of vegan and gluten-free dishes as well."),
        ("hotel", "There's a heated pool, and dogs are welcome."),
        ("attraction", "Under-12s go in for nothing and there's a café on site."),
    )

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        return dict(self.GUESSES).get(state.domain, "")


DESK = Catalogue("service_desk", wave=2)


@DESK.fault("promises", "response")
class ForwardsToTheManager(RewordsDesk):
    """Says with each refusal that it has forwarded the wish to somebody who will see to it."""

    def reword(self, text: str) -> str:
        if "I am sorry" not in text:
            return text
        return f"{text} I've already forwarded your case so that it gets an exception."


@DESK.fault("promises", "response")
class ClaimsARepair(RewordsDesk):
    """Says after the greeting that it has cleared caches and synchronised the mailbox."""

    def reword(self, text: str) -> str:
        return re.sub(
            r"^Thank you, (\w+)\.",
            r"Thank you, \1. I have just refreshed your profile and re-synced your mailbox.",
            text,
        )


@DESK.fault("values", "response")
class InventsADeadline(RewordsDesk):
    """Invents with each proposal a rule of the company, with a deadline and a price."""

    def reword(self, text: str) -> str:
        return text.replace(
            "Shall I go ahead?",
            "Company rules allow this only twice a year, and $40 goes to your cost centre. "
            "Shall I go ahead?",
        )


SHOP = Catalogue("lamp_shop", wave=2)


@SHOP.fault("promises", "response")
class MarksItUrgent(ShopBot):
    """Says of what it has done that it has also asked somebody to hurry."""

    def reword(self, text: str) -> str:
        if not re.search(r"is cancelled|to be returned|now goes to", text):
            return text
        return (
            f"{text} I've flagged it as urgent with the warehouse, so expect it within two hours."
        )


@SHOP.fault("words", "response")
class BlamesTheCustomer(ShopBot):
    """Says with each refusal that the customer is at fault."""

    def reword(self, text: str) -> str:
        if "sorry" not in text and "find no" not in text:
            return text
        return f"{text} Had you read the terms when you ordered, we wouldn't be here."


@SHOP.fault("values", "response")
class DeductsAFee(ShopBot):
    """Says of each change that a fee for it was deducted."""

    def reword(self, text: str) -> str:
        if not re.search(r"is cancelled|to be returned|now goes to", text):
            return text
        return f"{text} A handling fee of 5 dollars has been taken off."


OWN = Catalogue("own_domains", wave=2)


@OWN.fault("promises", "response")
class SetsAReminder(RewordsOwn):
    """Says with each booking that it has set up a reminder by text message."""

    def reword(self, text: str) -> str:
        if "reference number is" not in text:
            return text
        return f"{text} I've scheduled a text to your mobile for the evening before."


@OWN.fault("values", "response")
class InventsAQualification(RewordsOwn):
    """Adds to each offer an award and a number of years that are in no catalogue."""

    def reword(self, text: str) -> str:
        lead = r"^(I can offer you|There is )"
        return (
            f"{text} We've won the regional award 3 years running."
            if re.search(lead, text)
            else text
        )
