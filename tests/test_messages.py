"""What a message tells a person to import can be imported, and is public."""

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import pytest_todeval
from tests.conftest import PROJECT

PACKAGE = Path(pytest_todeval.__file__).parent
PUBLIC = (
    "errors", "frameworks", "judge", "log", "results", "rules", "strategies", "systems", "testing",
)  # fmt: skip
"""The public modules of the package, besides the package itself."""
ENTRY_POINTS = ("worlds", "predicates", "questions", "strategies")
"""Where other packages offer theirs: `pytest_todeval.worlds` is the name of such a group."""
NAMED = re.compile(r"\bpytest_todeval\.(\w+)(?:\.(\w+))?")
IMPORTED = re.compile(r"\bfrom pytest_todeval(?:\.(\w[\w.]*))? import (\w+)")


def texts(source: str) -> Iterator[str]:
    """The string literals that have more than a name in them, without docstrings."""
    tree = ast.parse(source)
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        said = node.value if isinstance(node, ast.Constant) and id(node) not in alone else None
        if isinstance(said, str) and " " in said:
            yield said


def private_names(text: str) -> list[str]:
    found = [(module, name) for module, name in IMPORTED.findall(text)]
    found += [(one, two) if two else ("", one) for one, two in NAMED.findall(text)]
    return [".".join(filter(None, each)) for each in found if not is_public(*each)]


def is_public(module: str, name: str) -> bool:
    if not module and name in (*PUBLIC, *ENTRY_POINTS):
        return True
    if module and module not in PUBLIC:
        return False
    return name in importlib.import_module(f"pytest_todeval.{module}".rstrip(".")).__all__


def test_messages_name_only_what_is_public() -> None:
    private = {
        str(path.relative_to(PACKAGE)): names
        for path in sorted(PACKAGE.rglob("*.py"))
        for text in texts(path.read_text(encoding="utf-8"))
        if (names := private_names(text))
    }
    assert private == {}


@pytest.mark.parametrize(
    ("text", "private"),
    [
        ("call pytest_todeval.core.lane", ["core.lane"]),
        ("write from pytest_todeval.core.lane import in_lane", ["core.lane.in_lane", "core.lane"]),
        ("expected a pytest_todeval.Verdct", ["Verdct"]),
        ("expected a pytest_todeval.Verdict", []),
        ("a function decorated with pytest_todeval.rules.predicate", []),
        ("from pytest_todeval.systems import RuleSystem", []),
    ],
)
def test_a_name_that_is_not_public_is_noticed(text: str, private: list[str]) -> None:
    assert private_names(text) == private


def test_documents_import_only_what_is_public() -> None:
    documents = [PROJECT / "README.md", *(PROJECT / "docs").rglob("*.md")]
    private = {
        path.name: [
            f"{module}.{name}"
            for module, name in IMPORTED.findall(path.read_text(encoding="utf-8"))
            if not is_public(module, name)
        ]
        for path in documents
    }
    assert {name: found for name, found in private.items() if found} == {}
