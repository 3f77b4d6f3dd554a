"""A goal's steps as the user's business: each is one part of it, to be told, done and heard of."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.steps import Effect, Records, Step
from pytest_todeval.nlu.values.normalise import DAYS, same_value
from pytest_todeval.simulation.agenda.memory import DomainPart


def played(goal: Goal) -> Goal:
    """Returns the goal with a domain for each of its steps; itself if it has none."""
    if not goal.steps:
        return goal
    return replace(goal, domains=goal.parts)


def parts_of(goal: Goal) -> list[DomainPart]:
    """Returns the user's business: the goal's domains, or its steps."""
    parts = [DomainPart.of(part) for part in goal.domains]
    for part, step in zip(parts, goal.steps, strict=False):
        take_up(part, step)
        part.options = list(step.alternatives)
    for part in parts:
        part.references = goal.references and part.step is None
    return parts


def take_up(part: DomainPart, step: Step) -> Mapping[str, str]:
    """Makes a step the business of a part; returns what was not said of it before."""
    before = {**part.book, **part.inform}
    part.step, part.goal = step, DomainGoal.of_step(step)
    part.inform, part.book = dict(part.goal.inform), dict(part.goal.book)
    return {slot: value for slot, value in part.slots.items() if before.get(slot) != value}


def wish_otherwise(parts: Sequence[DomainPart], given: Records, rng: random.Random) -> None:
    """Has the user want another day first of the first change to a day, if there is one."""
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


def words_of_name(name: str) -> str:
    """Returns a name as it is said: `credit_card` is a credit card."""
    return " ".join(name.replace("_", " ").split())
