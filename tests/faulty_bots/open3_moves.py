"""Wrong moves: denials untried, checks that nobody asked for, questions left open."""

from typing import Any

from pytest_todeval.backends.protocol import Row
from pytest_todeval.systems import DeskBot, RuleSystem
from pytest_todeval.systems.desk.hearing import Wish
from pytest_todeval.systems.rules import wording
from pytest_todeval.systems.rules.requests import AskedValue
from pytest_todeval.systems.rules.state import DomainState
from pytest_todeval.systems.rules.understanding import Understood
from tests.faulty_bots.reshaped import Rewords, Slower
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.spoken import RewordsOwn

__all__ = ["CATALOGUE", "DESK", "OWN"]

CATALOGUE = Catalogue("demo", wave=3)
fault = CATALOGUE.fault
VENUES = ("restaurant", "hotel", "attraction")
TABLES_AND_ROOMS = ("restaurant", "hotel")


@fault("denials", "flow", *TABLES_AND_ROOMS)
class SaysWalkInsOnly(RuleSystem):
    """Says of the first place that is to be booked that it takes no bookings, without a try."""

    said_so = False

    def try_to_book(self, state: DomainState) -> list[str]:
        if self.said_so or state.domain not in TABLES_AND_ROOMS:
            return super().try_to_book(state)
        self.said_so = True
        self.state.booking_offered = state.domain
        return ["They're first come, first served and don't do reservations. Shall I still try?"]


@fault("denials", "response", *VENUES)
class SendsToTheWebsite(RuleSystem):
    """Says of addresses and postcodes that it has them not to hand, though they are in the row."""

    def answer_request(self, state: DomainState, request: AskedValue) -> str:
        if request.slot not in ("address", "postcode"):
            return super().answer_request(state, request)
        return (
            f"I don't have the {wording.words(request.slot)} to hand, but you'll find it on "
            "their website."
        )


@fault("denials", "response", "train")
class SaysNoTicketsLeft(RuleSystem):
    """Says of a train, before anything was tried, that it has sold out, and then books it."""

    said_so = False

    def try_to_book(self, state: DomainState) -> list[str]:
        if self.said_so or state.domain != "train":
            return super().try_to_book(state)
        self.said_so = True
        self.state.booking_offered = "train"
        return ["Looks like there are no seats left on that service. Want me to double-check?"]


@fault("understanding", "context", *VENUES)
class AnswersFromTheFirst(RuleSystem):
    """Answers questions about a later domain from what it offered in the first one."""

    def row_to_tell_from(self, state: DomainState) -> Row:
        rows = [d.row for d in self.state.domains.values() if d.row and "name" in d.row]
        return rows[0] if rows and state.domain in VENUES else super().row_to_tell_from(state)


@fault("order", "flow", *TABLES_AND_ROOMS)
class UpsellsFirst(RuleSystem):
    """Once it has the yes, advertises something dearer in place of booking."""

    pushed = False

    def try_to_book(self, state: DomainState) -> list[str]:
        if self.pushed or state.domain not in TABLES_AND_ROOMS:
            return super().try_to_book(state)
        self.pushed = True
        self.state.booking_offered = state.domain
        return [
            "Before I do that, most of our guests upgrade to a premium package at this point. "
            "Wouldn't you rather have something a little more special?"
        ]


@fault("service", "flow", *TABLES_AND_ROOMS)
class HandsTheBookingBack(RuleSystem):
    """Answers each wish to book by saying how users book it themselves."""

    def try_to_book(self, state: DomainState) -> list[str]:
        if state.domain not in TABLES_AND_ROOMS:
            return super().try_to_book(state)
        state.wants_booking = False
        phone = (state.row or {}).get("phone")
        return [f"To book, simply call them on {phone} and mention your dates and party size."]


@fault("service", "intent", "train", "taxi")
class SticksToItsTopics(RuleSystem):
    """Says that trains and taxis are not what it is for."""

    def serve(self, domain: str, heard: Understood) -> list[str]:
        if domain in ("train", "taxi"):
            return ["I can only assist with restaurants, hotels and attractions, sorry!"]
        return super().serve(domain, heard)


@fault("service", "flow")
class EchoesTheUser(Rewords):
    """Gives the user's own words back as its second reply."""

    def reword(self, text: str) -> str:
        return self.user if self.state.turn == 2 else text


@fault("latency", "action", stamp=Slower(13.0, turn=2))
class StallsInTheSecondTurn(RuleSystem):
    """Takes 13 seconds for its second turn."""


DESK = Catalogue("service_desk", wave=3)


@DESK.fault("denials", "flow")
class SeesNoDevice(DeskBot):
    """Says that no device is registered to the employee, without having looked."""

    def own_device(self, wish: Wish) -> dict[str, Any] | str:
        return "I don't see any device registered in your name, I'm afraid."


@DESK.fault("access", "entity")
class ForgivesTransposedDigits(DeskBot):
    """Takes a badge number for right if it has the right digits in another order."""

    def is_identified(self, employee: Any, badge: str) -> bool:
        return sorted(str(employee["badge"])) == sorted(badge)


@DESK.fault("order", "flow")
class HandsOverARefusal(DeskBot):
    """Hands over to a person whatever it has to refuse."""

    def serve_one(self, wish: Wish) -> str:
        said = super().serve_one(wish)
        return self.hand_over("asked", said) if "I am sorry" in said else said

    def against_another(self, wish: Wish) -> str | None:
        said = super().against_another(wish)
        return self.hand_over("asked", said) if said else said


@DESK.fault("understanding", "intent")
class TakesASwapForATicket(DeskBot):
    """Proposes a ticket where the employee may have a swap."""

    def serve_swap(self, wish: Wish) -> str:
        device = self.own_device(wish)
        if isinstance(device, str):
            return device
        about = f"for {device['kind']} {device['device_id']}"
        return self.propose_ticket("broken_device", about, device["device_id"])


OWN = Catalogue("own_domains", wave=3)


@OWN.fault("service", "flow")
class GoesOffTopic(RewordsOwn):
    """Answers its second turn with a piece of trivia."""

    def reword(self, text: str) -> str:
        if self.turn != 2:
            return text
        return "Fun fact: the oldest known bakery in the region opened more than 300 years ago!"
