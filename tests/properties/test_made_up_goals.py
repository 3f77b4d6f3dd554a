"""What holds of made-up goals, whoever makes them: read from the database's own files here."""

import json
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_todeval import synthetic, unfulfillable, unrealistic
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.goals.message import mentions, sections
from pytest_todeval.goals.store import DEMO
from pytest_todeval.models.goal_text import goal_text
from pytest_todeval.nlu.values.normalise import same_value
from pytest_todeval.simulation.agenda.user import inexpressible
from pytest_todeval.simulation.systems.rules import RuleSystem
from pytest_todeval.worlds import registry
from pytest_todeval.worlds.trivial import trivial
from tests.support.examples import examples

WEEK = {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}
CLOCK = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]")
MAKERS = {"synthetic": synthetic, "unrealistic": unrealistic, "unfulfillable": unfulfillable}

seeds = st.integers(0, 10_000)


@cache
def rows(domain: str) -> tuple[dict[str, Any], ...]:
    return tuple(json.loads((DEMO / "db" / f"{domain}_db.json").read_text()))


@cache
def real() -> frozenset[frozenset[tuple[str, str, str]]]:
    """The constraints of every goal of the demo, as its file has them, first wishes included."""
    found = set()
    for record in json.loads((DEMO / "data.json").read_text()).values():
        for inform in ("info", "fail_info"):
            for book in ("book", "fail_book"):
                found.add(
                    frozenset(
                        (domain, slot, str(value).lower())
                        for domain, part in record["goal"].items()
                        if isinstance(part, dict)
                        for slots in (part.get(inform) or part.get("info"), part.get(book))
                        for slot, value in (slots or {}).items()
                        if slot not in ("invalid", "pre_invalid")
                    )
                )
    return frozenset(found)


def constraints(goal: Goal) -> frozenset[tuple[str, str, str]]:
    return frozenset(
        (part.domain, slot, value.lower())
        for part in goal.domains
        for slot, value in (*part.inform.items(), *part.book.items())
    )


def meets(row: dict[str, Any], inform: dict[str, str]) -> bool:
    for slot, value in inform.items():
        if slot == "leaveAt":
            if row[slot] < value:
                return False
        elif slot == "arriveBy":
            if row[slot] > value:
                return False
        elif str(row.get(slot, "")).lower() != value.lower():
            return False
    return True


def exists(domain: str, slot: str, value: str) -> bool:
    if slot in ("leaveAt", "arriveBy") and not CLOCK.fullmatch(value):
        return False
    return any(meets(row, {slot: value}) for row in rows(domain))


def is_sane(slot: str, value: str) -> bool:
    if slot == "day":
        return value in WEEK
    if slot in ("people", "stay"):
        return value.isdecimal() and 1 <= int(value) <= 8
    return slot != "time" or CLOCK.fullmatch(value) is not None


def made(kind: str, n: int, seed: int) -> tuple[Goal, ...]:
    return registry.load(MAKERS[kind]("demo", n, seed=seed)).goals


def values(part: DomainGoal) -> list[str]:
    return [*part.inform.values(), *part.book.values()]


@given(seed=seeds)
@examples(30)
def test_synthetic_goals_are_satisfiable_and_new(seed: int) -> None:
    goals = made("synthetic", 8, seed)
    assert len(goals) == 8
    assert len({constraints(goal) for goal in goals}) == 8
    for goal in goals:
        assert constraints(goal) not in real()
        for part in goal.domains:
            found = [row for row in rows(part.domain) if meets(row, dict(part.inform))]
            assert found, (goal.name, part)
            assert not part.refusal
            assert all(is_sane(slot, value) for slot, value in part.book.items()), part
            assert any(all(slot in row for slot in part.request) for row in found), part
            assert part.book or part.request, part
            assert not set(part.request) & set(part.inform), part


@given(seed=seeds)
@examples(30)
def test_unfulfillable_goals_are_well_formed_and_no_row_meets_them(seed: int) -> None:
    for goal in made("unfulfillable", 6, seed):
        assert constraints(goal) not in real()
        for part in goal.domains:
            assert part.refusal
            assert all(exists(part.domain, slot, value) for slot, value in part.inform.items())
            assert all(is_sane(slot, value) for slot, value in part.book.items()), part
            assert not any(meets(row, dict(part.inform)) for row in rows(part.domain)), part


@given(seed=seeds)
@examples(30)
def test_unrealistic_goals_ask_for_what_does_not_exist(seed: int) -> None:
    for goal in made("unrealistic", 6, seed):
        for part in goal.domains:
            assert part.refusal
            odd = [
                slot for slot, value in part.inform.items() if not exists(part.domain, slot, value)
            ]
            odd += [slot for slot, value in part.book.items() if not is_sane(slot, value)]
            assert 1 <= len(odd) <= 2, part


@pytest.mark.parametrize("kind", MAKERS)
@given(seed=seeds)
@examples(30)
def test_a_message_states_each_constraint_exactly_once(kind: str, seed: int) -> None:
    for goal in made(kind, 6, seed):
        spoken = sections(goal.message, [part.domain for part in goal.domains])
        assert list(spoken) == [part.domain for part in goal.domains]
        for part in goal.domains:
            stated = {s: v for s, v in part.inform.items() if s not in ("internet", "parking")}
            text = " ".join(spoken[part.domain])
            assert not stated or mentions(spoken[part.domain], stated), (part.inform, text)
            wanted = Counter(value for value in values(part) if value not in ("yes", "no"))
            plain = re.sub(r"<[^>]*>", "", text)
            for value, times in wanted.items():
                found = re.findall(rf"(?<![\w:-]){re.escape(value)}(?![\w:])", plain)
                assert len(found) == times, (value, plain)
            for slot in ("internet", "parking"):
                word = {"internet": "wifi", "parking": "parking"}[slot]
                asked = slot in part.inform or slot in part.request
                assert plain.count(word) == asked, (slot, plain)
        assert "{" not in goal_text(goal)
        assert not list(inexpressible(goal))


@given(seed=seeds)
@examples(30)
def test_the_reference_bot_reads_the_constraints_back(seed: int) -> None:
    goal_set = registry.load(synthetic("demo", 6, seed=seed))
    for goal in goal_set.goals:
        spoken = sections(goal.message, [part.domain for part in goal.domains])
        for part in goal.domains:
            bot = RuleSystem(goal_set.world.backend(goal))
            said = [re.sub(r"<[^>]*>", "", sentence) for sentence in spoken[part.domain]]
            for sentence in said:
                bot.update(bot.understand(sentence))
                bot.state.current = part.domain
            heard = bot.state.belief().get(part.domain, {})
            wanted = {**part.inform, **part.book}
            for slot, value in wanted.items():
                assert same_value(slot, heard.get(slot, ""), value), (slot, said, heard)


@pytest.mark.parametrize("kind", MAKERS)
@given(seed=seeds, n=st.integers(1, 30), more=st.integers(1, 10))
@examples(20)
def test_more_goals_add_to_fewer(kind: str, seed: int, n: int, more: int) -> None:
    few, many = made(kind, n, seed), made(kind, n + more, seed)
    assert many[:n] == few
    assert len({goal.id for goal in many}) == n + more


def test_equal_goals_have_equal_ids_whatever_the_seed() -> None:
    found: dict[frozenset[tuple[str, str, str]], str] = {}
    for seed in range(20):
        for goal in made("synthetic", 30, seed):
            assert found.setdefault(constraints(goal), goal.id) == goal.id
    assert len(set(found.values())) == len(found)


@pytest.mark.parametrize("kind", MAKERS)
def test_a_bot_that_does_nothing_passes_none(kind: str) -> None:
    goal_set = registry.load(MAKERS[kind]("demo", 30, seed=3))
    assert [goal.id for goal in goal_set.goals if trivial(goal, goal_set).passes] == []
    assert [goal.id for goal in goal_set.goals if goal_set.world.impossible(goal)] == []


@pytest.mark.thorough
def test_goals_do_not_hang_on_the_hash_seed(tmp_path: Path) -> None:
    program = (
        "from pytest_todeval import *\n"
        "from pytest_todeval.worlds import registry\n"
        "for make in (synthetic, unrealistic, unfulfillable):\n"
        "    found = registry.load(make('demo', 20, seed=4))\n"
        "    print(found.fingerprint, *[(g.id, g.message, g.domains) for g in found.goals])\n"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed, "PATH": ""},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "77")
    }
    assert len(said) == 1
