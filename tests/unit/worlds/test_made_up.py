"""Goals made up over worlds and files of one's own; what cannot be made up says why."""

from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_todeval import DomainGoal, Goal, GoalSet, World, synthetic, unfulfillable, unrealistic
from pytest_todeval.errors import DataMissing, UsageError
from pytest_todeval.goals.made_up.asked import MadeUp
from pytest_todeval.goals.made_up.shapes import GoalShapes, _bookable, is_value
from pytest_todeval.goals.made_up.wording import oddities
from pytest_todeval.models.goal_text import goal_text
from pytest_todeval.worlds import registry
from pytest_todeval.worlds.made_up import made_up

BOATS = [
    {"name": name, "berth": berth, "sails": sails, "price": price}
    for name, berth, sails, price in (
        ("Petrel", "harbour", 1, "40"),
        ("Tern", "lagoon", 2, "55"),
        ("Skua", "harbour", 3, "70"),
        ("Gannet", "river", 2, "60"),
    )
]
HIRE = DomainGoal(
    "boat_hire", {"berth": "harbour", "sails": "1"}, {}, {"skipper": "no"}, {}, ("price",)
)


class BoatWorld(World):
    """A world with a query of its own, that compares as it likes."""

    def __init__(self, *parts: DomainGoal) -> None:
        self.parts = parts or (HIRE,)

    def load(self) -> GoalSet:
        goals = [Goal(str(at), "boats", (part,)) for at, part in enumerate(self.parts)]
        return GoalSet("boats", tuple(goals), "", self)

    def backend(self, goal: Goal) -> Any:
        def query(domain: str, wanted: Mapping[str, str]) -> list[dict[str, Any]]:
            return [b for b in BOATS if all(str(b.get(s)) == v for s, v in wanted.items())]

        return SimpleNamespace(query=query)


def made(asked: MadeUp, *parts: DomainGoal) -> GoalSet:
    return made_up(asked, BoatWorld(*parts).load())


def test_any_world_that_can_be_queried_will_do() -> None:
    found = made(synthetic("boats", 4, seed=1))
    assert found.name == "synthetic/boats"
    assert isinstance(found.world, BoatWorld)
    for goal in found.goals:
        (part,) = goal.domains
        assert any(
            all(str(boat[slot]) == value for slot, value in part.inform.items()) for boat in BOATS
        )
        assert part.inform != HIRE.inform or part.book != HIRE.book
        assert "boat hire" in goal_text(goal)


def test_what_nothing_meets_is_to_be_refused() -> None:
    for goal in made(unfulfillable("boats", 3, seed=1)).goals:
        assert goal.domains[0].refusal
        assert set(goal.domains[0].inform) == {"berth", "sails"}
    for goal in made(unrealistic("boats", 3, seed=1)).goals:
        (part,) = goal.domains
        values = [*part.inform.items(), *part.book.items()]
        assert any(value in oddities(slot) for slot, value in values)


@pytest.mark.parametrize(
    ("asked", "fingerprint"),
    [
        (synthetic("demo", 30, seed=1), "fef8a66e19d0"),
        (unrealistic("demo", 30, seed=1), "caf5911b9b2f"),
        (unfulfillable("demo", 30, seed=1), "4677830d2f2b"),
        (synthetic("demo", 4, seed=1, domains=["hotel"]), "8509579e6261"),
    ],
    ids=str,
)
def test_the_same_goals_are_made_on_every_machine(asked: MadeUp, fingerprint: str) -> None:
    """They change only with the demo data, the sheet of phrases, or how goals are made."""
    assert registry.load(asked).fingerprint == fingerprint


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("north", True), (3, True), (0.5, True), ("x" * 60, True), ("x" * 61, False), ("", False),
        (" ", False), ("?", False), ("none", False), (None, False), (True, False), ([], False),
    ],
)  # fmt: skip
def test_a_cell_holds_what_people_say_or_nothing(value: object, said: bool) -> None:
    assert is_value(value) is said


@pytest.mark.parametrize(
    ("slot", "values", "bookable"),
    [
        ("skipper", {"yes", "no"}, ("no", "yes")),
        ("leaveAt", {"10:00", "09:00"}, ("09:00", "10:00")),
        ("time", {"10:00", "late"}, ("10:00", "late")),
        ("time", {"09:50", "10:20"}, ("09:45", "10:00", "10:15")),
        ("time", {"09:45", "10:15"}, ("09:45", "10:00", "10:15")),
        ("people", {"2", "ninety"}, ("2", "ninety")),
    ],
)
def test_what_may_be_booked_lies_among_what_goals_book(
    slot: str, values: set[str], bookable: tuple[str, ...]
) -> None:
    assert _bookable(slot, values) == bookable
    assert len(_bookable("people", {"2"})) == 8


@pytest.mark.parametrize(
    ("part", "usable"),
    [
        (DomainGoal("boat", {"sails": "1"}, request=("price",)), True),
        (DomainGoal("boat", {"sails": "1"}, book={"day": "monday"}), True),
        (DomainGoal("boat", {"sails": "1"}), False),
        (DomainGoal("boat", {"colour": "red"}, request=("price",)), False),
        (DomainGoal("boat", {"sails": "1"}, request=("colour",)), False),
    ],
)
def test_a_domain_has_a_shape_if_it_is_constrained_and_something_is_wanted_of_it(
    part: DomainGoal, usable: bool
) -> None:
    rows = [{"sails": 1, "price": "40"}]
    found = GoalShapes.of([Goal("1", "boats", (part,))], {"boat": rows})
    assert (list(found.domains), found.combinations) == (
        (["boat"], (("boat",),)) if usable else ([], ())
    )


def test_what_is_asked_for_is_told_as_it_is_written() -> None:
    assert str(synthetic("demo", 3)) == "synthetic('demo', 3, seed=0)"
    assert (unrealistic("demo", 3).seed, unfulfillable("demo", 3).seed) == (0, 0)
    assert str(unfulfillable(Path("a.yaml"), 100_000, 2, domains=("hotel", "taxi"))) == (
        "unfulfillable('a.yaml', 100000, seed=2, domains=['hotel', 'taxi'])"
    )
    for make in (synthetic, unrealistic, unfulfillable):
        with pytest.raises(UsageError, match="from 1 to 100000") as caught:
            make("demo", 100_001)
        shown = caught.traceback.filter(caught)
        assert shown[-1].path == Path(__file__)  # the suite's own line


def test_nothing_but_the_seeds_tells_two_askings_apart() -> None:
    assert made(synthetic("boats", 3, seed=1)).goals == made(synthetic("boats", 3, seed=1)).goals
    assert (
        made(synthetic("boats", 3)).fingerprint != made(synthetic("boats", 3, seed=9)).fingerprint
    )


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (synthetic("service_desk", 3), "goals of service_desk name no domains and slots"),
        (synthetic("demo", 3, domains=["spa"]), "no goal of demo is about such domains only"),
        (synthetic("nowhere", 3), "unknown goal set 'nowhere'"),
        (synthetic("bare.yaml", 3), "nothing can be looked up in bare: .*a `database:`"),
        (synthetic("tiny.yaml", 300), "only [0-9]+ such goals were found.*expected 300"),
        (unfulfillable("tiny.yaml", 3), "only 0 such goals were found"),
    ],
)
def test_what_cannot_be_made_up_says_why(asked: MadeUp, told: str, tmp_path: Path) -> None:
    part = "{restaurant: {inform: {area: north}, request: [phone]}}"
    (tmp_path / "bare.yaml").write_text(f"- {{id: a, domains: {part}}}\n")
    (tmp_path / "tiny.yaml").write_text(f"database: demo\ngoals:\n- {{id: a, domains: {part}}}\n")
    with pytest.raises((UsageError, DataMissing), match=told):
        registry.load(asked, beside=tmp_path)


@pytest.mark.parametrize(
    ("n", "seed", "told"),
    [
        (0, 0, "n: got 0, expected a whole number from 1 to"),
        (True, 0, "n: got True"),
        (10**9, 0, "n: got 1000000000"),
        (3, -1, "seed: got -1, expected a whole number from 0 up"),
        (3, "one", "seed: got 'one'"),
        (3, True, "seed: got True"),
        (3.0, 0, "n: got 3.0"),
    ],
)
def test_numbers_are_whole(n: Any, seed: Any, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        synthetic("demo", n, seed)


def test_domains_are_a_list_and_the_source_a_name() -> None:
    with pytest.raises(
        UsageError, match=r"domains: got 'hotel', expected a list, e.g. \['hotel'\]"
    ):
        synthetic("demo", 3, domains="hotel")
    with pytest.raises(UsageError, match=r"domains: got \[\], expected a list"):
        synthetic("demo", 3, domains=[])
    wrong: Any = 3
    with pytest.raises(UsageError, match="got 3, expected a goal set"):
        unrealistic(wrong, 3)


@pytest.mark.parametrize("slot", ["area", "day"])
def test_what_exists_nowhere_is_said_in_plain_english(slot: str) -> None:
    """The message says "in the VALUE"; months begin with a capital."""
    assert not [value for value in oddities(slot) if value.startswith(("bottom", "top", "edge"))]
    assert not [value for value in oddities(slot) if " may" in value]
