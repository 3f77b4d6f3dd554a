"""A goal's steps as the user's business: each is one part of it, to be told, done and heard of."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pytest_todeval.core.goal import DomainGoal, Goal, SlotForm
from pytest_todeval.core.steps import Effect, Records, Step
from pytest_todeval.language.values import DAYS, same_value
from pytest_todeval.simulation.agenda.memory import DomainPart

CURRENT = "current "
"""Before the name of a slot that a step changes, for the value by which the record is picked."""
_SEVERAL = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}


def played(goal: Goal) -> Goal:
    """The goal with a domain for each of its steps; itself if it has none."""
    if not goal.steps:
        return goal
    return replace(goal, domains=tuple(domain_goal(step) for step in goal.steps))


def parts_of(goal: Goal) -> list[DomainPart]:
    """The user's business: the goal's domains, or its steps."""
    parts = [DomainPart.of(part) for part in goal.domains]
    for part, step in zip(parts, goal.steps, strict=False):
        take_up(part, step)
        part.options = list(step.alternatives)
    for part in parts:
        part.references = goal.references and part.step is None
    return parts


def take_up(part: DomainPart, step: Step) -> Mapping[str, str]:
    """Make a step the business of a part; returns what was not said of it before."""
    before = {**part.book, **part.inform}
    part.step, part.goal = step, domain_goal(step)
    part.inform, part.book = dict(part.goal.inform), dict(part.goal.book)
    return {slot: value for slot, value in part.slots.items() if before.get(slot) != value}


def wish_otherwise(parts: Sequence[DomainPart], given: Records, rng: random.Random) -> None:
    """Have the user want another day first of the first change to a day, if there is one."""
    for part in parts:
        step = part.step
        if step is None or step.means.effect is not Effect.CHANGES or "day" not in step.to:
            continue
        taken = {step.to["day"], *(str(each.get("day")) for each in given.get(step.kind, ()))}
        days = [day for day in DAYS if not any(same_value("day", day, each) for each in taken)]
        if days:
            take_up(part, replace(step, to={**step.to, "day": rng.choice(days)}))
            part.first_wish = step
            return


def domain_goal(step: Step) -> DomainGoal:
    """What the user has to say for a step, and wants to be told."""
    slots, asks = _slots(step), step.asks
    if step.condition is not None:
        asks = tuple(dict.fromkeys((step.condition.slot, *asks)))
    form = {"id": SlotForm("code", f"{words_of_name(step.kind)} number")} if "id" in slots else {}
    if step.verb == "ask":
        return DomainGoal(step.kind, slots, request=asks, forms=form)
    refusal = step.refusal is not None
    return DomainGoal(
        step.kind, book=slots, request=asks, wants_booking=True, refusal=refusal, forms=form
    )


def _slots(step: Step) -> dict[str, str]:
    current = {f"{CURRENT}{s}" if s in step.to else s: v for s, v in step.target.items()}
    which = [f"the one with the {how} {words_of_name(slot)}" for slot, how in step.choose.items()]
    if step.count is not None:
        which.append(f"only {_SEVERAL.get(step.count, str(step.count))} of them")
    chosen = {"choice": " and ".join(which)} if which else {}
    return {**current, **step.to, **step.details, **chosen}


def words_of_name(name: str) -> str:
    """A name as it is said: `credit_card` is a credit card."""
    return " ".join(name.replace("_", " ").split())
