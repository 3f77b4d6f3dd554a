"""What the helpers of `pytest_todeval.log` cost outside a test, beside the standard library's.

    python benchmarks/log_cost.py

Prints, for each helper, the ratio of its time to that of a logging call that is disabled, with as
many arguments. Both are measured in one process, in turns, in seconds of the processor; the least
of the rounds counts, since all else is somebody else's load.
"""

import logging
import time
import timeit
from collections.abc import Callable

from pytest_todeval import log

ROUNDS = 41
CALLS = 20_000
LOGGER = logging.getLogger("somebody.else")
FOUND = ["acorn"]
STATE = {"hotel": {"area": "north"}}


def plain() -> None:
    """A logging call that is disabled, with two arguments, as code has them."""
    LOGGER.info("found %s for %s", FOUND, "north")


def with_fields() -> None:
    """The same with the fields of a record, as of a bot that imports nothing of ours."""
    LOGGER.info("tool_call", extra={"tool": "find_hotel", "arguments": STATE, "result": FOUND})


def tool_call() -> None:
    log.tool_call("find_hotel", STATE, result=FOUND)


def retrieval() -> None:
    log.retrieval(FOUND, query="north")


def state() -> None:
    log.state(STATE)


def turn_state() -> None:
    log.turn_state(STATE)


def usage() -> None:
    log.usage(1000, 200, model="m")


def acts() -> None:
    log.acts("booked")


def span() -> None:
    with log.span("search"):
        pass


def seconds(call: Callable[[], None]) -> float:
    """Of one round."""
    return timeit.timeit(call, number=CALLS, timer=time.process_time)


def main() -> None:
    """Measure and print."""
    helpers = (with_fields, tool_call, retrieval, state, turn_state, usage, acts, span)
    logging.getLogger("todeval").isEnabledFor(logging.INFO)
    base, found = float("inf"), dict.fromkeys(helpers, float("inf"))
    for _ in range(ROUNDS):
        for helper in helpers:
            base = min(base, seconds(plain))
            found[helper] = min(found[helper], seconds(helper))
    print(f"a disabled logging call: {base / CALLS * 1e9:.0f} ns")
    for helper, least in found.items():
        print(f"{helper.__name__:12} {least / base:.2f} x")


if __name__ == "__main__":
    main()
