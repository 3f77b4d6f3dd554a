"""Wrong moves in a dialogue, and things taken for others.

Held out: whoever writes rules reads neither this file nor what it catches, only totals.
"""

from collections.abc import Callable, Sequence
from typing import ClassVar

from pytest_todeval.backends.protocol import Row, ToolRefused
from pytest_todeval.core.dialogue import Reply
from pytest_todeval.systems import DeskBot, RuleSystem
from pytest_todeval.systems.desk.hearing import Wish
from pytest_todeval.systems.rules import wording
from pytest_todeval.systems.rules.requests import AskedValue
from pytest_todeval.systems.rules.state import DomainState
from pytest_todeval.systems.rules.understanding import Understood
from tests.faulty_bots.reshaped import Slower
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import Order, ShopBot
from tests.hearing.own_domains import OwnBot, Talk

__all__ = ["CATALOGUE", "DESK", "OWN", "SHOP"]

CATALOGUE = Catalogue("demo", apart=True, wave=3)
fault = CATALOGUE.fault
VENUES = ("restaurant", "hotel", "attraction")
TABLES_AND_ROOMS = ("restaurant", "hotel")


@fault("denials", "action", *VENUES)
class LooksUpAMisspelling(RuleSystem):
    """Looks with a misspelt value at first, finds nothing, and says that there is none."""

    misspelt = False

    def search(self, state: DomainState) -> Sequence[Row]:
        if self.misspelt or not state.wanted or state.domain == "train":
            return super().search(state)
        self.misspelt = True
        slot, value = next(iter(state.wanted.items()))
        wrong = f"{value[:-2]}{value[-1]}{value[-2]}q" if len(value) > 2 else f"{value}q"
        self.backend.call(f"find_{state.domain}", **{**state.wanted, slot: wrong})
        state.changed, self.count = True, 0
        return []


@fault("understanding", "entity", *VENUES)
class TakesAnyForCentre(RuleSystem):
    """Takes "I don't mind where" for a wish to be in the centre."""

    def constraints_for(self, state: DomainState) -> dict[str, str]:
        wanted = super().constraints_for(state)
        named = "name" in wanted or state.domain == "train"
        if named or state.constraints.get("area") != "dontcare":
            return wanted
        return {**wanted, "area": "centre"}


@fault("understanding", "entity", "hotel")
class TakesHotelsForGuesthouses(RuleSystem):
    """Looks for a guesthouse if a hotel is wanted, and the other way round."""

    OTHER: ClassVar[dict[str, str]] = {"hotel": "guesthouse", "guesthouse": "hotel"}

    def constraints_for(self, state: DomainState) -> dict[str, str]:
        wanted = super().constraints_for(state)
        if state.domain != "hotel" or "type" not in wanted:
            return wanted
        return {**wanted, "type": self.OTHER.get(wanted["type"], wanted["type"])}


@fault("order", "action", *TABLES_AND_ROOMS)
class BooksWhatItMentions(RuleSystem):
    """Books each place in the turn in which it first names it, for two on Saturday."""

    def offer(self, state: DomainState, heard: Understood, rows: Sequence[Row]) -> list[str]:
        said = super().offer(state, heard, rows)
        if state.row is None or state.booked or state.domain not in TABLES_AND_ROOMS:
            return said
        arguments = {"name": str(state.row["name"]), "people": "2", "day": "saturday"}
        rest = {"stay": "1"} if state.domain == "hotel" else {"time": "19:00"}
        try:
            self.backend.call(f"book_{state.domain}", **arguments, **rest)
        except ToolRefused:
            return said
        return [*said, "I've taken the liberty of securing a spot for two on Saturday."]


@fault("service", "flow")
class ChecksForRobots(RuleSystem):
    """Wants a proof that the user is no robot before it listens, and forgets what was said."""

    checked = False

    def respond(self, text: str) -> Reply:
        if self.checked:
            return super().respond(text)
        self.checked = True
        return Reply("Before we start: please confirm you're not a robot by typing HUMAN.")


@fault("service", "flow")
class ConnectsToNobody(RuleSystem):
    """Says from its third turn on that it is connecting the user to somebody."""

    def respond(self, text: str) -> Reply:
        reply = super().respond(text)
        if self.state.turn < 3:
            return reply
        return Reply("Connecting you to a live agent, you're number 14 in the queue…")


@fault("service", "response", *VENUES, "train")
class AnswersInGeneral(RuleSystem):
    """Answers each question in general terms in place of the value."""

    def answer_request(self, state: DomainState, request: AskedValue) -> str:
        if request.slot == "reference":
            return super().answer_request(state, request)
        return (
            f"Great question! The {wording.words(request.slot)} can vary depending on a number of "
            "factors, so it's always a good idea to check in advance."
        )


DESK = Catalogue("service_desk", apart=True, wave=3)


@DESK.fault("service", "flow")
class TurnsItOffAndOn(DeskBot):
    """Answers the wish with a hint to restart, once, and has forgotten the wish then."""

    hinted = False

    def serve_one(self, wish: Wish) -> str:
        if self.hinted:
            return super().serve_one(wish)
        self.hinted = True
        return "Have you tried turning it off and on again? That usually does the trick."


@DESK.fault("order", "flow")
class AsksForTheYesTwice(DeskBot):
    """Asks once more for the yes that it has just been given, and does nothing until then."""

    asked_back = False

    def settle(self, text: str) -> list[str]:
        if self.proposal is not None and not self.asked_back:
            self.asked_back = True
            return [self.propose(self.proposal.what, self.proposal.carry_out)]
        return super().settle(text)


@DESK.fault("latency", "action", stamp=Slower(14.0, turn=-1))
class GoodbyesSlowly(DeskBot):
    """Takes 14 seconds for its last turn."""


SHOP = Catalogue("lamp_shop", apart=True, wave=3)


@SHOP.fault("service", "flow")
class WantsAPhoto(ShopBot):
    """Wants a photo and a receipt before it proposes anything, which no policy asks for."""

    wanted = False

    def propose(self, what: str, act: Callable[[], str]) -> str:
        if self.wanted:
            return super().propose(what, act)
        self.wanted = True
        return "Could you upload a photo of the lamp and your receipt first?"


@SHOP.fault("order", "action")
class ReadsTheOrderAgainAndAgain(ShopBot):
    """Looks the order up four times over for each answer."""

    def look_up(self, number: str) -> Order:
        for _ in range(3):
            super().look_up(number)
        return super().look_up(number)


@SHOP.fault("denials", "response")
class CannotSeeOrders(ShopBot):
    """Says that it has no access to orders, though it has just read one."""

    def serve(self) -> str:
        super().serve()
        self.pending = None
        return "I don't have access to order information in this chat, sorry about that."


OWN = Catalogue("own_domains", apart=True, wave=3)


@OWN.fault("denials", "flow")
class DoesNotStockIt(OwnBot):
    """Says of the first thing that is wanted that there is none, though the catalogue has it."""

    denied = False

    def find(self, talk: Talk, heard: bool) -> list[str]:
        said = super().find(talk, heard)
        if self.denied or talk.item is None:
            return said
        self.denied, talk.item = True, None
        return self.asking("I'm afraid we've got nothing like that. Something else, perhaps?")


@OWN.fault("understanding", "entity")
class HearsAnotherDay(OwnBot):
    """Takes one day of the week for another that sounds like it, and tells what it has booked."""

    HEARD: ClassVar[dict[str, str]] = {
        "tuesday": "thursday", "thursday": "tuesday", "saturday": "sunday", "sunday": "saturday",
        "monday": "friday", "friday": "monday",
    }  # fmt: skip

    def listen(self, talk: Talk, text: str) -> bool:
        before = dict(talk.details)
        heard = super().listen(talk, text)
        for slot, value in talk.details.items():
            if before.get(slot) != value:
                talk.details[slot] = self.HEARD.get(value, value)
        return heard
