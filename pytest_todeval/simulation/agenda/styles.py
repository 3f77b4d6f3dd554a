"""How a user goes about its business: how much it says at once, and what it does besides."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace

from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.nlu.values.normalise import DAYS, same_value
from pytest_todeval.nlu.vocabulary import Vocabulary

CHANGED = ("area", "pricerange", "food", "stars", "day")
"""Constraints about which a user may change its mind."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a user goes about its business."""

    least: int = 1
    most: int = 3
    """Slots said or asked for in one turn."""
    short: bool = False
    """Fragments instead of sentences, no greeting."""
    returns: bool = False
    """Comes back to a domain in the end, to ask one more thing."""
    changes_mind: bool = False
    """Wants something else first, and changes over once it is offered, or refused, that."""
    asks_again: bool = False
    """Asks once more for something told."""
    adds: bool = False
    """Says that it has everything before its last domain or step, and then comes up with it."""


STYLES: Mapping[str, Style] = {
    "plain": Style(),
    "terse": Style(1, 1, short=True),
    "chatty": Style(12, 12),
    "returns": Style(returns=True),
    "changes_mind": Style(changes_mind=True),
    "asks_again": Style(asks_again=True),
    "adds": Style(adds=True),
}


def with_other_wish(goal: Goal, known: Vocabulary | None, rng: random.Random) -> Goal:
    """The goal with another value wanted first in one of its domains, if one can be thought of.

    What the goal wants in the end stays as it is.
    """
    for part in goal.domains:
        wishes = () if part.fail_inform else tuple(_other_wishes(part, known).items())
        if wishes:
            slot, values = rng.choice(wishes)
            first = {**part.inform, slot: rng.choice(values)}
            changed = replace(part, fail_inform=first)
            return replace(goal, domains=tuple(changed if p is part else p for p in goal.domains))
    return goal


def _other_wishes(part: DomainGoal, known: Vocabulary | None) -> dict[str, list[str]]:
    """Slot -> the values that could be wanted in place of the goal's."""
    if "name" in part.inform:
        return {}
    lists = {"day": DAYS} if known is None else {**known.values, "day": DAYS}
    others = {
        slot: [value for value in lists.get(slot, ()) if not same_value(slot, value, wanted)]
        for slot, wanted in part.inform.items()
        if slot in CHANGED
    }
    return {slot: values for slot, values in others.items() if values}
