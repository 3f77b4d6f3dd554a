"""The shape of the results file, schema 1; documented in docs/results_file.md.

Only named fields are checked when a file is read: others are kept, so a later version may add some.
"""

from collections.abc import Callable, Hashable, Iterable
from typing import Any, NotRequired, TypeVar

# pydantic, which checks files against these, needs this TypedDict below Python 3.12
from typing_extensions import TypeAliasType, TypedDict

from pytest_todeval.core.outcome import Outcome
from pytest_todeval.runs.reports.summary_schema import (
    ComparisonSummary,
    CompositeSummary,
    EffortSummary,
    FlipSummary,
    GamesSummary,
    KeywordSummary,
    LatencySummary,
    OverallSummary,
    QuarantineSummary,
    ResolutionSummary,
    RuleSummary,
)

SCHEMA = 1
K = TypeVar("K", bound=Hashable)

JSON = TypeAliasType("JSON", "bool | int | float | str | list[JSON] | dict[str, JSON] | None")
"""Any plain JSON value."""

MetricValue = bool | float | None
"""True or false; a number (reward); None if the metric does not apply or could not be told."""

Noun = dict[str, Any]
"""A noun of the core as plain JSON: its fields are those of its class (`runs.reports.nouns`)."""


class DriftEntry(TypedDict):
    """A turn (1-based) that the bot answered otherwise than when the user was recorded."""

    turn: int
    was: str
    now: str


class KeywordEntry(TypedDict):
    """A keyword of the goal, and where who (`user` or `bot`) raised it first."""

    keyword: str
    turn: int | None
    speaker: str | None


class ComparisonEntry(TypedDict):
    """Which is better, `this` dialogue or the `other`, or a `tie`; None if it is undecided.

    `against` is a hash of what was said in the other.
    """

    against: str
    winner: str | None
    reason: str
    consistent: bool
    undecided: str | None
    games: list[Noun]
    definition: str


class SpentEntry(TypedDict, total=False):
    """What the calls of one lane took; other figures may stand beside these."""

    calls: int
    prompt_tokens: float | None
    completion_tokens: float | None
    dollars: float | None
    flop_dollars: float | None
    models: list[str]


class QuarantineEntry(TypedDict):
    """Why a goal is in quarantine (marker `flaky_goal`), and the last day of that."""

    reason: str
    until: str


class DialogueEntry(TypedDict):
    """One dialogue: who played it, what came of it, and the fields of `core.dialogue.Dialogue`.

    Of these only those stand here that are read from the plain form. `chance`: what may come out
    otherwise in the next run, though nothing was changed; older files do not say.
    `seconds_per_turn`: in a baseline, which keeps no turns.
    """

    test: str
    goal: str
    trial: int
    outcome: str
    bot: NotRequired[str]
    user: NotRequired[str]
    judges: NotRequired[list[str]]
    metrics: dict[str, MetricValue]
    verdicts: dict[str, Noun]
    scores: dict[str, list[Noun]]
    rules: dict[str, JSON]
    usage: dict[str, float]
    drift: NotRequired[list[DriftEntry]]
    calls: NotRequired[dict[str, SpentEntry]]
    raised: NotRequired[str]
    trivial: NotRequired[str]
    chance: NotRequired[list[str]]
    seconds_per_turn: NotRequired[float]
    quarantined: NotRequired[QuarantineEntry]
    quarantine_over: NotRequired[QuarantineEntry]
    stop_reason: str
    detail: str
    turns: list[Noun]
    notes: NotRequired[list[str]]
    goal_record: NotRequired[Noun]
    variation: NotRequired[str]
    protocol: NotRequired[str]
    violations: NotRequired[list[Noun]]
    turns_to_done: NotRequired[int | None]
    keywords: NotRequired[dict[str, list[KeywordEntry]]]
    comparisons: NotRequired[list[ComparisonEntry]]
    rule_definitions: NotRequired[dict[str, str]]


def says_of_bot(entry: DialogueEntry) -> bool:
    """Says whether a dialogue passed or failed: what others spoiled says nothing of its bot."""
    return entry["outcome"] in (Outcome.PASSED, Outcome.FAILED)


def grouped(
    entries: Iterable[DialogueEntry], key: Callable[[DialogueEntry], K]
) -> dict[K, list[DialogueEntry]]:
    """Returns the dialogues by what `key` says of each, in the order first seen."""
    found: dict[K, list[DialogueEntry]] = {}
    for entry in entries:
        found.setdefault(key(entry), []).append(entry)
    return found


class SequentialEntry(TypedDict):
    """A run that ends once it is decided (`--todeval-sequential`).

    `seed`: of the order; `goals`: how many were asked after, of the `of` planned; `decided`: false
    if the run was broken off before; `not_played`: the tests whose dialogue was not.
    """

    seed: str
    goals: int
    of: int
    decided: bool
    not_played: list[str]


class EnvironmentEntry(TypedDict):
    """What the numbers rest on.

    `goal_sets`: fingerprint by name; `shards`: by name, such as `2/5`, how many dialogues were
    planned, and a hash of the tests; `selections`: how goals were chosen, by goal set (`split`,
    `limit`, `seed`, ...); `metrics`: definition by name; `models`: the names of those asked, by
    lane; `prompts`: definition (version and hash) by name; `bots`, `users`, `judges`: by the name
    that an entry has, what they are (`class`, `models`, ...); `limits`: of the dialogues; `rules`:
    a hash by rule set; `ear`: who heard the bot; `composites`: the weights of each; `sequential`:
    how far each run of the file went that ends once it is decided.
    """

    todeval: str
    python: str
    goal_sets: dict[str, str]
    metrics: dict[str, str]
    settings: dict[str, JSON]
    models: NotRequired[dict[str, list[str]]]
    prompts: NotRequired[dict[str, str]]
    selections: NotRequired[dict[str, list[dict[str, JSON]]]]
    shards: NotRequired[dict[str, dict[str, list[JSON]]]]
    bots: NotRequired[dict[str, dict[str, list[str]]]]
    users: NotRequired[dict[str, dict[str, list[str]]]]
    judges: NotRequired[dict[str, dict[str, list[str]]]]
    limits: NotRequired[dict[str, list[float]]]
    rules: NotRequired[dict[str, str]]
    ear: NotRequired[list[str]]
    composites: NotRequired[dict[str, str]]
    sequential: NotRequired[list[SequentialEntry]]


class MetricSummary(TypedDict):
    """`total` dialogues to which the metric applies; `rate` is their mean, None without any and
    if their definitions differ.

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

    `mean` and `min` are None without any number, and if `definition` is `(differs)`: numbers of
    different definitions make no mean.
    """

    mean: float | None
    min: float | None
    scored: int
    not_applicable: int
    unscored: int
    definition: str


class PlayersSummary(TypedDict):
    """What some dialogues come to: all, those of one bot or user, of one domain, ..."""

    dialogues: int
    outcomes: dict[str, int]
    metrics: dict[str, MetricSummary]
    scores: NotRequired[dict[str, ScoreSummary]]
    claimed: NotRequired[dict[str, int]]
    rules: NotRequired[dict[str, RuleSummary]]
    comparisons: NotRequired[ComparisonSummary]
    keywords: NotRequired[dict[str, KeywordSummary]]
    overall: NotRequired[OverallSummary]
    composites: NotRequired[dict[str, CompositeSummary]]
    resolution: NotRequired[dict[str, ResolutionSummary]]
    latency: NotRequired[LatencySummary]
    per_dialogue: NotRequired[EffortSummary]
    games: NotRequired[GamesSummary]
    violations: NotRequired[dict[str, dict[str, int]]]


class Summary(PlayersSummary):
    """Counts of all dialogues; rates over those that passed or failed, faults left out.

    `claimed`: by metric, how many passed verdicts nothing but the bot's words shows. The same of
    each part, if there are several: of `bots` and `users`; of `domains`, the dialogues whose goal
    has the domain; of `combinations` of domains (`hotel+train`), those whose goal has just these;
    of `goal_sets`; of `labels` of goals; of `variations` of the user's words; of `cells`, by bot
    and user. `by_turn`: by score, its mean by turn. `flips`: of goals with several trials, which
    flip.
    `quarantined`: what became of the goals in quarantine, which the rates have in them, too;
    `quarantine_over`: of those that count again.
    """

    by_turn: NotRequired[dict[str, dict[str, float]]]
    flips: NotRequired[FlipSummary]
    quarantined: NotRequired[dict[str, QuarantineSummary]]
    quarantine_over: NotRequired[dict[str, QuarantineSummary]]

    bots: NotRequired[dict[str, PlayersSummary]]
    users: NotRequired[dict[str, PlayersSummary]]
    domains: NotRequired[dict[str, PlayersSummary]]
    combinations: NotRequired[dict[str, PlayersSummary]]
    labels: NotRequired[dict[str, PlayersSummary]]
    goal_sets: NotRequired[dict[str, PlayersSummary]]
    variations: NotRequired[dict[str, PlayersSummary]]
    cells: NotRequired[dict[str, dict[str, PlayersSummary]]]


class Results(TypedDict):
    """The whole file."""

    schema: int
    environment: EnvironmentEntry
    dialogues: list[DialogueEntry]
    summary: Summary
