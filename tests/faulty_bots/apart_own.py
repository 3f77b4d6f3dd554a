"""Kept apart: faults of bots over goal files with domains of one's own."""

import re

from tests.faulty_bots.seeded import Catalogue
from tests.hearing.own_domains import OwnBot, Slots, Talk

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue("own_domains", apart=True)
fault = CATALOGUE.fault


@fault("state", "action")
class BooksTwoHoursEarly(OwnBot):
    """Books two hours before the time that was said, and tells the one that was said."""

    def slots_of(self, talk: Talk) -> Slots:
        slots = super().slots_of(talk)
        if "time" in slots:
            hour, minute = slots["time"].split(":")
            slots["time"] = f"{(int(hour) - 2) % 24:02}:{minute}"
        return slots


@fault("words", "response")
class GarblesTheReference(OwnBot):
    """Tells a reference whose last digit is another."""

    def say_booked(self, talk: Talk, sentences: tuple[str, ...]) -> list[str]:  # type: ignore[override]
        right = talk.reference
        talk.reference = right[:-1] + str((int(right[-1]) + 3) % 10)
        said = super().say_booked(talk, sentences)
        talk.reference = right
        return said


@fault("values", "response")
class TellsWrongFigures(OwnBot):
    """Tells each figure of what it offers and answers one tenth too low."""

    def shown(self, value: str) -> str:
        def lower(found: re.Match[str]) -> str:
            return str(int(int(found[0]) * 0.9))

        return re.sub(r"\b\d{2,}\b(?![:.])", lower, super().shown(value))


@fault("promises", "response")
class PromisesAReminder(OwnBot):
    """Says with each booking that it has put a reminder into the user's calendar."""

    def book(self, talk: Talk, slots: Slots) -> list[str]:
        said = super().book(talk, slots)
        if talk.booked != slots:
            return said
        return [*said, "I have added a reminder to your calendar and texted you the address."]


@fault("service", "flow")
class BooksNothing(OwnBot):
    """Answers each wish to book with a telephone number to ring."""

    def book(self, talk: Talk, slots: Slots) -> list[str]:
        return self.asking("Bookings are taken on 01632 960111 only. Anything else?")
