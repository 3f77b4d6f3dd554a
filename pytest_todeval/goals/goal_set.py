"""Goals that belong together, and what they were read from."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pytest_todeval.core.goal import Goal

__all__ = ["GoalSet", "World", "fingerprint"]


@dataclass(frozen=True, slots=True)
class World:
    """Where the tools and tables of a goal set come from; they are loaded when a test runs."""

    kind: str
    """`tau_bench`, `tau2` or `service_desk`."""
    domain: str
    """E.g. `retail`."""
    home: Path | None = None
    """The checkout or installed package; None for what is shipped."""


@dataclass(frozen=True, slots=True)
class GoalSet:
    """What a source of goals gives."""

    name: str
    """`multiwoz`, `demo`, or the stem of a file; the `source` of its goals."""
    goals: tuple[Goal, ...]
    """In the order of the file."""
    fingerprint: str
    """12 hex digits of the sha256 of what was loaded; equal data has equal fingerprints."""
    database: Path | None = None
    """A folder or zip with MultiWOZ databases (`db/*_db.json`) for these goals; None where the
    goals come without one."""
    published: bool = False
    """Whether the data set is published, and so beyond its user's power to mend."""
    world: World | None = None
    """For goals that are tasks over tools and tables."""


def fingerprint(parts: Iterable[bytes]) -> str:
    """12 hex digits of the sha256 over the parts, each delimited by its length."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()[:12]
