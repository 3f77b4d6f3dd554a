"""Talk to the bot of a suite, with its backend beside it; hand over to the simulated user."""

import argparse

from pytest_todeval.commands.playing import add_suite, play


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the goal, the suite, and where the dialogue is kept."""
    parser.add_argument("--goal", metavar="GOAL", help="as whom to talk (the suite's first goal)")
    add_suite(parser)


def run(arguments: argparse.Namespace) -> int:
    """Has the dialogue; 0 unless something went wrong around it."""
    return play(arguments, arguments.goal, begins=False)
