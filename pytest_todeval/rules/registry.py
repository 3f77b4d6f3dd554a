"""The predicates that rule files may name."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any

from pytest_todeval.rules.finding import Found

__all__ = ["MODULES", "Predicate", "predicate", "predicates"]

MODULES = ("text", "user", "calls", "bookings", "grounding")
"""Of `rules.predicates`; a new predicate is a decorated function in one of them."""


@dataclass(frozen=True)
class Predicate:
    """A named question about a turn, with the arguments it takes."""

    name: str
    function: Callable[..., Found]

    @property
    def parameters(self) -> Mapping[str, inspect.Parameter]:
        """The arguments a rule file may give, the turn itself left out."""
        found = dict(inspect.signature(self.function).parameters)
        found.pop("view")
        return found


def predicate(function: Callable[..., Found]) -> Predicate:
    """Make a function of a `View` and typed arguments a predicate, under its own name."""
    return Predicate(function.__name__, function)


@cache
def predicates() -> Mapping[str, Predicate]:
    """All predicates by name."""
    package = __name__.rpartition(".")[0] + ".predicates"
    members: list[Any] = [
        member for name in MODULES for member in vars(import_module(f"{package}.{name}")).values()
    ]
    found = {member.name: member for member in members if isinstance(member, Predicate)}
    return MappingProxyType(dict(sorted(found.items())))
