"""Files that people write, YAML or JSON, with the line of each value.

YAML is read as YAML 1.2 reads it, only stricter: `yes`, `no`, `17:30`, `2024-01-31` and `01223`
stay strings, a duplicate key is an error, and there are no tags, merge keys or objects. Nothing in
a file is ever constructed but dicts, lists, strings, numbers, booleans and null.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from pytest_todeval.core.documents.limits import HALF_CHARACTER
from pytest_todeval.errors import InvalidFile
from pytest_todeval.trust import leads_out

if TYPE_CHECKING:
    from pytest_todeval.core.documents.yaml_text import YamlPlace

FILE_NAME = re.compile(r"[^\n]{1,255}\.(?:ya?ml|json)")
"""Text that names such a file, and is no sentence."""

MAX_LOCATED = 500_000
"""Characters of the largest JSON file whose lines are looked up; without libyaml that takes 2 s."""
SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")


@dataclass(frozen=True)
class Document:
    """What a file says, and where it says it."""

    path: Path
    text: str
    value: Any
    """Plain dicts, lists, strings, numbers, booleans and None; None for an empty YAML file."""

    def line(self, *keys: str | int) -> int | None:
        """Returns the 1-based line on which the value at `keys` stands: of its key in a mapping.

        `keys` leads from the top: mapping keys and list indices. None if there is no such value,
        or if the file is JSON too large (0.5 MB) to look it up in.
        """
        place = self._root
        for key in keys:
            if place is None:
                return None
            place = place.inside.get(key) or place.inside.get(str(key))
        return place.line if place else None

    def where(self, *keys: str | int) -> str:
        """`path:line` of the value at `keys`, or of the nearest value around it that has a line."""
        if (line := self.line(*keys)) is not None:
            return f"{self.path}:{line}"
        return self.where(*keys[:-1]) if keys else str(self.path)

    @cached_property
    def _root(self) -> "YamlPlace | None":
        from pytest_todeval.core.documents.yaml_text import places

        if len(self.text) > MAX_LOCATED and _is_json(self.path):
            return None
        try:
            return places(self.text)
        except RecursionError:
            return None


def read_document(path: Path) -> Document:
    """Reads a YAML file, or a JSON file if the suffix is `.json`.

    Raises InvalidFile, with `path:line`, if the file cannot be read, its syntax is broken, a key
    stands twice in one mapping, or it holds anything but plain values.
    """
    text = read_utf8(path)
    read = _read_json if _is_json(path) else _read_yaml
    try:
        return Document(path, text, read(path, text))
    except RecursionError:
        raise InvalidFile(f"{path}: nested too deeply; expected plain mappings and lists") from None


def read_json_lines(path: Path) -> Iterator[tuple[int, Any]]:
    """Returns the values of a file with one JSON value per line, each with its line's number.

    Lines with nothing but white space are left out. Raises InvalidFile, with `path:line`, on what
    `read_document` refuses in JSON.
    """
    for number, line in enumerate(read_utf8(path).split("\n"), 1):
        if line.strip():
            try:
                yield number, _read_json(path, line, number)
            except RecursionError:
                told = "nested too deeply; expected plain JSON"
                raise InvalidFile(f"{path}:{number}: {told}") from None


def _is_json(path: Path) -> bool:
    return path.suffix.lower() == ".json"


def read_utf8(path: Path) -> str:
    """Returns the text of a file. Raises InvalidFile if it cannot be read or is not UTF-8."""
    if leads_out(path, path.parent):
        raise InvalidFile(f"{path}: a link that leads out of the project, which CI does not follow")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InvalidFile(f"{path}: cannot be read: {error.strerror or error}") from error
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InvalidFile(
            f"{path}:{line}: not UTF-8 (byte {data[error.start]:#04x}); save the file as UTF-8"
        ) from error


def _read_yaml(path: Path, text: str) -> Any:
    from pytest_todeval.core.documents.yaml_text import value_of  # PyYAML, which JSON does not need

    return value_of(path, text)


class _DuplicateKey(Exception):
    pass


def _unique(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _DuplicateKey
    return found


def _parsed(text: str) -> Any:
    value = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    if SURROGATE_ESCAPE.search(text):
        json.dumps(value, ensure_ascii=False).encode()
    return value


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value; expected a finite number, a string or null")


def _read_json(path: Path, text: str, line: int | None = None) -> Any:
    """Returns the value of a file, or of one line of it."""
    where = str(path) if line is None else f"{path}:{line}"
    try:
        return _parsed(text)
    except UnicodeEncodeError as error:
        raise InvalidFile(f"{where}: {HALF_CHARACTER}") from error
    except json.JSONDecodeError as error:
        what = f"not JSON: {error.msg} (column {error.colno})"
        raise InvalidFile(f"{path}:{line or error.lineno}: {what}") from error
    except ValueError as error:
        raise InvalidFile(f"{where}: {error}") from error
    except _DuplicateKey:
        if line is None:  # json tells no place; the YAML reader, to which JSON is YAML, does
            _read_yaml(path, text)
        raise InvalidFile(f"{where}: a key occurs twice in one object; keep one of them") from None
