"""All seeded faults and variants: the open ones, and those kept apart from who writes rules."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from tests.faulty_bots.seeded import Catalogue, SeededFault, Variant, half

__all__ = ["HALVES", "faults", "variants"]

HALVES = (
    "open", "apart", "open2", "apart2", "open3", "apart3", "open4", "apart4", "apart5", "open6",
    "apart6",
)  # fmt: skip
"""Each is in the modules `HALF_*.py` beside this one, which have a `Catalogue` or several.

The newest rounds are whole: faults of the fourth, right bots of the fifth and sixth. Of earlier
ones those faults are kept that alone show what a rule or verdict catches in their world.
"""


def catalogues() -> Iterator[Catalogue]:
    """Of every module, half by half."""
    for of in HALVES:
        for path in sorted(Path(__file__).parent.glob(f"{of}_*.py")):
            module = import_module(f"{__package__}.{path.stem}")
            for found in vars(module).values():
                if isinstance(found, Catalogue):
                    assert half(found.apart, found.wave) == of, path.name
                    yield found


def faults(of: str = "all") -> tuple[SeededFault, ...]:
    """The faults of one of `HALVES`, or `all`."""
    found = tuple(fault for catalogue in catalogues() for fault in catalogue.faults)
    return tuple(fault for fault in found if of in ("all", fault.half))


def variants(of: str = "all") -> tuple[Variant, ...]:
    """The bots that are as right as the reference bot."""
    found = tuple(variant for catalogue in catalogues() for variant in catalogue.variants)
    return tuple(variant for variant in found if of in ("all", variant.half))
