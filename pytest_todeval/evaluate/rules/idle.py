"""Rules that can never apply to a dialogue: goal, tools and tables lack what they are about."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_todeval.evaluate.rules.conditions import AllOf, AnyOf, Test, TurnCondition
from pytest_todeval.evaluate.rules.known import tells_something
from pytest_todeval.evaluate.rules.predicates.reply_language import NEEDS, can_tell
from pytest_todeval.evaluate.rules.rule import Always, Before, Never, Rule
from pytest_todeval.facts.dialogue import Evidence

ON_TABLES = frozenset(
    {
        "changes_tables", "changes_unconfirmed", "changes_other_than_agreed", "repeats_change",
        "changes_unseen", "changes_for_another",
    }
)  # fmt: skip
"""The predicates that nothing tells of, unless the backend tells what a call changes."""
SILENT = "no result of its tool calls holds a record or says anything (docs/bots.md)"


def idle_rules(evidence: Evidence, rules: Sequence[Rule]) -> dict[str, str]:
    """By id, the rules that no turn of the dialogue could keep or break, with what they lack.

    Rules lack a domain that the goal does not have, tools that the backend does not have, or a
    backend that tells what its tools change.
    """
    stage = _Reach(
        frozenset(part.domain for part in evidence.goal.domains),
        frozenset(_names(getattr(evidence.backend, "tools", ()))),
        hasattr(evidence.backend, "changed_by"),
        not evidence.traced or any(map(tells_something, evidence.told)),
    )
    found = {rule.id: _lacks(rule, stage) for rule in rules}
    return {name: why for name, why in found.items() if why}


@dataclass(frozen=True)
class _Reach:
    """What a dialogue has that rules may be about."""

    domains: frozenset[str]
    tools: frozenset[str]
    """Empty if nobody knows them."""
    tells_changes: bool
    results_say: bool
    """Unless calls are reported of which no result says anything."""


def _lacks(rule: Rule, stage: _Reach) -> str:
    needed = [] if rule.when is None else [rule.when]
    if isinstance(rule.demand, Never):
        needed.append(rule.demand.condition)
    elif isinstance(rule.demand, Before):
        needed.append(rule.demand.this)
    elif isinstance(rule.demand, Always) and _tells_languages(rule.demand) and not can_tell():
        return NEEDS
    return next((why for each in needed if (why := _never(each, stage))), "")


def _tells_languages(demand: Always) -> bool:
    return isinstance(demand.condition, Test) and demand.condition.name == "language_of_reply"


def _never(condition: TurnCondition, stage: _Reach) -> str:
    """Says why a condition can never hold; empty if it may."""
    if isinstance(condition, Test):
        return _untold(condition, stage)
    if isinstance(condition, AllOf | AnyOf):
        parts = [_never(part, stage) for part in condition.parts]
        hopeless = any(parts) if isinstance(condition, AllOf) else all(parts)
        return next(filter(None, parts), "") if hopeless else ""
    return ""


def _untold(test: Test, stage: _Reach) -> str:
    if test.name in ON_TABLES and not stage.tells_changes:
        return "the backend does not tell what a call changes"
    if test.name == "ungrounded" and not stage.results_say:
        return SILENT
    domain = test.arguments.get("domain")
    if domain and domain not in stage.domains:
        return f"no goal has the domain {domain}"
    named = test.arguments.get("tool") or test.arguments.get("by") or []
    wanted = [named] if isinstance(named, str) else list(named)
    if wanted and stage.tools and stage.tools.isdisjoint(wanted):
        return f"no tool is called {' or '.join(wanted)}"
    return ""


def _names(schemas: Any) -> Iterator[str]:
    """Returns the names in the schemas of tools; nothing of what has another shape."""
    for schema in schemas if isinstance(schemas, list | tuple) else ():
        function = schema.get("function", schema) if isinstance(schema, dict) else {}
        if isinstance(function, dict) and isinstance(function.get("name"), str):
            yield function["name"]
