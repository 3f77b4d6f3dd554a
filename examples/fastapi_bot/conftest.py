"""The bot's server, started once per process; verdicts rest on what stands booked in a session."""

import json
import os
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_todeval import BotServer, BotSession, HttpSystem

DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))
"""Asks without a proxy, which could not reach this machine."""

os.environ.setdefault("HALL_TOKEN", "a-token-for-tests-1234")


@pytest.fixture(scope="session")
def hall(todeval_server: Callable[..., BotServer]) -> str:
    """Where the bot answers: at HALL_URL, or on a server that is started here."""
    if url := os.environ.get("HALL_URL"):
        return url
    for name in ("fastapi", "uvicorn"):
        pytest.importorskip(name, reason=f"pip install {name}")
    return todeval_server("uvicorn app:app", health="/health", cwd=Path(__file__).parent).url


@pytest.fixture(scope="session")
def tod_system(hall: str) -> HttpSystem:
    return HttpSystem(
        f"{hall}/sessions/{{session}}/chat",
        open="POST /sessions",
        close="DELETE /sessions/{session}",
        headers={"Authorization": "Bearer ${HALL_TOKEN}"},
    )


class Bookings:
    """What stands booked in the session of this dialogue."""

    def __init__(self, hall: str, session: BotSession) -> None:
        self.hall, self.session = hall, session

    def bookings(self) -> list[dict[str, str]]:
        request = urllib.request.Request(
            f"{self.hall}/sessions/{self.session.id}/bookings",
            headers={"Authorization": f"Bearer {os.environ['HALL_TOKEN']}"},
        )
        with DIRECT.open(request, timeout=20) as response:
            found: list[dict[str, str]] = json.load(response)
        return found


@pytest.fixture
def backend(hall: str, todeval_session: BotSession) -> Bookings:
    return Bookings(hall, todeval_session)
