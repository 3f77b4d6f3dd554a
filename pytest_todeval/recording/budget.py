"""Budgets: how many real calls a run may make, and what they may cost."""

import threading
from collections.abc import Mapping
from typing import Any

from pytest_todeval.errors import TodevalError
from pytest_todeval.prices import Prices
from pytest_todeval.recording.bodies import parse
from pytest_todeval.recording.call import Request, Response


class BudgetSpent(TodevalError):
    """A call would have gone beyond what the run may spend; it was not made."""


class Budget:
    """What real calls may still be made; one for all dialogues of a process, from any thread.

    `split` says in messages how this budget came of the run's. The cost is known when an answer is
    there: calls under way at once may together exceed it. Calls that name no model cost nothing.
    """

    def __init__(
        self,
        max_calls: int | None = None,
        max_cost: float | None = None,
        prices: Prices | None = None,
        split: str = "",
    ) -> None:
        self.max_calls, self.max_cost, self._split = max_calls, max_cost, split
        self._prices = prices or Prices()
        self.calls = 0
        """Real calls so far."""
        self.cost = 0.0
        """US dollars so far, if there is a limit to them."""
        self._unknown: TodevalError | None = None
        self._lock = threading.RLock()

    def take(self, request: Request) -> None:
        """Counts a call that is about to be made.

        Raises BudgetSpent if none is left, UsageError if a model has no price.
        """
        with self._lock:
            if self._unknown is not None:
                raise BudgetSpent(
                    f"no more calls are made, because the cost of one is unknown: {self._unknown}"
                )
            if self.max_calls is not None and self.calls >= self.max_calls:
                raise BudgetSpent(
                    f"{self.calls} calls were made, as many as --todeval-max-calls allows"
                    f"{self._split}; {_GO_ON}"
                )
            if self.max_cost is not None:
                self._take_cost(self.max_cost, _model(request))
            self.calls += 1

    def _take_cost(self, max_cost: float, model: str) -> None:
        if self.cost >= max_cost:
            raise BudgetSpent(
                f"{self.calls} calls cost {self.cost:.4f} US dollars, and --todeval-max-cost "
                f"allows {max_cost:g}{self._split}; {_GO_ON}"
            )
        if model:
            self._prices.require(model)

    def answered(self, request: Request, response: Response) -> None:
        """Counts what an answer cost; no more calls are made after one that does not say.

        Raises UsageError or BudgetSpent if that is unknown.
        """
        if self.max_cost is None or response.status >= 400:
            return
        with self._lock:
            try:
                self.cost += self._cost(_model(request), *_usage(response))
            except TodevalError as error:
                self._unknown = self._unknown or error
                raise

    def _cost(self, asked: str, answered: str, usage: Mapping[str, Any]) -> float:
        models = list(filter(None, (answered, asked)))
        if not models:
            return 0.0
        model = self._prices.require(*models)
        cost = self._prices.cost(model, usage)
        if cost is None:
            raise BudgetSpent(
                f"an answer of the model {model!r} does not say how many tokens it took, so its "
                "cost is unknown, and --todeval-max-cost cannot be kept. For streams, pass "
                '`stream_options={"include_usage": True}`; or use --todeval-max-calls'
            )
        return cost


_GO_ON = "what was recorded is kept: raise the limit and run again to go on"


def _model(request: Request) -> str:
    body = parse(request.content_type, request.body)
    model = body.get("model") if isinstance(body, dict) else None
    return model if isinstance(model, str) else ""


def _usage(response: Response) -> tuple[str, Mapping[str, Any]]:
    """Returns the model and its usage; in a stream, the last event that tells."""
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
    answer: Any = parse("application/json", body) if b'"usage"' in body else None
    usage = answer.get("usage") if isinstance(answer, dict) else None
    return (str(answer.get("model", "")), usage) if isinstance(usage, dict) else ("", {})
