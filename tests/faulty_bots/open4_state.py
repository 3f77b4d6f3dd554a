"""Wrong bookings and records: after a change of mind, in the second booking only, in silence."""

from dataclasses import replace
from typing import Any

from benchmarks.hearing.own_domains import OwnBot, Slots, Talk
from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.nlu.values.normalise import DONTCARE
from pytest_todeval.simulation.systems.rules.state import DomainState
from pytest_todeval.simulation.systems.rules.understanding import Understood
from pytest_todeval.systems import DeskBot, RuleSystem
from tests.faulty_bots.reshaped import DAY_AFTER, later
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import Order, ShopBot

__all__ = ["CATALOGUE", "DESK", "OWN", "SHOP"]

CATALOGUE = Catalogue("demo", wave=4)
fault = CATALOGUE.fault


@fault("state", "context", "restaurant", "hotel")
class SlipsADayAfterARefusal(RuleSystem):
    """Once a booking was refused, books the next try a day late, and tells the day wished."""

    refused_in = ""

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        if self.refused_in != state.domain or "day" not in arguments:
            try:
                return super().book(state, arguments)
            except ToolRefused:
                self.refused_in = state.domain
                raise
        result = super().book(state, {**arguments, "day": DAY_AFTER[arguments["day"]]})
        return {**result, "day": arguments["day"]}


@fault("state", "context", "restaurant", "hotel")
class BooksTheSecondADayOff(RuleSystem):
    """Books the first thing rightly and the second one for the day after, as it says."""

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        earlier = any(d.booked for d in self.state.domains.values() if d is not state)
        if earlier and "day" in arguments:
            arguments = {**arguments, "day": DAY_AFTER[arguments["day"]]}
        return super().book(state, arguments)


@fault("state", "entity", "train")
class LeavesATravellerBehind(RuleSystem):
    """Books a ticket too few for a party, and tells as many as were asked for."""

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        people = arguments.get("people", "1")
        if state.domain != "train" or people == "1":
            return super().book(state, arguments)
        result = super().book(state, {**arguments, "people": str(int(people) - 1)})
        return {**result, "people": people}


@fault("state", "entity", "hotel")
class CapsTheStay(RuleSystem):
    """Books no stay of more than two nights, and tells all the nights asked for."""

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        stay = arguments.get("stay", "1")
        if int(stay) < 3:
            return super().book(state, arguments)
        return {**super().book(state, {**arguments, "stay": "2"}), "stay": stay}


@fault("understanding", "context")
class KeepsTheOldWish(RuleSystem):
    """The first time that the user changes a wish, goes on with the old one."""

    kept = False

    def update(self, heard: Understood) -> None:
        before = {name: dict(state.constraints) for name, state in self.state.domains.items()}
        super().update(heard)
        for name, wishes in before.items():
            now = self.state.of(name).constraints
            for slot, value in wishes.items():
                changed = now.get(slot, DONTCARE) not in (value, DONTCARE)
                if changed and value != DONTCARE and not self.kept:
                    now[slot] = value
                    self.kept = True


@fault("understanding", "entity")
class TakesTheLastOfSeveral(RuleSystem):
    """Of what the user says in the first turn, keeps the last value only."""

    def understand(self, text: str) -> Understood:
        heard = super().understand(text)
        return replace(heard, informs=heard.informs[-1:]) if self.state.turn == 1 else heard


@fault("understanding", "entity", "hotel")
class TakesAmenitiesForOptional(RuleSystem):
    """Looks for places to stay without the parking, the internet or the stars that were wished."""

    def constraints_for(self, state: DomainState) -> dict[str, str]:
        wanted = super().constraints_for(state)
        rest = {s: v for s, v in wanted.items() if s not in ("parking", "internet", "stars")}
        return rest or wanted


DESK = Catalogue("service_desk", wave=4)


@DESK.fault("state", "entity")
class ResetsAColleague(DeskBot):
    """Resets the password of whoever has the next number, and tells that one."""

    def reset_password(self) -> str:
        number = self.number
        width = len(number) - 1
        other = f"{number[0]}{int(number[1:]) + 1:0{width}}"
        try:
            password = self.calls.reset_password(other)
        except ToolRefused:
            password = self.calls.reset_password(f"{number[0]}{int(number[1:]) - 1:0{width}}")
        return f"Your temporary password is {password}. Please change it at your next login."


SHOP = Catalogue("lamp_shop", wave=4)


@SHOP.fault("access", "action")
class BrowsesAllOrders(ShopBot):
    """Looks at everybody's orders on the way to the right one."""

    def look_up(self, number: str) -> Order:
        found = {f"#W{at}": self.look(f"#W{at}") for at in range(101, 106)}
        return found[number]

    def look(self, number: str) -> Order:
        return super().look_up(number)


OWN = Catalogue("own_domains", wave=4)


@OWN.fault("state", "entity")
class BooksTheFollowingSlot(OwnBot):
    """Books a quarter of an hour after the time that was said, and tells the one that was said."""

    def book(self, talk: Talk, slots: Slots) -> list[str]:
        moved = {s: later(v, 15) if s == "time" else v for s, v in slots.items()}
        said = super().book(talk, moved)
        if talk.booked is not None:
            talk.booked = slots
        return said
