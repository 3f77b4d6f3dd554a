"""No assertion on a result passes whatever the bot does: it means what it says, or it raises."""

import dataclasses
import inspect
import operator
import typing
from collections.abc import Iterator
from enum import Enum
from typing import Any, get_args, get_type_hints

import pytest

from pytest_todeval.core.assertable import Assertable, ByName, Several, YesNo
from pytest_todeval.core.dialogue import Booking, Dialogue, ToolCall, Turn, Usage
from pytest_todeval.core.dialogue_act import DialogueAct
from pytest_todeval.core.example import Example
from pytest_todeval.core.failure import Failure
from pytest_todeval.core.goal import DomainGoal, Goal, SlotForm
from pytest_todeval.core.latency import Latency
from pytest_todeval.core.once import Once
from pytest_todeval.core.protocol import Violation
from pytest_todeval.core.records import RecordChange, RecordsSeen
from pytest_todeval.core.score import Score, ScoreSeries
from pytest_todeval.core.steps import Condition, Expected, Step, Verb
from pytest_todeval.core.tool_calls import CallCheck, ToolCalls
from pytest_todeval.core.verdict import Sample, Verdict
from pytest_todeval.errors import JudgeFault, NeverDone, UsageError
from pytest_todeval.evaluate.judge import model_answers, rule_answers
from pytest_todeval.evaluate.judge.approval import Approval
from pytest_todeval.evaluate.judge.judge import TABLE
from pytest_todeval.evaluate.judge.llm_judge.comparison import Comparison, Game
from pytest_todeval.evaluate.judge.llm_judge.conversation import ConversationScores
from pytest_todeval.evaluate.judge.llm_judge.dimensions import DialogueScores
from pytest_todeval.evaluate.judge.llm_judge.quality import QualityScores
from pytest_todeval.evaluate.judge.rule_answers import TurnScores
from pytest_todeval.evaluate.judge.rule_judge import RuleJudge
from pytest_todeval.evaluate.metrics.coverage import CoverageReport
from pytest_todeval.evaluate.metrics.keywords import Keyword
from pytest_todeval.evaluate.metrics.retrieval import Ranking, RetrievalReport
from pytest_todeval.evaluate.metrics.state_tracking.report import StateReport, TurnResult
from pytest_todeval.evaluate.metrics.state_tracking.schema import StateSchema
from pytest_todeval.evaluate.rules.report import RuleReport, RuleResult
from tests.support.worst_results import Fixed, dialogue_of, series

YES_OR_NO = {Approval, CallCheck, Verdict, RuleReport, RuleResult, Comparison}
"""Their truth is their answer."""
NEITHER = {
    *(TurnScores, DialogueScores, QualityScores, ConversationScores),
    *(CoverageReport, StateReport, Dialogue, RetrievalReport, Ranking),
    *(ScoreSeries, Score, Sample, TurnResult, Keyword, Game, Latency, ByName),
}
"""Their truth raises."""
RECORDS = {
    *(Turn, ToolCall, ToolCalls, Booking, Usage, Goal, DomainGoal, SlotForm, Example),
    *(DialogueAct, Failure, Violation),
    *(Step, Verb, Condition, Expected, RecordChange, RecordsSeen),
    Once,
}
"""What was said, done and wanted: data, which judges nothing. Several of them are a plain tuple,
empty if there are none."""


def handed_out() -> set[type]:
    """Every class of ours that the annotations of questions and dialogues lead to."""
    found: set[type] = set()
    waiting: list[Any] = [Dialogue]
    for question in TABLE.values():
        for answers in filter(None, (question.by_model, question.by_rules)):
            waiting.append(hints(answers)["return"])
    while waiting:
        each = waiting.pop()
        waiting += get_args(each)
        kind = typing.get_origin(each) or each
        if kind in found or not is_ours(kind):
            continue
        found.add(kind)
        waiting += annotations(kind)
    return found


def is_ours(kind: object) -> bool:
    return (
        isinstance(kind, type)
        and kind.__module__.startswith("pytest_todeval.")
        and not issubclass(kind, Enum)
    )


def hints(something: Any) -> dict[str, Any]:
    known = {kind.__name__: kind for kind in (*YES_OR_NO, *NEITHER, *RECORDS)}
    spaces = {**vars(model_answers), **vars(rule_answers), **known}
    return get_type_hints(something, localns=spaces | {"Slots": StateSchema, "T": object})


def annotations(kind: type) -> Iterator[Any]:
    for name, member in inspect.getmembers(kind):
        if name.startswith("_"):
            continue
        if isinstance(member, property):
            yield hints(member.fget).get("return")
        elif inspect.isfunction(member):
            yield hints(member).get("return")
    if dataclasses.is_dataclass(kind):
        yield from (v for n, v in hints(kind).items() if not n.startswith("_"))


def test_every_type_that_is_handed_out_has_been_decided_on() -> None:
    assert handed_out() == YES_OR_NO | NEITHER | RECORDS


def test_types_do_as_was_decided() -> None:
    assert all(issubclass(kind, YesNo) for kind in YES_OR_NO)
    assert all(issubclass(kind, Assertable) for kind in NEITHER - {ByName})
    assert not any(issubclass(kind, Assertable) for kind in RECORDS)


def objects(judge: Fixed, dialogue: Dialogue) -> Iterator[object]:
    """One at least of every type, and every tuple and mapping of them."""
    for name in TABLE:
        yield from inside(getattr(judge, name)(dialogue))
    yield from inside(dialogue)
    yield dialogue.tool_calls.called("cancel")


def inside(found: object) -> Iterator[object]:
    yield found
    if isinstance(found, ByName):
        yield from (each for value in found.values() for each in inside(value))
    elif isinstance(found, ScoreSeries | Several):
        yield from (each for value in found for each in inside(value))
    if isinstance(found, Assertable):
        members = inspect.getmembers(type(found), lambda m: isinstance(m, property))
        names = [name for name, _ in members]
        if dataclasses.is_dataclass(found):
            names += [field.name for field in dataclasses.fields(found)]
        for name in names:
            try:
                value = getattr(found, name)
            except Exception:  # what is not there says so, in a way of its own
                continue
            if not isinstance(value, Dialogue):
                yield from inside(value)


def test_the_truth_of_a_bad_result_is_no_pass() -> None:
    seen = set()
    for found in objects(Fixed(0, 0), dialogue_of(right=False)):
        seen.add(type(found))
        if isinstance(found, Verdict) and not found.applicable:
            continue  # the goal asks for nothing of the kind
        if isinstance(found, YesNo):
            assert not found
            assert found != True  # noqa: E712
        elif isinstance(found, Assertable | ByName | Several):
            with pytest.raises(UsageError, match=r"neither true nor false"):
                bool(found)
    assert seen >= YES_OR_NO | NEITHER | {Several}


def test_nothing_is_unequal_to_what_it_cannot_be_compared_with() -> None:
    for found in objects(Fixed(0, 0), dialogue_of(right=False)):
        if not isinstance(found, Assertable | ByName):
            continue
        others: tuple[object, ...] = ("5", None, float("nan"), [], "other")
        for other in others:
            for compare in (operator.ne, operator.eq):
                with pytest.raises(UsageError, match=r"compared|expected a number"):
                    compare(found, other)
                with pytest.raises(UsageError, match=r"compared|expected a number"):
                    compare(other, found)


def test_a_misspelt_name_says_which_was_meant() -> None:
    judge, dialogue = Fixed(0, 0), dialogue_of(right=False)
    turns = judge.turns(dialogue)
    assert not hasattr(turns, "policy_complience")
    with pytest.raises(AttributeError, match=r"did you mean 'policy_compliance'\?"):
        turns.policy_complience  # type: ignore[attr-defined]  # noqa: B018
    with pytest.raises(AttributeError, match=r"'Verdict' object .* did you mean 'reason'\?"):
        dialogue.booking.raeson  # type: ignore[attr-defined]  # noqa: B018
    with pytest.raises(AttributeError, match=r"did you mean 'success'\?"):
        dialogue.sucess  # type: ignore[attr-defined]  # noqa: B018
    with pytest.raises(KeyError, match=r"did you mean 'polite'\?"):
        judge.units(dialogue)["polit"]


def test_a_verdict_that_is_lacking_is_told_as_such() -> None:
    with pytest.raises(AttributeError, match="this dialogue has no verdict 'inform'"):
        Dialogue(Goal("A", "demo", ())).inform  # noqa: B018


def test_what_stands_booked_is_not_one_letter_from_whether_it_is_right() -> None:
    dialogue = dialogue_of(right=False)
    assert not hasattr(dialogue, "bookings")
    with pytest.raises(AttributeError, match=r"`final_bookings` .* `booking` is the verdict"):
        dialogue.bookings  # type: ignore[attr-defined]  # noqa: B018


BAD = """
judge.turns(dialogue)
judge.turns(dialogue).scores
judge.turns(dialogue).policy_compliance
judge.turns(dialogue).policy_compliance != 1
judge.turns(dialogue).policy_compliance == 5
judge.turns(dialogue).policy_compliance == True
judge.turns(dialogue).policy_compliance != False
judge.turns(dialogue).policy_compliance > 1
judge.turns(dialogue).policy_compliance >= 1
judge.turns(dialogue).policy_compliance > 0
judge.turns(dialogue).policy_compliance <= 5
judge.turns(dialogue).policy_compliance < 6
judge.turns(dialogue).policy_compliance != 0
judge.turns(dialogue).policy_compliance >= "4"
judge.turns(dialogue).policy_compliance != None
judge.turns(dialogue).policy_compliance != "bad"
judge.turns(dialogue).policy_compliance in (4, 5)
judge.turns(dialogue).policy_compliance not in (1, 2)
5 in judge.turns(dialogue).policy_compliance
1 not in judge.turns(dialogue).policy_compliance
not judge.turns(dialogue).policy_compliance
not judge.turns(dialogue).policy_compliance == 1
not judge.turns(dialogue).policy_compliance < 4
not judge.turns(dialogue).policy_compliance <= 3
not judge.turns(dialogue).policy_compliance > 5
not judge.turns(dialogue).policy_compliance == 7
4 <= judge.turns(dialogue).policy_compliance
1 != judge.turns(dialogue).policy_compliance
5 == judge.turns(dialogue).policy_compliance
4 <= judge.turns(dialogue).policy_compliance <= 5
1 < judge.turns(dialogue).policy_compliance < 6
bool(judge.turns(dialogue).policy_compliance)
all(judge.turns(dialogue).policy_compliance)
any(judge.turns(dialogue).policy_compliance)
any(judge.turns(dialogue).scores)
all(judge.turns(dialogue).scores.values())
max(judge.turns(dialogue).policy_compliance)
max(judge.turns(dialogue).policy_compliance) >= 4
min(judge.turns(dialogue).policy_compliance) >= 4
judge.turns(dialogue).policy_compliance[0]
judge.turns(dialogue).policy_compliance[-1] != 1
judge.turns(dialogue).policy_compliance[-1] >= 4
judge.turns(dialogue).policy_complience
judge.turns(dialogue) >= 4
judge.turns(dialogue) != 1
judge.turns(dialogue).policy_compliance and judge.turns(dialogue).conversation_cohesion
judge.turns(dialogue).policy_compliance.scores
judge.turns(dialogue).overall
judge.dialogue(dialogue)
judge.dialogue(dialogue).policy_compliance
judge.dialogue(dialogue).policy_compliance != 1
judge.dialogue(dialogue).policy_compliance == 7
judge.dialogue(dialogue).policy_compliance > 0
judge.dialogue(dialogue).policy_compliance >= 1
judge.dialogue(dialogue).policy_compliance <= 5
judge.dialogue(dialogue).policy_compliance < 6
judge.dialogue(dialogue).policy_compliance != 0
judge.dialogue(dialogue).overall
judge.dialogue(dialogue) >= 4
judge.quality(dialogue)
judge.quality(dialogue).unbiased
judge.quality(dialogue).unbiased != 0
judge.quality(dialogue).unbiased == 1
judge.quality(dialogue).unbiased >= 0
judge.conversation(dialogue)
judge.conversation(dialogue).system_naturalness
judge.conversation(dialogue).system_naturalness != 1
judge.conversation(dialogue).system_naturalness.samples
judge.units(dialogue)
judge.units(dialogue)["polite"]
any(judge.units(dialogue))
all(judge.units(dialogue).values())
judge.state(dialogue)
judge.state(dialogue).turns
judge.state(dialogue).turns[0]
judge.state(dialogue).turns[0].scores
judge.state(dialogue).joint_goal_accuracy
judge.coverage(dialogue)
judge.coverage(dialogue).score
judge.coverage(dialogue).score != 0
judge.coverage(dialogue).keywords
not judge.coverage(dialogue).missing
judge.retrieval(dialogue)
judge.retrieval(dialogue).rankings
judge.retrieval(dialogue).hit_rate(5)
judge.retrieval(dialogue).mrr(5) >= 0
judge.rules(dialogue)
judge.rules(dialogue) != False
judge.rules(dialogue) != []
judge.rules(dialogue).results
judge.rules(dialogue).of_turn(1)
judge.rules(dialogue).by_rule()
judge.rules(dialogue).by_rule()["r1"]
judge.rules(dialogue).results[0]
all(judge.rules(dialogue).results)
not judge.rules(dialogue).broken
judge.completion(dialogue)
judge.fulfilment(dialogue)
judge.holds(dialogue, "All is well.")
judge.compare(dialogue, dialogue)
judge.compare(dialogue, dialogue) != "other"
judge.compare(dialogue, dialogue).winner
judge.compare(dialogue, dialogue).winner == "one"
judge.compare(dialogue, dialogue).games
dialogue
dialogue != None
dialogue.booking
dialogue.booking == True
dialogue.booking != False
dialogue.booking == "passed"
dialogue.booking != "failed"
dialogue.booking > 0
dialogue.booking.passed
dialogue.bookings
dialogue.reward
dialogue.reward != 0
dialogue.reward >= 1
dialogue.satisfied
dialogue.success and dialogue.booking
dialogue.turns_to_done
dialogue.turns_to_done <= 9
dialogue.tool_calls.called("book_hotel", name="b")
dialogue.tool_calls.called("book_hotel") == 1
dialogue.tool_calls.called("book_hotel").times == 2
dialogue.tool_calls.never_called("book_hotel")
dialogue.tool_calls.called_in_order("book_hotel", "book_hotel")
dialogue.tool_calls.called_in_order()
dialogue.tool_calls.before("cancel").never_called("book_hotel")
dialogue.tool_calls.after("cancel").never_called("book_hotel")
dialogue.tool_calls.called
dialogue.tool_calls.never_called
dialogue.tool_calls.called_in_order
dialogue.tool_calls.before
dialogue.tool_calls.after
dialogue.tool_calls.ignoring
not dialogue.tool_calls.called
dialogue.verdicts
all(dialogue.verdicts)
any(dialogue.verdicts)
all(dialogue.verdicts.values())
all([dialogue.inform, dialogue.success])
max(dialogue.inform, dialogue.success)
dialogue.latency
dialogue.latency <= 2
dialogue.latency != 9
dialogue.latency.p90 <= 2
""".strip().splitlines()


@pytest.mark.parametrize("line", BAD)
def test_it_fails_on_a_bad_dialogue(line: str) -> None:
    known = {"judge": Fixed(0, 0), "dialogue": dialogue_of(right=False)}
    with pytest.raises(
        (AssertionError, UsageError, AttributeError, JudgeFault, NeverDone)
    ) as raised:
        exec(f"assert {line}", {}, known)
    assert shown(raised) == [__file__, "<string>"]


def shown(raised: pytest.ExceptionInfo[BaseException]) -> list[str]:
    """The files whose lines pytest shows: a suite's author sees the line of the suite last."""
    return [str(each.path) for each in raised.traceback if not each.ishidden(raised)]


MIXED = """
judge.turns(dialogue).policy_compliance >= 4
judge.turns(dialogue).policy_compliance > 1
judge.turns(dialogue).policy_compliance != 1
judge.turns(dialogue).policy_compliance == 5
5 in judge.turns(dialogue).policy_compliance
not judge.turns(dialogue).policy_compliance < 4
not judge.turns(dialogue).policy_compliance <= 3
not judge.turns(dialogue).policy_compliance == 1
not judge.turns(dialogue).policy_compliance != 5
max(judge.turns(dialogue).policy_compliance) >= 4
any(score >= 4 for score in judge.turns(dialogue).scores.values())
judge.quality(dialogue).unbiased
judge.quality(dialogue).unbiased == 1
judge.rules(dialogue)
judge.approves(dialogue)
all(judge.rules(dialogue).results)
""".strip().splitlines()


@pytest.mark.parametrize("line", MIXED)
@pytest.mark.parametrize("ends", [(0, 1), (1, 0), (1, 0, 1)])
def test_it_fails_on_a_dialogue_with_one_bad_turn(line: str, ends: tuple[int, ...]) -> None:
    known = {"judge": Fixed(*ends), "dialogue": dialogue_of(right=True)}
    with pytest.raises((AssertionError, UsageError)):
        exec(f"assert {line}", {}, known)


GOOD = """
judge.approves(dialogue)
not judge.approves(dialogue).failed
judge.turns(dialogue).policy_compliance >= 4
judge.turns(dialogue).policy_compliance == 5
judge.turns(dialogue).policy_compliance != 1
4 <= judge.turns(dialogue).policy_compliance
not judge.turns(dialogue).policy_compliance < 4
all(series >= 4 for series in judge.turns(dialogue).scores.values())
all(score.value >= 4 for score in judge.turns(dialogue).policy_compliance)
min(score.value for score in judge.turns(dialogue).policy_compliance) >= 4
judge.turns(dialogue).policy_compliance[0] == 5
judge.quality(dialogue).unbiased == 1
judge.quality(dialogue).unbiased > 0
judge.turns(dialogue).overall >= 4
judge.dialogue(dialogue).policy_compliance >= 4
judge.dialogue(dialogue).overall >= 4
judge.conversation(dialogue).system_naturalness >= 4
judge.conversation(dialogue).system_diversity >= 2
judge.units(dialogue)["polite"] >= 4
judge.state(dialogue).joint_goal_accuracy >= 1
judge.coverage(dialogue).score >= 1
not judge.coverage(dialogue).missing
judge.retrieval(dialogue).hit_rate(1) >= 1
judge.retrieval(dialogue).mrr(5) >= 0.5
judge.rules(dialogue)
judge.rules(dialogue) == True
all(judge.rules(dialogue).results)
not judge.rules(dialogue).broken
judge.compare(dialogue, dialogue)
judge.compare(dialogue, dialogue).winner == "one"
dialogue.booking
dialogue.booking == True
dialogue.success and dialogue.booking
dialogue.reward.value >= 1
all(dialogue.verdicts.values())
dialogue.satisfied
dialogue.latency.p90 <= 9
""".strip().splitlines()


@pytest.mark.parametrize("line", GOOD)
def test_it_passes_on_a_good_dialogue(line: str) -> None:
    known = {"judge": Fixed(1, 1), "dialogue": dialogue_of(right=True)}
    exec(f"assert {line}", {}, known)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("judge.turns(dialogue)", r"write `assert judge.turns\(dialogue\).policy_compliance >= 4`"),
        ("judge.turns(dialogue).policy_compliance", "write `assert policy_compliance >= 4`"),
        ("judge.quality(dialogue).empathy", "write `assert empathy >= 1`"),
        (
            "judge.turns(dialogue).policy_compliance >= 1",
            "policy_compliance >= 1 comes out the same whatever the bot does, as scores go from 1 "
            "to 5: write `assert policy_compliance >= 4`",
        ),
        ("dialogue", "write `assert dialogue.success`"),
        ("dialogue.reward >= 1", "write `assert verdict.value >= 1`"),
        ("all(dialogue.verdicts)", r"'inform' is the name of a result, .* `.values\(\)`"),
    ],
)
def test_the_error_holds_the_line_to_write(line: str, told: str) -> None:
    known = {"judge": Fixed(1, 1), "dialogue": dialogue_of(right=True)}
    with pytest.raises(UsageError, match=told):
        exec(f"assert {line}", {}, known)


def test_a_comparison_that_is_so_in_some_turns_names_them() -> None:
    found = series("cohesion", [5, 1, 3], (1, 5))
    with pytest.raises(
        AssertionError, match=r"cohesion < 3 in turn 2, and not in turn 1, 3 \(turn 1: 5, reason 1"
    ):
        found < 3  # noqa: B015
    assert not found >= 4  # that some turn is below it is what `not` says


def test_results_are_equal_to_their_like() -> None:
    dialogue = dialogue_of(right=True)
    for one, other in zip(
        objects(Fixed(1, 0), dialogue), objects(Fixed(1, 0), dialogue), strict=True
    ):
        assert one == other
    assert Fixed(1, 0).turns(dialogue) != Fixed(0, 1).turns(dialogue)
    assert len({series("a", [1, 2], (1, 5)), series("a", [1, 2], (1, 5))}) == 1


def test_a_question_that_is_not_called_is_no_assertion() -> None:
    with pytest.raises(UsageError, match=r"write judge\.turns\(dialogue\)"):
        assert RuleJudge().turns  # type: ignore[truthy-function]
