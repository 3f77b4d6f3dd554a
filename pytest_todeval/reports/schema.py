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
    "ClaimEntry",
    "DialogueEntry",
    "DomainGoalEntry",
    "DriftEntry",
    "EnvironmentEntry",
    "ExampleEntry",
    "GoalEntry",
    "MetricSummary",
    "MetricValue",
    "Results",
    "SampleEntry",
    "ScoreEntry",
    "ScoreSummary",
    "SpanEntry",
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


class SpanEntry(TypedDict):
    """A named part of a turn, with the seconds it took."""

    name: str
    seconds: float


class ClaimEntry(TypedDict):
    """What the bot's words say, in the notation of `core.notation`.

    `doubt`: why it may be misheard.
    """

    claim: str
    doubt: NotRequired[str]


class TurnEntry(TypedDict):
    """One exchange, in order; `latency_s` in seconds.

    `heard`: what the bot's words say; `heard_by`: the bot itself, a model's name, or `rules`.
    """

    user: str
    system: str
    tool_calls: list[ToolCallEntry]
    state: JSON
    retrieved: list[JSON]
    latency_s: float
    usage: UsageEntry | None
    spans: NotRequired[list[SpanEntry]]
    heard: NotRequired[list[ClaimEntry]]
    heard_by: NotRequired[str]
    user_calls: NotRequired[list[ToolCallEntry]]
    booked: NotRequired[list["BookingEntry"]]
    cancelled: NotRequired[list["BookingEntry"]]


class BookingEntry(TypedDict):
    """What stood in the backend at the end."""

    domain: str
    reference: str
    slots: dict[str, JSON]


class VerdictEntry(TypedDict):
    """The reason of a metric that is a yes or no; `turns` are 1-based.

    `passed` is None if it is undecided; then `doubt` quotes the words that may be misheard.
    """

    passed: bool | None
    reason: str
    turns: list[int]
    basis: str
    applicable: bool
    version: str
    metric_set: NotRequired[str]
    doubt: NotRequired[str]


class SampleEntry(TypedDict):
    """One of several answers to the same question; `by` is the model that gave it."""

    by: str
    value: float | None
    reason: str


class ScoreEntry(TypedDict):
    """A number on `scale`, or None with why in `unscored`.

    `turn` is 1-based, None for a score of the whole dialogue. Scores are comparable where their
    definitions are equal. `samples` are there where more than one answer was asked for.
    """

    value: float | None
    reason: str
    unscored: str | None
    turn: int | None
    scale: list[float]
    definition: NotRequired[str]
    samples: NotRequired[list[SampleEntry]]


class DriftEntry(TypedDict):
    """A turn (1-based) that the bot answered otherwise than when the user was recorded."""

    turn: int
    was: str
    now: str


class DomainGoalEntry(TypedDict):
    """What the user wanted of one domain; the fields of `core.goal.DomainGoal`."""

    domain: str
    inform: dict[str, str]
    fail_inform: dict[str, str]
    book: dict[str, str]
    fail_book: dict[str, str]
    request: list[str]
    wants_booking: bool


class ExampleEntry(TypedDict):
    """A sentence of the bot, and what it means, in the notation of `core.notation`."""

    says: str
    means: list[str]


class GoalEntry(TypedDict):
    """What the user wanted: enough to judge the dialogue again without the data set.

    It holds the solution, which no user simulator may see.
    """

    id: str
    source: str
    message: list[str]
    domains: list[DomainGoalEntry]
    solution: str
    published: bool
    opening: NotRequired[list[TurnEntry]]
    hearing: NotRequired[list[ExampleEntry]]


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
    last_calls: NotRequired[list[ToolCallEntry]]
    usage: UsageEntry
    drift: NotRequired[list[DriftEntry]]
    goal_record: NotRequired[GoalEntry]
    fault: NotRequired[str | None]
    calls: NotRequired[dict[str, JSON]]
    raised: NotRequired[str]
    notes: NotRequired[list[str]]
    trivial: NotRequired[str]


class EnvironmentEntry(TypedDict):
    """What the numbers rest on.

    `goal_sets`: fingerprint by name; `metrics`: definition by name; `models`: the names of those
    asked, by lane; `prompts`: definition (version and hash) by name.
    """

    todeval: str
    python: str
    goal_sets: dict[str, str]
    metrics: dict[str, str]
    settings: dict[str, JSON]
    models: NotRequired[dict[str, list[str]]]
    prompts: NotRequired[dict[str, str]]


class MetricSummary(TypedDict):
    """`total` dialogues to which the metric applies; `rate` is their mean, None without any and
    where their definitions differ.

    `hits` counts the passed ones; None for a metric with other values than true and false. Of
    pass^k, `total` tasks have k trials, `left_out` have fewer, and `interval` is that of 95 %.
    """

    hits: int | None
    total: int
    rate: float | None
    interval: NotRequired[list[float]]
    left_out: NotRequired[int]


class ScoreSummary(TypedDict):
    """Of all turns and dialogues that have the score: how many have a number, and what it is.

    `mean` and `min` are None without any number, and where `definition` is `(differs)`: numbers of
    different definitions make no mean.
    """

    mean: float | None
    min: float | None
    scored: int
    not_applicable: int
    unscored: int
    definition: str


class Summary(TypedDict):
    """Counts of all dialogues; rates over those that passed or failed, faults left out."""

    dialogues: int
    outcomes: dict[str, int]
    metrics: dict[str, MetricSummary]
    scores: NotRequired[dict[str, ScoreSummary]]


class Results(TypedDict):
    """The whole file."""

    schema: int
    environment: EnvironmentEntry
    dialogues: list[DialogueEntry]
    summary: Summary
