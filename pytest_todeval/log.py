"""For bots that report from inside what they did, if their return value has no room for it.

Each helper writes one record to the standard library's logger `todeval`; during a dialogue the
records become the turn's tool calls, retrieved items, belief state and spans. Elsewhere they cost
one level check. Code that must not import this package writes the same records itself:

    logging.getLogger("todeval").info("tool_call", extra={"tool": "find_hotel", "arguments": {...}})

The message is the kind, the rest are fields: `tool_call` (`tool`, `arguments`, and `result` or
`error`), `retrieval` (`items`, best first, and `query`), `state` (`state`), `turn_state`
(`turn_state`), `span` (`span`, `seconds`), `acts` (`acts`, what the turn says: `["booked"]`, see
`core.notation`). The level is INFO. The field is `tool`, since `logging` keeps `name` for itself.
"""

import logging
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

__all__ = ["LOGGER_NAME", "acts", "retrieval", "span", "state", "tool_call", "turn_state"]

LOGGER_NAME = "todeval"
_LOGGER = logging.getLogger(LOGGER_NAME)


def tool_call(
    name: str,
    arguments: Mapping[str, Any] | None = None,
    *,
    result: Any = None,
    error: str | None = None,
) -> None:
    """Report a call of a tool: what came back as `result`, or what it refused with as `error`."""
    _report("tool_call", tool=name, arguments=arguments, result=result, error=error)


def retrieval(items: Iterable[Any], *, query: Any = None) -> None:
    """Report items retrieved for this turn, best first; several calls in one turn add up."""
    if _LOGGER.isEnabledFor(logging.INFO):  # an iterator must not be used up for nobody
        _report("retrieval", items=list(items), query=query)


def state(state: Mapping[str, Any]) -> None:
    """Report the belief state `{domain: {slot: value}}`; the last one of a turn counts."""
    _report("state", state=state)


def turn_state(turn_state: Mapping[str, Any]) -> None:
    """Report what this turn adds to the belief state or changes in it, of a tracker that predicts
    that instead of the whole; the last one of a turn counts.
    """
    _report("turn_state", turn_state=turn_state)


def acts(*acts: str | Mapping[str, Any]) -> None:
    """Report what this turn says ("booked", "offer Rose House"); it wins over the ear.

    Several calls in one turn add up; `acts()` without any says that the turn claims nothing.
    """
    _report("acts", acts=acts)


@contextmanager
def span(name: str) -> Iterator[None]:
    """Time a named part of the turn; also if it raises."""
    started = time.perf_counter()
    try:
        yield
    finally:
        _report("span", span=name, seconds=time.perf_counter() - started)


def _report(kind: str, **fields: Any) -> None:
    if _LOGGER.isEnabledFor(logging.INFO):
        _LOGGER.info(kind, extra=fields, stacklevel=3)
