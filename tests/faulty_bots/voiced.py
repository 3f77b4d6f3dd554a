"""Right bots in a voice of their own: templates for offers, answers and bookings."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from pytest_todeval.backends.protocol import Row
from pytest_todeval.simulation.systems.rules import wording
from pytest_todeval.simulation.systems.rules.requests import AskedValue
from pytest_todeval.simulation.systems.rules.state import DomainState
from pytest_todeval.simulation.systems.rules.understanding import Understood
from tests.faulty_bots.reshaped import Rewords, reworded
from tests.faulty_bots.spoken import TellsBookings

__all__ = [
    "ASK_TO_BOOK", "CLOSING", "GOODBYE", "NONE", "NONE_ELSE", "NUMBER", "REFUSED", "SEVERAL",
    "Voiced", "spelt_out",
]  # fmt: skip

ASK_TO_BOOK = (
    r"Would you like me to book it(?: for you)?\?|Shall I (?:make a booking|book tickets for you)\?"
)
CLOSING = r"(?:Is there anything else I can help you with|Can I help you with anything else)\?"
GOODBYE = r"You are welcome\. Have a nice day, goodbye!"
REFUSED = r"I am sorry, the booking failed: ([^.]+)\. Would you like to try another ([^?]+)\?"
NONE = (
    r"(?:I am sorry,|Unfortunately) there is no ([^.]+)\. Would you like to try another ([^?]+)\?"
)
NONE_ELSE = r"(?:I am sorry,|Unfortunately) there is no ([^.]+)\."
SEVERAL = r"I have (\d+) ([^.]+?)\."
NUMBER = r"The reference number is (\w+)\."
LETTERS = (
    "Alfa", "Bravo", "Charlie", "Delta", "Echo", "Foxtrot", "Golf", "Hotel", "India", "Juliett",
    "Kilo", "Lima", "Mike", "November", "Oscar", "Papa", "Quebec", "Romeo", "Sierra", "Tango",
    "Uniform", "Victor", "Whiskey", "X-ray", "Yankee", "Zulu",
)  # fmt: skip


def spelt_out(code: str) -> str:
    """A code letter by letter: `Q for Quebec, 7`."""
    letters = {word[0]: f"{word[0]} for {word}" for word in LETTERS}
    return ", ".join(letters.get(letter, letter) for letter in code.upper())


class Voiced(TellsBookings, Rewords):
    """Says offers, answers and bookings by templates, and the rest by patterns. All is right."""

    OFFERS: ClassVar[Mapping[str, str]] = {}
    """Domain -> template over the row."""
    ANSWERS: ClassVar[Mapping[str, str]] = {}
    """Slot -> template over `of` and `value`; `""` for all other slots."""
    BOOKED: ClassVar[Mapping[str, str]] = {}
    """Domain -> template over the booking."""
    TEMPLATES: ClassVar[Sequence[tuple[str, str]]] = ()
    """Patterns of the reference bot's other sentences, and what is said in their place."""

    def offer(self, state: DomainState, heard: Understood, rows: Sequence[Row]) -> list[str]:
        said = super().offer(state, heard, rows)
        row = state.row
        if row is None or said != [wording.offer(state.domain, row, self.count, self.state.turn)]:
            return said
        return [self.present(state, row, rows)]

    def present(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        """The offer."""
        if state.domain not in self.OFFERS:
            return wording.offer(state.domain, row, self.count, self.state.turn)
        return self.OFFERS[state.domain].format_map(self.shown(row))

    def shown(self, row: Row) -> dict[str, str]:
        """The values of a row or a booking, as they are said."""
        cased = ("departure", "destination", "day")
        shown = {
            slot: wording.title({"name": value}) if slot in cased else str(value)
            for slot, value in row.items()
        }
        has = [slot for slot in ("internet", "parking") if row.get(slot) == "yes"]
        lacks = [slot for slot in ("internet", "parking") if row.get(slot) == "no"]
        return {
            **shown,
            "name": wording.title(row),
            "has": " and ".join(has) or "no extras",
            "lacks": " or ".join(lacks) or "nothing",
        }

    def answer_request(self, state: DomainState, request: AskedValue) -> str:
        row = self.row_to_tell_from(state)
        value = self.value_to_tell(row, request.slot)
        template = self.ANSWERS.get(request.slot, self.ANSWERS.get("", ""))
        if not template or not value or request.slot in ("reference", "internet", "parking"):
            return super().answer_request(state, request)
        return template.format(of=wording.title(row), slot=wording.words(request.slot), value=value)

    def booking(self, state: DomainState, heard: Understood, *, just_offered: bool) -> list[str]:
        """Asked to book once more what stands booked, it says once more that it does."""
        said = super().booking(state, heard, just_offered=just_offered)
        if said or not heard.books or not state.booked:
            return said
        result = state.booked[-1]
        again = self.confirm(state, result, self.reference_to_tell(state, result))
        return [f"That's already done. {again}"]

    def after(self, heard: Understood, said: list[str]) -> list[str]:
        """Asked once more for what it has offered, it offers it once more."""
        state = self.state.domains.get(self.state.current or "")
        row = state.row if state is not None and not said else None
        if state is None or row is None or heard.yes or heard.no or heard.no_booking:
            return super().after(heard, said)
        return [self.present(state, row, [row]), *super().after(heard, ["."])]

    def confirm(self, state: DomainState, result: dict[str, Any], reference: str) -> str:
        if state.domain not in self.BOOKED:
            return super().confirm(state, result, reference)
        return self.BOOKED[state.domain].format_map(self.told(state, result, reference))

    def told(self, state: DomainState, result: dict[str, Any], reference: str) -> dict[str, str]:
        """The values of a booking, as they are said."""
        people, nights = str(result["people"]), str(result.get("stay", ""))
        return {
            **self.shown(state.row or {}),
            **self.shown(result),
            "party": f"{people} {'person' if people == '1' else 'people'}",
            "tickets": f"{people} {'ticket' if people == '1' else 'tickets'}",
            "nights": f"{nights} {'night' if nights == '1' else 'nights'}",
            "ref": reference,
        }

    def confirm_taxi(self, result: dict[str, Any]) -> str:
        if "taxi" not in self.BOOKED:
            return super().confirm_taxi(result)
        when = f"leaving at {result['leaveAt']}" if "leaveAt" in result else ""
        when = when or f"arriving by {result['arriveBy']}"
        return self.BOOKED["taxi"].format_map(
            {**self.shown(result), "when": when, "phone": self.phone_to_call(result)}
        )

    def reword(self, text: str) -> str:
        return reworded(text, self.TEMPLATES)
