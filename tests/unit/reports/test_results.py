"""The results file: entries, order, summary, merging, and what is refused when reading."""

import json
import math
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Booking, Dialogue, ToolCall, Turn, Usage
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.core.score import Score
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.errors import InvalidFile, UsageError
from pytest_todeval.runs.reports.report import report_lines
from pytest_todeval.runs.reports.results import (
    Results,
    dialogue_entry,
    environment,
    merge,
    read_results,
    results,
    strip_times,
    write_results,
)
from pytest_todeval.runs.reports.schema import DialogueEntry
from pytest_todeval.runs.reports.terminal import summary_lines

INFORM = Verdict("inform", True, "offered the right hotel", (2,), version="online 1")
NO_BOOKING = Verdict("booking", True, "nothing to book", applicable=False)


def a_dialogue(**changes: Any) -> Dialogue:
    call = ToolCall("book_hotel", {"name": "a"}, {"reference": "X1"})
    turns = (
        Turn(1, "hello", "hi", latency=0.25),
        Turn(2, "book it", "done", (call,), usage=Usage(10, 5, 0.002)),
    )
    settings: dict[str, Any] = {
        "goal": Goal("A1", "demo", ()),
        "turns": turns,
        "stop_reason": StopReason.USER_DONE,
        "final_bookings": (Booking("hotel", "X1", {"name": "a"}),),
        "backend_known": True,
        "verdicts": {"inform": INFORM, "booking": NO_BOOKING},
    }
    return Dialogue(**{**settings, **changes})


def an_entry(test: str = "t", outcome: Outcome = Outcome.PASSED, **changes: Any) -> DialogueEntry:
    return dialogue_entry(a_dialogue(**changes), test=test, outcome=outcome)


def a_file(*entries: DialogueEntry, **about: Any) -> Results:
    return results(entries, environment(**about))


def test_entry_holds_the_dialogue() -> None:
    entry = dialogue_entry(
        a_dialogue(),
        test="t.py::test[demo/A1]",
        outcome=Outcome.FAILED,
        metrics={"reward": 0.5},
        scores={"quality": [Score("quality", 4, "polite", 1)]},
        rules={"no-card": [{"turn": 1, "result": -1, "reason": "not applicable"}]},
    )
    assert entry["goal"] == "demo/A1"
    assert entry["outcome"] == "failed"
    assert entry["stop_reason"] == "user_done"
    assert entry["metrics"] == {"inform": True, "success": None, "booking": None, "reward": 0.5}
    assert entry["verdicts"]["inform"] == {
        "passed": True,
        "reason": "offered the right hotel",
        "turns": [2],
        "basis": "verified",
        "applicable": True,
        "version": "online 1",
        "metric_set": "online",
    }
    assert entry["verdicts"]["booking"]["reason"] == "nothing to book"
    assert entry["scores"]["quality"][0]["value"] == 4
    assert entry["rules"]["no-card"] == [{"turn": 1, "result": -1, "reason": "not applicable"}]
    held = {"domain": "hotel", "reference": "X1", "slots": {"name": "a"}}
    assert dict(entry)["bookings"] == [held]
    assert entry["turns"][0]["latency_s"] == 0.25
    assert entry["turns"][1]["tool_calls"][0]["result"] == {"reference": "X1"}
    used = {"prompt_tokens": 10, "completion_tokens": 5, "cost": 0.002, "dollars": 0.002}
    assert entry["usage"] == used


def test_a_metric_that_is_no_number_is_none() -> None:
    entry = dialogue_entry(
        a_dialogue(), test="t", outcome=Outcome.PASSED, metrics={"reward": math.nan}
    )
    assert entry["metrics"]["reward"] is None


def test_order_of_entries_makes_no_difference() -> None:
    entries = [an_entry("b"), an_entry("a", trial=1), an_entry("a"), an_entry("a", detail="rerun")]
    files = [a_file(*order) for order in permutations(entries)]
    assert all(file == files[0] for file in files)
    assert [(e["test"], e["trial"]) for e in files[0]["dialogues"]] == [
        ("a", 0),
        ("a", 0),
        ("a", 1),
        ("b", 0),
    ]


def test_summary_counts_outcomes_and_leaves_faults_out_of_rates() -> None:
    wrong = {"inform": replace(INFORM, passed=False, reason="wrong area")}
    file = a_file(
        an_entry("a"),
        an_entry("b", Outcome.FAILED, verdicts=wrong),
        an_entry("c", Outcome.SIMULATOR_FAULT, verdicts=wrong),
    )
    summary = file["summary"]
    assert summary["dialogues"] == 3
    assert summary["outcomes"]["simulator_fault"] == 1
    assert summary["metrics"]["inform"] == {"hits": 1, "total": 2, "rate": 0.5}
    assert summary["metrics"]["booking"] == {"hits": 0, "total": 0, "rate": None}


def test_a_metric_of_numbers_has_a_mean_and_no_hits() -> None:
    entries = [
        dialogue_entry(
            a_dialogue(), test=str(value), outcome=Outcome.PASSED, metrics={"reward": value}
        )
        for value in (0.0, 0.5)
    ]
    assert a_file(*entries)["summary"]["metrics"]["reward"] == {
        "hits": None,
        "total": 2,
        "rate": 0.25,
    }


def a_reward(passed: bool, metric_set: str = "tau-bench") -> dict[str, Verdict]:
    verdict = Verdict("reward", passed, "so", metric_set=metric_set, value=float(passed))
    return {"reward": verdict}


def test_different_metrics_of_one_name_make_no_rate() -> None:
    entries = [
        an_entry(metric_set, verdicts=a_reward(True, metric_set))
        for metric_set in ("tau-bench", "tau2")
    ]
    of_both = a_file(*entries)["summary"]["metrics"]["reward"]
    assert of_both == {"hits": None, "total": 2, "rate": None}
    (line,) = [line for line in summary_lines(a_file(*entries), ["X"]) if "reward" in line]
    assert line.split() == ["reward", "2", "of", "different", "definitions,", "no", "mean"]
    assert a_file(entries[0])["summary"]["metrics"]["reward"]["rate"] == 1.0


def trials_of(source: str, goal: str, *rewards: bool | None) -> list[DialogueEntry]:
    """Trials of a goal; None: one that a fault of the network ended."""
    return [
        an_entry(
            f"t[{source}/{goal}#{trial}]",
            Outcome.INFRASTRUCTURE if reward is None else Outcome.PASSED,
            goal=Goal(goal, source, ()),
            trial=trial,
            verdicts={} if reward is None else a_reward(reward),
        )
        for trial, reward in enumerate(rewards)
    ]


def test_trials_give_pass_k_with_its_interval_and_what_is_left_out() -> None:
    entries = [*trials_of("x/desk", "a", True, True), *trials_of("x/desk", "b", False, None)]
    file = a_file(*entries)
    first, second = (file["summary"]["metrics"][f"pass^{k}"] for k in (1, 2))
    assert (first["total"], first["rate"]) == (2, 0.5)
    low, high = first["interval"]
    assert 0 < low < 0.5 < high < 1
    assert (second["total"], second["rate"]) == (1, 1.0)
    assert second["left_out"] == 1
    assert file["environment"]["metrics"]["pass^2"] == "pass-hat-k 1"
    assert merge([a_file(entries[0]), a_file(*entries[1:])])["summary"] == file["summary"]
    assert "pass^1" not in a_file(entries[0])["summary"]["metrics"]


def test_goals_that_flip_are_counted_and_named() -> None:
    def played(goal: str, *passed: bool, bot: str = "A") -> list[DialogueEntry]:
        outcomes = [Outcome.PASSED if each else Outcome.FAILED for each in passed]
        entries = [
            an_entry(f"t[x/{goal}#{n}]", each, goal=Goal(goal, "x", ()), trial=n)
            for n, each in enumerate(outcomes)
        ]
        return [{**entry, "bot": bot} for entry in entries]

    alike = [*played("same", True, True), *played("same", False, False, bot="B")]
    many = [each for n in range(24) for each in played(f"g{n:02}", True, False, True)]
    file = a_file(*alike, *played("once", True), *many)

    found = file["summary"]["flips"]
    assert (found["goals"], found["flaky"], found["rate"]) == (26, 24, 24 / 26)
    assert found["trials"][0] == ("x/g00", 2, 3)
    lines = list(summary_lines(file, ["X"]))
    first = lines.index("  flaky: 24 of 26 goals (92.3%):")
    assert lines[first + 1] == "    x/g00 2/3"
    assert lines[first + 20 : first + 22] == ["    x/g19 2/3", "    and 4 more"]
    assert "flaky: 24 of 26 goals (92.3%):" in report_lines(file)
    assert "flips" not in a_file(*played("once", True))["summary"]
    assert file["environment"]["metrics"]["pass@3"] == "pass-at-k 1"


def test_what_a_file_adds_to_a_quarantine_does_not_count() -> None:
    held: Any = {"reason": "slow\nbackend", "until": "2027-01-31", "passed": "x"}
    entries = trials_of("x", "a", True, None)
    for each in entries:
        each["quarantined"] = held
    file = a_file(*entries)

    found = file["summary"]["quarantined"]["x/a"]
    assert (found["passed"], found["played"]) == (1, 1)
    assert "    x/a 1/1, until 2027-01-31: slow backend" in list(summary_lines(file, ["X"]))


def test_a_test_that_plays_each_goal_once_is_in_no_pass_k() -> None:
    once = an_entry("other[x/desk/c]", goal=Goal("c", "x/desk", ()), verdicts=a_reward(True))
    trials = trials_of("x/desk", "a", False, False)
    assert a_file(*trials, once)["summary"]["metrics"]["pass^1"]["total"] == 1


def test_merge_names_what_differs_in_the_data_before_what_came_of_it() -> None:
    parts = [
        a_file(an_entry(detail=fingerprint), goal_sets={"demo": fingerprint})
        for fingerprint in ("aa", "bb")
    ]
    with pytest.raises(UsageError, match="goal set 'demo' is 'aa' in one file and 'bb' in another"):
        merge(parts)


def test_pass_k_of_different_goal_sets_is_not_mixed() -> None:
    file = a_file(*trials_of("x/desk", "a", True, True), *trials_of("air", "a", False, None))
    rates = {n: e["rate"] for n, e in file["summary"]["metrics"].items() if n.startswith("pass^")}
    assert rates == {"pass^1/air": 0.0, "pass^1/x/desk": 1.0, "pass^2/x/desk": 1.0}
    lines = [line.strip() for line in summary_lines(file, ["X"]) if "pass^" in line]
    assert [line.partition(" (")[0] for line in lines] == [
        "air: pass^1 = 0.000",
        "air: left out of pass^k: 1 infrastructure",
        "x/desk: pass^1 = 1.000",
        "x/desk: pass^2 = 1.000",
    ]


def test_merge_is_the_same_in_any_order_and_equals_one_run() -> None:
    entries = [an_entry(name) for name in "abcd"]
    parts = [a_file(entries[0], entries[3]), a_file(entries[2]), a_file(entries[1])]
    whole = a_file(*entries)
    for order in permutations(parts):
        assert merge(order) == whole
    assert merge([merge(parts[:2]), parts[2]]) == whole
    assert merge([whole, parts[0]]) == whole


def test_merge_refuses_two_results_of_one_test() -> None:
    with pytest.raises(UsageError, match=r"a \(trial 0\) has different results"):
        merge([a_file(an_entry("a")), a_file(an_entry("a", Outcome.FAILED))])


def test_merge_refuses_two_definitions_of_a_metric() -> None:
    one, two = a_file(metrics={"inform": "online 1"}), a_file(metrics={"inform": "online 2"})
    with pytest.raises(UsageError, match=r"'inform' is 'online 1' .* 'online 2'"):
        merge([two, one])


def test_merge_keeps_what_the_settings_share() -> None:
    one = a_file(settings={"user": "agenda", "limit": 1})
    two = a_file(settings={"user": "agenda", "limit": 2})
    merged = merge([one, two])["environment"]["settings"]
    assert merged == {"user": "agenda", "limit": "(differs)"}


def test_merge_of_nothing_is_refused() -> None:
    with pytest.raises(UsageError, match="nothing to merge"):
        merge([])


def test_strip_times_leaves_everything_else() -> None:
    slow = a_dialogue(turns=(Turn(1, "hello", "hi", latency=9.0),))
    fast = a_dialogue(turns=(Turn(1, "hello", "hi", latency=0.1),))
    other = a_dialogue(turns=(Turn(1, "hello", "ho", latency=0.1),))
    files = [
        a_file(dialogue_entry(dialogue, test="t", outcome=Outcome.PASSED))
        for dialogue in (slow, fast, other)
    ]
    assert files[0] != files[1]
    assert strip_times(files[0]) == strip_times(files[1])
    assert strip_times(files[1]) != strip_times(files[2])
    assert files[0]["dialogues"][0]["turns"][0]["latency_s"] == 9.0


def test_written_file_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "new" / "results.json"
    file = a_file(an_entry(), settings={"user": "agenda"})
    write_results(path, file)
    assert read_results(path) == file
    assert [p.name for p in path.parent.iterdir()] == ["results.json"]


def test_drift_is_in_the_file_where_the_recorded_user_played(tmp_path: Path) -> None:
    entry = dialogue_entry(
        a_dialogue(),
        test="t",
        outcome=Outcome.PASSED,
        drift=[{"turn": 2, "was": "done", "now": "do\ud800ne"}],
    )
    path = tmp_path / "results.json"
    write_results(path, a_file(entry, an_entry("u")))
    first, second = read_results(path)["dialogues"]
    assert first["drift"] == [{"turn": 2, "was": "done", "now": "do\\ud800ne"}]
    assert "drift" not in second


def test_failed_write_keeps_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    write_results(path, a_file(an_entry()))
    before = path.read_bytes()
    broken = a_file(an_entry())
    broken["environment"]["settings"]["odd"] = math.nan
    with pytest.raises(ValueError, match="JSON"):
        write_results(path, broken)
    assert path.read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 1


def test_unwritable_place_is_a_usage_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot write the results to"):
        write_results(tmp_path / "file" / "results.json", a_file())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": 2}, "schema 2; this version reads schema 1"),
        ({"schema": None}, r'expected an object with "schema": 1'),
        ({"dialogues": [{"test": 1}]}, r"dialogues\.0\.test: expected text"),
        ({"dialogues": None}, r"dialogues: expected a list"),
    ],
)
def test_reading_names_what_is_wrong(
    tmp_path: Path, change: dict[str, object], message: str
) -> None:
    path = tmp_path / "results.json"
    path.write_text(json.dumps({**a_file(an_entry()), **change}))
    with pytest.raises(InvalidFile, match=message):
        read_results(path)


def test_reading_refuses_an_unknown_outcome(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    file = a_file(an_entry())
    file["dialogues"][0]["outcome"] = "won"
    path.write_text(json.dumps(file))
    with pytest.raises(InvalidFile, match="outcome is 'won'; expected one of passed"):
        read_results(path)


def test_reading_a_missing_file_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no results file at"):
        read_results(tmp_path / "results.json")


def test_files_that_call_trivial_goals_toothless_are_read(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    results = a_file(an_entry(), settings={"trivial": "keep"})
    results["dialogues"][0]["trivial"] = "it wants nothing"
    write_results(path, results)
    path.write_text(path.read_text().replace('"trivial"', '"toothless"'))
    assert read_results(path) == results


def test_fields_of_a_later_version_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    path.write_text(json.dumps({**a_file(an_entry()), "added": 1}))
    assert json.loads(path.read_text()) == read_results(path)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "it is empty"),
        (" \n", "it is empty"),
        ("[" * 200_000, "nested too deeply"),
        ("{}", "got an object without it"),
        ("3", "got something else without it"),
        ('{"schema": 1, "dialogues": [{"test": "te', "it is cut off; play the run again"),
        ('{"schema": 1,, "dialogues": []}', "Expecting property name"),
        ("<html>", "Expecting value"),
        ("{", ""),
        ("[1]", ""),
        ('{"schema": NaN}', ""),
    ],
)
def test_what_is_no_results_file_is_told_in_words(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "results.json"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(InvalidFile, match=rf"results\.json: not a results file: .*{told}"):
        read_results(path)
