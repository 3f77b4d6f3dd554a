"""Games: two bots played the same goal, and a judge said once whose dialogue is better."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Said:
    """What was said of a game."""

    winner: str
    loser: str
    tie: bool = False
    """Whether the two are level; which of them is named first tells nothing then."""


Games = Mapping[Said, int]
"""How often each was said. What could not be read is no game."""


@dataclass(frozen=True, slots=True)
class Outings:
    """What the games of one bot came to."""

    wins: int
    losses: int
    ties: int


def records(games: Games) -> dict[str, Outings]:
    """By bot, those that played."""
    wins: Counter[str] = Counter()
    losses: Counter[str] = Counter()
    ties: Counter[str] = Counter()
    for said, times in games.items():
        if said.tie:
            ties[said.winner] += times
            ties[said.loser] += times
        else:
            wins[said.winner] += times
            losses[said.loser] += times
    bots = sorted({*wins, *losses, *ties})
    return {bot: Outings(wins[bot], losses[bot], ties[bot]) for bot in bots}
