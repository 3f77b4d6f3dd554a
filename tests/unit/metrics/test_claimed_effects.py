"""Steps without a backend that shows records: the bot's calls tell, else its words."""

from dataclasses import replace

import pytest

from pytest_todeval.core.dialogue import Dialogue, ToolCall, Turn
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.core.steps import Condition, Step
from pytest_todeval.core.verdict import CLAIMED, Verdict
from pytest_todeval.metrics.task_success import evaluate

MOVE = Step("change", "appointment", {"id": "A17"}, {"day": "wednesday"})
CANCEL = Step("cancel", "appointment", {"id": "A18"})
BLOCK = Step("block", "card", {"last4": "4711"})
LATER = Step("change", "appointment", {"id": "A17"}, {"day": "thursday"})


def booking(*steps: Step, calls: tuple[ToolCall, ...] = (), text: str = "Hello.") -> Verdict:
    turn = Turn(1, "Please do it.", text, calls)
    goal = Goal("g", "f", (), steps=steps)
    found = evaluate(Dialogue(goal, (turn,), StopReason.USER_DONE))["booking"]
    assert found.basis == CLAIMED
    return found


def call(
    name: str, result: object = "ok", error: str | None = None, **arguments: object
) -> ToolCall:
    return ToolCall(name, arguments, result, error)


RIGHT = {
    "by id": (MOVE, [call("update_appointment", id="A17", day="Wednesday")]),
    "cancelled is no refusal": (CANCEL, [call("cancel_visit", {"status": "cancelled"}, id="A18")]),
    "by what a look-up told": (
        Step("cancel", "appointment", {"dentist": "novak"}),
        [
            call(
                "get_appointments", [{"id": "A1", "dentist": "Novak"}, {"id": "A2", "dentist": "x"}]
            ),
            call("cancel_appointment", appointment_id="A1"),
        ],
    ),
    "frozen is blocked": (BLOCK, [call("freeze_card", last4="4711")]),
    "the second": (
        Step("change", "appointment", {"id": "A17"}, {"day": "sunday"}, alternatives=(LATER,)),
        [
            call("reschedule", None, "closed", id="A17", day="sunday"),
            call("reschedule", id="A17", day="thursday"),
        ],
    ),
}
WRONG = {
    "another record": (CANCEL, [call("cancel_appointment", id="A17")], "in its place cancel_appo"),
    "refused": (
        CANCEL,
        [call("cancel_appointment", {"error": "too late"}, id="A18")],
        "never says",
    ),
    "another day": (MOVE, [call("reschedule", id="A17", day="friday")], "in its place reschedule"),
    "another, too": (
        CANCEL,
        [call("cancel_appointment", id="A18"), call("cancel_appointment", id="A17")],
        "did what the goal does not ask for",
    ),
    "twice": (
        Step("book", "appointment", {"day": "monday"}),
        [call("book_appointment", day="monday"), call("book_appointment", day="monday")],
        "did what the goal does not ask for",
    ),
    "rightly refused, and done": (
        Step("cancel", "card", {"id": "C1"}, refusal="it has money on it"),
        [call("cancel_card", id="C1")],
        "did what the goal does not ask for",
    ),
}


@pytest.mark.parametrize("case", RIGHT)
def test_calls_that_do_what_is_wanted(case: str) -> None:
    step, calls = RIGHT[case]
    assert booking(step, calls=tuple(calls)).passed


@pytest.mark.parametrize("case", WRONG)
def test_calls_that_do_something_else(case: str) -> None:
    step, calls, says = WRONG[case]
    found = booking(step, calls=tuple(calls))
    assert not found.passed
    assert says in found.reason


@pytest.mark.parametrize(
    ("step", "text"),
    [
        (CANCEL, "I have cancelled your appointment A18."),
        (MOVE, "Done, your appointment has been moved to Wednesday."),
        (BLOCK, "Your card ending in 4711 is now blocked."),
    ],
)
def test_words_that_say_it_is_done(step: Step, text: str) -> None:
    assert booking(step, text=text)


@pytest.mark.parametrize("text", ["Hello, how can I help you?", "I'm sorry, I cannot cancel that."])
def test_words_that_do_not(text: str) -> None:
    found = booking(CANCEL, text=text)
    assert not found
    assert found.reason == "cancel appointment (id A18): the bot never says that it is done"


@pytest.mark.parametrize(("bound", "passes"), [("at most 50", False), ("under 20", True)])
def test_a_step_is_due_if_its_condition_holds_of_what_is_given(bound: str, passes: bool) -> None:
    step = replace(MOVE, condition=Condition.read("fee", bound))
    given = {"appointment": ({"id": "A17", "fee": 40},)}
    goal = Goal("g", "f", (), steps=(step, CANCEL), given=given)
    turn = Turn(1, "Please cancel it.", "A18 has been cancelled.")
    verdict = evaluate(Dialogue(goal, (turn,), StopReason.USER_DONE))["success"]
    assert bool(verdict) is passes
