"""Cassettes as the page shows them: a list, and each with its calls and what has changed in it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pytest_todeval.commands.call_text import told_calls
from pytest_todeval.commands.cassette_difference import differences
from pytest_todeval.commands.cassette_files import cassette_files, require_folder
from pytest_todeval.errors import InvalidFile, UsageError
from pytest_todeval.recording.accepting import proposal_path
from pytest_todeval.recording.call import CassetteFile
from pytest_todeval.recording.store import read_cassette

Row = Mapping[str, Any]


class ShownCassettes:
    """The cassettes of a folder, each beside what is proposed for it, or an earlier one.

    The fields are those of `frontend/src/cassettes.tsx`. Raises UsageError for what is no folder.
    """

    def __init__(self, folder: Path, before: Path | None = None) -> None:
        if folder.is_file() or (before is not None and before.is_file()):
            raise UsageError("--cassettes and --cassettes-before take folders, not files")
        require_folder(folder)
        if before is not None:
            require_folder(before)
        self._folder, self._before = folder, before

    def rows(self) -> list[Row]:
        """Returns each cassette there is, or was, in the order of their names."""
        return list(map(self._row, self._names()))

    def one(self, place: int) -> Row:
        """Returns the cassette at a place of the list: its calls, and what has changed in it."""
        old, new = self._sides(self._names()[place])
        shown = new or old
        calls = shown.calls if shown else ()
        return {
            "calls": [
                {
                    "number": each.number,
                    "title": each.title,
                    "known": each.known,
                    "said": [[one.who, one.text] for one in each.said],
                    "came": [[one.who, one.text] for one in each.came],
                }
                for each in told_calls(calls)
            ],
            "differences": list(differences(old.calls, new.calls)) if old and new else [],
        }

    def _names(self) -> list[str]:
        folders = [self._folder] if self._before is None else [self._folder, self._before]
        found = ((path, folder) for folder in folders for path in cassette_files(folder))
        return sorted({path.relative_to(folder).as_posix() for path, folder in found})

    def _row(self, name: str) -> Row:
        try:
            old, new = self._sides(name)
        except InvalidFile as error:
            return {"name": name, "change": "broken", "why": str(error), "calls": 0}
        shown = new or old
        assert shown is not None  # it is in one of the folders
        return {
            "name": name,
            "test": shown.header.test,
            "recorded": shown.header.recorded,
            "models": list(shown.header.models),
            "calls": len(shown.calls),
            "change": self._change(name, old, new),
        }

    def _change(self, name: str, old: CassetteFile | None, new: CassetteFile | None) -> str:
        if new is None:
            return "gone"
        if proposal_path(self._folder / name).exists():
            return "proposed"
        if self._before is None:
            return ""
        if old is None:
            return "new"
        return "changed" if next(differences(old.calls, new.calls), "") else "same"

    def _sides(self, name: str) -> tuple[CassetteFile | None, CassetteFile | None]:
        """What is compared: a cassette with what is proposed for it, else the earlier with it."""
        path = self._folder / name
        if (proposal := proposal_path(path)).exists():
            return _read(path), _read(proposal)
        return None if self._before is None else _read(self._before / name), _read(path)


def _read(path: Path) -> CassetteFile | None:
    return read_cassette(path) if path.exists() else None
