"""Right bookings told wrongly, in what is said beside the confirmation."""

import re
from typing import Any

from benchmarks.hearing.own_domains import OwnBot, Slots, Talk
from pytest_todeval.simulation.systems.rules import wording
from pytest_todeval.simulation.systems.rules.state import DomainState
from pytest_todeval.systems import DeskBot
from tests.faulty_bots.open4_variants import SpeaksAsAConcierge
from tests.faulty_bots.reshaped import DAY_AFTER, Rewords, later, neighbour
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import ShopBot
from tests.faulty_bots.spoken import AddsToBookings, number_words

__all__ = ["CATALOGUE", "DESK", "OWN", "SHOP"]

CATALOGUE = Catalogue("demo", wave=4)
fault = CATALOGUE.fault
TABLES_AND_ROOMS = ("restaurant", "hotel")


@fault("words", "response", *TABLES_AND_ROOMS, "train")
class SaysBothUnderOne(AddsToBookings):
    """Says of a second booking that it runs under the reference of the first one."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        all_booked = [b for d in self.state.domains.values() for b in d.booked if "reference" in b]
        first = next((b["reference"] for b in all_booked if b is not result), None)
        return (
            f"I've kept it simple: both are on {first}, so one code does for all." if first else ""
        )


@fault("words", "response", *TABLES_AND_ROOMS, "train", control=SpeaksAsAConcierge)
class DropsACharacter(SpeaksAsAConcierge):
    """Loses the last character of the reference."""

    def reference_to_tell(self, state: DomainState, result: dict[str, Any]) -> str:
        return super().reference_to_tell(state, result)[:-1]


@fault("words", "response", *TABLES_AND_ROOMS)
class CountsTheUserTwice(AddsToBookings):
    """Counts the user to the party once more."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        people = int(result["people"])
        if state.domain == "train" or people < 2:
            return ""
        return f"So that's you plus your {number_words(people)} companions, lovely."


@fault("words", "context", *TABLES_AND_ROOMS)
class RecallsAnotherVenueLater(Rewords):
    """Wishes a nice time, a turn after a booking, at a place that was not booked."""

    waits = False
    wished = False

    def reword(self, text: str) -> str:
        booked = [(d.domain, b) for d in self.state.domains.values() for b in d.booked]
        booked = [(domain, b) for domain, b in booked if domain in TABLES_AND_ROOMS]
        if not booked or self.wished:
            return text
        if not self.waits:
            self.waits = True
            return text
        self.wished = True
        domain, result = booked[0]
        other = wording.title({"name": neighbour(self, domain, result, "name")})
        return f"{text} And do say hello to the team at {other} from me when you're there!"


@fault("words", "response", "restaurant")
class SaysLunchForDinner(AddsToBookings):
    """Speaks of a table in the evening as of lunch, and of one at noon as of dinner."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        if state.domain != "restaurant":
            return ""
        late = int(str(result["time"])[:2]) >= 17
        return f"That's {'lunch' if late else 'dinner'} taken care of!"


@fault("words", "response", *TABLES_AND_ROOMS)
class CallsThemACouple(AddsToBookings):
    """Takes each party for a couple, and a couple for a crowd."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        if state.domain == "train":
            return ""
        who = "the whole bunch of you" if result["people"] == "2" else "the pair of you"
        return f"Hope {who} have a wonderful time!"


@fault("words", "context", *TABLES_AND_ROOMS, "train", control=SpeaksAsAConcierge)
class TellsTheSecondPartyWrongly(SpeaksAsAConcierge):
    """Tells the first booking rightly, and with the next one a guest more than it has booked."""

    def confirm(self, state: DomainState, result: dict[str, Any], reference: str) -> str:
        if any(d.booked for d in self.state.domains.values() if d is not state):
            result = {**result, "people": str(int(result["people"]) + 1)}
        return super().confirm(state, result, reference)


@fault("words", "response", *TABLES_AND_ROOMS, "train")
class MiscountsItsBookings(AddsToBookings):
    """Says how many bookings there are by now, one more than there are."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        count = sum(len(d.booked) for d in self.state.domains.values())
        return f"With this one you've got {number_words(count + 1)} bookings with us now."


@fault("words", "response", "train")
class LetsItArriveTheNextDay(AddsToBookings):
    """Says of a train that it gets in a day after it has left."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        if state.domain != "train" or state.row is None:
            return ""
        day = DAY_AFTER[str(state.row["day"])].title()
        return f"You'll get in at {state.row['arriveBy']} on {day}, so bring a pillow."


DESK = Catalogue("service_desk", wave=4)


@DESK.fault("words", "response")
class TellsThePasswordShort(DeskBot):
    """Tells a temporary password without its last digit."""

    def reset_password(self) -> str:
        return re.sub(r"\d\. Please", ". Please", super().reset_password())


SHOP = Catalogue("lamp_shop", wave=4)


@SHOP.fault("words", "response")
class DeniesItsDeed(ShopBot):
    """Does what was agreed, and says that the order is as it was."""

    def reword(self, text: str) -> str:
        done = re.search(r"(#W\d+) (?:is cancelled|is to be returned|now goes to)", text)
        return f"No problem, {done[1]} stays exactly as it was." if done else text


@SHOP.fault("words", "response")
class CallsTheCustomerAnother(ShopBot):
    """Addresses the customer by a name that is not theirs."""

    def reword(self, text: str) -> str:
        if not self.customer:
            return text
        name = "Bo" if self.customer["name"] != "Bo Marsh" else "Ada"
        return f"Right, {name}, here's where we are. {text}"


OWN = Catalogue("own_domains", wave=4)


@OWN.fault("words", "response")
class ComesAnHourLater(OwnBot):
    """Books the right time, and asks the user to be there an hour after it."""

    def book(self, talk: Talk, slots: Slots) -> list[str]:
        said = super().book(talk, slots)
        if talk.booked is not slots or "time" not in slots:
            return said
        return [*said, f"We'll see you at {later(slots['time'], 60)} sharp."]


@OWN.fault("words", "response")
class ReversesTheReference(OwnBot):
    """Tells references back to front."""

    def say_booked(self, talk: Talk, sentences: Any) -> list[str]:
        said = super().say_booked(talk, sentences)
        return [each.replace(talk.reference, talk.reference[::-1]) for each in said]


@OWN.fault("words", "response")
class ThanksForAnother(OwnBot):
    """Books the right thing, and thanks for having chosen another one."""

    def say_booked(self, talk: Talk, sentences: Any) -> list[str]:
        other = next(item for item in talk.domain.items[::-1] if item is not talk.item)
        thanks = f"Thanks for going with {talk.domain.called(other)}!"
        return [*super().say_booked(talk, sentences), thanks]
