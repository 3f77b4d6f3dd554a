"""`--todeval-report` as a user gives it."""

import base64
import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.plugin.conftest import RULE_SYSTEM

SUITE = """
import pytest
from pytest_todeval.systems import RuleSystem

class Silent(RuleSystem):
    def respond(self, *given, **named):
        return "Hm."

@pytest.fixture
def tod_system(goal):
    return Silent if int(goal.id[-1]) % 2 else RuleSystem

@pytest.mark.goals("demo", booking=True, limit=12, seed=1)
def test_books(dialogue):
    assert dialogue.booking
"""


def index_of(path: Path) -> Any:
    found = re.search(r'id="index">([^<]*)<', path.read_text(encoding="utf-8"))
    assert found is not None
    return json.loads(gzip.decompress(base64.b64decode(found[1])))


@pytest.mark.parametrize("spread", [(), ("-n2",)])
def test_a_run_writes_its_page(pytester: pytest.Pytester, spread: tuple[str, ...]) -> None:
    pytester.makepyfile(SUITE)
    ran = pytester.runpytest("--todeval-report=out/report.html", *spread)
    ran.stdout.fnmatch_lines(["report: *report.html"])
    index = index_of(pytester.path / "out" / "report.html")
    failed = [row for row in index["rows"] if row["outcome"] == "failed"]
    assert len(index["rows"]) == 12
    assert failed
    assert sum(len(group["keys"]) for group in index["groups"]) == len(failed)
    assert index["verdict"]["words"] == f"{len(failed)} of 12 dialogues failed"


def test_the_page_says_what_the_gates_and_the_baseline_came_to(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(RULE_SYSTEM)
    pytester.makepyfile(test_it=SUITE.replace("def tod_system", "def another_bot"))
    pytester.runpytest("--todeval-json=before.json")
    pytester.makepyfile(test_it=SUITE)
    pytester.makeini("[pytest]\ntodeval_gate = booking >= 0.99")
    ran = pytester.runpytest("--todeval-baseline=before.json", "--todeval-report=page.html")
    assert ran.ret == 10
    index = index_of(pytester.path / "page.html")
    assert index["verdict"]["finding"] == "failed"
    assert [row[0] for row in index["verdict"]["gates"]] == ["faults <= 0.1", "booking >= 0.99"]
    assert index["comparison"]["before"] == "before.json"


def test_a_place_that_is_none_ends_the_run_before_it_begins(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(SUITE)
    ran = pytester.runpytest(f"--todeval-report={pytester.path}")
    ran.stderr.fnmatch_lines(["*--todeval-report: got *is a folder; expected a file to write"])
