"""Which bot to talk to: here one by rules; put your own in its place.

The bot is built once per dialogue and is handed `backend`: `backend.tools` are the JSON schemas of
the desk's tools, `backend.call(name, **arguments)` calls one, `backend.policy` is what the bot has
to keep to.
"""

from typing import Any

import pytest


@pytest.fixture(scope="session")
def tod_system() -> Any:
    from pytest_todeval.systems import DeskBot

    return DeskBot
