"""Faults of bots over goal files with domains of one's own."""

from tests.faulty_bots.reshaped import DAY_AFTER, Slower
from tests.faulty_bots.seeded import Catalogue
from tests.hearing.own_domains import OwnBot, Slots, Talk

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue("own_domains")
fault = CATALOGUE.fault


@fault("state", "action")
class BooksTheNextDay(OwnBot):
    """Books the day after the one that was said, and tells the one that was said."""

    def slots_of(self, talk: Talk) -> Slots:
        slots = super().slots_of(talk)
        return {s: DAY_AFTER.get(v, v) if "day" in s else v for s, v in slots.items()}


@fault("words", "response")
class ReadsBackAnotherDay(OwnBot):
    """Books the right day, and tells the next one."""

    def details(self, talk: Talk) -> str:
        told = super().details(talk)
        for day, after in DAY_AFTER.items():
            if day.title() in told:
                return told.replace(day.title(), after.title())
        return told


@fault("values", "response")
class TellsAnotherItemsValues(OwnBot):
    """Answers from the next item of the catalogue."""

    def answers(self, talk: Talk) -> list[str]:
        item, items = talk.item, list(talk.domain.items)
        assert item is not None
        at = items.index(item) if item in items else 0
        talk.item = items[(at + 1) % len(items)]
        said = super().answers(talk)
        talk.item = item
        return said


@fault("denials", "action")
class RefusesUntried(OwnBot):
    """Says of the first booking that nothing is free, without a try."""

    denied = False

    def book(self, talk: Talk, slots: Slots) -> list[str]:
        if self.denied:
            return super().book(talk, slots)
        self.denied, talk.wants_booking = True, True
        return self.asking("I am sorry, everything is fully booked then. Another time?")


@fault("latency", "action", stamp=Slower(15.0, turn=1))
class StartsSlowly(OwnBot):
    """Takes 15 seconds for its first answer."""
