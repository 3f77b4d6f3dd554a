"""A shell completes `todeval` by the package argcomplete."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("line", "completed"),
    [
        ("todeval go", {"goals"}),
        ("todeval merge --js", {"--json"}),
        ("todeval goals ch", {"check"}),
        ("todeval gate --strict --mark", {"--markdown"}),
    ],
)
def test_commands_and_options_are_completed(line: str, completed: set[str], tmp_path: Path) -> None:
    pytest.importorskip("argcomplete")
    asked = {
        "_ARGCOMPLETE": "1",
        "_ARGCOMPLETE_IFS": "\n",
        "_ARGCOMPLETE_STDOUT_FILENAME": str(tmp_path / "out"),
        "_ARGCOMPLETE_SUPPRESS_SPACE": "1",
        "COMP_LINE": line,
        "COMP_POINT": str(len(line)),
    }
    command = [sys.executable, "-c", "from pytest_todeval.cli import main; main()"]
    subprocess.run(command, env={**os.environ, **asked}, check=True)
    assert completed <= set((tmp_path / "out").read_text(encoding="utf-8").split("\n"))
