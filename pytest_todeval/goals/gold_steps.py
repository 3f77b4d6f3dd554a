"""The gold actions of tau-bench's and tau2's tasks as steps that a user can say.

What the user says of an action are the arguments that no look-up gives: not the number of an item
but what it is called, not that of a card but its last digits. What the policy or the prices tell
(baggage that costs, amounts) is left to the bot. Where the actions change nothing, the user wants
what its instruction says, and is rightly refused.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_todeval.core.steps import VERBS, Step, Verb
from pytest_todeval.nlu.verbs import speaks_of

Tables = Mapping[str, Mapping[str, Any]]
Arguments = Mapping[str, Any]
ADDRESS = ("address1", "address2", "city", "state", "country", "zip")
PAYMENT = "payment method"
COMPENSATE = Verb(
    "compensate",
    asked=("arrange a compensation",),
    done=("I have sent you a certificate",),
)
FIND_OUT = "find out"
ANSWERED = ("the answer is",)
WISHES = ("cancel", "change", "return", "exchange", "refund")
"""Verbs by which an instruction says what is refused."""
REFUSED = "the reference solution leaves everything as it is"
MOST_WORDS = 60
"""Of a sentence of an instruction that are read."""
OWNERS = {"orders": "order", "reservations": "reservation"}
_ID = re.compile(r"#?\b[A-Z0-9]{6,8}\b")
_COMPENSATION = re.compile(r"\bcompensat\w+", re.I)
_QUESTION = re.compile(
    r"\b(?:want|like|need|wish)s? to (?:also )?(?:know|check|figure out|ask|find out) "
    r"(?:for |about )?((?:how|what|which|when|the)\b[^.?!]{3,150})", re.I
)  # fmt: skip
_FURTHER = re.compile(r",? and (?:if|I|you)\b|, (?:you|I)\b|, and (?=you|if)")
_REVERSED = re.compile(r"\b(?:undo|without|not|never|don't)\b[^.]{0,30}$", re.I)
_MINE = {"you": "I", "your": "my", "yours": "mine", "yourself": "myself", "you're": "I'm",
         "you've": "I've"}  # fmt: skip


class Unsayable(Exception):
    """Why a task cannot be told by steps."""


@dataclass(frozen=True)
class GoldSteps:
    """A task as steps, and who its user is."""

    steps: tuple[Step, ...]
    user: Mapping[str, str]
    """What the user tells of itself, by name: `name`, `postcode`, `email`, `user id`."""


def gold_steps(task: Mapping[str, Any], tables: Tables) -> GoldSteps:
    """Returns the steps that come to the actions of a task, as tau-bench has it.

    Raises Unsayable if an action changes what no step can say, or if none changes anything and the
    instruction does not say in words of ours what the user wants.
    """
    user_id, instruction = task["user_id"], str(task["instruction"])
    users = tables.get("users", {})
    if user_id not in users:
        raise Unsayable(f"its user {user_id!r:.60} is not in the tables")
    words = _Words(tables, users[user_id])
    actions: Sequence[Mapping[str, Any]] = task["actions"]
    questions = _questions(instruction) if task.get("outputs") else []
    wanted = [_said(words, each) for each in actions if each["name"] in WRITES]
    if not (wanted or questions):
        wanted = list(_refused(instruction, actions, tables))
    if not (wanted or questions):
        raise Unsayable("its actions change nothing, and its instruction names no deed of ours")
    return GoldSteps((*questions, *wanted), words.facts(user_id))


def _said(words: "_Words", action: Mapping[str, Any]) -> Step:
    try:
        return WRITES[action["name"]](words, _Arguments(action))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Unsayable(f"{action['name']} is not as the tables have it ({error})") from None


class _Arguments(dict[str, Any]):
    """Of an action; what is not there makes it unsayable."""

    def __init__(self, action: Mapping[str, Any]) -> None:
        super().__init__(action["kwargs"])
        self._name = action["name"]

    def __missing__(self, name: str) -> Any:
        raise Unsayable(f"{self._name} has no {name}")


def _questions(instruction: str) -> list[Step]:
    """Returns what the user wants to know, in its own words."""
    found = []
    for match in _QUESTION.finditer(instruction):
        asked = f"find out {_as_mine(_FURTHER.split(match[1])[0])}"
        found.append(Step(FIND_OUT, "question", own=Verb(FIND_OUT, asked=(asked,), done=ANSWERED)))
    return found


def _as_mine(said: str) -> str:
    """Returns what an instruction says to the user, as the user says it."""
    return re.sub(r"[A-Za-z']+", lambda word: _MINE.get(word[0].lower(), word[0]), said.strip())


def _refused(
    instruction: str, actions: Sequence[Mapping[str, Any]], tables: Tables
) -> Iterator[Step]:
    """What the user wants and does not get: the first deed of which its instruction speaks."""
    verb = next(_wished(instruction), "")
    table = next((each for each in OWNERS if each in tables), "")
    if not verb or not table:
        return
    target = _named(instruction, actions, tables[table], OWNERS[table])
    if verb == COMPENSATE.name:
        yield Step(verb, "compensation", details=target, refusal=REFUSED, own=COMPENSATE)
    else:
        yield Step(verb, OWNERS[table], target, refusal=REFUSED)


def _wished(instruction: str) -> Iterator[str]:
    """Returns the verbs of which an instruction speaks, in its order."""
    for sentence in re.split(r"(?<=[.!?])\s+", instruction):
        said = sentence.split()[:MOST_WORDS]
        for end in range(1, len(said) + 1):
            known = " ".join(said[:end])
            before = " ".join(said[: end - 1])
            if _REVERSED.search(before):
                break
            if _COMPENSATION.search(said[end - 1]):
                yield COMPENSATE.name
            yield from (name for name in WISHES if speaks_of(known, VERBS[name]))


def _named(
    instruction: str, actions: Sequence[Mapping[str, Any]], records: Mapping[str, Any], kind: str
) -> dict[str, str]:
    """The record that the user names: that of its instruction, else the only one looked up."""
    said = [found if found in records else f"#{found}" for found in _ID.findall(instruction)]
    told = [each for each in said if each in records]
    looked_up = [each for each in actions if each["name"] == f"get_{kind}_details"]
    read = [str(each["kwargs"].get(f"{kind}_id", "")) for each in looked_up]
    ids = told or (read if len(set(read)) == 1 else [])
    return {"id": ids[0]} if ids and ids[0] else {}


class _Words:
    """How a user says what stands in the tables."""

    def __init__(self, tables: Tables, user: Mapping[str, Any]) -> None:
        self.tables, self.user = tables, user

    def facts(self, user_id: str) -> Mapping[str, str]:
        name = self.user["name"]
        return {
            "name": f"{name['first_name']} {name['last_name']}",
            "postcode": str(self.user["address"]["zip"]),
            "email": str(self.user["email"]),
            "user id": user_id,
        }

    def order(self, arguments: Arguments) -> Mapping[str, str]:
        return {"id": str(arguments["order_id"])}

    def reservation(self, arguments: Arguments) -> Mapping[str, str]:
        return {"id": str(arguments["reservation_id"])}

    def payment(self, id: str) -> str:
        """Returns a payment method of the user: `credit card ending in 4711`."""
        method = self.user["payment_methods"].get(id)
        if method is None:
            raise Unsayable(f"its user has no payment method {id}")
        source = str(method["source"])
        alike = [m for m in self.user["payment_methods"].values() if m["source"] == source]
        if source == "credit_card":
            return f"credit card ending in {method['last_four']}"
        said = {"paypal": "PayPal"}.get(source, source.replace("_", " "))
        return said if len(alike) == 1 else f"{said} {id}"

    def items(self, arguments: Arguments) -> list[str]:
        """Returns the items of an order that an action is about, as the user calls them."""
        order = self.tables["orders"].get(arguments["order_id"])
        if order is None:
            raise Unsayable(f"there is no order {arguments['order_id']}")
        ordered = order["items"]
        return [self._item(id, ordered) for id in arguments["item_ids"]]

    def _item(self, id: str, ordered: Sequence[Mapping[str, Any]]) -> str:
        item = next((each for each in ordered if each["item_id"] == id), None)
        if item is None:
            raise Unsayable(f"the order holds no item {id}")
        alike = {each["item_id"] for each in ordered if each["product_id"] == item["product_id"]}
        name = str(item["name"]).lower()
        return name if len(alike) == 1 else f"{name} ({_options(item['options'])})"

    def exchanged(self, arguments: Arguments) -> Mapping[str, str]:
        """Returns what each item is to become: `desk lamp` -> `black, battery`."""
        found: dict[str, str] = {}
        for old, new in zip(self.items(arguments), arguments["new_item_ids"], strict=True):
            variant = next(
                (
                    p["variants"][new]
                    for p in self.tables["products"].values()
                    if new in p["variants"]
                ),
                None,
            )
            if variant is None:
                raise Unsayable(f"no product has a variant {new}")
            if old in found:
                raise Unsayable(f"it exchanges two of the same {old}")
            found[old] = _options(variant["options"])
        return found


def _options(options: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in options.items())


def _address(arguments: Arguments) -> Mapping[str, str]:
    return {"address": ", ".join(str(arguments[f]) for f in ADDRESS if arguments.get(f))}


def _listed(said: Sequence[str]) -> str:
    return " and ".join(said)


def _cancel_order(words: _Words, arguments: Arguments) -> Step:
    reason = {"reason": str(arguments["reason"])}
    return Step("cancel", "order", words.order(arguments), details=reason)


def _return(words: _Words, arguments: Arguments) -> Step:
    details = {"items": _listed(words.items(arguments)), **_paid(words, arguments)}
    return Step("return", "order", words.order(arguments), details=details)


def _exchange(verb: str) -> Callable[[_Words, Arguments], Step]:
    def step(words: _Words, arguments: Arguments) -> Step:
        details = {"items": _listed(words.items(arguments)), **_paid(words, arguments)}
        return Step(verb, "order", words.order(arguments), words.exchanged(arguments), details)

    return step


def _paid(words: _Words, arguments: Arguments, name: str = "payment_method_id") -> dict[str, str]:
    return {PAYMENT: words.payment(arguments[name])}


def _order_address(words: _Words, arguments: Arguments) -> Step:
    return Step("change", "order", words.order(arguments), _address(arguments))


def _order_payment(words: _Words, arguments: Arguments) -> Step:
    return Step("change", "order", words.order(arguments), _paid(words, arguments))


def _user_address(words: _Words, arguments: Arguments) -> Step:
    return Step("change", "profile", {}, _address(arguments))


def _flights(flights: Sequence[Mapping[str, Any]]) -> str:
    return _listed([f"{each['flight_number']} on {each['date']}" for each in flights])


def _passengers(passengers: Sequence[Mapping[str, Any]]) -> str:
    return _listed([f"{p['first_name']} {p['last_name']} born {p['dob']}" for p in passengers])


def _book(words: _Words, arguments: Arguments) -> Step:
    paid = [words.payment(each["payment_id"]) for each in arguments["payment_methods"]]
    target = {
        "origin": str(arguments["origin"]),
        "destination": str(arguments["destination"]),
        "trip": str(arguments["flight_type"]).replace("_", " "),
        "cabin": str(arguments["cabin"]).replace("_", " "),
        "flights": _flights(arguments["flights"]),
    }
    details = {
        "passengers": _passengers(arguments["passengers"]),
        "bags": str(arguments["total_baggages"]),
        "insurance": str(arguments["insurance"]),
        PAYMENT: _listed(paid),
    }
    return Step("book", "reservation", target, details=details)


def _cancel_reservation(words: _Words, arguments: Arguments) -> Step:
    return Step("cancel", "reservation", words.reservation(arguments))


def _change_flights(words: _Words, arguments: Arguments) -> Step:
    to = {
        "cabin": str(arguments["cabin"]).replace("_", " "),
        "flights": _flights(arguments["flights"]),
    }
    paid = _paid(words, arguments, "payment_id")
    return Step("change", "reservation", words.reservation(arguments), to, paid)


def _change_bags(words: _Words, arguments: Arguments) -> Step:
    to = {"bags": str(arguments["total_baggages"])}
    paid = _paid(words, arguments, "payment_id")
    return Step("change", "reservation", words.reservation(arguments), to, paid)


def _change_passengers(words: _Words, arguments: Arguments) -> Step:
    to = {"passengers": _passengers(arguments["passengers"])}
    return Step("change", "reservation", words.reservation(arguments), to)


def _certificate(words: _Words, arguments: Arguments) -> Step:
    return Step("compensate", "compensation", own=COMPENSATE)


WRITES: Mapping[str, Callable[[_Words, Arguments], Step]] = {
    "cancel_pending_order": _cancel_order,
    "return_delivered_order_items": _return,
    "exchange_delivered_order_items": _exchange("exchange"),
    "modify_pending_order_items": _exchange("change"),
    "modify_pending_order_address": _order_address,
    "modify_pending_order_payment": _order_payment,
    "modify_user_address": _user_address,
    "book_reservation": _book,
    "cancel_reservation": _cancel_reservation,
    "update_reservation_flights": _change_flights,
    "update_reservation_baggages": _change_bags,
    "update_reservation_passengers": _change_passengers,
    "send_certificate": _certificate,
}
"""Tool that changes the tables -> what a user says of a call of it."""
