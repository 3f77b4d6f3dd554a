"""The desk is a service, which shows what stands and can be set up."""

import json
import sys
from typing import Any
from urllib.request import Request, urlopen

import pytest

from pytest_todeval import Dialogue, Goal, HttpSystem, records_of


@pytest.fixture(scope="module")
def tod_system(todeval_server: Any) -> HttpSystem:
    server = todeval_server([sys.executable, "service.py", "{port}"], health="/records")
    return HttpSystem(f"{server.url}/chat")


@pytest.fixture
def backend(tod_system: HttpSystem, goal: Goal) -> Any:
    url = tod_system.url.replace("/chat", "/records")
    urlopen(Request(url, json.dumps(goal.given).encode(), method="PUT")).close()
    return records_of(lambda: json.load(urlopen(url)))


@pytest.mark.goals("goals.yaml")
def test_the_appointments_stand_as_asked(dialogue: Dialogue) -> None:
    assert dialogue.success
