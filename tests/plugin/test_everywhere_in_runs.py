"""On systems that lack what Linux has: every module is imported, demo goals and cassettes work.

What a system holds back, sees, or does neither of is said in a line of the run's head.
"""

import os
import sys
from pathlib import Path

import pytest

from tests.support.recording_server import serving

SUPPORT = Path(__file__).parents[1] / "support"
SYSTEMS = ("windows", "macos")
OF_LINUX = {"pytest_todeval.recording.jail.warden", "pytest_todeval.recording.jail.lookout"}
"""A program, and what looks into /proc: imported by nothing elsewhere."""
IMPORTS = """
import importlib
import pkgutil
import traceback
import pytest_todeval

failed = {}
for module in pkgutil.walk_packages(pytest_todeval.__path__, "pytest_todeval."):
    if module.name.endswith("__main__"):
        continue
    try:
        importlib.import_module(module.name)
    except Exception as error:
        failed[module.name] = error
print(sorted(failed))
"""
SUITE = """
import os
import httpx
import pytest
from pytest_todeval.systems import RuleSystem


@pytest.fixture
def tod_system():
    return RuleSystem


@pytest.mark.goals("demo", limit=2, booking=True)
def test_books(dialogue):
    assert dialogue.booking


@pytest.mark.todeval_cassette
def test_weather():
    assert httpx.get(os.environ["API_URL"] + "/weather").status_code == 200
"""
pytestmark = pytest.mark.thorough


@pytest.fixture(params=SYSTEMS)
def system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    path = (str(SUPPORT / request.param), os.environ.get("PYTHONPATH", ""))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, path)))
    name: str = request.param
    return name


def test_every_module_is_imported(pytester: pytest.Pytester, system: str) -> None:
    script = pytester.makepyfile(imports=IMPORTS)
    done = pytester.run(sys.executable, script)
    assert done.ret == 0, done.errlines
    assert set(eval(done.outlines[-1])) <= OF_LINUX


@pytest.mark.parametrize("spread", [("-p", "no:xdist"), ("-n1",)], ids=["one", "n1"])
def test_dialogues_are_played_and_calls_replayed(
    pytester: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
    system: str,
    spread: tuple[str, ...],
) -> None:
    pytester.makepyfile(test_bot=SUITE)
    with serving() as server:
        monkeypatch.setenv("API_URL", server.url)
        recorded = pytester.runpytest_subprocess(*spread, "--todeval-record=missing")
        recorded.assert_outcomes(passed=3)
        assert server.hits == 1
    replayed = pytester.runpytest_subprocess(*spread)
    replayed.assert_outcomes(passed=3)
    replayed.stdout.fnmatch_lines(["*in replay Python's sockets and known clients are held back*"])
    assert list(pytester.path.rglob(".*.journal")) == []
