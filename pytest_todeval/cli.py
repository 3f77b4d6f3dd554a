"""The `todeval` command: each subcommand is a module of `commands`."""
# PYTHON_ARGCOMPLETE_OK

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version

from pytest_todeval.errors import TodevalError

PACKAGE = "pytest-todeval"
COMMANDS = {
    "agreement": "how far raters agree, and a judge with them",
    "annotate": "have people rate what a judge rated, and read their answers back",
    "arena": "which of several bots is better, pair by pair",
    "baseline": "keep what a run found, to hold later runs against",
    "cassettes": "list, read, compare, check and convert recorded calls",
    "chat": "talk to the bot of a suite",
    "compare": "hold runs against an earlier one, goal by goal",
    "data": "find or download data sets",
    "export": "write a run in the format of tau-bench's or tau2's results",
    "gate": "hold a results file against gates",
    "goals": "list goal sets, and find goals that a bot passes by doing nothing",
    "hear": "show what is heard in a bot's words, or check it",
    "history": "keep runs in one file, and show how their values went",
    "init": "write a first suite for the bot of a project",
    "judge": "judge stored dialogues: those of a results file, or transcripts",
    "mcp": "stand in for a server of MCP over stdio, so that a run records what it says",
    "merge": "merge results files of several runs",
    "mutate": "run a suite against faults put into its bot: which would get through",
    "models": "ask the endpoints of models for what they can do",
    "play": "watch the simulated user play a goal, and take over",
    "report": "print all that a results file says",
    "score": "score stored dialogues",
    "view": "serve runs as pages, on this machine alone",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a subcommand; 0 on success, 2 with a message if the person must act."""
    given = sys.argv[1:] if argv is None else argv
    completing = os.environ.get("COMP_LINE", "") if "_ARGCOMPLETE" in os.environ else ""
    given = completing.split()[1:] or given
    parser = argparse.ArgumentParser(prog="todeval", description="Dialogue regression testing.")
    parser.add_argument("--version", action="version", version=f"todeval {version(PACKAGE)}")
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    asked = next((each for each in given if each in COMMANDS), None)
    for name, text in COMMANDS.items():
        subparser = subparsers.add_parser(name, help=text)
        if name == asked:  # importing all commands takes a third of a second
            module = importlib.import_module(f"pytest_todeval.commands.{name}")
            subparser.description = module.__doc__
            module.add_arguments(subparser)
            subparser.set_defaults(run=module.run)
    if completing:  # in a shell: the package argcomplete answers, and ends this process
        from argcomplete import autocomplete

        autocomplete(parser)
    if not given:
        parser.print_help(sys.stderr)
        return 2
    arguments = parser.parse_args(given)
    try:
        code = int(arguments.run(arguments))
        sys.stdout.flush()
        return code
    except TodevalError as error:
        print(f"todeval {arguments.command}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # whoever read the output, `head` say, has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141


if __name__ == "__main__":
    raise SystemExit(main())
