"""What the user says in these examples, word for word."""

import pytest

from pytest_todeval import ScriptedUser


@pytest.fixture
def user_simulator() -> ScriptedUser:
    return ScriptedUser(["Please move A17 to Wednesday.", "And cancel A18, please."])
