"""A line says what a user wants."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_todeval.cli import main
from pytest_todeval.errors import UsageError
from pytest_todeval.start.drafts.goal_text import require_goals, with_goals, yaml_of
from pytest_todeval.start.drafts.wish import read_wish
from pytest_todeval.worlds import registry

READ: dict[str, dict[str, Any]] = {
    "book court: sport=tennis, day=friday": {
        "domains": {"court": {"book": {"sport": "tennis", "day": "friday"}}}
    },
    "change appointment: id=A17 -> day=wednesday": {
        "steps": [{"change": {"appointment": {"id": "A17"}, "to": {"day": "wednesday"}}}]
    },
    "ask card: price, balance?": {"steps": [{"ask": {"card": {}, "for": ["price", "balance"]}}]},
    "I'd like to move my appointment A17 to Wednesday": {
        "steps": [{"change": {"appointment": {"id": "A17"}, "to": {"day": "Wednesday"}}}]
    },
    "I want to book a tennis court on Friday at 10:15 for 2 people": {
        "domains": {
            "court": {
                "book": {"type": "tennis", "day": "Friday", "time": "10:15", "people": "2"}
            }
        }
    },
    "Cancel booking AB1234 please": {"steps": [{"cancel": {"booking": {"id": "AB1234"}}}]},
    "block my card": {"steps": [{"block": {"card": {}}}]},
    "I want to know the balance of my card": {
        "steps": [{"ask": {"card": {}, "for": ["balance"]}}]
    },
}  # fmt: skip


@pytest.mark.parametrize("line", READ)
def test_a_line_becomes_a_goal(line: str) -> None:
    entry = read_wish(line).entry()
    assert {key: entry[key] for key in entry if key != "id"} == READ[line]
    require_goals(yaml_of([entry], "drafted"))


def test_the_line_of_a_wish_says_the_same() -> None:
    for line in READ:
        wish = read_wish(line)
        assert read_wish(wish.line).entry() == wish.entry()


def test_what_is_left_over_is_told() -> None:
    assert read_wish("book a table in the centre for 4 people").left == "centre"


@pytest.mark.parametrize("line", ["", "hello world", "book", "book court: day=", "=: ->"])
def test_a_line_without_a_deed_is_refused_with_one_that_has_it(line: str) -> None:
    with pytest.raises(UsageError, match="book court: sport=tennis"):
        read_wish(line)


@given(st.text(max_size=80))
def test_any_text_is_a_goal_or_is_refused(text: str) -> None:
    try:
        wish = read_wish(text)
    except UsageError:
        return
    assert wish.verb
    assert wish.kind


FILES = {
    "a list": "# mine\n- id: one\n  domains: {spa: {book: {day: monday}}}\n",
    "indented": "name: spa\ngoals:\n  - id: one\n    domains: {spa: {book: {day: monday}}}\n",
}


@pytest.mark.parametrize("text", FILES.values(), ids=FILES)
def test_a_goal_is_put_at_the_end_of_a_file(text: str, tmp_path: Path) -> None:
    path = tmp_path / "goals.yaml"
    path.write_text(text)
    for _ in range(2):
        assert main(["goals", "new", "cancel booking: id=AB12", "--into", str(path)]) == 0
    assert path.read_text().startswith(text)
    ids = [goal.id for goal in registry.load(str(path)).goals]
    assert ids == ["one", "cancel-booking-ab12", "cancel-booking-ab12-2"]


def test_goals_that_do_not_stand_at_the_end_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "goals.yaml"
    path.write_text("goals:\n- id: one\n  domains: {spa: {book: {day: monday}}}\nname: spa\n")
    with pytest.raises(UsageError, match="paste these"):
        with_goals(path, [read_wish("block card").entry()])
