"""Files that people write, YAML or JSON, with the line of each value.

YAML is read as YAML 1.2 reads it, only stricter: `yes`, `no`, `17:30`, `2024-01-31` and `01223`
stay strings, a duplicate key is an error, and there are no tags, merge keys or objects. Nothing in
a file is ever constructed but dicts, lists, strings, numbers, booleans and null.
"""

import json
import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

import yaml

from pytest_todeval.errors import InvalidFile

FILE_NAME = re.compile(r"[^\n]{1,255}\.(?:ya?ml|json)")
"""Text that names such a file, and is no sentence."""

__all__ = ["FILE_NAME", "Document", "read_document"]

MAX_VALUES = 1_000_000
"""Values in one file, aliases expanded; a few bytes of YAML can stand for billions."""
MAX_DIGITS = 1000
"""Of a number; Python refuses to convert more than 4300."""
MAX_LOCATED = 500_000
"""Characters of the largest JSON file whose lines are looked up; pyyaml reads 0.3 MB per second."""
SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
HALF_CHARACTER = "half of a surrogate pair (\\ud800 to \\udfff alone); expected whole characters"

SCALARS = {
    "null": (r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    "bool": (r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    "int": (r"[-+]?(?:0|[1-9][0-9]*)", list("-+0123456789")),
    "float": (
        r"[-+]?(?:(?:0|[1-9][0-9]*)\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?",
        list("-+.0123456789"),
    ),
}
CORE = "tag:yaml.org,2002:"


class _Loader(yaml.SafeLoader):
    """Composes nodes with YAML 1.2's idea of what is not a string; constructs nothing."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - as pyyaml declares it


for _tag, (_pattern, _first) in SCALARS.items():
    _Loader.add_implicit_resolver(CORE + _tag, re.compile(f"(?:{_pattern})$"), _first)


@dataclass(frozen=True)
class Document:
    """What a file says, and where it says it."""

    path: Path
    text: str
    value: Any
    """Plain dicts, lists, strings, numbers, booleans and None; None for an empty YAML file."""

    def line(self, *keys: str | int) -> int | None:
        """The 1-based line on which the value at `keys` stands: of its key in a mapping.

        `keys` leads from the top: mapping keys and list indices. None where there is no such value,
        or where the file is JSON too large (0.5 MB) to look it up in.
        """
        node, line = self._root, self._root.start_mark.line + 1 if self._root else None
        for key in keys:
            node, line = _child(node, key)
            if node is None:
                return None
        return line

    def where(self, *keys: str | int) -> str:
        """`path:line` of the value at `keys`, or of the nearest value around it that has a line."""
        for length in range(len(keys), -1, -1):
            if (line := self.line(*keys[:length])) is not None:
                return f"{self.path}:{line}"
        return str(self.path)

    @cached_property
    def _root(self) -> yaml.Node | None:
        if len(self.text) > MAX_LOCATED and _is_json(self.path):
            return None
        try:
            return _compose(self.text)
        except (yaml.YAMLError, RecursionError):
            return None


def read_document(path: Path) -> Document:
    """Read a YAML file, or a JSON file where the suffix is `.json`.

    Raises InvalidFile, with `path:line`, where the file cannot be read, its syntax is broken, a key
    stands twice in one mapping, or it holds anything but plain values.
    """
    text = _read_text(path)
    read = _read_json if _is_json(path) else _read_yaml
    try:
        return Document(path, text, read(path, text))
    except RecursionError:
        raise InvalidFile(f"{path}: nested too deeply; expected plain mappings and lists") from None


def _is_json(path: Path) -> bool:
    return path.suffix.lower() == ".json"


def _read_text(path: Path) -> str:
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


class _DuplicateKey(Exception):
    pass


def _unique(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _DuplicateKey
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value; expected a finite number, a string or null")


def _read_json(path: Path, text: str) -> Any:
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
        if SURROGATE_ESCAPE.search(text):
            json.dumps(value, ensure_ascii=False).encode()
        return value
    except UnicodeEncodeError as error:
        raise InvalidFile(f"{path}: {HALF_CHARACTER}") from error
    except json.JSONDecodeError as error:
        where = f"{path}:{error.lineno}"
        raise InvalidFile(f"{where}: not JSON: {error.msg} (column {error.colno})") from error
    except ValueError as error:
        raise InvalidFile(f"{path}: {error}") from error
    except _DuplicateKey:
        # json tells no place; the YAML reader, to which JSON is YAML, reports key and line.
        _read_yaml(path, text.replace("\t", " "))
        raise InvalidFile(f"{path}: a key stands twice in one object; keep one of them") from None


def _compose(text: str) -> yaml.Node | None:
    loader = _Loader(text.replace("\t", " ") if text.lstrip()[:1] in ("{", "[") else text)
    try:
        return loader.get_single_node()
    finally:
        loader.dispose()


def _read_yaml(path: Path, text: str) -> Any:
    try:
        root = _compose(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"{path}:{mark.line + 1}" if mark else str(path)
        what = ", ".join(part for part in (error.context, error.problem) if part)
        raise InvalidFile(f"{where}: broken YAML: {what}") from error
    except yaml.YAMLError as error:
        raise InvalidFile(f"{path}: broken YAML: {' '.join(str(error).split())}") from error
    return None if root is None else _Construction(path).value(root)


class _Construction:
    """Makes plain values of nodes, counting them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.count = 0

    def fail(self, node: yaml.Node, message: str) -> NoReturn:
        raise InvalidFile(f"{self.path}:{node.start_mark.line + 1}: {message}")

    def value(self, node: yaml.Node) -> Any:
        self.count += 1
        if self.count > MAX_VALUES:
            self.fail(node, f"more than {MAX_VALUES} values, counting aliases each time")
        if isinstance(node, yaml.MappingNode) and node.tag == CORE + "map":
            return self.mapping(node)
        if isinstance(node, yaml.SequenceNode) and node.tag == CORE + "seq":
            return [self.value(item) for item in node.value]
        if isinstance(node, yaml.ScalarNode):
            return self.scalar(node)
        self.fail(node, f"tag {node.tag!r}: expected plain values without tags")

    def mapping(self, node: yaml.MappingNode) -> dict[Hashable, Any]:
        found: dict[Hashable, Any] = {}
        lines: dict[Hashable, int] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                self.fail(key_node, "a mapping or list as a key; expected a plain key")
            key = self.scalar(key_node)
            if key in found:
                first = f"it first stands on line {lines[key]}"
                self.fail(key_node, f"duplicate key {key_node.value!r}; {first}")
            lines[key] = key_node.start_mark.line + 1
            found[key] = self.value(value_node)
        return found

    def scalar(self, node: yaml.ScalarNode) -> str | int | float | bool | None:
        text: str = node.value
        kind = node.tag.removeprefix(CORE)
        if kind in SCALARS and not re.fullmatch(SCALARS[kind][0], text):
            kind = "unknown"  # an explicit tag on a text it does not fit
        match kind:
            case "str":
                return self.joined(node, text)
            case "null":
                return None
            case "bool":
                return text.lower() == "true"
            case "int" if len(text) < MAX_DIGITS:
                return int(text)
            case "float":
                return float(text)
        self.fail(node, f"tag {node.tag!r} on {text[:40]!r}: expected plain values without tags")

    def joined(self, node: yaml.Node, text: str) -> str:
        """Text with the pairs of escapes that JSON writes for one character beyond 16 bits."""
        if text.isascii():
            return text
        try:
            return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
        except UnicodeDecodeError:
            self.fail(node, HALF_CHARACTER)


def _child(node: yaml.Node | None, key: str | int) -> tuple[yaml.Node | None, int | None]:
    if isinstance(node, yaml.MappingNode):
        for key_node, value_node in node.value:
            if key_node.value == str(key):
                return value_node, key_node.start_mark.line + 1
    if isinstance(node, yaml.SequenceNode) and isinstance(key, int) and 0 <= key < len(node.value):
        return node.value[key], node.value[key].start_mark.line + 1
    return None, None
