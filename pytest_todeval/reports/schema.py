"""The shape of the results file, schema 1; documented in docs/results.md.

Only named fields are checked when a file is read: others are kept, so a later version may add some.
"""

from typing import NotRequired

# pydantic, which checks files against these, needs this TypedDict below Python 3.12
from typing_extensions import TypeAliasType, TypedDict

__all__ = [
    "JSON",
    "SCHEMA",
    "BookingEntry",
    "DialogueEntry",
    "DriftEntry",
    "EnvironmentEntry",
    "MetricSummary",
    "MetricValue",
    "Results",
    "ScoreEntry",
    "Summary",
    "ToolCallEntry",
    "TurnEntry",
    "UsageEntry",
    "VerdictEntry",
]

SCHEMA = 1

JSON = TypeAliasType("JSON", "bool | int | float | str | list[JSON] | dict[str, JSON] | None")
"""Any plain JSON value."""

MetricValue = bool | float | None
"""True or false; a number (reward); None where the metric does not apply or could not be told."""


class UsageEntry(TypedDict):
    """Tokens, and US dollars."""

    prompt_tokens: int
    completion_tokens: int
    cost: float


class ToolCallEntry(TypedDict):
    """One call of a tool; `error` is what it answered instead of a result."""

    name: str
    arguments: JSON
    result: JSON
    error: str | None


class TurnEntry(TypedDict):
    """One exchange, in order; `latency_s` in seconds."""

    user: str
    system: str
    tool_calls: list[ToolCallEntry]
    state: JSON
    retrieved: list[JSON]
    latency_s: float
    usage: UsageEntry | None


class BookingEntry(TypedDict):
    """What stood in the backend at the end."""

    domain: str
    reference: str
    slots: dict[str, JSON]


class VerdictEntry(TypedDict):
    """The reason of a metric that is a yes or no; `turns` are 1-based."""

    passed: bool
    reason: str
    turns: list[int]
    basis: str
    applicable: bool
    version: str


class ScoreEntry(TypedDict):
    """A number on `scale`, or None with why in `unscored`.

    `turn` is 1-based, None for a score of the whole dialogue.
    """

    value: float | None
    reason: str
    unscored: str | None
    turn: int | None
    scale: list[float]


class DriftEntry(TypedDict):
    """A turn (1-based) that the bot answered otherwise than when the user was recorded."""

    turn: int
    was: str
    now: str


class DialogueEntry(TypedDict):
    """One dialogue: what was said and done, and what it is worth."""

    test: str
    goal: str
    trial: int
    outcome: str
    stop_reason: str
    detail: str
    metrics: dict[str, MetricValue]
    verdicts: dict[str, VerdictEntry]
    scores: dict[str, list[ScoreEntry]]
    rules: dict[str, JSON]
    bookings: list[BookingEntry]
    backend_known: bool
    turns: list[TurnEntry]
    last_words: str
    usage: UsageEntry
    drift: NotRequired[list[DriftEntry]]


class EnvironmentEntry(TypedDict):
    """What the numbers rest on. `goal_sets`: fingerprint by name; `metrics`: definition by name."""

    todeval: str
    python: str
    goal_sets: dict[str, str]
    metrics: dict[str, str]
    settings: dict[str, JSON]


class MetricSummary(TypedDict):
    """`total` dialogues to which the metric applies; `rate` is their mean, None without any.

    `hits` counts the passed ones; None for a metric with other values than true and false.
    """

    hits: int | None
    total: int
    rate: float | None


class Summary(TypedDict):
    """Counts of all dialogues; rates over those that passed or failed, faults left out."""

    dialogues: int
    outcomes: dict[str, int]
    metrics: dict[str, MetricSummary]


class Results(TypedDict):
    """The whole file."""

    schema: int
    environment: EnvironmentEntry
    dialogues: list[DialogueEntry]
    summary: Summary
