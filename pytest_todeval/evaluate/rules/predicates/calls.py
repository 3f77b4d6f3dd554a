"""Predicates over the tools that the bot called."""

import re
from collections.abc import Mapping
from typing import Any

from pytest_todeval.core.dialogue import ToolCall
from pytest_todeval.evaluate.rules.finding import Found, View, no, unknown, yes
from pytest_todeval.evaluate.rules.registry import predicate
from pytest_todeval.facts.calls.reading import CallFact, CallOutcome
from pytest_todeval.facts.calls.wishes import given
from pytest_todeval.facts.told_values import numbers_said, says_value
from pytest_todeval.nlu.numbers import to_number
from pytest_todeval.nlu.values.normalise import NUMBER_SLOTS, same_value

MAX_NUMBER = 12
"""Characters of a word that may be a number ("seventeen,")."""


@predicate
def calls(view: View, tool: str, arguments: dict[str, Any] | None = None) -> Found:
    """The bot calls that tool in this turn, successfully or not; with these arguments, if given."""
    if not view.evidence.traced:
        return unknown("no tool calls were reported")
    wanted = arguments or {}
    for call in view.facts.turn.tool_calls:
        if call.name == tool and all(_has(call, name, wanted[name]) for name in wanted):
            return yes(f"calls {tool}")
    so = f" with {wanted}" if wanted else ""
    return no(f"does not call {tool}{so}")


def _has(call: ToolCall, name: str, value: Any) -> bool:
    if name not in call.arguments:
        return False
    found = call.arguments[name]
    return bool(found == value or same_value(name, str(found), str(value)))


@predicate
def calls_anything(view: View) -> Found:
    """The bot calls any tool in this turn."""
    if not view.evidence.traced:
        return unknown("no tool calls were reported")
    called = [call.name for call in view.facts.turn.tool_calls]
    return yes(f"calls {called[0]}") if called else no("calls no tool")


@predicate
def missing_slots(view: View, domain: str, slots: list[str]) -> Found:
    """The bot books in a domain with a value of these slots that nobody has said or stated before.

    Known is what the user has said so far in any words, what stood in the bot's state before this
    turn (what it takes into it as it books may be invented), and for names what the bot has named.
    """
    bookings = [fact for fact in view.facts.calls if _books(fact, domain)]
    if not bookings:
        return unknown(f"books no {domain}")
    for fact in bookings:
        values = {**fact.slots, **fact.call.arguments}
        for slot in slots:
            if not given(values.get(slot)):
                return yes(f"books a {domain} without a {slot}")
            if not _known(view, slot, str(values[slot])):
                said = _wish(view, domain, slot)
                told = f"; the user said {said!r}" if said else ""
                booked = f"books a {domain} with {slot} {values[slot]!r}"
                return yes(f"{booked}, which was never said{told}")
    return no(f"every one of {', '.join(slots)} was known before the booking")


def _books(fact: CallFact, domain: str) -> bool:
    return fact.what is CallOutcome.BOOKED and fact.domain == domain


def _wish(view: View, domain: str, slot: str) -> str:
    """What the goal has for a slot, if the user has said it."""
    part = view.evidence.goal.domain(domain)
    wanted = "" if part is None else part.book.get(slot) or part.inform.get(slot) or ""
    return wanted if wanted and _says(view.evidence.user_said(view.index), slot, wanted) else ""


def _known(view: View, slot: str, value: str) -> bool:
    said = view.evidence.user_said(view.index)
    if _says(said, slot, value) or _in_states(view, slot, value):
        return True
    if slot not in ("name", "trainID", "departure", "destination"):
        return False
    return any(says_value(facts.text, "name", value) for facts in view.evidence.until(view.index))


def _says(said: str, slot: str, value: str) -> bool:
    if says_value(said, slot, value):
        return True
    if slot not in NUMBER_SLOTS:
        return False
    if slot == "people" and value == "1" and re.search(r"\b(?:me|myself|alone)\b", said, re.I):
        return True
    # a bare number will do, unless another one was said with its unit ("3 nights")
    words = said.replace("-", " ").split()
    return not numbers_said(said, slot) and any(
        to_number(word) == value for word in words if len(word) < MAX_NUMBER
    )


def _in_states(view: View, slot: str, value: str) -> bool:
    turns = [facts.turn for facts in view.evidence.until(view.index - 1)]
    states = (state for turn in turns for state in (turn.state, turn.turn_state) if state)
    return any(_holds(state, slot, value) for state in states)


def _holds(state: Any, slot: str, value: str, depth: int = 4) -> bool:
    if not isinstance(state, Mapping) or not depth:
        return False
    if given(state.get(slot)) and same_value(slot, state[slot], value):
        return True
    return any(_holds(inner, slot, value, depth - 1) for inner in state.values())
