"""All seeded faults and variants: the open ones, and those kept apart from who writes rules."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from tests.faulty_bots.seeded import Catalogue, SeededFault, Variant

__all__ = ["faults", "variants"]

OPEN, APART = "open_*.py", "apart_*.py"
"""Modules with a `Catalogue` or several, beside this one."""


def catalogues() -> Iterator[Catalogue]:
    """Of every module, the open ones first."""
    for pattern in (OPEN, APART):
        for path in sorted(Path(__file__).parent.glob(pattern)):
            module = import_module(f"{__package__}.{path.stem}")
            for found in vars(module).values():
                if isinstance(found, Catalogue):
                    assert found.apart == path.name.startswith("apart"), path.name
                    yield found


def faults(half: str = "all") -> tuple[SeededFault, ...]:
    """The faults: `open`, `apart` or `all`."""
    found = tuple(fault for catalogue in catalogues() for fault in catalogue.faults)
    return found if half == "all" else tuple(f for f in found if f.apart == (half == "apart"))


def variants(half: str = "all") -> tuple[Variant, ...]:
    """The bots that are as right as the reference bot."""
    found = tuple(variant for catalogue in catalogues() for variant in catalogue.variants)
    return found if half == "all" else tuple(v for v in found if v.apart == (half == "apart"))
