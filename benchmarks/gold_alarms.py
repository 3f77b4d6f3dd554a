"""What the rules of tau-bench's and tau2's worlds find against bots that do what the tasks want.

    python benchmarks/gold_alarms.py tau_bench CHECKOUT
    python benchmarks/gold_alarms.py tau2 CHECKOUT [--domains NAME ...] [--show N]

CHECKOUT is one of tau-bench or tau2-bench (which takes Python 3.12 and what tau2 needs). The bot of
each task finds the user, reads the records that the task is about, says what it is going to do, is
told yes, makes the reference actions with the real tools and tells the outputs that the task asks
for; it confirms all changes at once, and in a second dialogue one by one. It breaks no rule, so
that each finding is a false alarm. Reference look-ups that find nothing are left out: three tasks
of retail read a product that is not there. Prints a line per domain, and N findings of each rule.
"""

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.core.dialogue import Dialogue, ToolCall, Turn
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.errors import DataMissing, UsageError
from pytest_todeval.evaluate.judge.rule_judge import RuleJudge
from pytest_todeval.worlds.tau2.world import Tau2World
from pytest_todeval.worlds.tau_bench.world import TauBenchWorld
from pytest_todeval.worlds.world import World

READS = ("find_", "get_", "search_", "list_", "calculate", "think")
"""How the names of tools begin that look something up."""
RECORDS = ("order_id", "reservation_id", "line_id", "bill_id", "task_id")
"""Arguments that name what an action changes."""
PHONE = re.compile(r"\b\d{3}-\d{3}-\d{4}\b")


class Action(NamedTuple):
    """A reference action."""

    tool: str
    given: dict[str, Any]
    by_user: bool = False

    @property
    def reads(self) -> bool:
        """Whether it only looks something up."""
        return self.tool.startswith(READS)

    @property
    def words(self) -> str:
        """What a bot says that it is going to do, with the records that it means to change."""
        ids = (str(value) for name, value in self.given.items() if name in RECORDS)
        return " ".join((self.tool.replace("_", " "), *ids))


def main() -> None:
    """Print a line per domain."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("world", choices=("tau_bench", "tau2"))
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--domains", nargs="+")
    parser.add_argument("--show", type=int, default=0, help="findings of each rule to print")
    args = parser.parse_args()
    kind: Any = TauBenchWorld if args.world == "tau_bench" else Tau2World
    for domain in args.domains or kind.domains:
        try:
            report(kind(domain, args.checkout), domain, args.show)
        except (DataMissing, UsageError) as error:
            print(f"{domain}: not measured: {str(error).splitlines()[0]}")


def report(world: World, domain: str, shown: int) -> None:
    """Dialogues, those with an alarm, and how often each rule was broken."""
    goals = world.load().goals
    broken: Counter[str] = Counter()
    alarmed = refused = 0
    for goal in goals:
        for at_once in (True, False):
            bot = GoldBot(world, goal)
            dialogue = bot.dialogue(at_once)
            found = RuleJudge(world.rules, bot.backend).rules(dialogue).broken
            refused += sum(call.error is not None for call in dialogue.tool_calls)
            alarmed += bool(found)
            for each in found:
                broken[each.rule] += 1
                if broken[each.rule] <= shown:
                    print(f"  {goal.id} turn {each.turn} {each.rule}: {each.reason}")
    rules = ", ".join(f"{name} {count}" for name, count in broken.most_common())
    print(
        f"{domain}: {len(goals)} tasks, {2 * len(goals)} dialogues, {alarmed} with an alarm"
        f"{f' ({rules})' if rules else ''}; {refused} calls refused"
    )


class GoldBot:
    """Plays the reference actions of one task."""

    def __init__(self, world: World, goal: Goal) -> None:
        self.world, self.goal = world, goal
        self.backend: Any = world.backend(goal)
        self.actions = list(_actions(goal))
        self.turns: list[Turn] = []

    def dialogue(self, at_once: bool) -> Dialogue:
        """The whole dialogue; changes are confirmed together, or each for itself."""
        looked, who = self.look_ups()
        changes = [action for action in self.actions if not action.reads]
        said = " ".join((*_wishes(self.goal), who))
        for part in [changes] if at_once and changes else [[each] for each in changes]:
            plan = "; ".join(action.words for action in part)
            self.say(said, f"I am going to do this: {plan}. Shall I go ahead?", looked)
            self.say("Yes, please.", "That is done. What else?", self.make(part))
            said, looked = "Please go on.", []
        outputs = "; ".join(map(str, self.world.outputs(self.goal)))
        self.say(said, f"You asked for this: {outputs}" if outputs else "All is done.", looked)
        return Dialogue(self.goal, tuple(self.turns), StopReason.USER_DONE)

    def say(self, user: str, system: str, calls: Sequence[ToolCall]) -> None:
        """One turn."""
        self.turns.append(Turn(len(self.turns) + 1, user, system, tuple(calls)))

    def make(self, actions: Sequence[Action]) -> list[ToolCall]:
        """Make the actions; the bot's own calls, with their results."""
        made = []
        for action in actions:
            call = self.backend.call_user if action.by_user else self.backend.call
            try:
                result, error = call(action.tool, **action.given), None
            except ToolRefused as refused:
                result, error = None, str(refused)
            if not action.by_user:
                made.append(ToolCall(action.tool, action.given, result, error))
        return made

    def look_ups(self) -> tuple[list[ToolCall], str]:
        """The calls that find the user and read what is theirs; who the user says it is."""
        tools = {tool["function"]["name"] for tool in self.backend.tools}
        reader = Reader(self.backend)
        who = ""
        if "get_customer_by_phone" in tools:
            (who,) = set(PHONE.findall(" ".join(_wishes(self.goal)))) or {""}
            reader.read_customer(who, self.actions)
        elif "get_order_details" in tools:
            who = reader.read_shopper(self.owner(reader, "order_id", "get_order_details"))
        elif "get_reservation_details" in tools:
            tool = "get_reservation_details"
            who = reader.read_traveller(self.owner(reader, "reservation_id", tool))
        listed = self.make([each for each in self.actions if each.reads])
        found = [call for call in listed if not str(call.result or "Error").startswith("Error")]
        return [*reader.calls, *found], who

    def owner(self, reader: "Reader", name: str, tool: str) -> str:
        """The user whom the actions are for, by themselves or by the records they name."""
        for action in self.actions:
            if "user_id" in action.given:
                return str(action.given["user_id"])
            if action.tool.startswith("find_user_id"):
                found = self.make([action])[0].result
                if found is not None and not str(found).startswith("Error"):
                    return str(found)
        given = (action.given[name] for action in self.actions if name in action.given)
        known = str(self.goal.raw.get("user_id") or "")  # of one task of retail the wrong one
        return next((str(reader.ask(tool, {name: each})["user_id"]) for each in given), known)


class Reader:
    """Looks up what belongs to a user, as the policies ask."""

    def __init__(self, backend: Any) -> None:
        self.backend = backend
        self.calls: list[ToolCall] = []

    def ask(self, tool: str, given: dict[str, Any]) -> Any:
        """What a tool answers, in no turn."""
        try:
            return json.loads(self.backend.call(tool, **given))
        except (ToolRefused, ValueError):
            return {}

    def read(self, tool: str, **given: Any) -> Any:
        """The same, as a call of the bot."""
        try:
            answer = self.backend.call(tool, **given)
        except ToolRefused as error:
            self.calls.append(ToolCall(tool, given, error=str(error)))
            return {}
        self.calls.append(ToolCall(tool, given, answer))
        return json.loads(answer) if answer[:1] in "{[" else answer

    def read_customer(self, phone: str, actions: Sequence[Action]) -> None:
        """The customer with a phone number, and the lines and bills that actions name."""
        self.read("get_customer_by_phone", phone_number=phone)
        names = ("line_id", "bill_id")
        ids = [action.given[n] for action in actions for n in names if n in action.given]
        for each in dict.fromkeys(ids):
            self.read("get_details_by_id", id=each)

    def read_shopper(self, user: str) -> str:
        """A user by name and zip code, with orders and the products in them."""
        known = self.ask("get_user_details", {"user_id": user})
        if not known:
            return ""
        name = {**known["name"], "zip": known["address"]["zip"]}
        self.read("find_user_id_by_name_zip", **name)
        self.read("list_all_product_types")
        products = {}
        for order in self.read("get_user_details", user_id=user)["orders"]:
            items = self.read("get_order_details", order_id=order)["items"]
            products |= {item["product_id"]: None for item in items}
        for product in products:
            self.read("get_product_details", product_id=product)
        return f"I am {name['first_name']} {name['last_name']}, zip code {name['zip']}."

    def read_traveller(self, user: str) -> str:
        """A user by id, with reservations."""
        for each in self.read("get_user_details", user_id=user).get("reservations", ()):
            self.read("get_reservation_details", reservation_id=each)
        return f"My user id is {user}."


def _actions(goal: Goal) -> Iterator[Action]:
    criteria = goal.raw if "actions" in goal.raw else goal.raw["evaluation_criteria"] or {}
    for each in criteria.get("actions") or ():
        given = each.get("kwargs", each.get("arguments"))
        yield Action(each["name"], given, each.get("requestor") == "user")


def _wishes(goal: Goal) -> Sequence[str]:
    """What the user is told to want."""
    return goal.message or (str(goal.raw.get("instruction") or ""),)


if __name__ == "__main__":
    main()
