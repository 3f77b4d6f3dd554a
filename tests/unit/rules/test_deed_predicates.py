"""Predicates over the steps of a goal, each when it holds and when not."""

from dataclasses import replace
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Dialogue, ToolCall, Turn
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.steps import Step
from pytest_todeval.evaluate.rules.finding import View
from pytest_todeval.evaluate.rules.registry import predicates
from pytest_todeval.facts.dialogue import gather
from tests.support.step_dialogues import (
    ADD,
    ASK_MOVE,
    BACK,
    CANCEL,
    GONE,
    LATE,
    MOVE,
    MOVED,
    NEW,
    NEWER,
    OTHER,
    YES_MOVED,
    Said,
    stepped,
)  # fmt: skip

AGAIN: Said = ("Could you move A17 to Wednesday now?", "What can I do for you?", ())


def ask(name: str, steps: tuple[Step, ...], *turns: Said, **arguments: Any) -> bool | None:
    """What a predicate finds in the last turn."""
    evidence = gather(stepped(steps, *turns), None)
    found = predicates()[name].function(View(evidence, evidence.turns[-1]), **arguments)
    assert found.reason
    return found.holds


@pytest.mark.parametrize(
    ("name", "steps", "turns", "holds"),
    [
        ("changes_for_no_step", (MOVE,), (ASK_MOVE, YES_MOVED), False),
        ("changes_for_no_step", (MOVE,), (ASK_MOVE, ("Yes.", "Done.", (GONE,))), True),
        ("changes_for_no_step", (MOVE,), (ASK_MOVE, ("Yes.", "Done.", (OTHER,))), True),
        ("changes_for_no_step", (MOVE,), (ASK_MOVE,), None),
        ("changes_unasked", (MOVE, CANCEL), (("Move A17.", "Done.", (GONE,)),), True),
        ("changes_unasked", (MOVE, CANCEL), (("Cancel A18.", "Done.", (GONE,)),), False),
        ("changes_refused", (MOVE,), (ASK_MOVE, ("No, wait.", "Done.", (MOVED,))), True),
        ("changes_refused", (MOVE,), (ASK_MOVE, ("No, just move it.", "Done.", (MOVED,))), False),
        ("changes_refused", (MOVE,), (ASK_MOVE, YES_MOVED), False),
        ("changes_refused", (LATE,), (("Cancel A17.", "Done.", (MOVED,)),), True),
        ("changes_without_yes", (MOVE,), (ASK_MOVE, YES_MOVED), False),
        ("changes_without_yes", (MOVE,), (("Move A17.", "Done.", (MOVED,)),), True),
        ("asks_after_doing", (MOVE,), (("Move A17.", "Shall I move A17?", (MOVED,)),), True),
        ("asks_after_doing", (MOVE,), (("Move A17.", "I've moved A17. Fine?", (MOVED,)),), False),
        ("asks_after_doing", (MOVE,), (("Move A17.", "A17, moved. Anything else?", (MOVED,)),),
         False),
        ("asks_after_doing", (MOVE,), (("Move A17.", "How are you?", (MOVED,)),), False),
        ("asks_after_doing", (MOVE,), (ASK_MOVE,), None),
        ("denies_done", (MOVE,), (YES_MOVED, ("Bye.", "A17 is as it was, bye.", ())), True),
        ("adds_twice", (ADD,), (("Book it.", "Done.", (NEW,)),), False),
        ("adds_twice", (ADD,), (("Book it.", "Done.", (NEW,)), ("Hm?", "Done.", (NEWER,))), True),
        ("adds_twice", (ADD, ADD), (("Book.", "Done.", (NEW, NEWER)),), False),
        ("takes_back", (MOVE,), (ASK_MOVE, YES_MOVED, ("Bye.", "Bye.", (BACK,))), True),
        ("takes_back", (MOVE,), (ASK_MOVE, YES_MOVED), None),
        ("claims_undone", (MOVE,), (("Move A17.", "A17 has been moved.", ()),), True),
        ("claims_undone", (MOVE,), (("Move A17.", "A17 has been moved.", (MOVED,)),), False),
        ("claims_undone", (MOVE,), (("Move A17.", "I can't move A17.", ()),), None),
        ("denies_done", (MOVE,), (("Move A17.", "I can't move A17.", (MOVED,)),), True),
        ("denies_done", (MOVE,), (("Move A17.", "I can't move A17.", ()),), False),
        ("denies_done", (MOVE,), (("Move A17.", "It has been moved.", (MOVED,)),), None),
        *(
            ("denies_done", (MOVE,), (("Move A17.", reply, changed), after), holds)
            for reply, changed, after, holds in (
                ("There is no way for me to move A17.", (MOVED,), AGAIN, True),
                ("A17 is not something I am able to move.", (MOVED,), AGAIN, True),
                ("There is no way for me to move A17.", (), AGAIN, None),
                ("There is no way for me to move A17.", (MOVED,), ("Oh.", "Bye.", ()), None),
                ("No need to move A17 twice, it is on Wednesday.", (MOVED,), AGAIN, None),
                ("No problem, A17 was moved just now.", (MOVED,), AGAIN, None),
                ("Your old slot is no longer yours.", (MOVED,), AGAIN, None),
                ("May I not move A17?", (MOVED,), AGAIN, None),
                ("No way to move it.", (MOVED,), ("Move A17.", "It is moved now.", ()), None),
            )
        ),
        ("done_untold", (MOVE,), (("Move A17.", "How are you?", (MOVED,)),), True),
        ("done_untold", (MOVE,), (("Move A17.", "It is moved.", (MOVED,)),), False),
        ("done_untold", (MOVE,), (("Move A17.", "Wednesday it is!", (MOVED,)),), False),
        ("done_untold", (MOVE,), (("Move A17.", "Hm?", (MOVED,)), ("?", "Done.", ())), False),
        ("misstates_deed", (CANCEL,), (("Cancel A18.", "I've cancelled A17.", (GONE,)),), True),
        ("misstates_deed", (CANCEL,), (("Cancel A18.", "I've cancelled A18.", (GONE,)),), False),
        ("misstates_deed", (CANCEL,), (("Cancel A18.", "Done, you get $35 back.", (GONE,)),), True),
        ("misstates_deed", (CANCEL,), (("Cancel A18.", "Done, you get $20.", (GONE,)),), False),
    ],
)  # fmt: skip
def test_when_it_holds(
    name: str, steps: tuple[Step, ...], turns: tuple[Said, ...], holds: bool | None
) -> None:
    assert ask(name, steps, *turns) is holds


def test_what_the_records_show_was_done_needs_no_call() -> None:
    """A bot may act without a tool: by what its model answers, say."""
    call = ToolCall("get_fee", {}, {"fee": "20"})
    for changed, holds in (((GONE,), False), ((), True)):
        said: Said = ("Cancel A18.", "I have cancelled A18.", changed)
        played = stepped((CANCEL,), said, ("And the fee?", "It is 20.", ()))
        first, second = played.turns
        played = replace(played, turns=(first, replace(second, tool_calls=(call,))))
        evidence = gather(played, None)
        found = predicates()["claims_act"].function(View(evidence, evidence.turns[0]))
        assert found.holds is holds


def test_a_yes_is_needed_for_the_verbs_that_are_named() -> None:
    turn: Said = ("Move A17.", "Done.", (MOVED,))
    assert ask("changes_without_yes", (MOVE,), turn, verbs=["change"]) is True
    assert ask("changes_without_yes", (MOVE,), turn, verbs=["cancel"]) is None


@pytest.mark.parametrize(("holds", "found"), [("over 10", True), ("over 20", False)])
def test_a_policy_is_a_condition_on_the_record(holds: str, found: bool) -> None:
    turn: Said = ("Cancel A18.", "Done.", (GONE,))
    given = {"kind": "visit", "field": "fee", "holds": holds}
    assert ask("changes_while", (CANCEL,), turn, **given) is found
    assert ask("changes_while", (CANCEL,), turn, **{**given, "kind": "card"}) is None


@pytest.mark.parametrize(
    "name", [n for n, p in predicates().items() if "deeds" in p.function.__module__]
)
def test_without_steps_or_records_nothing_is_known(name: str) -> None:
    arguments = {"kind": "a", "field": "b", "holds": "c"} if name == "changes_while" else {}
    assert ask(name, (), ("Hello.", "It is moved.", ()), **arguments) is None
    goal = Goal("g", "desk", (), steps=(MOVE,))
    evidence = gather(Dialogue(goal, (Turn(1, "Move A17.", "It is moved."),)), None)
    view = View(evidence, evidence.turns[-1])
    assert predicates()[name].function(view, **arguments).holds is None
