"""Styles of the agenda user, and who it says it is."""

import re
from pathlib import Path

import pytest

from pytest_todeval.backends.multiwoz import MultiwozBackend, MultiwozDatabase
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.errors import InvalidFile
from pytest_todeval.evaluate.metrics.task_success import evaluate
from pytest_todeval.goals import store
from pytest_todeval.simulation.agenda import AgendaUser
from pytest_todeval.simulation.agenda.facts import Facts
from pytest_todeval.simulation.agenda.styles import STYLES, with_other_wish
from pytest_todeval.simulation.loop import run_dialogue
from pytest_todeval.systems import RuleSystem
from pytest_todeval.worlds import registry
from pytest_todeval.worlds.files.reading import load_goal_file

DEMO = registry.load("demo")
DATABASE = MultiwozDatabase.load(store.DEMO)


def play(goal: Goal, style: str) -> tuple[Dialogue, bool]:
    backend = MultiwozBackend(DATABASE, goal)
    user = AgendaUser(goal, DATABASE.vocabulary(), style=style)
    dialogue = run_dialogue(goal, user, RuleSystem, backend=backend)
    return dialogue, all(evaluate(dialogue, backend).values())


@pytest.mark.parametrize("style", STYLES)
def test_every_style_brings_the_reference_bot_to_the_goal(style: str) -> None:
    for goal in DEMO.goals[::6]:
        dialogue, passed = play(goal, style)
        assert dialogue.stop_reason is StopReason.USER_DONE, dialogue.explain(full=True)
        assert passed, dialogue.explain(full=True)


def test_one_that_returns_asks_about_an_earlier_domain_in_the_end() -> None:
    goal = next(g for g in DEMO.goals if [bool(part.request) for part in g.domains] == [True, True])
    first, last = goal.domains
    plain, returns = (play(goal, style)[0] for style in ("plain", "returns"))
    assert f"about the {first.domain}" in returns.turns[-1].user
    assert f"about the {first.domain}" not in plain.turns[-1].user
    assert last.domain != first.domain


def test_one_that_changes_its_mind_ends_with_the_goals_own_wish() -> None:
    changed = 0
    for goal in DEMO.goals[::6]:
        said = " ".join(turn.user for turn in play(goal, "changes_mind")[0].turns)
        changed += "instead" in said
    assert changed >= 5


def test_another_wish_differs_in_one_constraint_of_one_domain() -> None:
    import random

    for goal in DEMO.goals:
        other = with_other_wish(goal, DATABASE.vocabulary(), random.Random(goal.id))
        pairs = zip(goal.domains, other.domains, strict=True)
        changed = [(old, new) for old, new in pairs if old != new]
        assert len(changed) <= 1
        for old, new in changed:
            assert new.inform == old.inform
            assert not old.fail_inform
            slots = [s for s, v in old.inform.items() if new.fail_inform[s] != v]
            assert len(slots) == 1


def test_one_that_asks_again_asks_for_a_slot_it_was_told() -> None:
    goal = next(g for g in DEMO.goals if len(g.domains) == 1 and g.domains[0].request)
    plain, again = (play(goal, style)[0] for style in ("plain", "asks_again"))
    assert len(again.turns) == len(plain.turns) + 1
    assert any(word in again.turns[-1].user for word in ("once more", "repeat", "again"))


# Facts


def test_an_invented_person_is_reachable_nowhere() -> None:
    for seed in range(50):
        facts = Facts({}, str(seed))
        assert facts.about("email").split("@")[1] in ("example.org", "example.com", "example.net")
        assert facts.about("phone").startswith(("07700 900", "020 7946 0"))
        first, last = facts.about("name").split()
        assert (facts.about("first name"), facts.about("surname")) == (first, last)
        assert (
            facts.about("e-mail") == f"{first}.{last}@".lower() + facts.about("email").split("@")[1]
        )
        assert facts.about("postcode") in facts.about("address")
        assert 1950 < int(facts.about("date of birth").split()[-1]) < 2005


def test_given_facts_win_and_agree_with_what_follows_from_them() -> None:
    facts = Facts({"Full_Name": "Zed van Nought", "meal": "vegan"}, "1")
    assert facts.about("surname") == "Nought"
    assert facts.about("first name") == "Zed van"
    assert facts.about("email").startswith("zed.van.nought@example.")
    assert facts.about("meal") == "vegan"
    assert facts.about("shoe size") == ""
    named = Facts({"surname": "Nought"}, "1")
    assert named.about("name").endswith(" Nought")


def test_a_choice_follows_the_facts_else_what_suits_anybody_and_stays() -> None:
    facts = Facts({"payment": "in cash"}, "1")
    assert facts.choice("payment", ("card", "cash")) == "cash"
    assert facts.choice("", ("now", "later")) == "later"
    options = ("red", "green", "blue", "white")
    assert len({facts.choice("", options) for _ in range(20)}) == 1


GOALS = """\
user: {name: Ada Marsh, phone: 07700 900123}
goals:
  - id: one
    domains: {hotel: {inform: {area: north}}}
  - id: two
    user: {name: Ben Holt, loyalty number: 42}
    domains: {hotel: {inform: {area: north}}}
"""


def test_a_goal_file_gives_facts_for_all_goals_and_for_one(tmp_path: Path) -> None:
    path = tmp_path / "goals.yaml"
    path.write_text(GOALS)
    one, two = load_goal_file(path).goals
    assert one.user == {"name": "Ada Marsh", "phone": "07700 900123"}
    assert two.user == {"name": "Ben Holt", "phone": "07700 900123", "loyalty number": "42"}


def test_facts_that_are_none_are_an_error_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "goals.yaml"
    path.write_text(GOALS.replace("{name: Ada Marsh, phone: 07700 900123}", "[Ada]"))
    with pytest.raises(InvalidFile, match=r"goals\.yaml:1: user: got"):
        load_goal_file(path)


def test_one_that_adds_says_that_it_has_everything_and_then_names_its_last_domain() -> None:
    goal = next(g for g in DEMO.goals if len(g.domains) == 2)
    plain, adds = (
        [turn.user for turn in play(goal, style)[0].turns] for style in ("plain", "adds")
    )
    at = next(i for i, said in enumerate(adds) if re.search(r"\b(?:everything|all)\.$", said))
    last = goal.domains[-1].domain
    assert adds[:at] == plain[:at]
    assert not any(last in said.lower() for said in adds[: at + 1])
    assert re.match(r"Oh|Excuse me", adds[at + 1])
    assert last in adds[at + 1].lower()


def test_one_that_adds_has_nothing_to_add_to_a_goal_of_one_domain() -> None:
    goal = next(g for g in DEMO.goals if len(g.domains) == 1)
    plain, adds = (play(goal, style)[0] for style in ("plain", "adds"))
    assert [turn.user for turn in adds.turns] == [turn.user for turn in plain.turns]
