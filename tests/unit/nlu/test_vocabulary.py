"""The vocabulary: from rows, from a goal, and merged."""

from typing import Any

from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.nlu.vocabulary import Vocabulary

ROWS: dict[str, list[dict[str, Any]]] = {
    "restaurant": [
        {"name": "Blue Fig", "food": "greek", "id": "7", "location": [1.0, 2.0], "phone": "?"},
        {"name": "Old Mill", "food": "greek", "introduction": "x" * 500, "takesbookings": "yes"},
    ],
    "hotel": [{"name": "Sea View", "stars": 4, "price": {"single": "50"}}],
}


def test_from_rows_keeps_what_can_be_said() -> None:
    vocabulary = Vocabulary.from_rows(ROWS)
    assert vocabulary.names == {"restaurant": ("Blue Fig", "Old Mill"), "hotel": ("Sea View",)}
    assert vocabulary.values == {"food": ("greek",), "stars": ("4",)}


def test_from_rows_leaves_out_a_column_that_only_repeats_the_domain() -> None:
    rows = {"bar": [{"name": "a", "type": "bar"}], "hotel": [{"type": "hotel"}, {"type": "inn"}]}
    assert Vocabulary.from_rows(rows).values == {"type": ("hotel", "inn")}


def test_from_goal_knows_its_domains_slots_and_values() -> None:
    part = DomainGoal(
        "pizza",
        inform={"size": "small", "name": "Roma"},
        fail_inform={"size": "large"},
        request=("crust",),
    )
    vocabulary = Vocabulary.from_goal(Goal("1", "mine", (part,)))
    assert vocabulary.names == {"pizza": ("Roma",)}
    assert vocabulary.values == {"size": ("small", "large"), "crust": ()}


def test_merged_holds_both() -> None:
    one = Vocabulary({"hotel": ("a",)}, {"area": ("east",)})
    other = Vocabulary({"hotel": ("b",), "bar": ()}, {"area": ("east", "west")})
    merged = one.merged(other)
    assert merged.names == {"hotel": ("a", "b"), "bar": ()}
    assert merged.values == {"area": ("east", "west")}


def test_merged_with_nothing_new_is_the_same_object() -> None:
    vocabulary = Vocabulary.from_rows(ROWS)
    assert vocabulary.merged(Vocabulary({"hotel": ("Sea View",)}, {"food": ()})) is vocabulary


def test_equal_vocabularies_hash_alike() -> None:
    assert hash(Vocabulary.from_rows(ROWS)) == hash(Vocabulary.from_rows(ROWS))
