"""Progress within long dialogues, on a real terminal: what is seen, what is left, and when not."""

import os
import re
import sys
from pathlib import Path

import pytest

from pytest_todeval.integration.progress import start_progress
from tests.plugin.conftest import apart
from tests.support.terminal import Screen, on_terminal

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(os.name != "posix", reason="takes a pseudo-terminal"),
]

CONFTEST = """
import time
from pathlib import Path
import pytest
import pytest_todeval.integration.progress as progress

progress.LONG = progress.LONG_TEST = progress.PAUSE = 0
progress.EVERY = 0.02

def respond(text):
    waiting = Path("wait").exists()
    while waiting and not Path("go").exists():
        time.sleep(0.01)
    print("said by the bot")
    return "Hello."

@pytest.fixture(scope="session")
def tod_system():
    return respond
"""
TEST = """
import pytest

def test_before():
    pass

@pytest.mark.goals("demo", limit=1)
@pytest.mark.todeval(unserved="allowed")
def test_it(dialogue):
    assert dialogue.turns

def test_after():
    pass
"""
LINE = "todeval: test_it[demo/"


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    for name in ("CI", "PYTEST_XDIST_WORKER", "PYTEST_CURRENT_TEST"):
        monkeypatch.delenv(name, raising=False)
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_bot=TEST)
    return pytester


def run(
    suite: pytest.Pytester,
    *options: str,
    until: str = "",
    environment: dict[str, str] | None = None,
) -> tuple[str, str]:
    """What a run wrote, and what it left on the screen.

    With `until` the bot answers as soon as that text was written, and not before.
    """
    go = suite.path / "go"
    go.unlink(missing_ok=True)
    (suite.path / "wait").touch() if until else (suite.path / "wait").unlink(missing_ok=True)

    def seen(text: str) -> None:
        if until and until in text:
            go.touch()

    arguments = ["-m", "pytest", "-p", "no:cacheprovider", *options]
    status, written = on_terminal(arguments, Path(suite.path), environment or {}, seen)
    assert status == 0, written
    screen = Screen()
    screen.write(written)
    return written, screen.text


def bare(text: str) -> str:
    """Without what differs from run to run."""
    return re.sub(r"in \d+\.\d+s|=+|\x1b\[\d*m", "", text)


@pytest.mark.parametrize(
    "options", [[], ["-q", "-p", "no:logging"], ["-v", "-p", "no:xdist"]], ids=" ".join
)
def test_a_long_dialogue_is_told_and_leaves_nothing_behind(
    suite: pytest.Pytester, options: list[str]
) -> None:
    written, long = run(suite, *options, until="turn 1, the bot for")
    assert LINE in written
    assert "in all" in written
    _, quiet = run(suite, *options, environment={"TERM": "dumb"})
    assert LINE not in quiet
    assert bare(long) == bare(quiet)


@pytest.mark.parametrize(
    ("options", "environment", "told"),
    [
        ([], {}, True),
        (["-p", "no:logging", "-o", "log_cli=true"], {}, True),
        ([], {"CI": "1"}, False),
        ([], {"TERM": "dumb"}, False),
        (["-s"], {}, False),
        (["--capture=tee-sys"], {}, False),
        (["--setup-show"], {}, False),
        (["--log-cli-level=INFO"], {}, False),
        (["-o", "log_cli=true"], {}, False),
        (["-p", "no:terminal"], {}, False),
    ],
    ids=lambda each: " ".join(each) if isinstance(each, list) else str(each),
)
def test_nothing_is_told_if_it_would_disturb(
    suite: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
    options: list[str],
    environment: dict[str, str],
    told: bool,
) -> None:
    for name, value in {"TERM": "xterm", **environment}.items():
        monkeypatch.setenv(name, value)
    config = suite.parseconfigure(*options)
    ours, theirs = os.openpty()
    with open(ours), open(theirs, "w") as terminal, monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", terminal)
        start_progress(config)
    assert config.pluginmanager.hasplugin("todeval-progress") is told


def test_a_run_that_shows_its_output_is_not_disturbed(suite: pytest.Pytester) -> None:
    written, _ = run(suite, "-s")
    assert LINE not in written


def test_nothing_is_told_into_a_file(suite: pytest.Pytester) -> None:
    assert LINE not in apart(suite).stdout.str()


def test_tests_of_workers_are_told_by_name(suite: pytest.Pytester) -> None:
    told = "todeval: a test under way for"
    written, screen = run(suite, "-n1", "--todeval-limit=1", until=told)
    assert "test_bot.py::test_it[demo/" in written.split(told)[1][:90]
    assert told not in screen
    assert "3 passed" in screen


def test_a_debugger_is_not_disturbed(suite: pytest.Pytester) -> None:
    suite.makepyfile(
        test_bot=TEST.replace("assert dialogue.turns", "print('told', end=''); breakpoint()")
    )
    suite.makeconftest(
        CONFTEST
        + """
import pdb, time

class Quick(pdb.Pdb):
    def interaction(self, *_):
        time.sleep(0.3)  # the line would be written a dozen times
        print("in the debugger")
        self.do_continue("")
"""
    )
    written, _ = run(suite, "--pdbcls=conftest:Quick")
    _, _, inside = written.partition("PDB set_trace")
    assert "in the debugger" in inside
    assert LINE not in inside.partition("in the debugger")[0]
