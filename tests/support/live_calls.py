"""Calls by chance, for what is compared live with tau-bench and tau2."""

from collections.abc import Mapping
from random import Random
from typing import Any

__all__ = ["Call", "spoilt"]

Call = tuple[str, Mapping[str, Any]]
"""A tool and its arguments."""


def spoilt(random: Random, call: Call, whole: float) -> Call:
    """With an argument less, one more, or one of another kind; as it is in this share of cases."""
    name, arguments = call[0], dict(call[1])
    if random.random() < whole:
        return name, arguments
    chosen = random.choice([*arguments, "extra"])
    value: Any = random.choice([None, "", 0, [], {}, [arguments.get(chosen)], "zz"])
    if arguments.pop(chosen, None) is None or random.random() < 0.5:
        arguments[chosen] = value
    return name, arguments
