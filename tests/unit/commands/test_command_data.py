import argparse
import hashlib
import json
import re
import zipfile
from pathlib import Path

import pytest

from pytest_todeval.commands import data
from pytest_todeval.errors import DataMissing, UsageError
from pytest_todeval.goals import store

GOAL = {"goal": {"hotel": {"info": {"area": "west"}}, "message": []}, "log": []}


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's cache of the test's own, and no data named by the environment."""
    folder = tmp_path / "cache"
    monkeypatch.delenv("TODEVAL_DATA", raising=False)
    monkeypatch.setattr(store, "cache_folder", lambda: folder)
    monkeypatch.setattr(data, "cache_folder", lambda: folder)
    return folder


def run(*argv: str) -> int:
    parser = argparse.ArgumentParser()
    data.add_arguments(parser)
    return data.run(parser.parse_args(argv))


def put_multiwoz(folder: Path) -> Path:
    folder.mkdir(parents=True)
    with zipfile.ZipFile(folder / "test.json.zip", "w") as archive:
        archive.writestr("test.json", json.dumps({"A": GOAL}))
    return folder


def test_list_says_what_is_missing_and_how_to_get_it(
    cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("list") == 0
    shown = capsys.readouterr().out
    assert re.search(r"demo      goals: val \d+, test \d+; with databases; comes with the", shown)
    assert f"multiwoz  missing: not in {cache} (named by the user's cache)" in shown
    assert "todeval data get multiwoz" in shown


def test_list_says_what_is_where(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = put_multiwoz(tmp_path / "own" / "multiwoz")
    monkeypatch.setenv("TODEVAL_DATA", str(tmp_path / "own"))
    assert run("list") == 0
    shown = capsys.readouterr().out
    assert "multiwoz  goals: test 1; databases missing" in shown
    assert f"in {folder} (named by TODEVAL_DATA)" in shown


def test_path_prints_where_a_data_set_is(cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(DataMissing, match="todeval data get multiwoz"):
        run("path", "multiwoz")
    folder = put_multiwoz(cache / "multiwoz")
    for arguments, expected in (
        (("path",), cache),
        (("path", "multiwoz"), folder),
        (("path", "demo"), store.DEMO),
    ):
        run(*arguments)
        assert capsys.readouterr().out == f"{expected}\n"


def test_the_environment_comes_before_the_cache_and_is_not_replaced_silently(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_multiwoz(cache / "multiwoz")
    own = put_multiwoz(tmp_path / "own")
    assert store.find_multiwoz() == cache / "multiwoz"
    monkeypatch.setenv("TODEVAL_DATA", str(own))
    assert store.find_multiwoz() == own
    assert store.find_multiwoz(str(cache)) == cache / "multiwoz"
    monkeypatch.setenv("TODEVAL_DATA", str(tmp_path / "nowhere"))
    with pytest.raises(DataMissing, match=r"nowhere \(named by TODEVAL_DATA\)"):
        store.find_multiwoz()


def test_what_was_found_stays_found_where_a_test_changes_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = put_multiwoz(tmp_path / "own")
    monkeypatch.chdir(tmp_path)
    assert store.find_multiwoz("own") == own


def test_get_downloads_to_the_cache(
    cache: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    published = put_multiwoz(tmp_path / "published")
    sha256 = hashlib.sha256((published / "test.json.zip").read_bytes()).hexdigest()
    monkeypatch.setattr(data, "MULTIWOZ_FILES", {"test.json.zip": sha256})
    folder = data.get_multiwoz(base_url=published.as_uri())
    assert folder == store.find_multiwoz() == cache / "multiwoz"
    assert capsys.readouterr().out == "test.json.zip: downloading\n"


def test_unknown_names_are_told_the_known_ones(
    cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for action in ("path", "get"):
        with pytest.raises(UsageError, match=r"unknown data set 'multwoz': did you mean 'multi"):
            run(action, "multwoz")
    assert run("get", "demo") == 0
    assert capsys.readouterr().out.startswith("demo comes with the package")
