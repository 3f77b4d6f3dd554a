"""Held out: right bots kept from those who write rules. Only totals of it are told."""

from collections.abc import Sequence
from typing import Any, ClassVar

from pytest_todeval.backends.protocol import Row
from pytest_todeval.simulation.systems.rules import wording
from pytest_todeval.simulation.systems.rules.state import DomainState
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.voiced import (
    ASK_TO_BOOK,
    CLOSING,
    GOODBYE,
    NONE,
    REFUSED,
    SEVERAL,
    Voiced,
    spelt_out,
)

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue("demo", apart=True, wave=5)
variant = CATALOGUE.variant


@variant
class IsAnOverPoliteHouse(Voiced):
    """Speaks as the staff of a grand house do: long, humble, conditional."""

    OFFERS: ClassVar = {
        "restaurant": "If it were not too bold, might we be permitted to draw your kind attention "
        "to {name}, a {pricerange} establishment in the {area} of town, where {food} dishes are "
        "served?",
        "hotel": "If it were not too bold, might we be permitted to draw your kind attention to "
        "{name}, a {pricerange} {type} of {stars} stars in the {area} of town?",
        "attraction": "If it were not too bold, might we be permitted to draw your kind attention "
        "to {name}, a {type} in the {area} of town?",
        "train": "If we may be so free: there would be the {trainID}, which on {day} leaves "
        "{departure} at {leaveAt} and would see you in {destination} at {arriveBy}.",
    }
    ANSWERS: ClassVar = {
        "": "It is our honour to inform you that the {slot} of {of} would be {value}.",
    }
    BOOKED: ClassVar = {
        "restaurant": "It is with the greatest pleasure that we confirm your table for {party} at "
        "{name}, on {day} at {time}. May we kindly ask you to quote {ref}?",
        "hotel": "It is with the greatest pleasure that we confirm your room at {name}, for "
        "{party} and {nights}, as from {day}. May we kindly ask you to quote {ref}?",
        "train": "It is with the greatest pleasure that we confirm your {tickets} for the "
        "{trainID} on {day}. May we kindly ask you to quote {ref}?",
        "taxi": "It is with the greatest pleasure that we confirm your car, a {type}, from "
        "{departure} to {destination}, {when}. The chauffeur may be reached on {phone}.",
    }
    TEMPLATES = (
        (ASK_TO_BOOK, "Would it be agreeable to you if we took the liberty of reserving it?"),
        (CLOSING, "Might there be any other wish that we could have the privilege of fulfilling?"),
        (GOODBYE, "The pleasure was entirely ours. We wish you a most agreeable day."),
        (NONE, r"It pains us to say that there is no \1. Might we be so free as to propose another "
         r"\2?"),
        (REFUSED, r"We beg your pardon most sincerely, but our request was declined: \1. Could "
         r"another \2 be acceptable to you?"),
    )  # fmt: skip


@variant
class ReadsBackAndSpellsOut(Voiced):
    """A call centre by the book: repeats what it has understood, spells codes and numbers."""

    ANSWERS: ClassVar = {
        "phone": "Have you got a pen? The number for {of} is {value}.",
        "postcode": "Right, the postcode there is {value}.",
        "address": "The address I have on my screen is {value}.",
    }
    TEMPLATES = (
        (ASK_TO_BOOK, "Would you like me to go ahead and get that reserved for you today?"),
        (CLOSING, "And is there anything else at all I can help you with on this call?"),
        (REFUSED, r"I do apologise, the system won't let me do that one: \1. Could you do another "
         r"\2?"),
    )  # fmt: skip

    def confirm(self, state: DomainState, result: dict[str, Any], reference: str) -> str:
        told = self.told(state, result, reference)
        what = f"{told['name']} on {told['day']}"
        at = f" at {told['time']}" if state.domain == "restaurant" else ""
        stay = f" for {told['nights']}" if state.domain == "hotel" else ""
        return (
            f"That has gone through for you. So that's {what}{at}{stay} for {told['party']}. Your "
            f"reference is {reference}; that's {spelt_out(reference)}."
        )


@variant
class ApologisesForEverything(Voiced):
    """Is sorry at each turn, even if all is well."""

    OFFERS: ClassVar = {
        "restaurant": "Sorry to keep you waiting! There's {name}: {food} food, {pricerange}, in "
        "the {area}. I'm sorry if that isn't quite your taste.",
        "hotel": "Sorry to keep you waiting! There's {name}: a {type} with {stars} stars, "
        "{pricerange}, in the {area}. I'm sorry if that isn't quite your style.",
        "attraction": "Sorry to keep you waiting! There's {name}: a {type}, in the {area}.",
        "train": "Sorry to keep you waiting! There's the {trainID} on {day}, {departure} "
        "{leaveAt}, {destination} {arriveBy}. I'm sorry if that's a bit tight.",
    }
    ANSWERS: ClassVar = {
        "": "Oh, I should have said, my apologies! The {slot} of {of} is {value}.",
    }
    BOOKED: ClassVar = {
        "restaurant": "Sorry, that took a moment, but it's all booked now: {name}, {day}, {time}, "
        "{party}. Sorry for the long code, it's {ref}.",
        "hotel": "Sorry, that took a moment, but it's all booked now: {name}, from {day}, "
        "{nights}, {party}. Sorry for the long code, it's {ref}.",
        "train": "Sorry, that took a moment, but it's all booked now: {trainID}, {day}, {tickets}. "
        "Sorry for the long code, it's {ref}.",
        "taxi": "Sorry, that took a moment, but your taxi's booked now: {departure} to "
        "{destination}, {when}, a {type}. Sorry, one more number: {phone} is the driver's.",
    }
    TEMPLATES = (
        (ASK_TO_BOOK, "Sorry to ask, but shall I book that?"),
        (CLOSING, "Sorry if I've missed anything. Is there more I can do?"),
        (SEVERAL, r"I'm afraid that's still \1 \2, sorry."),
    )


@variant
class QuotesTheUser(Voiced):
    """Repeats what the user has said before each reply."""

    TEMPLATES = ((CLOSING, "What else would you like?"), (ASK_TO_BOOK, "Book this one?"))

    def reword(self, text: str) -> str:
        heard = self.user.strip().rstrip(".?!")
        return f'You said: "{heard}". {super().reword(text)}'


@variant
class OffersTwoByNumber(Voiced):
    """Names two venues that fit, by number, and goes on with the first unless told otherwise."""

    def present(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        others = [other for other in rows if wording.title(other) != wording.title(row)]
        if state.domain == "train" or not others:
            return super().present(state, row, rows)
        two = f"1) {self.line(row)}\n2) {self.line(others[0])}"
        return f"Here are two options:\n{two}\nI'd go with number 1, {wording.title(row)}."

    def line(self, row: Row) -> str:
        """One option."""
        kind = row.get("food") or row.get("type")
        price = "" if "entrance fee" in row else row["pricerange"]
        facts = ", ".join(str(fact) for fact in (kind, row["area"], price) if fact)
        return f"{wording.title(row)} ({facts})"
