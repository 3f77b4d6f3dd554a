"""The documents' Python is Python, imports what exists, and their YAML loads."""

import ast
import importlib
import importlib.util
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_todeval.core.documents import read_document
from tests.conftest import PROJECT

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
DOCUMENTS = [*sorted(PROJECT.glob("*.md")), *sorted((PROJECT / "docs").rglob("*.md"))]


def blocks(*languages: str) -> Iterator[object]:
    for path in DOCUMENTS:
        for number, (language, text) in enumerate(BLOCK.findall(path.read_text("utf-8")), 1):
            if language in languages:
                yield pytest.param(text, id=f"{path.name}-{number}")


def exists(module: str, name: str) -> bool:
    if hasattr(importlib.import_module(module), name):
        return True
    return importlib.util.find_spec(f"{module}.{name}") is not None


@pytest.mark.parametrize("text", list(blocks("python")))
def test_python_blocks_import_what_exists(text: str) -> None:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("pytest_todeval"):
            names = [alias.name for alias in node.names]
            assert [name for name in names if not exists(str(node.module), name)] == []


@pytest.mark.thorough
def test_python_blocks_agree_with_the_types(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    for path in DOCUMENTS:
        for number, (language, text) in enumerate(BLOCK.findall(path.read_text("utf-8"))):
            if language == "python" and "import openai" not in text:  # whose messages are dicts
                (tmp_path / f"block_{path.stem}_{number}.py").write_text(text, encoding="utf-8")
    assert len([*tmp_path.iterdir()]) > 50
    command = [sys.executable, "-m", "mypy", "--check-untyped-defs", "--ignore-missing-imports"]
    fragments = ["--disable-error-code", "name-defined", "--cache-dir", str(tmp_path / "cache")]
    done = subprocess.run(
        [*command, *fragments, "."], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("text", list(blocks("yaml")))
def test_yaml_blocks_load(text: str, tmp_path: Path) -> None:
    path = tmp_path / "block.yaml"
    path.write_text(text, encoding="utf-8")
    assert read_document(path).value


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    targets = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text("utf-8"))
    assert [target for target in targets if not (path.parent / target).exists()] == []


def test_pages_that_the_package_names_are_there() -> None:
    package = PROJECT / "pytest_todeval"
    texts = [*package.rglob("*.py"), *package.rglob("*.yaml"), *package.rglob("*.md")]
    named = {
        page
        for path in texts
        for page in re.findall(r"(?<![\w/])docs/[\w/]+\.md", path.read_text("utf-8"))
    }
    assert len(named) > 8
    assert sorted(page for page in named if not (PROJECT / page).is_file()) == []


def test_each_page_is_in_the_index() -> None:
    folder = PROJECT / "docs"
    listed = set(
        re.findall(r"^(?:.*<)?([\w/]+)>?$", (folder / "index.md").read_text("utf-8"), re.M)
    )
    pages = {str(path.relative_to(folder).with_suffix("")) for path in folder.rglob("*.md")}
    assert sorted(pages - listed - {"index"}) == [], "add a line to docs/index.md"


def test_each_of_the_attacks_has_a_test_that_is_there() -> None:
    """Those that are not held stand in the jail's table."""
    text = (PROJECT / "SECURITY.md").read_text("utf-8")
    rows = re.findall(r"^\| (\d+) \| (.+?) \| (.+?) \| (.*) ?\|$", text, re.MULTILINE)
    assert [int(number) for number, *_ in rows] == list(range(1, 43))
    open_ways = [
        attack for _, attack, now, tests in rows if now == "not held" and not tests.strip()
    ]
    assert len(open_ways) == 3
    for _, attack, now, tests in rows:
        named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", tests)
        assert named or now == "not held", attack
        for path, test in named:
            assert f"\ndef {test}(" in (PROJECT / path).read_text("utf-8"), f"{path}::{test}"


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_commands_run_files_that_exist(path: Path) -> None:
    named = re.findall(r"python ((?:benchmarks|examples|docs)/[\w/]+\.py)", path.read_text("utf-8"))
    assert [name for name in named if not (PROJECT / name).exists()] == []
