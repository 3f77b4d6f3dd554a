"""What a summary says of many dialogues, each figure against the value reckoned by hand."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Dialogue, Turn, Usage
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.core.score import Score
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.errors import UsageError
from pytest_todeval.evaluate.rules.report import RuleReport, RuleResult
from pytest_todeval.runs.reports.effort import resolution
from pytest_todeval.runs.reports.results import (
    dialogue_entry,
    environment,
    merge,
    read_results,
    results,
    strip_times,
    write_results,
)
from pytest_todeval.runs.reports.schema import DialogueEntry, MetricSummary, Results, Summary
from pytest_todeval.runs.reports.weighted import combine_summaries

DIMENSIONS = ("conversation_cohesion", "backend_consistency", "policy_compliance")


def turns(*seconds: float, spans: Sequence[tuple[str, float]] = ()) -> tuple[Turn, ...]:
    return tuple(
        Turn(n, "a", "b", latency=took, spans=tuple(spans)) for n, took in enumerate(seconds, 1)
    )


def entry(
    name: str,
    *,
    domains: Sequence[str] = (),
    source: str = "demo",
    played: Sequence[Turn] = turns(0.0),
    verdicts: Sequence[Verdict] = (),
    outcome: Outcome = Outcome.PASSED,
    variation: str = "",
    **answers: Any,
) -> DialogueEntry:
    goal = Goal(name, source, tuple(DomainGoal(each) for each in domains))
    dialogue = Dialogue(
        goal,
        tuple(played),
        StopReason.USER_DONE if outcome is Outcome.PASSED else StopReason.USER_GAVE_UP,
        verdicts={each.name: each for each in verdicts},
    )
    made = dialogue_entry(dialogue, test=name, outcome=outcome, **answers)
    if variation:
        made["variation"] = variation
    return made


def file(*entries: DialogueEntry, **about: Any) -> Results:
    return results(entries, environment(**about))


def summed(*entries: DialogueEntry, **about: Any) -> Summary:
    return file(*entries, **about)["summary"]


def kept(*values: int | None, by: str = "evidence") -> dict[str, Any]:
    found = [RuleResult("polite", "Be polite.", 1, value, "so", by) for value in values]
    return {"rules": dict(RuleReport(found).by_rule())}


def test_adherence_of_a_rule_is_over_all_turns_of_the_run() -> None:
    """AutoEval-ToD, table 4: 1 1 0 | 1 -1, so three of four."""
    found = summed(entry("a", **kept(1, 1, 0)), entry("b", **kept(1, -1, None)))["rules"]
    assert found == {
        "polite": {
            "adherence": 0.75,
            "complies": 3,
            "broken": 1,
            "not_applicable": 1,
            "untold": 1,
            "definition": "",
        }
    }


def test_rules_judged_in_different_ways_make_no_adherence() -> None:
    parts = [
        entry(name, **kept(1, by="m"), rule_definitions={"polite": f"rules {name}, m"})
        for name in "ab"
    ]
    (found,) = summed(*parts)["rules"].values()
    assert (found["adherence"], found["complies"], found["definition"]) == (None, 2, "(differs)")


def test_rules_of_a_shape_of_ones_own_are_left_alone() -> None:
    (found,) = summed(entry("a", rules={"x": [{"turn": 1, "result": 1}, 3]}))["rules"].values()
    assert (found["complies"], found["adherence"]) == (0, None)


def solved(passed: bool, *turns: int) -> Verdict:
    return Verdict("goal_completion", passed, "so", turns, metric_set="model")


def test_turns_to_resolution_and_resolution_by_turn() -> None:
    """AutoEval-ToD 3.2, 3.3 and figure 5: resolved in turns 1 and 3, and one never."""
    parts = [
        entry("a", metrics={"goal_completion": solved(True, 1)}),
        entry("b", metrics={"goal_completion": solved(True, 2, 3)}),
        entry("c", metrics={"goal_completion": solved(False)}),
        entry("d", metrics={"goal_completion": solved(True)}),
    ]
    assert summed(*parts)["resolution"]["goal_completion"] == {
        "total": 4,
        "resolved": 3,
        "turns": 2.0,
        "by_turn": [0.25, 0.25, 0.5],
        "unplaced": 1,
    }


def test_a_resolution_in_an_unknown_turn_counts_in_no_figure_by_turn() -> None:
    found = resolution([(True, None), (True, 1)])
    assert (found["resolved"], found["unplaced"]) == (2, 1)
    assert (found["turns"], found["by_turn"]) == (1.0, [0.5])
    assert resolution([(False, None)])["turns"] is None


def test_resolutions_and_keywords_of_different_definitions_are_not_mixed() -> None:
    word = {"keyword": "k", "turn": 1, "speaker": "user"}
    parts = [
        entry(
            name,
            metrics={"goal_completion": replace(solved(True, 1), version=name)},
            scores={"goal_coverage": [Score("goal_coverage", 1, "so", definition=name)]},
            keywords={"goal_coverage": [word]},
        )
        for name in "ab"
    ]
    found = summed(*parts)
    assert "goal_completion" not in found["resolution"]
    assert "keywords" not in found
    assert summed(parts[0])["keywords"]["goal_coverage"]["by"] == {"user": 1}


def test_without_a_judge_a_dialogue_is_resolved_when_the_user_had_all() -> None:
    done = Verdict("booking", True, "booked", (2,))
    failed = Verdict("booking", False, "not booked")
    parts = [
        entry("a", played=turns(0, 0, 0), verdicts=[done]),
        entry("b", played=turns(0, 0), verdicts=[failed], outcome=Outcome.FAILED),
    ]
    assert [each["turns_to_done"] for each in parts] == [2, None]
    found = summed(*parts)
    assert found["resolution"]["done"]["turns"] == 2.0
    assert found["resolution"]["done"]["by_turn"] == [0.0, 0.5]
    assert found["per_dialogue"]["turns"] == 2.5
    assert found["per_dialogue"]["efficiency"] == 1 / 5  # one done, in five turns in all


def test_latency_is_per_turn_and_per_part_of_a_turn() -> None:
    """AutoEval-ToD 3.2, table 3; two spans of one name in a turn are one part of it."""
    search = [("search", 0.1), ("search", 0.3), ("write", 0.2)]
    found = summed(
        entry("a", played=turns(1.0, 3.0, spans=search)), entry("b", played=turns(2.0, 4.0, 9.0))
    )["latency"]
    assert found["turn"] == {"count": 5, "p50": 3.0, "p90": 9.0, "most": 9.0}
    assert set(found["spans"]) == {"search", "write"}
    assert found["spans"]["search"]["count"] == 2
    assert math.isclose(found["spans"]["search"]["p50"], 0.4)
    effort = summed(entry("a", played=turns(1.0, 3.0)), entry("b", played=turns(2.0)))
    assert effort["per_dialogue"]["seconds"] == 3.0


def test_cost_per_dialogue_is_the_bot_s_own_account_or_its_calls() -> None:
    reports = [Turn(1, "a", "b", usage=Usage(100, 10, 0.3))]
    called = {
        "prompt_tokens": 50,
        "completion_tokens": 4,
        "dollars": 0.1,
        "flop_dollars": None,
        "calls": 2,
        "models": ["m"],
    }
    parts = [
        entry("a", played=reports, calls={"system": called, "judge": called}),
        entry("b", calls={"system": called}),
    ]
    spent = summed(*parts)["per_dialogue"]["spent"]
    assert spent["system"] == {
        "prompt_tokens": 75.0,
        "completion_tokens": 7.0,
        "dollars": 0.2,
        "flop_dollars": None,
    }
    assert spent["judge"]["dollars"] == 0.05
    unpriced = [Turn(1, "a", "b", usage=Usage(100, 10))]
    assert summed(entry("a", played=unpriced))["per_dialogue"]["spent"]["system"]["dollars"] is None


def scored(**values: float) -> Mapping[str, Sequence[Score]]:
    return {name: [Score(name, value, "so", 1)] for name, value in values.items()}


def test_overall_is_the_mean_of_the_three_means() -> None:
    """TD-Eval, table 3, first row: 4.6201, 4.3412, 4.5135 make 4.4916."""
    row = dict(zip(DIMENSIONS, (4.6201, 4.3412, 4.5135), strict=True))
    found = summed(entry("a", scores=scored(**row)))["overall"]
    assert round(found["turn"], 4) == 4.4916
    assert "dialogue" not in found
    whole = {f"dialogue_{name}": value for name, value in row.items()}
    assert round(summed(entry("a", scores=scored(**whole)))["overall"]["dialogue"], 4) == 4.4916
    assert "overall" not in summed(entry("a", scores=scored(policy_compliance=3)))


def test_scores_stand_by_turn_as_progressive_hit_rates_do() -> None:
    """AutoEval-ToD 3.3: in turn 1 one of two dialogues hits, in turn 2 the one that asks."""
    rank = {"a": [(1, 1.0), (2, 1.0)], "b": [(1, 0.0)]}
    scores = {
        name: [Score("h", value, "so", turn, (0, 1)) for turn, value in found]
        for name, found in rank.items()
    }
    parts = [entry(name, scores={"hit_rate@1": found}) for name, found in scores.items()]
    assert summed(*parts)["by_turn"] == {"hit_rate@1": {"1": 0.5, "2": 1.0}}
    assert "by_turn" not in summed(parts[1])


def test_each_domain_combination_goal_set_and_variation_stands_by_itself() -> None:
    parts = [
        entry("a", domains=["train", "hotel"], verdicts=[Verdict("booking", True, "so")]),
        entry("b", domains=["hotel"], outcome=Outcome.FAILED, variation="hard"),
        entry("c", domains=["taxi"], source="own"),
    ]
    found = summed(*parts)
    assert {name: each["dialogues"] for name, each in found["domains"].items()} == {
        "hotel": 2,
        "taxi": 1,
        "train": 1,
    }
    assert list(found["combinations"]) == ["hotel", "hotel+train", "taxi"]
    assert found["combinations"]["hotel+train"]["metrics"]["booking"]["hits"] == 1
    assert list(found["goal_sets"]) == ["demo", "own"]
    assert {name: each["dialogues"] for name, each in found["variations"].items()} == {
        "hard": 1,
        "plain": 2,
    }
    assert "domains" not in summed(parts[1])


def labelled(name: str, *labels: str) -> DialogueEntry:
    found = entry(name)
    return {**found, "goal_record": {**found["goal_record"], "labels": list(labels)}}


def test_each_label_stands_by_itself_and_one_that_only_some_goals_carry() -> None:
    two = summed(labelled("a", "smoke", "refund"), labelled("b", "smoke"), entry("c"))
    assert {name: each["dialogues"] for name, each in two["labels"].items()} == {
        "refund": 1,
        "smoke": 2,
    }
    assert list(summed(labelled("a", "smoke"), entry("c"))["labels"]) == ["smoke"]
    assert "labels" not in summed(labelled("a", "smoke"), labelled("b", "smoke"))
    assert "labels" not in summed(entry("a"), entry("b"))


def told(name: str, passed: bool | None, doubt: str = "") -> Verdict:
    return Verdict(name, bool(passed), "so", applicable=passed is not None, doubt=doubt)


def test_combine_is_the_mean_over_dialogues_not_of_rates() -> None:
    """AutoTOD: 0.5 x 1 + 0.25 x 1 + 0.25 x 0 = 0.75; without success 0.5 x 0 + 0.5 x 1 = 0.5."""
    parts = [
        entry("a", verdicts=[told("inform", True), told("success", True), told("booking", False)]),
        entry("b", verdicts=[told("inform", False), told("success", None), told("booking", True)]),
        entry("c", verdicts=[told("inform", True), told("success", True, "misheard?")]),
    ]
    found = file(*parts)
    assert found["summary"]["metrics"]["combine"] == {"hits": None, "total": 2, "rate": 0.625}
    assert found["environment"]["metrics"]["combine"] == "autotod-combine 1"
    assert "combine" not in summed(entry("a", verdicts=[told("inform", True)]))["metrics"]
    unbooked = entry("d", verdicts=[told("inform", True), told("booking", None)])
    assert summed(unbooked)["metrics"]["combine"]["rate"] == 1.0


def test_combine_has_no_rate_if_a_part_that_was_asked_for_has_none() -> None:
    played = entry("a", verdicts=[told("inform", True), told("booking", True)])

    def rate_if(**parts: MetricSummary) -> float | None:
        return combine_summaries([played], parts)["combine"]["rate"]

    known = MetricSummary(hits=1, total=1, rate=1.0)
    unknown = MetricSummary(hits=None, total=1, rate=None)
    idle = MetricSummary(hits=0, total=0, rate=None)
    assert rate_if(inform=known, booking=known) == 1.0
    assert rate_if(inform=known, booking=unknown) is None
    assert rate_if(inform=known, booking=known, success=idle) == 1.0


def test_a_composite_is_of_metrics_scores_and_rules() -> None:
    parts = entry(
        "a",
        verdicts=[told("success", True)],
        scores={"tone": [Score("tone", 2, "so", 1)]},
        **kept(1, 0),
    )
    weights = {"ours": "2 success + 1 rude", "mine": "2 success + 1 polite + 1 tone"}
    file_of = file(parts, composites=weights)
    mine = (2 * 1 + 1 * 0.5 + 1 * (2 - 1) / 4) / 4
    assert file_of["summary"]["composites"] == {
        "mine": {"value": mine, "definition": weights["mine"], "missing": []},
        "ours": {"value": None, "definition": weights["ours"], "missing": ["rude"]},
    }
    assert merge([file_of, file(entry("b"), composites=weights)])["summary"]["composites"]
    other = file(entry("b"), composites={"ours": "1 success"})
    with pytest.raises(UsageError, match="composite 'ours'"):
        merge([file_of, other])


def test_the_new_parts_are_written_read_and_merged(tmp_path: Path) -> None:
    parts = [
        entry(
            name,
            domains=[name],
            played=turns(1.0, spans=[("x", 0.5)]),
            **kept(1, 0),
            scores=scored(**dict.fromkeys(DIMENSIONS, 4)),
            metrics={"goal_completion": solved(True, 1)},
            keywords={"goal_coverage": [{"keyword": "k", "turn": None, "speaker": None}]},
        )
        for name in "ab"
    ]
    whole = file(*parts, composites={"ours": "1 success"})
    write_results(tmp_path / "r.json", whole)
    assert read_results(tmp_path / "r.json") == whole
    halves = [file(each, composites={"ours": "1 success"}) for each in parts]
    assert merge(halves) == whole
    assert whole["summary"]["keywords"]["goal_coverage"] == {
        "total": 2,
        "raised": 0,
        "by": {},
        "missed": {"k": 2},
    }


def test_two_runs_differ_in_the_summary_only_by_times() -> None:
    slow, fast = (
        file(*(entry(name, domains=[name], played=turns(took)) for name in "ab"))
        for took in (1.0, 2.0)
    )
    assert slow["summary"] != fast["summary"]
    assert strip_times(slow) == strip_times(fast)
