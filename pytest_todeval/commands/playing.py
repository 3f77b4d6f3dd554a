"""One dialogue of a suite by pytest, so that its conftest, fixtures and options count."""

import argparse
import subprocess
import sys
import tempfile

OURS = "pytest_todeval.integration.chat"
QUIET = (
    "-qq", "-s", "--no-header", "--no-summary", "--tb=short", "-n0", "-p", "no:cacheprovider",
    "-p", "no:warnings", "--todeval-concurrency=1",
)  # fmt: skip
UNGATED = ("todeval_gate", "todeval_baseline", "todeval_report", "todeval_json")
"""Options of the ini file that are about whole runs."""


def add_suite(parser: argparse.ArgumentParser) -> None:
    """Declare what `chat` and `play` have in common."""
    parser.add_argument(
        "tests", nargs="*", metavar="TESTS", help="where the suite is, as pytest takes it"
    )
    parser.add_argument("--plain", action="store_true", help="lines of text, as in a pipe")
    parser.add_argument("--save-test", metavar="FILE", help="keep it as a scripted test")
    parser.add_argument("--save-goal", metavar="FILE", help="add its goal to a goal file")
    parser.add_argument(
        "--pace", type=float, default=0.7, metavar="S", help="seconds between played turns (0.7)"
    )
    parser.add_argument("--live", action="store_true", help="record no calls of models")


def play(arguments: argparse.Namespace, goal: str | None, *, begins: bool) -> int:
    """Runs pytest for one dialogue, in this terminal."""
    given = {
        "goal": goal,
        "plays": "yes" if begins else "no",
        "plain": "yes" if arguments.plain else "no",
        "pace": str(arguments.pace),
        "save-test": arguments.save_test,
        "save-goal": arguments.save_goal,
    }
    with tempfile.TemporaryDirectory(prefix="todeval-chat") as folder:
        record = (
            ["--todeval-record=live"]
            if arguments.live
            else ["--todeval-record=missing", f"--todeval-cassettes={folder}"]
        )
        command = [
            sys.executable, "-m", "pytest", "-p", OURS, *QUIET, *record,
            *(part for name in UNGATED for part in ("-o", f"{name}=")),
            *(f"--chat-{name}={value}" for name, value in given.items() if value is not None),
            *arguments.tests,
        ]  # fmt: skip
        try:
            return subprocess.call(command)
        except KeyboardInterrupt:
            return 130
