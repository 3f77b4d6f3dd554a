"""A small shop in the shape of tau-bench: orders, tools, a policy, scripted customers, a bot."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.backends.tool_backend import ToolBackend
from pytest_todeval.backends.tool_domain import ToolDomain
from pytest_todeval.core.dialogue import Reply
from pytest_todeval.core.goal import Goal

__all__ = ["GOALS", "Order", "ShopBot", "shop"]

POLICY = """# Policy of the lamp shop

- First find the customer by e-mail address and postcode. Serve nobody else's orders.
- Before a change say what you will do and wait for a yes.
- An order can be cancelled, and its address changed, only while it is pending. The total of a
  cancelled or returned order goes back to how it was paid. Only delivered orders can be returned.
- Anything else: transfer to a person.
- You never tell a customer's record number, nor anything of another customer.
"""
Record = dict[str, Any]


def _customer(name: str, postcode: str) -> Record:
    first, last = name.lower().split()
    return {"name": name, "email": f"{first}@{last}.example", "postcode": postcode}


def _order(customer: str, status: str, total: float, paid: str) -> Record:
    street = f"{customer[1:]} Mill Row"
    return {
        "customer": customer, "status": status, "total": total, "paid": paid, "address": street,
    }  # fmt: skip


TABLES: Mapping[str, Mapping[str, Any]] = {
    "customers": {
        "C11": _customer("Ada Quill", "4410"),
        "C12": _customer("Bo Marsh", "5520"),
        "C13": _customer("Cy Reed", "6630"),
    },
    "orders": {
        "#W101": _order("C11", "pending", 84.5, "gift card"),
        "#W102": _order("C11", "delivered", 39.0, "credit card"),
        "#W103": _order("C12", "delivered", 120.25, "paypal"),
        "#W104": _order("C13", "pending", 15.75, "credit card"),
        "#W105": _order("C12", "pending", 61.0, "gift card"),
    },
}


def find_customer(data: Any, email: str, postcode: str) -> str:
    """The customer with this address, if the postcode is theirs."""
    for number, record in data["customers"].items():
        if (record["email"], record["postcode"]) == (email, postcode):
            return json.dumps({"customer_id": number, "name": record["name"]})
    raise ToolRefused("customer not found")


def get_order(data: Any, order_id: str) -> str:
    """The record of an order."""
    return json.dumps({"order_id": order_id, **_found(data, order_id)})


def cancel_order(data: Any, order_id: str) -> str:
    """Cancel an order that is pending."""
    return _moved(data, order_id, "pending", "cancelled")


def return_order(data: Any, order_id: str) -> str:
    """Take an order back that was delivered."""
    return _moved(data, order_id, "delivered", "return requested")


def change_address(data: Any, order_id: str, address: str) -> str:
    """Send an order elsewhere."""
    order = _found(data, order_id)
    order["address"] = address
    return json.dumps({"order_id": order_id, **order})


def transfer_to_person(data: Any, reason: str) -> str:
    """End the dialogue."""
    del data
    return json.dumps({"transferred": reason})


def _found(data: Any, order_id: str) -> Record:
    if order_id not in data["orders"]:
        raise ToolRefused("order not found")
    order: Record = data["orders"][order_id]
    return order


def _moved(data: Any, order_id: str, before: str, after: str) -> str:
    order = _found(data, order_id)
    if order["status"] != before:
        raise ToolRefused(f"order is not {before}")
    order["status"] = after
    return json.dumps({"order_id": order_id, **order})


@dataclass(frozen=True)
class ShopTool:
    """A tool of the shop."""

    function: Callable[..., str]

    @property
    def schema(self) -> Mapping[str, Any]:
        count = self.function.__code__.co_argcount
        names = self.function.__code__.co_varnames[1:count]
        properties = {name: {"type": "string"} for name in names}
        told = {
            "name": self.function.__name__,
            "description": self.function.__doc__,
            "parameters": {"type": "object", "properties": properties, "required": list(names)},
        }
        return {"type": "function", "function": told}

    def invoke(self, data: Any, /, **arguments: Any) -> str:
        return self.function(data, **arguments)


def shop() -> ToolDomain:
    """The shop's tools over its tables."""
    functions = (
        find_customer, get_order, cancel_order, return_order, change_address, transfer_to_person,
    )  # fmt: skip
    tools = {function.__name__: ShopTool(function) for function in functions}
    return ToolDomain("lamp_shop", TABLES, tools, POLICY, frozenset({"transfer_to_person"}))


ADA, BO, CY = (f"My e-mail is {c['email']}, postcode {c['postcode']}." for c in
               TABLES["customers"].values())  # fmt: skip


def _task(id: str, says: list[str], actions: list[Record], outputs: list[str]) -> Goal:
    instruction = " ".join(says[:-1])
    raw = {"actions": actions, "outputs": outputs, "says": says, "instruction": instruction}
    return Goal(id, "lamp_shop", (), message=(instruction,), raw=raw)


def _act(tool: str, **arguments: str) -> Record:
    return {"name": tool, "kwargs": arguments}


YES, BYE = "Yes, please go ahead.", "Thank you, goodbye."
GOALS = (
    _task("cancel", ["I want to cancel order #W101.", ADA, YES, BYE],
          [_act("cancel_order", order_id="#W101")], ["84.5"]),
    _task("return", ["I'd like to return my order #W103.", BO, YES, BYE],
          [_act("return_order", order_id="#W103")], ["120.25"]),
    _task("too-late", ["Please cancel order #W102.", ADA, "Can you really not?", BYE], [], []),
    _task("address", ["Please send order #W104 to 9 Weir Lane instead.", CY, YES, BYE],
          [_act("change_address", order_id="#W104", address="9 Weir Lane")], []),
    _task("not-hers", ["Cancel order #W104 for me.", BO, "It is my brother's.", BYE], [], []),
    _task("total", ["How much was my order #W105?", BO, BYE], [], ["61"]),
    _task("no-after-all", ["Cancel my order #W105.", BO, "No, wait, I will keep it.", BYE], [], []),
    _task("wrong-postcode", ["I want to return order #W103.", "bo@marsh.example, postcode 9999.",
                             "Hm, 5521?", BYE], [], []),
)  # fmt: skip


@dataclass(frozen=True)
class Order:
    """An order as it was looked up."""

    number: str
    customer: str
    status: str
    total: float
    paid: str
    address: str


class ShopBot:
    """Finds customer and order, proposes a change, waits for a yes, does it, tells the result."""

    def __init__(self, backend: ToolBackend) -> None:
        self.backend = backend
        self.said = self.last = ""
        self.customer: Record = {}
        self.pending: Callable[[], str] | None = None

    def respond(self, text: str) -> Reply:
        said = self.answer(text)
        again, self.last = said == self.last, said
        return Reply(self.reword(f"As I said: {said}" if again else said))

    def reword(self, text: str) -> str:
        """What is said, as it is said."""
        return text

    def answer(self, text: str) -> str:
        self.said = f"{self.said} {text}"
        if "goodbye" in text:
            return "You are welcome. Goodbye."
        if not self.customer and not self.identify():
            if "@" in self.said:
                return "I find no customer with this e-mail address and postcode."
            return "Please give me your e-mail address and your postcode."
        if self.pending is not None:
            return self.settle(text)
        return self.serve()

    def identify(self) -> bool:
        """Whether it is known who is asking."""
        emails, codes = re.findall(r"\w+@\w+\.\w+", self.said), re.findall(r"\b\d{4}\b", self.said)
        if not (emails and codes):
            return False
        try:
            self.customer = self.call("find_customer", email=emails[-1], postcode=codes[-1])
        except ToolRefused:
            return False
        return True

    def settle(self, text: str) -> str:
        """Do what was proposed if the customer says yes."""
        act, self.pending = self.pending, None
        assert act is not None
        return act() if text.startswith("Yes") else "All right, nothing was changed."

    def serve(self) -> str:
        order = self.look_up(re.findall(r"#W\d+", self.said)[-1])
        if not self.may_serve(order):
            return f"I am sorry, I can't help you with order {order.number}."
        if "How much" in self.said:
            return f"Order {order.number} came to {order.total:.2f} dollars."
        address = re.search(r"to (\d+ \w+ \w+) instead", self.said)
        if address is not None:
            return self.propose(f"send order {order.number} to {address[1]}",
                                lambda: self.move(order, address[1]))  # fmt: skip
        verb = "return" if "return" in self.said else "cancel"
        if not self.may(verb, order):
            return f"I am sorry, order {order.number} is {order.status}, so I can't {verb} it."
        return self.propose(f"{verb} order {order.number}", lambda: self.undo(verb, order))

    def look_up(self, number: str) -> Order:
        found = self.call("get_order", order_id=number)
        return Order(number, *(found[key] for key in ("customer", "status", "total", "paid",
                                                      "address")))  # fmt: skip

    def may_serve(self, order: Order) -> bool:
        """Whether it is the customer's own order."""
        return bool(order.customer == self.customer["customer_id"])

    def may(self, verb: str, order: Order) -> bool:
        """Whether the order is in a state for it."""
        return order.status == {"cancel": "pending", "return": "delivered"}[verb]

    def propose(self, what: str, act: Callable[[], str]) -> str:
        self.pending = act
        return f"I will {what}. Shall I go ahead?"

    def move(self, order: Order, address: str) -> str:
        self.call("change_address", order_id=order.number, address=address)
        return f"Order {order.number} now goes to {address}."

    def undo(self, verb: str, order: Order) -> str:
        self.call(f"{verb}_order", order_id=order.number)
        done = {"cancel": "cancelled", "return": "to be returned"}[verb]
        return f"Order {order.number} is {done}. {self.refund(order)}"

    def refund(self, order: Order) -> str:
        """What is said of the money."""
        return f"The {order.total:.2f} dollars go back to your {order.paid}."

    def call(self, tool: str, **arguments: str) -> Record:
        answer: Record = json.loads(self.backend.call(tool, **arguments))
        return answer
