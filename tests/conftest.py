"""Shared fixtures of the project's own tests."""

import os
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

PROJECT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder with real data; tests that need it skip, saying so, where it is absent."""
    for place in (os.environ.get("TODEVAL_DATA"), str(PROJECT.parent / "shared" / "data")):
        if place and (Path(place) / "multiwoz").is_dir():
            return Path(place)
    pytest.skip("real data not found: set TODEVAL_DATA to a folder that holds `multiwoz/`")
