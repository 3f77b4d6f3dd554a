"""A predicate for rule files: `never: hires_on_credit`."""

import json

from pytest_todeval.rules import Found, View, no, predicate, unknown, yes

__all__ = ["hires_on_credit"]


@predicate
def hires_on_credit(view: View) -> Found:
    """A bike is hired out, and the rider who was looked up last owes something."""
    if not any(call.name == "hire_bike" for call in view.turn.tool_calls):
        return no("no bike is hired out")
    calls = [call for turn in view.turns for call in turn.tool_calls]
    riders = [call.result for call in calls if call.name == "find_rider" and call.error is None]
    if not riders:
        return unknown("no rider was looked up")
    rider = json.loads(riders[-1])
    return (yes if rider["owes"] else no)(f"{rider['name']} owes {rider['owes']} euros")
