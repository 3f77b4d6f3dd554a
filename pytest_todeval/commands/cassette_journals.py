"""What recordings that did not finish left: shown, and deleted if asked."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from pytest_todeval.commands.cassette_files import require_folder
from pytest_todeval.errors import InvalidFile
from pytest_todeval.recording.files import delete_abandoned, is_locked
from pytest_todeval.recording.journal import Journal
from pytest_todeval.reports.table import counted


def journals(folder: Path, *, clear: bool) -> Iterator[str]:
    """A line for each journal below a folder, and one that counts them.

    With `clear` they are deleted, and what was left half written of cassettes; not those that a run
    is writing. Raises UsageError if there is no such folder.
    """
    require_folder(folder)
    found = sorted(folder.rglob(".*.journal"))
    cleared = 0
    for path in found:
        written = is_locked(path)
        yield f"{path}: {_content(path)}{', being written by a run' if written else ''}"
        if clear and not written and not path.is_dir():
            path.unlink(missing_ok=True)
            cleared += 1
    abandoned = len(delete_abandoned(folder)) if clear else 0
    many = f"{counted(len(found), 'journal')} in {folder}"
    if clear:
        half = f", and {abandoned} half-written files" if abandoned else ""
        yield f"{many}, {cleared} deleted{half}"
    elif found:
        yield (
            f"{many}: `--todeval-record=missing` continues them, `rewrite` starts over; --clear "
            "deletes them"
        )
    else:
        yield many


def _content(path: Path) -> str:
    try:
        left = Journal.recover(path.with_name(path.name.removeprefix(".").removesuffix(".journal")))
    except InvalidFile as error:
        return f"broken ({error})"
    if left is None:
        return "empty"
    lanes = Counter(call.request.lane.value for call in left.calls)
    calls = ", ".join(f"{lane} {count}" for lane, count in lanes.items()) or "no calls"
    return f"{calls}; {left.header.test}, recorded {left.header.recorded}"
