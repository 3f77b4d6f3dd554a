"""Twenty bugs of the reference bot, each behind a narrow combination of what a user wants and does.

They were written before the strategies that look for them. `benchmarks/properties.py` says within
how many examples each is found, and whether anything can be left out of the goal that is shown.
"""

from collections.abc import Sequence
from typing import Any

from pytest_todeval.backends.protocol import Row
from pytest_todeval.nlu.times import clock, to_minutes
from pytest_todeval.nlu.values.normalise import DAYS
from pytest_todeval.simulation.systems.rules.requests import AskedValue
from pytest_todeval.simulation.systems.rules.state import DomainState
from pytest_todeval.simulation.systems.rules.understanding import Understood
from pytest_todeval.systems import RuleSystem

Arguments = dict[str, str]
EVENING, EARLY, LATE = 18 * 60, 9 * 60, 20 * 60


class Watching(RuleSystem):
    """The reference bot, which also notes what was corrected, asked and said at once."""

    def __init__(self, backend: Any) -> None:
        super().__init__(backend)
        self.corrected: set[str] = set()
        """Domains in which a value was replaced by another."""
        self.before: dict[tuple[str, str], str] = {}
        """Domain, slot -> its value before it was replaced."""
        self.found_nothing: set[str] = set()
        self.asked: list[tuple[str, str]] = []
        self.said: list[tuple[str, str]] = []
        """Domain and slot of what was said in this turn."""

    def update(self, heard: Understood) -> None:
        self.said = [(each.domain, each.slot) for each in heard.informs]
        for said in heard.informs:
            value, state = self.state.resolve(said), self.state.of(said.domain)
            known = {**state.constraints, **state.booking}.get(said.slot)
            if value is not None and known not in (None, value):
                self.corrected.add(said.domain)
                self.before[said.domain, said.slot] = str(known)
        super().update(heard)

    def answer_request(self, state: DomainState, request: AskedValue) -> str:
        told = super().answer_request(state, request)
        self.asked.append((state.domain, request.slot))
        return told

    def none_found(self, state: DomainState, seen_all: bool) -> str:
        self.found_nothing.add(state.domain)
        return super().none_found(state, seen_all)

    def book(self, state: DomainState, arguments: Arguments) -> dict[str, Any]:
        return super().book(state, self.booked_instead(state, dict(arguments)))

    def booked_instead(self, state: DomainState, wanted: Arguments) -> Arguments:
        """What is booked."""
        return wanted


def people(wanted: Arguments) -> int:
    return int(wanted.get("people", "0"))


def minutes(text: str | None) -> int:
    return to_minutes(text or "") or 0


def day_after(day: str) -> str:
    return DAYS[(DAYS.index(day) + 1) % len(DAYS)]


class LateTrainForManyCorrected(Watching):
    """A train after 18:00 for 5 or more, after a correction: one seat too few."""

    def booked_instead(self, state: DomainState, wanted: Arguments) -> Arguments:
        late = minutes(state.wanted.get("leaveAt")) >= EVENING
        if state.domain == "train" and late and people(wanted) >= 5 and "train" in self.corrected:
            wanted["people"] = str(people(wanted) - 1)
        return wanted


class LongStayFromTheWeekend(Watching):
    """A hotel from Saturday or Sunday for four nights or more: one night."""

    def booked_instead(self, state: DomainState, wanted: Arguments) -> Arguments:
        if wanted.get("day") in ("saturday", "sunday") and int(wanted.get("stay", "0")) >= 4:
            wanted["stay"] = "1"
        return wanted


class LateTableForMany(Watching):
    """A table at 20:00 or later for six or more: an hour earlier."""

    def booked_instead(self, state: DomainState, wanted: Arguments) -> Arguments:
        if minutes(wanted.get("time")) >= LATE and people(wanted) >= 6:
            wanted["time"] = clock(minutes(wanted["time"]) - 60)
        return wanted


class StarsWithParking(Watching):
    """A hotel with parking and stars asked for: searched without the stars."""

    def constraints_for(self, state: DomainState) -> dict[str, str]:
        wanted = dict(super().constraints_for(state))
        if state.domain == "hotel" and {"parking", "stars"} <= wanted.keys():
            del wanted["stars"]
        return wanted


class SameDayTwice(Watching):
    """The second booking of a dialogue on the day of the first: the day after."""

    def booked_instead(self, state: DomainState, wanted: Arguments) -> Arguments:
        others = [b for d in self.state.domains.values() for b in d.booked if d is not state]
        if "day" in wanted and any(wanted["day"] == each.get("day") for each in others):
            wanted["day"] = day_after(wanted["day"])
        return wanted


class PostcodeAfterPhone(Watching):
    """The postcode of an attraction, after its phone number was asked for: another's."""

    def value_to_tell(self, row: Row, slot: str) -> str | None:
        told = super().value_to_tell(row, slot)
        if slot == "postcode" and ("attraction", "phone") in self.asked:
            others = self.backend.query("attraction", {})
            return next(str(o["postcode"]) for o in others if o["postcode"] != row["postcode"])
        return told


class PeopleOfTheHotel(Watching):
    """A restaurant after a hotel, for fewer people: as many as in the hotel."""

    def booked_instead(self, state: DomainState, wanted: Arguments) -> Arguments:
        hotel = self.state.domains.get("hotel")
        if state.domain == "restaurant" and hotel is not None and hotel.booked:
            there = str(hotel.booked[-1]["people"])
            wanted["people"] = max(wanted["people"], there, key=int)
        return wanted


class EarlyOnSunday(Watching):
    """A train on Sunday that is to arrive by a given time before noon: for one."""

    def booked_instead(self, state: DomainState, wanted: Arguments) -> Arguments:
        arrives = state.wanted.get("arriveBy")
        early = arrives is not None and minutes(arrives) < 12 * 60
        if state.domain == "train" and early and state.wanted.get("day") == "sunday":
            wanted["people"] = "1"
        return wanted


class ThirdDomainClaimed(Watching):
    """A booking in the third domain of a dialogue: claimed and not made."""

    def book(self, state: DomainState, arguments: Arguments) -> dict[str, Any]:
        if list(self.state.domains).index(state.domain) >= 2:
            return {**(state.row or {}), **arguments, "reference": "QX7TR2ML"}
        return super().book(state, arguments)


class AnotherPhoneTheSecondTime(Watching):
    """A restaurant's phone number that is asked for twice: another one the second time."""

    def value_to_tell(self, row: Row, slot: str) -> str | None:
        told = super().value_to_tell(row, slot)
        if slot == "phone" and ("restaurant", "phone") in self.asked and "food" in row:
            return "01632960111"
        return told


class OneSlotAtATime(Watching):
    """The number of people said alone in a turn, seven or more, for an expensive hotel."""

    def update(self, heard: Understood) -> None:
        super().update(heard)
        hotel = self.state.domains.get("hotel")
        if hotel is None or self.said != [("hotel", "people")]:
            return
        row = hotel.row or {}
        if row.get("pricerange") == "expensive" and people(hotel.booking) >= 7:
            hotel.booking["people"] = "6"


class FourAtOnceWithFood(Watching):
    """Four or more slots of a restaurant said at once, food and area among them: no area."""

    def update(self, heard: Understood) -> None:
        super().update(heard)
        said = {slot for domain, slot in self.said if domain == "restaurant"}
        if len(said) >= 4 and {"food", "area"} <= said:
            self.state.of("restaurant").constraints.pop("area", None)


class OldAreaIfCheap(Watching):
    """The area of a cheap restaurant, changed: searched in the old one."""

    def constraints_for(self, state: DomainState) -> dict[str, str]:
        wanted = dict(super().constraints_for(state))
        old = self.before.get(("restaurant", "area"))
        if state.domain == "restaurant" and wanted.get("pricerange") == "cheap" and old:
            wanted["area"] = old
        return wanted


class ReturnsToTheWrongOne(Watching):
    """A question about an attraction after a table was booked: answered of the restaurant."""

    def row_to_tell_from(self, state: DomainState) -> Row:
        table = self.state.domains.get("restaurant")
        if state.domain == "attraction" and table is not None and table.booked and table.row:
            return table.row
        return super().row_to_tell_from(state)


class NoTableForOneOnMonday(Watching):
    """A table for one on Monday: said to be fully booked, without a try."""

    def try_to_book(self, state: DomainState) -> list[str]:
        alone = state.booking.get("people") == "1" and state.booking.get("day") == "monday"
        if state.domain == "restaurant" and alone:
            return ["I am sorry, the restaurant is fully booked then."]
        return super().try_to_book(state)


class TwiceForOneForFive(Watching):
    """One person for five nights: booked twice."""

    def book(self, state: DomainState, arguments: Arguments) -> dict[str, Any]:
        made = super().book(state, arguments)
        if arguments.get("stay") == "5" and arguments.get("people") == "1":
            super().book(state, arguments)
        return made


class DurationOfAFridayTrain(Watching):
    """How long a Friday train takes, with seats for four or more: ten minutes less."""

    def value_to_tell(self, row: Row, slot: str) -> str | None:
        told = super().value_to_tell(row, slot)
        train = self.state.domains.get("train")
        many = train is not None and people(train.booking) >= 4
        if slot == "duration" and told and many and row.get("day") == "friday":
            number = int("".join(filter(str.isdigit, told)))
            return told.replace(str(number), str(number - 10))
        return told


class NamedHotelOnTuesday(Watching):
    """A hotel that the user names, from Tuesday: from Wednesday."""

    def booked_instead(self, state: DomainState, wanted: Arguments) -> Arguments:
        named = "name" in state.wanted and state.domain == "hotel"
        if named and wanted.get("day") == "tuesday":
            wanted["day"] = "wednesday"
        return wanted


class DropsTheTypeAfterNothing(Watching):
    """A hotel of a type, after a search that found nothing: searched without the type."""

    def constraints_for(self, state: DomainState) -> dict[str, str]:
        wanted = dict(super().constraints_for(state))
        if state.domain == "hotel" and "hotel" in self.found_nothing and len(wanted) > 1:
            wanted.pop("type", None)
        return wanted


class AddressOfTheFirst(Watching):
    """The address of the second venue in the same area: that of the first."""

    def row_to_tell_from(self, state: DomainState) -> Row:
        row = super().row_to_tell_from(state)
        first = next(iter(self.state.domains.values()))
        if first is state or not first.row or first.domain not in ("restaurant", "hotel"):
            return row
        if first.wanted.get("area") and first.wanted.get("area") == state.wanted.get("area"):
            return {**row, "address": first.row.get("address", row.get("address"))}
        return row


BUGS: Sequence[type[Watching]] = (
    LateTrainForManyCorrected,
    LongStayFromTheWeekend,
    LateTableForMany,
    StarsWithParking,
    SameDayTwice,
    PostcodeAfterPhone,
    PeopleOfTheHotel,
    EarlyOnSunday,
    ThirdDomainClaimed,
    AnotherPhoneTheSecondTime,
    OneSlotAtATime,
    FourAtOnceWithFood,
    OldAreaIfCheap,
    ReturnsToTheWrongOne,
    NoTableForOneOnMonday,
    TwiceForOneForFive,
    DurationOfAFridayTrain,
    NamedHotelOnTuesday,
    DropsTheTypeAfterNothing,
    AddressOfTheFirst,
)
