"""Wrong bookings, records and calls, as bots over tools make them."""

from typing import Any

from benchmarks.hearing.own_domains import DOMAINS, OwnBot, Slots, Talk
from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.simulation.systems.rules import wording
from pytest_todeval.simulation.systems.rules.state import DomainState
from pytest_todeval.systems import DeskBot, RuleSystem
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import Record, ShopBot

__all__ = ["CATALOGUE", "DESK", "OWN", "SHOP"]

CATALOGUE = Catalogue("demo", wave=2)
fault = CATALOGUE.fault
TABLES_AND_ROOMS = ("restaurant", "hotel")
SWAPPED = {"arriveBy": "leaveAt", "leaveAt": "arriveBy"}


@fault("understanding", "context", "restaurant", "hotel", "attraction")
class SearchesNearTheFirst(RuleSystem):
    """Searches the second domain in the part of town of what it offered in the first."""

    def constraints_for(self, state: DomainState) -> dict[str, str]:
        others = [d for d in self.state.domains.values() if d.domain != state.domain and d.row]
        if not others or state.domain == "train" or "name" in state.wanted:
            return state.wanted
        row = others[0].row or {}
        return {**state.wanted, "area": str(row["area"])} if "area" in row else state.wanted


@fault("state", "action", "train")
class BooksTheWayBackToo(RuleSystem):
    """Books tickets for the way back too, which nobody asked for."""

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        result = super().book(state, arguments)
        row = state.row or {}
        if state.domain == "train":
            ends = {"departure": str(row["destination"]), "destination": str(row["departure"])}
            back = self.backend.call("find_train", **ends, day=str(row["day"]))["results"]
            if back:
                self.backend.call(
                    "book_train", trainID=str(back[-1]["trainID"]), people=arguments["people"]
                )
        return result


@fault("state", "entity", "taxi", "train")
class MixesUpTheClocks(RuleSystem):
    """Takes the time of arrival for that of departure, and the other way round."""

    def constraints_for(self, state: DomainState) -> dict[str, str]:
        return {SWAPPED.get(slot, slot): value for slot, value in state.wanted.items()}

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        if state.domain == "taxi":
            arguments = {SWAPPED.get(slot, slot): v for slot, v in arguments.items()}
        return super().book(state, arguments)


@fault("state", "flow", *TABLES_AND_ROOMS)
class BooksBeforeItReadsBack(RuleSystem):
    """Books at once, asks whether all is right, and keeps quiet about the reference."""

    def try_to_book(self, state: DomainState) -> list[str]:
        before = len(state.booked)
        said = super().try_to_book(state)
        if len(state.booked) == before or state.domain not in TABLES_AND_ROOMS:
            return said
        result = state.booked[-1]
        return [
            f"Let me read that back before I book: {wording.title(result)}, "
            f"{result['day'].title()}, {result['people']}. Does that look right to you?"
        ]


DESK = Catalogue("service_desk", wave=2)


@DESK.fault("access", "flow")
class SearchesBeforeItKnows(DeskBot):
    """Looks up the tickets of somebody by number before it knows who is asking."""

    def identify(self) -> list[str]:
        self.calls.tickets("E109")
        return super().identify()


SHOP = Catalogue("lamp_shop", wave=2)


@SHOP.fault("state", "action")
class TriesEveryDoor(ShopBot):
    """Calls the tool of a change twice, and shrugs off that the second call is refused."""

    def call(self, tool: str, **arguments: str) -> Record:
        answer = super().call(tool, **arguments)
        if tool in ("cancel_order", "return_order", "change_address"):
            try:
                super().call(tool, **arguments)
            except ToolRefused:
                return answer
        return answer


OWN = Catalogue("own_domains", wave=2)


@OWN.fault("state", "action")
class BooksAnotherItem(OwnBot):
    """Books the next item of the catalogue, and tells the one that was offered."""

    def book(self, talk: Talk, slots: Slots) -> list[str]:
        items = DOMAINS[talk.domain.name].items
        at = next((n for n, item in enumerate(items) if item == talk.item), 0)
        other = items[(at + 1) % len(items)]
        wrong = {slot: other.get(slot, value) for slot, value in slots.items()}
        return super().book(talk, wrong)
