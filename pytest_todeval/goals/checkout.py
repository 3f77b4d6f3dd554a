"""Identifies the user's benchmark checkout or installation for the results file."""

import hashlib
import os
import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from pytest_todeval.core.fingerprint import fingerprint
from pytest_todeval.errors import InvalidFile

COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
REFERENCE = re.compile(r"refs(?:/[A-Za-z0-9][\w.+@=-]{0,200}){1,20}")
"""So that no HEAD leads out of the folder it lies in."""
PROJECT_FILES = ("setup.py", "pyproject.toml")
MAX_BYTES = 4_000_000
"""Of `packed-refs`; 1 MB names some 15,000 references."""


def checkout_fingerprint(home: Path, files: Iterable[Path], tasks: int, project: str) -> str:
    """12 hex digits over the commit of `home`, the bytes of the files and the number of tasks.

    The files (tables, tasks, tools, policy) are told apart by their place in `home`, wherever that
    is; those that are missing count as such. Without a commit the files speak for themselves, and
    with one they show whether the checkout was changed since. The commit counts if `home` is
    that of `project` by its setup.py or pyproject.toml: if the package was copied into another
    repository, that one's commits say nothing about it. Raises InvalidFile on a file that cannot be
    read.
    """
    known = commit(home) if _is_of(project, home) else ""
    parts = [f"commit {known}", f"tasks {tasks}"]
    for file in sorted(set(files)):
        if file.is_file():
            state = file.stat()
            digest = _digest(file, state.st_size, state.st_mtime_ns)
            parts.append(f"{file.relative_to(home).as_posix()} {digest}")
    return fingerprint(os.fsencode(part) for part in parts)


def _is_of(project: str, home: Path) -> bool:
    name = re.escape(project).replace("_", "[-_.]")  # as packaging has it, all the same
    named = re.compile(rf"""\bname\s*=\s*["']{name}["']""")
    return any(named.search(_text(home / file)) for file in PROJECT_FILES)


def commit(home: Path) -> str:
    """The commit that is checked out in `home`, read without running git; "" if not known."""
    folder = _git_folder(home / ".git")
    head = _line(folder / "HEAD")
    if COMMIT.fullmatch(head):
        return head
    name = head.removeprefix("ref: ")
    if name == head or not REFERENCE.fullmatch(name):
        return ""
    common = folder / (_line(folder / "commondir") or ".")  # of a work tree's own git folder
    for place in (folder, common):
        found = _line(place / name)
        if COMMIT.fullmatch(found):
            return found
    return _packed(common / "packed-refs", name)


def _git_folder(place: Path) -> Path:
    """`.git` is a folder, or a file that names it (in work trees and submodules)."""
    named = _line(place).removeprefix("gitdir: ")
    return place.parent / named if named else place


def _packed(file: Path, name: str) -> str:
    for line in _text(file).splitlines():
        found, _, of = line.partition(" ")
        if of == name and COMMIT.fullmatch(found):
            return found
    return ""


def _line(file: Path) -> str:
    first, *_ = _text(file).splitlines() or [""]
    return first.strip()


def _text(file: Path) -> str:
    """Returns what a file says; "" if there is none that can be read."""
    try:
        if not file.is_file():
            return ""
        with file.open(encoding="utf-8", errors="replace") as opened:
            return opened.read(MAX_BYTES)
    except (OSError, ValueError):
        return ""


@lru_cache(maxsize=1024)
def _digest(file: Path, size: int, modified: int) -> str:
    """Of a file as it stood then: read once per process, again when it was changed."""
    try:
        with file.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError as error:
        raise InvalidFile(f"{file}: cannot be read: {error}") from error
