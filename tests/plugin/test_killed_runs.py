"""Whole runs that are killed while they record; `benchmarks/recording_kills.py` kills 200."""

import random
import sys
from pathlib import Path

import pytest

from tests.support.recording_kills import Chain, served

pytestmark = pytest.mark.thorough


@pytest.mark.skipif(sys.platform == "win32", reason="kills groups of processes")
@pytest.mark.parametrize(("processes", "kills"), [(0, 2), (2, 1)])
def test_a_killed_run_loses_no_answer_and_replays_no_refusal(
    tmp_path: Path, processes: int, kills: int
) -> None:
    with served(seed=4) as model:
        chain = Chain(tmp_path, model, random.Random(4), processes)
        assert chain.play(kills) >= 1
        assert chain.found["run killed"] + chain.found["one worker killed"] >= 1
