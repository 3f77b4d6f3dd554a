"""Steps without a backend that shows records: the bot's calls tell, else its words."""

from dataclasses import replace

import pytest

from pytest_todeval.core.dialogue import Dialogue, ToolCall, Turn
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.core.steps import Condition, Step
from pytest_todeval.core.verdict import CLAIMED, Verdict
from pytest_todeval.evaluate.metrics.task_success import evaluate

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
    turn = Turn(1, "Please cancel it.", "The fee is 40. A18 has been cancelled.")
    verdict = evaluate(Dialogue(goal, (turn,), StopReason.USER_DONE))["success"]
    assert bool(verdict) is passes


PENS = ({"id": "P1", "price": 3}, {"id": "P2", "price": 5}, {"id": "P3", "price": 8})
CHEAPEST = Step("cancel", "pen", choose={"price": "lowest"})
TWO = Step("cancel", "pen", count=2)


@pytest.mark.parametrize(
    ("step", "ids", "says"),
    [
        (CHEAPEST, ["P1"], ""),
        (CHEAPEST, ["P2"], "cancel pen (id P1): in its place cancel_pen"),
        (TWO, ["P3", "P1"], ""),
        (TWO, ["P3"], "cancel pen (id P"),
        (TWO, ["P3", "P3"], "cancel pen (id P"),
        (TWO, ["P1", "P2", "P3"], "did what the goal does not ask for"),
        (replace(TWO, choose={"price": "highest"}), ["P2", "P3"], ""),
        (replace(TWO, choose={"price": "highest"}), ["P1", "P3"], "cancel pen (id P2)"),
    ],
)
def test_which_of_several_are_due_is_known_from_what_is_given(
    step: Step, ids: list[str], says: str
) -> None:
    calls = tuple(call("cancel_pen", id=each) for each in ids)
    goal = Goal("g", "f", (), steps=(step,), given={"pen": PENS})
    turn = Turn(1, "Please cancel it.", "Done.", calls)
    found = evaluate(Dialogue(goal, (turn,), StopReason.USER_DONE))["booking"]
    assert found.passed == (not says), found.reason
    assert says in found.reason


@pytest.mark.parametrize(
    ("text", "passes"), [("The price is 5.", False), ("That pen costs 3.", True), ("Bye.", False)]
)
def test_what_is_asked_of_the_cheapest_is_its_own(text: str, passes: bool) -> None:
    step = Step("ask", "pen", asks=("price",), choose={"price": "lowest"})
    goal = Goal("g", "f", (), steps=(step,), given={"pen": PENS})
    turn = Turn(1, "What is the price of the cheapest pen?", text, changed=())
    assert bool(evaluate(Dialogue(goal, (turn,), StopReason.USER_DONE))["success"]) is passes


@pytest.mark.parametrize(
    ("told", "slot", "bound"),
    [
        ("The fee is 40 pounds.", "fee", "at most 20"),
        ("There is a fee of 40.", "fee", "under 40"),
        ("No, this is not an express order.", "express", "yes"),
        ("It is on Sunday.", "day", "not sunday"),
        ("No, it isn't.", "express", "yes"),
        ("No.", "express", "yes"),
        ("Yes, it is.", "fragile", "no"),
    ],
)
def test_a_step_that_its_condition_leaves_is_not_passed_by_silence(
    told: str, slot: str, bound: str
) -> None:
    step = replace(MOVE, condition=Condition.read(slot, bound))
    row = {"id": "A17", "fee": 40, "express": "no", "day": "sunday", "fragile": "yes"}
    goal = Goal("g", "f", (), steps=(step,), given={"appointment": (row,)})
    asks = f"What is the {slot} of my appointment A17?"
    for text, passes in ((told, True), ("Goodbye.", False)):
        turn = Turn(1, asks, text, changed=())
        assert bool(evaluate(Dialogue(goal, (turn,), StopReason.USER_DONE))["success"]) is passes
