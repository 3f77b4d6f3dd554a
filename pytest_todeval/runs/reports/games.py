"""Dialogues that were held to a protocol, as games; and what broke protocols, by side and kind.

Games are counted as clembench counts them. One that a violation of its rules ended is aborted,
every other is played. The quality of those played is the mean of their main scores, 0 to 100. After
clembench (Chalamalasetti et al. 2023) and its public code, clemcore 3.7 (`clemeval.py`,
`metrics.py`), with its roundings; that code is where clem:todd's game master comes from (section
3.1).
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.runs.reports.schema import DialogueEntry, says_of_bot
from pytest_todeval.runs.reports.summary_schema import GameSetSummary, GamesSummary
from pytest_todeval.runs.reports.table import number

ABORTED = (StopReason.SYSTEM_VIOLATION, StopReason.USER_VIOLATION)
MAIN = ("booking", "reward", "success")
"""The main score of a game is the first of these verdicts that applies; clem:todd takes booking
(section 4). Without any it is whether the test passed."""


class GamePlayed(NamedTuple):
    """How one game went."""

    aborted: bool
    won: bool
    """Of a game that is aborted this means nothing."""


def games_summary(entries: Sequence[DialogueEntry]) -> GamesSummary | None:
    """Returns the games among some dialogues: those held to a protocol; None without any.

    Faults are no games, but for a user's violation: that aborts a game in clembench, too.
    """
    games: dict[str, list[GamePlayed]] = {}
    for entry in entries:
        if entry.get("protocol") and (says_of_bot(entry) or entry["stop_reason"] in ABORTED):
            kind = entry["goal"].rpartition("/")[0]
            played = GamePlayed(entry["stop_reason"] in ABORTED, _won(entry))
            games.setdefault(kind, []).append(played)
    if not games:
        return None
    return clem_score({kind: game_scores(found) for kind, found in sorted(games.items())})


def game_scores(games: Sequence[GamePlayed]) -> GameSetSummary:
    """Returns what games of one kind come to. There must be one."""
    played = [game for game in games if not game.aborted]
    won = sum(game.won for game in played)
    return {
        "played": len(played),
        "aborted": len(games) - len(played),
        "won": won,
        "lost": len(played) - won,
        "percent_played": _rounded(len(played) / len(games) * 100),
        "quality": _rounded(won * 100 / len(played)) if played else None,
    }


def clem_score(kinds: dict[str, GameSetSummary]) -> GamesSummary:
    """What several kinds come to: means over kinds, of which one without a quality is left out.

    There must be one.
    """
    played = _rounded(math.fsum(each["percent_played"] for each in kinds.values()) / len(kinds))
    known = [each["quality"] for each in kinds.values() if each["quality"] is not None]
    quality = _rounded(math.fsum(known) / len(known)) if known else None
    return {
        "goal_sets": kinds,
        "percent_played": played,
        "quality": quality,
        "clemscore": None if quality is None else _rounded(played / 100 * quality),
    }


def _rounded(value: float) -> float:
    """To two decimals as numpy rounds, whose rounding clembench takes: 22.915 is 22.92."""
    return round(value * 100) / 100


def violation_counts(entries: Sequence[DialogueEntry]) -> dict[str, dict[str, int]]:
    """Returns what broke the protocol in some dialogues: by side, how often in which way."""
    found: dict[str, Counter[str]] = {}
    for entry in entries:
        for each in entry.get("violations", ()):
            side, kind = str(each.get("side", "")), str(each.get("kind", ""))
            found.setdefault(side, Counter())[kind] += 1
    return {side: dict(sorted(kinds.items())) for side, kinds in sorted(found.items())}


def game_lines(
    games: GamesSummary | None, violations: Mapping[str, Mapping[str, int]]
) -> Iterator[Sequence[str]]:
    """Returns a table of games, a row per goal set, and a row per kind of violation."""
    yield ["games", "played", "aborted", "won", "lost", "% played", "quality", "clemscore"]
    if games is not None:
        for kind, each in games["goal_sets"].items():
            counts = (each["played"], each["aborted"], each["won"], each["lost"])
            rates = (each["percent_played"], each["quality"])
            yield [kind, *map(str, counts), *map(number, rates), ""]
        rates = (games["percent_played"], games["quality"])
        score = number(games["clemscore"])
        yield ["all (as clembench)", "", "", "", "", *map(number, rates), score]
    for side, kinds in violations.items():
        for name, count in kinds.items():
            yield [f"  violation, {side}: {name}", str(count), "", "", "", "", "", ""]


def _won(entry: DialogueEntry) -> bool:
    told = (entry["metrics"].get(name) for name in MAIN)
    main = next((value for value in told if value is not None), None)
    return entry["outcome"] == Outcome.PASSED if main is None else main == 1
