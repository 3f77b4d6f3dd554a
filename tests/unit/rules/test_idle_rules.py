"""Which rules can never apply to a dialogue, by what they lack."""

from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.evaluate.rules.idle import ON_TABLES, idle_rules
from pytest_todeval.facts.dialogue import gather
from pytest_todeval.rules import load_rules
from tests.support.dialogue_world import backend, dialogue, restaurant_goal, said

HOTEL, RESTAURANT = "{about: hotel}", "{about: restaurant}"
NO_HOTEL = "no goal has the domain hotel"
NO_TABLES = "the backend does not tell what a call changes"


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        (f"never: {HOTEL}", NO_HOTEL),
        (f"never: {RESTAURANT}", None),
        (f"when: {HOTEL}\n    always: {{phrase: please}}", NO_HOTEL),
        (f"always: {HOTEL}", None),
        (f"never: {{not: {HOTEL}}}", None),
        (f"never: [{RESTAURANT}, {HOTEL}]", NO_HOTEL),
        (f"never: {{any: [{RESTAURANT}, {HOTEL}]}}", None),
        (f"never: {{any: [{HOTEL}, {{about: train}}]}}", NO_HOTEL),
        (f"before: {{this: {HOTEL}, needs: {{phrase: hi}}}}", NO_HOTEL),
        (f"before: {{this: {{phrase: hi}}, needs: {HOTEL}}}", None),
        ("never: {calls: refund}", "no tool is called refund"),
        ("never: {calls: book_restaurant}", None),
        ("never: changes_unconfirmed", NO_TABLES),
        ("never: {all: [changes_tables, {phrase: done}]}", NO_TABLES),
        ("never: {any: [changes_tables, {phrase: done}]}", None),
        ("never: {not: changes_tables}", None),
        ("never: {acts_unidentified: {by: [find_user, find_me]}}", "no tool is called find_user"),
    ],
)
def test_a_rule_that_cannot_apply(tmp_path: Path, rule: str, why: str | None) -> None:
    path = tmp_path / "ours.yaml"
    path.write_text(f"rules:\n  - id: ours\n    says: Ours.\n    {rule}\n")
    evidence = gather(dialogue(restaurant_goal(), said("Hi", "Hello.")), backend())
    found = idle_rules(evidence, load_rules(path).rules)
    assert (found.get("ours") is None) if why is None else found["ours"].startswith(why)


@pytest.mark.parametrize("name", sorted(ON_TABLES))
def test_rules_on_changes_apply_if_the_backend_tells_of_them(tmp_path: Path, name: str) -> None:
    class Backend:
        def changed_by(self, calls: list[Any]) -> list[bool]:
            return [False for _ in calls]

    path = tmp_path / "ours.yaml"
    path.write_text(f"rules:\n  - {{id: ours, says: Ours., never: {name}}}\n")
    played = dialogue(restaurant_goal(), said("Hi", "Hello."))
    told = [idle_rules(gather(played, own), load_rules(path).rules) for own in (Backend(), None)]
    assert told == [{}, {"ours": NO_TABLES}]


@pytest.mark.parametrize("tools", [None, [], "book", [{"name": 3}], [7]])
def test_tools_that_nobody_knows_rule_nothing_out(tmp_path: Path, tools: Any) -> None:
    class Backend:
        def bookings(self) -> list[Any]:
            return []

    own = Backend()
    own.tools = tools  # type: ignore[attr-defined]
    path = tmp_path / "ours.yaml"
    path.write_text("rules:\n  - {id: ours, says: Ours., never: {calls: refund}}\n")
    evidence = gather(dialogue(restaurant_goal(), said("Hi", "Hello.")), own)
    assert idle_rules(evidence, load_rules(path).rules) == {}
