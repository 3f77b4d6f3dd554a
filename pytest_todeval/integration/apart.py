"""What a bot prints, warns of and logs in a dialogue played ahead is kept for its own test."""

import logging
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from typing import Any

import pytest

_KEPT: ContextVar["OwnOutput | None"] = ContextVar("todeval_kept", default=None)


class OwnOutput:
    """What came of one dialogue, in the order in which it came."""

    def __init__(self) -> None:
        self._told: list[Callable[[], object]] = []

    def keep(self, tell: Callable[[], object]) -> None:
        """Keeps something, to be told when its test runs."""
        self._told.append(tell)

    @contextmanager
    def here(self) -> Iterator[None]:
        """Keeps what comes of the body, and of threads and tasks that it starts."""
        token = _KEPT.set(self)
        try:
            yield
        finally:
            _KEPT.reset(token)

    def give_out(self) -> None:
        """Tells all of it now: pytest takes it for what the running test says."""
        told, self._told = self._told, []
        for tell in told:
            tell()


class Apart:
    """Keeps apart, for a run, what comes of dialogues whose test is not the one that runs."""

    def __init__(self, config: pytest.Config) -> None:
        self._ends = ExitStack()
        self._streams: list[Any] = []
        logs = config.pluginmanager.getplugin("logging-plugin")
        for name in ("caplog_handler", "report_handler"):
            handler = getattr(logs, name, None)
            if handler is not None:
                own = _filter_of(handler)
                handler.addFilter(own)
                self._ends.callback(handler.removeFilter, own)
        self._watch_warnings()

    def watch_streams(self) -> None:
        """Looks after the streams that are standard output and error now."""
        for name in ("stdout", "stderr"):
            stream = getattr(sys, name)
            if not any(stream is each for each in self._streams):
                self._watch_stream(stream, name)

    def close(self) -> None:
        """Leaves all as it was."""
        self._ends.close()

    def _watch_stream(self, stream: Any, name: str) -> None:
        write = stream.write

        def written(text: str) -> object:
            kept = _KEPT.get()
            if kept is None:
                return write(text)
            kept.keep(lambda: getattr(sys, name).write(text))
            return len(text)

        try:
            stream.write = written
        except AttributeError:  # of a kind that cannot be looked after
            return
        self._streams.append(stream)
        self._ends.callback(lambda: delattr(stream, "write"))

    def _watch_warnings(self) -> None:
        # What `warnings.warn` calls, also from C; `catch_warnings` replaces what this one calls.
        show = getattr(warnings, "_showwarnmsg", None)
        if show is None:
            return

        def shown(message: Any) -> None:
            kept = _KEPT.get()
            if kept is None:
                show(message)
            else:
                kept.keep(lambda: shown(message))

        warnings._showwarnmsg = shown  # type: ignore[attr-defined]
        self._ends.callback(setattr, warnings, "_showwarnmsg", show)


def _filter_of(handler: logging.Handler) -> Callable[[logging.LogRecord], bool]:
    def is_of_running_test(record: logging.LogRecord) -> bool:
        kept = _KEPT.get()
        if kept is not None:
            kept.keep(lambda: handler.handle(record))
        return kept is None

    return is_of_running_test
