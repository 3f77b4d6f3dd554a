"""Where data sets are looked for, and what is said if they are not there."""

from pathlib import Path

import pytest

from pytest_todeval.errors import DataMissing
from pytest_todeval.goals.homes import installed
from pytest_todeval.goals.store import DEMO, VARIABLE, cache_folder, find_multiwoz, place_of_data


def test_the_option_counts_more_than_the_environment_and_that_more_than_the_cache(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "b"))
    assert place_of_data(tmp_path / "a")[1] == tmp_path / "a"
    assert place_of_data() == (VARIABLE, tmp_path / "b")
    monkeypatch.delenv(VARIABLE)
    assert place_of_data() == ("the user's cache", cache_folder())
    assert cache_folder().name == "todeval"


def test_data_is_found_in_the_place_or_in_its_folder_multiwoz(tmp_path: Path) -> None:
    assert find_multiwoz(DEMO) == DEMO.absolute()
    (tmp_path / "multiwoz").symlink_to(DEMO, target_is_directory=True)
    assert find_multiwoz(tmp_path) == tmp_path / "multiwoz"


def test_a_place_without_data_is_named_with_what_named_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    with pytest.raises(DataMissing, match=f"not in .* \\(named by {VARIABLE}\\)") as told:
        find_multiwoz()
    assert str(tmp_path) in str(told.value)


def test_the_folders_of_a_package_are_found_and_a_module_has_none() -> None:
    (folder,) = installed("pytest_todeval")
    assert (folder / "plugin.py").is_file()
    assert installed("antigravity") == []
    assert installed("no_such_package_at_all") == []
    assert installed("") == []
