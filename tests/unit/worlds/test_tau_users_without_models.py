"""Tasks of tau-bench and tau2 without a model: whose they are, and what cannot be played."""

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.core.goal import Goal
from pytest_todeval.errors import DataMissing, InvalidFile, UsageError
from pytest_todeval.simulation.agenda import AgendaUser
from pytest_todeval.worlds.gold_user import gold_user
from pytest_todeval.worlds.tau2.steps import tables_of, task_said
from pytest_todeval.worlds.tau2.world import Tau2World
from tests.support.tau_world import tau2_checkout, tau2_goals

ADA = {
    "name": {"first_name": "Ada", "last_name": "Marsh"},
    "address": {"zip": "10001"},
    "email": "ada@example.org",
    "payment_methods": {},
}
TABLES = {"users": {"ada_1": ADA}, "reservations": {"ABCDEF": {}}}
CANCEL = {"name": "cancel_reservation", "arguments": {"reservation_id": "ABCDEF"}}
GOAL = Goal("0", "tau2/airline", ())


def task(known: Any, *actions: dict[str, Any]) -> dict[str, Any]:
    told = {"reason_for_call": "You want to\ncancel ABCDEF.", "known_info": known}
    return {
        "user_scenario": {"instructions": told},
        "evaluation_criteria": {"actions": list(actions) or None, "communicate_info": ["5"]},
    }


@pytest.mark.parametrize(
    ("known", "actions"),
    [
        ("You are Ada.", [{"name": "get_user_details", "arguments": {"user_id": "ada_1"}}]),
        ("Your user id is ada_1.", [CANCEL]),
        ("You are Ada Marsh, zip code 10001.", []),
        ("Your email is ada@example.org.", [CANCEL]),
    ],
)
def test_a_task_of_tau2_is_read_as_one_of_tau_bench(known: str, actions: list[Any]) -> None:
    found = task_said(task(known, *actions), TABLES)
    assert found == {
        "user_id": "ada_1",
        "instruction": f"You want to cancel ABCDEF. {known}",
        "actions": [{"name": a["name"], "kwargs": a["arguments"]} for a in actions],
        "outputs": ["5"],
    }
    user = gold_user(GOAL, found, TABLES, "plain", 0)
    assert isinstance(user, AgendaUser)
    assert "ABCDEF" in user.respond(None).text


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (task("You are Bo Holt, 20002."), "its user '' is not in the tables"),
        ({"user_scenario": {"instructions": "Be rude, ada_1."}}, "names no deed of ours"),
    ],
)
def test_what_cannot_be_said_names_the_task_and_what_to_do(raw: Any, says: str) -> None:
    with pytest.raises(UsageError, match=f"tau2/airline/0 cannot be played .*{says}.*--todeval-mo"):
        gold_user(GOAL, task_said(raw, TABLES), TABLES, "plain", 0)


def test_other_domains_need_a_model(tmp_path: Path) -> None:
    goals = tau2_goals(tau2_checkout(tmp_path), "garden")
    with pytest.raises(UsageError, match="only tasks of airline and retail become steps"):
        goals.world.user(goals.goals[0])


@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        (None, DataMissing, "is not whole"),
        ("version https://git-lfs", InvalidFile, "a pointer of Git LFS"),
        ("[]", InvalidFile, "found list"),
    ],
)
def test_tables_that_are_not_there(
    tmp_path: Path, text: str | None, error: type[Exception], says: str
) -> None:
    place = tmp_path / "data" / "tau2" / "domains" / "retail"
    place.mkdir(parents=True)
    if text is not None:
        (place / "db.json").write_text(text, encoding="utf-8")
    with pytest.raises(error, match=says):
        tables_of(tmp_path, "retail")
    (place / "db.json").write_text(json.dumps(TABLES), encoding="utf-8")
    assert tables_of(tmp_path, "retail") == TABLES
    assert Tau2World("retail", tmp_path).domain == "retail"
