"""The hash of the tables: tau-bench's, with only changed records rendered again."""

from hashlib import sha256
from typing import Any

import pytest

from pytest_todeval.backends.copy_on_write import GONE, touched, view
from pytest_todeval.backends.state_hash import (
    UNRENDERABLE,
    StateHash,
    base_hash,
)
from pytest_todeval.backends.tool_domain import ToolDomain
from tests.support.tau_world import consistent_hash

TABLES: dict[str, dict[str, Any]] = {
    "users": {f"u{n}": {"name": "O'Brien", "age": n, "tags": ["a"]} for n in range(20)},
    "orders": {"b": {"total": 5, "note": 'a "quoted" é \ud800'}, "a": {"total": 5.0, "sent": True}},
    "single": {"x": []},
    "empty": {},
}


@pytest.fixture
def domain() -> ToolDomain:
    return ToolDomain("shop", TABLES, {}, "")


def state(domain: ToolDomain) -> tuple[dict[str, Any], StateHash]:
    data = view(domain)
    return data, StateHash(domain, data)


def test_known_value() -> None:
    tables = {"t": {"b": {"x": 1.0}, "a": [5]}}
    expected = sha256(b"(('t', (('a', (5,)), ('b', (('x', 1.0),)))),)").hexdigest()
    assert base_hash(ToolDomain("t", tables, {}, "")) == expected
    assert consistent_hash(tables) == expected
    assert consistent_hash({"a": {3, 1, 2}}) == sha256(b"(('a', (1, 2, 3)),)").hexdigest()


def test_pristine_tables(domain: ToolDomain) -> None:
    data, hashed = state(domain)
    assert hashed.hexdigest() == base_hash(domain) == consistent_hash(TABLES)
    data["users"]["u1"]["name"]  # looked at
    list(data["orders"].values())
    assert hashed.hexdigest() == base_hash(domain)
    assert hashed.rendered == 0
    assert hashed.changes() == {}


def change(data: dict[str, Any], what: str) -> None:
    orders = data["orders"]
    if what == "float for int":
        orders["b"]["total"] = 5.0
    elif what == "bool for int":
        orders["b"]["total"] = True
    elif what == "zero of the other sign":
        orders["b"]["total"] = -0.0
    elif what == "list order":
        data["users"]["u3"]["tags"] = ["b", "a"]
    elif what == "new record first":
        orders["A"] = {}
    elif what == "new record last":
        orders["z"] = {"total": None}
    elif what == "one record left":
        del orders["a"]
    elif what == "no record left":
        orders.clear()
    elif what == "second of one":
        data["single"]["y"] = {"a": {1, 2}}
    elif what == "into the empty table":
        data["empty"]["e"] = "text"
    elif what == "new table":
        data["added"] = {"n": {"x": 1}}
    elif what == "table removed":
        del data["orders"]
    elif what == "table replaced":
        data["orders"] = {"b": dict(orders["b"]), "c": 1}
    elif what == "one table twice":
        data["zz"] = orders
    elif what == "only one table left":
        for name in ("users", "orders", "single"):
            del data[name]
    elif what == "no table left":
        data.clear()
    else:
        raise AssertionError(what)


KINDS = (
    "float for int", "bool for int", "zero of the other sign", "list order", "new record first",
    "new record last", "one record left", "no record left", "second of one",
    "into the empty table", "new table", "table removed", "table replaced", "one table twice",
    "only one table left", "no table left",
)  # fmt: skip


@pytest.mark.parametrize("what", KINDS)
def test_equal_to_hashing_everything(domain: ToolDomain, what: str) -> None:
    data, hashed = state(domain)
    change(data, what)
    assert hashed.hexdigest() == consistent_hash(data) != base_hash(domain)


def test_only_changed_records_are_rendered_and_each_change_once(domain: ToolDomain) -> None:
    data, hashed = state(domain)
    for user in data["users"].values():
        user["age"]
    data["users"]["u7"]["age"] = 70
    data["orders"]["a"]["total"] = 1
    first = hashed.hexdigest()
    assert hashed.rendered == 2
    assert hashed.hexdigest() == first
    assert hashed.changes().keys() == {"users", "orders"}
    assert hashed.rendered == 2  # kept
    data["orders"]["a"]["total"] = 2
    hashed.hexdigest()
    assert hashed.rendered == 3


def test_a_record_as_it_was_is_no_change(domain: ToolDomain) -> None:
    data, hashed = state(domain)
    data["orders"]["a"] = {"sent": True, "total": 5.0}  # other order of keys
    removed = data["users"].pop("u1")
    data["users"]["u1"] = removed
    assert hashed.hexdigest() == base_hash(domain)
    assert hashed.changes() == {}


def test_changes_are_copies(domain: ToolDomain) -> None:
    data, hashed = state(domain)
    data["users"]["u2"]["tags"].append("b")
    del data["users"]["u3"]
    data["users"]["u99"] = {"name": "new"}
    found = hashed.changes()
    assert found == {
        "users": {
            "u2": {"name": "O'Brien", "age": 2, "tags": ["a", "b"]},
            "u3": None,
            "u99": {"name": "new"},
        }
    }
    found["users"]["u2"]["tags"].clear()
    assert data["users"]["u2"]["tags"] == ["a", "b"]


@pytest.mark.parametrize("depth", range(300, 520, 10))
def test_any_depth_can_be_hashed_and_shown(domain: ToolDomain, depth: int) -> None:
    data, hashed = state(domain)
    nested: list[Any] = []
    for _ in range(depth):
        nested = [nested]
    data["orders"]["a"]["note"] = nested
    assert hashed.hexdigest() != base_hash(domain)
    assert hashed.changes()["orders"].keys() == {"a"}


def deep() -> list[Any]:
    nested: list[Any] = []
    for _ in range(5000):
        nested = [nested]
    return nested


@pytest.mark.parametrize("value", [deep(), {1: "a", "1": "b"}], ids=["deep", "keys"])
def test_what_tau_bench_could_not_hash_equals_nothing_and_breaks_nothing(
    domain: ToolDomain, value: Any
) -> None:
    data, hashed = state(domain)
    data["orders"]["a"]["note"] = value
    found = hashed.hexdigest()
    assert found == hashed.hexdigest() != base_hash(domain)
    assert hashed.changes() == {"orders": {"a": UNRENDERABLE}}
    data["orders"]["a"] = UNRENDERABLE  # the text, quoted
    assert hashed.hexdigest() != found


def test_what_moved_since_it_was_asked(domain: ToolDomain) -> None:
    data, hashed = state(domain)
    assert not hashed.moved()
    list(data["users"].values())
    assert not hashed.moved()
    assert all(data["users"][id] == TABLES["users"][id] for id in TABLES["users"])
    data["users"]["u1"]["age"] = 1  # what it was
    assert not hashed.moved()
    data["users"]["u1"]["age"] = 1.0
    assert hashed.moved()
    assert not hashed.moved()
    data["orders"].pop("a")
    assert hashed.moved()
    data["orders"]["new"] = {"total": 1}
    assert hashed.moved()
    data["orders"]["new"]["total"] = object()
    assert hashed.moved()
    data["orders"] = {**TABLES["orders"]}
    assert hashed.moved()


def test_the_order_of_keys_is_no_change(domain: ToolDomain) -> None:
    data, hashed = state(domain)
    record = data["users"]["u3"]
    record["name"] = record.pop("name")
    assert list(record) != list(TABLES["users"]["u3"])
    assert not hashed.moved()
    assert hashed.hexdigest() == base_hash(domain)


def test_what_it_saw_is_equal_for_equal_tables(domain: ToolDomain) -> None:
    seen = []
    for ages in ((30, 31), (31, 30, 31)):
        data, hashed = state(domain)
        for age in ages:
            data["users"]["u1"]["age"] = age
            assert hashed.moved()
        seen.append(hashed.seen)
    assert len(set(seen)) == 1
    assert seen[0] != b""


def test_records_only_looked_at_cost_nothing_the_next_time(domain: ToolDomain) -> None:
    data, hashed = state(domain)
    list(data["users"].values())
    hashed.moved()
    assert list(touched(data, TABLES)) == []


def test_a_removed_and_added_record_is_touched(domain: ToolDomain) -> None:
    data, _ = state(domain)
    record = data["orders"].pop("b")
    data["orders"]["b"] = record
    assert [(table, id) for table, id, _ in touched(data, TABLES)] == [("orders", "b")]
    del data["orders"]["b"]
    data["orders"]["c"] = {}
    assert {(id, found is GONE) for _, id, found in touched(data, TABLES)} == {
        ("b", True),
        ("c", False),
    }
