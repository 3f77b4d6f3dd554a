"""Right bots that speak as language models do, with seams for a value told otherwise."""

import re
from collections.abc import Sequence
from typing import Any, ClassVar

from pytest_todeval.backends.protocol import Row
from pytest_todeval.simulation.systems.rules import wording
from pytest_todeval.simulation.systems.rules.requests import AskedValue
from pytest_todeval.simulation.systems.rules.state import DomainState
from pytest_todeval.simulation.systems.rules.understanding import Understood
from tests.faulty_bots.reshaped import RewordsDesk, reworded
from tests.faulty_bots.shop import ShopBot
from tests.faulty_bots.spoken import TellsBookings

__all__ = ["DeskProse", "ModelProse", "ShopProse", "amount_in", "twelve_hours"]

LABELS = (
    ("food", "Cuisine"), ("type", "Type"), ("stars", "Stars"), ("area", "Area"),
    ("pricerange", "Price range"), ("internet", "Wi-Fi"), ("parking", "Parking"),
)  # fmt: skip
LEADS = ("Great choice!", "Absolutely, happy to help!", "Sure thing!")


def twelve_hours(clock: str) -> str:
    """A time of day as 6:45 PM."""
    hour, minute = map(int, clock.split(":"))
    return f"{(hour - 1) % 12 + 1}:{minute:02} {'AM' if hour < 12 else 'PM'}"


def amount_in(text: str) -> float:
    """The first number of `9.80 pounds`; 0 if there is none."""
    found = re.search(r"\d+(?:\.\d+)?", text)
    return float(found[0]) if found else 0.0


class ModelProse(TellsBookings):
    """Speaks as a model does: a lead, bold names, bullets. What it says is right."""

    def offer(self, state: DomainState, heard: Understood, rows: Sequence[Row]) -> list[str]:
        said = super().offer(state, heard, rows)
        row = state.row
        if row is None or said != [wording.offer(state.domain, row, self.count, self.state.turn)]:
            return said
        return [self.present(state.domain, self.shown(state, row, rows))]

    def shown(self, state: DomainState, row: Row, rows: Sequence[Row]) -> Row:
        """The row as it is told with an offer."""
        return row

    def present(self, domain: str, row: Row) -> str:
        """The offer, in the prose of a model."""
        lead = LEADS[self.state.turn % len(LEADS)]
        if domain == "train":
            lines = [
                f"- **Train:** {row['trainID']}",
                f"- **Departs:** {str(row['departure']).title()}, {row['leaveAt']}, "
                f"{str(row['day']).title()}",
                f"- **Arrives:** {str(row['destination']).title()}, {row['arriveBy']}",
            ]
            return "\n".join([f"{lead} Here's a train that works for you:", "", *lines, ""])
        lines = [
            f"- **{label}:** {row[slot]}"
            for slot, label in LABELS
            if row.get(slot) not in (None, "", "?") and (domain, slot) != ("restaurant", "type")
        ]
        return "\n".join([f"{lead} I'd go for **{wording.title(row)}**:", "", *lines, ""])

    def answer_request(self, state: DomainState, request: AskedValue) -> str:
        row = self.row_to_tell_from(state)
        value = self.value_to_tell(row, request.slot)
        if request.slot == "reference" or not value:
            return super().answer_request(state, request)
        told = self.answered(state, request.slot, value)
        what = f"{wording.words(request.slot)} of {wording.title(row)}"
        return f"Sure! Here's the {what}: **{told}**."

    def answered(self, state: DomainState, slot: str, value: str) -> str:
        """The value as it is told in answer to a question."""
        return value

    def confirm(self, state: DomainState, result: dict[str, Any], reference: str) -> str:
        told = self.confirmed(state, result)
        when = str(told["day"]).title()
        if state.domain == "restaurant":
            when = f"{when}, {self.clock(str(told['time']))}"
        count = int(told["people"])
        lines = [
            f"- **What:** {wording.title(told)}",
            f"- **When:** {when}",
            *([f"- **Nights:** {told['stay']}"] if state.domain == "hotel" else []),
            f"- **Party:** {count} {'person' if count == 1 else 'people'}",
            f"- **Reference:** {reference}",
        ]
        return "\n".join(["You're all set! 🎉 Here's your confirmation:", "", *lines, ""])

    def confirmed(self, state: DomainState, result: dict[str, Any]) -> dict[str, Any]:
        """The booking as it is told."""
        return result

    def clock(self, time: str) -> str:
        """A time of day as it is told."""
        return twelve_hours(time)


class DeskProse(RewordsDesk):
    """The desk in the prose of a model. What it says is right."""

    TEMPLATES: ClassVar[Sequence[tuple[str, str]]] = (
        (r"^Thank you, (\w+)\.", r"Hi \1, thanks, I've got you."),
        (r"I will (.+?)\. Shall I go ahead\?",
         r"Here's what I'd do next: **\1**. Are you happy for me to proceed?"),
        (r"Your temporary password is (\w+)\. Please change it at your next login\.",
         r"All done! Your temporary password is `\1`. You'll be asked to change it next time."),
        (r"I am sorry, ", "I'm really sorry, but "),
        (r"You are welcome\. Goodbye\.", "My pleasure. Have a great rest of your day!"),
    )  # fmt: skip

    def reword(self, text: str) -> str:
        return reworded(text, self.TEMPLATES)


class ShopProse(ShopBot):
    """The shop in the prose of a model. What it says is right."""

    TEMPLATES: ClassVar[Sequence[tuple[str, str]]] = (
        (r"Please give me your e-mail address and your postcode\.",
         "Happy to help! First I need to verify you:\n- your **e-mail address**\n- your "
         "**postcode**"),
        (r"I will (.+?)\. Shall I go ahead\?",
         r"Got it. I'm going to **\1**. Just reply *yes* and I'll do it."),
        (r"Order (#W\d+) is cancelled\. The ([\d.]+) dollars go back to your ([\w ]+)\.",
         r"Done! ✅ **\1** is cancelled and **$\2** is going back to your \3."),
        (r"I am sorry, ", "Unfortunately, "),
        (r"You are welcome\. Goodbye\.", "You're very welcome, take care!"),
    )  # fmt: skip

    def reword(self, text: str) -> str:
        return reworded(text, self.TEMPLATES)
