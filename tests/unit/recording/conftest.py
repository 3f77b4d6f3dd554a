"""What many tests of recording share."""

from collections.abc import Iterator

import pytest

from tests.support.recording_world import Server, served


@pytest.fixture
def server() -> Iterator[Server]:
    """A server of models, for one test."""
    with served() as server:
        yield server
