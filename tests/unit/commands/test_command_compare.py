"""`todeval compare`: a run beside an earlier one."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.core.outcome import Outcome
from pytest_todeval.core.score import Score
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.runs.reports.comparison.comparing import compare_runs
from pytest_todeval.runs.reports.comparison.text import comparison_lines
from pytest_todeval.runs.reports.results import (
    Results,
    dialogue_entry,
    environment,
    results,
    write_results,
)
from tests.conftest import Todeval
from tests.support.dialogue_world import dialogue, restaurant_goal, said

WANTED = restaurant_goal(request=("phone",))
TALK = dialogue(WANTED, said("Hello!", "Hello."), said("Bye.", "Bye."))


def run(
    passed: Sequence[bool | None],
    *,
    trials: int = 1,
    tone: float = 4,
    chance: Sequence[str] | None = None,
    **about: Any,
) -> Results:
    """Goals that passed, failed, or were spoiled by the user (None)."""
    entries = []
    for number, each in enumerate(passed):
        for trial in range(trials):
            spoiled = each is None
            outcome = (
                Outcome.SIMULATOR_FAULT if spoiled else Outcome.PASSED if each else Outcome.FAILED
            )
            entry = dialogue_entry(
                TALK,
                test=f"t[{number}]",
                outcome=outcome,
                metrics={"booking": Verdict("booking", bool(each), "so")},
                scores={"tone": [Score("tone", tone, "so", turn) for turn in (1, 2)]},
                rules={"polite": [{"value": 1}, {"value": int(bool(each))}, {"value": -1}]},
                chance=chance,
            )
            entries.append({**entry, "goal": f"test/g{number}", "trial": trial})
    known: Mapping[str, Any] = {"metrics": {"booking": "online 3"}, "goal_sets": {"test": "f1"}}
    return results(entries, environment(**{**known, **about}))  # type: ignore[arg-type]


def files(folder: Path, **runs: Results) -> list[str]:
    for name, each in runs.items():
        write_results(folder / f"{name}.json", each)
    return [str(folder / f"{name}.json") for name in runs]


def findings(before: Results, now: Results, **how: Any) -> dict[str, str]:
    return {change.name: change.finding for change in compare_runs(before, now, **how).changes}


def test_what_broke_is_found_and_fails(tmp_path: Path, todeval: Todeval) -> None:
    paths = files(
        tmp_path, old=run([True] * 40), new=run([False] * 8 + [True] * 32), same=run([True] * 40)
    )

    told = todeval("compare", *paths[:2], code=1).out
    first, second, *_ = told.splitlines()
    assert first.startswith(
        "40 goals in both runs; 8 broke, maybe by chance; worse: passed, booking, rules.polite"
    )
    assert second.startswith("broke (8): test/g0, test/g1")
    assert "nothing is shown to be worse" in todeval("compare", paths[0], paths[2]).out


def test_too_few_goals_decide_nothing_and_say_how_many_would() -> None:
    before, now = run([True] * 10), run([False] + [True] * 9)

    found = compare_runs(before, now)

    assert not found.worse
    booking = next(change for change in found.changes if change.name == "booking")
    assert (booking.finding, booking.before, booking.now) == ("undecided", 1, 0.9)
    assert findings(before, now)["tone"] == "undecided"
    assert findings(run([True] * 200), run([True] * 200)) == dict.fromkeys(
        ("passed", "booking", "tone", "rules.polite"), "no worse"
    )


def test_mended_goals_are_better() -> None:
    found = compare_runs(run([False] * 12 + [True] * 20), run([True] * 32))

    assert {change.finding for change in found.changes if change.name != "tone"} == {"better"}
    assert len(found.mended) == 12
    assert not found.broke


def test_trials_of_a_goal_count_once() -> None:
    one, many = (
        compare_runs(run([True] * 10, trials=n), run([True] * 7 + [False] * 3, trials=n))
        for n in (1, 5)
    )

    assert [c.difference.worse for c in one.changes] == [c.difference.worse for c in many.changes]
    assert (many.broke[0].before, many.broke[0].now) == ((5, 5), (0, 5))


def test_trials_that_one_run_lost_are_left_out_of_both() -> None:
    before = run([True] * 10, trials=3)
    now = run([True] * 7 + [False] * 3, trials=3)
    lost = {**now, "dialogues": now["dialogues"][:-1]}

    changes = compare_runs(before, lost).changes  # type: ignore[arg-type]

    assert [each.chance for each in changes] == [
        each.chance for each in compare_runs(before, now).changes
    ]


def of(found: Results, **about: str) -> Results:
    """The same dialogues by another bot, user or test."""
    entries: Any = [{**entry, **about} for entry in found["dialogues"]]
    return {**found, "dialogues": entries}


def both(one: Results, other: Results) -> Results:
    """Two runs as one, goal by goal."""
    return {**one, "dialogues": [*one["dialogues"], *other["dialogues"]]}


def test_a_second_bot_does_not_count_for_or_against_the_first() -> None:
    ours = of(run([True] * 40), bot="Ours")
    beside = both(ours, of(run([False] * 40), bot="Weak"))

    for before, now in ((ours, beside), (beside, ours)):
        found = compare_runs(before, now)

        assert [(each.before, each.now) for each in found.changes if each.name == "passed"] == [
            (1, 1)
        ]
        assert not found.broke
        assert not found.mended
    assert "left out, other bot, user or test: 40 before, 0 now" in comparison_lines(found)


def test_a_new_test_of_old_goals_does_not_make_the_bot_look_worse() -> None:
    before = run([True] * 40)
    harder = run([False] * 40)
    for number, entry in enumerate(harder["dialogues"]):
        entry["test"] = f"harder[{number}]"

    found = compare_runs(before, both(before, harder))

    assert not found.worse
    assert found.left_out == {"other bot, user or test": (0, 40)}


def test_a_bot_that_lost_a_dialogue_is_not_held_against_another() -> None:
    ours, weak = of(run([True] * 8), bot="Ours"), of(run([False] * 8), bot="Weak")
    lost = {**ours, "dialogues": ours["dialogues"][1:]}

    found = compare_runs(both(ours, weak), both(lost, weak))  # type: ignore[arg-type]

    assert not found.broke
    assert {each.difference.mean for each in found.changes} == {0}


def test_a_bot_or_test_of_another_name_is_compared() -> None:
    before = of(run([True] * 40), bot="Old")
    now = of(run([False] * 40), bot="New", test="renamed[x]")

    assert len(compare_runs(before, now).broke) == 40


def test_a_baseline_of_single_trials_raises_no_alarm_by_luck() -> None:
    once = run([True] * 40)
    often = run([True] * 40, trials=8)
    for entry in often["dialogues"]:
        if int(entry["goal"].removeprefix("test/g")) < 5 and entry["trial"] == 0:
            entry["outcome"] = Outcome.FAILED

    found = compare_runs(once, often)

    # 5 goals, each at 7/8 now: if all pass with 0.98, 40 single trials all pass in half of all runs
    assert found.changes[0].now == 1 - 5 / 8 / 40
    assert found.changes[0].chance > 0.05


def test_what_others_spoiled_is_left_out_and_counted(tmp_path: Path, todeval: Todeval) -> None:
    paths = files(tmp_path, old=run([True, True, None]), new=run([True, None, None, True]))

    told = todeval("compare", *paths).out
    assert "1 goal in both runs" in told
    assert "left out, simulator_fault: 1 before, 2 now" in told
    assert "goals in one run only: 0 before, 1 now" in told


@pytest.mark.parametrize(
    ("about", "told"),
    [
        ({"goal_sets": {"test": "f2"}}, "goal set 'test' was 'f1', is 'f2'"),
        ({"metrics": {"booking": "online 4"}}, "metric 'booking' was 'online 3', is 'online 4'"),
    ],
)
def test_runs_over_other_things_are_refused_unless_forced(
    tmp_path: Path, todeval: Todeval, about: dict[str, Any], told: str
) -> None:
    paths = files(tmp_path, old=run([True] * 3), new=run([True] * 3, **about))

    assert told in todeval("compare", *paths, code=2).err
    assert f"differs: {told}" in todeval("compare", *paths, "--force").out


def test_other_users_and_judges_are_other_things_and_another_bot_is_not() -> None:
    old, new = run([True] * 3), run([True] * 3)
    for each, model in ((old, "one"), (new, "two")):
        each["environment"]["judges"] = {"LLMJudge": {"class": ["x"], "models": [model]}}
        each["environment"]["bots"] = {f"Bot{model}": {"class": ["y"], "models": [model]}}

    found = compare_runs(old, new, forced=True)

    assert found.differing == ("judges were LLMJudge (one), are LLMJudge (two)",)


def test_markdown_and_json(tmp_path: Path, todeval: Todeval) -> None:
    paths = files(tmp_path, old=run([True] * 40), new=run([False] * 8 + [True] * 32))
    out = tmp_path / "out.json"

    told = todeval("compare", *paths, "--markdown", "--json", out, code=1).out
    assert "| booking | 1.000 | 0.800 | -0.200 |" in told
    (found,) = json.loads(out.read_text(encoding="utf-8")).values()
    assert found["worse"] is True
    assert {change["name"]: change["finding"] for change in found["changes"]}["tone"] == "undecided"


@pytest.mark.parametrize("margin", ["0", "1", "-1", "nan"])
def test_a_margin_is_a_share(tmp_path: Path, todeval: Todeval, margin: str) -> None:
    paths = files(tmp_path, old=run([True]), new=run([True]))

    printed = todeval("compare", *paths, f"--margin={margin}", code=2).err
    assert "expected a share above 0 and below 1" in printed


def test_runs_without_a_goal_in_common(tmp_path: Path, todeval: Todeval) -> None:
    paths = files(tmp_path, old=run([None]), new=run([True]))

    assert "no goal in common" in todeval("compare", *paths, code=2).err


def test_a_number_of_goals_that_nobody_plays_is_not_told() -> None:
    found = compare_runs(run([True, False, True]), run([False, True, True]))

    told = {line.split()[0]: line for line in comparison_lines(found) if " p = " in line}
    assert "undecided: too close to the margin" in told["booking"]


def test_a_small_loss_says_how_many_goals_would_show_it_if_it_is_one() -> None:
    """4 of 80 broke; of so many in proportion, 5 of 100 would be worse."""
    told = {
        goals: compare_runs(run([True] * goals), run([False] * broke + [True] * (goals - broke)))
        for goals, broke in ((80, 4), (100, 5))
    }

    assert [each.worse for each in told.values()] == [False, True]
    (line,) = (each for each in comparison_lines(told[80]) if each.startswith("booking"))
    found = re.search(r"about (\d+) goals more would decide", line)
    assert found
    assert 10 <= int(found[1]) <= 20


def test_a_chance_that_is_nearly_none_is_not_told_as_none() -> None:
    lines = list(comparison_lines(compare_runs(run([True] * 80), run([False] * 80))))

    assert [line for line in lines if "p < 0.001" in line]
    assert not [line for line in lines if "p = 0.000" in line]


# Where nothing is left to chance, what differs is a fact.

SURE: Any = {"chance": ()}


@pytest.mark.parametrize("goals", [1, 2, 3, 5, 80])
def test_a_goal_that_broke_where_nothing_is_left_to_chance_is_a_fact(
    goals: int, tmp_path: Path, todeval: Todeval
) -> None:
    old, new = run([True] * goals, **SURE), run([False] + [True] * (goals - 1), **SURE)
    paths = files(tmp_path, old=old, new=new)

    first, second, third, *_ = todeval("compare", *paths, code=1).out.splitlines()
    assert "; 1 broke" in first
    assert second == "broke (1): test/g0"
    assert third == "nothing is left to chance: each difference comes of what was changed"
    assert "by chance" not in first


def test_two_runs_alike_of_which_nothing_is_left_to_chance_are_as_before() -> None:
    found = compare_runs(run([True, False], **SURE), run([True, False], **SURE))

    assert (found.worse, found.doubtful, found.chance) == (False, False, ())
    assert sum(line.endswith("as before") for line in comparison_lines(found)) == 4


@pytest.mark.parametrize(
    ("chance", "trials", "sure"),
    [((), 1, True), (("live calls of the user",), 1, False), (None, 1, False), (None, 2, True)],
)
def test_what_is_left_to_chance(chance: Sequence[str] | None, trials: int, sure: bool) -> None:
    """An older file does not say; trials that all agree do."""
    before, now = (run([each] * 3, trials=trials, chance=chance) for each in (True, False))

    found = compare_runs(before, now)

    assert (not found.chance, found.worse, found.doubtful) == (sure, sure, True)
    assert ("maybe by chance" in next(comparison_lines(found))) is not sure


def test_trials_of_which_one_disagrees_leave_all_goals_to_chance() -> None:
    before = run([True] * 3, trials=2)
    before["dialogues"][0]["outcome"] = Outcome.FAILED
    found = compare_runs(before, run([False] * 3, trials=2))

    assert found.chance == ("an older results file does not say what was left to chance",)
    assert not found.broken


def test_one_goal_asked_live_leaves_the_others_sure() -> None:
    before, now = run([True] * 3, **SURE), run([False] * 3, **SURE)
    now["dialogues"][0]["chance"] = ["live calls of the user"]
    found = compare_runs(before, now)

    assert [flip.goal for flip in found.broken] == ["test/g1", "test/g2"]
    assert [flip.goal for flip in found.broke] == ["test/g1", "test/g2", "test/g0"]


# What is missing is named, and does not pass.


def lacking(found: Results, name: str, goals: int) -> Results:
    entries: Any = [
        {**entry, "metrics": {**entry["metrics"], name: None}} if number < goals else entry
        for number, entry in enumerate(found["dialogues"])
    ]
    return {**found, "dialogues": entries}


@pytest.mark.parametrize(("goals", "code"), [(8, 11), (6, 11), (4, 0)])
def test_a_value_that_is_gone_is_named(
    goals: int, code: int, tmp_path: Path, todeval: Todeval
) -> None:
    old = run([True] * 8, **SURE)
    paths = files(tmp_path, old=old, new=lacking(old, "booking", goals))

    told = todeval("compare", *paths, code=code).out
    gone = f"gone: booking, which 8 goals had and {8 - goals} still have"
    assert (gone in told.splitlines()[:2]) is bool(code)


def test_goals_that_are_missing_are_named_and_most_of_them_do_not_pass(
    tmp_path: Path, todeval: Todeval
) -> None:
    old = run([True] * 10, **SURE)
    paths = files(tmp_path, old=old, few=run([True] * 2, **SURE), most=run([True] * 8, **SURE))

    told = todeval("compare", paths[0], paths[1], code=11).out
    assert told.splitlines()[1] == "goals in one run only: 8 before, 0 now"
    assert "2 before, 0 now" in todeval("compare", paths[0], paths[2]).out


def test_a_run_that_others_spoiled_and_one_that_is_slower_say_so() -> None:
    old, new = run([True] * 4, **SURE), run([True, None, None, None], **SURE)
    for found, seconds in ((old, 0.5), (new, 50.0)):
        for entry in found["dialogues"]:
            entry["turns"] = [{"latency_s": seconds}]

    lines = list(comparison_lines(compare_runs(old, new)))

    assert "others than the bot spoiled 75% of the later run: do not rely on it" in lines
    assert "slower: seconds for an answer" in "\n".join(lines)


def test_values_beyond_their_scale_are_compared() -> None:
    def rewarded(*values: float) -> Results:
        found = run([True] * 100)
        for value, entry in zip(values, found["dialogues"], strict=True):
            entry["metrics"]["reward"] = value
        return found

    before, now = rewarded(*[1.0] * 100), rewarded(*[-1.0] * 60, *[1.0] * 40)

    (reward,) = (each for each in compare_runs(before, now).changes if each.name == "reward")
    assert reward.now == pytest.approx(-0.2)
    assert (reward.before, reward.finding) == (1.0, "worse")
