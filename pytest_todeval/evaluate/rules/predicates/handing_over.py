"""Predicates over handing the user over to a person, and over what results have shown."""

import re

from pytest_todeval.core.dialogue import ToolCall
from pytest_todeval.evaluate.rules.finding import Found, View, no, unknown, yes
from pytest_todeval.evaluate.rules.known import policy_of
from pytest_todeval.evaluate.rules.registry import predicate
from pytest_todeval.evaluate.rules.stems import stems
from pytest_todeval.facts.calls.rows import rows_in
from pytest_todeval.facts.dialogue import MAX_TEXT
from pytest_todeval.nlu.values.normalise import same_value

_HANDS_OVER = re.compile(
    r"transfer\w*_(?:to_)?(?:a_)?(?:human|agent|person|operator)|hand\w*_over|handover|escalate",
    re.I,
)
_ASKS_FOR_PERSON = re.compile(
    r"\b(?:human|person|people|someone|somebody|colleague|manager|supervisor|operator|staff"
    r"|representative|agent|transfer|real one|put me through|escalat\w+)\b",
    re.I,
)
_TO_A_PERSON = re.compile(r"\btransfer|\bhand(?:s|ed|ing)? over\b|\bhuman\b|\bescalat", re.I)
TELLING = 5
"""Letters of a stem from which it tells what a wish is about."""
_BARE = """
yes yeah yep ok okay sure please do it that go ahead thanks thank you very so much a lot great
perfect good bye goodbye all is s for your the help have nice day fine no nothing more else right
cheers and done now i m am
"""
"""The words of a yes, thanks or goodbye that says nothing else."""


@predicate
def hands_over_untried(view: View) -> Found:
    """The bot hands the user over to a person who was not asked for, and has tried no other tool.

    That is a call of a tool that ends the dialogue or is named for it (`transfer_to_human_agents`,
    `hand_over_to_person`), before any other call of the dialogue. A line of the policy may demand
    it for what the user speaks of.
    """
    over = next((c for c in view.facts.turn.tool_calls if _is_hand_over(view, c)), None)
    if over is None:
        return unknown("hands nobody over")
    earlier = (call for turn in view.turns for call in turn.tool_calls)
    tried = next((call.name for call in earlier if not _is_hand_over(view, call)), None)
    if tried is not None:
        return no(f"has called {tried} before it hands over")
    if _ASKS_FOR_PERSON.search(view.evidence.user_said(view.index)):
        return no("the user has asked for a person")
    if (line := _demands_it(view)) is not None:
        return no(f"the policy demands it: {line[:80]!r}")
    return yes(f"calls {over.name}, but the user asked for no person, and no other tool was tried")


def _demands_it(view: View) -> str | None:
    """The line of the policy that hands over what the user speaks of; None if none does."""
    said = {each for each in stems(view.evidence.user_said(view.index)) if len(each) >= TELLING}
    lines = (line for line in policy_of(view).splitlines() if _TO_A_PERSON.search(line))
    return next((line.strip() for line in lines if said & set(stems(line))), None)


@predicate
def hands_over_served(view: View) -> Found:
    """The bot hands over a user who has just been served, and has asked for nothing more.

    So it is if the user only says yes, thanks or goodbye, every call before it in the turn has
    succeeded, and neither the user nor the bot has spoken of a person before.
    """
    over = next((c for c in view.facts.turn.tool_calls if _is_hand_over(view, c)), None)
    if over is None:
        return unknown("hands nobody over")
    words = view.turn.as_meant[:MAX_TEXT]
    others = [call for call in view.turn.tool_calls if call is not over]
    bare = set(_BARE.split()).issuperset(re.findall(r"[a-z]+", words.lower()))
    served = any(facts.turn.tool_calls for facts in view.evidence.until(view.index - 1))
    if not bare or not served or any(call.error is not None for call in others):
        return no("there may be more to serve")
    told = " ".join(facts.text for facts in view.evidence.until(view.index - 1))
    if _ASKS_FOR_PERSON.search(f"{told} {view.evidence.user_said(view.index)}"):
        return no("a person was spoken of before")
    return yes(f"calls {over.name}, though the user has only said {words.strip()!r}")


@predicate
def shows(view: View, field: str, value: str) -> Found:
    """A result of this turn holds a record whose field has that value."""
    results = [call.result for call in view.facts.turn.tool_calls if call.error is None]
    known = (row[field] for result in results for row in rows_in(result) if field in row)
    if any(same_value(field, str(each), value) for each in known):
        return yes(f"a result shows {field} {value!r}")
    return no(f"no result shows {field} {value!r}")


def _is_hand_over(view: View, call: ToolCall) -> bool:
    domain = getattr(view.evidence.backend, "domain", None)
    ends = getattr(domain, "terminating", ())
    return call.name in ends or bool(_HANDS_OVER.search(call.name[:MAX_TEXT]))
