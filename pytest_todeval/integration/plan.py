"""The plan of a run that makes real calls: what it will record, about how many calls that takes."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_todeval.core.lane import Lane
from pytest_todeval.integration.case import case_of, is_recorded
from pytest_todeval.integration.cassette_options import cassette_path
from pytest_todeval.integration.settings import Settings
from pytest_todeval.recording.cassette_text import header_of
from pytest_todeval.recording.files import journal_path
from pytest_todeval.recording.mode import Mode, modes_from
from pytest_todeval.runs.reports.table import counted

if TYPE_CHECKING:
    Modes = Mapping[Lane, Mode]

CALL = b'{"call":{"lane":"%b"'


def plan_lines(config: pytest.Config, items: Sequence[pytest.Item]) -> list[str]:
    """Returns what will be recorded, or called; nothing for a run that only replays."""
    settings = Settings.of(config)
    modes = modes_from(settings.record)
    tests = [item for item in items if is_recorded(item)]
    if not tests or all(mode.offline for mode in modes.values()):
        return []
    paths = [cassette_path(item) for item in tests]
    held = [_calls_by_lane(path) for path in paths if path.is_file()]
    anew = Mode.REWRITE in modes.values() or Mode.LIVE in modes.values()
    doing = "recorded" if any(mode.records for mode in modes.values()) else "called, not recorded"
    count = len(tests) if anew else len(tests) - len(held)
    stale = " (and those that turn out stale)" if Mode.MISSING in modes.values() and held else ""
    journals = [journal for path in paths if (journal := journal_path(path)).is_file()]
    left = [_calls_by_lane(journal) for journal in journals]
    noun = "dialogue" if all(map(case_of, tests)) else "test"
    return [
        f"todeval: plan ({settings.record}): {counted(len(tests), noun)}, {len(held)} with a "
        f"cassette; {count} will be {doing}{stale}; {_estimate(modes, held, len(tests), noun)}",
        *_fault_lines(modes, paths),
        *_journal_lines(modes, left),
        f"todeval: budget: {budget_text(settings)}",
    ]


def _fault_lines(modes: "Modes", paths: Sequence[Path]) -> list[str]:
    """Returns how many cassettes hold a dialogue up to a fault, which is asked for again."""
    again = [lane.value for lane in Lane if modes[lane] is Mode.MISSING]
    count = sum(header_of(path).get("fault") in again for path in paths)
    if not count:
        return []
    return [f"todeval: faults: {count} of the cassettes end in one; that part is asked again"]


def budget_text(settings: Settings) -> str:
    """Returns what the run may spend."""
    limits = []
    if settings.max_calls is not None:
        limits.append(f"{settings.max_calls} calls")
    if settings.max_cost is not None:
        limits.append(f"{settings.max_cost:g} US dollars")
    return ", ".join(limits) or "no limit (--todeval-max-calls, --todeval-max-cost)"


def _journal_lines(modes: "Modes", left: Sequence[Counter[Lane]]) -> list[str]:
    """Returns what recordings that did not finish left, and whether this run takes it."""
    if not left or not any(mode.records for mode in modes.values()):
        return []
    taken = sum(calls[lane] for calls in left for lane in Lane if modes[lane] is Mode.MISSING)
    total = sum(calls.total() for calls in left)
    used = (
        f"{taken} of them are answered from there if they are made again" if taken else "not used"
    )
    return [
        f"todeval: journals: {len(left)} of recordings that did not finish, with {total} calls: "
        f"{used}"
    ]


def _estimate(
    modes: "Modes", held: Sequence[Counter[Lane]], tests: int, noun: str = "dialogue"
) -> str:
    """From the cassettes there are: a test without one is taken to make as many calls as they."""
    if not held:
        return "how many calls that takes is unknown, since there is no cassette yet"
    mean = {lane: sum(calls[lane] for calls in held) / len(held) for lane in Lane}
    missing = tests - len(held)
    times = {Mode.MISSING: missing, Mode.REWRITE: tests, Mode.LIVE: tests}
    calls = sum(times.get(modes[lane], 0) * mean[lane] for lane in Lane)
    each = sum(mean[lane] for lane in Lane if not modes[lane].offline)
    return f"about {calls:.0f} calls ({each:.1f} a {noun}, the mean of the cassettes)"


def _calls_by_lane(path: Path) -> Counter[Lane]:
    """Returns how many calls a cassette holds; its lines are counted, not read."""
    counts: Counter[Lane] = Counter()
    starts = {CALL % lane.value.encode(): lane for lane in Lane}
    with path.open("rb") as file:
        for line in file:
            counts.update(lane for start, lane in starts.items() if line.startswith(start))
    return counts
