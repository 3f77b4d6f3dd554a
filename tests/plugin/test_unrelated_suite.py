"""Installed but unused, the plugin costs an unrelated suite nothing it would notice."""

import re
import subprocess
import sys
import tomllib

import pytest

from tests.conftest import PROJECT
from tests.test_layers import MODULES, imports, room_of

HEAVY = ("openai", "vcr", "pydantic", "rapidfuzz", "pooch", "yaml", "hypothesis.core")


def test_nothing_is_printed_or_written(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_it():\n    assert True\n")
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=1)
    lines = [line for line in result.outlines if not line.startswith("plugins:")]
    assert "todeval" not in "\n".join(lines)
    # What pytester itself leaves: the test file, its own output, the base folder of the run.
    left = {path.name for path in pytester.path.iterdir() if path.name != "__pycache__"}
    assert left <= {
        "test_nothing_is_printed_or_written.py",
        "stdout",
        "stderr",
        "runpytest-0",
        "runpytest-current",
    }


def test_no_heavy_module_is_imported(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        f"""
import sys

def test_it():
    assert [name for name in {HEAVY!r} if name in sys.modules] == []
    assert "pytest_todeval.plugin" in sys.modules
"""
    )
    pytester.runpytest_subprocess().assert_outcomes(passed=1)


def test_no_plugin_that_costs_more_than_ours_comes_with_it() -> None:
    """Hypothesis' plugin imports all of hypothesis at the end of every run, used or not."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    required = [re.split(r"[^\w-]", line)[0] for line in project["dependencies"]]
    assert "pytest" in required
    assert "hypothesis" not in required
    importers = {
        room_of(path)
        for path in MODULES
        for _, name in imports(path)
        if name.split(".")[0] == "hypothesis" and path.name != "drawn.py"
    }
    assert importers == {"properties", "strategies"}  # which who draws goals imports


def test_importing_the_package_imports_no_module_of_ours() -> None:
    code = (
        "import sys, pytest_todeval;"
        "print(sorted(n for n in sys.modules if n.startswith('pytest_todeval')))"
    )
    shown = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert shown.strip() == "['pytest_todeval']"


def test_few_modules_of_ours_are_imported(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
import sys

def test_it():
    ours = [name for name in sys.modules if name.startswith("pytest_todeval")]
    assert len(ours) <= 11, ours
"""
    )
    pytester.runpytest_subprocess().assert_outcomes(passed=1)
