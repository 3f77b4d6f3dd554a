"""What hangs on words that may be misheard is nobody's failure and nobody's pass."""

from dataclasses import replace
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.core.dialogue_act import Act, DialogueAct, Factuality
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.core.transcript import render
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.errors import JudgeFault
from pytest_todeval.evaluate.judge.rule_judge import RuleJudge
from pytest_todeval.evaluate.metrics.task_success import evaluate
from pytest_todeval.facts.dialogue import gather
from pytest_todeval.facts.doubt import other_readings
from pytest_todeval.integration.outcomes import decide
from pytest_todeval.runs.reports.entry import dialogue_entry
from pytest_todeval.runs.reports.stored import dialogue_of
from pytest_todeval.runs.reports.summary import summary
from pytest_todeval.runs.reports.terminal import undecided_lines
from pytest_todeval.runs.statistics.pass_k import trial_of
from tests.support.dialogue_world import (
    BOOK,
    TABLE,
    backend,
    booking,
    dialogue,
    found,
    restaurant_goal,
    said,
)
from tests.support.dialogue_world import KETTLE as ROW

WANTED = restaurant_goal(book=BOOK)
KETTLE = DialogueAct(Act.OFFER, "restaurant", "name", "the copper kettle")
BOOKED = DialogueAct(Act.BOOKED, "restaurant", sentence="It is as good as booked.")
WHY = "`as good as` may mean not yet"
TOLD = [
    DialogueAct(Act.INFORM, "restaurant", slot, value)
    for slot, value in {"day": "friday", "time": "18:30", "people": "4"}.items()
]


def doubtful(claim: DialogueAct, why: str = WHY) -> DialogueAct:
    return replace(claim, doubt=why)


def turn(*claims: DialogueAct, text: str = "Well.", **more: Any) -> Turn:
    return Turn(1, "Book it.", text, claims=claims, claims_by="a model", **more)


def played(*turns: Turn, **more: Any) -> Dialogue:
    numbered = tuple(replace(each, index=at) for at, each in enumerate(turns, 1))
    return replace(dialogue(WANTED, **more), turns=numbered)


CLEAR = played(turn(KETTLE, BOOKED, *TOLD))
HEARD_SO = played(turn(KETTLE, doubtful(BOOKED), *TOLD))
HEARD_NOT = played(turn(KETTLE, doubtful(replace(BOOKED, factuality=Factuality.DENIED)), *TOLD))


def test_a_verdict_that_hangs_on_a_doubtful_claim_is_undecided() -> None:
    assert evaluate(CLEAR)["booking"]
    for heard in (HEARD_SO, HEARD_NOT):
        verdict = evaluate(heard)["booking"]
        with pytest.raises(JudgeFault, match="booking is undecided") as caught:
            bool(verdict)
        for told in ('turn 1 says "It is as good as booked."', "booked`: `as good as`", "hearing:"):
            assert told in str(caught.value)
        assert "UNDECIDED" in repr(verdict)
        assert decide(heard, caught.value) is Outcome.JUDGE_FAULT


def test_a_doubt_on_which_nothing_hangs_leaves_the_verdict() -> None:
    verdicts = evaluate(HEARD_SO)
    assert verdicts["inform"].doubt == ""
    assert verdicts["inform"]
    stands = played(*HEARD_SO.turns, bookings=[booking("restaurant", **TABLE)])
    assert evaluate(stands, backend())["booking"]
    lost = played(*HEARD_SO.turns, bookings=[])
    assert not evaluate(lost, backend())["booking"]


def test_a_doubtful_offer_leaves_inform_and_success_undecided() -> None:
    verdicts = evaluate(played(turn(doubtful(KETTLE), text="Kettle.")), backend())
    assert [verdicts[name].doubt != "" for name in ("inform", "success")] == [True, True]


def test_two_doubtful_claims_that_decide_together_leave_it_undecided() -> None:
    twice = played(turn(KETTLE, doubtful(BOOKED), *TOLD), turn(doubtful(BOOKED, "odd")))
    verdict = evaluate(twice)["booking"]
    assert "turn 1 says" in verdict.doubt
    assert "turn 2 says" in verdict.doubt


def test_there_are_as_many_other_readings_as_doubts_and_one_of_all() -> None:
    assert other_readings(gather(CLEAR)) == []
    assert len(other_readings(gather(HEARD_SO))) == 1
    many = played(*(turn(*[doubtful(BOOKED)] * 10) for _ in range(10)))
    readings = other_readings(gather(many))
    assert len(readings) == 9
    assert not any(facts.heard for facts in readings[-1][0].turns)
    assert "and 98 more" in readings[-1][1]
    long = other_readings(gather(played(turn(doubtful(replace(BOOKED, sentence="a" * 10_000))))))
    assert len(long[0][1]) < 500


def test_completion_is_undecided_unless_something_else_failed() -> None:
    verdicts = evaluate(HEARD_SO)
    completion = RuleJudge().completion(replace(HEARD_SO, verdicts=verdicts))
    assert completion.doubt == verdicts["booking"].doubt != ""
    failed = {**verdicts, "success": Verdict("success", False, "the phone was never told")}
    assert not RuleJudge().completion(replace(HEARD_SO, verdicts=failed))


def test_an_undecided_verdict_is_null_in_the_file_and_counts_nowhere() -> None:
    judged = replace(HEARD_SO, verdicts=evaluate(HEARD_SO))
    entry = dialogue_entry(judged, test="t", outcome=Outcome.FAILED)
    assert entry["metrics"]["booking"] is None
    assert entry["verdicts"]["booking"]["passed"] is None
    assert WHY in entry["verdicts"]["booking"]["doubt"]
    assert "doubt" not in entry["verdicts"]["inform"]
    counted = summary([entry])["metrics"]
    assert (counted["booking"]["total"], counted["inform"]["total"]) == (0, 1)
    assert dialogue_of(entry).verdicts["booking"] == replace(judged.booking, passed=False)
    (line,) = undecided_lines([entry, entry])
    assert line.startswith("  booking undecided in 2 dialogues, first test/G1: turn 1 says")
    assert trial_of(judged, "booking").outcome is Outcome.JUDGE_FAULT
    assert trial_of(judged, "inform").outcome is Outcome.PASSED
    assert "booking failed" not in render(judged)


def test_a_rule_that_hangs_on_a_doubtful_claim_does_not_apply() -> None:
    lost = played(turn(KETTLE, BOOKED), bookings=[])
    rumour = played(turn(KETTLE, doubtful(BOOKED)), bookings=[])
    judge = RuleJudge(backend=backend())
    assert not judge.rules(lost, "common")
    report = judge.rules(rumour, "common")
    assert report
    told = [each for each in report.results if WHY in each.reason]
    assert told
    assert all(each.value == -1 for each in told)


def test_a_score_that_hangs_on_a_doubtful_claim_is_not_given() -> None:
    judge = RuleJudge(backend=backend())
    lost = played(turn(KETTLE, BOOKED, tool_calls=(found("restaurant", ROW),)), bookings=[])
    rumour = played(
        turn(KETTLE, doubtful(BOOKED), tool_calls=(found("restaurant", ROW),)), bookings=[]
    )
    assert judge.turns(lost).backend_consistency[0].value == 1
    score = judge.turns(rumour).backend_consistency[0]
    assert (score.value, score.unscored) == (None, score.NOT_APPLICABLE)
    assert WHY in score.reason
    assert judge.turns(rumour).conversation_cohesion[0].value is not None


def test_an_answer_to_a_booking_that_was_not_understood_is_no_failure_without_a_backend() -> None:
    ask = "Please book it for 4 people on Friday at 18:30."
    grand = "Grand. Friday at 18:30, come rain or shine."
    unread = dialogue(WANTED, said("Italian?", "The Copper Kettle."), said(ask, grand))
    verdict = evaluate(unread)["booking"]
    assert verdict.turns == (2,)
    with pytest.raises(JudgeFault, match=r"come rain or shine.* heard as no booking"):
        bool(verdict)
    understood = (
        "Sorry, Friday at 18:30 is fully booked.",
        "I can book Friday at 18:30 for you.",
        "Friday at 18:30. Shall I book it?",
        "And for how many people is it on Friday?",
        "I cannot help you with that.",
        "How do you do?",
    )
    for answer in understood:
        clear = dialogue(WANTED, said("Italian?", "The Copper Kettle."), said(ask, answer))
        assert not evaluate(clear)["booking"].doubt, answer
        assert not evaluate(clear)["booking"]
    assert not evaluate(unread, backend())["booking"].doubt  # it knows what stands
