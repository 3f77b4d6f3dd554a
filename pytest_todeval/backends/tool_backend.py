"""The backend of a task over tools and tables, with tau-bench's rules for calls."""

import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from typing import Any

from pytest_todeval.backends.copy_on_write import own_copy, pack, view
from pytest_todeval.backends.protocol import Row, ToolRefused
from pytest_todeval.backends.state_hash import StateHash
from pytest_todeval.backends.tool_domain import ToolDomain
from pytest_todeval.core.dialogue import Booking, ToolCall

TAU_BENCH_STEPS = 30
"""Replies and calls in a dialogue, as tau-bench plays it."""
MAX_KNOWN = 50_000
"""Calls of a domain that are known to change nothing."""


class ToolBackend:
    """The tools of a domain over one dialogue's tables; fresh for each dialogue.

    What a tool raises becomes `Error: ...`, a tool that is not there `Unknown action X`: both are
    raised as ToolRefused and kept in `trace`. An `Error: ...` that a tool answers is its result, as
    in tau-bench. Once a terminating tool was called every further call is refused and changes
    nothing: there the dialogue has ended. Calls from several threads run one after another.
    """

    verbatim = True
    """A bot's model is to read these answers as they are: rewards are compared with tau-bench's."""

    keeps_bookings = False
    """What happened stands in `changes`."""

    asks_again = True
    """Whether a bot's model that says nothing is asked once more: the benchmarks do not."""

    def __init__(
        self, domain: ToolDomain, max_steps: int | None = None, *, first_call_only: bool = False
    ) -> None:
        self.domain = domain
        self.first_call_only = first_call_only
        """Whether a bot's answer may hold one call, and others in it are to be dropped."""
        self.max_steps = max_steps
        """Replies and calls that a dialogue may have; None for any number."""
        self.trace: list[ToolCall] = []
        self.finished = False
        """Whether a terminating tool was called."""
        self.counted_calls = 0
        """Calls so far, without those that came after a terminating one and changed nothing."""
        self.data = view(domain)
        """The tables as they stand in this dialogue, copied on write."""
        self.state = StateHash(domain, self.data)
        self._one_call = threading.Lock()
        """Never held to hash: a call that hangs in a bot that was cut off must not hold that up."""

    @property
    def policy(self) -> str:
        """Returns what the bot has to keep to."""
        return self.domain.policy

    @property
    def tools(self) -> Sequence[Mapping[str, Any]]:
        """Returns the tools' JSON schemas, in the form chat-completions APIs take; copies."""
        return [own_copy(tool.schema) for tool in self.domain.tools.values()]

    def call(self, tool: str, /, **arguments: Any) -> str:
        """Returns what the tool answers. Raises ToolRefused if it raised, or if there is none."""
        as_called = _as_called(arguments)
        with self._one_call:
            try:
                result = self._answer(tool, arguments)
            except ToolRefused as refusal:
                self.trace.append(ToolCall(tool, as_called, error=str(refusal)))
                raise
            self.trace.append(ToolCall(tool, as_called, result))
        return result

    def query(self, domain: str, constraints: Mapping[str, str]) -> Sequence[Row]:
        """Nothing: these tables are reached by tools only."""
        return ()

    def bookings(self) -> Sequence[Booking]:
        """Returns nothing: what happened stands in `changes`."""
        return ()

    def changes(self) -> dict[str, dict[str, Any]]:
        """Table -> id -> record as it is now, None if it was removed; only what differs."""
        return self.state.changes()

    def changed_by(self, calls: Sequence[ToolCall]) -> Sequence[bool]:
        """Which of a dialogue's calls change the tables; they are made again over fresh ones.

        A call that changed nothing is not made once more over tables in the same state, in another
        trial of the task, say: tools have no memory but the tables.
        """
        fresh, known = ToolBackend(self.domain), _without_effect(self.domain)
        changed = []
        for call in calls:
            key = _digest(fresh.state.seen, call)
            if key in known and not fresh.finished:
                changed.append(False)
                continue
            with suppress(ToolRefused):
                fresh.call(call.name, **call.arguments)
            changed.append(fresh.state.moved())
            if key and not (changed[-1] or fresh.finished or len(known) >= MAX_KNOWN):
                known.add(key)
        return changed

    def state_hash(self) -> str:
        """tau-bench's hash of the tables as they stand."""
        return self.state.hexdigest()

    def _answer(self, name: str, arguments: Mapping[str, Any]) -> str:
        if self.finished:
            raise ToolRefused(f"{name!s:.80} came after the call that ended the dialogue")
        self.counted_calls += 1
        tool = self.domain.tools.get(name)
        if tool is None:
            raise ToolRefused(f"Unknown action {name}")
        self.finished = name in self.domain.terminating
        try:
            # Tools store arguments in the tables and change them there later: these are its own.
            result = tool.invoke(self.data, **own_copy(arguments))
        except Exception as error:
            raise ToolRefused(f"Error: {error}") from error
        return "" if result is None else str(result)


def _as_called(arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns a copy, as bots go on to use what they passed; what cannot be copied stays theirs."""
    try:
        copied: Mapping[str, Any] = own_copy(arguments)
    except Exception:
        return arguments
    return copied


@lru_cache(maxsize=8)
def _without_effect(domain: ToolDomain) -> set[bytes]:
    """Calls that change nothing, with the state in which they do not."""
    return set()


def _digest(state: bytes, call: ToolCall) -> bytes:
    """Of a call in a state; empty for arguments that are no plain values."""
    packed = pack([call.name, dict(call.arguments)])
    return b"" if packed is None else sha256(state + packed).digest()
