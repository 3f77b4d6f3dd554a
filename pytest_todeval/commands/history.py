"""Keep runs in one SQLite file, and show how their values went over time."""

import argparse
import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path

from pytest_todeval.commands.output import say
from pytest_todeval.errors import UsageError, known_names
from pytest_todeval.runs.reports.history.lines import history_lines
from pytest_todeval.runs.reports.history.store import keep_run, kept_runs
from pytest_todeval.runs.reports.results import read_results
from pytest_todeval.runs.reports.sequential.stopped import LEANING, stopped_early

USUAL = ("passed", "success", "booking", "reward")
BRANCHES = ("GITHUB_HEAD_REF", "GITHUB_REF_NAME", "CI_COMMIT_REF_NAME", "BRANCH_NAME")
"""Where CI systems say which branch they test: they check out a commit, not a branch."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `todeval history`."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    add = actions.add_parser("add", help="keep the run of a results file")
    add.add_argument("history", type=Path, metavar="HISTORY", help="the SQLite file")
    add.add_argument("file", type=Path, metavar="RESULTS", help="a results file")
    add.add_argument("--branch", help="default: what CI or git says")
    add.add_argument("--version", metavar="TEXT", help="of the bot (default: git's commit)")
    show = actions.add_parser("show", help="print values over time, and where they changed")
    show.add_argument("history", type=Path, metavar="HISTORY", help="the SQLite file")
    show.add_argument(
        "--metric", nargs="+", default=[], metavar="NAME", help=f"default: {' '.join(USUAL)}"
    )
    show.add_argument("--branch", help="only the runs of this branch")
    show.add_argument("--bot", help="only the runs of this bot")


def run(args: argparse.Namespace) -> int:
    """Adds a run, or print the history.

    Raises UsageError and InvalidFile on what is missing, unknown or no history.
    """
    return _add(args) if args.action == "add" else _show(args)


def _add(args: argparse.Namespace) -> int:
    branch = args.branch or next((os.environ[b] for b in BRANCHES if os.environ.get(b)), None)
    branch = branch or _git("rev-parse", "--abbrev-ref", "HEAD") or "unknown"
    version = args.version or _git("rev-parse", "--short=12", "HEAD") or "unknown"
    at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S")
    found = read_results(args.file)
    added = keep_run(args.history, found, at=at, branch=branch, version=version)
    told = f"added {branch} {version}" if added else "the run is there already"
    say([f"{args.history}: {told}"])
    if (early := stopped_early(found["environment"])) is not None:
        say([f"the run {early}: {LEANING}"])
    return 0


def _git(*command: str) -> str:
    try:
        ran = subprocess.run(["git", *command], capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return ran.stdout.strip() if ran.returncode == 0 else ""


def _show(args: argparse.Namespace) -> int:
    runs = kept_runs(args.history, branch=args.branch, bot=args.bot)
    if not runs:
        every = kept_runs(args.history)
        branches = ", ".join(sorted({each.branch for each in every})) or "none"
        bots = ", ".join(sorted({each.bot for each in every})) or "none"
        raise UsageError(f"no such run in {args.history}; branches: {branches}; bots: {bots}")
    known = sorted({name for each in runs for name in each.values})
    for name in args.metric:
        if name not in known:
            raise UsageError(f"--metric: got {name!r}; {known_names(name, known)}")
    names = args.metric or [name for name in USUAL if name in known]
    say(history_lines(runs, names))
    return 0
