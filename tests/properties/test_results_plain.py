"""Whatever a bot or tool hands over comes out as JSON, the same in every process."""

import json
import math
from datetime import date
from decimal import Decimal
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pytest_todeval.runs.reports.plain import MAX_DEPTH, MAX_TEXT, plain, plain_text
from tests.support.examples import examples

KEYS = st.one_of(
    st.text(st.characters()), st.integers(), st.booleans(), st.none(), st.tuples(st.integers())
)
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(st.characters(exclude_categories=())),
    st.binary(),
    st.sets(st.integers()),
    st.builds(lambda: 10**5000),
    st.builds(object),
)
HOSTILE = st.recursive(
    LEAVES, lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner), max_leaves=20
)


@examples(60)
@given(HOSTILE)
def test_everything_becomes_json_that_reads_back_equal(value: Any) -> None:
    found = plain(value)
    text = json.dumps(found, allow_nan=False, ensure_ascii=False)
    text.encode()
    assert json.loads(text) == found
    assert plain(found) == found


# `text()` makes no lone surrogates: the one thing that JSON can hold and we escape.
TEXT = st.text()
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=20,
)


@examples(60)
@given(JSON_VALUES)
def test_plain_json_is_left_as_it_is(value: Any) -> None:
    assert plain(json.loads(json.dumps(value))) == json.loads(json.dumps(value))


def test_numbers_that_json_lacks_become_text() -> None:
    assert plain([math.nan, -math.inf]) == ["<nan>", "<-inf>"]
    assert plain(10**5000) == "<integer of 16610 bits>"


def test_keys_that_clash_are_kept_apart() -> None:
    assert plain({1: "a", "1": "b"}) == {"1": "a", "1#2": "b"}
    assert plain({None: 1, "null": 2}) == {"null": 1, "null#2": 2}


def test_lone_surrogates_are_written_as_escapes() -> None:
    assert plain_text("a\ud800b") == "a\\ud800b"


def test_long_text_is_cut_and_says_so() -> None:
    assert plain_text("x" * (MAX_TEXT + 5)).endswith("x <5 characters cut>")


def test_what_refers_to_itself_ends() -> None:
    loop: list[Any] = []
    loop.append(loop)
    assert plain(loop) == ["<refers to itself>"]


def test_deep_and_wide_structures_end() -> None:
    deep: list[Any] = []
    for _ in range(MAX_DEPTH * 50):
        deep = [deep]
    assert "<too large>" in json.dumps(plain(deep))
    wide: list[Any] = []
    for _ in range(40):
        wide = [wide, wide]
    assert len(json.dumps(plain(wide))) < 20_000_000


def test_an_object_is_named_by_its_type_not_its_address() -> None:
    assert plain(object()) == "<builtins.object>"


def test_a_mapping_that_raises_is_named() -> None:
    class Evil(dict[str, int]):
        def items(self) -> Any:
            raise RuntimeError("no")

    found = plain({"x": Evil(a=1)})
    assert isinstance(found, dict)
    assert str(found["x"]).startswith("<RuntimeError while reading <")


def test_common_values_have_their_usual_form() -> None:
    assert plain([date(2024, 1, 31), Decimal("1.50"), {"b", "a"}, b"\xff"]) == [
        "2024-01-31",
        "1.50",
        ["a", "b"],
        "\\xff",
    ]
