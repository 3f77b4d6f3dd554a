"""The tools of a bot, by their signatures, and the goals that can be drafted from them."""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pytest_todeval.nlu.en import listed
from pytest_todeval.nlu.slots import KINDS, kind_of
from pytest_todeval.nlu.tool_names import Purpose, purpose_of, words_of
from pytest_todeval.start.drafts.wish import UserWish
from pytest_todeval.start.project import Module

_GIVEN = frozenset(
    listed(
        "self cls ctx context run_context wrapper tool_context backend config state runtime deps "
        "session db database callback_context"
    )
)
_MARKS = ("tool", "function_tool", "tool_plain", "kernel_function")
_VALUES: Mapping[str, str] = {
    "date": "friday", "time": "18:30", "count": "2", "phone": "07700 900123", "name": "Ada Marsh",
    "email": "ada@example.org", "yes/no": "yes", "postcode": "CB2 1AB",
}  # fmt: skip
"""Kind of value -> one that people say."""
_DEEDS = (Purpose.BOOKS, Purpose.CHANGES, Purpose.CANCELS)


@dataclass(frozen=True)
class FoundTool:
    """A function that a bot may call."""

    name: str
    parameters: Mapping[str, tuple[str, ...]]
    """Parameter -> the values that its annotation or a constant allows; nothing if any."""

    @property
    def wish(self) -> UserWish | None:
        """What a user may want of it; None if it only looks, or a value cannot be made up."""
        if purpose_of(self.name, {}) is not Purpose.BOOKS:  # which record to change, nobody knows
            return None
        kind = [word for word in words_of(self.name) if not _is_verb(word)]
        values = {name: _value(name, known) for name, known in self.parameters.items()}
        if not kind or not values or not all(values.values()):
            return None
        return UserWish("book", kind[-1], {name: str(value) for name, value in values.items()})


def _is_verb(word: str) -> bool:
    return word in ("book", "reserve", "make", "create", "place", "order", "new", "the", "a", "and",
                    "schedule", "buy", "purchase", "confirm", "booking", "reservation")  # fmt: skip


def _value(name: str, known: Sequence[str]) -> str | None:
    if known:
        return known[0]
    kind = kind_of(name)
    return next((_VALUES.get(said) for said, each in KINDS.items() if each is kind), None)


def tools_in(modules: Sequence[Module]) -> list[FoundTool]:
    """The functions of a project that are marked as tools, listed as such, or named for a deed."""
    constants = dict(_constants(modules))
    listed = {name for module in modules for name in _listed(module)}
    found: dict[str, FoundTool] = {}
    for module in modules:
        for node in ast.walk(module.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                by_name = purpose_of(node.name, {}) in _DEEDS
                if by_name or node.name in listed or any(map(_is_mark, node.decorator_list)):
                    found.setdefault(node.name, _tool(node, constants))
    return [*found.values()]


def _is_mark(decorator: ast.expr) -> bool:
    node = decorator.func if isinstance(decorator, ast.Call) else decorator
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return name in _MARKS


def _listed(module: Module) -> Iterator[str]:
    """Names in `tools=[...]` of a call."""
    for node in ast.walk(module.tree):
        if (
            isinstance(node, ast.keyword)
            and node.arg == "tools"
            and isinstance(node.value, ast.List)
        ):
            for each in node.value.elts:
                if isinstance(each, ast.Name):
                    yield each.id


def _tool(
    node: ast.FunctionDef | ast.AsyncFunctionDef, constants: Mapping[str, tuple[str, ...]]
) -> FoundTool:
    parameters = {}
    arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    optional = len(node.args.defaults)
    required = {each.arg for each in arguments[: len(arguments) - optional]}
    for each in arguments:
        if each.arg in _GIVEN or "Context" in ast.unparse(each.annotation or ast.Constant("")):
            continue
        if each.arg in required:
            parameters[each.arg] = _literals(each.annotation) or _known(each.arg, constants)
    return FoundTool(node.name, parameters)


def _literals(annotation: ast.expr | None) -> tuple[str, ...]:
    if not (isinstance(annotation, ast.Subscript) and "Literal" in ast.unparse(annotation.value)):
        return ()
    inner = annotation.slice
    values = inner.elts if isinstance(inner, ast.Tuple) else [inner]
    return tuple(str(v.value) for v in values if isinstance(v, ast.Constant))


def _known(name: str, constants: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    last = name.lower().rpartition("_")[2]
    return next(
        (constants[each] for each in (name, f"{name}s", f"{last}s") if each in constants), ()
    )


def _constants(modules: Sequence[Module]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Module-level lists, sets and dicts of words, and enums: `SPORTS = ("tennis", ...)`."""
    for module in modules:
        for node in module.tree.body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                words = _words(node.value)
                if words:
                    yield node.targets[0].id.lower(), words
            elif isinstance(node, ast.ClassDef) and "Enum" in map(_last_name, node.bases):
                members = (each.value for each in node.body if isinstance(each, ast.Assign))
                values = [v.value for v in members if isinstance(v, ast.Constant)]
                yield _snake(node.name) + "s", tuple(v for v in values if isinstance(v, str))


def _last_name(node: ast.expr) -> str:
    return (
        node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "").replace("Str", "")
    )


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def _words(value: ast.expr) -> tuple[str, ...]:
    keys = value.keys if isinstance(value, ast.Dict) else getattr(value, "elts", [])
    values = [each.value if isinstance(each, ast.Constant) else None for each in keys]
    texts = [value for value in values if isinstance(value, str)]
    return tuple(texts) if len(texts) == len(values) else ()
