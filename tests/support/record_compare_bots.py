"""Record the cassettes of examples/compare_bots anew, with a model by rules:

python -m tests.support.record_compare_bots
"""

import subprocess
import sys

from pytest_todeval.testing import StandInServer
from tests.conftest import PROJECT
from tests.support.systems_world import rule_model

__all__ = ["main"]


def main() -> int:
    """The run's exit code."""
    with StandInServer(rule_model) as server:
        options = ["--todeval-record=rewrite", f"--todeval-base-url={server.base_url}"]
        asked = [sys.executable, "-m", "pytest", "-q", *options]
        folder = PROJECT / "examples" / "compare_bots"
        return subprocess.run(asked, cwd=folder, check=False).returncode


if __name__ == "__main__":
    raise SystemExit(main())
