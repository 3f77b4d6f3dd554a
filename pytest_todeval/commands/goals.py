"""List goal sets, find goals that a bot passes by doing nothing, draft, add and make up goals."""

import argparse
import sys
from contextlib import redirect_stdout
from pathlib import Path

from pytest_todeval.commands import goals_from
from pytest_todeval.commands.goal_adding import add_goal
from pytest_todeval.commands.output import check_output, say, warn, write_json, write_output
from pytest_todeval.errors import TodevalError, UsageError
from pytest_todeval.goals.made_up.asked import MadeUp, MadeUpKind, made_up
from pytest_todeval.runs.reports.table import counted
from pytest_todeval.runs.reports.terminal import trivial_count
from pytest_todeval.start.drafts.goal_text import require_goals, with_goals, yaml_of
from pytest_todeval.start.drafts.wish import EXAMPLE, read_wish
from pytest_todeval.worlds import OPTIONS, registry
from pytest_todeval.worlds.files.writing import goal_file_text
from pytest_todeval.worlds.goal_set import GoalSet
from pytest_todeval.worlds.trivial import trivial

SCHEMA = 1
"""Of the file that `check --json` writes."""
MADE_UP = {
    "synthetic": "make goals up that can be met and that the set does not hold",
    "unrealistic": "make goals up with values that exist nowhere: a bot is to refuse",
    "unfulfillable": "make goals up that nothing meets: a bot is to refuse",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare `list`, `check SOURCE`, `new TEXT`, and `synthetic SOURCE N` with its like."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    places = argparse.ArgumentParser(add_help=False)
    for option, text in OPTIONS.items():
        places.add_argument(f"--{option}", metavar="DIR", help=text)
    actions.add_parser("list", parents=[places], help="the goal sets, and how many goals each has")
    check = actions.add_parser(
        "check",
        parents=[places],
        help="which goals a bot passes that says goodbye and does nothing; 1 if there are any",
    )
    check.add_argument("source", metavar="SOURCE", help="name of a goal set, or a goal file")
    check.add_argument("--split", metavar="S", help="of the goal set (default: its own)")
    check.add_argument("--json", type=Path, metavar="OUT", help="write what was found")
    new = actions.add_parser("new", help="draft a goal from a sentence")
    new.add_argument("wish", metavar="TEXT", help=f"what the user wants, e.g. '{EXAMPLE}'")
    new.add_argument("--into", type=Path, metavar="FILE", help="a goal file to add it to")
    add = actions.add_parser("add", help="add a goal to a goal file, as a failed test shows it")
    add.add_argument("file", type=Path, metavar="FILE", help="a .yaml file; begun if there is none")
    add.add_argument("goal", metavar="GOAL", help="the goal as JSON")
    add.add_argument("--database", metavar="D", help="of a new file: demo, multiwoz, or a folder")
    goals_from.add_arguments(actions.add_parser("from", help="goals of chats and traces"))
    for kind, text in MADE_UP.items():
        made = actions.add_parser(kind, parents=[places], help=text)
        made.add_argument("source", metavar="SOURCE", help="name of a goal set, or a goal file")
        made.add_argument("n", metavar="N", type=int, help="how many")
        made.add_argument("--seed", type=int, default=0, help="another one makes others (0)")
        made.add_argument("--split", metavar="S", help="of the goal set (default: its own)")
        made.add_argument("--domains", metavar="D,D", help="about these domains only")
        made.add_argument("--out", type=Path, metavar="FILE", help="a .yaml or .json file to write")


def run(arguments: argparse.Namespace) -> int:
    """Does what the arguments say; 1 if `check` found goals that a bot passes by doing nothing.

    Raises TodevalError if the person must act.
    """
    if arguments.action == "new":
        return _draft(arguments.wish, arguments.into)
    if arguments.action == "from":
        return goals_from.run(arguments)
    if arguments.action in MADE_UP:
        return _make_up(arguments)
    if arguments.action == "add":
        return add_goal(arguments.file, arguments.goal, arguments.database)
    return _list(arguments) if arguments.action == "list" else _check(arguments)


def _draft(text: str, into: Path | None) -> int:
    """Prints the goal that a sentence says, or add it to a file."""
    wish = read_wish(text)
    if wish.left:
        warn(f"not used: {wish.left} (write it as slot=value, as in: {EXAMPLE})")
    if into is None:
        drafted = yaml_of([wish.entry()], f"todeval goals new: {text}")
        require_goals(drafted)
        say(drafted.rstrip().split("\n"))
    else:
        write_output("--into", into, with_goals(into, [wish.entry()]))
        say([f"{wish.id} added to {into}"])
    return 0


def _load(arguments: argparse.Namespace, source: str | MadeUp, split: str | None = None) -> GoalSet:
    places = {option: getattr(arguments, option.replace("-", "_")) for option in OPTIONS}
    return registry.load(source, split=split, settings=places)


def _list(arguments: argparse.Namespace) -> int:
    names = registry.names()
    width = max(map(len, names))
    for name in names:
        say([f"{name:<{width}}  {_state(arguments, name)}"])
    return 0


def _state(arguments: argparse.Namespace, name: str) -> str:
    """Returns how many goals a set has in its default split, or why it cannot be read."""
    try:
        found = _load(arguments, name)
    except TodevalError as error:
        first, *more = str(error).splitlines() or [""]
        # What follows is a command to get it by, which the last sentence only leads up to.
        return f"not to be read: {first.rpartition('. ')[0] if more and '. ' in first else first}"
    return f"{counted(len(found.goals), 'goal')} ({found.fingerprint})"


def _check(arguments: argparse.Namespace) -> int:
    """Each finding is shown once it is known: tau2's tools take seconds to load."""
    out = arguments.json
    check_output("--json", out, [Path(arguments.source)])
    goal_set = _load(arguments, arguments.source, arguments.split)
    if not goal_set.goals:
        raise UsageError(f"{arguments.source}: there are no goals to check")
    idle: dict[str, str] = {}
    open_: dict[str, str] = {}
    for goal in goal_set.goals:
        with redirect_stdout(sys.stderr):  # some benchmarks' tools print
            told = trivial(goal, goal_set)
        if told.passes is not None:
            idle[goal.id] = told.passes
            say([f"{goal.id}: {told.passes}"])
        if told.untold is not None:
            open_[goal.id] = told.untold
            say([f"{goal.id}: not told: {told.untold}"])
    if out:
        found = {
            "schema": SCHEMA,
            "goal_set": goal_set.name,
            "fingerprint": goal_set.fingerprint,
            "goals": len(goal_set.goals),
            "trivial": idle,
            "untold": open_,
        }
        write_json("--json", out, found)
    rest = f"; for {len(open_)} no metric can tell" if open_ else ""
    said = trivial_count(len(idle), len(goal_set.goals))
    say([f"{goal_set.name} ({goal_set.fingerprint}): {said}{rest}"])
    return int(bool(idle))


def _make_up(arguments: argparse.Namespace) -> int:
    """Writes the goals to a file, or print them as one."""
    out = arguments.out
    check_output("--out", out, [Path(arguments.source)])
    domains = None if arguments.domains is None else tuple(arguments.domains.split(","))
    kind = MadeUpKind(arguments.action)
    asked = made_up(kind, arguments.source, arguments.n, arguments.seed, domains)
    found = _load(arguments, asked, arguments.split)
    as_json = out is not None and out.suffix.lower() == ".json"
    title = f"{arguments.n} goals made up: {asked}"
    text = goal_file_text(found, beside=out, title=title, as_json=as_json)
    if out is None:
        say(text.rstrip().split("\n"))
    else:
        write_output("--out", out, text)
        say([f"{len(found.goals)} goals written to {out}"])
    return 0
