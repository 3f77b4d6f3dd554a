"""What a bot and a user say reaches the log as text: no controls, no commands to a CI runner."""

import pytest

from tests.support.hostile_texts import raw

CONFTEST = """
import pytest
from pytest_todeval import Reply, ScriptedUser

HOSTILE = (
    "Hello \\x1b]0;PWNED\\x07\\x1b[2J \\u202etxet\\u202c \\0 \\x9b31m\\r\\n"
    "::error::of the WHO\\n  ##[error]of the WHO\\n::add-mask::Hello"
)

@pytest.fixture
def tod_system():
    return lambda text: Reply(HOSTILE.replace("WHO", "bot"))

@pytest.fixture
def user_simulator(request, user_simulator):
    said = [HOSTILE.replace("WHO", "user")] * 2
    return ScriptedUser(said) if "user" in request.node.name else user_simulator
"""
TEST = """
import pytest

@pytest.mark.goals("demo", limit=1)
def test_bot(dialogue):
    assert not dialogue.turns

@pytest.mark.goals("demo", limit=1)
def test_user(dialogue):
    assert not dialogue.turns
"""


@pytest.mark.parametrize("options", [(), ("-n2",), ("--todeval-show=all", "-rA")], ids=str)
def test_words_of_strangers_are_shown_as_text(
    options: tuple[str, ...], pytester: pytest.Pytester
) -> None:
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(TEST)
    printed = str(pytester.runpytest_subprocess(*options, "--color=no").stdout)
    assert printed.count("of the bot") > 2
    assert printed.count("of the user") > 2
    assert not [line for line in printed.splitlines() if raw(line)]
    for command in ("::error::", "##[error]", "::add-mask::"):
        assert not [each for each in printed.splitlines() if each.lstrip().startswith(command)]
