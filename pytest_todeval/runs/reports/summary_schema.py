"""Parts of a summary: what judges found, and what dialogues took; see docs/results_file.md."""

from typing import NotRequired

# pydantic, which checks files against these, needs this TypedDict below Python 3.12
from typing_extensions import TypedDict


class RuleSummary(TypedDict):
    """Over all turns, how often a rule was kept.

    `adherence` is the share that complies among those to which it applies (AutoEval-ToD, table 4);
    None if there are none, or if `definition` is `(differs)`.
    """

    adherence: float | None
    complies: int
    broken: int
    not_applicable: int
    untold: int
    definition: str
    advises: NotRequired[bool]
    """Whether it is a rule that is shown when it is broken, and fails nothing."""


class ComparisonSummary(TypedDict):
    """How often a dialogue was better or worse than another over the same goal.

    `inconsistent`: in how many the two orders did not agree.
    """

    better: int
    worse: int
    tie: int
    undecided: int
    inconsistent: int
    definition: str


class KeywordSummary(TypedDict):
    """Of all goals: how many keywords were `raised`, `by` whom, and which were `missed`."""

    total: int
    raised: int
    by: dict[str, int]
    missed: dict[str, int]


class ResolutionSummary(TypedDict):
    """Of `total` dialogues, how many were resolved, and when.

    `turns` is the mean turn (#Res of AutoEval-ToD, section 3.2), `by_turn` the share of all that is
    resolved by turn 1, 2, ... (figure 5), `unplaced` how many in a turn that is not known.
    """

    total: int
    resolved: int
    turns: float | None
    by_turn: list[float]
    unplaced: int


class PercentilesSummary(TypedDict):
    """Seconds, over so many turns."""

    count: int
    p50: float
    p90: float
    most: float


class LatencySummary(TypedDict):
    """How long the bot took per turn, and each part that it reports (`spans`) in a turn."""

    turn: PercentilesSummary
    spans: dict[str, PercentilesSummary]


class SpentSummary(TypedDict):
    """Means per dialogue; None if one is not known."""

    prompt_tokens: float | None
    completion_tokens: float | None
    dollars: float | None
    flop_dollars: float | None


class EffortSummary(TypedDict):
    """Means over the dialogues that were played.

    `seconds` is the sum of the bot's latencies. `efficiency` is how many dialogues were done per
    turn (clem:todd, section 5.1, names it and does not define it). `spent` is by lane.
    """

    dialogues: int
    turns: float | None
    seconds: float | None
    efficiency: float | None
    spent: dict[str, SpentSummary]


class OverallSummary(TypedDict):
    """TD-Eval's Overall: the mean over its three dimensions, of turns and of whole dialogues."""

    turn: NotRequired[float]
    dialogue: NotRequired[float]


class CompositeSummary(TypedDict):
    """A score with weights of one's own, 0 to 1; `definition` has the weights.

    `value` is None if a part has no number; `missing` names it.
    """

    value: float | None
    definition: str
    missing: list[str]


class GameSetSummary(TypedDict):
    """Games over one goal set. `quality` (0 to 100) is None if none was played."""

    played: int
    aborted: int
    won: int
    lost: int
    percent_played: float
    quality: float | None


class GamesSummary(TypedDict):
    """Games as clembench counts them, by goal set and together.

    `clemscore` is `percent_played` of `quality`, which are means over goal sets.
    """

    goal_sets: dict[str, GameSetSummary]
    percent_played: float
    quality: float | None
    clemscore: float | None


class FlipSummary(TypedDict):
    """Of `goals` with several trials, how many are `flaky`: some trials passed and some failed.

    `rate` is their share (0 to 1). `trials`: of each flaky one its name, passed and played; a goal
    of several tests or bots counts for each.
    """

    goals: int
    flaky: int
    rate: float
    trials: list[tuple[str, int, int]]


class QuarantineSummary(TypedDict):
    """A goal in quarantine: how many of its dialogues passed, and how many passed or failed."""

    passed: int
    played: int
    reason: str
    until: str
