"""How large the package is: lines and compiled patterns of its rooms, and tangled functions."""

import ast
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

__all__ = ["lines_by_room", "patterns_by_room", "tangled"]

PACKAGE = Path(__file__).resolve().parents[2] / "pytest_todeval"
TEXT_LAYER = ("nlu",)
"""The room whose work patterns are."""
GRADE_C = 20
"""More ways through a function than these are grade D or worse, as radon has it."""
_ONE = (ast.If, ast.IfExp, ast.ExceptHandler, ast.Assert, ast.Lambda)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def lines_by_room() -> Counter[str]:
    """The lines of Python in each room; single modules of the package are a room together."""
    found: Counter[str] = Counter()
    for path in PACKAGE.rglob("*.py"):
        found[_room(path)] += path.read_text(encoding="utf-8").count("\n")
    return found


def patterns_by_room() -> Counter[str]:
    """The calls of `re.compile` in each room outside the text layer."""
    found: Counter[str] = Counter()
    for path in PACKAGE.rglob("*.py"):
        if _room(path) not in TEXT_LAYER:
            found[_room(path)] += sum(map(_compiles, ast.walk(_tree(path))))
    return found


def tangled() -> list[str]:
    """The functions of grade D or worse, by module and name."""
    return sorted(
        f"{path.relative_to(PACKAGE)}:{name}"
        for path in PACKAGE.rglob("*.py")
        for name, node in _functions(_tree(path), "")
        if 1 + sum(map(_ways, ast.walk(node))) > GRADE_C
    )


def _room(path: Path) -> str:
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else "modules"


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _compiles(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "compile"
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "re"
    )


def _functions(tree: ast.AST, within: str) -> Iterator[tuple[str, ast.AST]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{within}{node.name}", node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node, f"{within}{node.name}.")


def _ways(node: ast.AST) -> int:
    if isinstance(node, ast.BoolOp):
        return len(node.values) - 1
    if isinstance(node, ast.comprehension):
        return 1 + len(node.ifs)
    if isinstance(node, ast.Match):
        return len(node.cases)
    if isinstance(node, (ast.Try, *_LOOPS)):
        return isinstance(node, _LOOPS) + bool(node.orelse)
    return int(isinstance(node, _ONE))
