"""Right bots in voices that no earlier round has: each finding is a false alarm.

Held out: whoever writes rules reads neither this file nor what it catches, only totals.
"""

from collections.abc import Sequence
from typing import Any

from benchmarks.hearing.own_domains import OwnBot
from pytest_todeval.backends.protocol import Row
from pytest_todeval.simulation.systems.rules import wording
from pytest_todeval.simulation.systems.rules.requests import AskedValue
from pytest_todeval.simulation.systems.rules.state import DomainState
from pytest_todeval.simulation.systems.rules.understanding import Understood
from pytest_todeval.systems import RuleSystem
from tests.faulty_bots.reshaped import RewordsDesk, reworded
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.spoken import (
    AddsToBookings,
    AddsToOffers,
    TellsBookings,
    first_domain,
    number_words,
)

__all__ = ["CATALOGUE", "DESK", "OWN", "PadsItsReplies"]

CATALOGUE = Catalogue("demo", apart=True, wave=4)
variant = CATALOGUE.variant


@variant
class PadsItsReplies(TellsBookings):
    """The reference bot as a model that never says in five words what can be said in fifty."""

    def offer(self, state: DomainState, heard: Understood, rows: Sequence[Row]) -> list[str]:
        said = super().offer(state, heard, rows)
        row = state.row
        if row is None or said != [wording.offer(state.domain, row, self.count, self.state.turn)]:
            return said
        return [self.suggest(state.domain, row)]

    def suggest(self, domain: str, row: Row) -> str:
        """The offer."""
        if domain == "train":
            return (
                "Right, so having gone through the timetable with what you've told me, the one "
                f"I'd pick is {row['trainID']}: you'd set off from {str(row['departure']).title()} "
                f"at {row['leaveAt']} on {str(row['day']).title()} and step off in "
                f"{str(row['destination']).title()} at {row['arriveBy']}."
            )
        lead = "Right, so having gone through everything with what you've told me, the one I'd pick"
        facts = {
            "restaurant": f"they do {row.get('food')} food and the prices are {row['pricerange']}",
            "hotel": f"it's a {row.get('type')}, {row['pricerange']}, {row.get('stars')} stars",
            "attraction": f"it's a {row.get('type')}",
        }[domain]
        return f"{lead} is {wording.title(row)}. It's in the {row['area']}, and {facts}."

    def answer_request(self, state: DomainState, request: AskedValue) -> str:
        row = self.row_to_tell_from(state)
        value = self.value_to_tell(row, request.slot)
        if not value or request.slot not in ("phone", "address", "postcode", "price", "duration"):
            return super().answer_request(state, request)
        what = wording.words(request.slot)
        told = self.answered(state, request.slot, value)
        return (
            f"Since you were asking about the {what} of {wording.title(row)}: that would be {told}."
        )

    def answered(self, state: DomainState, slot: str, value: str) -> str:
        """The value as it is told in answer to a question."""
        return value

    def confirm(self, state: DomainState, result: dict[str, Any], reference: str) -> str:
        day, people = str(result["day"]).title(), result["people"]
        head = f"{people} {'person' if people == '1' else 'people'}"
        what = f"{wording.title(result)} on {day}, {head}"
        if state.domain == "restaurant":
            what = f"a table at {wording.title(result)} on {day} at {result['time']}, {head}"
        if state.domain == "hotel":
            nights = f"{result['stay']} {'night' if result['stay'] == '1' else 'nights'}"
            what = f"a room at {wording.title(result)}, {nights} starting {day}, {head}"
        return (
            f"That's all reserved for you, without a hitch, I'm pleased to say. To go over it once "
            f"more: {what}. They file these by number, and yours is {reference}."
        )


@variant
class TotalsTheNightsRightly(AddsToBookings):
    """Says what a room comes to for all nights, rightly."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        prices = dict((state.row or {}).get("price") or {}) if state.domain == "hotel" else {}
        if not prices:
            return ""
        room, rate = next(iter(prices.items()))
        nights = int(result["stay"])
        return f"A {room} is £{rate} a night, so £{int(rate) * nights} for the whole stay."


@variant
class CountsItsBookings(AddsToBookings):
    """Says how many bookings there are by now, rightly."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        count = sum(len(d.booked) for d in self.state.domains.values())
        return f"That's {number_words(count)} down." if count > 1 else "That's the first one done."


@variant
class QuotesTheIntroduction(AddsToOffers):
    """Quotes what a restaurant says of itself, as its row has it."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        told = str(row.get("introduction", "?"))
        return f'In their own words: "{told}"' if told not in ("", "?") else ""


@variant
class CountsTheSightsAround(AddsToOffers):
    """Looks up how many sights there are in the part of town of what it offers, and says so."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        if state.domain not in ("restaurant", "hotel") or "area" not in row:
            return ""
        count = self.backend.call("find_attraction", area=str(row["area"]))["count"]
        return f"For what it's worth, there are {count} attractions in the {row['area']}."


@variant
class AsksOneThingAtATime(RuleSystem):
    """Asks for one slot, and for the next when it has that one."""

    def ask(self, state: DomainState, slots: Sequence[str]) -> str:
        return super().ask(state, slots[:1])


@variant
class ComparesThePartsOfTown(AddsToOffers):
    """Says of a second venue whether it is in the same part of town as the first, rightly."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        first = self.state.domains[first_domain(self)].row
        if first is None or state.domain == first_domain(self) or "area" not in row:
            return ""
        if "area" not in first:
            return ""
        same = first["area"] == row["area"]
        return (
            f"That's in the same part of town as {wording.title(first)}."
            if same
            else f"{wording.title(first)} is in a different part of town, mind."
        )


DESK = Catalogue("service_desk", apart=True, wave=4)


@DESK.variant
class DeskSpeaksPlainly(RewordsDesk):
    """The desk as somebody who has worked there for long."""

    TEMPLATES = (
        (r"Please tell me your e-mail address and your badge number first\.",
         "Hiya. I'll need your work e-mail and the number on your badge."),
        (r"^Thank you, (\w+)\.", r"Ta, \1."),
        (r"I will (.+?)\. Shall I go ahead\?", r"So I'd \1. Is that what you're after?"),
        (r"I am sorry, ", "No can do: "),
        (r"All right, I have changed nothing\.", "Fair enough, I've left everything alone."),
        (r"You have no open ticket\.", "Nothing open on your side."),
        (r"Your open tickets: ", "Still on the go: "),
        (r"You are welcome\. Goodbye\.", "Cheers, bye."),
    )  # fmt: skip

    def reword(self, text: str) -> str:
        return reworded(text, self.TEMPLATES)


OWN = Catalogue("own_domains", apart=True, wave=4)


@OWN.variant
class OwnWritesEmoji(OwnBot):
    """The bot in the words of a chat among friends."""

    wording_name = "emoji chat"


@OWN.variant
class OwnIsLegal(OwnBot):
    """The bot in the words of a solicitor's office."""

    wording_name = "legal"
