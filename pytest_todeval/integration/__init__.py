"""What pytest's hooks call.

pytest parses and rewrites each module of a plugin's package anew where bytecode is not written, as
in many images, and threads that import disturb each other's parsing. Our modules assert nothing for
tests to see: they are imported as all others are, from the bytecode that pip wrote.
"""

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType


class _Plain(MetaPathFinder):
    """Finds our modules before pytest's own finder, which would rewrite them."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname.startswith("pytest_todeval."):
            return PathFinder.find_spec(fullname, path, target)
        return None


sys.meta_path.insert(0, _Plain())
