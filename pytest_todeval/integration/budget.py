"""The budget of a run: what its real calls may be, and what part of it this process has."""

from typing import TYPE_CHECKING

import pytest

from pytest_todeval.integration.option_values import path_of
from pytest_todeval.integration.settings import Settings
from pytest_todeval.integration.workers import NUMBER

if TYPE_CHECKING:
    from pytest_todeval.prices import Prices
    from pytest_todeval.recording.budget import Budget

_BUDGET = pytest.StashKey["Budget | None"]()


def budget_of(config: pytest.Config) -> "Budget | None":
    """Returns what this process may spend, or None if the run has no limit."""
    if _BUDGET not in config.stash:
        config.stash[_BUDGET] = _make(config, Settings.of(config))
    return config.stash[_BUDGET]


def prices_of(config: pytest.Config) -> "Prices":
    """Returns the prices in the file that the settings name; none without. Raises InvalidFile."""
    from pytest_todeval.prices import Prices

    path = path_of(config, "prices")
    return Prices() if path is None else Prices.read(path)


def _make(config: pytest.Config, settings: Settings) -> "Budget | None":
    if settings.max_calls is None and settings.max_cost is None:
        return None
    from pytest_todeval.recording.budget import Budget

    number, processes = _place(config)
    split = f", split over {processes} processes" if processes > 1 else ""
    prices = None if settings.max_cost is None else prices_of(config)
    if number >= processes:
        # What the worker it stands in for has spent died with that.
        return Budget(0, prices=prices, split=f"{split}, to a worker that replaces a crashed one")
    calls, cost = settings.max_calls, settings.max_cost
    return Budget(
        None if calls is None else calls // processes + (number < calls % processes),
        None if cost is None else cost / processes,
        prices,
        split,
    )


def _place(config: pytest.Config) -> tuple[int, int]:
    """The number of this process among those that play dialogues, and how many these are."""
    worker = getattr(config, "workerinput", None)
    if worker is None:
        return 0, 1
    return int(worker[NUMBER]), int(worker["workercount"])
