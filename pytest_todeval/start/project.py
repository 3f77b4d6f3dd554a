"""A project's own Python files, parsed and never imported, and how pytest is configured there."""

import ast
import configparser
import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pytest_todeval.errors import UsageError
from pytest_todeval.nlu.en import listed

MOST_FILES = 3000
"""Python files that are looked at."""
LONGEST = 1_000_000
"""Bytes of one of them."""
_NOT_OURS = frozenset(
    listed(
        "node_modules site-packages venv env build dist tests test docs examples __pycache__ "
        "migrations"
    )
)
_INI = (("pytest.ini", "pytest"), (".pytest.ini", "pytest"), ("tox.ini", "pytest"),
        ("setup.cfg", "tool:pytest"))  # fmt: skip


@dataclass(frozen=True)
class Module:
    """A parsed file of the project."""

    path: Path
    root: Path
    tree: ast.Module

    @property
    def place(self) -> str:
        """Returns where it lies, from the project's folder."""
        return self.path.relative_to(self.root).as_posix()

    @cached_property
    def imported(self) -> Mapping[str, str]:
        """Local name -> what it stands for: `Agent` -> `agents.Agent`."""
        found = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    found[alias.asname or alias.name] = alias.name
            elif isinstance(node, ast.ImportFrom) and not node.level:
                for alias in node.names:
                    found[alias.asname or alias.name] = f"{node.module}.{alias.name}"
        return found

    def full_name(self, node: ast.expr) -> str:
        """What a name or attribute stands for; of `Agent[Context]` and `Agent(...)` their head."""
        if isinstance(node, ast.Subscript):
            return self.full_name(node.value)
        if isinstance(node, ast.Call):
            return self.full_name(node.func)
        if isinstance(node, ast.Attribute):
            return f"{self.full_name(node.value)}.{node.attr}"
        if isinstance(node, ast.Name):
            return self.imported.get(node.id, node.id)
        return ""

    @property
    def folder(self) -> Path:
        """Returns the folder from which it is imported: the project's, its `src`, or its own."""
        first = self.path.relative_to(self.root).parts[0]
        if first == "src":
            return self.root / "src"
        own = self.path.parent
        beside = {each.stem for each in own.glob("*.py")}
        bare = {name.partition(".")[0] for name in self.imported.values()}
        is_package = (own / "__init__.py").exists()
        return own if own != self.root and not is_package and beside & bare else self._outermost

    @property
    def _outermost(self) -> Path:
        """Returns the folder that holds its outermost package."""
        folder = self.path.parent
        if not (folder / "__init__.py").exists():
            return self.root
        while folder != self.root and (folder / "__init__.py").exists():
            folder = folder.parent
        return folder

    @property
    def name(self) -> str:
        """Returns its dotted name."""
        parts = list(self.path.relative_to(self.folder).with_suffix("").parts)
        return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def modules_of(root: Path) -> list[Module]:
    """Returns the Python files of a project, those nearest to its folder first; what cannot be
    parsed is left out. Raises UsageError if there is no such folder.
    """
    if not root.is_dir():
        raise UsageError(f"{root}: there is no such folder")
    paths = sorted(_python_files(root), key=lambda path: (len(path.parts), str(path)))
    return [found for path in paths[:MOST_FILES] if (found := _parsed(path, root)) is not None]


def _python_files(root: Path) -> Iterator[Path]:
    for folder, names, files in os.walk(root):
        here = Path(folder)
        names[:] = [
            name for name in sorted(names)
            if name not in _NOT_OURS and not name.startswith(".")
            and not (here / name / "pyvenv.cfg").exists()
        ]  # fmt: skip
        if (here / "conftest.py").exists() and here != root:
            names.clear()
            continue
        for name in files:
            ours = not name.startswith("test_") and name not in ("setup.py", "conftest.py")
            if name.endswith(".py") and ours:
                yield here / name


def _parsed(path: Path, root: Path) -> Module | None:
    try:
        if path.is_symlink() or path.stat().st_size > LONGEST:
            return None
        return Module(path, root, ast.parse(path.read_text(encoding="utf-8-sig")))
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None


@dataclass(frozen=True)
class PytestConfig:
    """Which file configures pytest, if one does, and what it puts on the path."""

    path: Path | None
    pythonpath: tuple[str, ...] = ()


def pytest_config(root: Path) -> PytestConfig:
    """Returns how pytest is configured in a folder, by the file that pytest would take."""
    for name, section in (*_INI[:2], ("pyproject.toml", ""), *_INI[2:]):
        path = root / name
        if not path.is_file():
            continue
        values = _toml(path) if name == "pyproject.toml" else _ini(path, section)
        if values is not None:
            said = values.get("pythonpath", "")
            paths = said.split() if isinstance(said, str) else [str(each) for each in said]
            return PytestConfig(path, tuple(paths))
    return PytestConfig(None)


def _toml(path: Path) -> Mapping[str, str | list[str]] | None:
    try:
        tool = tomllib.loads(path.read_text(encoding="utf-8")).get("tool", {})
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from None
    found = tool.get("pytest") if isinstance(tool, dict) else None
    options = found.get("ini_options", found) if isinstance(found, dict) else None
    return options if isinstance(options, dict) else None


def _ini(path: Path, section: str) -> Mapping[str, str] | None:
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, configparser.Error) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from None
    if not parser.has_section(section):
        return {} if path.name in ("pytest.ini", ".pytest.ini") else None
    return dict(parser.items(section))
