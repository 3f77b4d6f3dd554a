"""Made-up goals beside those of MultiWOZ: none equals a real one, and all can be met."""

import json
import re
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval import synthetic, unfulfillable, unrealistic
from pytest_todeval.core.goal import Goal
from pytest_todeval.goals.multiwoz import load_goals
from pytest_todeval.models.goal_text import goal_text
from pytest_todeval.worlds import registry
from pytest_todeval.worlds.trivial import trivial

DOMAINS = ("restaurant", "hotel", "attraction", "train")

Constraints = frozenset[tuple[str, str, str]]


@cache
def records(folder: Path) -> tuple[dict[str, Any], ...]:
    found: list[dict[str, Any]] = []
    for split in ("test", "val"):
        with zipfile.ZipFile(folder / f"{split}.json.zip") as archive:
            found += [each["goal"] for each in json.loads(archive.read(f"{split}.json")).values()]
    return tuple(found)


def real_constraints(goal: dict[str, Any], inform: str, *, books: bool) -> Constraints:
    return frozenset(
        (domain, slot, str(value).lower())
        for domain, part in goal.items()
        if isinstance(part, dict)
        for slots in (part.get(inform) or part.get("info", {}), part.get("book", {}))
        for slot, value in (slots or {}).items()
        if slot not in ("invalid", "pre_invalid") and (books or slots is not part.get("book"))
    )


def constraints(goal: Goal) -> Constraints:
    return frozenset(
        (part.domain, slot, value.lower())
        for part in goal.domains
        for slot, value in (*part.inform.items(), *part.book.items())
    )


def meets(row: dict[str, Any], slot: str, value: str) -> bool:
    if slot == "leaveAt":
        return bool(row[slot] >= value)
    if slot == "arriveBy":
        return bool(row[slot] <= value)
    return str(row.get(slot)).lower() == value.lower()


@pytest.mark.thorough
def test_five_hundred_goals_are_new_and_can_be_met(shared_data: Path) -> None:
    folder = shared_data / "multiwoz"
    goals = registry.load(synthetic("multiwoz", 500, seed=1), settings={"data": folder}).goals
    real = {
        real_constraints(goal, inform, books=books)
        for goal in records(folder)
        for inform in ("info", "fail_info")
        for books in (True, False)
    }
    assert len(records(folder)) == 1999
    made = {constraints(goal) for goal in goals}
    assert len(made) == len({goal.id for goal in goals}) == 500
    assert not made & real
    rows = {each: json.loads((folder / "db" / f"{each}_db.json").read_text()) for each in DOMAINS}
    for goal in goals:
        for part in goal.domains:
            wanted = part.inform.items()
            assert any(
                all(meets(row, slot, value) for slot, value in wanted) for row in rows[part.domain]
            ), part


def test_no_sentence_is_one_of_multiwoz(shared_data: Path) -> None:
    settings = {"data": shared_data / "multiwoz"}
    real = {
        re.sub(r"[^a-z]+", " ", line.lower()).strip()
        for split in ("test", "val")
        for goal in load_goals(shared_data / "multiwoz", split)
        for line in goal_text(goal).splitlines()
    }
    for make in (synthetic, unfulfillable, unrealistic):
        for goal in registry.load(make("multiwoz", 40, seed=2), settings=settings).goals:
            for line in goal_text(goal).splitlines():
                assert re.sub(r"[^a-z]+", " ", line.lower()).strip() not in real


def test_a_bot_that_does_nothing_passes_none_of_them(shared_data: Path) -> None:
    settings = {"data": shared_data / "multiwoz"}
    for make in (synthetic, unfulfillable, unrealistic):
        found = registry.load(make("multiwoz", 25, seed=3), settings=settings)
        assert not [goal for goal in found.goals if trivial(goal, found).passes]
        assert not [goal for goal in found.goals if found.world.impossible(goal)]
