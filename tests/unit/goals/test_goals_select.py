import os
import subprocess
import sys
from dataclasses import replace

import pytest

from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.errors import UsageError
from pytest_todeval.goals.lists import tasks_named
from pytest_todeval.goals.select import books, select


def goal(id: str, *domains: str, book: bool = False) -> Goal:
    slots = {"day": "monday"} if book else {}
    parts = tuple(
        DomainGoal(name, book={} if name == "taxi" else slots, wants_booking=book or name == "taxi")
        for name in domains
    )
    return Goal(id, "mine", parts)


GOALS = (
    goal("a", "hotel", book=True),
    goal("b", "hotel", "train"),
    goal("c", "train", book=True),
    goal("d", "hotel"),
    goal("e", "taxi"),
)


def ids(**filters: object) -> str:
    return "".join(goal.id for goal in select(GOALS, **filters))  # type: ignore[arg-type]


def test_without_filter_all_goals_in_order() -> None:
    assert ids() == "abcde"


def test_domains_keep_goals_that_are_about_nothing_else() -> None:
    assert ids(domains=["hotel"]) == "ad"
    assert ids(domains=["train", "hotel"]) == "abcd"


def test_exactly_keeps_goals_about_all_of_these_domains_and_no_other() -> None:
    assert ids(exactly=["hotel"]) == "ad"
    assert ids(exactly=["train", "hotel"]) == "b"
    assert ids(exactly=("hotel", "train", "hotel")) == "b"


def test_every_domain_books_or_not() -> None:
    goals = (*GOALS, goal("f", "hotel", "train", book=True), goal("g", "hotel", "taxi", book=True))
    half = replace(goals[-2], id="h", domains=(goals[-2].domains[0], goals[1].domains[1]))
    chosen = select((*goals, half), every_domain_books=True)
    assert [each.id for each in chosen] == ["a", "c", "f"]  # the taxi of g books no slot
    others = select((*goals, half), every_domain_books=False)
    assert [each.id for each in others] == ["b", "d", "e", "g", "h"]


def test_labels_keep_goals_that_carry_any_of_them() -> None:
    labels = {"a": ("smoke",), "b": ("smoke", "refund"), "c": ("slow",)}
    goals = [replace(each, labels=labels.get(each.id, ())) for each in GOALS]
    assert [each.id for each in select(goals, labels=["smoke"])] == ["a", "b"]
    assert [each.id for each in select(goals, labels=["refund", "slow"])] == ["b", "c"]
    with pytest.raises(UsageError, match=r"unknown label 'smok': did you mean 'smoke'\? Known: "):
        select(goals, labels=["smok"])
    with pytest.raises(UsageError, match=r"unknown label 'smoke': Known: none"):
        select(GOALS, labels=["smoke"])


def test_a_named_list_keeps_its_goals() -> None:
    listed = tasks_named("clem_todd")
    assert (len(listed), len(set(listed)), listed[0], listed[-1]) == (
        117,
        117,
        "SNG01936",
        "MUL0761",
    )
    goals = [goal(name, "hotel") for name in (*listed, "other")]
    assert [each.id for each in select(goals, tasks="clem_todd", limit=2)] == list(listed[:2])


def test_a_list_of_other_goals_is_refused() -> None:
    with pytest.raises(UsageError) as caught:
        ids(tasks="clem_todd")
    assert str(caught.value) == (
        "tasks='clem_todd': 117 of its 117 goals are not among these 5, e.g. SNG01936; it lists "
        "goals of MultiWOZ's split test"
    )


def test_booking_counts_no_taxi() -> None:
    assert ids(booking=True) == "ac"
    assert ids(booking=False) == "bde"
    assert not books(goal("t", "taxi"))
    assert books(Goal("x", "mine", (DomainGoal("spa", wants_booking=True),)))


def test_filters_add_up() -> None:
    assert ids(domains=["hotel", "train"], booking=False, limit=1) == "b"


@pytest.mark.parametrize("wanted", ["c", "c.json", "mine/c", "mine/c.json"])
def test_ids_are_found_in_every_spelling(wanted: str) -> None:
    assert ids(ids=[wanted, "a"]) == "ac"


def test_limit_takes_the_first_or_a_sample() -> None:
    assert ids(limit=2) == "ab"
    assert ids(limit=99, seed=1) == "abcde"
    assert {ids(limit=2, seed=seed) for seed in range(20)} > {ids(limit=2, seed=1)}
    assert ids(limit=3, seed=7) == "".join(sorted(ids(limit=3, seed=7)))
    assert set(ids(limit=2, seed=7)) < set(ids(limit=3, seed=7))


SAMPLE = """
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.goals.select import select
many = [Goal(str(n), "x", (DomainGoal("hotel"),)) for n in range(500)]
print([goal.id for goal in select(many, limit=5, seed=1)])
"""


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_a_sample_is_the_same_in_every_process(hash_seed: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SAMPLE],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "['11', '193', '313', '333', '445']\n"


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"domains": ["hotle"]}, "unknown domain 'hotle': did you mean 'hotel'? Known: hotel, tax"),
        ({"domains": "hotel"}, "domains: got 'hotel', expected a list of names, e.g. ['hotel']"),
        ({"domains": []}, "domains: got an empty list"),
        ({"ids": ["z"]}, "no goal has the id 'z' among these 5: a, b, c, ..."),
        ({"ids": [3]}, "ids: got [3], expected a list of names"),
        ({"limit": 0}, "limit: got 0, expected a whole number from 1 up"),
        ({"limit": True}, "limit: got True, expected a whole number"),
        ({"seed": "1"}, "seed: got '1', expected a whole number"),
        ({"exactly": "hotel"}, "exactly: got 'hotel', expected a list of names, e.g. ['hotel']"),
        ({"exactly": ["hotle"]}, "unknown domain 'hotle': did you mean 'hotel'?"),
        ({"every_domain_books": 1}, "every_domain_books: got 1, expected True or False"),
        ({"tasks": "clemtodd"}, "tasks: no list 'clemtodd': did you mean 'clem_todd'?"),
        ({"tasks": [3]}, "tasks: got [3], expected the name of a list; Known: clem_todd"),
        ({"tasks": "../clem_todd"}, "tasks: no list '../clem_todd'"),
        ({"booking": "yes"}, "booking: got 'yes', expected True or False"),
    ],
)
def test_a_wrong_filter_says_what_is_expected(filters: dict[str, object], expected: str) -> None:
    with pytest.raises(UsageError) as caught:
        ids(**filters)
    assert str(caught.value).startswith(expected)


def test_nothing_left_names_the_filter_that_emptied_the_selection() -> None:
    with pytest.raises(UsageError, match=r"none of 1 goals books something \(booking=True\)"):
        ids(domains=["taxi"], booking=True)
    with pytest.raises(UsageError, match=r"none of 1 goals is about train and nothing else"):
        ids(ids=["b"], domains=["train"])
