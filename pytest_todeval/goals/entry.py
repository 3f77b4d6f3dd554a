"""A goal as an entry of a goal file."""

from typing import Any

from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.steps import Step


def goal_entry(goal: Goal) -> dict[str, Any]:
    """A goal as its entry in a goal file; what the file says of all its goals is not in it."""
    found: dict[str, Any] = {"id": goal.id, "message": list(goal.message)}
    found["domains"] = {part.domain: _part(part) for part in goal.domains}
    if goal.user:
        found["user"] = dict(goal.user)
    if goal.steps:
        found["given"] = {kind: [dict(row) for row in rows] for kind, rows in goal.given.items()}
        found["steps"] = [_step(step) for step in goal.steps]
    if not goal.references:
        found["reference"] = "none"
    return found


def _step(step: Step) -> dict[str, Any]:
    said: dict[str, Any] = {
        "to": dict(step.to),
        "with": dict(step.details),
        "for": list(step.asks),
        "or": [_step(each) for each in step.alternatives],
        "refusal": step.refusal,
        "count": step.count,
        "choose": dict(step.choose),
    }
    if step.condition is not None:
        whole, slot = str(step.condition), step.condition.slot
        said["if"] = {slot: whole.removeprefix(slot).strip()}
    rest = {key: value for key, value in said.items() if value}
    return {step.verb: {step.kind: dict(step.target), **rest}}


def _part(part: DomainGoal) -> dict[str, Any]:
    """Returns what differs from the defaults."""
    found: dict[str, Any] = {
        "inform": dict(part.inform),
        "fail_inform": dict(part.fail_inform),
        "book": dict(part.book),
        "fail_book": dict(part.fail_book),
        "request": list(part.request),
    }
    found = {name: value for name, value in found.items() if value}
    if part.wants_booking and not part.book:
        found["wants_booking"] = True
    return {**found, "refusal": True} if part.refusal else found
