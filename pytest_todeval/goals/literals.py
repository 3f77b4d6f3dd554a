"""Python files that hold data, read and never run: literals, and calls that stand for records.

Read are names bound to literals at the top of the file, and in them calls of the classes asked for
(`Task(user_id="...")`), which are not made. Imports are skipped. Whatever else a file holds might
change its data when run, and is an error with its line.
"""

import ast
import warnings
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from pytest_todeval.core.documents import HALF_CHARACTER, MAX_DIGITS
from pytest_todeval.errors import InvalidFile

MAX_BYTES = 20_000_000
"""Of a file; the largest published one has 0.5 MB."""
MAX_DEPTH = 60
MAX_SHOWN = 60
"""Characters of what was found instead."""
LARGEST = 10**MAX_DIGITS
NEVER_RUN = "(the file is read, never run)"
BROKEN = (SyntaxError, ValueError, RecursionError, MemoryError, LookupError)
"""What `ast.parse` raises on bytes that are no Python file."""


@dataclass(frozen=True, slots=True)
class Called:
    """A record written as a call, e.g. `Task(user_id="...", actions=[])`."""

    name: str
    fields: Mapping[str, object]
    line: int


def read_literals(path: Path, classes: Collection[str]) -> dict[str, object]:
    """Returns the names that a Python file binds, and the literals it binds them to.

    A value is None, a boolean, number, string, list (tuples too), dict with strings for keys, or
    `Called` for a call of one of `classes`; `plain` makes sure of the rest. Raises InvalidFile,
    with path and line, on a file that is no Python or holds anything else.
    """
    reader = _LiteralReader(path, classes)
    names: dict[str, object] = {}
    for statement in parse_python(path).body:
        match statement:
            case ast.Import() | ast.ImportFrom() | ast.Expr(ast.Constant()):
                pass
            case (
                ast.Assign(targets=[ast.Name(name)], value=value)
                | ast.AnnAssign(target=ast.Name(name), value=ast.expr() as value)
            ):
                names[name] = reader.value(value)
            case _:
                expected = f"expected imports, names and the literals they stand for {NEVER_RUN}"
                reader.refuse(statement, expected)
    return names


def parse_python(path: Path) -> ast.Module:
    """The syntax of a Python file. Raises InvalidFile, with path and line, if it is none."""
    source = _bytes(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the file's strings: not ours
            return ast.parse(source)
    except BROKEN as error:
        line = getattr(error, "lineno", None) or 1
        what = error.msg if isinstance(error, SyntaxError) else type(error).__name__
        raise InvalidFile(f"{path}:{line}: not a Python file that can be read: {what}") from error


def plain(value: object, where: str, depth: int = 0) -> object:
    """Returns the value as plain JSON; `Called` becomes a dict.

    Raises InvalidFile, starting with `where`, on what JSON cannot hold, and on too much of it.
    """
    if depth > MAX_DEPTH:
        raise InvalidFile(f"{where}: nested more than {MAX_DEPTH} deep, expected a task")
    if isinstance(value, str):
        return _whole_text(value, where)
    if isinstance(value, list):
        return [plain(element, where, depth + 1) for element in value]
    fields = value.fields if isinstance(value, Called) else value
    if isinstance(fields, Mapping):
        return {
            _whole_text(key, where): plain(held, where, depth + 1) for key, held in fields.items()
        }
    if isinstance(value, int | float) and not abs(value) < LARGEST:  # so with `nan` as well
        raise InvalidFile(f"{where}: found a number beyond {MAX_DIGITS} digits")
    return value


def _whole_text(value: str, where: str) -> str:
    if not value.isascii() and any("\ud800" <= c <= "\udfff" for c in value):
        raise InvalidFile(f"{where}: found {HALF_CHARACTER}")
    return value


def _bytes(path: Path) -> bytes:
    if not path.is_file():
        raise InvalidFile(f"{path}: not a file, expected a Python file")
    try:
        if path.stat().st_size > MAX_BYTES:
            raise InvalidFile(f"{path}: larger than {MAX_BYTES:,} bytes")
        return path.read_bytes()
    except OSError as error:
        raise InvalidFile(f"{path}: cannot be read: {error}") from error


@dataclass(frozen=True)
class _LiteralReader:
    """Reads the literals of one file."""

    path: Path
    classes: Collection[str]

    def value(self, node: ast.expr) -> object:
        match node:
            case ast.Constant(None | bool() | int() | float() | str() as value):
                return value
            case ast.UnaryOp(ast.USub(), ast.Constant(int() | float() as value)):
                return -value
            case ast.List(elements) | ast.Tuple(elements):
                return [self.value(element) for element in elements]
            case ast.Dict(keys, values):
                pairs = zip(keys, values, strict=True)
                return {self._key(key, node): self.value(value) for key, value in pairs}
            case ast.Call(ast.Name(name) | ast.Attribute(attr=name)) if name in self.classes:
                return self._called(name, node)
        known = " or ".join(sorted(self.classes))
        self.refuse(node, f"expected a literal or {known} {NEVER_RUN}")

    def _key(self, key: ast.expr | None, node: ast.Dict) -> str:
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            return key.value
        self.refuse(key or node, "expected text as a key")

    def _called(self, name: str, node: ast.Call) -> Called:
        if node.args or any(keyword.arg is None for keyword in node.keywords):
            self.refuse(node, f"expected {name} with its values by name, e.g. {name}(name=...)")
        fields = {keyword.arg or "": self.value(keyword.value) for keyword in node.keywords}
        return Called(name, fields, node.lineno)

    def refuse(self, node: ast.expr | ast.stmt, expected: str) -> NoReturn:
        raise InvalidFile(f"{self.path}:{node.lineno}: found `{_shown(node)}`, {expected}")


def _shown(node: ast.expr | ast.stmt) -> str:
    """Returns the first line of what was found, or its kind if it cannot be written."""
    try:
        text = ascii(ast.unparse(node).partition("\n")[0])[1:-1]
    except (ValueError, RecursionError):
        return type(node).__name__
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 3]}..."
