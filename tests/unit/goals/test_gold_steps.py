"""The gold actions of tasks as steps: what a user says of them, and what no user can say."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_todeval.core.steps import Step
from pytest_todeval.goals.gold_steps import REFUSED, WRITES, GoldSteps, Unsayable, gold_steps
from tests.support.examples import examples
from tests.support.json_values import JSON_VALUES

LAMP = {"name": "Lamp", "product_id": "P1", "item_id": "I1", "options": {"light": "warm"}}
COLD = {**LAMP, "item_id": "I2", "options": {"light": "cold"}}
CHAIR = {"name": "Chair", "product_id": "P2", "item_id": "I3", "options": {"wood": "oak"}}
TABLES: Mapping[str, Mapping[str, Any]] = {
    "users": {
        "ada_1": {
            "name": {"first_name": "Ada", "last_name": "Marsh"},
            "address": {"zip": "10001"},
            "email": "ada@example.org",
            "payment_methods": {
                "card_1": {"source": "credit_card", "last_four": "4711"},
                "gift_1": {"source": "gift_card"},
                "voucher_1": {"source": "certificate"},
                "voucher_2": {"source": "certificate"},
                "pal_1": {"source": "paypal"},
            },
        }
    },
    "orders": {"#W1234567": {"items": [LAMP, COLD, CHAIR]}},
    "products": {
        "P1": {"variants": {"I1": LAMP, "I4": {"options": {"light": "dim", "plug": "EU"}}}},
    },
    "reservations": {"ABCDEF": {}, "GHIJKL": {}},
}
ORDER = {"order_id": "#W1234567"}
PLACE = {
    "address1": "1 Elm",
    "address2": "",
    "city": "Ely",
    "state": "X",
    "country": "Y",
    "zip": "1",
}
FLIGHT = {"flight_number": "HA1", "date": "2024-05-20"}
ADA = {"first_name": "Ada", "last_name": "Marsh", "dob": "1990-01-02"}
W = {"id": "#W1234567"}
R = {"id": "ABCDEF"}
CARD = {"payment method": "credit card ending in 4711"}


def said(*actions: tuple[str, Mapping[str, Any]], wants: str = "", outputs: Any = ()) -> GoldSteps:
    told = [{"name": name, "kwargs": arguments} for name, arguments in actions]
    task = {"user_id": "ada_1", "instruction": wants, "actions": told, "outputs": list(outputs)}
    return gold_steps(task, TABLES)


@pytest.mark.parametrize(
    ("name", "arguments", "step"),
    [
        (
            "cancel_pending_order",
            {**ORDER, "reason": "no longer needed"},
            Step("cancel", "order", W, details={"reason": "no longer needed"}),
        ),
        (
            "return_delivered_order_items",
            {**ORDER, "item_ids": ["I3", "I2"], "payment_method_id": "pal_1"},
            Step("return", "order", W, details={
                "items": "chair and lamp (light cold)", "payment method": "PayPal",
            }),
        ),
        (
            "exchange_delivered_order_items",
            {**ORDER, "item_ids": ["I1"], "new_item_ids": ["I4"], "payment_method_id": "card_1"},
            Step("exchange", "order", W, {"lamp (light warm)": "light dim, plug EU"},
                 {"items": "lamp (light warm)", **CARD}),
        ),
        (
            "modify_pending_order_payment",
            {**ORDER, "payment_method_id": "voucher_2"},
            Step("change", "order", W, {"payment method": "certificate voucher_2"}),
        ),
        (
            "modify_pending_order_address",
            {**ORDER, **PLACE},
            Step("change", "order", W, {"address": "1 Elm, Ely, X, Y, 1"}),
        ),
        (
            "modify_user_address",
            {"user_id": "ada_1", **PLACE},
            Step("change", "profile", {}, {"address": "1 Elm, Ely, X, Y, 1"}),
        ),
        ("cancel_reservation", {"reservation_id": "ABCDEF"}, Step("cancel", "reservation", R)),
        (
            "update_reservation_flights",
            {"reservation_id": "ABCDEF", "cabin": "basic_economy", "flights": [FLIGHT],
             "payment_id": "card_1"},
            Step("change", "reservation", R,
                 {"cabin": "basic economy", "flights": "HA1 on 2024-05-20"}, CARD),
        ),
        (
            "update_reservation_baggages",
            {"reservation_id": "ABCDEF", "total_baggages": 3, "nonfree_baggages": 1,
             "payment_id": "gift_1"},
            Step("change", "reservation", R, {"bags": "3"}, {"payment method": "gift card"}),
        ),
        (
            "update_reservation_passengers",
            {"reservation_id": "ABCDEF", "passengers": [ADA]},
            Step("change", "reservation", R, {"passengers": "Ada Marsh born 1990-01-02"}),
        ),
    ],
)  # fmt: skip
def test_an_action_is_said_by_what_no_look_up_gives(
    name: str, arguments: Mapping[str, Any], step: Step
) -> None:
    found = said((name, arguments), ("calculate", {"expression": "1"}))
    assert found.steps == (step,)
    assert found.user == {
        "name": "Ada Marsh", "postcode": "10001", "email": "ada@example.org", "user id": "ada_1",
    }  # fmt: skip


def test_a_booking_is_said_in_full_without_what_it_costs() -> None:
    arguments = {
        "user_id": "ada_1", "origin": "JFK", "destination": "SEA", "flight_type": "one_way",
        "cabin": "economy", "flights": [FLIGHT], "passengers": [ADA], "total_baggages": 2,
        "payment_methods": [{"payment_id": "gift_1", "amount": 5}], "nonfree_baggages": 0,
        "insurance": "no",
    }  # fmt: skip
    (step,) = said(("book_reservation", arguments)).steps
    told = {**step.target, **step.details}
    assert told == {
        "origin": "JFK", "destination": "SEA", "trip": "one way", "cabin": "economy",
        "flights": "HA1 on 2024-05-20", "passengers": "Ada Marsh born 1990-01-02", "bags": "2",
        "insurance": "no", "payment method": "gift card",
    }  # fmt: skip


READ = ("get_reservation_details", {"reservation_id": "GHIJKL"})


@pytest.mark.parametrize(
    ("wants", "actions", "verb", "target"),
    [
        ("You want to cancel your flight ABCDEF.", [READ], "cancel", R),
        ("You are upset. You want to push back your flight, or change it.", [READ], "change",
         {"id": "GHIJKL"}),
        ("You want a refund.", [READ, ("get_reservation_details", {"reservation_id": "X"})],
         "refund", {}),
        ("You want the maximum compensation possible.", [], "compensate", {}),
    ],
)  # fmt: skip
def test_where_nothing_changes_the_first_deed_of_the_instruction_is_refused(
    wants: str, actions: list[Any], verb: str, target: Mapping[str, str]
) -> None:
    tables = {name: table for name, table in TABLES.items() if name != "orders"}
    told = [{"name": name, "kwargs": arguments} for name, arguments in actions]
    task = {"user_id": "ada_1", "instruction": wants, "actions": told, "outputs": []}
    (step,) = gold_steps(task, tables).steps
    assert (step.verb, step.target, step.refusal) == (verb, target, REFUSED)


def test_what_an_instruction_wants_to_know_is_asked_in_its_words() -> None:
    wants = (
        "You are Ada. You want to know how much you paid for your lamp, and if you can return it."
    )
    (step,) = said(wants=wants, outputs=["12"]).steps
    assert step.own is not None
    assert step.own.asked == ("find out how much I paid for my lamp",)
    assert [each.verb for each in said(wants=wants).steps] == ["return"]


@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        ("cancel_pending_order", ORDER, "cancel_pending_order has no reason"),
        ("modify_pending_order_payment", {**ORDER, "payment_method_id": "x"},
         "no payment method x"),
        ("return_delivered_order_items",
         {**ORDER, "item_ids": ["I9"], "payment_method_id": "pal_1"}, "the order holds no item I9"),
        ("return_delivered_order_items", {"order_id": "#W9", "item_ids": ["I1"]}, "no order #W9"),
        ("exchange_delivered_order_items",
         {**ORDER, "item_ids": ["I1", "I1"], "new_item_ids": ["I1", "I4"],
          "payment_method_id": "pal_1"}, "exchanges two of the same lamp"),
        ("exchange_delivered_order_items",
         {**ORDER, "item_ids": ["I1"], "new_item_ids": ["I7"], "payment_method_id": "pal_1"},
         "no product has a variant I7"),
        ("update_reservation_passengers", {"reservation_id": "A", "passengers": [1]}, "is not as"),
        ("calculate", {"expression": "1"}, "its instruction names no deed of ours"),
    ],
)  # fmt: skip
def test_what_cannot_be_said_has_its_reason(
    name: str, arguments: Mapping[str, Any], says: str
) -> None:
    with pytest.raises(Unsayable, match=says):
        said((name, arguments), wants="You want to undo the cancellation.")


@examples(60)
@given(
    st.sampled_from([*WRITES, "get_order_details"]),
    st.dictionaries(
        st.sampled_from(["order_id", "item_ids", "payment_id", "flights"]), JSON_VALUES
    ),
    st.text(max_size=60),
)
def test_any_task_is_said_or_has_its_reason(
    name: str, arguments: Mapping[str, Any], wants: str
) -> None:
    with suppress(Unsayable):  # with any other error it fails
        assert said((name, arguments), wants=f"You want to cancel or return {wants}").steps
