"""Domain rules, checked turn by turn without a model; after AutoEval-ToD, section 3.4.

Each rule gets 1 (the turn complies), 0 (it breaks the rule) or -1 (the rule does not apply), with
its reason. Rules come from YAML files, see docs/rules.md; `sets/` holds those that are shipped.
"""

from typing import TYPE_CHECKING, Any

from pytest_todeval.evaluate.rules.checking import check
from pytest_todeval.evaluate.rules.finding import Found, View, no, unknown, yes
from pytest_todeval.evaluate.rules.registry import predicate
from pytest_todeval.evaluate.rules.report import RuleReport, RuleResult
from pytest_todeval.evaluate.rules.rule import Rule, RuleSet

if TYPE_CHECKING:
    from pytest_todeval.evaluate.rules.load import load_rules, shipped

__all__ = [
    "Found",
    "Rule",
    "RuleReport",
    "RuleResult",
    "RuleSet",
    "View",
    "check",
    "load_rules",
    "no",
    "predicate",
    "shipped",
    "unknown",
    "yes",
]


def __getattr__(name: str) -> Any:
    if name in ("load_rules", "shipped"):  # lazy: the loader imports pydantic
        from pytest_todeval.evaluate.rules import load

        return getattr(load, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
