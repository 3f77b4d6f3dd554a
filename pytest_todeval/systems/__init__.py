"""Reference bots to test against and to learn from."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_todeval.systems.rules import RuleSystem

__all__ = ["RuleSystem"]


def __getattr__(name: str) -> Any:
    if name == "RuleSystem":
        from pytest_todeval.systems.rules import RuleSystem

        return RuleSystem
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
