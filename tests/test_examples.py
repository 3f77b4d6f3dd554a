"""The examples run as they stand."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import NO_OTHERS, PROJECT

EXAMPLES = sorted({path.parent for path in (PROJECT / "examples").glob("*/test_*.py")})
NEEDS_DATA = {"multiwoz"}
README_RUNS = {"quickstart"}
"""The first of the README's commands plays all its goals."""
NEEDS_PACKAGES = {"fastapi_bot": ("fastapi", "uvicorn"), "flask_bot": ("flask",)}
SLOW = README_RUNS | NEEDS_PACKAGES.keys() | {"rasa_rest", "async_bot", "ci", "compare_bots"}
INSTALLED_FIRST = {"own_world"}
"""Played by tests/test_own_world.py."""
NEEDS_SERVERS = {"http_bots"}
"""These run in `tests/plugin/test_bots_in_other_processes.py`."""


def run_pytest(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments, str(folder)],
        capture_output=True,
        text=True,
        cwd=PROJECT,
        env={**os.environ, "NO_COLOR": "1", "COLUMNS": "100", "PYTEST_ADDOPTS": NO_OTHERS},
        check=False,
    )


@pytest.mark.parametrize(
    "folder",
    [
        pytest.param(path, id=path.name, marks=[pytest.mark.thorough] * (path.name in SLOW))
        for path in EXAMPLES
        if path.name not in NEEDS_DATA | INSTALLED_FIRST | NEEDS_SERVERS
    ],
)
def test_example_passes(folder: Path) -> None:
    for package in NEEDS_PACKAGES.get(folder.name, ()):
        pytest.importorskip(package)
    result = run_pytest(folder)
    assert result.returncode == 0, result.stdout + result.stderr
    assert re.search(r"\d dialogues? \(", result.stdout)


def test_multiwoz_example_runs_on_real_goals(shared_data: Path) -> None:
    result = run_pytest(
        PROJECT / "examples" / "multiwoz", f"--todeval-data={shared_data}", "--todeval-limit=5"
    )
    assert "5 dialogues (AgendaUser with RuleSystem)" in result.stdout, result.stdout
