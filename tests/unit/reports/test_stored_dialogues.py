"""A dialogue goes into a results file and comes back; what older files lack is not made up."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_todeval.core.dialogue import Booking, Dialogue, ToolCall, Turn, Usage
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.core.records import RecordChange
from pytest_todeval.core.score import Score
from pytest_todeval.core.steps import Condition, Expected, Step, Verb
from pytest_todeval.core.verdict import Sample, Verdict
from pytest_todeval.errors import InvalidFile, UsageError
from pytest_todeval.runs.reports.rate_lines import score_lines
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
from pytest_todeval.runs.reports.stored import dialogue_of
from pytest_todeval.runs.reports.terminal import model_lines, summary_lines
from tests.support.examples import examples
from tests.support.json_values import JSON_VALUES

TEXT = st.text(max_size=8)
SLOTS = st.dictionaries(TEXT, TEXT, max_size=2)
SECONDS = st.integers(0, 10**6).map(lambda n: n / 1000)
OBJECTS = st.dictionaries(TEXT, JSON_VALUES, max_size=2)
COUNTS = st.integers(0, 10**6)
RECORDS = st.none() | OBJECTS
CHANGES = st.builds(RecordChange, TEXT, RECORDS, RECORDS)
CALLS = st.builds(ToolCall, TEXT, OBJECTS, JSON_VALUES, st.none() | TEXT)
TURNS = st.builds(
    Turn,
    index=st.just(0),
    user=TEXT,
    system=TEXT,
    tool_calls=st.lists(CALLS, max_size=2).map(tuple),
    state=st.none() | OBJECTS,
    retrieved=st.lists(JSON_VALUES, max_size=2).map(tuple),
    latency=SECONDS,
    usage=st.none() | st.builds(Usage, COUNTS, COUNTS, SECONDS),
    spans=st.lists(st.tuples(TEXT, SECONDS), max_size=2).map(tuple),
    user_calls=st.lists(CALLS, max_size=2).map(tuple),
    turn_state=st.none() | OBJECTS,
    changed=st.none() | st.lists(CHANGES, max_size=2).map(tuple),
)


def numbered(turns: list[Turn]) -> tuple[Turn, ...]:
    return tuple(replace(turn, index=at) for at, turn in enumerate(turns, 1))


STEPS = st.builds(
    Step,
    verb=TEXT,
    kind=TEXT,
    target=SLOTS,
    to=SLOTS,
    asks=st.lists(TEXT, max_size=2).map(tuple),
    alternatives=st.lists(st.builds(Step, TEXT, TEXT, SLOTS), max_size=1).map(tuple),
    condition=st.none() | st.builds(Condition, TEXT, TEXT, TEXT),
    refusal=st.none() | TEXT,
    own=st.none() | st.builds(Verb, TEXT),
)
FIELDS = st.dictionaries(TEXT, st.none() | SLOTS, max_size=1)
GOALS = st.builds(
    Goal,
    steps=st.lists(STEPS, max_size=2).map(tuple),
    expect=st.none() | st.builds(Expected, st.dictionaries(TEXT, FIELDS, max_size=1)),
    references=st.booleans(),
    id=TEXT,
    source=TEXT,
    domains=st.lists(
        st.builds(
            DomainGoal,
            domain=TEXT,
            inform=SLOTS,
            fail_inform=SLOTS,
            book=SLOTS,
            fail_book=SLOTS,
            request=st.lists(TEXT, max_size=2).map(tuple),
            wants_booking=st.booleans(),
        ),
        max_size=2,
    ).map(tuple),
    message=st.lists(TEXT, max_size=2).map(tuple),
    solution=TEXT,
    opening=st.lists(TURNS, max_size=2).map(tuple),
    published=st.booleans(),
)
DIALOGUES = st.builds(
    Dialogue,
    goal=GOALS,
    turns=st.lists(TURNS, max_size=3).map(numbered),
    stop_reason=st.sampled_from(StopReason),
    fault=st.none() | st.sampled_from(Outcome),
    detail=TEXT,
    last_words=TEXT,
    last_calls=st.lists(CALLS, max_size=2).map(tuple),
    notes=st.lists(TEXT, max_size=2).map(tuple),
    final_bookings=st.lists(st.builds(Booking, TEXT, TEXT, SLOTS), max_size=2).map(tuple),
    backend_known=st.booleans(),
    trial=st.integers(0, 3),
    verdicts=st.dictionaries(
        st.sampled_from(["inform", "success", "own"]),
        st.builds(
            Verdict,
            name=st.just(""),
            passed=st.booleans(),
            reason=TEXT,
            turns=st.lists(st.integers(1, 3), max_size=2).map(tuple),
            basis=TEXT,
            applicable=st.booleans(),
            version=TEXT,
            metric_set=TEXT,
        ),
        max_size=2,
    ).map(lambda found: {name: named(name, verdict) for name, verdict in found.items()}),
)


def named(name: str, verdict: Verdict) -> Verdict:
    return replace(verdict, name=name)


@examples(60)
@given(DIALOGUES)
def test_a_dialogue_comes_back_as_it_was(dialogue: Dialogue) -> None:
    entry = dialogue_entry(dialogue, test="t", outcome=Outcome.PASSED)
    written: DialogueEntry = json.loads(json.dumps(entry))
    assert dialogue_of(written) == dialogue
    assert dialogue_entry(dialogue_of(written), test="t", outcome=Outcome.PASSED) == entry


WANTED = Goal("A1", "demo", (DomainGoal("hotel", {"area": "east"}),), ("Find one.",), "key 7")
PLAYED = Dialogue(WANTED, (Turn(1, "hello", "hi", spans=(("search", 0.5),)),))


def an_entry(
    test: str = "t", *scores: Score, outcome: Outcome = Outcome.PASSED, **options: object
) -> DialogueEntry:
    by_name: dict[str, list[Score]] = {}
    for score in scores:
        by_name.setdefault(score.name, []).append(score)
    calls = options.get("calls")
    assert calls is None or isinstance(calls, dict)
    return dialogue_entry(PLAYED, test=test, outcome=outcome, scores=by_name, calls=calls)


def tone(value: float | None, definition: str = "d1", unscored: str | None = None) -> Score:
    return Score("tone", value, "because", 1, unscored=unscored, definition=definition)


def a_file(*entries: DialogueEntry, **about: object) -> Results:
    return results(entries, environment(**about))  # type: ignore[arg-type]


def older(entry: DialogueEntry) -> DialogueEntry:
    """As the version before wrote it."""
    old: DialogueEntry = json.loads(json.dumps(entry))
    for name in ("goal_record", "fault", "calls"):
        old.pop(name, None)  # type: ignore[misc]
    for turn in old["turns"]:
        turn.pop("spans", None)
    for scores in old["scores"].values():
        for score in scores:
            score.pop("definition", None)
            score.pop("samples", None)
    for verdict in old["verdicts"].values():
        verdict.pop("metric_set", None)
    return old


def test_an_older_file_is_read_and_its_goal_is_a_name(tmp_path: Path) -> None:
    file = a_file(older(an_entry("t", tone(4))))
    del file["environment"]["models"], file["environment"]["prompts"]
    del file["summary"]["scores"]
    path = tmp_path / "old.json"
    write_results(path, file)
    dialogue = dialogue_of(read_results(path)["dialogues"][0])
    assert dialogue.goal == Goal("A1", "demo", ())
    assert dialogue.goal.name == "demo/A1"
    assert dialogue.turns == (Turn(1, "hello", "hi"),)
    assert "scores" in merge([file, a_file(an_entry("u"))])["summary"]


@pytest.mark.parametrize(
    ("outcome", "fault"),
    [("passed", None), ("failed", None), ("simulator_fault", Outcome.SIMULATOR_FAULT)],
)
def test_an_older_outcome_tells_the_fault(outcome: str, fault: Outcome | None) -> None:
    entry = older(an_entry())
    entry["outcome"] = outcome
    assert dialogue_of(entry).fault is fault


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"stop_reason": "bored"},
            r"t \(trial 0\): stop_reason is 'bored': expected 'user_d",
        ),
        ({"fault": "nobody"}, "fault is 'nobody'"),
    ],
)
def test_what_this_version_does_not_know_is_refused(
    change: dict[str, object], message: str
) -> None:
    entry: DialogueEntry = {**an_entry(), **change}  # type: ignore[typeddict-item]
    with pytest.raises(InvalidFile, match=message):
        dialogue_of(entry)


def test_definition_and_samples_of_a_score_are_in_the_file(tmp_path: Path) -> None:
    asked = (Sample("m", 4, "well"), Sample("n", None, "asked twice"))
    score = Score("tone", 4, "well", 1, samples=asked, definition="tone 1 (ab), m + n")
    path = tmp_path / "results.json"
    write_results(path, a_file(an_entry("t", score, tone(5))))
    found = read_results(path)["dialogues"][0]["scores"]["tone"]
    assert found[0]["definition"] == "tone 1 (ab), m + n"
    assert found[0]["samples"] == [
        {"by": "m", "value": 4, "reason": "well"},
        {"by": "n", "value": None, "reason": "asked twice"},
    ]
    assert "samples" not in found[1]


def test_summary_of_scores_leaves_faults_out_and_counts_what_has_no_number() -> None:
    file = a_file(
        an_entry("a", tone(5), tone(2), tone(None, unscored=Score.NOT_APPLICABLE)),
        an_entry("b", tone(None, unscored="asked twice"), outcome=Outcome.FAILED),
        an_entry("c", tone(1), outcome=Outcome.SIMULATOR_FAULT),
    )
    assert file["summary"]["scores"] == {
        "tone": {
            "mean": 3.5,
            "min": 2,
            "scored": 2,
            "not_applicable": 1,
            "unscored": 1,
            "definition": "d1",
        }
    }


def test_scores_of_different_definitions_have_no_mean() -> None:
    found = a_file(an_entry("a", tone(5)), an_entry("b", tone(1, "d2")))["summary"]["scores"]
    assert (found["tone"]["mean"], found["tone"]["definition"]) == (None, "(differs)")
    assert list(score_lines(found)) == ["  tone: 2 scores of different definitions, no mean"]


def test_merge_refuses_scores_of_different_definitions() -> None:
    one, two = a_file(an_entry("a", tone(5))), a_file(an_entry("b", tone(5, "d2")))
    with pytest.raises(UsageError, match="score 'tone' is 'd1' in one file and 'd2'"):
        merge([two, one])


def test_merge_of_an_older_file_makes_no_mean_of_what_may_differ() -> None:
    merged = merge([a_file(an_entry("a", tone(5))), a_file(older(an_entry("b", tone(5))))])
    assert merged["summary"]["scores"]["tone"]["mean"] is None


@pytest.mark.parametrize(
    ("one", "two", "message"),
    [
        ({"models": {"judge": ["m"]}}, {"models": {"judge": ["n"]}}, "models of lane 'judge'"),
        ({"prompts": {"p": "p 1 (a)"}}, {"prompts": {"p": "p 1 (b)"}}, "prompt 'p'"),
    ],
)
def test_merge_refuses_other_models_and_prompts(
    one: dict[str, object], two: dict[str, object], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        merge([a_file(an_entry("a"), **one), a_file(an_entry("b"), **two)])
    assert merge([a_file(an_entry("a"), **one), a_file(an_entry("b"))])["environment"] | one == (
        environment(**one)  # type: ignore[arg-type]
    )


SPENT = {
    "calls": 3,
    "prompt_tokens": 1200,
    "completion_tokens": 30,
    "cached_tokens": 800,
    "seconds": 1.5,
    "dollars": 0.25,
    "flop_dollars": None,
    "models": ["m"],
}


def test_strip_times_takes_the_times_of_calls_and_spans_and_no_word_of_the_bot() -> None:
    call = ToolCall("timer", {"seconds": 5}, {"latency_s": 7})
    played = Dialogue(WANTED, (Turn(1, "a", "b", (call,), {"seconds": 3}, spans=(("x", 0.5),)),))
    entry = dialogue_entry(
        played, test="t", outcome=Outcome.PASSED, calls={"judge": SPENT, "user": SPENT}
    )
    found = strip_times(a_file(entry))["dialogues"][0]
    assert found["calls"]["judge"] == {**SPENT, "seconds": 0.0}
    assert found["turns"][0]["spans"] == [{"name": "x", "seconds": 0.0}]
    assert found["turns"][0]["tool_calls"] == entry["turns"][0]["tool_calls"]
    assert found["turns"][0]["state"] == {"seconds": 3}
    assert entry["calls"]["judge"] == SPENT


def test_terminal_has_a_line_per_score_and_per_lane() -> None:
    entries = [
        an_entry("a", tone(4), calls={"judge": SPENT}),
        an_entry("b", tone(None, unscored="asked twice"), calls={"judge": SPENT, "user": SPENT}),
    ]
    lines = summary_lines(a_file(*entries), ["X with Y"])
    assert "  tone: mean 4.00, least 4, of 1; 1 unscored" in lines
    assert "  judge: m, 6 calls, 2,400 (1,600 cached) + 60 tokens, $0.5000" in lines
    assert "  user: m, 3 calls, 1,200 (800 cached) + 30 tokens, $0.2500" in lines


def test_dollars_are_told_only_where_all_are_known() -> None:
    unpriced = {**SPENT, "dollars": None, "flop_dollars": 0.0001}
    entries = [an_entry("a", calls={"judge": SPENT}), an_entry("b", calls={"judge": unpriced})]
    assert "$" not in next(model_lines(entries))
    assert next(model_lines(entries[1:])).endswith(", $0.0001 by FLOPs")
