"""User, bot and judge are models. While recording, a stand-in on this machine answers for them."""

from collections.abc import Iterator

import pytest
from stand_in import answer
from workshop import INSTRUCTIONS, Calendar, book_job, free_days

from pytest_todeval import ChatSystem, Goal, LLMJudge, LLMUser, ModelSettings
from pytest_todeval.testing import StandInServer


@pytest.fixture(scope="session")
def model(pytestconfig: pytest.Config) -> Iterator[ModelSettings]:
    """With a real model: `return ModelSettings("gpt-4o-mini")`, or leave it to --todeval-model."""
    if pytestconfig.getoption("todeval_record") in (None, "replay"):
        yield ModelSettings("stand-in")
        return
    with StandInServer(answer) as server:
        yield ModelSettings("stand-in", base_url=server.base_url)
        assert not server.failures


@pytest.fixture(scope="session")
def tod_system(model: ModelSettings) -> ChatSystem:
    return ChatSystem(model, INSTRUCTIONS, tools=[free_days, book_job])


@pytest.fixture
def backend() -> Calendar:
    return Calendar()


@pytest.fixture
def user_simulator(goal: Goal, model: ModelSettings) -> LLMUser:
    return LLMUser(goal, model, strategy="thought")


@pytest.fixture
def judge(model: ModelSettings, backend: Calendar) -> LLMJudge:
    return LLMJudge(model, fused=True, backend=backend)
