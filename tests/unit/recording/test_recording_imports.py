"""Adapters wait for the import of their client: nothing is imported for their sake."""

import importlib
import importlib.resources
import importlib.util
import sys
from pathlib import Path

import pytest

from pytest_todeval.recording.imports import when_imported


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A package that can be imported, and is not yet."""
    (tmp_path / "late_client").mkdir()
    (tmp_path / "late_client" / "__init__.py").write_text("VALUE = 1\n")
    (tmp_path / "late_client" / "data.txt").write_text("text")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    monkeypatch.delitem(sys.modules, "late_client", raising=False)
    return "late_client"


def test_it_is_done_at_the_import_and_not_before(module: str, tmp_path: Path) -> None:
    seen: list[int] = []
    when_imported({module: lambda: seen.append(sys.modules[module].VALUE)})
    assert seen == []
    assert module not in sys.modules
    assert type(sys.meta_path[0]).__module__ == when_imported.__module__
    found = importlib.util.find_spec(module)
    assert found is not None
    assert found.loader is not None
    assert found.loader.path == str(tmp_path / module / "__init__.py")  # type: ignore[attr-defined]
    imported = importlib.import_module(module)
    assert seen == [1]
    importlib.import_module(module)
    assert seen == [1]
    # The module knows its own loader, as if nobody had waited for it.
    assert type(imported.__loader__).__module__ != "pytest_todeval.recording.imports"
    assert imported.__spec__ is not None
    assert imported.__spec__.loader is imported.__loader__
    assert importlib.resources.files(module).joinpath("data.txt").read_text() == "text"
    importlib.reload(imported)
    assert seen == [1, 1]


def test_what_is_imported_already_is_done_at_once() -> None:
    seen: list[str] = []
    when_imported({"json": lambda: seen.append("json")})
    assert seen == ["json"]


def test_a_module_that_does_not_exist_is_an_import_error_as_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    when_imported({"no_such_client": lambda: None})
    assert importlib.util.find_spec("no_such_client") is None
    with pytest.raises(ModuleNotFoundError, match="no_such_client"):
        importlib.import_module("no_such_client")
