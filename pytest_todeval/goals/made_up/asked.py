"""Which goals to make up, before anything is loaded."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from pytest_todeval.errors import UsageError

MOST = 100_000


class MadeUpKind(StrEnum):
    """What is made up, and what the right answer to it is."""

    SYNTHETIC = "synthetic"
    """It can be had."""
    UNREALISTIC = "unrealistic"
    """Some value exists nowhere: a refusal."""
    UNFULFILLABLE = "unfulfillable"
    """Each value exists, and nothing has them all: a refusal."""


@dataclass(frozen=True, slots=True)
class MadeUp:
    """Goals to make up; a source for the marker `goals`.

    Equal ones make equal goals, in every process and on every machine.
    """

    kind: MadeUpKind
    source: str
    """The goal set whose shapes and database they have, or a goal file."""
    n: int
    seed: int = 0
    domains: tuple[str, ...] | None = None
    """About these domains and no others; None: as the goal set's own goals."""

    def __str__(self) -> str:
        domains = "" if self.domains is None else f", domains={list(self.domains)}"
        return f"{self.kind}({self.source!r}, {self.n}, seed={self.seed}{domains})"


def synthetic(
    source: str | Path, n: int, seed: int = 0, *, domains: Sequence[str] | None = None
) -> MadeUp:
    """`n` goals that can be met and that no goal of the set equals (clem:todd, A.7.1).

    `source` is a goal set by name or a goal file, over a database. The goals have its shapes: which
    domains come together, which slots are constrained, booked and asked for. Values are those
    of a row of the database, so that each can be met. Unlike all goals of the set, in all its
    splits, in what they constrain and book. A larger `n` adds goals.

        @pytest.mark.goals(synthetic("demo", 50, seed=1))
    """
    __tracebackhide__ = True  # the suite's own line is what is wrong
    return made_up(MadeUpKind.SYNTHETIC, source, n, seed, domains)


def unrealistic(
    source: str | Path, n: int, seed: int = 0, *, domains: Sequence[str] | None = None
) -> MadeUp:
    """`n` goals with values that exist nowhere: a table for -2 (clem:todd, A.7.2).

    One or two values of each domain are such; the others are real. The right answer is to say so,
    and to book nothing: see `dialogue.refusal`. (The paper counts what is booked as asked.)
    """
    __tracebackhide__ = True  # the suite's own line is what is wrong
    return made_up(MadeUpKind.UNREALISTIC, source, n, seed, domains)


def unfulfillable(
    source: str | Path, n: int, seed: int = 0, *, domains: Sequence[str] | None = None
) -> MadeUp:
    """`n` goals whose values all exist, of which no row of the database has them all.

    The right answer is to say so, and to book nothing: see `dialogue.refusal`.
    """
    __tracebackhide__ = True  # the suite's own line is what is wrong
    return made_up(MadeUpKind.UNFULFILLABLE, source, n, seed, domains)


def made_up(
    kind: MadeUpKind, source: str | Path, n: int, seed: int, domains: Sequence[str] | None
) -> MadeUp:
    """Goals of a kind. Raises UsageError, with the argument, on what is no number or no list."""
    __tracebackhide__ = True
    for name, value, least in (("n", n, 1), ("seed", seed, 0)):
        whole = isinstance(value, int) and not isinstance(value, bool)
        if not whole or not least <= value <= (MOST if name == "n" else value):
            raise UsageError(
                f"{kind}: {name}: got {value!r}, expected a whole number from {least}"
                + (f" to {MOST}" if name == "n" else " up")
            )
    if not isinstance(source, str | Path):
        raise UsageError(f"{kind}: got {source!r:.60}, expected a goal set or the path of a file")
    if isinstance(domains, str) or (domains is not None and not domains):
        raise UsageError(f"{kind}: domains: got {domains!r}, expected a list, e.g. ['hotel']")
    return MadeUp(kind, str(source), n, seed, None if domains is None else tuple(domains))
