"""Statistics held against values worked out another way: by hand, by counting, by differences."""

import math
import random
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise, product

import pytest

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.errors import UsageError
from pytest_todeval.research.agreement import association
from pytest_todeval.research.agreement.correction import Rate, corrected
from pytest_todeval.research.agreement.ratings import Ratings
from pytest_todeval.research.agreement.report import Constant, agreement, judged_by
from pytest_todeval.research.arena.bradley_terry import _slope_and_bend, _solved, strengths
from pytest_todeval.research.arena.elo import elo, elo_spread
from pytest_todeval.research.arena.games import Said
from pytest_todeval.research.arena.preference import preferred
from pytest_todeval.research.arena.standings import standings
from pytest_todeval.runs.statistics.change_point import LEAST, _edges, _variance
from pytest_todeval.runs.statistics.level import Level, level_of
from pytest_todeval.runs.statistics.mean_interval import chance_of_a_mean
from pytest_todeval.runs.statistics.paired import (
    PairedDifference,
    difference_of,
    finding_of,
    sign_flip,
)
from pytest_todeval.runs.statistics.pass_k import Trial, trial_of
from pytest_todeval.runs.statistics.resampling import Interval, bootstrap, quantile
from pytest_todeval.runs.statistics.sequential import TOGETHER, SequentialChanges, SequentialLevel
from pytest_todeval.runs.statistics.stakes import EARLY, Stakes

# one run


@pytest.mark.parametrize(
    ("hits", "low", "high"),
    [(0, 0.0, 0.3084971), (1, 0.0025286, 0.4450161), (7, 0.3475471, 0.9332605), (10, 0.6915029, 1)],
)
def test_the_interval_of_a_rate_is_clopper_and_pearsons(hits: int, low: float, high: float) -> None:
    share = level_of([1.0] * hits + [0.0] * (10 - hits), confidence=0.95).interval
    score = level_of([5.0] * hits + [1.0] * (10 - hits), (1, 5), confidence=0.95)
    assert (share.low, share.high) == pytest.approx((low, high), abs=1e-7)
    assert score.mean == pytest.approx(1 + 4 * hits / 10)
    assert (score.interval.low, score.interval.high) == pytest.approx(
        (1 + 4 * low, 1 + 4 * high), abs=1e-6
    )
    fair = level_of([3.0, 5.0], (1, 5))
    assert fair.mean == 4
    assert 1 < fair.interval.low < 4 < fair.interval.high <= 5


HALF = Level(100, 0.5, Interval(0.25, 0.625, 0.95))


@pytest.mark.parametrize(
    ("bound", "at_least", "at_most"),
    [
        (0.125, True, False),
        (0.25, True, None),
        (0.375, None, None),
        (0.5, None, None),
        (0.625, None, True),
        (0.75, False, True),
    ],
)
def test_a_level_reaches_a_bound_or_leaves_it_open(
    bound: float, at_least: bool | None, at_most: bool | None
) -> None:
    assert [HALF.reaches(sign, bound) for sign in (">=", ">", "<=", "<")] == [
        at_least, at_least, at_most, at_most,
    ]  # fmt: skip


def test_a_dialogue_whose_verdict_is_in_doubt_is_a_fault_of_the_judge() -> None:
    unsure = {"reward": Verdict("reward", True, "", doubt="may be misheard")}
    for fault, outcome in (
        (None, Outcome.JUDGE_FAULT),
        (Outcome.INFRASTRUCTURE, Outcome.INFRASTRUCTURE),
    ):
        dialogue = Dialogue(Goal("1", "library", ()), verdicts=unsure, fault=fault)
        assert trial_of(dialogue, "reward") == Trial("library/1", None, outcome)


# two runs


def difference(low: float, better: float = 1.0) -> PairedDifference:
    return PairedDifference(100, -0.25, Interval(low, 0.125, 0.9), 0.5, better, 0.1)


@pytest.mark.parametrize(
    ("low", "better", "chance", "finding"),
    [
        (-0.125, 1.0, 0.01, "no worse"),
        (-0.125, 0.05, 0.01, "better"),
        (-0.126, 1.0, 0.05, "worse"),
        (-0.126, 0.05, 0.05, "worse"),
        (-0.126, 0.05, 0.06, "better"),
        (-0.126, 0.06, 0.06, "undecided"),
    ],
)
def test_what_a_difference_shows(low: float, better: float, chance: float, finding: str) -> None:
    assert finding_of(difference(low, better), chance, 0.125, 0.05) == finding


def test_chances_of_many_sizes_are_drawn() -> None:
    draw = random.Random(2)
    sizes = [draw.random() for _ in range(25)]
    assert sign_flip(sizes) == 1 / 10_001  # no draw has all signs alike
    assert sign_flip([-size for size in sizes]) == 1.0


def test_a_mean_that_is_the_bound_is_no_surprise() -> None:
    assert chance_of_a_mean([0.9, 0.9], 0.5) == 1.0
    assert chance_of_a_mean([0.0], 0.5) == 1.0  # with the one that may come
    assert chance_of_a_mean([0.0] * 30, 0.5) < 0.001


def test_runs_of_unlike_trials_are_better_or_worse() -> None:
    pairs = {str(n): (0.25, 0.75) for n in range(30)}
    found = difference_of(pairs, same_trials=False)
    assert found.better < 0.001 < 0.999 < found.worse


def test_the_loss_that_a_run_can_find() -> None:
    """The least d at which d = reach * sqrt((spread + d - d^2) / goals), two goals counted more."""
    found = difference_of({str(n): (1.0, float(n > 4)) for n in range(40)})
    d, reach, goals = found.detectable, 1.644854 + 0.841621, 42
    spread = 6 / goals - (5 / goals) ** 2
    assert d == pytest.approx(reach * math.sqrt((spread + d - d * d) / goals), abs=1e-5)


# resampling


def test_a_quantile_lies_between_the_values() -> None:
    ranked = [1.0, 2.0, 4.0]
    assert [quantile(ranked, share) for share in (0, 0.25, 0.5, 0.75, 1)] == [1, 1.5, 2, 3, 4]
    assert quantile([7], 0.975) == 7


@pytest.mark.parametrize(("missing", "known"), [(0, True), (1, True), (2, False)])
def test_an_interval_needs_nine_samples_of_ten(missing: int, known: bool) -> None:
    drawn = iter(range(10))

    def count(sample: Mapping[str, int]) -> dict[str, float | None]:
        value = next(drawn)
        return {"count": None if value < missing else float(value)}

    found = bootstrap([{"a": 1}], count, number=10, level=0.75)["count"]
    assert (found is not None) is known
    if not missing:
        assert found == Interval(1.125, 7.875, 0.75)


# agreement


def test_correlations_of_a_table_are_those_of_its_pairs() -> None:
    counts = [[3, 1, 0], [2, 0, 1], [0, 1, 4]]
    pairs = [(r, c) for r, line in enumerate(counts) for c, n in enumerate(line) for _ in range(n)]

    def ranks(values: Sequence[int]) -> list[float]:
        return [sum(v < w for v in values) + (values.count(w) + 1) / 2 for w in values]

    one, other = (ranks(column) for column in zip(*pairs, strict=True))
    middle = (len(pairs) + 1) / 2
    moved = [(a - middle, b - middle) for a, b in zip(one, other, strict=True)]
    rho = sum(a * b for a, b in moved) / math.sqrt(
        sum(a * a for a, _ in moved) * sum(b * b for _, b in moved)
    )
    assert association.spearman(counts) == pytest.approx(rho)
    both = [(p[0] - q[0], p[1] - q[1]) for p, q in combinations(pairs, 2)]
    signs = sum((a * b > 0) - (a * b < 0) for a, b in both)
    tau = signs / math.sqrt(sum(a != 0 for a, _ in both) * sum(b != 0 for _, b in both))
    assert association.kendall(counts) == pytest.approx(tau)
    assert association.f1([[2, 0], [0, 2]]) == 1.0
    assert association.f1([[2, 0, 0], [1, 1, 0], [0, 0, 0]]) == pytest.approx((4 / 5 + 2 / 3) / 2)
    assert association.matthews([[1, 0], [0, 1]]) == association.kendall([[1, 0], [0, 1]]) == 1
    assert association.spearman([[1, 0], [0, 1]]) == pytest.approx(1)
    for line in ([[1, 1], [0, 0]], [[0, 0], [0, 0]]):
        assert association.spearman(line) is association.kendall(line) is None
        assert association.matthews(line) is None


GIVEN = [(1, 1), (2, 2), (3, 3), (3, 2), (1, None), (None, None), (2, 1)]


def test_a_report_has_the_figures_of_its_table() -> None:
    ratings = Ratings.of((1, 2, 3), GIVEN, raters=("ann", "judge"))
    found, judged = agreement(ratings, samples=3), judged_by(ratings, "judge", samples=3)
    assert (found.items, judged.items) == (5, 5)
    counts = [[1, 0, 0], [1, 1, 0], [0, 1, 1]]
    for name, value in {
        "macro F1": association.f1(counts),
        "Matthews' correlation": association.matthews(counts),
        "Spearman's rho": association.spearman(counts),
        "Kendall's tau": association.kendall(counts),
    }.items():
        assert judged.figures[name].value == pytest.approx(value)
        assert name not in found.figures
    assert found.figures["Krippendorff's alpha, ordinal"].value is not None
    assert found.chance == agreement(ratings, samples=3, seed=0).chance
    alike = Ratings.of((1, 2), [(1, 1)] * 4, raters=("ann", "judge"))
    assert agreement(alike, samples=9).chance == 1.0


@pytest.mark.parametrize(
    ("low", "high", "better"), [(-2, -1, False), (-1, 0, None), (0, 1, None), (1, 2, True)]
)
def test_a_judge_is_better_than_a_constant_if_the_interval_says_so(
    low: float, high: float, better: bool | None
) -> None:
    assert Constant(1, (low + high) / 2, Interval(low, high, 0.95)).better is better
    assert Constant(1, 0.5, None).better is None


@pytest.mark.parametrize(
    ("bound", "passes"), [(0.2, True), (0.25, True), (0.3, None), (0.5, None), (0.6, False)]
)
def test_a_corrected_rate_passes_a_bound_or_leaves_it_open(
    bound: float, passes: bool | None
) -> None:
    assert Rate(0.4, Interval(0.25, 0.5, 0.95)).passes(bound) is passes
    assert Rate(0.4, None).passes(bound) is None


def test_a_corrected_rate_by_hand() -> None:
    """PPI++: the labelled covariance over (1 + n / N) times the labelled variance."""
    rows = [(3, 3), (2, 2), (1, 2), (1, 1), *[(None, 2)] * 6, *[(None, 1)] * 2]
    ratings = Ratings.of((1, 2, 3), rows, raters=("ann", "judge"))
    found = corrected(ratings, "judge", 2, samples=3)
    assert (found.judged, found.rated, found.too_good, found.too_bad) == (12, 4, 1, 0)
    assert (found.people.value, found.judge.value) == (0.5, 0.75)
    together = (2 * 0.5 * 0.25 - 0.5 * 0.25 + 0.5 * 0.75) / 4
    spread = (3 * 0.25**2 + 0.75**2) / 4
    trust = together / (spread * (1 + 4 / 8))
    assert found.powered.value == pytest.approx(0.5 + trust * (6 / 8 - 0.75))
    more = corrected(
        Ratings.of((1, 2, 3), [*rows, (None, 3)], raters=("ann", "judge")), "judge", 2, samples=3
    )
    trust = together / (spread * (1 + 4 / 9))
    assert more.powered.value == pytest.approx(0.5 + trust * (7 / 9 - 0.75))
    least = corrected(ratings, "judge", 3, samples=3)
    assert (least.too_good, least.too_bad, least.people.value) == (0, 0, 0.25)
    turned = corrected(Ratings.of((1, 2), [(2, 1), (1, 1)], raters=("a", "judge")), "judge", 2)
    assert (turned.too_good, turned.too_bad, turned.powered.value) == (0, 1, 0.5)
    for good in (1, 4):
        with pytest.raises(UsageError, match=f"good: got {good}, expected one of 2, 3"):
            corrected(ratings, "judge", good)


def test_ratings_are_grades_of_the_scale() -> None:
    bare = Ratings.of((1, 2), [(1, 2), (1, 2), (None, None)], clusters=("d", "d", "e"))
    assert (bare.raters, bare.items) == (("rater 1", "rater 2"), ("1", "2", "3"))
    assert bare.by_cluster == ({(0, 1): 2},)
    with pytest.raises(UsageError, match="item 1: got 3, expected one of 1, 2"):
        Ratings.of((1, 2), [(1, 3)])


# games


def test_the_gradient_and_its_slope_are_those_of_differences() -> None:
    pairs = {(0, 1): [3.0, 1.0, 2.0], (0, 2): [1.0, 4.0, 0.0], (1, 2): [2.0, 2.0, 5.0]}
    for size in (3, 4):
        seen = {pair: each if size == 4 else [*each[:2], 0.0] for pair, each in pairs.items()}
        worth = [0.4, -0.3, 0.1, 0.6][:size]
        slope, bend = _slope_and_bend(seen, worth, 3)
        for at, by in product(range(size), repeat=2):
            nudged = [each + 1e-6 * (n == by) for n, each in enumerate(worth)]
            moved, _ = _slope_and_bend(seen, nudged, 3)
            assert bend[at][by] == pytest.approx((slope[at] - moved[at]) / 1e-6, abs=1e-4)
        found = _solved(slope, bend)
        for line, value in zip(bend, slope, strict=True):
            assert math.fsum(map(math.prod, zip(line, found, strict=True))) == pytest.approx(value)


def test_the_strengths_of_a_few_games() -> None:
    games = Counter({Said("a", "b"): 30, Said("b", "c"): 5, Said("c", "d"): 1})
    found = strengths(games)
    assert math.fsum(found.ratings.values()) / 4 == pytest.approx(1000)
    assert found.tie == 0.0
    assert strengths({Said("a", "b"): 2, Said("a", "b", tie=True): 1}).tie > 0
    worth = [(found.ratings[bot] - 1000) / (400 / math.log(10)) for bot in "abcd"]
    again = standings({"1": games}, samples=3)
    assert [each.bot for each in again.bots] == sorted(
        found.ratings, key=found.ratings.__getitem__
    )[::-1]
    assert again.games == 36
    assert worth == sorted(worth, reverse=True)


@pytest.mark.parametrize("games", [1, 2, 3])
def test_a_few_games_leave_every_place_open(games: int) -> None:
    won = {str(goal): Counter({Said("a", "b"): 1}) for goal in range(games)}
    for each in standings(won, samples=20, seed=1).bots:
        assert each.place == (1, 2)
        assert each.interval is not None
        assert each.interval.low < 1000 < each.interval.high
    many = {str(goal): Counter({Said("a", "b"): 1}) for goal in range(40)}
    assert [each.place for each in standings(many, samples=20, seed=1).bots] == [(1, 1), (2, 2)]


def test_bots_that_never_met_have_no_places() -> None:
    apart = {str(n): Counter({Said("a", "b"): 1, Said("c", "d"): 1}) for n in range(60)}
    found = standings(apart, samples=20, seed=1)
    assert found.groups == (("a", "b"), ("c", "d"))
    assert {each.place for each in found.bots} == {(1, 4)}


def test_elo_moves_by_32_times_what_was_not_expected() -> None:
    assert elo([Said("a", "b")]) == {"a": 1016, "b": 984}
    assert elo([Said("a", "b", tie=True)]) == {"a": 1000, "b": 1000}
    after = elo([Said("a", "b"), Said("b", "a", tie=True)])
    assert after["b"] == pytest.approx(984 + 32 * (0.5 - 1 / (1 + 10 ** (32 / 400))))
    ratings = elo([Said("a", "b"), Said("b", "a")])
    moved = 32 * (1 - 1 / (1 + 10 ** (32 / 400)))
    assert ratings == pytest.approx({"a": 1016 - moved, "b": 984 + moved})
    spread = elo_spread([Said("a", "b"), Said("b", "a")])["a"]
    assert (spread.least, spread.most) == pytest.approx((1016 - moved, 984 + moved))


def entry(metrics: Mapping[str, float | None], **scores: list[float | None]) -> dict[str, object]:
    said = {name: [{"value": value} for value in each] for name, each in scores.items()}
    return {"metrics": metrics, "scores": said}


@pytest.mark.parametrize(
    ("this", "other", "result"),
    [
        (entry({"inform": True}), entry({"inform": False}), "this"),
        (entry({"inform": True}, tone=[1]), entry({"inform": True}, tone=[2]), "other"),
        (entry({"inform": None}, tone=[1, 3]), entry({"inform": True}, tone=[None, 2]), "tie"),
        (entry({}, tone=[1, 4]), entry({}, tone=[2]), "this"),
        (entry({}, tone=[None]), entry({}, tone=[2]), None),
        (entry({"inform": 0}, tone=[2]), entry({"inform": 1}, tone=[1]), "other"),
    ],
)
def test_the_first_value_that_differs_prefers(
    this: Mapping[str, object], other: Mapping[str, object], result: str | None
) -> None:
    assert preferred(this, other, ["inform", "tone"]) == result


# changes of level


def test_the_cheapest_cutting_is_found() -> None:
    draw = random.Random(4)
    for length in range(LEAST, 12):
        values = [draw.gauss(0, 1) + 3 * (place > 4) for place in range(length)]
        costs: dict[tuple[int, ...], float] = defaultdict(float)
        for cuts in (c for n in range(4) for c in combinations(range(1, length), n)):
            edges = (0, *cuts, length)
            parts = [values[a:b] for a, b in pairwise(edges)]
            if min(map(len, parts)) >= LEAST:
                means = [math.fsum(part) / len(part) for part in parts]
                costs[edges] = 0.5 * len(parts) + math.fsum(
                    (v - mean) ** 2 for part, mean in zip(parts, means, strict=True) for v in part
                )
        assert tuple(_edges(values, 0.5)) == min(costs, key=costs.__getitem__)


def test_the_noise_is_half_the_mean_square_of_the_steps_without_the_largest() -> None:
    assert _variance([0, 2, 0, 2]) == 2
    assert _variance([0.0, 2.0] * 12 + [90.0]) == 2
    assert _variance([7.0]) == 0


# while a run goes on


def test_scores_and_shares_come_to_the_same_while_a_run_goes_on() -> None:
    share, score = (
        SequentialLevel(">=", bound, goals=40, scale=scale)
        for bound, scale in ((0.5, (0.0, 1.0)), (3.0, (1.0, 5.0)))
    )
    for value in [1.0, 1.0, 0.5, 1.0, 0.0] * 2:
        share.take(value)
        score.take(1 + 4 * value)
    one, other = share.level, score.level
    assert one.interval.low > 0.05
    assert (other.mean, other.interval.low, other.interval.high) == pytest.approx(
        tuple(1 + 4 * each for each in (one.mean, one.interval.low, one.interval.high))
    )
    share.end()
    ended = share.level
    share.end()
    assert share.level is ended
    score.end()
    assert score.level.interval.low == pytest.approx(1 + 4 * ended.interval.low)
    decided = SequentialLevel("<", 0.5, goals=40)
    while decided.reached is None:
        decided.take(0.0)
    before = decided.level
    decided.end()
    assert (decided.reached, decided.level) == (True, before)


def test_changes_are_bet_on_as_shares_of_their_spans() -> None:
    run = SequentialChanges({"a": 1.0, "b": 4.0}, goals=100, margin=0.1)
    assert run.interval("b") == Interval(-4.0, 4.0, 0.9)
    assert run.chance("a") == 1.0
    worse = Stakes(0.5, 100)
    for _ in range(6):
        run.take({"a": -0.5, "b": -2.0})
        worse.take(0.75)
    assert run.goals == 6
    assert run.findings == {"a": None, "b": None}
    assert run.chance("a") == run.chance("b") == pytest.approx(TOGETHER / EARLY / worse.capital)
    assert run.chance("a") < 1
    low, high = run.interval("a").low, run.interval("a").high
    assert (run.interval("b").low, run.interval("b").high) == pytest.approx((4 * low, 4 * high))
    assert -1 <= low < 0 < high < 1
    assert TOGETHER == 0.05
