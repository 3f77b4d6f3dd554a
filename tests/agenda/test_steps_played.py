"""The agenda user plays goals of steps against desks that are right: it asks, consents, leaves."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.core.steps import VERBS, Condition, Effect, Step, Verb
from pytest_todeval.evaluate.metrics.task_success import evaluate
from pytest_todeval.evaluate.rules.checking import check
from pytest_todeval.evaluate.rules.load import load_rules
from pytest_todeval.simulation.agenda import AgendaUser
from pytest_todeval.simulation.agenda.acts import ActKind, Say
from pytest_todeval.simulation.agenda.styles import STYLES
from pytest_todeval.simulation.agenda.wording import Wording
from pytest_todeval.simulation.loop import run_dialogue
from tests.support.step_desk import StepDesk

VISITS = (
    {"id": "A17", "dentist": "novak", "day": "tuesday"},
    {"id": "A18", "dentist": "lindgren", "day": "friday"},
)
CARDS = ({"last4": "4711"}, {"last4": "9920"})
ORDERS = ({"id": "W12"}, {"id": "W13"})
MOVE = Step("change", "appointment", {"id": "A17"}, {"day": "wednesday"})
CANCEL = Step("cancel", "appointment", {"id": "A18"})


def goal_of(*steps: Step, **others: Any) -> Goal:
    return Goal("g", "desk", (), steps=steps, **others)


def play(
    goal: Goal,
    records: tuple[Mapping[str, Any], ...],
    manner: int,
    style: str,
    **others: Any,
) -> tuple[Dialogue, StepDesk]:
    kind = goal.steps[0].kind
    goal = replace(goal, given={kind: records})
    desk = StepDesk(kind, records, manner, asks_leave=manner < 3, **others)
    user = AgendaUser(goal, seed=manner, style=style)
    return run_dialogue(goal, user, desk.respond, backend=Shown(desk)), desk


class Shown:
    """The desk's records as a backend shows them."""

    def __init__(self, desk: StepDesk) -> None:
        self.desk = desk

    def records(self) -> Mapping[str, Any]:
        return {self.desk.kind: [dict(record) for record in self.desk.records.values()]}


CASES: Mapping[str, tuple[Goal, tuple[Mapping[str, Any], ...], Mapping[str, Mapping[str, Any]]]] = {
    "move and cancel": (goal_of(MOVE, CANCEL), VISITS, {"A17": {"day": "Wednesday"}}),
    "block": (
        goal_of(Step("block", "card", {"last4": "4711"})), CARDS, {"4711": {"status": "blocked"}}
    ),
    "unblock": (
        goal_of(Step("unblock", "card", {"last4": "9920"})),
        CARDS,
        {"9920": {"status": "unblocked"}},
    ),
    "return and refund": (
        goal_of(Step("return", "order", {"id": "W12"}), Step("refund", "order", {"id": "W13"})),
        ORDERS,
        {"W12": {"status": "returned"}, "W13": {"status": "refunded"}},
    ),
    "exchange": (
        goal_of(Step("exchange", "order", {"id": "W12"}, {"colour": "red"})),
        ORDERS,
        {"W12": {"status": "exchanged", "colour": "red"}},
    ),
    "pay": (goal_of(Step("pay", "bill", {"id": "W12"})), ORDERS, {"W12": {"status": "paid"}}),
    "transfer": (
        goal_of(
            Step("transfer", "account", {"id": "W12"}, {"recipient": "Ben Holt"},
                 {"amount": "50 pounds"})
        ),
        ({"id": "W12", "balance": 80},),
        {"W12": {"balance": 30}},
    ),
}  # fmt: skip


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("case", CASES)
def test_a_right_desk_does_each_step_once_and_the_user_leaves_content(
    case: str, style: str
) -> None:
    """The desk is right by its records, too, and by every rule for goals of steps."""
    goal, records, wanted = CASES[case]
    for manner in range(6):
        dialogue, desk = play(goal, records, manner, style)
        assert dialogue.stop_reason is StopReason.USER_DONE, (manner, dialogue.turns)
        changed = {key: r for key, r in desk.records.items() if r not in records}
        assert changed == {key: {**before(records, key), **new} for key, new in wanted.items()}
        assert desk.records.keys() == {r[desk.key] for r in records} - {"A18"}
        verdicts = evaluate(dialogue, Shown(desk))
        assert verdicts["success"], verdicts
        assert verdicts["booking"], verdicts
        report = check(dialogue, load_rules("steps"), Shown(desk))
        assert report, (report.broken, dialogue.turns)
        assert not report.advice


def before(records: tuple[Mapping[str, Any], ...], key: str) -> Mapping[str, Any]:
    return next(record for record in records if key in record.values())


def full_on_wednesday(verb: str, record: Mapping[str, Any]) -> str:
    full = verb == "change" and record["day"] == "Wednesday"
    return "I'm sorry, Wednesday is fully booked." if full else ""


OR_THURSDAY = Step("change", "appointment", {"id": "A17"}, {"day": "thursday"})
OR_CANCEL = Step("cancel", "appointment", {"id": "A17"})


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(("other", "left"), [(OR_THURSDAY, "Thursday"), (OR_CANCEL, None)])
def test_what_is_refused_gives_way_to_the_alternative(
    other: Step, left: str | None, style: str
) -> None:
    step = Step("change", "appointment", MOVE.target, MOVE.to, alternatives=(other,))
    for manner in range(6):
        dialogue, desk = play(goal_of(step), VISITS, manner, style, refuse=full_on_wednesday)
        assert dialogue.stop_reason is StopReason.USER_DONE, (manner, dialogue.turns)
        assert desk.records.get("A17", {}).get("day") == left


REFUSALS = (
    "I'm afraid order W13 can't be returned, the 30 days are over.",
    "Sorry, returns are only possible within 30 days.",
    "Unfortunately that is not possible: it was bought more than 30 days ago.",
)


@pytest.mark.parametrize("said", REFUSALS)
def test_a_refusal_by_policy_is_taken_and_the_next_step_follows(said: str) -> None:
    late = Step("return", "order", {"id": "W13"}, refusal="the 30 days are over")
    goal = goal_of(late, Step("cancel", "order", {"id": "W12"}))
    for manner in range(6):
        dialogue, desk = play(
            goal, ORDERS, manner, "plain", refuse=lambda verb, _: said if verb == "return" else ""
        )
        assert dialogue.stop_reason is StopReason.USER_DONE, (manner, dialogue.turns)
        assert desk.records == {"W13": {"id": "W13"}}


def test_a_refusal_that_policy_does_not_want_is_what_the_user_lacks() -> None:
    goal = goal_of(Step("return", "order", {"id": "W13"}))
    dialogue, _ = play(goal, ORDERS, 3, "plain", refuse=lambda *_: REFUSALS[0])
    assert dialogue.stop_reason is StopReason.USER_GAVE_UP
    assert "what is lacking: order: no return" in dialogue.detail


@pytest.mark.parametrize(("bound", "day"), [("at most 50", "Wednesday"), ("under 20", "tuesday")])
def test_a_step_waits_for_what_it_depends_on(bound: str, day: str) -> None:
    class Priced(StepDesk):
        def respond(self, text: str) -> str:
            asks = "price" in text.lower() or "cost" in text.lower()
            return "The price is 40 pounds." if asks else super().respond(text)

    step = Step("change", "appointment", MOVE.target, MOVE.to,
                condition=Condition.read("price", bound))  # fmt: skip
    desk = Priced("appointment", VISITS)
    dialogue = run_dialogue(goal_of(step), AgendaUser(goal_of(step)), desk.respond)
    assert dialogue.stop_reason is StopReason.USER_DONE
    assert desk.records["A17"]["day"] == day


@pytest.mark.parametrize(
    ("asks", "proof"),
    [
        ("Could you tell me your full name, please?", "Ada Marsh"),
        ("To verify you, I need your date of birth.", "3 May 1980"),
        ("What is your PIN?", "0815"),
    ],
)
def test_the_user_proves_who_it_is_by_the_goals_facts(asks: str, proof: str) -> None:
    facts = {"name": "Ada Marsh", "date of birth": "3 May 1980", "pin": "0815"}
    goal = goal_of(Step("block", "card", {"last4": "4711"}), user=facts)
    for manner in range(6):
        dialogue, _ = play(goal, CARDS, manner, "plain", proof=(asks, proof))
        assert dialogue.stop_reason is StopReason.USER_DONE, (manner, dialogue.turns)


def test_another_deed_is_declined() -> None:
    lines = iter(["I can't do that. Shall I exchange it?", "Order W12 has been returned."])
    goal = goal_of(Step("return", "order", {"id": "W12"}))
    dialogue = run_dialogue(goal, AgendaUser(goal), lambda text: next(lines))
    assert dialogue.turns[1].user.startswith("No")
    assert dialogue.stop_reason is StopReason.USER_DONE


def test_why_is_answered_by_the_goal_or_by_a_usual_reason() -> None:
    for details, said in (({"reason": "too small"}, "too small"), ({}, "changed my mind")):
        lines = iter(["May I ask why?", "W12 has been cancelled."])
        goal = goal_of(Step("cancel", "order", {"id": "W12"}, details=details))
        dialogue = run_dialogue(
            goal, AgendaUser(goal, seed=1, style="terse"), partial(_line, lines)
        )
        assert said in dialogue.turns[1].user.lower()


FEES = Step("ask", "appointment", {"id": "A17"}, asks=("fee", "room"))


@pytest.mark.parametrize("seed", range(6))
def test_a_question_is_kept_for_the_end_if_another_is_asked_first(seed: int) -> None:
    def desk(text: str) -> str:
        told = [f"The {slot} is {value}." for slot, value in FACTS.items() if slot in text.lower()]
        return " ".join(told) or "A18 has been cancelled."

    goal = goal_of(FEES, CANCEL, given={"appointment": VISITS})
    dialogue = run_dialogue(goal, AgendaUser(goal, seed=seed, style="returns"), desk)
    asked = [[slot for slot in FACTS if slot in turn.user.lower()] for turn in dialogue.turns]
    assert sorted(map(len, asked)) == [0, 1, 1]
    assert "my appointment A17" in dialogue.turns[-1].user
    assert dialogue.stop_reason is StopReason.USER_DONE


FACTS = {"fee": "40 pounds", "room": "R7"}


@pytest.mark.parametrize(
    ("step", "question", "said"),
    [
        (Step("order", "pen", choose={"price": "lowest"}),
         "There is one for 2 pounds and one for 20 pounds. Which one would you like?",
         "the one with the lowest price"),
        (Step("order", "pen", choose={"price": "lowest"}),
         "Would you like the ballpen for 2 pounds or the fountain pen for 20 pounds?",
         "the one with the lowest price"),
        (Step("cancel", "pen", count=2),
         "You have three, P1, P2 and P3. Which ones shall I cancel?", "only two of them"),
    ],
)  # fmt: skip
def test_which_of_several_is_said(step: Step, question: str, said: str) -> None:
    goal = goal_of(step)
    lines = iter([question, "P1 and P2 have been cancelled, and the order has been placed."])
    dialogue = run_dialogue(goal, AgendaUser(goal, seed=1), partial(_line, lines))
    assert said in dialogue.turns[1].user.lower()
    assert dialogue.stop_reason is StopReason.USER_DONE


def test_who_only_asks_wants_nothing_done() -> None:
    lines = iter(["Shall I cancel it for you?", "The fee is 40 pounds, in room R7."])
    goal = goal_of(FEES)
    dialogue = run_dialogue(goal, AgendaUser(goal), partial(_line, lines))
    assert dialogue.turns[1].user.startswith("No")
    assert dialogue.stop_reason is StopReason.USER_DONE


def _line(lines: Iterator[str], said: str) -> str:
    return next(lines)


def test_a_user_that_asks_again_wants_to_be_sure() -> None:
    lines = iter(["W12 has been cancelled.", "Yes, it is."])
    goal = goal_of(Step("cancel", "order", {"id": "W12"}))
    dialogue = run_dialogue(goal, AgendaUser(goal, style="asks_again"), lambda _: next(lines))
    assert "done" in dialogue.turns[1].user
    assert dialogue.stop_reason is StopReason.USER_DONE


def test_what_is_done_to_another_record_is_not_this_step() -> None:
    goal = goal_of(CANCEL, given={"appointment": VISITS})
    dialogue = run_dialogue(goal, AgendaUser(goal), lambda text: "A17 has been cancelled.")
    assert dialogue.stop_reason is StopReason.USER_GAVE_UP


def test_a_verb_of_ones_own_is_asked_for_and_heard_by_its_examples() -> None:
    ice = Verb("ice", Effect.SETS, asked=("put {thing} on ice",), done=("your {thing} sleeps now",))
    goal = goal_of(Step("ice", "card", {"last4": "4711"}, own=ice))
    dialogue = run_dialogue(goal, AgendaUser(goal), lambda text: "Your debit card sleeps now!")
    assert "put my card on ice" in dialogue.turns[0].user
    assert (len(dialogue.turns), dialogue.stop_reason) == (1, StopReason.USER_DONE)


@pytest.mark.parametrize(
    ("step", "slots", "said"),
    [
        (CANCEL, {"id": "A18"}, "cancel my appointment A18"),
        (MOVE, {"id": "A17", "day": "wednesday"}, " my appointment A17 to Wednesday"),
        (MOVE, {"id": "A17"}, " my appointment A17"),
        (Step("book", "table", {"day": "friday"}), {"day": "friday"}, " a table on Friday"),
        (Step("order", "ice_cream"), {}, "order an ice cream"),
        (Step("transfer", "account", {"id": "X1"}, {"to": "Ben"}, {"amount": "5 pounds"}),
         {"id": "X1", "to": "Ben", "amount": "5 pounds"}, " 5 pounds from my account X1 to Ben"),
        (Step("subscribe", "newsletter"), {}, "the newsletter"),
        (Step("exchange", "pen", {}, {"colour": "red"}), {"colour": "red"}, "red"),
        (Step("change", "visit", {"day": "friday"}, {"day": "monday"}),
         {"current day": "friday", "day": "monday"}, " my visit on Friday to Monday"),
        (Step("return", "order", {}, {}, {"reason": "too small"}), {"reason": "too small"},
         "too small"),
    ],
)  # fmt: skip
def test_a_step_is_asked_for_in_words(step: Step, slots: Mapping[str, str], said: str) -> None:
    for seed in range(20):
        wording = Wording(random.Random(seed), short=seed % 2 == 0)
        text = wording.utterance([Say(ActKind.BOOK, step.kind, slots, step=step)], first=True)
        assert said.lower() in text.lower()
        assert "{" not in text


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("style", STYLES)
def test_no_desk_breaks_the_user(verb: str, style: str) -> None:
    steps = (Step(verb, "thing", {"id": "A1"}, asks=("fee",)), CANCEL)
    for reply in ("", "Hm?", "Shall I?", "It is done.", "No.", "Which thing, A1 or A18?"):
        dialogue = run_dialogue(goal_of(*steps), AgendaUser(goal_of(*steps), style=style),
                                lambda text, reply=reply: reply)  # fmt: skip
        assert dialogue.stop_reason in (
            StopReason.USER_DONE, StopReason.USER_GAVE_UP, StopReason.SIMULATOR_FAULT
        ) or not reply  # fmt: skip


def test_one_that_adds_a_step_does_so_after_the_bot_has_said_goodbye() -> None:
    lines = iter(
        ["Your appointment A17 has been moved to Wednesday.", "You're welcome. Goodbye!",
         "Your appointment A18 is cancelled."]
    )  # fmt: skip
    dialogue = run_dialogue(
        goal_of(MOVE, CANCEL),
        AgendaUser(goal_of(MOVE, CANCEL), style="adds"),
        lambda _: next(lines),
    )
    said = [turn.user for turn in dialogue.turns]
    assert dialogue.stop_reason is StopReason.USER_DONE, said
    assert ["A17" in text for text in said] == [True, False, False]
    assert ["A18" in text for text in said] == [False, False, True]


@pytest.mark.parametrize(
    ("asks", "agrees"),
    [
        ("A18 would be gone for good. Are you certain?", True),
        ("I'd take A18 off the list. Okay?", True),
        ("A18 would go. All right?", True),
        ("I'd take A17 off the list. Okay?", False),
        ("Sorry, it is not possible to cancel A18. Okay?", False),
        ("Sorry, I can't cancel A18. Okay?", False),
    ],
)
def test_a_short_question_whether_to_go_on_gets_a_yes(asks: str, agrees: bool) -> None:
    lines = iter([asks, "A18 has been cancelled."])
    goal = goal_of(CANCEL, given={"appointment": VISITS})
    dialogue = run_dialogue(goal, AgendaUser(goal), lambda _: next(lines))
    said = dialogue.turns[1].user
    assert said.lower().startswith(("yes", "yep", "sure", "okay")) is agrees, said
