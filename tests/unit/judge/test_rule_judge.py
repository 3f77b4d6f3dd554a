"""The judge that needs no model: scores from evidence, by one table."""

from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.score import Score
from pytest_todeval.errors import JudgeFault, UsageError
from pytest_todeval.evaluate.judge.judge import Judge
from pytest_todeval.evaluate.judge.rule_judge import RuleJudge
from pytest_todeval.evaluate.judge.scoring import AT_MOST, Fault, scored
from pytest_todeval.rules import load_rules
from tests.support.dialogue_world import (
    BOOK,
    KETTLE,
    SAFFRON,
    TABLE,
    backend,
    booked,
    booking,
    dialogue,
    found,
    restaurant_goal,
    said,
)

WANTED = restaurant_goal(book=BOOK, request=("phone",))
LOOKS = said("Italian?", "The Copper Kettle is nice.", found("restaurant", KETTLE))
BOOKS = said(
    "Book it for 4 people on friday at 18:30.",
    "Your table is booked, the reference number is AB12CD34.",
    booked("restaurant", **TABLE),
)
TELLS = said("What is their phone number?", "The phone number is 01999111222.")
HELD = [booking("restaurant", **TABLE)]
GOOD = dialogue(WANTED, LOOKS, BOOKS, TELLS, bookings=HELD)


def last(dimension: str, played: Dialogue, known: Any = None) -> Score:
    """The score of the last turn."""
    scores = RuleJudge(backend=known).turns(played).scores[dimension]
    score: Score = scores[-1]
    return score


def after(user: str, reply: str) -> Dialogue:
    return dialogue(WANTED, LOOKS, said(user, reply))


def test_a_good_dialogue_has_fives() -> None:
    scores = RuleJudge(backend=backend()).turns(GOOD)
    for series in scores.scores.values():
        assert [score.value for score in series] == [5, 5, 5]
        assert [score.turn for score in series] == [1, 2, 3]
        assert series >= 4
    assert list(scores.scores) == [
        "conversation_cohesion",
        "backend_consistency",
        "policy_compliance",
    ]


@pytest.mark.parametrize(
    ("user", "reply", "value", "reason"),
    [
        ("Hello?", "", 1, "says nothing"),
        ("Hello there?", "Hello there?", 1, "repeats what the user said"),
        ("Is it nice?", "Yes.", 2, "answers in one word: 'Yes.'"),
        ("What is the phone number?", "It is nice.", 2, "user asked: phone"),
        (
            "What is the phone number and the address?",
            "The phone number is 01999111222.",
            3,
            "user asked: address",
        ),
        (
            "A restaurant in the centre.",
            "Which area would you like?",
            3,
            "asks for the area, which the user has said: centre",
        ),
        ("What is the phone number?", "Of which restaurant?", 5, "to the point"),
        ("Hm.", "The Copper Kettle is nice.", 2, "says the same as in turn 1"),
    ],
)
def test_cohesion(user: str, reply: str, value: int, reason: str) -> None:
    score = last("conversation_cohesion", after(user, reply))
    assert (score.value, score.turn) == (value, 2)
    assert reason in score.reason


def test_offering_what_the_user_does_not_want_is_beside_the_point() -> None:
    unfit = said("An italian restaurant.", "Saffron Garden?", found("restaurant", SAFFRON))
    score = last("conversation_cohesion", dialogue(WANTED, unfit))
    assert score.value == 2
    assert "offers saffron garden, whose food is 'indian'; the goal wants 'italian'" in score.reason
    unsaid = said("A restaurant.", "Saffron Garden?", found("restaurant", SAFFRON))
    assert last("conversation_cohesion", dialogue(WANTED, unsaid)).value == 5
    instead = said("An italian restaurant.", "There is no such restaurant. Saffron Garden?")
    assert last("conversation_cohesion", dialogue(WANTED, instead), backend()).value == 5


def test_a_loop_is_the_worst() -> None:
    loops = dialogue(WANTED, *(said(f"Question {n}?", "I see, go on.") for n in range(3)))
    scores = RuleJudge().turns(loops).conversation_cohesion
    assert [score.value for score in scores] == [5, 2, 1]
    assert "3 times in a row" in scores[2].reason


def test_asking_again_is_right_where_something_failed() -> None:
    fails = said("At 18:30.", "Sorry, the booking failed. What time would you like instead?")
    score = last("conversation_cohesion", dialogue(WANTED, LOOKS, fails))
    assert score.value == 5


@pytest.mark.parametrize(
    ("reply", "value", "reason"),
    [
        ("Your table is booked.", 1, "holds no such booking"),
        ("How about The Golden Dragon?", 1, "which no result contains"),
        ("The phone number is 01888000000.", 2, "it is '01999111222'"),
        ("The phone number is 01999111222.", 5, "agrees"),
    ],
)
def test_consistency(reply: str, value: int, reason: str) -> None:
    played = dialogue(WANTED, LOOKS, said("Well?", reply), bookings=[])
    score = last("backend_consistency", played, backend())
    assert score.value == value
    assert reason in score.reason


def test_consistency_of_bookings_and_results() -> None:
    silent = said("Book.", "Let me see.", booked("restaurant", **TABLE))
    assert last("backend_consistency", dialogue(WANTED, silent)).value == 3
    wrong = said("Book.", "Booked, reference number ZZ99ZZ99.", booked("restaurant", **TABLE))
    assert last("backend_consistency", dialogue(WANTED, wrong)).value == 1
    denies = said("Any?", "Sorry, there are no such restaurants.", found("restaurant", SAFFRON))
    assert last("backend_consistency", dialogue(WANTED, denies)).value == 2


def test_consistency_is_not_applicable_where_nothing_was_looked_up_or_claimed() -> None:
    score = last("backend_consistency", after("Hello", "Which kind of food would you like?"))
    assert (score.value, score.unscored) == (None, Score.NOT_APPLICABLE)
    assert not score.is_fault


def test_policy_counts_broken_rules() -> None:
    asks = "What is your credit card number?"
    one = last("policy_compliance", after("Book.", asks))
    assert one.value == 2
    assert one.reason.startswith("no-personal-details: asks for the card number")
    two = last("policy_compliance", after("Book.", asks + " Try The Golden Dragon."))
    assert two.value == 1


def test_rule_sets_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "ours.yaml"
    path.write_text("rules:\n  - {id: r, says: s, never: {phrase: copper}}\n")
    assert RuleJudge(rule_sets=path).turns(GOOD).policy_compliance[0].value == 2
    assert RuleJudge().turns(GOOD).policy_compliance[0].value == 5
    assert not RuleJudge().rules(GOOD, path)
    assert not RuleJudge().rules(GOOD, ["common", str(path)])
    assert RuleJudge().rules(GOOD, load_rules("restaurant"))


def test_an_empty_dialogue_is_a_fault_never_a_score() -> None:
    empty = dialogue(WANTED)
    with pytest.raises(JudgeFault, match="no turn to score"):
        RuleJudge().turns(empty)
    with pytest.raises(JudgeFault, match="no turn"):
        RuleJudge().rules(empty, "common")


def test_completion_is_success_and_booking() -> None:
    assert RuleJudge(backend=backend()).completion(GOOD)
    unbooked = dialogue(WANTED, LOOKS, TELLS, bookings=[])
    verdict = RuleJudge(backend=backend()).completion(unbooked)
    assert (verdict.name, verdict.passed) == ("completion", False)
    assert verdict.reason == "restaurant: none was booked"


def test_one_judge_may_judge_several_dialogues() -> None:
    judge = RuleJudge()
    first = judge.turns(after("Is it nice?", "Yes."))
    judge.turns(GOOD)
    again = judge.turns(after("Is it nice?", "Yes."))
    assert first.conversation_cohesion.scores == again.conversation_cohesion.scores


@pytest.mark.parametrize("what", ["quality", "conversation", "units"])
def test_what_needs_a_model_says_so(what: str) -> None:
    with pytest.raises(UsageError, match=f"judge.{what} needs a model as the judge"):
        getattr(RuleJudge(), what)(GOOD)
    with pytest.raises(UsageError, match="compare needs a model as the judge"):
        RuleJudge().compare(GOOD, GOOD)
    with pytest.raises(UsageError, match="state without labels needs a model as the judge"):
        RuleJudge().state(GOOD)


def test_the_rule_judge_is_a_judge() -> None:
    judge: Judge = RuleJudge()
    assert judge.turns(GOOD).version == "rule judge 4"


def test_the_table() -> None:
    assert scored("s", 1, [], "fine").value == 5
    for kind, most in AT_MOST.items():
        assert scored("s", 1, [Fault(kind, "why")], "fine").value == most
    two = scored("s", 1, [Fault("untold booking", "b"), Fault("wrong value", "a")], "fine")
    assert (two.value, two.reason) == (1, "a; b")
    assert scored("s", 1, [Fault("echo", "x")] * 3, "fine").value == 1


def test_a_bot_that_could_look_up_and_calls_nothing_fails_and_is_no_judges_fault() -> None:
    class WithTools:
        tools = ({"name": "find_restaurant"},)

    told = dialogue(WANTED, said("Italian food?", "Hm, well."), said("Please?", "No idea at all."))
    series = RuleJudge("common", WithTools()).turns(told).backend_consistency
    assert not series >= 4
    assert series[-1].reason == "called no tool in the whole dialogue"
    with pytest.raises(JudgeFault, match="not applicable"):
        assert RuleJudge("common").turns(told).backend_consistency >= 4
