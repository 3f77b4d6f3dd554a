"""Watch the simulated user play one goal with the bot of a suite; take over at any time."""

import argparse

from pytest_todeval.commands.playing import add_suite, play


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the goal, the suite, and where the dialogue is kept."""
    parser.add_argument("goal", metavar="GOAL", help="its id, or SET/ID")
    add_suite(parser)


def run(arguments: argparse.Namespace) -> int:
    """Plays the goal; 0 if `judge.approves` would hold, 1 if not."""
    return play(arguments, arguments.goal, begins=True)
