"""Dialogues that were held to a protocol, as games; and what broke protocols, by side and kind."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.reports.schema import DialogueEntry, says_of_bot
from pytest_todeval.reports.summary_schema import GamesSummary
from pytest_todeval.statistics.clemscore import GamePlayed, clem_score, game_scores

ABORTED = (StopReason.SYSTEM_VIOLATION, StopReason.USER_VIOLATION)
MAIN = ("booking", "reward", "success")
"""The main score of a game is the first of these verdicts that applies; clem:todd takes booking
(section 4). Without any it is whether the test passed."""


def games_summary(entries: Sequence[DialogueEntry]) -> GamesSummary | None:
    """The games among some dialogues: those held to a protocol; None without any.

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
    kinds = {kind: game_scores(found) for kind, found in sorted(games.items())}
    together = clem_score(kinds)
    return {
        "goal_sets": {
            kind: {
                "played": each.played,
                "aborted": each.aborted,
                "won": each.won,
                "lost": each.lost,
                "percent_played": each.percent_played,
                "quality": each.quality,
            }
            for kind, each in kinds.items()
        },
        "percent_played": together.percent_played,
        "quality": together.quality,
        "clemscore": together.score,
    }


def violation_counts(entries: Sequence[DialogueEntry]) -> dict[str, dict[str, int]]:
    """What broke the protocol in some dialogues: by side, how often in which way."""
    found: dict[str, Counter[str]] = {}
    for entry in entries:
        for each in entry.get("violations", ()):
            side, kind = str(each.get("side", "")), str(each.get("kind", ""))
            found.setdefault(side, Counter())[kind] += 1
    return {side: dict(sorted(kinds.items())) for side, kinds in sorted(found.items())}


def game_lines(
    games: GamesSummary | None, violations: Mapping[str, Mapping[str, int]]
) -> Iterator[Sequence[str]]:
    """A table of games, a row per goal set, and a row per kind of violation."""
    yield ["games", "played", "aborted", "won", "lost", "% played", "quality", "clemscore"]
    if games is not None:
        for kind, each in games["goal_sets"].items():
            counts = (each["played"], each["aborted"], each["won"], each["lost"])
            rates = (each["percent_played"], each["quality"])
            yield [kind, *map(str, counts), *map(_rate, rates), ""]
        rates = (games["percent_played"], games["quality"])
        score = _rate(games["clemscore"])
        yield ["all (as clembench)", "", "", "", "", *map(_rate, rates), score]
    for side, kinds in violations.items():
        for name, count in kinds.items():
            yield [f"  violation, {side}: {name}", str(count), "", "", "", "", "", ""]


def _won(entry: DialogueEntry) -> bool:
    told = (entry["metrics"].get(name) for name in MAIN)
    main = next((value for value in told if value is not None), None)
    return entry["outcome"] == Outcome.PASSED if main is None else main == 1


def _rate(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
