"""The pages that are written from the code are what it says."""

import subprocess
import sys

from tests.conftest import PROJECT


def test_the_reference_is_up_to_date() -> None:
    command = [sys.executable, str(PROJECT / "docs" / "write_reference.py"), "--check"]
    run = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
