"""Games as clembench counts them: played, aborted, won, lost, and the clemscore.

A game that a violation of its rules ended is aborted, every other is played. The quality of those
played is the mean of their main scores, 0 to 100. After clembench (Chalamalasetti et al. 2023) and
its public code, clemcore 3.7 (`clemeval.py`, `metrics.py`), with its roundings; that code is where
clem:todd's game master comes from (section 3.1).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

WON = 100.0
"""Main scores."""


@dataclass(frozen=True, slots=True)
class GamePlayed:
    """How one game went."""

    aborted: bool
    won: bool
    """Of a game that is aborted this means nothing."""


@dataclass(frozen=True, slots=True)
class GameScores:
    """Some games of one kind: of one goal set."""

    played: int
    aborted: int
    won: int
    lost: int
    percent_played: float
    """0 to 100, two decimals."""
    quality: float | None
    """Mean main score of those played, 0 to 100, two decimals; None if none was."""


@dataclass(frozen=True, slots=True)
class ClemScore:
    """All kinds of games together, each counting alike."""

    percent_played: float
    quality: float | None
    score: float | None
    """0 to 100: the share played, of the quality; None if no game was played."""


def game_scores(games: Sequence[GamePlayed]) -> GameScores:
    """What games of one kind come to. There must be one."""
    played = [game for game in games if not game.aborted]
    won = sum(game.won for game in played)
    quality = won * WON / len(played) if played else None
    return GameScores(
        played=len(played),
        aborted=len(games) - len(played),
        won=won,
        lost=len(played) - won,
        percent_played=_rounded(len(played) / len(games) * 100),
        quality=None if quality is None else _rounded(quality),
    )


def clem_score(kinds: Mapping[str, GameScores]) -> ClemScore:
    """What several kinds come to: means over kinds, of which one without a quality is left out.

    There must be one.
    """
    scores = kinds.values()
    played = _rounded(math.fsum(each.percent_played for each in scores) / len(kinds))
    known = [each.quality for each in scores if each.quality is not None]
    if not known:
        return ClemScore(played, None, None)
    quality = _rounded(math.fsum(known) / len(known))
    return ClemScore(played, quality, _rounded(played / 100 * quality))


def _rounded(value: float) -> float:
    """To two decimals as numpy rounds, whose rounding clembench takes: 22.915 is 22.92."""
    return round(value * 100) / 100
