"""Budgets: how many real calls a run may make, and what they may cost."""

import json
import threading
from collections.abc import Callable, Mapping
from typing import Any

from pytest_todeval.errors import TodevalError
from pytest_todeval.recording.call import Response

__all__ = ["Budget", "BudgetSpent", "Price"]

Price = Callable[[str, Mapping[str, Any]], float]
"""What a call cost in US dollars, from the model's name and the `usage` of its answer."""


class BudgetSpent(TodevalError):
    """A call would have gone beyond what the run may spend; it was not made."""


class Budget:
    """What real calls may still be made; one for all dialogues of a run, from any thread.

    The cost is known when an answer is there: calls under way at once may together exceed it.
    """

    def __init__(
        self,
        max_calls: int | None = None,
        max_cost: float | None = None,
        price: Price | None = None,
    ) -> None:
        self.max_calls, self.max_cost, self._price = max_calls, max_cost, price
        self.calls = 0
        """Real calls so far."""
        self.cost = 0.0
        """US dollars so far, of the calls whose answer says what was used."""
        self._lock = threading.RLock()

    def take(self) -> None:
        """Count a call that is about to be made. Raises BudgetSpent where none is left."""
        with self._lock:
            if self.max_calls is not None and self.calls >= self.max_calls:
                raise BudgetSpent(
                    f"{self.calls} calls were made, which is all that --todeval-max-calls allows; "
                    "what was recorded is kept: raise the limit and run again to go on"
                )
            if self.max_cost is not None and self.cost >= self.max_cost:
                raise BudgetSpent(
                    f"{self.calls} calls cost {self.cost:.4f} US dollars, and --todeval-max-cost "
                    f"allows {self.max_cost:g}; what was recorded is kept: raise the limit and "
                    "run again to go on"
                )
            self.calls += 1

    def answered(self, response: Response) -> None:
        """Count what an answer cost."""
        if self._price is None:
            return
        model, usage = _usage(response)
        if usage:
            with self._lock:
                self.cost += self._price(model, usage)


def _usage(response: Response) -> tuple[str, Mapping[str, Any]]:
    """The model and its usage; in a stream, the last event that tells."""
    if response.events is None:
        return _usage_of(response.body)
    for event in reversed(response.events):
        data = b"".join(
            line[5:] for line in event.splitlines() if line.startswith(b"data:") and b"{" in line
        )
        model, usage = _usage_of(data)
        if usage:
            return model, usage
    return "", {}


def _usage_of(body: bytes) -> tuple[str, Mapping[str, Any]]:
    if b'"usage"' not in body:
        return "", {}
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        return "", {}
    usage = answer.get("usage") if isinstance(answer, dict) else None
    if not isinstance(usage, dict):
        return "", {}
    return str(answer.get("model", "")), usage
