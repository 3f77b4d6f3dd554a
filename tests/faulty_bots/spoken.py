"""Values as people say them, and bots with a seam for a sentence more."""

from collections.abc import Sequence
from typing import Any

from benchmarks.hearing.own_domains import OwnBot
from pytest_todeval.backends.protocol import Row
from pytest_todeval.simulation.systems.rules import wording
from pytest_todeval.simulation.systems.rules.state import DomainState
from pytest_todeval.simulation.systems.rules.understanding import Understood
from pytest_todeval.systems import RuleSystem

__all__ = [
    "AddsToBookings",
    "AddsToOffers",
    "RewordsOwn",
    "TellsBookings",
    "clock_words",
    "first_domain",
    "minutes_of",
    "number_words",
    "pounds_words",
]

_SMALL = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def number_words(number: int) -> str:
    """A number below 1000 in words: `forty-five`."""
    if number < 20:
        return _SMALL[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return _TENS[tens] + (f"-{_SMALL[ones]}" if ones else "")
    hundreds, rest = divmod(number, 100)
    return f"{_SMALL[hundreds]} hundred" + (f" and {number_words(rest)}" if rest else "")


def pounds_words(amount: float, unit: str = "pounds", part: str = "pence") -> str:
    """An amount in words: `nine pounds and eighty pence`."""
    whole, rest = divmod(round(amount * 100), 100)
    return f"{number_words(whole)} {unit}" + (f" and {number_words(rest)} {part}" if rest else "")


def minutes_of(clock: str) -> int:
    """Minutes since midnight."""
    hour, minute = map(int, clock.split(":"))
    return hour * 60 + minute


def clock_words(clock: str) -> str:
    """A time of day as it is spoken: `half past six in the evening`."""
    hour, minute = map(int, clock.split(":"))
    part = "in the morning" if hour < 12 else "in the afternoon" if hour < 18 else "in the evening"
    this, following = (_SMALL[(at - 1) % 12 + 1] for at in (hour, hour + 1))
    said = {
        0: f"{this} o'clock", 15: f"a quarter past {this}", 30: f"half past {this}",
        45: f"a quarter to {following}",
    }.get(minute)  # fmt: skip
    if said is None:
        past = minute < 30
        count = number_words(minute if past else 60 - minute)
        said = f"{count} minutes {'past' if past else 'to'} {this if past else following}"
    return f"{said} {part}"


def first_domain(bot: RuleSystem) -> str:
    """The domain that the user has raised first; empty before any."""
    return next(iter(bot.state.domains), "")


class TellsBookings(RuleSystem):
    """Words what it has booked by `confirm` and `confirm_taxi`."""

    def try_to_book(self, state: DomainState) -> list[str]:
        before = len(state.booked)
        said = super().try_to_book(state)
        if len(state.booked) == before:
            return said
        result = state.booked[-1]
        return [self.confirm(state, result, self.reference_to_tell(state, result))]

    def order_taxi(self, state: DomainState) -> list[str]:
        before = len(state.booked)
        said = super().order_taxi(state)
        return [self.confirm_taxi(state.booked[-1])] if len(state.booked) > before else said

    def confirm(self, state: DomainState, result: dict[str, Any], reference: str) -> str:
        """That a table, a room or tickets are booked."""
        return wording.booked(state.domain, result, reference, self.state.turn)

    def confirm_taxi(self, result: dict[str, Any]) -> str:
        """That a taxi is ordered."""
        return wording.taxi_booked(result, self.phone_to_call(result))


class AddsToBookings(TellsBookings):
    """Says a sentence more of each booking."""

    def confirm(self, state: DomainState, result: dict[str, Any], reference: str) -> str:
        more = self.more(state, result)
        return f"{super().confirm(state, result, reference)} {more}".strip()

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        """The sentence."""
        return ""


class AddsToOffers(RuleSystem):
    """Says a sentence more of each offer."""

    def offer(self, state: DomainState, heard: Understood, rows: Sequence[Row]) -> list[str]:
        said = super().offer(state, heard, rows)
        row = state.row
        if row is None or said != [wording.offer(state.domain, row, self.count, self.state.turn)]:
            return said
        more = self.more_of(state, row, rows)
        return [*said, more] if more else said

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        """The sentence."""
        return ""


class RewordsOwn(OwnBot):
    """The bot of own domains, which says each reply in other words."""

    user = ""
    """What the user has just said."""

    def respond(self, text: str) -> str:
        self.user = text
        return self.reword(super().respond(text))

    def reword(self, text: str) -> str:
        """The reply as it is said."""
        return text
