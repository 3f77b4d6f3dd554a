"""tau-bench without a model: the agenda user plays the gold actions of each task as steps.

    python benchmarks/tau_steps.py --tau-home PLACE [--tau2-home PLACE] [--domain retail]
        [--style plain] [--show test-3]

The gold bot waits until the user has said, in words, all that no look-up gives, works out the call
from these words and the tables, asks leave, and makes it. tau-bench's reward decides. Nothing of
the gold actions reaches the reward but what the user said: an item that it named otherwise becomes
another item. Of tau2, whose tools need packages of its own, the calls are compared with the
reference's. Prints how many tasks can be said, how many are played to the end, how many earn
reward 1, and each other one with its reason.
"""

import argparse
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.backends.tool_backend import TAU_BENCH_STEPS, ToolBackend
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.errors import UsageError
from pytest_todeval.goals.gold_steps import ADDRESS, WRITES, Tables
from pytest_todeval.simulation.loop import Limits, run_dialogue
from pytest_todeval.worlds.tau2.steps import tables_of, task_said
from pytest_todeval.worlds.tau2.world import Tau2World
from pytest_todeval.worlds.tau_bench.world import TauBenchWorld

LIMITS = Limits(max_turns=40)
YES = re.compile(r"\b(?:yes|yep|sure|exactly|correct|go ahead|please do|right|okay|ok)\b", re.I)
FINDS = {
    "find_user_id_by_name_zip": "Could you give me your full name and your zip code, please?",
    "find_user_id_by_email": "What is your email address, please?",
}
QUESTIONS = {
    "order_id": "What is the order number?",
    "reservation_id": "What is the reservation number?",
    "item_ids": "Which items is it about?",
    "payment_method_id": "Which payment method would you like to use?",
    "payment_id": "Which payment method would you like to use?",
    "payment_methods": "Which payment method would you like to use?",
    "reason": "What is the reason?",
    "address1": "What is the new address?",
    "origin": "What is the origin?",
    "destination": "What is the destination?",
    "flight_type": "Which trip is it: one way or round trip?",
    "cabin": "Which cabin would you like?",
    "flights": "Which flights would you like?",
    "passengers": "Who are the passengers?",
    "total_baggages": "How many bags would you like?",
    "insurance": "Would you like insurance?",
}
DONE = {
    "cancel_pending_order": "Your order {order_id} has been cancelled.",
    "return_delivered_order_items": "Your return for order {order_id} has been requested.",
    "exchange_delivered_order_items": "Your exchange for order {order_id} has been requested.",
    "cancel_reservation": "Your reservation {reservation_id} has been cancelled.",
    "book_reservation": "I have booked your reservation.",
    "send_certificate": "I have sent you a certificate.",
}
DOING = {
    "cancel_pending_order": "cancel order {order_id}",
    "return_delivered_order_items": "return these items of order {order_id}",
    "exchange_delivered_order_items": "exchange these items of order {order_id}",
    "cancel_reservation": "cancel reservation {reservation_id}",
    "book_reservation": "book this reservation",
}
BY_POLICY = frozenset({"user_id", "nonfree_baggages", "amount"})
"""Arguments that look-ups, prices and the policy give."""


class GoldBot:
    """Does a task's gold actions once its user has said what they take."""

    def __init__(
        self, call: Callable[..., object], tables: Tables, task: Mapping[str, Any]
    ) -> None:
        self._call, self.tables, self.task = call, tables, task
        actions = task["actions"]
        self.find = [each for each in actions if each["name"] in FINDS][-1:]
        self.left = [each for each in actions if each["name"] in WRITES]
        self.nothing = not self.left
        self.reads = [each for each in actions if each["name"] not in WRITES]
        self.outputs = list(task["outputs"])
        self.identified = self.waits = self.told = False
        self.all_heard = self.heard = ""

    def respond(self, text: str) -> str:
        self.all_heard += f" {text}"
        self.heard += f" {text}"
        if not self.identified and (question := self._identity()):
            return question
        if "find out" in self.heard and self.outputs:
            self.heard, self.told = "", True
            return f"The answer is {', '.join(self.outputs)}. Is there anything else I can do?"
        if self.nothing:
            return self._refuse(text)
        if not self.left:
            return "You're welcome. Goodbye!"
        return self._act(text)

    def _identity(self) -> str:
        """What it still has to ask, to know who it talks to."""
        user = self.tables["users"][self.task["user_id"]]
        said = self.all_heard.lower()
        full = f"{user['name']['first_name']} {user['name']['last_name']}".lower()
        known = {
            "find_user_id_by_name_zip": full in said and user["address"]["zip"] in said,
            "find_user_id_by_email": user["email"].lower() in said,
        }
        for action in self.find:
            if not known[action["name"]]:
                return FINDS[action["name"]]
            self._call(action["name"], **action["kwargs"])
        if not self.find and self.task["user_id"].lower() not in said:
            return "What is your user id, please?"
        self.identified = True
        return ""

    def _refuse(self, text: str) -> str:
        """The answer to a wish that the solution does not fulfil; once its record is known."""
        named = [
            (name, value)
            for action in self.reads
            for name, value in action["kwargs"].items()
            if name in ("order_id", "reservation_id")
        ]
        if len({value for _, value in named}) == 1 and str(named[0][1]).lower() not in (
            self.all_heard.lower()
        ):
            return QUESTIONS[named[0][0]]
        if re.search(r"\b(?:bye|thank|that's all)\b", text, re.I):
            return "Goodbye!"
        return "I'm sorry, but that is not possible: our policy does not allow it."

    def _act(self, text: str) -> str:
        action = self.left[0]
        name, wanted = action["name"], action["kwargs"]
        if self.waits and YES.search(text):
            try:
                self._call(name, **self._worked_out(wanted))
            except ToolRefused as refusal:
                return f"I'm sorry, that was refused: {refusal}"
            del self.left[0]
            self.waits, self.heard = False, ""
            done = DONE.get(name, "I have changed your {kind} {id}.").format(**_filled(wanted))
            if not self.left and self.outputs and not self.told:
                done = f"{done} For your information: {', '.join(self.outputs)}."
            return f"{done} Is there anything else I can do for you?"
        self.waits = False
        for argument in wanted:
            if self._heard(argument, wanted) != wanted[argument]:
                return self._question(argument, wanted)
        self.waits = True
        doing = DOING.get(name, "change your {kind} {id} like that").format(**_filled(wanted))
        if name == "send_certificate":
            doing = "send you a certificate as a compensation"
        return f"Shall I {doing}?"

    def _question(self, argument: str, wanted: Mapping[str, Any]) -> str:
        if argument != "new_item_ids":
            return QUESTIONS[argument]
        for old, new in zip(wanted["item_ids"], wanted[argument], strict=True):
            if self._variant(old, new, wanted) != new:
                product = self._product(old)["name"].lower()
                return f"What should the new {product} be like?"
        return QUESTIONS["item_ids"]

    def _worked_out(self, wanted: Mapping[str, Any]) -> dict[str, Any]:
        return {argument: self._heard(argument, wanted) for argument in wanted}

    def _heard(self, argument: str, wanted: Mapping[str, Any]) -> Any:
        """The value of an argument by what the user has said; None if it has not."""
        value, said = wanted[argument], self.heard.lower()
        if argument in BY_POLICY:
            return value
        if argument == "item_ids":
            found = list(self._items(wanted["order_id"], said, value))
            return value if sorted(found) == sorted(value) else None
        if argument == "new_item_ids":
            pairs = zip(wanted["item_ids"], value, strict=True)
            return [self._variant(old, new, wanted) for old, new in pairs]
        if argument in ADDRESS:
            return value if str(value).lower() in said else None
        if argument in ("payment_method_id", "payment_id"):
            named = self._payments(said)
            return named[0] if len(named) == 1 else None
        if argument == "payment_methods":
            named = self._payments(said)
            return value if sorted(p["payment_id"] for p in value) == sorted(named) else None
        if argument == "flights":
            return value if all(_both(said, f["flight_number"], f["date"]) for f in value) else None
        if argument == "passengers":
            names = [(f"{p['first_name']} {p['last_name']}", p["dob"]) for p in value]
            return value if all(_both(said, *each) for each in names) else None
        if argument in ("total_baggages", "insurance"):
            word = "bags" if argument == "total_baggages" else "insurance"
            return value if _beside(word, str(value).lower(), said) else None
        return value if str(value).lower().replace("_", " ") in said else None

    def _items(self, order: str, said: str, wanted: Sequence[str]) -> Iterator[str]:
        """The items of an order that are named; of several alike those with the options said."""
        items = self.tables["orders"][order]["items"]
        for id, item in {each["item_id"]: each for each in items}.items():
            alike = {i["item_id"] for i in items if i["product_id"] == item["product_id"]}
            called = item["name"].lower()
            if len(alike) > 1:
                called += f" ({_options(item['options'])})"
            if called in said:
                yield from [id] * max(1, wanted.count(id))

    def _product(self, item: str) -> Mapping[str, Any]:
        return next(p for p in self.tables["products"].values() if item in p["variants"])

    def _variant(self, old: str, new: str, wanted: Mapping[str, Any]) -> str | None:
        """The variant of a product that the user has described, if it is one alone."""
        variants = self._product(new)["variants"]
        said = re.sub(r"\([^)]*\)", "", self.heard.lower())
        found = [id for id, v in variants.items() if _options(v["options"]) in said]
        named = [id for id in found if id in wanted["new_item_ids"]]
        return new if new in named and len(found) == len(named) else None

    def _payments(self, said: str) -> list[str]:
        methods = self.tables["users"][self.task["user_id"]]["payment_methods"]
        found = []
        for id, method in methods.items():
            source = method["source"].replace("_", " ")
            alike = [m for m in methods.values() if m["source"] == method["source"]]
            digits = str(method.get("last_four", ""))
            by_digits = digits and f"ending in {digits}" in said
            by_kind = not digits and len(alike) == 1 and source in said
            if id in said or by_digits or by_kind:
                found.append(id)
        return found


def _filled(arguments: Mapping[str, Any]) -> dict[str, Any]:
    kind = next(
        (n.removesuffix("_id") for n in ("order_id", "reservation_id") if n in arguments), ""
    )
    id = arguments.get(f"{kind}_id", "")
    return {**arguments, "kind": kind or "profile", "id": id}


def _options(options: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in options.items()).lower()


def _both(said: str, one: str, other: str) -> bool:
    return one.lower() in said and other.lower() in said


def _beside(word: str, value: str, said: str) -> bool:
    near = rf"\b{value}\b[^.?!]{{0,20}}\b{word}\b|\b{word}\b[^.?!]{{0,25}}\b{value}\b"
    return re.search(near, said) is not None


def play(world: TauBenchWorld, goal: Goal, style: str) -> tuple[Dialogue | None, str]:
    """The dialogue of a task of tau-bench, and why it earns no reward; empty if it does."""
    try:
        user = world.user(goal, style=style)
    except UsageError as error:
        return None, f"cannot be said: {error}"
    backend = ToolBackend(world.tool_domain(), TAU_BENCH_STEPS)
    bot = GoldBot(backend.call, backend.domain.tables, goal.raw)
    dialogue = run_dialogue(goal, user, bot.respond, backend, LIMITS)
    if dialogue.stop_reason is not StopReason.USER_DONE:
        return dialogue, f"{dialogue.stop_reason}: {dialogue.detail}"
    reward = world.evaluate(dialogue, backend)["reward"]
    return dialogue, "" if reward else f"reward 0: {reward.reason}"


def play_tau2(world: Tau2World, goal: Goal, style: str) -> tuple[Dialogue | None, str]:
    """The same of tau2, without its tools: why the calls are not those of the reference."""
    try:
        user = world.user(goal, style=style)
    except UsageError as error:
        return None, f"cannot be said: {error}"
    tables = tables_of(Path(world.home or ""), world.domain)
    task, made = task_said(goal.raw, tables), []
    bot = GoldBot(lambda name, **given: made.append((name, given)), tables, task)
    dialogue = run_dialogue(goal, user, bot.respond, None, LIMITS)
    if dialogue.stop_reason is not StopReason.USER_DONE:
        return dialogue, f"{dialogue.stop_reason}: {dialogue.detail}"
    wanted = [(a["name"], a["kwargs"]) for a in task["actions"] if a["name"] in WRITES]
    said = " ".join(turn.system for turn in dialogue.turns).lower()
    untold = [each for each in task["outputs"] if str(each).lower() not in said]
    if [each for each in made if each[0] in WRITES] != wanted:
        return dialogue, "other calls than the reference's"
    return dialogue, f"never said: {', '.join(untold)}" if untold else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tau-home", type=Path)
    parser.add_argument("--tau2-home", type=Path)
    parser.add_argument("--domain", choices=("retail", "airline"), action="append")
    parser.add_argument("--style", default="plain")
    parser.add_argument("--show", action="append", default=[], help="print these dialogues")
    asked = parser.parse_args()
    domains = asked.domain or ("retail", "airline")
    for domain in domains if asked.tau_home else ():
        world = TauBenchWorld(domain, asked.tau_home)
        told = partial(play, world, style=asked.style)
        report(f"tau_bench/{domain}: reward 1", world.load().goals, told, asked.show)
    for domain in domains if asked.tau2_home else ():
        world2 = Tau2World(domain, asked.tau2_home)
        told = partial(play_tau2, world2, style=asked.style)
        report(f"tau2/{domain}: the reference's calls", world2.load().goals, told, asked.show)


def report(
    what: str,
    goals: Sequence[Goal],
    played: Callable[[Goal], tuple[Dialogue | None, str]],
    shown: Sequence[str],
) -> None:
    kinds: Counter[bool] = Counter()
    for goal in goals:
        dialogue, why = played(goal)
        raw = goal.raw.get("evaluation_criteria") or goal.raw
        kinds[any(each["name"] in WRITES for each in raw["actions"] or ())] += not why
        if why:
            print(f"  {goal.name}: {why}")
        if goal.id in shown and dialogue is not None:
            print(dialogue.explain(full=True))
    print(
        f"{what} in {kinds.total()} of {len(goals)} "
        f"({kinds[True]} change the tables, {kinds[False]} leave them as they are)"
    )


if __name__ == "__main__":
    main()
