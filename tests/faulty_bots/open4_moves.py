"""Wrong moves: denied without a look or a try, asked again, forgotten, left undone."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from pytest_todeval.backends.protocol import Row
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.simulation.systems.desk.hearing import Wish
from pytest_todeval.simulation.systems.rules.state import DomainState
from pytest_todeval.simulation.systems.rules.understanding import Understood
from pytest_todeval.systems import DeskBot, RuleSystem
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.spoken import first_domain

__all__ = ["CATALOGUE", "DESK"]

CATALOGUE = Catalogue("demo", wave=4)
fault = CATALOGUE.fault
VENUES = ("restaurant", "hotel", "attraction")
TABLES_AND_ROOMS = ("restaurant", "hotel")


@fault("denials", "flow", "train")
class ClaimsTheFeedIsDown(RuleSystem):
    """Says that timetables cannot be read, and has not tried to."""

    said_so = False

    def find(self, state: DomainState, heard: Understood) -> list[str]:
        if state.domain != "train" or self.said_so:
            return super().find(state, heard)
        self.said_so = True
        return ["The live departure boards aren't loading for me, so I can't see any trains."]


@fault("denials", "flow", *TABLES_AND_ROOMS)
class InventsAPartyLimit(RuleSystem):
    """Says of a party of more than three that it is too large, without a try."""

    said_so = False

    def try_to_book(self, state: DomainState) -> list[str]:
        large = int(state.booking.get("people", "1")) > 3
        if self.said_so or state.domain not in TABLES_AND_ROOMS or not large:
            return super().try_to_book(state)
        self.said_so = True
        self.state.booking_offered = state.domain
        return ["They won't take more than three of you at a time. Shall I put you down anyway?"]


@fault("denials", "context", *TABLES_AND_ROOMS, "train")
class RefusesASecondBooking(RuleSystem):
    """Makes one booking, and says of the next that no more than one is allowed."""

    def try_to_book(self, state: DomainState) -> list[str]:
        if not any(d.booked for d in self.state.domains.values() if d is not state):
            return super().try_to_book(state)
        state.wants_booking = False
        return ["I'm only allowed one booking per chat, so you'd need to open a new one for this."]


@fault("denials", "flow", *VENUES)
class HasNeverHeardOfIt(RuleSystem):
    """Says of the first place that the user names that it does not know it, without a look."""

    said_so = False

    def search(self, state: DomainState) -> Sequence[Row]:
        if self.said_so or "name" not in state.wanted:
            return super().search(state)
        self.said_so, state.changed, self.count = True, True, 0
        return []

    def none_found(self, state: DomainState, seen_all: bool) -> str:
        if "name" not in state.wanted or not state.changed:
            return super().none_found(state, seen_all)
        return "Hmm, that one doesn't ring a bell. Are you sure it's here in Marlwick?"


@fault("service", "flow")
class StaysWithTheFirst(RuleSystem):
    """Puts the user off when they come to a second matter, and forgets what they said of it."""

    put_off = False

    def serve(self, domain: str, heard: Understood) -> list[str]:
        first = first_domain(self)
        if self.put_off or domain == first:
            return super().serve(domain, heard)
        self.put_off = True
        self.state.of(domain).constraints.clear()
        return [f"One thing at a time! Let's wrap up the {first} before we get to that, okay?"]


@fault("service", "context", *TABLES_AND_ROOMS, "train")
class AsksThePartyAgain(RuleSystem):
    """With the second booking, asks for the number of people that it was just given."""

    asked_again = False

    def try_to_book(self, state: DomainState) -> list[str]:
        if self.asked_again or state.domain == first_domain(self):
            return super().try_to_book(state)
        self.asked_again = True
        self.state.asked.append((state.domain, "people"))
        return ["And how many of you are coming along to that?"]


def slow_with_tools(dialogue: Dialogue) -> Dialogue:
    """Each turn with a call takes nine seconds longer for each of them."""
    turns = tuple(
        replace(turn, latency=turn.latency + 9.0 * len(turn.tool_calls)) for turn in dialogue.turns
    )
    return replace(dialogue, turns=turns)


@fault("latency", "action", stamp=slow_with_tools)
class SlowWithTools(RuleSystem):
    """Waits nine seconds for each answer of a tool."""


DESK = Catalogue("service_desk", wave=4)


@DESK.fault("service", "action")
class HandsOverBeforeTrying(DeskBot):
    """Once it has the yes, hands over to a person in place of doing what it has proposed."""

    def propose(self, what: str, carry_out: Callable[[], str]) -> str:
        del carry_out
        return super().propose(
            what, lambda: self.hand_over("asked", "Actually, that's one for my colleagues.")
        )


@DESK.fault("service", "context")
class OneRequestPerSession(DeskBot):
    """Serves one wish, and says of whatever comes next that it takes one at a time."""

    served = False

    def serve_one(self, wish: Wish) -> str:
        if self.served:
            return "I can only handle a single request per session, please come back later."
        self.served = True
        return super().serve_one(wish)


@DESK.fault("denials", "flow")
class SeesNoTickets(DeskBot):
    """Says that no ticket is open, and has not looked."""

    def serve_list(self, wish: Wish) -> str:
        del wish
        return "Good news, there's nothing open under your name right now."
