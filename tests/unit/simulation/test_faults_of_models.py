"""A model that cannot be asked, or that refuses a request: whose fault it is in a dialogue."""

from collections.abc import Callable

import pytest

from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.errors import ModelRejected, ModelUnavailable
from pytest_todeval.simulation.faults import FAULTS, Stop, bot_raised, user_raised


@pytest.mark.parametrize("raised", [bot_raised, user_raised])
def test_a_model_that_cannot_be_asked_is_the_infrastructures(
    raised: Callable[[BaseException, str], Stop],
) -> None:
    stop = raised(ModelUnavailable("model m at http://h/v1: status 503"), "turn 2")
    assert (stop.reason, FAULTS[stop.reason]) == (StopReason.NETWORK, Outcome.INFRASTRUCTURE)
    assert "could not be asked in turn 2" in stop.detail
    assert "status 503" in stop.detail


def test_a_request_that_is_not_taken_is_the_one_who_asked() -> None:
    error = ModelRejected("model m at http://h/v1: status 400: too long")
    user, bot = user_raised(error, "turn 2"), bot_raised(error, "turn 2")
    assert (user.reason, FAULTS[user.reason]) == (
        StopReason.SIMULATOR_FAULT,
        Outcome.SIMULATOR_FAULT,
    )
    assert (bot.reason, FAULTS[bot.reason]) == (StopReason.SYSTEM_ERROR, Outcome.FAILED)
    assert user.detail == f"{error} (in turn 2)"
    assert "too long" in bot.detail
