"""Free seats of the service desk's licences; goals that only metrics of one's own tell apart."""

import json
from typing import Any

import pytest

from pytest_todeval.backends.tool_backend import ToolBackend
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.worlds.service_desk.domain import service_desk
from pytest_todeval.worlds.world import World


def test_the_free_seats_of_a_licence_are_those_that_nobody_holds() -> None:
    domain = service_desk()
    listed = json.loads(ToolBackend(domain).call("list_licences"))
    kept = domain.tables["licences"]
    assert {each["licence_id"]: each["free_seats"] for each in listed} == {
        number: each["seats"] - len(each["holders"]) for number, each in kept.items()
    }
    assert "holders" not in listed[0]


class Polite(World):
    """A world with a metric of its own alone."""

    def __init__(self, passed: bool) -> None:
        self.passed = passed

    def evaluate(self, dialogue: Dialogue, backend: Any, judge: Any = None) -> dict[str, Verdict]:
        return {"polite": Verdict("polite", self.passed, "a word of thanks")}


@pytest.mark.parametrize("passed", [True, False])
def test_without_reward_success_and_booking_all_verdicts_decide_if_a_goal_is_trivial(
    passed: bool,
) -> None:
    found = Polite(passed).trivial(Goal("1", "own", ()))
    told = "'Goodbye.' passes polite (a word of thanks)"
    assert (found.passes, found.untold) == (told if passed else None, None)
