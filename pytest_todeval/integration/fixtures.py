"""Which definition of a fixture a test gets: ours, or one of the suite."""

import pytest


def is_ours(item: pytest.Item, name: str) -> bool:
    """Whether a test uses our own fixture of this name, if only through one that asks for it."""
    if name not in getattr(item, "fixturenames", ()):
        return False
    # The only way to ask pytest which definition of a fixture a test would get.
    definitions = item.session._fixturemanager.getfixturedefs(name, item) or ()
    for definition in reversed(definitions):
        if definition.func.__module__ == "pytest_todeval.plugin":
            return True
        if name not in definition.argnames:
            return False
    return False
