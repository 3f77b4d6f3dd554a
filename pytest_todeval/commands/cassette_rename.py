"""Cassettes of a test that got another name: moved to where that is looked for."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from pytest_todeval.commands.cassette_files import require_folder, root_of
from pytest_todeval.errors import InvalidFile, UsageError
from pytest_todeval.recording.blobs import blobs_named_in, write_blob
from pytest_todeval.recording.blobs import place as blob_place
from pytest_todeval.recording.files import journal_path, replace_file
from pytest_todeval.recording.lines import header_line
from pytest_todeval.recording.location import SUFFIX, places_of
from pytest_todeval.recording.store import read_cassette


def rename(folder: Path, old: str, new: str) -> Iterator[str]:
    """Moves the cassettes of `old`, a node id or a file, to where those of `new` are; a line each.

    A test without its goal stands for all its goals. Raises UsageError, with nothing moved, if
    there is none, if one would take another's place, or a recording of one did not finish.
    """
    require_folder(folder)
    moves = [(path, _place(test, folder), test) for path, test in _renamed(folder, old, new)]
    if not moves:
        raise UsageError(
            f"no cassette of {old} in {folder}; `todeval cassettes list` shows their tests"
        )
    for path, place, _ in moves:
        if place.exists() and place != path:
            raise UsageError(f"{place} already exists; move or delete it first")
        if journal_path(path).exists():
            raise UsageError(
                f"{journal_path(path)}: a recording under the old name did not finish; finish it, "
                "or delete it with `todeval cassettes journals --clear`"
            )
    for path, place, test in moves:
        _move(path, place, test)
        yield f"{path} -> {place}"
    yield f"{len(moves)} cassettes renamed"


def _renamed(folder: Path, old: str, new: str) -> Iterator[tuple[Path, str]]:
    """Returns each cassette of the old name, with its test's new one."""
    for path in sorted(folder.rglob(f"*{SUFFIX}")):
        try:
            test = read_cassette(path).header.test
        except InvalidFile:
            continue
        rest = test.removeprefix(old)
        if test.startswith(old) and (not rest or rest.startswith(("[", "::"))):
            yield path, new + rest


def _place(test: str, folder: Path) -> Path:
    """Returns where a run looks for the cassette of a test, if cassettes lie in this folder."""
    root = root_of(test)
    place, *_ = places_of(root / test.partition("::")[0], test, root=root, given=folder)
    return place


def _move(path: Path, place: Path, test: str) -> None:
    blobs = next(blobs_named_in(path), None) is not None
    header = header_line(replace(read_cassette(path).header, test=test), blobs=blobs).bytes()
    _, _, rest = path.read_bytes().partition(b"\n")
    if place.parent != path.parent:
        for name in blobs_named_in(path):
            write_blob(place, name, blob_place(path, name).read_bytes())
    replace_file(place, [header, rest])
    if place != path:
        path.unlink()
