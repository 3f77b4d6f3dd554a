"""What a run of two dialogues loads and calls: printed as JSON, in a process of its own."""

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
    """Counts the calls of our functions while the second item runs, in all threads."""

    def __init__(self) -> None:
        self.items = 0
        self.calls = 0
        self.package = ""

    def note(self, frame: FrameType, event: str, argument: Any) -> None:
        """What `sys.setprofile` calls."""
        if event == "call" and self.items == 2:
            self.calls += frame.f_code.co_filename.startswith(self.package)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        import pytest_todeval

        self.package = str(Path(pytest_todeval.__file__).parent)
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
    ours = [name for name in sys.modules if name.partition(".")[0] == "pytest_todeval"]
    walked = {"passed": code == 0, "modules": len(ours), "calls": walk.calls}
    sys.stdout.write(json.dumps(walked) + "\n")


if __name__ == "__main__":
    main()
