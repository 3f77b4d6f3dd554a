"""Find or download data sets."""

import argparse
import os
from pathlib import Path

from pytest_todeval.commands.output import say
from pytest_todeval.errors import UsageError, known_names
from pytest_todeval.goals.corpus import Corpus, open_corpus
from pytest_todeval.goals.multiwoz import database
from pytest_todeval.goals.store import DEMO, VARIABLE, cache_folder, find_multiwoz, place_of_data
from pytest_todeval.worlds.multiwoz.download import MULTIWOZ_FILES, MULTIWOZ_URL, download

DATA_SETS = ("multiwoz", "demo")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare `list`, `path [NAME]` and `get NAME`."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    actions.add_parser("list", help="where each data set is, or that it is missing")
    path = actions.add_parser("path", help="print the folder of a data set, or the cache")
    path.add_argument("name", nargs="?", metavar="NAME", help=", ".join(DATA_SETS))
    get = actions.add_parser("get", help="download a data set to the user's cache")
    get.add_argument("name", metavar="NAME", help="multiwoz")


def run(arguments: argparse.Namespace) -> int:
    """Does what the arguments say; 0 on success. Raises TodevalError if the person must act."""
    if arguments.action == "list":
        say(_listing().split("\n"))
    elif arguments.action == "path":
        say([str(_path(arguments.name))])
    else:
        _get(arguments.name)
    return 0


def get_multiwoz(base_url: str = MULTIWOZ_URL) -> Path:
    """Download MultiWOZ 2.1 (test, val, databases) to the user's cache, printing a line per file.

    Raises DataMissing or InvalidFile, see `download`. Returns the folder.
    """
    folder = cache_folder() / "multiwoz"
    download(MULTIWOZ_FILES, base_url, folder, tell=print)
    return folder


def _listing() -> str:
    origin, place = place_of_data()
    found = next((f for f in (place / "multiwoz", place) if open_corpus(f) is not None), None)
    demo = _contents(DEMO, open_corpus(DEMO))
    lines = [f"demo      {demo}; comes with the package"]
    if found is None:
        lines.append(f"multiwoz  missing: not in {place} (named by {origin})")
        lines.append("          todeval data get multiwoz   downloads it")
    else:
        lines.append(f"multiwoz  {_contents(found, open_corpus(found))}")
        lines.append(f"          in {found} (named by {origin})")
    return "\n".join(lines)


def _contents(folder: Path, corpus: Corpus | None) -> str:
    counts = {s: len(corpus.records(s)[1]) for s in corpus.splits} if corpus else {}
    goals = ", ".join(f"{split} {count}" for split, count in counts.items() if count)
    databases = "with databases" if database(folder) else "databases missing"
    return f"goals: {goals or 'none'}; {databases}"


def _path(name: str | None) -> Path:
    if name is None:
        return cache_folder()
    return {"multiwoz": find_multiwoz, "demo": lambda: DEMO}[_known(name)]()


def _get(name: str) -> None:
    if _known(name) == "demo":
        say([f"demo comes with the package: {DEMO}"])
        return
    folder = get_multiwoz()
    say([f"multiwoz is in {folder}; without the train split, for which no checksum is known"])
    if os.environ.get(VARIABLE):
        say([f"note: {VARIABLE} is set and comes first: {os.environ[VARIABLE]}"])


def _known(name: str) -> str:
    if name not in DATA_SETS:
        raise UsageError(f"unknown data set {name!r}: {known_names(name, DATA_SETS)}")
    return name
