"""The same bot as two servers, FastAPI and Node; their models are asked through the gateway.

Replay needs neither a model nor a key. To record, this example has a stand-in play the model; with
a real one, delete `model`: the gateway sends on to where the bot's client would have asked.
"""

import importlib.util
import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pytest_todeval import BotServer
from pytest_todeval.testing import ChatRequest, StandInServer

HERE = Path(__file__).parent
SERVERS = {"fastapi": "uvicorn fastapi_bot:app", "node": "node node_bot.mjs"}
"""How each bot is started."""


def missing(server: str) -> str | None:
    """What is not installed here, and how it gets here; None if all is."""
    if server == "node":
        if shutil.which("node") is None:
            return "node is not installed"
        installed = (HERE / "node_modules" / "openai").is_dir()
        return None if installed else f"no openai client for node: cd {HERE} && npm install"
    lacking = [name for name in ("fastapi", "uvicorn") if importlib.util.find_spec(name) is None]
    return f"pip install {' '.join(lacking)}" if lacking else None


@pytest.fixture(scope="session", params=SERVERS)
def tod_system(request: pytest.FixtureRequest, todeval_server: Callable[..., BotServer]) -> str:
    if (lacking := missing(request.param)) is not None:
        pytest.skip(lacking)
    key = {"OPENAI_API_KEY": os.environ.get("OPENAI_API_KEY", "no-key-needed")}
    server = todeval_server(SERVERS[request.param], cwd=HERE, env=key)
    return f"{server.url}/chat"


@pytest.fixture(scope="session", autouse=True)
def model(pytestconfig: pytest.Config) -> Iterator[None]:
    """The model, while it is recorded."""
    if pytestconfig.getoption("todeval_record") in (None, "replay"):
        yield
        return
    with StandInServer(answer) as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_BASE_URL", server.base_url)
        yield
        assert not server.failures


def answer(request: ChatRequest) -> str:
    """What the model of this example says."""
    said = " ".join(
        str(message["content"]) for message in request.messages if message["role"] == "user"
    )
    days = re.findall(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b", said.lower())
    times = re.findall(r"\b\d{1,2}:\d{2}\b", said)
    guests = re.findall(r"\b(\d+) (?:people|guests)", said)
    if not days:
        return "Welcome to the Olive Press. Which day would you like a table for?"
    if not times:
        return "What time would you like to come?"
    if not guests:
        return "How many people will there be?"
    return (
        f"I have booked a table for {guests[-1]} people on {days[-1]} at {times[-1]}. "
        "Your reference number is OP7731. Anything else?"
    )
