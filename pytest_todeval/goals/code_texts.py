"""Texts that Python code of a checkout holds, read and never run: what it binds, passes or returns.

A text may have places for values: `f"Say {this}."`, and sums of texts and names.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from pytest_todeval.errors import InvalidFile
from pytest_todeval.goals.literals import parse_python


@dataclass(frozen=True, slots=True)
class TextTemplate:
    """A text with places for values."""

    pieces: tuple[tuple[str, str], ...]
    """Text, and the name of the value that follows it; an empty name at the end."""

    def filled(self, **values: str) -> str:
        """The text with its values, which are not looked into. Raises KeyError without one."""
        return "".join(text + (values[name] if name else "") for text, name in self.pieces)

    @property
    def names(self) -> frozenset[str]:
        """Returns the values that it has places for."""
        return frozenset(name for _, name in self.pieces if name)


class CheckoutCode:
    """One Python file. Places in it are named by classes and functions: `User.reset`.

    Raises InvalidFile, with path and place, for what is no Python, or does not hold what is asked.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._tree = parse_python(path)

    def returned(self, place: str, *names: str) -> TextTemplate:
        """Returns the text that a function returns, with places for `names`."""
        found = [n.value for n in self._walk(place) if isinstance(n, ast.Return) and n.value]
        if not found:
            self._refuse(place, "a text that it returns")
        return self._template(found[-1], f"{place} returns", names)

    def bound(self, name: str, *names: str, place: str = "") -> TextTemplate:
        """Returns the text that a name is bound to in a place; of `a if b else c` the first."""
        where = f"{place}.{name}" if place else name
        value = self._value(name, place)
        return self._template(value.body if isinstance(value, ast.IfExp) else value, where, names)

    def number(self, name: str) -> int | float:
        """Returns the number that a name is bound to at the top of the file."""
        value = self._value(name, "")
        if isinstance(value, ast.Constant) and type(value.value) in (int, float):
            return value.value  # type: ignore[return-value]  # as was asked
        self._refuse(name, "a number")

    def default(self, place: str, parameter: str) -> int:
        """Returns the whole number that a parameter of a function is by default."""
        function = self._place(place)
        if isinstance(function, ast.FunctionDef):
            arguments = function.args
            told = arguments.args[len(arguments.args) - len(arguments.defaults) :]
            for argument, value in zip(told, arguments.defaults, strict=True):
                found = value.value if isinstance(value, ast.Constant) else None
                if argument.arg == parameter and type(found) is int:
                    return found
        self._refuse(place, f"a parameter {parameter} with a whole number as default")

    def passed(self, callee: str, keyword: str, name: str) -> str:
        """The text that a call bound to a name passes by keyword: `name = callee(keyword=...)`."""
        value = self._value(name, "")
        if isinstance(value, ast.Call) and _named(value.func) == callee:
            for each in value.keywords:
                if each.arg == keyword:
                    return self._template(each.value, name, ()).filled()
        self._refuse(name, f"{callee}(..., {keyword}=<text>)")

    def message(self, place: str, role: str) -> str:
        """The `content` of a message of this role that stands in a place, as a dictionary."""
        for node in self._walk(place):
            if isinstance(node, ast.Dict):
                found = {
                    _constant(key): value for key, value in zip(node.keys, node.values, strict=True)
                }
                content = found.get("content")
                if _constant(found.get("role")) == role and _constant(content) is not None:
                    return str(_constant(content))
        self._refuse(place, f"a message of the role {role} with text as content")

    def cases(self, place: str) -> dict[str, str]:
        """Returns what a function returns by the text that its parameter is compared with."""
        found = {}
        for node in self._walk(place):
            if isinstance(node, ast.If) and isinstance(node.test, ast.Compare):
                case = _constant(node.test.comparators[0])
                answer = node.body[0]
                if case and isinstance(answer, ast.Return) and _constant(answer.value):
                    found[case] = str(_constant(answer.value))
        if not found:
            self._refuse(place, 'cases, each `if x == "...": return "..."`')
        return found

    def _value(self, name: str, place: str) -> ast.expr:
        for node in self._place(place).body if place else self._tree.body:
            if isinstance(node, ast.Assign) and name in map(_named, node.targets):
                return node.value
        self._refuse(place or "the file", f"a binding of {name}")

    def _walk(self, place: str) -> Iterator[ast.AST]:
        return ast.walk(self._place(place))

    def _place(self, place: str) -> ast.ClassDef | ast.FunctionDef:
        body, found = self._tree.body, None
        for name in place.split("."):
            kinds = (ast.ClassDef, ast.FunctionDef)
            inside = (node for node in body if isinstance(node, kinds) and node.name == name)
            found = next(inside, None)
            if found is None:
                self._refuse(place, "a class or function of this name")
            body = found.body
        assert found is not None  # a place has a name
        return found

    def _template(self, node: ast.expr, where: str, names: tuple[str, ...]) -> TextTemplate:
        pieces, text = [], ""
        for said, name in self._pieces(node, where):
            text += said
            if name:
                pieces.append((text, name))
                text = ""
        template = TextTemplate((*pieces, (text, "")))
        if strange := sorted(template.names - set(names)):
            self._refuse(where, f"places for {', '.join(names) or 'no value'}, not {strange[0]}")
        return template

    def _pieces(self, node: ast.expr, where: str) -> Iterator[tuple[str, str]]:
        match node:
            case ast.Constant(value=str(text)):
                yield text, ""
            case (
                ast.Name(id=name)
                | ast.FormattedValue(value=ast.Name(id=name), conversion=-1, format_spec=None)
            ):
                yield "", name
            case ast.JoinedStr(values=values):
                for value in values:
                    yield from self._pieces(value, where)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                yield from self._pieces(left, where)
                yield from self._pieces(right, where)
            case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="strip")):
                yield text.strip(), ""
            case _:
                self._refuse(where, f"a text with names in it, found {type(node).__name__}")

    def _refuse(self, where: str, expected: str) -> NoReturn:
        raise InvalidFile(f"{self.path}: {where}: expected {expected} (the file is read, not run)")


def _named(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _constant(node: ast.expr | None) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return None
