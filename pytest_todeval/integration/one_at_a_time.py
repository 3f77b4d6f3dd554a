"""pytest-xdist: dialogues are handed out in order, none too early, until a run is decided."""

from collections.abc import Callable, Collection
from typing import Any

import pytest
from xdist.scheduler import LoadScheduling  # type: ignore[import-untyped]

AHEAD = 2
"""Tests that a process has at once: it begins one when it knows the next."""


class OneAtATime(LoadScheduling):  # type: ignore[misc]
    """Loads each process with the test that it runs and the one after it."""

    def __init__(
        self, config: pytest.Config, log: Any, left_out: Callable[[], Collection[str]]
    ) -> None:
        """`left_out`: the tests that are not to begin any more."""
        super().__init__(config, log)
        self.maxschedchunk = 1
        self._left_out = left_out

    def check_schedule(self, node: Any, duration: float = 0) -> None:
        """Give a process its next test, or tell it that there is none."""
        if node.shutting_down:
            return
        if (left := self._left_out()) and self.collection is not None:
            self.pending[:] = [each for each in self.pending if self.collection[each] not in left]
        if not self.pending:
            node.shutdown()
        elif (room := AHEAD - len(self.node2pending[node])) > 0:
            self._send_tests(node, room)
