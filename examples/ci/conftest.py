"""Which bot to talk to."""

import pytest
from bot import TownBot


@pytest.fixture(scope="session")
def tod_system() -> type[TownBot]:
    return TownBot
