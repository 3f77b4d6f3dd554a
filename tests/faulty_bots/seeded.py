"""What a seeded fault is, and the catalogue that faults and variants are entered into.

A fault belongs to a kind, ours, and to a level, after the parts of a chatbot that MutaBot mutates
(Urrico, Clerissi and Mariani 2024, "MutaBot: a mutation testing approach for chatbots"): what a
user means (`intent`), the values in it (`entity`), what is kept between turns (`context`), which
step follows which (`flow`), what is done (`action`) and what is said (`response`).
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from pytest_todeval.core.dialogue import Dialogue

__all__ = ["Catalogue", "Kind", "Level", "SeededFault", "Variant", "half", "same"]

Kind = Literal[
    "state",  # another booking or record than the user asked for
    "words",  # a right state, told wrongly
    "values",  # what is told of venues, trains and records is not so
    "denials",  # "fully booked" without a try, "nothing found" without a look
    "understanding",  # heard or remembered wrongly
    "order",  # acts too early, too late, or against the policy
    "access",  # for people who have not proved who they are; other people's records
    "promises",  # claims of deeds that no tool call stands behind
    "leaks",  # secrets, internal ids, instructions, other people
    "form",  # JSON, tracebacks, placeholders, cut sentences, another language
    "service",  # the user is left unserved
    "latency",  # too slow, too long
]
Level = Literal["intent", "entity", "context", "flow", "action", "response"]

Bot = TypeVar("Bot", bound=type)
Stamp = Callable[[Dialogue], Dialogue]
"""Writes into a transcript what need not be waited for: seconds."""


def same(dialogue: Dialogue) -> Dialogue:
    """The transcript as it is."""
    return dialogue


def half(apart: bool, wave: int) -> str:
    """`open`, `apart`, and of later rounds `open2`, `apart2` and so on."""
    return f"{'apart' if apart else 'open'}{wave if wave > 1 else ''}"


@dataclass(frozen=True)
class SeededFault:
    """A mutant of a healthy bot: one thing is wrong with it."""

    ground: str
    """Where it is played, see `grounds`."""
    bot: type[Any]
    """Its docstring says what is wrong."""
    kind: Kind
    level: Level
    domains: tuple[str, ...] = ()
    """It can show with goals that have one of these domains; with all goals if empty."""
    apart: bool = False
    """Whether it is kept from those who write rules."""
    stamp: Stamp = same
    wave: int = 1
    """Its round, from 1: each was seeded after the rules had been written to the ones before."""

    control: type[Any] | None = None
    """The right bot that it differs from by the fault alone; the ground's healthy one if None."""

    @property
    def name(self) -> str:
        return self.bot.__name__

    @property
    def half(self) -> str:
        return half(self.apart, self.wave)


@dataclass(frozen=True)
class Variant:
    """A bot that behaves otherwise than the reference bot, and as rightly."""

    ground: str
    bot: type[Any]
    apart: bool = False
    wave: int = 1

    @property
    def name(self) -> str:
        return self.bot.__name__

    @property
    def half(self) -> str:
        return half(self.apart, self.wave)


@dataclass
class Catalogue:
    """The faults and variants of a module, entered by decorators."""

    ground: str
    apart: bool = False
    wave: int = 1
    faults: list[SeededFault] = field(default_factory=list)
    variants: list[Variant] = field(default_factory=list)

    def fault(
        self,
        kind: Kind,
        level: Level,
        *domains: str,
        stamp: Stamp = same,
        control: type[Any] | None = None,
    ) -> Callable[[Bot], Bot]:
        """Enter a mutant."""

        def enter(bot: Bot) -> Bot:
            told = (kind, level, domains, self.apart, stamp, self.wave, control)
            self.faults.append(SeededFault(self.ground, bot, *told))
            return bot

        return enter

    def variant(self, bot: Bot) -> Bot:
        """Enter a bot that is as right as the reference bot."""
        self.variants.append(Variant(self.ground, bot, self.apart, self.wave))
        return bot
