"""Which bot to talk to."""

import pytest
from hirebot import HireBot


@pytest.fixture(scope="session")
def tod_system() -> type[HireBot]:
    return HireBot  # called once per dialogue, with the `backend`
