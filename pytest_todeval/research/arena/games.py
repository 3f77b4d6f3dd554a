"""Games: two bots played the same goal, and a judge said once whose dialogue is better."""

from collections import Counter, defaultdict
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
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for said, times in games.items():
        found[said.winner]["ties" if said.tie else "wins"] += times
        found[said.loser]["ties" if said.tie else "losses"] += times
    return {
        bot: Outings(each["wins"], each["losses"], each["ties"])
        for bot, each in sorted(found.items())
    }
