"""Which modules a dialogue walks through, by how many calls: the second one of a run, as JSON."""

import json
import sys
import tempfile
import threading
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

SUITE = """
import pytest
from pytest_todeval.systems import RuleSystem


@pytest.fixture(scope="session")
def tod_system():
    return RuleSystem


@pytest.mark.goals("demo", limit=2)
def test_books(dialogue):
    assert dialogue.success
"""


class Walk:
    """Notes the calls of our functions while the second item runs, in all threads."""

    def __init__(self) -> None:
        self.items = 0
        self.calls = 0
        self.modules: set[str] = set()
        self.package = str(Path(__file__).resolve().parents[2] / "pytest_todeval")

    def note(self, frame: FrameType, event: str, argument: Any) -> None:
        """What `sys.setprofile` calls."""
        module = frame.f_code.co_filename
        if event == "call" and self.items == 2 and module.startswith(self.package):
            self.calls += 1
            self.modules.add(module)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        self.items += 1
        sys.setprofile(self.note)
        try:
            return (yield)
        finally:
            sys.setprofile(None)


def main() -> None:
    """Play, and print what it took."""
    walk = Walk()
    threading.setprofile(walk.note)
    with tempfile.TemporaryDirectory() as folder:
        suite = Path(folder) / "test_walk.py"
        suite.write_text(SUITE, encoding="utf-8")
        sys.stdout, shown = sys.stderr, sys.stdout
        code = pytest.main(
            ["-q", "-p", "no:xdist", "-p", "no:cacheprovider", str(suite)], plugins=[walk]
        )
        sys.stdout = shown
    found = {"passed": code == 0, "modules": len(walk.modules), "calls": walk.calls}
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
