"""The file: a row for each run of a bot, and one for each of its values."""

import hashlib
import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from pytest_todeval.errors import InvalidFile, UsageError
from pytest_todeval.runs.reports.comparison.values import counts, worth_of
from pytest_todeval.runs.reports.schema import DialogueEntry, Results, grouped

VERSION = 1
"""Of the tables; stands in SQLite's user_version."""
MOST_STEPS = 200_000_000
"""Of SQLite's machine in one statement: some 10 s; a history of 10,000 runs takes a hundredth."""
MOST_BYTES = 1 << 20
"""Of one value, or of a row."""
TABLES = """
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    branch TEXT NOT NULL,
    version TEXT NOT NULL,
    bot TEXT NOT NULL,
    digest TEXT NOT NULL,
    UNIQUE (digest, bot)
);
CREATE TABLE measured (
    run INTEGER NOT NULL REFERENCES runs (id),
    name TEXT NOT NULL,
    mean REAL NOT NULL,
    goals INTEGER NOT NULL,
    PRIMARY KEY (run, name)
);
"""


@dataclass(frozen=True, slots=True)
class KeptRun:
    """One run of one bot."""

    number: int
    at: str
    """When, in UTC, as in `2026-01-31T12:00:00`."""
    branch: str
    version: str
    """Of the bot: a commit, say."""
    bot: str
    values: dict[str, tuple[float, int]]
    """By name: the mean over goals, and how many goals have it."""


def keep_run(path: Path, found: Results, *, at: str, branch: str, version: str) -> list[str]:
    """Adds a run, a row for each of its bots; the names of the bots that were added.

    A run that is there already is not added again. Raises UsageError if the run has no dialogue
    that passed or failed, or the file is a link, InvalidFile if it is no history.
    """
    by_bot = grouped(filter(counts, found["dialogues"]), lambda entry: entry.get("bot", ""))
    if not by_bot:
        raise UsageError("the run has no dialogue that passed or failed: there is nothing to keep")
    digest = _digest(found)
    with _opened(path) as file, file:
        return [
            bot
            for bot, entries in sorted(by_bot.items())
            if _added(file, (at, branch, version, bot, digest), entries)
        ]


def kept_runs(path: Path, *, branch: str | None = None, bot: str | None = None) -> list[KeptRun]:
    """Returns the runs in the order in which they were made, of one branch or bot if asked.

    Raises UsageError if there is no such file or it is a link, InvalidFile if it is no history.
    """
    if not path.exists():
        raise UsageError(f"no history at {path}; `todeval history add` makes one")
    if path.is_file() and not path.stat().st_size:
        raise UsageError(f"{path} is empty; `todeval history add` puts runs there")
    chosen = {"branch": branch, "bot": bot}
    wanted = {name: value for name, value in chosen.items() if value is not None}
    where = " AND ".join(f"{name} = :{name}" for name in wanted) or "1"
    with _opened(path) as file:
        rows = file.execute(
            f"SELECT id, at, branch, version, bot FROM runs WHERE {where} ORDER BY at, id", wanted
        ).fetchall()
        values: defaultdict[int, dict[str, tuple[float, int]]] = defaultdict(dict)
        for run, name, mean, goals in file.execute("SELECT run, name, mean, goals FROM measured"):
            values[run][name] = (mean, goals)
    return [
        KeptRun(number, at, branch, version, bot, values[number])
        for number, at, branch, version, bot in rows
    ]


def _added(
    file: sqlite3.Connection, row: tuple[str, ...], entries: Sequence[DialogueEntry]
) -> bool:
    cursor = file.execute(
        "INSERT OR IGNORE INTO runs (at, branch, version, bot, digest) VALUES (?, ?, ?, ?, ?)", row
    )
    if not cursor.rowcount:
        return False
    run = cursor.lastrowid
    found: defaultdict[str, defaultdict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for entry in entries:
        for name, worth in worth_of(entry).items():
            found[name][entry["goal"]].append(worth.value)
    file.executemany(
        "INSERT INTO measured VALUES (?, ?, ?, ?)",
        (
            (run, name, sum(sum(v) / len(v) for v in by_goal.values()) / len(by_goal), len(by_goal))
            for name, by_goal in found.items()
        ),
    )
    return True


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    if path.is_symlink():
        raise UsageError(f"{path} is a link: name the history that it leads to, {path.resolve()}")
    try:
        with closing(sqlite3.connect(path)) as file:
            file.set_progress_handler(lambda: 1, MOST_STEPS)
            file.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_BYTES)
            file.execute("PRAGMA trusted_schema = OFF")
            if file.execute(
                "SELECT 1 FROM sqlite_master WHERE type IN ('view', 'trigger')"
            ).fetchone():
                raise InvalidFile(f"{path}: no history: it has views or triggers, which run")
            (version,) = file.execute("PRAGMA user_version").fetchone()
            if version == 0 and not file.execute("SELECT 1 FROM sqlite_master").fetchone():
                file.executescript(f"{TABLES} PRAGMA user_version = {VERSION};")
            elif version != VERSION:
                raise InvalidFile(
                    f"{path}: its tables are of version {version}, expected {VERSION}: it is no "
                    "history, or one of another todeval"
                )
            yield file
    except sqlite3.Error as error:
        raise InvalidFile(
            f"{path}: not a history that `todeval history add` made: {error}"
        ) from None


def _digest(found: Results) -> str:
    text = json.dumps(found["dialogues"], sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
