"""The bot's model is a stand-in while recording; in replay nothing runs and nothing is reached."""

import re
from collections.abc import Iterator

import pytest
from pressbot import PressBot

from pytest_todeval.testing import ChatRequest, StandInServer


def answer(request: ChatRequest) -> str:
    """What the model of this example says: a stand-in for a real one."""
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


@pytest.fixture(scope="session")
def tod_system(pytestconfig: pytest.Config) -> Iterator[type[PressBot]]:
    if pytestconfig.getoption("todeval_record") in (None, "replay"):
        yield PressBot
        return
    with StandInServer(answer) as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("MODEL_URL", server.base_url)
        yield PressBot
        assert not server.failures
