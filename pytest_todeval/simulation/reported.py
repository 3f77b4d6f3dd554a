"""Listens to the logger `todeval` for one dialogue: see `pytest_todeval.log` for the records."""

import logging
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from pytest_todeval import telemetry
from pytest_todeval.core.context import holding
from pytest_todeval.core.dialogue import ToolCall, Usage
from pytest_todeval.core.dialogue_act import DialogueAct
from pytest_todeval.log import LOGGER_NAME
from pytest_todeval.simulation.reply import (
    checked_acts,
    checked_items,
    checked_span,
    checked_state,
    checked_tool_call,
    checked_usage,
    described,
)

_TOOL_CALL = ("tool", "arguments", "result", "error")
_USAGE = ("prompt_tokens", "completion_tokens", "cost", "model")
MAX_NOTES = 20


@dataclass(slots=True)
class Reports:
    """What a bot reported in one turn."""

    tool_calls: list[ToolCall] = field(default_factory=list)
    retrieved: list[Any] = field(default_factory=list)
    state: Any = None
    turn_state: Any = None
    usage: Usage | None = None
    spans: list[tuple[str, float]] = field(default_factory=list)
    acts: tuple[DialogueAct, ...] | None = None


def added(one: Usage | None, other: Usage) -> Usage:
    """Returns what two calls of models took together; of several models no name is told."""
    if one is None:
        return other
    return Usage(
        one.prompt_tokens + other.prompt_tokens,
        one.completion_tokens + other.completion_tokens,
        one.cost + other.cost,
        one.model if one.model == other.model else "",
    )


class RecordListener:
    """Takes the records of one dialogue."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        """Of each record that could not be used (the first few) why not."""
        self._reports = Reports()
        self._ear: _Ear | None = None

    def take(self) -> Reports:
        """Returns what came since the last `take`."""
        taken, self._reports = self._reports, Reports()
        return taken

    def open(self) -> None:
        """Makes records come."""
        with _LOCK:
            self._ear = _ear()
            self._ear.dialogues += 1
        self.attend()

    def attend(self) -> None:
        """Makes sure that records still come: a bot may configure logging, too."""
        with _LOCK:
            if self._ear is not None:
                self._ear.attend()
                telemetry.attend()

    def close(self) -> None:
        """Puts back the logger as it was, unless other dialogues still listen."""
        with _LOCK:
            ear, self._ear = self._ear, None
            if ear is not None:
                ear.dialogues -= 1
                if not ear.dialogues:
                    ear.leave()

    def hear(self, record: logging.LogRecord) -> None:
        """Takes one record; never raises, since it is called from within the bot."""
        try:
            self._hear(record)
        except Exception as error:
            if len(self.notes) < MAX_NOTES:
                self.notes.append(f"a record on the logger {LOGGER_NAME!r} was left out: {error}")

    def _hear(self, record: logging.LogRecord) -> None:
        reports, given, kind = self._reports, record.__dict__, record.msg
        match kind:
            case "tool_call":
                tool, arguments, result, error = map(given.get, _TOOL_CALL)
                call = checked_tool_call(tool, arguments, result, error, "'tool_call'")
                reports.tool_calls.append(call)
            case "retrieval":
                reports.retrieved += checked_items(given.get("items"), "'retrieval': `items`")
            case "state":
                reports.state = checked_state(given.get("state"), "'state': `state`")
            case "turn_state":
                told = given.get("turn_state")
                reports.turn_state = checked_state(told, "'turn_state': `turn_state`")
            case "usage":
                told = {name: given[name] for name in _USAGE if given.get(name) is not None}
                reports.usage = added(reports.usage, checked_usage(told, "'usage'"))
            case "span":
                told = {"name": given.get("span"), "seconds": given.get("seconds")}
                reports.spans.append(checked_span(told, "'span'"))
            case "acts":
                told = checked_acts(given.get("acts"), "'acts': `acts`")
                reports.acts = (*(reports.acts or ()), *told)
            case _:
                known = "tool_call, retrieval, state, turn_state, usage, span, acts"
                raise ValueError(f"the message is {described(kind)}, expected one of: {known}")


_HEARS: ContextVar[RecordListener | None] = ContextVar("todeval_listener", default=None)
_LOCK = threading.Lock()


class _Ear(logging.Filter):
    """Hears each record and lets pass only what the user's own configuration lets pass.

    A filter rather than a handler: the level must be low for records to come at all, and a handler
    could not keep these from the user's own handlers. It stays on the logger while a dialogue runs.
    """

    def __init__(self, logger: logging.Logger) -> None:
        super().__init__()
        self.dialogues = 0
        self._logger = logger
        self._level, self._disabled = logger.level, logger.disabled
        self._set_level = logger.level

    def attend(self) -> None:
        """Opens the logger, and remember how it stood if someone else has changed it since."""
        logger = self._logger
        self._disabled, logger.disabled = self._disabled or logger.disabled, False
        if logger.level != self._set_level:
            self._level = logger.level
        if not logger.level or logger.level > logging.INFO:
            logger.setLevel(logging.INFO)
        self._set_level = logger.level

    def leave(self) -> None:
        """Puts back what was found, unless someone else has changed it since."""
        self._logger.removeFilter(self)
        if self._logger.level == self._set_level:
            self._logger.setLevel(self._level)
        self._logger.disabled = self._disabled or self._logger.disabled

    def filter(self, record: logging.LogRecord) -> bool:
        listener = _HEARS.get()
        if listener is not None:
            listener.hear(record)
        parent = self._logger.parent
        level = self._level or (parent.getEffectiveLevel() if parent else logging.WARNING)
        return not self._disabled and record.levelno >= level


def _ear() -> _Ear:
    logger = logging.getLogger(LOGGER_NAME)
    found = next((f for f in logger.filters if isinstance(f, _Ear)), None)
    if found is None:
        found = _Ear(logger)
        logger.addFilter(found)
    return found


@contextmanager
def listening(listener: RecordListener) -> Iterator[None]:
    """Listens in this context (and threads and tasks that copy it) for the time of a dialogue."""
    listener.open()
    try:
        with holding(_HEARS, listener):
            yield
    finally:
        listener.close()


def all_calls(
    traced: Sequence[ToolCall], replied: Sequence[ToolCall], logged: Sequence[ToolCall]
) -> tuple[ToolCall, ...]:
    """The tool calls of a turn, each once, though two or three sources may tell of it.

    The trace goes first: what it holds happened. A call told of by another source is the same as
    one before if name and arguments agree; two equal calls in one source are two calls.
    """
    calls = list(traced)
    for source in (replied, logged):
        known = [_identity(call) for call in calls]
        for call in source:
            if _identity(call) in known:
                known.remove(_identity(call))
            else:
                calls.append(call)
    return tuple(calls)


def _identity(call: ToolCall) -> tuple[str, Mapping[str, str]]:
    # As text: a bot may report "2" if the backend was given 2.
    return call.name, {str(name): str(value) for name, value in call.arguments.items()}
