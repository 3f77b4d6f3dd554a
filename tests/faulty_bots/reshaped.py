"""Reference bots with a seam where a mutant or a variant speaks otherwise than it acts."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from pytest_todeval.backends.protocol import Row
from pytest_todeval.core.dialogue import Dialogue, Reply
from pytest_todeval.simulation.systems.rules import wording
from pytest_todeval.simulation.systems.rules.state import DomainState
from pytest_todeval.simulation.systems.rules.understanding import Understood
from pytest_todeval.systems import DeskBot, RuleSystem

__all__ = [
    "DAYS",
    "DAY_AFTER",
    "OffersOtherwise",
    "Rewords",
    "RewordsDesk",
    "Slower",
    "SpeaksBy",
    "TellsOtherwise",
    "later",
    "neighbour",
    "reworded",
]

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
DAY_AFTER = dict(zip(DAYS, (*DAYS[1:], DAYS[0]), strict=True))


def later(clock: str, minutes: int) -> str:
    """A time of day so many minutes later (or, if negative, earlier)."""
    hour, minute = map(int, clock.split(":"))
    hours, rest = divmod((hour * 60 + minute + minutes) % (24 * 60), 60)
    return f"{hours:02}:{rest:02}"


class Rewords(RuleSystem):
    """Says each reply in other words."""

    user = ""
    """What the user has just said."""

    def respond(self, text: str) -> Reply:
        self.user = text
        reply = super().respond(text)
        return Reply(self.reword(reply.text), state=reply.state, done=reply.done)

    def reword(self, text: str) -> str:
        """The reply as it is said."""
        return text

    @property
    def booked_now(self) -> list[dict[str, Any]]:
        """All that stands booked, by domain and then in order."""
        return [result for state in self.state.domains.values() for result in state.booked]


class SpeaksBy(Rewords):
    """Says each reply by templates of its own, and says so if it is the same once more."""

    templates: ClassVar[Sequence[tuple[str, str]]] = ()
    again: ClassVar[str]
    last = ""

    def reword(self, text: str) -> str:
        said = reworded(text, self.templates)
        repeated, self.last = said == self.last, said
        return f"{self.again} {said}" if repeated else said


class RewordsDesk(DeskBot):
    """The desk's bot, which says each reply in other words."""

    def respond(self, text: str) -> Reply:
        reply = super().respond(text)
        return Reply(self.reword(reply.text), done=reply.done)

    def reword(self, text: str) -> str:
        """The reply as it is said."""
        return text


class TellsOtherwise(RuleSystem):
    """Tells a booking that it has made, in words chosen by `told`, `reference` and `taxi_told`."""

    def try_to_book(self, state: DomainState) -> list[str]:
        before = len(state.booked)
        said = super().try_to_book(state)
        if len(state.booked) == before:
            return said
        result = state.booked[-1]
        reference = self.reference_to_tell(state, result)
        told = self.told(state.domain, result)
        return [wording.booked(state.domain, told, reference, self.state.turn)]

    def order_taxi(self, state: DomainState) -> list[str]:
        before = len(state.booked)
        said = super().order_taxi(state)
        if len(state.booked) == before:
            return said
        result = state.booked[-1]
        return [wording.taxi_booked(self.told("taxi", result), self.phone_to_call(result))]

    def told(self, domain: str, result: dict[str, Any]) -> dict[str, Any]:
        """The booking as it is told."""
        return result


class OffersOtherwise(RuleSystem):
    """Describes what it offers as `described` says; it knows, and books, what there is."""

    def offer(self, state: DomainState, heard: Understood, rows: Any) -> list[str]:
        said = super().offer(state, heard, rows)
        row = state.row
        if row is None or said != [wording.offer(state.domain, row, self.count, self.state.turn)]:
            return said
        told = self.described(state.domain, row)
        return [wording.offer(state.domain, told, self.count, self.state.turn)]

    def described(self, domain: str, row: Row) -> Row:
        """The row as it is told."""
        return row


def neighbour(bot: RuleSystem, domain: str, row: Row, slot: str) -> str:
    """Another row's value of a slot, which differs from this row's; this row's if none does."""
    rows = bot.backend.database.rows(domain)
    others = (str(r[slot]) for r in rows if r.get(slot) not in (None, "", "?", row.get(slot)))
    return next(others, str(row.get(slot)))


def reworded(text: str, templates: Sequence[tuple[str, str]]) -> str:
    """The text with each template said otherwise; a group that took no part is empty."""
    for pattern, said in templates:
        text = re.sub(pattern, said, text)
    return text


@dataclass(frozen=True)
class Slower:
    """Writes into a transcript that turns took longer. Nobody waits for it."""

    seconds: float
    turn: int | None = None
    """The one turn, from 1, or -1 for the last; None for every turn."""
    grows: bool = False
    """Whether it grows with the square of the turn."""

    def __call__(self, dialogue: Dialogue) -> Dialogue:
        only = len(dialogue.turns) if self.turn == -1 else self.turn
        turns = tuple(
            replace(turn, latency=turn.latency + self.seconds * (at * at if self.grows else 1))
            if only in (None, at)
            else turn
            for at, turn in enumerate(dialogue.turns, 1)
        )
        return replace(dialogue, turns=turns)
