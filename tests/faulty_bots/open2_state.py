"""Wrong bookings, records and calls, as bots over tools make them."""

from collections.abc import Sequence
from typing import Any

from pytest_todeval.backends.protocol import Row, ToolRefused
from pytest_todeval.core.dialogue import Reply
from pytest_todeval.systems import DeskBot, RuleSystem
from pytest_todeval.systems.rules import wording
from pytest_todeval.systems.rules.state import DomainState
from tests.faulty_bots.reshaped import later
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import Record, ShopBot
from tests.hearing.own_domains import DOMAINS, OwnBot, Slots, Talk

__all__ = ["CATALOGUE", "DESK", "OWN", "SHOP"]

CATALOGUE = Catalogue("demo", wave=2)
fault = CATALOGUE.fault
TABLES_AND_ROOMS = ("restaurant", "hotel")
BOOKED = ("restaurant", "hotel", "train")
SWAPPED = {"arriveBy": "leaveAt", "leaveAt": "arriveBy"}


class RemembersRows(RuleSystem):
    """Keeps what the last search of each domain has found."""

    def __init__(self, backend: Any) -> None:
        super().__init__(backend)
        self.found: dict[str, Sequence[Row]] = {}

    def search(self, state: DomainState) -> Sequence[Row]:
        rows = super().search(state)
        self.found[state.domain] = rows
        return rows


@fault("state", "action", *TABLES_AND_ROOMS)
class BooksTheNeighbour(RuleSystem):
    """Books another venue of the same part of town than the one accepted, and tells that one."""

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        if state.domain not in TABLES_AND_ROOMS or state.row is None:
            return super().book(state, arguments)
        rows = self.backend.query(state.domain, {"area": str(state.row["area"])})
        name = next(str(row["name"]) for row in rows if row["name"] != state.row["name"])
        booked = super().book(state, {**arguments, "name": name})
        return {**booked, "name": arguments["name"]}


@fault("state", "flow", *BOOKED)
class BooksAgainOnThanks(RuleSystem):
    """Makes the last booking once more when the user thanks for it or says the next thing."""

    again: tuple[DomainState, dict[str, str]] | None = None

    def respond(self, text: str) -> Reply:
        if self.again is not None:
            state, arguments = self.again
            self.again = None
            self.backend.call(f"book_{state.domain}", **arguments)
        return super().respond(text)

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        result = super().book(state, arguments)
        if state.domain in BOOKED:
            self.again = state, dict(arguments)
        return result


@fault("state", "context", *TABLES_AND_ROOMS)
class ForgetsThePartyAfterARefusal(RuleSystem):
    """Books for one more than it was told if the first try was refused, and tells the right one."""

    refused = False

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        people = arguments.get("people", "1")
        if self.refused:
            wrong = {**arguments, "people": str(int(people) + 1)}
            return {**super().book(state, wrong), "people": people}
        try:
            return super().book(state, arguments)
        except ToolRefused:
            self.refused = True
            raise


@fault("understanding", "context", "restaurant", "hotel", "attraction")
class SearchesNearTheFirst(RuleSystem):
    """Searches the second domain in the part of town of what it offered in the first."""

    def constraints_for(self, state: DomainState) -> dict[str, str]:
        others = [d for d in self.state.domains.values() if d.domain != state.domain and d.row]
        if not others or state.domain == "train" or "name" in state.wanted:
            return state.wanted
        row = others[0].row or {}
        return {**state.wanted, "area": str(row["area"])} if "area" in row else state.wanted


@fault("state", "action", *TABLES_AND_ROOMS)
class HoldsASpareToo(RemembersRows):
    """Books a second venue besides, to be on the safe side, and does not say so."""

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        result = super().book(state, arguments)
        if state.domain in TABLES_AND_ROOMS and state.row is not None:
            rows = self.backend.query(state.domain, {"area": str(state.row["area"])})
            spare = next(str(row["name"]) for row in rows if row["name"] != state.row["name"])
            self.backend.call(f"book_{state.domain}", **{**arguments, "name": spare})
        return result


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


@fault("state", "entity", "hotel")
class SwapsGuestsAndNights(RuleSystem):
    """Books as many nights as there are people, and for as many people as there are nights."""

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        if state.domain == "hotel":
            swapped = {"people": arguments["stay"], "stay": arguments["people"]}
            arguments = {**arguments, **swapped}
        return super().book(state, arguments)


@fault("state", "action", "train")
class BooksTicketsOneByOne(RuleSystem):
    """Books tickets one at a time and one too few, and tells the number that was asked for."""

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        if state.domain != "train" or arguments["people"] == "1":
            return super().book(state, arguments)
        for _ in range(int(arguments["people"]) - 1):
            result = super().book(state, {**arguments, "people": "1"})
        return {**result, "people": arguments["people"]}


@fault("state", "entity", "restaurant")
class BooksBreakfastForDinner(RuleSystem):
    """Books twelve hours early, as if the clock had twelve, and says `7:30`."""

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        if state.domain != "restaurant":
            return super().book(state, arguments)
        time = arguments["time"]
        result = super().book(state, {**arguments, "time": later(time, 720)})
        hour, minute = time.split(":")
        return {**result, "time": f"{(int(hour) - 1) % 12 + 1}:{minute}"}


@fault("understanding", "action", "restaurant", "hotel", "attraction")
class DropsAWishInSilence(RuleSystem):
    """If nothing meets the wishes, searches without the first that was said, and says nothing."""

    def search(self, state: DomainState) -> Sequence[Row]:
        rows = super().search(state)
        wanted = state.wanted
        for slot in wanted if not rows and len(wanted) > 1 else ():
            rest = {other: value for other, value in wanted.items() if other != slot}
            found = self.backend.call(f"find_{state.domain}", **rest)
            if found["results"]:
                self.count = int(found["count"])
                found_rows: Sequence[Row] = found["results"]
                return found_rows
        return rows


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


@DESK.fault("state", "action")
class FilesATicketForEverything(DeskBot):
    """Opens a ticket for its records for every employee it has identified, and does not say so."""

    def welcome(self, employee: dict[str, Any]) -> list[str]:
        said = super().welcome(employee)
        if self.employee and not self.done:
            self.calls.open_ticket(self.number, "other")
        return said


@DESK.fault("state", "action")
class ResetsAsAPrecaution(DeskBot):
    """Resets the password of whoever says goodbye, as a precaution."""

    def close(self, text: str, heard: bool) -> list[str]:
        said = super().close(text, heard)
        if said == ["You are welcome. Goodbye."]:
            self.calls.reset_password(self.number)
        return said


@DESK.fault("access", "flow")
class SearchesBeforeItKnows(DeskBot):
    """Looks up the tickets of somebody by number before it knows who is asking."""

    def identify(self) -> list[str]:
        self.calls.tickets("E109")
        return super().identify()


@DESK.fault("state", "entity")
class ActsForTheManager(DeskBot):
    """Acts on the record of the employee's manager in place of the employee's own."""

    @property
    def number(self) -> str:
        return str(self.employee.get("manager") or self.employee["employee_id"])


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


@SHOP.fault("access", "action")
class ReadsEveryOrder(ShopBot):
    """Reads the orders of all customers to find the one it needs."""

    def serve(self) -> str:
        for number in ("#W101", "#W102", "#W103", "#W104", "#W105"):
            self.look_up(number)
        return super().serve()


OWN = Catalogue("own_domains", wave=2)


@OWN.fault("state", "entity")
class BooksInTheNight(OwnBot):
    """Books times of the afternoon as if they were of the morning, and tells the right ones."""

    def slots_of(self, talk: Talk) -> Slots:
        slots = super().slots_of(talk)
        return {
            slot: later(value, -720) if slot == "time" and value >= "13" else value
            for slot, value in slots.items()
        }


@OWN.fault("state", "action")
class BooksAnotherItem(OwnBot):
    """Books the next item of the catalogue, and tells the one that was offered."""

    def book(self, talk: Talk, slots: Slots) -> list[str]:
        items = DOMAINS[talk.domain.name].items
        at = next((n for n, item in enumerate(items) if item == talk.item), 0)
        other = items[(at + 1) % len(items)]
        wrong = {slot: other.get(slot, value) for slot, value in slots.items()}
        return super().book(talk, wrong)
