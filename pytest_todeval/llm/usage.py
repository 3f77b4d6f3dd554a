"""What asking models took: tokens, seconds and dollars, per call, lane and dialogue."""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass, field
from math import fsum
from typing import TYPE_CHECKING

from pytest_todeval.core.lane import Lane, Place, here
from pytest_todeval.prices import Prices

if TYPE_CHECKING:
    from pytest_todeval.llm.limits import Passage

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


_LEDGER: ContextVar[Ledger | None] = ContextVar("todeval_ledger", default=None)


@contextmanager
def ledger() -> Iterator[Ledger]:
    """Collect what is asked in the body, in threads and tasks that it starts as well."""
    opened = Ledger()
    token = _LEDGER.set(opened)
    try:
        yield opened
    finally:
        _LEDGER.reset(token)


def open_ledger() -> Ledger | None:
    """The ledger that is open here, if there is one."""
    return _LEDGER.get()


def _book() -> Ledger:
    """The open ledger, else one that nobody reads."""
    return _LEDGER.get() or Ledger()


def note(model: str, spent: Spent) -> None:
    """Enter an answered call into the open ledger, if there is one."""
    _book().calls.append(ModelCall(model, here(), spent))


@contextmanager
def under_way(call: "Passage") -> Iterator[None]:
    """While the body makes a call, the open ledger, if there is one, has it under way."""
    calls = _book().under_way
    calls.add(call)
    try:
        yield
    finally:
        calls.discard(call)


def advise(text: str) -> None:
    """Have the open ledger, if there is one, tell the person something about an endpoint."""
    _book().advice[text] = None


def note_prompt(name: str, definition: str) -> None:
    """Enter a prompt that is about to be used into the open ledger, if there is one."""
    _book().prompts[name] = definition


def note_rules(hashes: Mapping[str, str]) -> None:
    """Enter rule sets that a judge goes by into the open ledger, if there is one."""
    _book().rules.update(hashes)


@dataclass(frozen=True, slots=True)
class Totals:
    """What some calls took together."""

    calls: int
    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int
    seconds: float
    """Of all answers, one after the other."""
    dollars: float | None
    """By tokens; None if one of the models has no price."""
    flop_dollars: float | None
    """By computation; None if the number of parameters of one of the models is not known."""
    models: tuple[str, ...]
    """Sorted."""

    @classmethod
    def of(cls, calls: Iterable[ModelCall], prices: Prices) -> "Totals":
        calls = list(calls)
        spent = [call.spent for call in calls]
        return cls(
            calls=len(calls),
            prompt_tokens=sum(each.prompt_tokens for each in spent),
            completion_tokens=sum(each.completion_tokens for each in spent),
            cached_tokens=sum(each.cached_tokens for each in spent),
            seconds=fsum(each.latency for each in spent),
            dollars=_sum(call.dollars(prices) for call in calls),
            flop_dollars=_sum(call.flop_dollars(prices) for call in calls),
            models=tuple(sorted({call.model for call in calls})),
        )


def totals(calls: Iterable[ModelCall], prices: Prices) -> dict[Lane | None, Totals]:
    """What each lane's calls took, in the order of `Lane`; None: outside any dialogue, last."""
    by_lane: dict[Lane | None, list[ModelCall]] = {lane: [] for lane in (*Lane, None)}
    for call in calls:
        by_lane[call.lane].append(call)
    return {lane: Totals.of(made, prices) for lane, made in by_lane.items() if made}


def plain_totals(calls: Iterable[ModelCall], prices: Prices) -> dict[str, dict[str, object]]:
    """The same as plain JSON by the name of the lane, `none` outside any dialogue."""
    return {
        "none" if lane is None else lane.value: {
            **asdict(total),
            "seconds": round(total.seconds, 6),
            "models": list(total.models),
        }
        for lane, total in totals(calls, prices).items()
    }


def _count(value: object) -> int:
    return value if type(value) is int and 0 <= value <= MOST_TOKENS else 0


def _sum(values: Iterable[float | None]) -> float | None:
    """The sum; None if one of the values is not known."""
    values = list(values)
    return fsum(value for value in values if value is not None) if None not in values else None
