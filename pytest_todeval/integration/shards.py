"""`--todeval-shard 2/5`: this run's share of the dialogues, so that five machines play them all."""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from pytest_todeval.errors import UsageError
from pytest_todeval.integration.case import case_of
from pytest_todeval.integration.settings import Settings

SHARD: pytest.StashKey[dict[str, dict[str, list[Any]]]] = pytest.StashKey()
"""What a results file says of the shard: how many dialogues it plans, and of which collection."""


def keep_share(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect what other shards play. Tests without a dialogue run in the first one.

    Every shard has to collect the same tests, and to be given the same times.
    """
    settings = Settings.of(config)
    if settings.shard is None:
        return
    number, of = settings.shard
    ours = [item for item in items if case_of(item) is not None]
    seconds = _seconds(settings.times)
    share = set(shares([item.nodeid for item in ours], seconds, of)[number - 1])
    others = {item.nodeid for item in items} - {item.nodeid for item in ours}
    wanted = share | (others if number == 1 else set())
    planned: dict[str, list[Any]] = {
        "planned": [len(share)],
        "collection": [_digest(sorted(item.nodeid for item in ours))],
    }
    config.stash[SHARD] = {f"{number}/{of}": planned}
    left = [item for item in items if item.nodeid not in wanted]
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item.nodeid in wanted]


def shares(tests: Sequence[str], seconds: Mapping[str, float], of: int) -> list[list[str]]:
    """Returns the tests of each of so many shards, so that all take about as long.

    The longest are given out first, each to the shard with the least so far (Graham 1969). A test
    whose time is not known counts as the median of those that are.
    """
    usual = median(seconds.values()) if seconds else 1.0
    lasting = {test: seconds.get(test, usual) for test in tests}
    found: list[list[str]] = [[] for _ in range(of)]
    sums = [0.0] * of
    for test in sorted(lasting, key=lambda test: (-lasting[test], test)):
        least = min(range(of), key=lambda shard: (sums[shard], len(found[shard]), shard))
        found[least].append(test)
        sums[least] += lasting[test]
    return found


def _seconds(path: str | None) -> dict[str, float]:
    """By test, what an earlier run took: bot, user and judge."""
    if path is None:
        return {}
    from pytest_todeval.runs.reports.effort import seconds_of
    from pytest_todeval.runs.reports.results import read_results

    found: dict[str, float] = {}
    for entry in read_results(Path(path))["dialogues"]:
        found[entry["test"]] = found.get(entry["test"], 0.0) + seconds_of(entry)
    if not any(found.values()):
        raise UsageError(f"--todeval-times {path}: no dialogue in it says how long it took")
    return found


def _digest(tests: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(tests).encode("utf-8", "surrogatepass")).hexdigest()[:12]
