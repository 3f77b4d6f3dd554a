"""Handing over to a person: for the right reason, not in place of a tool that was not tried."""

from typing import Any

import pytest

from pytest_todeval.backends.tool_backend import ToolBackend
from pytest_todeval.core.dialogue import ToolCall
from pytest_todeval.core.goal import Goal
from pytest_todeval.evaluate.judge.rule_judge import RuleJudge
from pytest_todeval.worlds.service_desk.domain import service_desk
from pytest_todeval.worlds.service_desk.world import ServiceDeskWorld
from tests.support.desk_dialogues import DONE, FIND, desk
from tests.support.dialogue_world import dialogue, said

TASK = Goal("T1", "desk", ())


def over(reason: str) -> ToolCall:
    return ToolCall("hand_over_to_person", {"reason": reason}, "{}")


def broken(*turns: Any, rules: Any = ServiceDeskWorld.rules) -> dict[str, str]:
    judge = RuleJudge(rules, ToolBackend(service_desk()))
    found = judge.rules(dialogue(TASK, *turns), list(map(str, rules))).broken
    return {each.rule: each.reason for each in found}


@pytest.mark.parametrize(
    ("turns", "alarm"),
    [
        ([said("My password.", "One moment.", over("asked"))], True),
        ([said("My password.", "Who are you?"), said("Ruben", "Bye.", over("asked"))], True),
        ([said("Let me talk to a person.", "Of course.", over("asked"))], False),
        ([said("My password.", "Let me see.", FIND), said("Well?", "Bye.", over("asked"))], False),
        ([said("Help!", "Bye.", ToolCall("transfer_to_human_agents", {"summary": "x"}))], True),
        ([said("Help!", "Sure.", ToolCall("transfer_money", {"to": "me"}))], False),
        ([said("It was stolen!", "Bye.", over("lost_or_stolen"))], False),
    ],
)
def test_a_hand_over_in_place_of_a_try(turns: list[Any], alarm: bool) -> None:
    assert ("tries-before-handing-over" in broken(*turns, rules=("tasks",))) is alarm


@pytest.mark.parametrize(
    ("user", "before", "alarm"),
    [
        ("Yes.", "I will reset your password. Shall I?", True),
        ("Thanks, goodbye.", "Done.", True),
        ("Yes.", "I will hand you over to a colleague. Shall I?", False),
        ("And now my car is gone, yes.", "Done.", False),
    ],
)
def test_who_is_served_needs_no_person(user: str, before: str, alarm: bool) -> None:
    turns = [said("My password.", before, FIND), said(user, "Bye.", DONE, over("done"))]
    assert ("tries-before-handing-over" in broken(*turns, rules=("tasks",))) is alarm


def test_a_tool_that_failed_in_the_same_turn_is_a_reason_to_hand_over() -> None:
    failed = ToolCall("reset_password", {"employee_id": "E102"}, error="locked")
    calls = {True: (DONE, over("done")), False: (failed, over("done")), None: (over("done"),)}
    for alarm, made in calls.items():
        turns = [said("My password.", "Shall I?", FIND), said("Yes.", "Bye.", *made)]
        found = "tries-before-handing-over" in broken(*turns, rules=("tasks",))
        assert found is (alarm is not False)


def test_the_desk_hands_over_for_the_reason_that_it_says() -> None:
    suspended = desk(ToolCall("find_employee", {"email": SUSPENDED}))
    asked = said("I am locked out.", "Let me see.", *suspended)
    assert "hands-over-suspended-accounts" not in broken(asked, said("", "", over("security")))
    other = said("I am locked out.", "Let me see.", FIND)
    reason = broken(other, said("", "Bye.", over("security")))["hands-over-suspended-accounts"]
    assert "no result shows account 'suspended'" in reason


def test_what_is_lost_gets_its_ticket_first() -> None:
    lost = ToolCall("open_ticket", {"employee_id": "E102", "subject": "lost_device"}, "{}")
    rule = "opens-a-ticket-for-what-is-lost"
    told = said("My phone is gone.", "Let me see.", FIND)
    assert rule in broken(told, said("Yes", "Bye.", over("lost_or_stolen")))
    assert rule not in broken(told, said("Yes", "Bye.", lost, over("lost_or_stolen")))


SUSPENDED = next(
    record["email"]
    for record in service_desk().tables["employees"].values()
    if record["account"] == "suspended"
)
