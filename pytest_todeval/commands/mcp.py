"""Stand in for a server of MCP over stdio: a run records what it says, and replays it without it.

A bot starts `todeval mcp hotel python hotel_server.py` in place of `python hotel_server.py`, or
`todeval mcp backend` to have the tools of the goal's backend.
"""

import argparse

from pytest_todeval.errors import UsageError
from pytest_todeval.recording.gateway.stdio_client import speak_for
from pytest_todeval.recording.gateway.upstreams import BACKEND


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `todeval mcp`."""
    parser.add_argument("name", help="what the cassette calls the server; `backend` is the goal's")
    parser.add_argument(
        "server", nargs=argparse.REMAINDER, metavar="COMMAND", help="what starts the server"
    )


def run(args: argparse.Namespace) -> int:
    """Speaks for the server until the client closes our input. Raises UsageError outside a run."""
    command = args.server[1:] if args.server[:1] == ["--"] else args.server
    if (args.name == BACKEND) == bool(command):
        raise UsageError(
            f"`todeval mcp {args.name}`: expected `todeval mcp NAME COMMAND` with the command that "
            f"starts the server, or `todeval mcp {BACKEND}` without one"
        )
    return speak_for(args.name, command)
