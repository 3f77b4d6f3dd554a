"""Which bot to talk to: here the reference bot; put your own in its place."""

from typing import Any

import pytest


@pytest.fixture(scope="session")
def tod_system() -> Any:
    from pytest_todeval.systems import RuleSystem

    return RuleSystem
