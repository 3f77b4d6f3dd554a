"""A class name means one thing in the whole package, and no two modules import each other."""

import ast
from collections import defaultdict
from collections.abc import Set
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "pytest_todeval"
pytestmark = pytest.mark.thorough  # it reads every module


@cache
def trees() -> dict[Path, ast.Module]:
    return {
        path.relative_to(PACKAGE.parent).with_suffix(""): ast.parse(
            path.read_text(encoding="utf-8")
        )
        for path in PACKAGE.rglob("*.py")
    }


def test_a_class_name_means_one_thing() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for path, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(f"{path}:{node.lineno}")
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_no_modules_import_each_other_in_a_circle() -> None:
    names = {
        ".".join(p.parent.parts if p.name == "__init__" else p.parts): tree
        for p, tree in trees().items()
    }
    graph = {name: sorted(_imported(tree, names.keys())) for name, tree in names.items()}
    TopologicalSorter(graph).prepare()  # raises CycleError, which names the circle


def _imported(tree: ast.Module, modules: Set[str]) -> set[str]:
    """The modules of ours that one imports, in functions, too; not for type checking alone."""
    found: set[str] = set()
    for node in _run(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                found.add(whole if whole in modules else node.module)
    return {name for name in found if name in modules}


def _run(node: ast.AST) -> list[ast.AST]:
    """All nodes but those under `if TYPE_CHECKING`."""
    kept = [node]
    for child in ast.iter_child_nodes(node):
        test = child.test if isinstance(child, ast.If) else None
        if not (isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"):
            kept += _run(child)
    return kept
