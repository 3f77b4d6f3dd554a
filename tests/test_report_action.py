"""The action of examples/ci: its commands, run here as they stand."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from pytest_todeval.runs.reports.results import write_results
from tests.conftest import PROJECT
from tests.support.page_world import entry_of, mixed_run, run_of

ACTION = PROJECT / "examples" / "ci" / ".github" / "actions" / "dialogue-report" / "action.yml"


def steps() -> list[dict[str, Any]]:
    return [each for each in yaml.safe_load(ACTION.read_text())["runs"]["steps"] if "run" in each]


@pytest.mark.parametrize("before", ["", "main.json"])
def test_each_step_does_what_it_says(tmp_path: Path, before: str) -> None:
    write_results(tmp_path / "results.json", mixed_run(8))
    write_results(tmp_path / "main.json", run_of(*(entry_of(f"D{n:03}") for n in range(8))))
    (tmp_path / "gh").write_text('#!/bin/sh\necho "$@" > asked; cat "$7" > told\n')
    (tmp_path / "gh").chmod(0o755)
    environment = {
        "PATH": f"{tmp_path}:{Path(sys.executable).parent}:{os.environ['PATH']}",
        "RESULTS": "results.json",
        "BEFORE": before,
        "NUMBER": "7",
        "GITHUB_STEP_SUMMARY": "summary.md",
    }
    said = [
        subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for step in steps()
    ]
    summary = (tmp_path / "summary.md").read_text()
    assert said[0].count("::error file=test_hotel.py") == 2
    assert summary.startswith("**8 dialogues: 4 failed, 4 passed**")
    assert ("- broke (4)" in summary) == bool(before)
    assert (tmp_path / "dialogue-report.html").stat().st_size > 100_000
    assert (tmp_path / "asked").read_text().startswith("pr comment 7 --edit-last")
    assert (tmp_path / "told").read_text() == summary


def test_no_input_stands_in_a_command() -> None:
    """What a branch or a file is called must not become a command."""
    assert len(steps()) == 4
    assert not [step["run"] for step in steps() if "${{" in step["run"]]
