"""Serve runs as pages on this machine alone: several files, any two compared, a run that is on."""

import argparse
import json
import threading
from functools import lru_cache
from os import SEEK_END
from pathlib import Path
from typing import Any

from pytest_todeval.commands.cassette_page import ShownCassettes
from pytest_todeval.commands.output import say
from pytest_todeval.commands.shown import shown_of
from pytest_todeval.errors import InvalidFile, UsageError
from pytest_todeval.runs.reports.results import environment, read_results, results
from pytest_todeval.runs.reports.schema import Results
from pytest_todeval.runs.viewer.run_data import Shown
from pytest_todeval.runs.viewer.server import ViewServer

PARTIAL = ".partial"
"""What a run keeps beside its results file until it ends."""
KEPT = 4
"""Runs that are held in memory."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `todeval view`."""
    parser.add_argument(
        "files",
        nargs="*",
        type=Path,
        metavar="RESULTS",
        help="results files; of a run that is on, the file that it will write",
    )
    parser.add_argument(
        "--cassettes", type=Path, metavar="FOLDER", help="show the cassettes there, too, or alone"
    )
    parser.add_argument(
        "--cassettes-before",
        type=Path,
        metavar="FOLDER",
        help="how the cassettes differ from those, e.g. of another checkout",
    )
    parser.add_argument("--history", type=Path, metavar="FILE", help="show the runs kept there")
    parser.add_argument("--port", type=int, default=0, help="default: one that is free")


def run(args: argparse.Namespace) -> int:
    """Serves until it is broken off.

    Raises UsageError if a file is not there, or the port is taken.
    """
    if not args.files and args.cassettes is None:
        raise UsageError("name what to show: results files, or --cassettes FOLDER")
    if args.cassettes_before is not None and args.cassettes is None:
        raise UsageError("--cassettes-before is what --cassettes FOLDER is held against: add it")
    for path in args.files:
        if path.is_dir():
            raise UsageError(f"{path} is a folder; name the results files in it")
        if not path.exists() and not _partial(path).exists():
            raise UsageError(f"no results file at {path}, and no run that writes one there")
    shown = args.cassettes and ShownCassettes(args.cassettes, args.cassettes_before)
    try:
        server = server_of(args.files, args.history, args.port, shown)
    except (OSError, OverflowError) as error:
        raise UsageError(f"--port {args.port}: {error}") from None
    with server:
        say([f"todeval view: {server.address}", "Ctrl-C ends it"])
        server.serve_forever()
    return 0


def server_of(
    files: list[Path],
    history: Path | None = None,
    port: int = 0,
    cassettes: ShownCassettes | None = None,
) -> ViewServer:
    """Returns a server of these files, which are read as they are when they are asked for."""
    running = [RunUnderWay(_partial(path)) for path in files]
    reading = threading.Lock()

    @lru_cache(maxsize=KEPT)
    def shown(now: int, before: int | None, _state: object) -> Shown:
        """Read again only once a file has changed."""
        path = files[now]
        if running[now].path.exists():
            return Shown(running[now].read(), path.stem, live=True)
        earlier = None if before is None else files[before]
        return shown_of(path, read_results(path), earlier, history=history)

    def load(now: int, before: int | None) -> Shown:
        places = [now] if before is None else [now, before]
        with reading:
            return shown(now, before, tuple(_state(files[place]) for place in places))

    return ViewServer([path.name for path in files], load, port, cassettes)


def _partial(path: Path) -> Path:
    return path.with_name(f"{path.name}{PARTIAL}")


def _state(path: Path) -> tuple[int, ...]:
    """Returns what changes whenever the file, or what a run keeps beside it, does."""
    there = [each for each in (path, _partial(path)) if each.exists()]
    return tuple(n for each in there for n in (each.stat().st_mtime_ns, each.stat().st_size))


class RunUnderWay:
    """What a run has played so far; what was read once is not read again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._entries: list[Any] = []
        self._read = 0
        """Bytes."""
        self._environment = environment()

    def read(self) -> Results:
        """Reads on. A line that is still being written is left for the next time.

        Raises InvalidFile if the file is not one that a run keeps.
        """
        with self.path.open("rb") as file:
            if file.seek(0, SEEK_END) < self._read:  # another run has begun
                self._read = 0
                self._entries.clear()
            file.seek(self._read)
            for line in file:
                if line.endswith(b"\n"):
                    self._entries.append(self._entry(line))
                    self._read += len(line)
        return results(self._entries, self._environment)

    def _entry(self, line: bytes) -> Any:
        try:
            return json.loads(line)["entry"]
        except (ValueError, LookupError, TypeError) as error:
            raise InvalidFile(f"{self.path}: not what a run keeps: {error}") from None
