"""What goes wrong with a backend's calls, as it does in production: once, or from then on."""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.backends.replaced_call import calls_through
from pytest_todeval.errors import UsageError, known_names

KINDS = {
    "slow": "answers after half a second",
    "empty": "finds nothing, once",
    "timeout": "does not answer, once",
    "malformed": "answers with rows that are cut off, once",
    "refuses": "refuses, once",
    "refuses_always": "refuses, and all later calls of that tool",
    "lost": "does what was asked, and its answer is lost, once: a retry does it twice",
}
"""What each does to a call, the mildest first."""
REFUSED = "temporarily unavailable"
SLOW = 0.5


@dataclass(frozen=True, slots=True)
class BackendFault:
    """One fault of the backend in a dialogue."""

    kind: str
    call: int = 1
    """The number of the call that it hits, from 1; of those to `tool`."""
    tool: str = ""
    """What the name of the tool begins with; empty for any."""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise UsageError(
                f"no backend fault {self.kind!r:.60}; {known_names(str(self.kind), KINDS)}"
            )
        if isinstance(self.call, bool) or not isinstance(self.call, int) or self.call < 1:
            raise UsageError(
                f"backend fault {self.kind}: call: got {self.call!r}, expected 1 or more"
            )

    @property
    def name(self) -> str:
        return f"{self.kind}{self.call}{self.tool}"

    def __str__(self) -> str:
        which = f"call {self.call}" + (f" of {self.tool}..." if self.tool else "")
        return f"{which}: the backend {KINDS[self.kind]}"


class _Faulty:
    """`call` of a backend, with faults."""

    def __init__(
        self, call: Callable[..., Any], backend: Any, faults: Sequence[BackendFault]
    ) -> None:
        self._call, self._backend, self._faults = call, backend, faults
        self._calls = [0] * len(faults)
        self._refused: set[str] = set()

    def __call__(self, tool: str, /, **arguments: Any) -> Any:
        kind = next(self._due(tool), "")
        if kind == "refuses_always":
            self._refused.add(tool)
        if tool in self._refused or kind == "refuses":
            return self._fail(tool, arguments, ToolRefused(REFUSED))
        if kind == "timeout":
            return self._fail(tool, arguments, TimeoutError("the backend did not answer in time"))
        if kind == "slow":
            time.sleep(SLOW)
        result = self._call(tool, **arguments)
        if kind == "lost":
            raise TimeoutError("the backend did not answer in time")
        changed = (
            empty(result) if kind == "empty" else _cut(result) if kind == "malformed" else result
        )
        return self._as_traced(result, changed)

    def _due(self, tool: str) -> Iterator[str]:
        """Returns what is wrong with this call; each fault that names the tool counts it."""
        due = []
        for at, fault in enumerate(self._faults):
            if tool.startswith(fault.tool):
                self._calls[at] += 1
                due += [fault.kind] if self._calls[at] == fault.call else []
        yield from due

    def _fail(self, tool: str, arguments: dict[str, Any], error: Exception) -> Any:
        """The call stands in the trace as the bot saw it."""
        trace = getattr(self._backend, "trace", None)
        if isinstance(trace, list):
            from pytest_todeval.core.tool_calls import ToolCall

            trace.append(ToolCall(tool, arguments, error=str(error)))
        raise error

    def _as_traced(self, result: Any, changed: Any) -> Any:
        trace = getattr(self._backend, "trace", None)
        if changed is not result and isinstance(trace, list) and trace:
            from dataclasses import replace

            trace[-1] = replace(trace[-1], result=changed)
        return changed


@contextmanager
def faulty(backend: Any, faults: Sequence[BackendFault]) -> Iterator[None]:
    """While the body runs, the backend's `call` has these faults.

    Raises UsageError for a backend that the bot does not call through `call(tool, **arguments)`.
    """
    if not faults:
        yield
        return
    call = getattr(backend, "call", None)
    if not callable(call):
        raise UsageError(
            f"backend faults need a `backend` whose tools the bot calls by `backend.call(tool, "
            f"**arguments)`; {type(backend).__name__} has no such method"
        )
    with calls_through(backend, _Faulty(call, backend, faults)):
        yield


def empty(result: Any) -> Any:
    """Returns what a search says that finds nothing; anything else as it is."""
    if isinstance(result, list):
        return []
    if isinstance(result, dict):
        rows: dict[str, Any] = {key: [] for key, value in result.items() if isinstance(value, list)}
        return {**result, **rows, **({"count": 0} if rows and "count" in result else {})}
    return result


def _cut(result: Any) -> Any:
    """Rows of which the second half of each text is missing, and every other value."""
    if isinstance(result, dict):
        kept = [*result.items()]
        return {key: _cut(value) for key, value in kept[: max(1, (len(kept) + 1) // 2)]}
    if isinstance(result, list):
        return [_cut(each) for each in result]
    if isinstance(result, str):
        try:
            return json.dumps(_cut(json.loads(result)))
        except ValueError:
            return result[: len(result) // 2]
    return result
