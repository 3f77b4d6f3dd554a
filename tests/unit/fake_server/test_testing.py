"""What `pytest_todeval.testing` offers, and that it costs nothing until it is used."""

import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval import Goal, Reply, run_dialogue, testing
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.errors import UsageError
from pytest_todeval.testing import Broken, ScriptedSystem, ScriptedUser
from tests.conftest import PROJECT


def play(user: list[Any], system: Any) -> Any:
    return run_dialogue(Goal("one", "scripts", ()), ScriptedUser(user), system)


def test_a_scripted_bot_says_its_replies_in_order() -> None:
    bot = ScriptedSystem(
        [
            "Which area?",
            lambda text, history: f"{text}, after {len(history)} messages",
            Reply("Goodbye.", done=True),
        ]
    )
    dialogue = play(["A hotel", "North", "Thanks", "Still there?"], bot)
    texts = [turn.system for turn in dialogue.turns]
    assert texts == ["Which area?", "North, after 2 messages", "Goodbye."]
    assert dialogue.stop_reason is StopReason.SYSTEM_DONE
    again = play(["A train"], bot)
    assert [turn.system for turn in again.turns] == ["Which area?"]


def test_a_turn_after_the_last_reply_says_so() -> None:
    bot = ScriptedSystem(["Which area?"])
    with pytest.raises(UsageError, match=r"after turn 1, and this is turn 2 \('North'\)"):
        bot.respond("North", [{"role": role, "content": "Hi"} for role in ("user", "assistant")])
    dialogue = play(["A hotel", "North"], bot)
    assert dialogue.stop_reason is StopReason.SYSTEM_ERROR
    assert "this is turn 2" in dialogue.detail


@pytest.mark.parametrize("wrong", ["Hello", None, {"a"}])
def test_a_script_is_a_list(wrong: Any) -> None:
    with pytest.raises(UsageError, match=r"ScriptedSystem takes a list"):
        ScriptedSystem(wrong)


def test_every_public_name_is_there() -> None:
    assert [name for name in testing.__all__ if not hasattr(testing, name)] == []
    assert dir(testing) == testing.__all__
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = testing.Nothing


def test_importing_it_imports_no_server() -> None:
    code = (
        "import sys, pytest_todeval.testing as t; early = set(sys.modules); t.StandInServer; "
        "print(sorted({'http.server', 'openai', 'pydantic'} & early), 'http.server' in sys.modules)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert run.stdout.split("\n")[0] == "[] True"


CONFTEST = """
import pytest
from pytest_todeval.systems import RuleSystem

@pytest.fixture(scope="session")
def tod_system():
    return RuleSystem
"""


def test_the_examples_of_the_documentation_run(tmp_path: Path) -> None:
    text = (PROJECT / "docs" / "testing.md").read_text(encoding="utf-8")
    files = re.findall(r"^```python\n# (\w+\.py)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    for name, code in files:
        (tmp_path / name).write_text(code, encoding="utf-8")
    (tmp_path / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert "5 passed" in run.stdout, run.stdout + run.stderr


def test_the_documentation_names_every_part() -> None:
    text = (PROJECT / "docs" / "testing.md").read_text(encoding="utf-8")
    parts = [
        *testing.__all__,
        *(field.name for field in fields(testing.Answer)),
        *Broken.__members__,
    ]
    assert [part for part in parts if not re.search(rf"\b{part}\b", text)] == []
