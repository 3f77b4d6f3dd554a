"""A person talks to a suite's bot, hands over to the simulated user, and keeps the dialogue."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.cli import main
from pytest_todeval.integration.chat.screen import TerminalScreen, laid_out
from pytest_todeval.integration.chat.user import ChatUser
from pytest_todeval.simulation.scripted import ScriptedUser
from pytest_todeval.worlds import registry
from tests.plugin.conftest import RULE_SYSTEM, apart

BROKEN = """
import pytest
@pytest.fixture
def tod_system():
    raise RuntimeError("no database")
"""
TEST = """
import pytest
@pytest.mark.goals("demo", domains=["hotel"], booking=True, limit=2, seed=1)
def test_hotel(dialogue):
    assert dialogue.success
"""


def talk(folder: Path, said: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "pytest_todeval.cli", *arguments],
        cwd=folder, input=said, capture_output=True, text=True, timeout=120, check=False,
        env={**os.environ, "COLUMNS": "80"},
    )  # fmt: skip


@pytest.fixture
def court(pytester: pytest.Pytester) -> Path:
    main(["init", str(pytester.path), "--yes"])
    return pytester.path


def test_a_person_talks_hands_over_and_sees_the_backend_and_the_verdicts(court: Path) -> None:
    done = talk(court, "I want to play on friday\n/play 1\n4 people\n/records\n/end\n", "chat")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert "     you: I want to play on friday" in lines
    assert "     bot: At what time?" in lines
    assert "   heard: court: request time" in lines
    assert any(line.startswith("    user: ") and "10:15" in line for line in lines)
    assert any(line.startswith(" changed: booked court TC1001: day friday") for line in lines)
    assert any(line.startswith(" records: {'domain': 'court'") for line in lines)
    assert any(line.startswith(" verdict: booking: yes") for line in lines)
    assert all(len(line) <= 80 for line in lines)
    assert "passed" not in done.stdout


def test_what_a_person_said_can_be_kept_as_a_test_that_replays(
    court: Path, pytester: pytest.Pytester
) -> None:
    kept = "dialogues/test_kept.py"
    said = "on friday\nat 10:15\nfor 4 people\n"
    assert talk(court, said, "chat", "--save-test", kept).returncode == 0
    assert '"at 10:15",' in (court / kept).read_text()
    apart(pytester, kept).assert_outcomes(passed=1)
    again = talk(court, said, "chat", "--save-test", kept)
    assert again.returncode == 1
    assert "is there already" in again.stdout


def test_play_says_by_its_exit_code_if_the_dialogue_is_good(court: Path) -> None:
    goal = "book-court-friday-10-15-4"
    done = talk(court, "", "play", goal)
    assert (done.returncode, "approved: " in done.stdout) == (0, True)
    bot = court / "bot.py"
    bot.write_text(bot.read_text().replace("**self.wanted}", '**self.wanted, "day": "sunday"}'))
    done = talk(court, "", "play", goal)
    assert done.returncode == 1
    assert "booking: NO" in done.stdout


def test_a_goal_that_no_test_plays_is_told(court: Path) -> None:
    done = talk(court, "", "play", "nobody")
    assert done.returncode == 4
    assert "no test here plays the goal 'nobody'" in done.stdout + done.stderr


def test_a_goal_is_chosen_and_kept_by_its_deeds(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(RULE_SYSTEM)
    pytester.makepyfile(TEST)
    done = talk(pytester.path, "", "play", "DEMO015", "--save-goal", "kept.yaml")
    assert done.returncode == 0, done.stdout
    assert "    tool: find_hotel(" in done.stdout
    goal = registry.load(str(pytester.path / "kept.yaml")).goals[0]
    assert goal.domains[0].domain == "hotel"
    assert goal.domains[0].book


def test_a_bot_that_cannot_be_made_is_told(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(BROKEN)
    pytester.makepyfile(TEST)
    done = talk(pytester.path, "hello\n", "chat")
    assert done.returncode == 1
    assert "no database" in done.stdout


class Lines:
    """A screen with lines to read."""

    is_terminal = False

    def __init__(self, *lines: str) -> None:
        self.lines, self.shown = iter(lines), list[str]()

    def read(self, asked: str) -> str | None:
        return next(self.lines, None)

    def write(self, who: str, lines: Any, style: str = "") -> None:
        self.shown += [f"{who}: {line}" for line in lines]

    def is_interrupted(self, seconds: float) -> bool:
        return next(self.lines, None) == "enter"


def test_enter_takes_over_from_the_simulated_user() -> None:
    screen: Any = Lines("/play", "enter", "mine")
    user = ChatUser(ScriptedUser(["one", "two"]), screen, print, plays=False, pace=0)
    dialogue: Any = object()
    assert user.respond(None).text == "one"
    assert user.respond(dialogue).text == "mine"
    assert user.has_script


def test_what_the_bot_says_cannot_command_the_terminal() -> None:
    assert "\x1b" not in laid_out("bot", "\x1b[2Jgone")


@pytest.fixture
def typed() -> Iterator[Any]:
    pytest.importorskip("prompt_toolkit")
    from prompt_toolkit.application import (  # type: ignore[import-not-found,unused-ignore]
        create_app_session,
    )
    from prompt_toolkit.input import (  # type: ignore[import-not-found,unused-ignore]
        create_pipe_input,
    )
    from prompt_toolkit.output import DummyOutput  # type: ignore[import-not-found,unused-ignore]

    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        yield pipe


@pytest.mark.parametrize(
    ("keys", "said"), [("hello\r", "hello"), ("\x04", None), ("hi\x03", None), ("ab\x7fc\r", "ac")]
)
def test_a_terminal_is_edited_and_left(typed: Any, keys: str, said: str | None) -> None:
    typed.send_text(keys)
    assert TerminalScreen().read("") == said
