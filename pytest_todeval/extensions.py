"""What installed packages bring: worlds, predicates of rules, strategies, questions for judges.

A package offers each through an entry point. They are looked for only when somebody asks for a name
that is not built in, or for all names: a package that nobody uses costs nothing.
"""

import warnings
from collections.abc import Callable, Container
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Generic, TypeVar

from pytest_todeval.errors import UsageError

__all__ = ["ExtensionPoint", "package_of"]

T = TypeVar("T")


@dataclass(frozen=True)
class ExtensionPoint(Generic[T]):
    """One kind of thing that packages may bring."""

    group: str
    """The group of the entry points, e.g. `pytest_todeval.worlds`."""
    noun: str
    """What one is called in messages, e.g. `world`."""
    expected: str
    """What the object of an entry point has to be, in words."""
    accepts: Callable[[Any], bool]
    """Whether an object is that."""

    def offers(self, built_in: Container[str]) -> dict[str, EntryPoint]:
        """Returns the entry points by name, in the order of the alphabet.

        A name that is built in, or offered twice, goes to the first, with a warning.
        """
        found: dict[str, EntryPoint] = {}
        for entry in entry_points(group=self.group):
            if entry.name in built_in or entry.name in found:
                first = package_of(found[entry.name]) if entry.name in found else "a built-in one"
                message = (
                    f"{self.noun} {entry.name!r} of {package_of(entry)} is hidden by {first} of "
                    f"that name: rename one of them in its pyproject.toml, under {self.group}"
                )
                warnings.warn(message, stacklevel=2)
            else:
                found[entry.name] = entry
        return dict(sorted(found.items()))

    def load(self, entry: EntryPoint) -> T:
        """Returns the object of an entry point.

        Raises UsageError, which names the package, if it cannot be imported or is something else.
        """
        try:
            found = entry.load()
        except Exception as error:
            raise self.broken(
                entry,
                f"cannot be loaded from {entry.value}: {type(error).__name__}: {error}. Correct "
                f"the entry point in its pyproject.toml (MODULE:NAME, under {self.group}) and "
                "install it again; or update or remove that package",
            ) from error
        if not self.accepts(found):
            raise self.broken(
                entry,
                f"{entry.value} is {_described(found)}, expected {self.expected}; correct, update "
                "or remove that package",
            )
        accepted: T = found
        return accepted

    def named(self, entry: EntryPoint, name: str, thing: T) -> T:
        """The thing, if it goes by the name of its entry point. Raises UsageError if not."""
        if name != entry.name:
            raise self.broken(
                entry,
                f"{entry.value} is named {name!r}, expected {entry.name!r}: give both one name",
            )
        return thing

    def broken(self, entry: EntryPoint, what: str) -> UsageError:
        """Returns an error of the package that an entry point belongs to."""
        colon = "" if what.startswith("cannot") else ":"
        return UsageError(f"{self.noun} {entry.name!r} of {package_of(entry)}{colon} {what}")


def package_of(entry: EntryPoint) -> str:
    """Returns the package of an entry point, for messages."""
    return f"package {entry.dist.name}" if entry.dist else "an installed package"


def _described(found: object) -> str:
    if isinstance(found, type):
        return f"the class {found.__name__!r}"
    return f"{type(found).__name__} {found!r:.60}"
