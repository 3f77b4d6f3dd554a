"""Reference bots to test against and to learn from."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_todeval.systems.chat import ChatSystem
    from pytest_todeval.systems.desk import DeskBot
    from pytest_todeval.systems.rules import RuleSystem

_HOMES = {"ChatSystem": "chat", "DeskBot": "desk", "RuleSystem": "rules"}

__all__ = ["ChatSystem", "DeskBot", "RuleSystem"]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
