"""The files of a MultiWOZ database: found in a folder or zip, read, and checked."""

import json
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from pytest_todeval.core.documents.archives import require_few, require_small
from pytest_todeval.errors import DataMissing, InvalidFile

SUFFIX = "_db.json"


@dataclass(frozen=True, slots=True)
class TableFile:
    """One `*_db.json` file, unparsed."""

    where: str
    """Path, with the zip before it, for messages."""
    content: bytes


@dataclass(frozen=True, slots=True)
class TaxiFleet:
    """What taxis there are: each booking gets a colour and a make."""

    colours: tuple[str, ...]
    types: tuple[str, ...]


def read_files(path: Path) -> dict[str, TableFile]:
    """Returns the database files by domain. Raises DataMissing if the path holds none."""
    if not path.exists():
        raise DataMissing(f"{path}: no such folder or zip; expected MultiWOZ databases (*{SUFFIX})")
    found = dict(_in_folder(path) if path.is_dir() else _in_zip(path))
    if not found:
        raise DataMissing(
            f"{path}: no databases there; expected files such as restaurant{SUFFIX}, in it or in "
            "its folder `db`"
        )
    return found


def _in_folder(path: Path) -> Iterator[tuple[str, TableFile]]:
    inner = path / "db" if any((path / "db").glob(f"*{SUFFIX}")) else path
    for file in sorted(inner.glob(f"*{SUFFIX}")):
        yield file.name.removesuffix(SUFFIX), TableFile(str(file), file.read_bytes())


def _in_zip(path: Path) -> Iterator[tuple[str, TableFile]]:
    try:
        require_few(path)
        with zipfile.ZipFile(path) as archive:
            for name in sorted(archive.namelist()):
                file = PurePosixPath(name)
                if file.name.endswith(SUFFIX) and "__MACOSX" not in file.parts:
                    domain = file.name.removesuffix(SUFFIX)
                    require_small(path, archive.getinfo(name))
                    yield domain, TableFile(f"{path}:{name}", archive.read(name))
    except (zipfile.BadZipFile, OSError) as error:
        raise InvalidFile(f"{path}: expected a folder or a zip file: {error}") from error


def table(file: TableFile) -> list[Mapping[str, Any]]:
    """Returns the rows of a file. Raises InvalidFile if it is no list of objects."""
    rows = _parsed(file)
    if not isinstance(rows, list):
        raise InvalidFile(f"{file.where}: expected a list of rows, found {_kind(rows)}")
    for number, row in enumerate(rows):
        if not isinstance(row, dict):
            raise InvalidFile(f"{file.where}: row {number}: expected an object, found {_kind(row)}")
    return [{slot: _plain(value) for slot, value in row.items()} for row in rows]


def fleet(file: TableFile) -> TaxiFleet:
    """Returns the taxis of a file. Raises InvalidFile if colours or types are missing."""
    taxis = _parsed(file)
    if isinstance(taxis, list) and len(taxis) == 1:
        taxis = taxis[0]
    lists = []
    for key in ("taxi_colors", "taxi_types"):
        values = taxis.get(key) if isinstance(taxis, dict) else None
        if not (isinstance(values, list) and values and all(isinstance(v, str) for v in values)):
            raise InvalidFile(f"{file.where}: expected a non-empty list of strings `{key}`")
        lists.append(tuple(values))
    return TaxiFleet(*lists)


def _parsed(file: TableFile) -> Any:
    try:
        return json.loads(file.content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InvalidFile(f"{file.where}: not JSON: {error}") from error


def _plain(value: Any) -> Any:
    """Numbers as text, as in all other columns, so that rows compare by one rule."""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _kind(value: Any) -> str:
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    return repr(value)[:40]
