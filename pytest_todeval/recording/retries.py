"""Pauses before a client tries again: none of them is slept while calls are replayed.

An answer that says when to try again says `at once` in replay, which openai keeps to; after an
error of the transport there is no answer, and urllib3 does not know that header.
"""

import functools
import sys
from collections.abc import Callable
from typing import Any

SOON = 0.001
PAUSES = (
    ("openai._base_client", "BaseClient", "_calculate_retry_timeout", SOON),
    ("urllib3.util.retry", "Retry", "sleep", None),
)


class NoPauses:
    """Has openai and urllib3 (so requests, too) try again at once wherever `replaying` says so."""

    def __init__(self, replaying: Callable[[], bool]) -> None:
        self._replaying = replaying
        self._waiting = {pause[0]: pause for pause in PAUSES}

    def install(self) -> None:
        """Does so in what has been imported meanwhile: openai takes a second to import."""
        for module in [name for name in self._waiting if name in sys.modules]:
            _, owner, name, instead = self._waiting[module]
            found = getattr(sys.modules[module], owner, None)
            if found is None:  # its import is under way
                continue
            if self._waiting.pop(module, None) is not None:
                self._replace(found, name, instead)

    def _replace(self, owner: Any, name: str, instead: object) -> None:
        real: Callable[..., Any] | None = getattr(owner, name, None)
        if real is None:  # private in openai; without it replay is only slower
            return

        @functools.wraps(real)
        def replacement(*arguments: Any, **options: Any) -> Any:
            return instead if self._replaying() else real(*arguments, **options)

        setattr(owner, name, replacement)
