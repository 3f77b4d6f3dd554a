"""Python files that hold data, read and never run: literals, and calls that stand for records.

Read are names bound to literals at the top of the file, lists put together with `+`, `+=`,
`append`, `extend` and `*`, and calls of the classes asked for (`Task(user_id="...")`), which are
not made. Imports are skipped. Whatever else a file holds might change its data when run, and is an
error with its line.
"""

import ast
import warnings
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn, TypeGuard

from pytest_todeval.documents import HALF_CHARACTER, MAX_DIGITS
from pytest_todeval.errors import InvalidFile

MAX_BYTES = 20_000_000
"""Of a file; the largest published one has 0.5 MB."""
MAX_VALUES = 2_000_000
"""In one file, once each name is replaced by what it stands for."""
MAX_DEPTH = 60
MAX_SHOWN = 60
"""Characters of what was found instead."""
LARGEST = 10**MAX_DIGITS
NEVER_RUN = "(the file is read, never run)"
GROWING = ("append", "extend")
"""What lists are put together with."""
BROKEN = (SyntaxError, ValueError, RecursionError, MemoryError, LookupError)
"""What `ast.parse` raises on bytes that are no Python file."""


@dataclass(frozen=True, slots=True)
class Called:
    """A record written as a call, e.g. `Task(user_id="...", actions=[])`."""

    name: str
    fields: Mapping[str, object]
    line: int


def read_literals(path: Path, classes: Collection[str]) -> dict[str, object]:
    """The names that a Python file binds, and the literals it binds them to.

    A value is None, a boolean, number, string, list (tuples too), dict with strings for keys, or
    `Called` for a call of one of `classes`; `plain` makes sure of the rest. Raises InvalidFile,
    with path and line, on a file that is no Python or holds anything else.
    """
    source = _bytes(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)  # of the file's strings: not ours
            warnings.simplefilter("ignore", DeprecationWarning)
            tree = ast.parse(source)
    except BROKEN as error:
        line = getattr(error, "lineno", None) or 1
        what = error.msg if isinstance(error, SyntaxError) else type(error).__name__
        raise InvalidFile(f"{path}:{line}: not a Python file that can be read: {what}") from error
    reader = _StatementReader(path, classes)
    try:
        for statement in tree.body:
            reader.read(statement)
    except RecursionError as error:
        raise InvalidFile(f"{path}:{statement.lineno}: nested too deeply") from error
    return reader.names


def plain(value: object, where: str) -> object:
    """The value as plain JSON, each name replaced by what it stands for; `Called` becomes a dict.

    Raises InvalidFile, starting with `where`, on what JSON cannot hold, and on too much of it.
    """
    return _Plain(where).copy(value, 0)


def _bytes(path: Path) -> bytes:
    if not path.is_file():
        raise InvalidFile(f"{path}: not a file, expected a Python file")
    try:
        if path.stat().st_size > MAX_BYTES:
            raise InvalidFile(f"{path}: larger than {MAX_BYTES:,} bytes, expected a file of tasks")
        return path.read_bytes()
    except OSError as error:
        raise InvalidFile(f"{path}: cannot be read: {error}") from error


def _is_number(value: object) -> TypeGuard[int | float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


class _StatementReader:
    """Reads the statements of one file, in their order."""

    def __init__(self, path: Path, classes: Collection[str]) -> None:
        self.path = path
        self.classes = classes
        self.names: dict[str, object] = {}
        self.left = MAX_VALUES
        self.readers: Mapping[type[ast.expr], Callable[..., object]] = {
            ast.Constant: self._constant,
            ast.List: self._list,
            ast.Tuple: self._list,
            ast.Dict: self._dict,
            ast.Name: self._name,
            ast.UnaryOp: self._signed,
            ast.BinOp: self._sum,
            ast.Call: self._call,
        }

    def read(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Import() | ast.ImportFrom():
                self._forget(statement.names)
            case ast.Expr(ast.Constant()) | ast.Pass() | ast.AnnAssign(value=None):
                pass
            case ast.Assign(targets=targets, value=value):
                self._bind(targets, self.value(value))
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._bind([target], self.value(value))
            case ast.AugAssign(target=ast.Name(name), op=ast.Add(), value=value):
                self._add(name, self.value(value), statement)
            case ast.Expr(ast.Call(ast.Attribute(ast.Name(name), method), [value], [])) if (
                method in GROWING
            ):
                self._call_on_list(name, method, self.value(value), statement)
            case _:
                expected = f"expected imports, names and the literals they stand for {NEVER_RUN}"
                self._refuse(statement, expected)

    def value(self, node: ast.expr) -> object:
        read = self.readers.get(type(node))
        if read is None:
            self._refuse(node, f"expected a literal {NEVER_RUN}")
        return read(node)

    def _forget(self, names: list[ast.alias]) -> None:
        """An import binds names anew, to what is not known; with `*` any."""
        for alias in names:
            if alias.name == "*":
                self.names.clear()
            self.names.pop(alias.asname or alias.name.partition(".")[0], None)

    def _bind(self, targets: list[ast.expr], value: object) -> None:
        for target in targets:
            if not isinstance(target, ast.Name):
                self._refuse(target, "expected a name to bind a literal to")
            self.names[target.id] = value

    def _add(self, name: str, value: object, statement: ast.stmt) -> None:
        before = self._known(name, statement)
        if isinstance(before, list) and isinstance(value, list):
            self._spend(len(value), statement)
            before += value
        else:
            self.names[name] = self._joined(before, value, statement)

    def _call_on_list(self, name: str, method: str, value: object, statement: ast.stmt) -> None:
        known = self._known(name, statement)
        if not isinstance(known, list):
            self._refuse(statement, f"expected {name} to be a list")
        if method == "append":
            known.append(value)
        elif isinstance(value, list):
            self._spend(len(value), statement)
            known.extend(value)
        else:
            self._refuse(statement, "expected a list to extend with")

    def _known(self, name: str, node: ast.stmt | ast.expr) -> object:
        if name not in self.names:
            self._refuse(node, f"expected {name} to be bound to a literal further up in this file")
        return self.names[name]

    def _name(self, node: ast.Name) -> object:
        return self._known(node.id, node)

    def _constant(self, node: ast.Constant) -> object:
        if node.value is not None and not isinstance(node.value, (str, int, float)):
            self._refuse(node, "expected text, a number, True, False or None")
        return node.value

    def _list(self, node: ast.List | ast.Tuple) -> list[object]:
        made: list[object] = []
        for element in node.elts:
            if isinstance(element, ast.Starred):
                made += self._whole_list(element)
            else:
                made.append(self.value(element))
        return made

    def _whole_list(self, node: ast.Starred) -> list[object]:
        value = self.value(node.value)
        if not isinstance(value, list):
            self._refuse(node, "expected a list after `*`")
        self._spend(len(value), node)
        return value

    def _dict(self, node: ast.Dict) -> dict[str, object]:
        made = {}
        for key, value in zip(node.keys, node.values, strict=True):
            if not (isinstance(key, ast.Constant) and isinstance(key.value, str)):
                self._refuse(key or node, "expected text as a key")
            made[key.value] = self.value(value)
        return made

    def _signed(self, node: ast.UnaryOp) -> object:
        value = self.value(node.operand)
        if not (isinstance(node.op, (ast.USub, ast.UAdd)) and _is_number(value)):
            self._refuse(node, f"expected a literal {NEVER_RUN}")
        return -value if isinstance(node.op, ast.USub) else value

    def _sum(self, node: ast.BinOp) -> object:
        if not isinstance(node.op, ast.Add):
            self._refuse(node, f"expected a literal {NEVER_RUN}")
        return self._joined(self.value(node.left), self.value(node.right), node)

    def _joined(self, left: object, right: object, node: ast.expr | ast.stmt) -> object:
        if isinstance(left, list) and isinstance(right, list):
            self._spend(len(left) + len(right), node)
            return left + right
        if isinstance(left, str) and isinstance(right, str):
            self._spend(len(left) + len(right), node)
            return left + right
        self._refuse(node, "expected two lists or two texts around `+`")

    def _call(self, node: ast.Call) -> Called:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        name = node.func.id if isinstance(node.func, ast.Name) else name
        if name not in self.classes or name in self.names:
            known = " or ".join(sorted(self.classes))
            self._refuse(node, f"expected a literal or {known} {NEVER_RUN}")
        if node.args or any(keyword.arg is None for keyword in node.keywords):
            self._refuse(node, f"expected {name} with its values by name, e.g. {name}(name=...)")
        fields = {keyword.arg or "": self.value(keyword.value) for keyword in node.keywords}
        return Called(name, fields, node.lineno)

    def _spend(self, values: int, node: ast.expr | ast.stmt) -> None:
        self.left -= values
        if self.left < 0:
            self._refuse(node, f"expected at most {MAX_VALUES:,} values in all")

    def _refuse(self, node: ast.expr | ast.stmt, expected: str) -> NoReturn:
        raise InvalidFile(f"{self.path}:{node.lineno}: found `{_shown(node)}`, {expected}")


def _shown(node: ast.expr | ast.stmt) -> str:
    """The first line of what was found, or its kind if it cannot be written."""
    try:
        text = ascii(ast.unparse(node).partition("\n")[0])[1:-1]
    except (ValueError, RecursionError):
        return type(node).__name__
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 3]}..."


class _Plain:
    """Copies one value; what holds itself, or grows by being shared, comes to an end."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.left = MAX_VALUES

    def copy(self, value: object, depth: int) -> object:
        self.left -= 1
        if depth > MAX_DEPTH or self.left < 0:
            what = f"nested more than {MAX_DEPTH} deep" if depth > MAX_DEPTH else "too many values"
            raise InvalidFile(f"{self.where}: {what}, expected a task")
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, list):
            return [self.copy(element, depth + 1) for element in value]
        if isinstance(value, Called):
            value = value.fields
        if isinstance(value, Mapping):
            return {self._text(key): self.copy(held, depth + 1) for key, held in value.items()}
        if _is_number(value) and not abs(value) < LARGEST:  # so with `nan` as well
            raise InvalidFile(f"{self.where}: found a number beyond {MAX_DIGITS} digits")
        return value

    def _text(self, value: str) -> str:
        self.left -= len(value) // 64
        if not value.isascii() and any("\ud800" <= c <= "\udfff" for c in value):
            raise InvalidFile(f"{self.where}: found {HALF_CHARACTER}")
        return value
