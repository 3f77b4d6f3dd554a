"""What asking models took: tokens, seconds and dollars, per call, lane and dialogue."""

from collections.abc import Hashable, Iterable, Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar
from dataclasses import dataclass, field
from math import fsum
from typing import TYPE_CHECKING, Any

from pytest_todeval.core.context import holding
from pytest_todeval.core.lane import Lane, Place, here
from pytest_todeval.prices import Prices

if TYPE_CHECKING:
    from pytest_todeval.models.limits import Passage

MOST_TOKENS = 10**12
"""No answer takes more; what a server says beyond that is not believed."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What one answer took."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    """Of the prompt: those that the provider had in its cache."""
    latency: float = 0.0
    """Seconds, retries included, waiting for limits of ours not."""

    @classmethod
    def of(cls, usage: object, latency: float) -> "Spent":
        """From the `usage` of an answer; what it does not say, or says wrongly, is 0."""
        said = usage if isinstance(usage, dict) else {}
        details = said.get("prompt_tokens_details")
        cached = details.get("cached_tokens") if isinstance(details, dict) else None
        prompt = _count(said.get("prompt_tokens"))
        completion = _count(said.get("completion_tokens"))
        return cls(prompt, completion, min(_count(cached), prompt), latency)

    @property
    def usage(self) -> dict[str, object]:
        return {
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "prompt_tokens_details": {"cached_tokens": self.cached_tokens},
        }


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One answered call."""

    model: str
    place: Place | None
    """Dialogue, lane and turn; None outside any dialogue."""
    spent: Spent

    @property
    def lane(self) -> Lane | None:
        return None if self.place is None else self.place.lane

    def dollars(self, prices: Prices) -> float | None:
        """US dollars by tokens; None if the model has no price."""
        if not prices.has_price(self.model):
            return None
        return prices.cost(self.model, self.spent.usage)

    def flop_dollars(self, prices: Prices) -> float | None:
        """US dollars by computation; None if the number of parameters is not known."""
        return prices.flop_cost(self.model, self.spent.prompt_tokens + self.spent.completion_tokens)


@dataclass
class Ledger:
    """The answered calls made while it is open, from any thread."""

    calls: list[ModelCall] = field(default_factory=list)
    """In the order of the answers; threads only ever append, which is atomic."""
    prompts: dict[str, str] = field(default_factory=dict)
    """The definition of each prompt that was rendered, by name."""
    rules: dict[str, str] = field(default_factory=dict)
    """A hash of each rule set that was gone by, by name."""
    advice: dict[str, None] = field(default_factory=dict)
    """What the person should know of an endpoint, each text once, in the order of its coming."""
    under_way: "set[Passage]" = field(default_factory=set, repr=False)
    """The calls that are not answered yet."""
    _learned: dict[Hashable, set[str]] = field(default_factory=dict, repr=False)

    def learned(self, who: Hashable) -> set[str]:
        """What was learned about an endpoint while the ledger is open: forgotten with it."""
        return self._learned.setdefault(who, set())


_LEDGER: ContextVar[Ledger] = ContextVar("todeval_ledger")


def ledger(kept: Ledger | None = None) -> AbstractContextManager[Ledger]:
    """Collects what is asked in the body, in threads and tasks that it starts as well.

    In a ledger of its own, unless one is given to go on with.
    """
    return holding(_LEDGER, Ledger() if kept is None else kept)


def book() -> Ledger:
    """Returns the ledger that is open here, else one that nobody reads: to enter something into."""
    return _LEDGER.get(None) or Ledger()


def note(model: str, spent: Spent) -> None:
    """Enters an answered call into the open ledger, if there is one."""
    book().calls.append(ModelCall(model, here(), spent))


def plain_totals(calls: Iterable[ModelCall], prices: Prices) -> dict[str, dict[str, Any]]:
    """Returns what each lane's calls took, as plain JSON, in the order of `Lane`.

    Calls outside any dialogue come last, under `none`. What some calls cost is None if that is not
    known of one of them: by tokens without a price of its model, by computation without the number
    of its parameters.
    """
    by_lane: dict[Lane | None, list[ModelCall]] = {lane: [] for lane in (*Lane, None)}
    for call in calls:
        by_lane[call.lane].append(call)
    named = {lane.value if lane else "none": made for lane, made in by_lane.items() if made}
    return {name: _total(made, prices) for name, made in named.items()}


def _total(calls: Sequence[ModelCall], prices: Prices) -> dict[str, Any]:
    spent = [call.spent for call in calls]
    return {
        "calls": len(calls),
        "prompt_tokens": sum(each.prompt_tokens for each in spent),
        "completion_tokens": sum(each.completion_tokens for each in spent),
        "cached_tokens": sum(each.cached_tokens for each in spent),
        "seconds": round(fsum(each.latency for each in spent), 6),
        "dollars": _sum(call.dollars(prices) for call in calls),
        "flop_dollars": _sum(call.flop_dollars(prices) for call in calls),
        "models": sorted({call.model for call in calls}),
    }


def _count(value: object) -> int:
    return value if type(value) is int and 0 <= value <= MOST_TOKENS else 0


def _sum(values: Iterable[float | None]) -> float | None:
    """Returns the sum; None if one of the values is not known."""
    values = list(values)
    return fsum(value for value in values if value is not None) if None not in values else None
