"""The plan of a run that makes real calls: each line, from modes and what the cassettes hold."""

from collections import Counter
from pathlib import Path

import pytest

from pytest_todeval.core.lane import Lane
from pytest_todeval.integration import plan
from pytest_todeval.integration.settings import Settings
from pytest_todeval.recording.call import Header
from pytest_todeval.recording.mode import modes_from
from pytest_todeval.recording.store import write_cassette
from tests.support.recorded_calls import chat

SYSTEM, USER = Lane.SYSTEM, Lane.USER


@pytest.mark.parametrize(
    ("record", "held", "told"),
    [
        ("missing", [], "how many calls that takes is unknown, since there is no cassette yet"),
        ("missing", [{SYSTEM: 4, USER: 2}], "about 18 calls (6.0 a dialogue"),
        ("rewrite", [{SYSTEM: 4, USER: 2}], "about 24 calls (6.0 a dialogue"),
        ("live", [{SYSTEM: 4}, {SYSTEM: 1}], "about 10 calls (2.5 a dialogue"),
        ("user:rewrite", [{SYSTEM: 4, USER: 2}], "about 8 calls (2.0 a dialogue"),
    ],
)
def test_calls_are_estimated_from_the_cassettes_there_are(
    record: str, held: list[dict[Lane, int]], told: str
) -> None:
    found = plan._estimate(modes_from(record), [Counter(each) for each in held], 4)
    assert found.startswith(told)


@pytest.mark.parametrize(
    ("record", "told"),
    [
        ("missing", "3 of them are answered from there if they are made again"),
        ("rewrite", "not used"),
        ("system:missing,user:rewrite", "2 of them are answered from there if they are made again"),
    ],
)
def test_journals_are_told_with_what_the_run_takes_of_them(record: str, told: str) -> None:
    left = [Counter({SYSTEM: 2}), Counter({USER: 1})]
    assert plan._journal_lines(modes_from(record), left) == [
        f"todeval: journals: 2 of recordings that did not finish, with 3 calls: {told}"
    ]
    assert plan._journal_lines(modes_from("live"), left) == []
    assert plan._journal_lines(modes_from(record), []) == []


def test_faults_that_will_be_asked_again_are_counted_by_lane(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a", "b", "c", "none")]
    for path, lane in zip(paths, (USER, Lane.JUDGE, None), strict=False):
        header = Header("t", "2026-01-01T00:00:00+00:00", 0, fault=lane)
        write_cassette(path, header, [chat("Hello."), chat("Hi.", lane=USER)])
    line = "todeval: faults: {} of the cassettes end in one; that part is asked again"

    assert plan._fault_lines(modes_from("missing"), paths) == [line.format(2)]
    assert plan._fault_lines(modes_from("judge:missing"), paths) == [line.format(1)]
    assert plan._fault_lines(modes_from("rewrite"), paths) == []
    assert plan._calls_by_lane(paths[0]) == {SYSTEM: 1, USER: 1}


def test_the_budget_is_told_with_what_limits_it() -> None:
    assert plan.budget_text(Settings()).startswith("no limit (--todeval-max-calls")
    assert plan.budget_text(Settings(max_calls=5)) == "5 calls"
    assert plan.budget_text(Settings(max_calls=5, max_cost=0.5)) == "5 calls, 0.5 US dollars"
