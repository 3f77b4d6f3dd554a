"""How many ways lead through a function, counted as radon counts them."""

import ast
from collections.abc import Iterator
from pathlib import Path

__all__ = ["tangled"]

GRADE_C = 20
"""More ways than these are grade D or worse."""
_ONE = (ast.If, ast.IfExp, ast.ExceptHandler, ast.Assert, ast.Lambda)
_LOOPS = (ast.For, ast.AsyncFor, ast.While, ast.Try)


def tangled(folder: Path) -> list[str]:
    """The functions below a folder of grade D or worse, by module and name."""
    return sorted(
        f"{path.relative_to(folder)}:{name}"
        for path in folder.rglob("*.py")
        for name, node in _functions(ast.parse(path.read_text(encoding="utf-8")), "")
        if 1 + sum(map(_ways, ast.walk(node))) > GRADE_C
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
    if isinstance(node, _LOOPS):
        return (not isinstance(node, ast.Try)) + bool(node.orelse)
    if isinstance(node, ast.Match):
        return len(node.cases)
    return int(isinstance(node, _ONE))
