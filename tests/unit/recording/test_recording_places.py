"""Where the cassette of a test lies, by what stands in the folders above it."""

from pathlib import Path

import pytest

from pytest_todeval.recording import location
from pytest_todeval.recording.files import journal_path
from pytest_todeval.recording.location import anchor_of, cassette_of, folder_of, places_of


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A test file three folders below the top, which alone configures pytest."""
    (tmp_path / "pytest.ini").touch()
    found = tmp_path / "shop" / "tests" / "deep" / "test_it.py"
    found.parent.mkdir(parents=True)
    return found


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pytest.toml", ""),
        (".pytest.toml", ""),
        ("pytest.ini", ""),
        (".pytest.ini", ""),
        ("pyproject.toml", "[tool.pytest.ini_options]"),
        ("tox.ini", "[pytest]"),
        ("setup.cfg", "[tool:pytest]"),
    ],
)
def test_the_nearest_folder_that_configures_pytest_is_the_anchor(
    file: Path, name: str, text: str
) -> None:
    shop = file.parents[2]
    (shop / name).write_text(text)
    assert anchor_of(file) == shop


@pytest.mark.parametrize(
    "text", [b"[tool.mypy]", b"[tool.pytest\xff", b" " * (1 << 20) + b"[tool.pytest"]
)
def test_a_file_that_does_not_is_passed_by(file: Path, text: bytes) -> None:
    (file.parents[2] / "pyproject.toml").write_bytes(text)
    assert anchor_of(file) == file.parents[3]


def test_without_a_configuration_a_project_file_then_conftest_files_count(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def anchor() -> Path:
        anchor_of.cache_clear()
        return anchor_of(file)

    monkeypatch.setattr(location, "CONFIGURED", {})
    deep, tests, shop, _ = file.parents[:4]
    monkeypatch.setattr(Path, "is_file", lambda path: path.exists() and path.is_relative_to(shop))
    assert anchor() == deep
    (shop / "conftest.py").touch()
    assert anchor() == shop
    (tests / "conftest.py").touch()
    assert anchor() == shop, "each folder from the nearest up has one"
    (deep / "conftest.py").touch()
    (tests / "conftest.py").unlink()
    assert anchor() == deep
    (tests / "pyproject.toml").touch()
    assert anchor() == tests


def test_a_cassette_is_written_at_the_anchor_and_found_where_it_was_before(file: Path) -> None:
    top, nodeid = file.parents[3], "deep/test_it.py::test_a"
    new = top / "cassettes/shop/tests/deep/test_it/test_a.todeval.jsonl"
    beside = file.parent / "cassettes/test_it/test_a.todeval.jsonl"
    shop = top / "shop/cassettes/tests/deep/test_it/test_a.todeval.jsonl"
    rooted = top / "shop/tests/cassettes/deep/test_it/test_a.todeval.jsonl"

    assert folder_of(file) == top / "cassettes"
    assert folder_of(file, top / "kept") == top / "kept"
    # Above pytest's root only the anchor's counts.
    assert places_of(file, nodeid, root=file.parents[1]) == (new, beside, rooted)
    assert places_of(file, nodeid, root=top)[1:4] == (beside, rooted, shop)
    assert cassette_of(file, nodeid, root=file.parents[1]) == new
    beside.parent.mkdir(parents=True)
    journal_path(beside).touch()
    assert cassette_of(file, nodeid, root=file.parents[1]) == beside
    rooted.parent.mkdir(parents=True)
    rooted.touch()
    assert cassette_of(file, nodeid, root=file.parents[1]) == beside
    new.parent.mkdir(parents=True)
    new.touch()
    assert cassette_of(file, nodeid, root=file.parents[1]) == new


def test_names_that_no_file_may_have_end_in_a_hash(file: Path) -> None:
    def name(test: str) -> str:
        return places_of(file, f"x::{test}", root=file.parent)[0].name.removesuffix(
            ".todeval.jsonl"
        )

    assert name("test_a[own/1.2,b=#]") == "test_a[own-1.2,b=#]"
    assert name("t" * 120) == "t" * 120
    assert name("test_a[ü]") == "test_a[-]-" + name("test_a[ü]")[-8:]
    assert name("test_a[ü]") != name("test_a[ä]")
    assert name("t" * 121)[:121] == "t" * 120 + "-"
    assert len(name("t" * 121)) == 129
