"""MultiWOZ as published: a folder or zip with dialogues by split. Finds files, reads records.

Either `test.json`, `val.json`, `train.json` (ConvLab), or one `data.json` with `testListFile` and
`valListFile` (2.0, 2.1, 2.4; lists may end in `.txt` or `.json`); each JSON may also stand zipped
beside (`test.json.zip`). A zip may hold all this in a folder of its own.
"""

import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from pytest_todeval.core.documents.archives import require_few, require_small
from pytest_todeval.errors import InvalidFile

SPLITS = ("train", "val", "test")
DATA_FILES = ("data.json", *(f"{split}.json" for split in SPLITS))
LIST_ENDINGS = ("", ".txt", ".json")
HEADER = re.compile(r'(?:^\s*\{|\]\s*\}\s*,)\s*"([^"\\]+)"\s*:\s*\{\s*$')
"""What stands before a record's `"goal":` - the end of the record before it, and the id."""
LOG = re.compile(r'\s*,\s*"log"\s*:\s*\[')
END = re.compile(r"\]\s*\}\s*\}\s*$")

Tree = Path | zipfile.Path
Records = Mapping[str, Any]
"""Dialogue id (without `.json`) -> its `goal`, in the order of the file."""


class Corpus:
    """One MultiWOZ folder or zip. Reads each of its files once."""

    def __init__(self, root: Tree) -> None:
        self.root = root
        self._known: dict[str, Records] = {}
        self._said: dict[str, Mapping[str, tuple[str, ...]]] = {}

    @property
    def splits(self) -> tuple[str, ...]:
        """Returns the splits for which there is data."""
        return tuple(split for split in SPLITS if self._has(split))

    def records(self, split: str) -> tuple[str, Records]:
        """Returns the file that holds a split, as named in messages, and its records.

        Raises InvalidFile if a file is broken, or a list names a dialogue that is not there.
        """
        if self._file(f"{split}.json") is not None:
            return f"{self.root}/{split}.json", self._read(f"{split}.json")
        return f"{self.root}/data.json", self._listed(split, self._read("data.json"))

    def dialogues(self, split: str) -> dict[str, Any]:
        """The dialogues of the file that holds a split, whole. Raises InvalidFile if it is broken.

        It is read anew each time.
        """
        name = f"{split}.json" if self._file(f"{split}.json") else "data.json"
        file = self._file(name)
        assert file is not None
        found = _whole(file, _text(file, name))
        return {id.removesuffix(".json"): dialogue for id, dialogue in found.items()}

    def texts(self, name: str) -> tuple[str, ...]:
        """What user and system said in a dialogue, in turn, the user first; empty if unknown.

        Reads all dialogues of a file, once. Raises InvalidFile if a file is broken.
        """
        for file_name in DATA_FILES:
            file = self._file(file_name)
            if file is None:
                continue
            if file_name not in self._said:
                self._said[file_name] = _texts(_text(file, file_name), file)
            if name in self._said[file_name]:
                return self._said[file_name][name]
        return ()

    def _has(self, split: str) -> bool:
        if self._file(f"{split}.json") is not None:
            return True
        lists = ("val", "test") if split == "train" else (split,)
        return self._file("data.json") is not None and all(map(self._list_file, lists))

    def _file(self, name: str) -> Tree | None:
        candidates = (self.root / name, self.root / f"{name}.zip")
        return next((file for file in candidates if file.is_file()), None)

    def _list_file(self, split: str) -> Tree | None:
        candidates = (self.root / f"{split}ListFile{ending}" for ending in LIST_ENDINGS)
        return next((file for file in candidates if file.is_file()), None)

    def _read(self, name: str) -> Records:
        file = self._file(name)
        assert file is not None
        if name not in self._known:
            self._known[name] = _read_records(file, name)
        return self._known[name]

    def _listed(self, split: str, records: Records) -> Records:
        if split == "train":
            others = {name for other in ("val", "test") for name in self._names(other)}
            return {name: goal for name, goal in records.items() if name not in others}
        names = self._names(split)
        for name in names:
            if name not in records:
                raise InvalidFile(
                    f"{self._list_file(split)}: names dialogue {name!r}, which is not in "
                    f"{self.root}/data.json; expected ids of that file, one per line"
                )
        return {name: records[name] for name in names}

    def _names(self, split: str) -> list[str]:
        file = self._list_file(split)
        assert file is not None
        lines = _bytes(file).decode("utf-8", "replace").split()
        return list(dict.fromkeys(line.removesuffix(".json") for line in lines))


def open_corpus(place: Path) -> Corpus | None:
    """Returns the MultiWOZ data in a folder or zip, or None if there is none.

    Each place is opened once per process, and again when a file in it has changed. Raises
    InvalidFile if a zip is broken.
    """
    try:
        files = sorted(place.iterdir()) if place.is_dir() else [place]
        stats = [(file.name, file.stat()) for file in files if file.is_file()]
    except OSError as error:
        raise InvalidFile(f"{place}: cannot be read: {error.strerror}") from error
    stamp = tuple((name, stat.st_mtime_ns, stat.st_size) for name, stat in stats)
    return _open(place.absolute(), stamp)


@lru_cache(maxsize=16)
def _open(place: Path, stamp: tuple[tuple[str, int, int], ...]) -> Corpus | None:
    if place.is_dir():
        return Corpus(place) if _holds_data(place) else None
    if place.suffix.lower() != ".zip" or not stamp:
        return None
    try:
        require_few(place)
        archive = zipfile.Path(place)
    except (zipfile.BadZipFile, OSError) as error:
        raise InvalidFile(f"{place}: not a readable zip: {error}") from error
    folder = next(iter(sorted(_folders(archive.root.namelist()))), None)
    return None if folder is None else Corpus(archive.joinpath(*folder))


def _holds_data(folder: Tree) -> bool:
    return any((folder / f"{n}{z}").is_file() for n in DATA_FILES for z in ("", ".zip"))


def _folders(names: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Returns the folders of a zip that hold data, at most two deep."""
    wanted = {f"{name}{ending}" for name in DATA_FILES for ending in ("", ".zip")}
    for name in names:
        *folder, file = name.split("/")
        if file in wanted and len(folder) <= 2 and "__MACOSX" not in folder:
            yield tuple(folder)


def _read_records(file: Tree, name: str) -> Records:
    text = _text(file, name)
    found = goals_only(text)
    if not found:
        whole = _whole(file, text)
        found = {name: _goal(file, name, dialogue) for name, dialogue in whole.items()}
    return {key.removesuffix(".json"): goal for key, goal in found.items()}


def _texts(text: str, file: Tree) -> dict[str, tuple[str, ...]]:
    """Returns what was said, by dialogue. A log of another shape says nothing."""
    found = {}
    for name, dialogue in _whole(file, text).items():
        log = dialogue.get("log") if isinstance(dialogue, Mapping) else None
        turns = log if isinstance(log, list) else []
        said = [turn.get("text") if isinstance(turn, Mapping) else None for turn in turns]
        spoken = tuple(" ".join(each.split()) for each in said if isinstance(each, str))
        found[name.removesuffix(".json")] = spoken if len(spoken) == len(turns) else ()
    return found


def _text(file: Tree, name: str) -> str:
    data = _bytes(file)
    if file.name.endswith(".zip"):
        data = _unzipped(file, name, data)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidFile(f"{file}: not UTF-8 at byte {error.start}; expected JSON") from error


def _bytes(file: Tree) -> bytes:
    try:
        if isinstance(file, zipfile.Path):
            require_small(file, file.root.getinfo(file.at))
        return file.read_bytes()
    except (OSError, zipfile.BadZipFile, zlib.error, RuntimeError) as error:
        raise InvalidFile(f"{file}: cannot be read: {error}") from error


def _unzipped(file: Tree, name: str, data: bytes) -> bytes:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            require_small(file, archive.getinfo(name))
            return archive.read(name)
    except KeyError:
        raise InvalidFile(
            f"{file}: has no {name} in it; expected a file of exactly that name"
        ) from None
    except (zipfile.BadZipFile, zlib.error, RuntimeError) as error:
        raise InvalidFile(f"{file}: broken zip ({error}); fetch it again") from error


def goals_only(text: str) -> dict[str, Any] | None:
    """Reads the goals and skip the logs, which are 97 % of a file: six times faster than all of it.

    None at the least doubt (another order of keys, an odd end, a broken goal): then the whole file
    is to be parsed, and errors get their place.
    """
    decode = json.JSONDecoder().raw_decode
    found: dict[str, Any] = {}
    end = 0
    while (at := text.find('"goal":', end)) != -1:
        header = HEADER.search(text, max(end, at - 200), at)
        start = at + len('"goal":')
        start += text.startswith(" ", start)
        try:
            goal, end = decode(text, start)
        except (ValueError, RecursionError):
            return None
        if header is None or header[1] in found or not LOG.match(text, end):
            return None
        found[header[1]] = goal
    whole = END.search(text, len(text) - 100) and text.count('"log":') == len(found)
    return found if whole else None


def _whole(file: Tree, text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise InvalidFile(
            f"{file}:{error.lineno}: not JSON: {error.msg} (column {error.colno})"
        ) from error
    except (ValueError, RecursionError) as error:
        raise InvalidFile(f"{file}: not JSON that can be read: {error}") from error
    if not isinstance(value, dict):
        got = type(value).__name__
        raise InvalidFile(f"{file}: got a JSON {got}, expected an object of dialogues by id")
    return value


def _goal(file: Tree, name: str, dialogue: Any) -> Any:
    if isinstance(dialogue, dict) and "goal" in dialogue:
        return dialogue["goal"]
    got = f"the keys {', '.join(dialogue)}" if isinstance(dialogue, dict) else repr(dialogue)
    raise InvalidFile(f"{file}: {name}: got {got[:80]}, expected an object with a `goal`")
