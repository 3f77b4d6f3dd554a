"""The examples run from a copy, as whoever takes them would run them."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import NO_OTHERS, PROJECT

FOLDER = PROJECT / "examples"
EXAMPLES = sorted({path.parent for path in FOLDER.glob("*/test_*.py")})
NEEDS_DATA = {"multiwoz"}
README_RUNS = {"quickstart"}
"""The first of the README's commands plays all its goals."""
NEEDS_PACKAGES = {"fastapi_bot": ("fastapi", "uvicorn"), "flask_bot": ("flask",)}
SLOW = (
    README_RUNS
    | NEEDS_PACKAGES.keys()
    | {"rasa_rest", "async_bot", "ci", "compare_bots", "records"}
)
INSTALLED_FIRST = {"own_world"}
"""Played by tests/test_own_world.py."""
NEEDS_SERVERS = {"http_bots"}
"""These run in `tests/plugin/test_bots_in_other_processes.py`."""
OLD_RECORDINGS = PROJECT / "cassettes"


def copied(name: str, place: Path) -> Path:
    """The example, elsewhere."""
    left = shutil.ignore_patterns("__pycache__", "node_modules", ".pytest_cache")
    return Path(shutil.copytree(FOLDER / name, place / name, ignore=left))


def run_pytest(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1", "COLUMNS": "100", "PYTEST_ADDOPTS": NO_OTHERS},
        check=False,
    )


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.thorough] * (name in SLOW))
        for name in (path.name for path in EXAMPLES)
        if name not in NEEDS_DATA | INSTALLED_FIRST | NEEDS_SERVERS
    ],
)
def test_example_passes_from_a_copy(name: str, tmp_path: Path) -> None:
    for package in NEEDS_PACKAGES.get(name, ()):
        pytest.importorskip(package)
    result = run_pytest(copied(name, tmp_path))
    assert result.returncode == 0, result.stdout + result.stderr
    assert re.search(r"\d dialogues? \(", result.stdout)


def test_each_example_has_its_line() -> None:
    told = re.findall(
        r"^\| \[(\w+)\]\(\1\)", (FOLDER / "README.md").read_text("utf-8"), re.MULTILINE
    )
    assert sorted(told) == sorted(path.name for path in FOLDER.iterdir() if path.is_dir())


def test_recordings_of_earlier_versions_are_replayed(tmp_path: Path) -> None:
    folder = copied("chat_bot", tmp_path)
    shutil.rmtree(folder / "cassettes")
    shutil.copytree(OLD_RECORDINGS, folder / "cassettes")
    result = run_pytest(folder)
    assert "2 passed" in result.stdout, result.stdout + result.stderr


def test_multiwoz_example_runs_on_real_goals(shared_data: Path, tmp_path: Path) -> None:
    options = (f"--todeval-data={shared_data}", "--todeval-limit=5")
    result = run_pytest(copied("multiwoz", tmp_path), *options)
    assert "5 dialogues (AgendaUser with RuleSystem)" in result.stdout, result.stdout
