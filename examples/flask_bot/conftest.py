"""The bot's server, started once per process; its own JSON is made from ours."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_todeval import BotServer, HttpSystem


@pytest.fixture(scope="session")
def tod_system(todeval_server: Callable[..., BotServer]) -> HttpSystem:
    pytest.importorskip("flask", reason="pip install flask")
    server = todeval_server("flask --app app run", health="/health", cwd=Path(__file__).parent)
    return HttpSystem(
        f"{server.url}/talk",
        request=lambda ours: {"says": ours["text"], "talk": ours["session"]},
    )
