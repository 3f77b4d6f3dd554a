"""The standings of an arena, for a terminal and as a page."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pytest_todeval.research.arena.standings import RankedBot, Standings
from pytest_todeval.runs.reports.table import NONE, aligned

HEAD = ("", "rating", "95 %", "place", "won", "lost", "tied", "Elo", "Elo by order")


def standing_lines(found: Standings, by: str, notes: Sequence[str] = ()) -> Iterator[str]:
    """Returns the table as text: the best bot first."""
    yield _title(found, by)
    yield from aligned([HEAD, *map(_row, found.bots)])
    yield from (f"note: {note}" for note in (*_apart(found), *notes))


def standings_data(found: Standings, by: str, notes: Sequence[str] = ()) -> Mapping[str, Any]:
    """Returns what the page of the standings shows, by the fields of `frontend/src/arena.tsx`."""
    return {
        "title": _title(found, by),
        "table": [HEAD, *map(_row, found.bots)],
        "notes": [*_apart(found), *notes],
        "bots": [
            {
                "bot": each.bot,
                "rating": each.rating,
                "interval": each.interval and [each.interval.low, each.interval.high],
            }
            for each in found.bots
        ],
    }


def _apart(found: Standings) -> Iterator[str]:
    if len(found.groups) > 1:
        told = "; ".join(", ".join(group) for group in found.groups)
        yield f"these never met, so their ratings cannot be compared: {told}"


def _title(found: Standings, by: str) -> str:
    return (
        f"{len(found.bots)} bots, {found.games} games over {found.goals} goals, {by}; Bradley and "
        "Terry's rating, mean 1000, goals resampled; Elo's depends on the order of the games"
    )


def _row(each: RankedBot) -> list[str]:
    low, high = each.place
    interval = each.interval
    return [
        each.bot,
        f"{each.rating:.0f}",
        NONE if interval is None else f"{interval.low:.0f} to {interval.high:.0f}",
        str(low) if low == high else f"{low} to {high}",
        str(each.record.wins),
        str(each.record.losses),
        str(each.record.ties),
        f"{each.elo.mean:.0f}",
        f"{each.elo.least:.0f} to {each.elo.most:.0f}",
    ]
