"""For bots that report from inside what they did, if their return value has no room for it.

Each helper writes one record to the standard library's logger `todeval`; during a dialogue the
records become the turn's tool calls, retrieved items, belief state, usage and spans. Elsewhere they
cost one level check. Code that must not import this package writes the same records itself:

    logging.getLogger("todeval").info("tool_call", extra={"tool": "find_hotel", "arguments": {...}})

The message is the kind, the rest are fields: `tool_call` (`tool`, `arguments`, and `result` or
`error`), `retrieval` (`items`, best first, and `query`), `state` (`state`), `turn_state`
(`turn_state`), `usage` (`prompt_tokens`, `completion_tokens`, `model`, `cost`), `span` (`span`,
`seconds`), `acts` (`acts`, what the turn says: `["booked"]`, see `core.notation`). The level is
INFO. The field is `tool`, since `logging` keeps `name` for itself.
"""

import logging
from collections.abc import Iterable, Mapping
from time import perf_counter
from typing import Any

__all__ = ["LOGGER_NAME", "acts", "retrieval", "span", "state", "tool_call", "turn_state", "usage"]

LOGGER_NAME = "todeval"
_LOGGER = logging.getLogger(LOGGER_NAME)
_wanted = _LOGGER.isEnabledFor
"""Each helper asks first of all: outside a dialogue that is all it does."""
_INFO = logging.INFO


def tool_call(
    name: str,
    arguments: Mapping[str, Any] | None = None,
    *,
    result: Any = None,
    error: str | None = None,
) -> None:
    """Reports a call of a tool: what came back as `result`, or what it refused with as `error`."""
    if _wanted(_INFO):
        _report("tool_call", tool=name, arguments=arguments, result=result, error=error)


def retrieval(items: Iterable[Any], *, query: Any = None) -> None:
    """Reports items retrieved for this turn, best first; several calls in one turn add up."""
    if _wanted(_INFO):  # an iterator must not be used up for nobody
        _report("retrieval", items=list(items), query=query)


def state(state: Mapping[str, Any]) -> None:
    """Reports the belief state `{domain: {slot: value}}`; the last one of a turn counts."""
    if _wanted(_INFO):
        _report("state", state=state)


def turn_state(turn_state: Mapping[str, Any]) -> None:
    """Reports what this turn adds to the belief state or changes in it, of a tracker that predicts
    that instead of the whole; the last one of a turn counts.
    """
    if _wanted(_INFO):
        _report("turn_state", turn_state=turn_state)


def usage(
    prompt_tokens: int = 0, completion_tokens: int = 0, *, model: str = "", cost: float = 0.0
) -> None:
    """Reports what a call of a model took, in tokens or US dollars; several in one turn add up."""
    if _wanted(_INFO):
        told = {"prompt_tokens": prompt_tokens, "completion_tokens": completion_tokens}
        _report("usage", **told, model=model, cost=cost)


def acts(*acts: str | Mapping[str, Any]) -> None:
    """Reports what this turn says ("booked", "offer Rose House"); it wins over the ear.

    Several calls in one turn add up; `acts()` without any says that the turn claims nothing.
    """
    if _wanted(_INFO):
        _report("acts", acts=acts)


def span(name: str) -> "_Span":
    """Time a named part of the turn, as a context manager; also if it raises."""
    return _Span(name) if _wanted(_INFO) else _UNTIMED


class _Span:
    """A part of the turn that is timed; one without a name is not."""

    __slots__ = ("_name", "_started")

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None:
        if self._name:
            self._started = perf_counter()

    def __exit__(self, *_: object) -> None:
        if self._name:
            _report("span", span=self._name, seconds=perf_counter() - self._started)


_UNTIMED = _Span("")


def _report(kind: str, **fields: Any) -> None:
    _LOGGER.info(kind, extra=fields, stacklevel=3)
