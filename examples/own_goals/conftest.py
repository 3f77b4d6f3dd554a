"""The bot under test; here the reference bot, which serves any database of this shape."""

from typing import Any

import pytest


@pytest.fixture(scope="session")
def tod_system() -> Any:
    from pytest_todeval.systems import RuleSystem

    return RuleSystem
