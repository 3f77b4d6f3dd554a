"""pytest-xdist: how many tests a process has at once, where that matters."""

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
        """Gives a process its next test, or tell it that there is none."""
        if node.shutting_down:
            return
        if (left := self._left_out()) and self.collection is not None:
            self.pending[:] = [each for each in self.pending if self.collection[each] not in left]
        if not self.pending:
            node.shutdown()
        elif (room := AHEAD - len(self.node2pending[node])) > 0:
            self._send_tests(node, room)


class EnoughToPlay(LoadScheduling):  # type: ignore[misc]
    """Loads each process with as many tests as it plays at once, and with no more than its share.

    By itself pytest-xdist gives a process a quarter of its share, and more when that is nearly run.
    """

    def __init__(self, config: pytest.Config, log: Any, at_once: int) -> None:
        super().__init__(config, log)
        self._at_once = at_once

    def schedule(self) -> None:
        """Hand out the first tests."""
        super().schedule()
        for node in self.nodes:
            self.check_schedule(node)

    def check_schedule(self, node: Any, duration: float = 0) -> None:
        """Fills up what a process has, or tell it that there is no more."""
        if node.shutting_down:
            return
        if not self.pending:
            node.shutdown()
            return
        left = len(self.pending) + sum(map(len, self.node2pending.values()))
        share = -(-left // len(self.node2pending))
        # It begins a test when it knows the next.
        wanted = max(AHEAD, min(self._at_once + 1, share))
        if (room := wanted - len(self.node2pending[node])) > 0:
            self._send_tests(node, room)
