"""Benchmarks and domains: one folder each, with goals, backend, user, evaluation and options.

What stands in the `__init__` of a world's folder is read in every pytest run, so it is constants:
`OPTIONS` (name -> help) and `MARKER` (its signature and what it does). The rest is imported when a
marker asks for the world.
"""

from pytest_todeval.worlds import multiwoz, tau2, tau_bench

__all__ = ["marker_lines", "options"]

DECLARED = (multiwoz, tau_bench, tau2)


def options() -> dict[str, str]:
    """The options that worlds read, without `--todeval-`, and what they say."""
    return {name: text for world in DECLARED for name, text in world.OPTIONS.items()}


def marker_lines() -> tuple[str, ...]:
    """The goal markers of worlds, as pytest lists them. Each is named like its world's folder."""
    return tuple(world.MARKER for world in DECLARED)
