"""Rules that can never apply to a dialogue: nothing that they are about is in its goal or tools."""

from collections.abc import Iterator, Sequence
from typing import Any

from pytest_todeval.evidence.dialogue import Evidence
from pytest_todeval.rules.conditions import AllOf, AnyOf, Condition, Test
from pytest_todeval.rules.rule import Before, Never, Rule

__all__ = ["idle_rules"]


def idle_rules(evidence: Evidence, rules: Sequence[Rule]) -> dict[str, str]:
    """By id, the rules that no turn of the dialogue could keep or break, with what they lack.

    Rules lack a domain that the goal does not have, or tools that the backend does not have.
    """
    domains = {part.domain for part in evidence.goal.domains}
    tools = set(_names(getattr(evidence.backend, "tools", ())))
    found = {rule.id: _lacks(rule, domains, tools) for rule in rules}
    return {name: why for name, why in found.items() if why}


def _lacks(rule: Rule, domains: set[str], tools: set[str]) -> str:
    needed = [] if rule.when is None else [rule.when]
    if isinstance(rule.demand, Never):
        needed.append(rule.demand.condition)
    elif isinstance(rule.demand, Before):
        needed.append(rule.demand.this)
    return next((why for each in needed if (why := _never(each, domains, tools))), "")


def _never(condition: Condition, domains: set[str], tools: set[str]) -> str:
    """Why a condition can never hold; empty if it may."""
    if isinstance(condition, Test):
        return _untold(condition, domains, tools)
    if isinstance(condition, AllOf | AnyOf):
        parts = [_never(part, domains, tools) for part in condition.parts]
        hopeless = any(parts) if isinstance(condition, AllOf) else all(parts)
        return next(filter(None, parts), "") if hopeless else ""
    return ""


def _untold(test: Test, domains: set[str], tools: set[str]) -> str:
    domain = test.arguments.get("domain")
    if domain and domain not in domains:
        return f"no goal has the domain {domain}"
    named = test.arguments.get("tool") or test.arguments.get("by") or []
    wanted = [named] if isinstance(named, str) else list(named)
    if wanted and tools and tools.isdisjoint(wanted):
        return f"no tool is called {' or '.join(wanted)}"
    return ""


def _names(schemas: Any) -> Iterator[str]:
    """The names in the schemas of tools; nothing of what has another shape."""
    for schema in schemas if isinstance(schemas, list | tuple) else ():
        function = schema.get("function", schema) if isinstance(schema, dict) else {}
        if isinstance(function, dict) and isinstance(function.get("name"), str):
            yield function["name"]
