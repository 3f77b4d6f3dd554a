"""Conditions: a predicate with its arguments, and `all`, `any`, `not` over conditions.

Three-valued (Kleene): what cannot be told stays untold unless the rest decides.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from pytest_todeval.errors import UsageError
from pytest_todeval.evaluate.rules.finding import Found, View


class TurnCondition(Protocol):
    """Something that holds in a turn, or does not, or cannot be told."""

    def find(self, view: View) -> Found: ...


@dataclass(frozen=True)
class Test:
    """A predicate applied to its arguments."""

    name: str
    function: Callable[..., Found] = field(compare=False)
    arguments: Mapping[str, Any] = field(default_factory=dict)

    def find(self, view: View) -> Found:
        """Returns what the predicate finds. Raises UsageError if that is no `Found`."""
        found: object = self.function(view, **self.arguments)
        if not isinstance(found, Found):
            raise UsageError(
                f"predicate {self.name!r} returned {type(found).__name__} {found!r:.60}, expected "
                "yes(reason), no(reason) or unknown(reason) of pytest_todeval.rules"
            )
        return found


@dataclass(frozen=True)
class AllOf:
    """Holds if all do; the reason is that of the first that does not, else of all."""

    parts: Sequence[TurnCondition]

    def find(self, view: View) -> Found:
        return _decided([part.find(view) for part in self.parts], by=False)


@dataclass(frozen=True)
class AnyOf:
    """Holds if one does; the reason is that of the first that does, else of all."""

    parts: Sequence[TurnCondition]

    def find(self, view: View) -> Found:
        return _decided([part.find(view) for part in self.parts], by=True)


def _decided(found: Sequence[Found], *, by: bool) -> Found:
    decisive = next((f for f in found if f.holds is by), None)
    open_ = next((f for f in found if f.holds is None), None)
    return decisive or open_ or Found(not by, "; ".join(f.reason for f in found))


@dataclass(frozen=True)
class NotThis:
    """Holds if the condition does not."""

    part: TurnCondition

    def find(self, view: View) -> Found:
        found = self.part.find(view)
        return Found(None if found.holds is None else not found.holds, found.reason)
