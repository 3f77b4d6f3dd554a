"""Bots behind HTTP as their authors write them, and servers that go wrong."""

from collections.abc import Iterator

import pytest

from tests.http_bots.desk import DeskServer
from tests.plugin.conftest import forks, loaded, no_plugins_of_others  # noqa: F401 - fixtures


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Iterator[DeskServer]:
    """A server that all runs of a test ask."""
    with DeskServer() as server:
        monkeypatch.setenv("DESK_URL", server.url)
        monkeypatch.setenv("DESK_TOKEN", "sesame")
        yield server
