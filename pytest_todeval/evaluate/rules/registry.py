"""The predicates that rule files may name: the built-in ones, and those of installed packages.

A package offers a predicate through an entry point in the group `pytest_todeval.predicates`: its
name is the predicate's, its object a function decorated with `predicate`.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, wraps
from importlib import import_module
from importlib.metadata import EntryPoint
from types import MappingProxyType
from typing import Any

from pytest_todeval.errors import UsageError
from pytest_todeval.evaluate.rules.finding import Found, View
from pytest_todeval.extensions import ExtensionPoint

MODULES = (
    "text", "user", "calls", "bookings", "grounding", "denials", "agreement", "confirmations",
    "changes", "consent", "promises", "reply_form", "reply_language", "figures", "inventions",
    "persons", "manners", "records", "handing_over", "counts", "steps", "step_words",
)  # fmt: skip
"""Of `evaluate.rules.predicates`; a new predicate is a decorated function in one of them."""


@dataclass(frozen=True)
class Predicate:
    """A named question about a turn, with the arguments it takes."""

    name: str
    function: Callable[..., Found]

    @property
    def parameters(self) -> Mapping[str, inspect.Parameter]:
        """The arguments a rule file may give, the turn itself left out."""
        _, *rest = inspect.signature(self.function).parameters.items()
        return dict(rest)


PREDICATES: ExtensionPoint[Predicate] = ExtensionPoint(
    group="pytest_todeval.predicates",
    noun="predicate",
    expected="a function decorated with pytest_todeval.rules.predicate",
    accepts=lambda found: isinstance(found, Predicate),
)


def predicate(function: Callable[..., Found]) -> Predicate:
    """Makes a function of a `View` and typed arguments a predicate, under its own name.

    Raises UsageError if it has no argument for the `View`, or another one without a type.
    """
    names = list(inspect.signature(function).parameters)
    told = f"predicate {function.__name__!r}"
    if not names:
        raise UsageError(f"{told} takes no argument: its first one is the `View` of a turn")
    untyped = [name for name in names[1:] if name not in inspect.get_annotations(function)]
    if untyped:
        raise UsageError(f"{told}: argument {untyped[0]!r} has no type; write `{untyped[0]}: str`")
    return Predicate(function.__name__, _once(function))


def _once(function: Callable[..., Found]) -> Callable[..., Found]:
    """Judges a turn once, however many rules and scores ask the same of it."""

    @wraps(function)
    def known(view: View, /, *args: Any, **kwargs: Any) -> Found:
        given = repr((args, kwargs)) if args or kwargs else ""
        key = (function, view.index, given)
        return view.evidence.once(key, lambda: function(view, *args, **kwargs))

    return known


@cache
def predicates() -> Mapping[str, Predicate]:
    """Returns the built-in predicates by name."""
    package = __name__.rpartition(".")[0] + ".predicates"
    members: list[Any] = [
        member for name in MODULES for member in vars(import_module(f"{package}.{name}")).values()
    ]
    found = {member.name: member for member in members if isinstance(member, Predicate)}
    return MappingProxyType(dict(sorted(found.items())))


def find_predicate(name: str) -> Predicate | None:
    """Returns the predicate of this name; None if there is none.

    Raises UsageError if the package that offers it is broken.
    """
    built_in = predicates()
    if name in built_in:
        return built_in[name]
    entry = PREDICATES.offers(built_in).get(name)
    return None if entry is None else _installed(entry)


def predicate_names() -> tuple[str, ...]:
    """Returns the names of all predicates, built-in ones first."""
    return (*predicates(), *PREDICATES.offers(predicates()))


def _installed(entry: EntryPoint) -> Predicate:
    found = PREDICATES.load(entry)
    return PREDICATES.named(entry, found.name, found)
