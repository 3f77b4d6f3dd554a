"""The variations by name."""

import re

from pytest_todeval.errors import UsageError, known_names
from pytest_todeval.simulation.variation.manners import MANNERS

LEVELS = ("easy", "medium", "hard", "typos", "speech")
"""What there is by rule; a model makes them, too."""
BY_RULE = (*LEVELS, *MANNERS)
"""What takes no model."""
MODEL = "model:"
"""What stands before a level that a model is to make."""
_LANGUAGE = re.compile(r"[^\W\d_a-z][^\d_<>{}\n]{2,40}")


def check_variation(name: object, where: str) -> None:
    """Raises UsageError, which says where, if there is no such variation.

    There are the levels, `model:` before one of them, and languages, written with a capital letter.
    """
    known = (*LEVELS, *MANNERS, *(f"{MODEL}{level}" for level in LEVELS))
    if name in known:
        return
    text = str(name)
    if isinstance(name, str) and _LANGUAGE.fullmatch(name) and text.lower() not in known:
        return
    raise UsageError(
        f"{where}: no variation {text!r:.60}; {known_names(text, known)}; or a language, e.g. "
        "'French'"
    )
