"""Runs in a planned order: what ends them, what does not, and that speed makes no difference."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_todeval.errors import UsageError
from pytest_todeval.runs.reports.comparison.comparing import compare_runs
from pytest_todeval.runs.reports.gates.deciding import decide, overall
from pytest_todeval.runs.reports.gates.ruling import Ruling
from pytest_todeval.runs.reports.results import environment, merge, results
from pytest_todeval.runs.reports.schema import DialogueEntry, Results
from pytest_todeval.runs.reports.sequential.answer import never_early
from pytest_todeval.runs.reports.sequential.planned_run import PlannedGoal, PlannedRun
from pytest_todeval.runs.reports.sequential.stopped import sequential_line, stopped_early

GATE = "booking >= 0.6"
HIT: dict[str, Any] = {"outcome": "passed", "metrics": {"booking": True}}
MISS: dict[str, Any] = {"outcome": "failed", "metrics": {"booking": False}}
FAULT: dict[str, Any] = {"outcome": "simulator_fault", "metrics": {}}


def outcome_of(hit: bool) -> dict[str, Any]:
    return HIT if hit else MISS


def entry(goal: int, trial: int = 0, **more: Any) -> DialogueEntry:
    whole = {
        "test": name(goal, trial),
        "goal": f"g{goal}",
        "trial": trial,
        "bot": "Bot",
        "scores": {},
        "rules": {},
        "verdicts": {},
        "turns": [{"latency_s": 1.0}],
        "stop_reason": "",
        "detail": "",
        "usage": {"prompt_tokens": 0, "completion_tokens": 0, "cost": 0.0},
        **HIT,
        **more,
    }
    return cast("DialogueEntry", whole)


def spent(dollars: float) -> dict[str, Any]:
    return {"usage": {"prompt_tokens": 0, "completion_tokens": 0, "cost": 0.1, "dollars": dollars}}


def name(goal: int, trial: int = 0) -> str:
    return f"t[{goal}#{trial}]"


def plan(goals: int, trials: int = 1) -> list[PlannedGoal]:
    return [PlannedGoal(f"g{n}", [name(n, t) for t in range(trials)]) for n in range(goals)]


def of(*entries: DialogueEntry) -> Results:
    return results(entries, environment())


UNSURE = of(entry(0))


def played(
    goals: int,
    *gates: str,
    before: Results | None = None,
    what: Mapping[int, dict[str, Any]] = MappingProxyType({}),
    undecided_passes: bool = True,
) -> tuple[PlannedRun, list[DialogueEntry]]:
    """A run of hits, but for goals of which another is said, until it is decided."""
    run = PlannedRun(plan(goals), gates, before, undecided_passes=undecided_passes)
    entries = []
    for goal in range(goals):
        if not run.decided:
            entries.append(entry(goal, **what.get(goal, {})))
            run.finish(name(goal), entries[-1])
    run.end()
    return run, entries


def finding(run: PlannedRun, entries: Sequence[DialogueEntry]) -> str:
    return overall(run.findings(of(*entries))[0])


def every(goals: int, what: dict[str, Any]) -> dict[int, dict[str, Any]]:
    return dict.fromkeys(range(goals), what)


# What ends a run.


@pytest.mark.parametrize(
    ("gate", "what", "told"),
    [(GATE, HIT, "passed"), (GATE, MISS, "failed"), ("booking <= 0.3", HIT, "failed")],
)
def test_a_mean_ends_a_run_early(gate: str, what: dict[str, Any], told: str) -> None:
    run, entries = played(40, gate, what=every(40, what))

    assert run.decided
    assert finding(run, entries) == told
    assert len(entries) < 12
    assert len(run.not_over) == 40 - len(entries)
    (_, found), _ = run.findings(of(*entries))
    assert found.after == found.level.goals == len(entries) if found.level else False


def test_a_run_goes_on_until_all_gates_pass_and_ends_with_the_first_that_fails() -> None:
    one, first = played(60, GATE)
    both, second = played(60, GATE, "booking >= 0.7")
    failed, third = played(60, GATE, "booking <= 0.3")

    assert len(third) < len(first) < len(second)
    found, _ = failed.findings(of(*third))
    assert [each.finding for each in found] == ["passed", "open", "failed"]
    assert [one.decided, both.decided] == [True, True]


def test_what_is_open_after_the_last_goal_is_undecided() -> None:
    run, entries = played(10, "booking >= 0.9")

    assert not run.decided
    assert len(entries) == 10
    assert finding(run, entries) == "undecided"
    assert run.how_far("7")["decided"] is True


def test_a_run_that_was_broken_off_is_not_tested_as_one_that_came_to_its_end() -> None:
    run = PlannedRun(plan(6), ["booking >= 0.5"], None)
    entries = [entry(goal) for goal in range(5)]  # of 6 that pass the last one decides
    for each in entries:
        run.finish(each["test"], each)
    run.end()

    assert finding(run, entries) == "open"
    how_far = run.how_far("7")
    assert (how_far["decided"], how_far["not_played"]) == (False, [name(5)])
    line = sequential_line("open", how_far, entries)
    assert line == "sequential: broken off after 5 of 6 goals, before a decision"
    run.finish(name(5), entry(5))
    run.end()
    assert finding(run, [*entries, entry(5)]) == "passed"


# Facts of a run, which are no means.


@pytest.mark.parametrize(
    ("gate", "what"),
    [
        ("rules.polite == 0", {"rules": {"polite": [{"value": 0}]}}),
        ("rules.polite <= 0", {"rules": {"polite": [{"value": 0}]}}),
        ("booking == 1", MISS),
        ("booking.min >= 1", MISS),
        ("booking.max <= 0", HIT),
        ("turns.max < 2", {"turns": [{"latency_s": 1.0}] * 2}),
        (
            "cost <= 1",
            spent(1.5),
        ),
        ("faults == 0", FAULT),
    ],
)
def test_what_can_only_grow_fails_at_the_first_hit(gate: str, what: dict[str, Any]) -> None:
    kept: dict[str, Any] = {"rules": {"polite": [{"value": 1}]}, "turns": [{"latency_s": 1.0}]}
    others = MISS if gate == "booking.max <= 0" else {}
    others = (
        others
        | kept
        | {"usage": {"prompt_tokens": 0, "completion_tokens": 0, "cost": 0.1, "dollars": 0.0}}
    )
    run, entries = played(40, gate, what={**every(40, others), 3: {**others, **what}})

    assert len(entries) == 4
    assert finding(run, entries) == ("unreliable" if "faults" in gate else "failed")


@pytest.mark.parametrize("gate", ["rules.polite == 0", "booking == 1", "booking.min >= 1"])
def test_what_is_asked_of_every_goal_does_not_pass_early(gate: str) -> None:
    polite = {"rules": {"polite": [{"value": 1}]}}
    run, entries = played(40, GATE, gate, what=every(40, polite))

    assert len(entries) == 40
    assert finding(run, entries) == "passed"
    assert never_early([GATE, gate], UNSURE) == f"of every goal `{gate}` asks something"


@pytest.mark.parametrize("gate", ["latency.p90 <= 3s", "turns <= 2", "cost <= 2"])
def test_other_facts_are_those_of_what_is_played(gate: str) -> None:
    run, entries = played(40, GATE, gate, what=every(40, spent(0.0)))

    assert len(entries) < 12
    assert finding(run, entries) == "passed"
    assert never_early([GATE, gate], None) is None


def test_facts_alone_end_no_run_that_goes_well() -> None:
    gates = "latency.p90 <= 3s", "turns <= 2"
    run, entries = played(40, *gates)

    assert never_early(gates, None) == "no gate asks for a mean over goals"
    assert never_early(gates, UNSURE) is never_early([], UNSURE) is None

    assert len(entries) == 40
    assert finding(run, entries) == "passed"


def test_what_a_run_costs_is_what_all_its_dialogues_cost() -> None:
    """Those that were under way when it was decided do not count, and are paid for."""
    run, entries = played(40, GATE, "cost <= 1.05", what=every(40, spent(0.1)))
    more = [*entries, entry(20, **spent(0.1)), entry(21, **spent(0.1))]

    assert finding(run, entries) == "passed"
    assert finding(run, more) == "failed"


def test_too_many_faults_put_the_answer_off_and_at_last_end_the_run() -> None:
    late, entries = played(40, GATE, what={0: FAULT})
    never, spoiled = played(40, GATE, what=every(40, FAULT))
    whole, _ = played(40, GATE)

    # one fault is too many of nine dialogues, and not of ten
    assert len(entries) == 10 > 40 - len(whole.not_over)
    assert finding(late, entries) == "passed"
    assert len(spoiled) == 5  # more than a tenth of 40, whatever comes
    assert finding(never, spoiled) == "unreliable"


# What counts.


def test_a_goal_counts_once_all_its_tests_are_over() -> None:
    run = PlannedRun(plan(40, trials=2), [GATE], None)
    for goal in range(40):
        run.finish(name(goal, 0), entry(goal, 0))
    assert not run.decided

    entries: list[DialogueEntry] = []
    for goal in range(40):
        entries += [entry(goal, 0), entry(goal, 1, **MISS)]
        run.finish(name(goal, 1), entries[-1])
    run.end()
    (_, found), _ = run.findings(of(*entries))
    assert (found.value, found.after) == (0.5, 22)


def test_goals_without_a_dialogue_or_in_quarantine_do_not_count() -> None:
    goals = [*plan(10), PlannedGoal("q", ["q"], quarantined=True)]
    run = PlannedRun(goals, ["booking >= 0.6"], None)
    for goal in range(10):
        run.finish(name(goal), None if goal == 4 else entry(goal))
    assert run.how_far("")["of"] == 10
    assert run.decided
    assert run.not_over == ["q"]


def test_a_gate_on_some_goals_is_asked_of_these() -> None:
    run, entries = played(
        40,
        "booking >= 0.6 for bot Other",
        what={goal: {"bot": "Other"} for goal in range(0, 40, 2)},
    )
    (_, found), _ = run.findings(of(*entries))
    assert found.after == (len(entries) + 1) // 2 < 12


@given(st.data())
def test_the_order_in_which_dialogues_end_makes_no_difference(data: st.DataObject) -> None:
    hits = data.draw(st.lists(st.booleans(), min_size=30, max_size=30))
    entries = [entry(goal, **outcome_of(hit)) for goal, hit in enumerate(hits)]
    in_order, mixed = (PlannedRun(plan(30), [GATE], None) for _ in range(2))
    for each in entries:
        in_order.finish(each["test"], each)
    for each in data.draw(st.permutations(entries)):
        mixed.finish(each["test"], each)
    for run in (in_order, mixed):
        run.end()
    whole = of(*entries)
    assert in_order.findings(whole) == mixed.findings(whole)
    assert in_order.how_far("") == mixed.how_far("")


@given(st.lists(st.booleans(), min_size=30, max_size=30), st.integers(0, 29))
def test_one_goal_more_that_passes_never_fails_a_run(hits: list[bool], goal: int) -> None:
    found = []
    for better in (hits, [*hits[:goal], True, *hits[goal + 1 :]]):
        whole = {n: outcome_of(hit) for n, hit in enumerate(better)}
        found.append(finding(*played(30, GATE, what=whole)))
    order = ("failed", "undecided", "passed")
    assert order.index(found[1]) >= order.index(found[0])


def test_a_misspelt_gate_is_told_of_at_the_end() -> None:
    run, entries = played(12, "bokking >= 0.5")

    assert len(entries) == 12
    with pytest.raises(UsageError, match="no dialogue has 'bokking'"):
        run.findings(of(*entries))


# Beside a baseline.


def test_a_value_that_became_worse_ends_a_run() -> None:
    before = of(*(entry(goal) for goal in range(60)))
    run, entries = played(60, before=before, what=every(60, MISS))

    assert run.decided
    assert len(entries) < 12
    _, found = run.findings(of(*entries))
    assert found is not None
    assert found.worse
    assert {change.name: change.finding for change in found.changes} == {
        "passed": "worse",
        "booking": "worse",
    }
    assert all(change.chance <= 0.05 for change in found.changes)
    assert all(change.difference.interval.high < 0 for change in found.changes)


def test_a_run_in_which_nothing_flips_ends_when_no_value_is_worse() -> None:
    """That has to be shown only if what is undecided is to fail."""
    before = of(*(entry(goal) for goal in range(100)))
    strict, most = played(100, before=before, undecided_passes=False)
    usual, fewer = played(100, before=before)

    assert 70 < len(most) < 100
    assert 40 < len(fewer) < 70
    for run, entries, finding in ((strict, most, "no worse"), (usual, fewer, "undecided")):
        assert run.decided
        _, found = run.findings(of(*entries))
        assert found is not None
        assert {change.finding for change in found.changes} == {finding}
        assert found.only_before == 0
    line = sequential_line("undecided", usual.how_far(""), fewer)
    assert "of 100 goals, as more would hardly show a value to be worse;" in line


def test_a_gate_and_a_baseline_both_have_to_be_content() -> None:
    before = of(*(entry(goal) for goal in range(100)))
    both, entries = played(100, GATE, before=before)
    failed, few = played(100, "booking <= 0.3", before=before)

    assert len(entries) > 40
    assert len(few) < 12
    _, found = failed.findings(of(*few))
    assert found is not None
    assert {change.finding for change in found.changes} == {"open"}
    assert both.decided


def test_goals_that_the_baseline_lacks_say_nothing_of_it() -> None:
    before = of(*(entry(goal) for goal in range(50, 60)))
    run, entries = played(60, "booking <= 0.3", before=before)

    decided, compared = run.findings(of(*entries))
    assert overall(decided) == "failed"
    assert compared is None


def test_a_goal_that_others_spoiled_is_left_out_and_in_both_runs() -> None:
    before = of(*(entry(goal) for goal in range(60)))
    run, entries = played(60, before=before, what={3: FAULT})

    _, found = run.findings(of(*entries))
    assert found is not None
    assert (dict(found.left_out), found.only_before) == ({"simulator_fault": (0, 1)}, 0)


SURE: dict[str, Any] = {"chance": []}


def sure(goals: int, *broken: int) -> dict[int, dict[str, Any]]:
    return {n: {**(MISS if n in broken else {}), **SURE} for n in range(goals)}


@pytest.mark.parametrize("broken", [0, 3, 29])
def test_where_nothing_is_left_to_chance_a_goal_that_broke_ends_a_run(broken: int) -> None:
    before = of(*(entry(goal, **SURE) for goal in range(30)))
    run, entries = played(30, GATE, before=before, what=sure(30, broken))

    assert len(entries) == broken + 1
    decided, found = run.findings(of(*entries))
    ruling = Ruling.of(entries, decided, before, found, "base.json", None)
    assert ruling.exit_code == 10
    assert ruling.headline().startswith(f"failed: 1 goal broke against base.json (g{broken}), with")


def test_where_nothing_is_left_to_chance_a_run_passes_after_its_last_goal_as_any_other() -> None:
    """With the same findings as a run of fixed size: gates are asked once."""
    before = of(*(entry(goal, **sure(30, 4)[goal]) for goal in range(30)))
    run, entries = played(30, GATE, "booking >= 0.88", before=before, what=sure(30, 4))

    assert never_early([GATE], before) is not None
    assert len(entries) == 30
    decided, found = run.findings(of(*entries))
    assert decided == decide([GATE, "booking >= 0.88"], entries)
    assert found == compare_runs(before, of(*entries))
    assert Ruling.of(entries, decided, before, found, "base.json", None).exit_code == 0


def test_a_run_of_which_something_is_left_to_chance_may_end_early_all_the_same() -> None:
    before = of(*(entry(goal, **SURE) for goal in range(100)))
    what = {**sure(100), 0: {"chance": ["live calls of the user"]}}
    run, entries = played(100, GATE, before=before, what=what)

    assert len(entries) < 100
    assert run.decided


# What a results file says of it.


def test_a_results_file_says_that_its_run_ended_early() -> None:
    run, entries = played(40, GATE)
    about = environment(sequential=[run.how_far("7")])
    whole, _ = played(10, "booking >= 0.9")

    told = stopped_early(results(entries, about)["environment"])
    assert told is not None
    assert "ended once it was decided, after 9 of 40 goals" in told
    assert stopped_early(environment(sequential=[whole.how_far("7")])) is None
    assert stopped_early(environment()) is None
    one = results(entries, about)
    other = results([entry(70)], environment())
    assert merge([one, other])["environment"]["sequential"] == [run.how_far("7")]


def test_what_began_before_the_answer_is_told_of_as_played() -> None:
    run, entries = played(12, GATE)
    decided_after = len(entries)
    for goal in range(decided_after, 12):
        run.finish(name(goal), entry(goal))

    line = sequential_line("passed", run.how_far("7"), entries)
    assert decided_after < 12
    assert line == f"sequential: passed after {decided_after} of 12 goals; all others had begun"
    assert stopped_early(environment(sequential=[run.how_far("7")])) is None


def test_what_was_saved() -> None:
    asked = {"calls": {"user": {"calls": 12, "models": []}, "judge": {"calls": 3, "models": []}}}
    run, entries = played(40, GATE, what=every(40, asked))

    line = sequential_line("passed", run.how_far("7"), entries)
    assert line == (
        "sequential: passed after 9 of 40 goals; 31 dialogues not played, about 465 calls of models"
    )
