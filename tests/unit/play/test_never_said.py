"""Whose a failure is that hangs on what the user never said."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.core.dialogue_act import Act, DialogueAct
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.outcome import SCRIPT_ENDED, StopReason
from pytest_todeval.core.steps import Step, Verb
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.play.never_said import failed_unsaid, without_unasked

GOAL = Goal(
    "two",
    "mine",
    (
        DomainGoal("hotel", {"area": "north"}, request=("phone",)),
        DomainGoal("train", {"departure": "ely"}, book={"people": "3"}),
    ),
)
FAILED = {"success": Verdict("success", False, "no")}
ALL_SAID = "A hotel in the north, its phone number, and a train from Ely for 3 people."


def serves(*domains: str) -> object:
    """An evaluation of a bot that did right by these domains, and their bookings, only."""

    def evaluate(dialogue: Dialogue) -> Mapping[str, Verdict]:
        wrong = [
            part.domain
            for part in dialogue.goal.domains
            if part.domain not in domains or part.wants_booking
        ]
        return {"success": Verdict("success", not wrong, ", ".join(wrong))}

    return evaluate


def why(
    said: str,
    *served: str,
    stop: StopReason = StopReason.USER_DONE,
    claims: tuple[DialogueAct, ...] = (),
    verdicts: Mapping[str, Verdict] = FAILED,
) -> str:
    turns = (Turn(1, said, "All right.", claims=claims),)
    dialogue = Dialogue(GOAL, turns, stop)
    return failed_unsaid(dialogue, verdicts, serves(*served))  # type: ignore[arg-type]


LEFT = [StopReason.USER_DONE, StopReason.USER_GAVE_UP, StopReason.TURN_LIMIT]


@pytest.mark.parametrize("stop", LEFT)
def test_a_domain_never_raised_is_the_users(stop: StopReason) -> None:
    told = why("A hotel in the north, and its phone number?", "hotel", stop=stop)
    assert "train departure: ely" in told
    assert "success failed over nothing else" in told


@pytest.mark.parametrize("stop", [*LEFT, StopReason.SYSTEM_DONE])
def test_a_domain_that_was_raised_and_not_served_is_the_bots(stop: StopReason) -> None:
    assert why("A hotel in the north, and its phone number?", stop=stop) == ""
    assert why(ALL_SAID, "hotel", stop=stop) == ""


def test_a_bot_that_ends_it_answers_for_what_was_not_said() -> None:
    said = "A hotel in the north, and its phone number?"
    assert why(said, "hotel", stop=StopReason.SYSTEM_DONE) == ""


def test_a_request_never_made_is_the_users() -> None:
    assert "phone" in why("A hotel in the north.", "hotel")


def test_a_booking_half_said_is_the_users_if_it_left_and_nothing_was_claimed() -> None:
    said = "A hotel in the north, its phone number, and a train from Ely."
    booked = (DialogueAct(Act.BOOKED, "train"),)
    assert "people" in why(said, "hotel", "train")
    assert why(said, "hotel", "train", claims=booked) == ""
    assert why(said, "hotel", "train", stop=StopReason.TURN_LIMIT) == ""
    assert why(said, "hotel", "train", stop=StopReason.USER_GAVE_UP) == ""


def test_what_passed_stays_as_it_is() -> None:
    passed = {"success": Verdict("success", True, "yes")}
    assert why("Hello.", verdicts=passed) == ""


@pytest.mark.parametrize(
    ("said", "served", "stop", "counts"),
    [
        ("Where am I?", (), StopReason.USER_DONE, False),
        ("A hotel in the north, and its phone number?", ("hotel",), StopReason.USER_DONE, False),
        ("A hotel in the north, and its phone number?", (), StopReason.USER_DONE, True),
        (ALL_SAID, ("hotel",), StopReason.USER_DONE, True),
        ("Where am I?", (), StopReason.SYSTEM_DONE, True),
        ("Where am I?", (), StopReason.USER_GAVE_UP, True),
    ],
)
def test_what_a_script_never_asked_for_fails_but_counts_in_no_rate(
    said: str, served: tuple[str, ...], stop: StopReason, counts: bool
) -> None:
    dialogue = Dialogue(GOAL, (Turn(1, said, "All right."),), stop, detail=SCRIPT_ENDED)
    found = without_unasked(dialogue, FAILED, serves(*served))  # type: ignore[arg-type]
    for verdict in (found["success"], replace(dialogue, verdicts=found).satisfied):
        assert not verdict
        assert verdict.metric is (False if counts else None)
        assert ("the user " in verdict.reason) is not counts or stop is not StopReason.USER_DONE


STEPS = Goal(
    "steps",
    "mine",
    (),
    steps=(
        Step("cancel", "visit", {"id": "A1"}),
        Step("change", "visit", {"id": "A2"}, {"day": "friday"}),
        Step("ice", "card", asks=("fee",), own=Verb("ice", asked=("put {thing} on ice",))),
    ),
)
STEPS_SAID = ("Cancel A1.", "Move A2 to Friday.", "Put my card on ice; what is the fee?")


@pytest.mark.parametrize(
    ("said", "served", "told"),
    [
        (STEPS_SAID, 3, ""),
        (STEPS_SAID, 2, ""),
        (STEPS_SAID[:2], 2, "ice card"),
        (STEPS_SAID[:2], 1, ""),
        (("It is about A1.", *STEPS_SAID[1:]), 2, "cancel visit"),
        (("Cancel it.", *STEPS_SAID[1:]), 2, "visit id: A1"),
        ((*STEPS_SAID[:2], "Put my card on ice."), 2, "card fee (to be asked)"),
    ],
)
def test_a_step_never_asked_for_is_the_users(said: tuple[str, ...], served: int, told: str) -> None:
    """The bot serves so many of the steps; `told` is what the user is said to lack."""

    def evaluate(dialogue: Dialogue) -> Mapping[str, Verdict]:
        return {"success": Verdict("success", len(dialogue.goal.steps) <= served, "")}

    turns = tuple(Turn(at, text, "All right.") for at, text in enumerate(said, 1))
    dialogue = Dialogue(STEPS, turns, StopReason.USER_DONE)
    found = failed_unsaid(dialogue, FAILED, evaluate)
    assert told in found
    assert bool(told) == bool(found)
