"""A dialogue's view of shared tables: looks like a deep copy, copies only what it hands out."""

import copy
import json
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from pytest_todeval.backends.copy_on_write import GONE, TableView, packed_tables, touched, view
from pytest_todeval.backends.tool_domain import ToolDomain
from pytest_todeval.errors import BackendError

ORDERS = {
    "A1": {"status": "open", "items": [{"sku": "x", "price": 5}], "by": {"name": "Kim"}},
    "A2": {"status": "sent", "items": [], "by": {"name": "Noor"}},
    "A3": {"status": "open", "items": [{"sku": "y", "price": 2.5}], "by": {"name": "Ola"}},
}


def domain() -> ToolDomain:
    tables: dict[str, dict[str, Any]]
    tables = {"orders": copy.deepcopy(ORDERS), "settings": {"currency": "EUR", "limit": None}}
    return ToolDomain("shop", tables, {}, "be kind")


Change = Callable[[dict[str, Any]], object]
CHANGES: dict[str, Change] = {
    "deep inside": lambda t: t["A1"]["items"][0].update(price=1),
    "append": lambda t: t["A2"]["items"].append({"sku": "z"}),
    "through get": lambda t: t.get("A1")["by"].pop("name"),  # type: ignore[index]
    "through values": lambda t: [r["items"].clear() for r in t.values()],
    "through items": lambda t: [r.setdefault("seen", id) for id, r in t.items()],
    "through reversed values": lambda t: [r.update(x=1) for r in reversed(t.values())],
    "through reversed items": lambda t: [r.update(x=1) for _, r in reversed(t.items())],
    "through pop": lambda t: t.pop("A1")["items"].clear(),
    "through popitem": lambda t: t.popitem()[1]["items"].clear(),
    "through setdefault": lambda t: t.setdefault("A1", {}).update(status="lost"),
    "through copy": lambda t: t.copy()["A1"].update(status="lost"),
    "through copy.copy": lambda t: copy.copy(t)["A1"].update(status="lost"),
    "through dict": lambda t: dict(t)["A1"].update(status="lost"),
    "through unpacking": lambda t: {**t}["A1"].update(status="lost"),
    "through or": lambda t: (t | {})["A1"].update(status="lost"),
    "through or from the left": lambda t: ({} | t)["A1"].update(status="lost"),
    "in place or": lambda t: t.__ior__({"A1": {"status": "new"}, "A9": {}}),
    "through a match": lambda t: matched(t).update(status="lost"),
    "through sorted": lambda t: sorted(t.items())[0][1].update(status="lost"),
    "into another dict": lambda t: [dict.fromkeys("A").update(t), t["A1"].update(x=1)],
    "del": lambda t: t.__delitem__("A2"),
    "clear": lambda t: t.clear(),
    "one record under two ids": lambda t: [t.update(B1=t["A1"]), t["B1"].update(x=1)],
    "replaced": lambda t: t.update(A1={"status": "gone"}),
}


def matched(table: dict[str, Any]) -> dict[str, Any]:
    match table:
        case {"A1": record}:
            found: dict[str, Any] = record
            return found
    raise AssertionError


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_changes_do_to_the_view_what_they_do_to_a_copy_and_nothing_to_the_shared(
    change: Change,
) -> None:
    shop = domain()
    data, plain = view(shop), copy.deepcopy(ORDERS)
    change(data["orders"])
    change(plain)
    assert data["orders"] == plain
    assert list(data["orders"]) == list(plain)
    assert shop.tables["orders"] == ORDERS
    assert view(shop)["orders"] == ORDERS  # nor to the packed records


def test_records_are_real_dicts_and_stay_the_same_object() -> None:
    orders = view(domain())["orders"]
    assert type(orders["A1"]) is dict
    assert orders["A1"] is orders["A1"] is orders.get("A1") is next(iter(orders.values()))


def test_only_records_handed_out_are_copied() -> None:
    shop = domain()
    data = view(shop)
    orders: TableView = data["orders"]
    assert ("A1" in orders, len(orders), list(orders), orders == ORDERS) == (
        True, 3, ["A1", "A2", "A3"], True,
    )  # fmt: skip
    assert list(touched(data, shop.tables)) == []
    assert next(r["by"] for r in orders.values() if r["status"] == "sent") == {"name": "Noor"}
    assert [id for _, id, _ in touched(data, shop.tables)] == ["A1", "A2"]


def test_what_was_added_and_removed_is_touched() -> None:
    shop = domain()
    data = view(shop)
    del data["orders"]["A2"]
    data["orders"]["A4"] = {}
    data["notes"] = {"N1": "hello"}
    data["settings"]["currency"] = "USD"
    assert sorted(touched(data, shop.tables), key=lambda t: t[:2]) == [
        ("notes", "N1", "hello"), ("orders", "A2", GONE), ("orders", "A4", {}),
        ("settings", "currency", "USD"),
    ]  # fmt: skip


def test_json_copies_and_pickles() -> None:
    data = view(domain())
    plain = {"orders": ORDERS, "settings": {"currency": "EUR", "limit": None}}
    assert json.dumps(data) == json.dumps(plain)
    assert repr(data) == repr(plain)
    deep = copy.deepcopy(data)
    assert deep == plain
    assert type(deep["orders"]) is dict
    deep["orders"]["A1"]["items"].clear()
    assert data == plain
    assert pickle.loads(pickle.dumps(data)) == plain


def test_missing_ids_behave_as_in_a_dict() -> None:
    orders = view(domain())["orders"]
    assert (orders.get("A9"), orders.get("A9", 1), orders.pop("A9", 2)) == (None, 1, 2)
    assert orders.setdefault("A9", {"x": 1}) == {"x": 1}
    with pytest.raises(KeyError, match="A8"):
        orders["A8"]
    with pytest.raises(KeyError, match="A8"):
        orders.pop("A8")
    orders.clear()
    with pytest.raises(KeyError, match="empty"):
        orders.popitem()


def test_growing_while_iterated_is_an_error_as_in_a_dict() -> None:
    orders = view(domain())["orders"]
    with pytest.raises(RuntimeError, match="changed size"):
        {id: orders.setdefault(id + "x", {}) for id in orders}


def test_views_of_one_domain_share_the_packed_records_and_nothing_else() -> None:
    shop = domain()
    first, second = view(shop), view(shop)
    first["orders"]["A1"]["items"][0]["price"] = 9
    assert second["orders"] == ORDERS
    assert packed_tables(shop) is packed_tables(shop)
    assert packed_tables(shop) is not packed_tables(domain())


def test_records_that_are_not_plain_are_named() -> None:
    shop = ToolDomain("shop", {"orders": {"A1": {"at": object()}}}, {}, "")
    with pytest.raises(BackendError, match=r"shop: orders/A1: expected plain JSON"):
        view(shop)


def test_a_table_replaced_by_something_else_is_an_error() -> None:
    shop = domain()
    with pytest.raises(BackendError, match="put int in the place of table 'orders'"):
        list(touched({"orders": 3}, shop.tables))
