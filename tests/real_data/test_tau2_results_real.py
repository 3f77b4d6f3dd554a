"""Rewards of stored tau2 results beside those that tau2 stored, part by part.

These need a checkout of tau2 (TAU2_BENCH_HOME) with its databases, what it needs installed, Python
3.12, and results: those in `data/tau2/results/final` of the checkout, or in TODEVAL_TAU2_RESULTS.
"""

import os
import re
import sys
from pathlib import Path

import pytest

from pytest_todeval.research.offline.trajectories.tau2_results import read_tau2_results
from pytest_todeval.research.offline.trajectories.tau2_scoring import score_tau2_results
from pytest_todeval.worlds.tau2.domain import DOMAINS

MET = re.compile(r"(?:the stored reward is met in|by part: \w+) (\d+) of (\d+)")


@pytest.fixture(scope="module")
def home() -> Path:
    if sys.version_info < (3, 12):
        pytest.skip("tau2 needs Python 3.12")
    given = os.environ.get("TAU2_BENCH_HOME")
    if not given or not (Path(given) / "data" / "tau2").is_dir():
        pytest.skip("no tau2 found: set TAU2_BENCH_HOME to a checkout of tau2-bench")
    return Path(given)


def results_of(home: Path) -> list[Path]:
    folder = os.environ.get("TODEVAL_TAU2_RESULTS") or home / "data/tau2/results/final"
    found = sorted(Path(folder).glob("*.json"))
    if not found:
        pytest.skip(f"no results of tau2 in {folder}")
    return found


@pytest.mark.thorough
def test_every_stored_reward_is_met_in_all_its_parts(home: Path) -> None:
    """But those that are of another task: a submission has them mixed up."""
    wrong, compared = [], 0
    for file in results_of(home):
        stored = read_tau2_results(file, None)
        folder = home / "data/tau2/domains" / str(stored.domain)
        if stored.domain not in DOMAINS or not [*folder.glob("db.*")]:
            continue
        if any(each.of_other_task for each in stored.simulations):
            continue
        for note in score_tau2_results(file, home, None, None).notes:
            if told := MET.match(note):
                met, total = map(int, told.groups())
                compared += total
                wrong += [f"{file.name}: {note}"] if met != total else []
    assert not wrong
    assert compared
