"""The reference bot over the real MultiWOZ databases."""

from typing import Any

import pytest


@pytest.fixture(scope="session")
def tod_system() -> Any:
    from pytest_todeval.systems import RuleSystem

    return RuleSystem
