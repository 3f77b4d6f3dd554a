"""Files that would take all memory or all time end in one line."""

import gzip
import sqlite3
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_todeval import Reply
from pytest_todeval.backends.table_files import read_files
from pytest_todeval.errors import InvalidFile, SystemContractError
from pytest_todeval.evaluate.rules.patterns import compiled
from pytest_todeval.recording import transport
from pytest_todeval.recording.transport import response_of
from pytest_todeval.simulation.reply import LONGEST_REPLY, checked
from tests.conftest import PROJECT, Todeval, must_end


def test_a_zip_that_unpacks_to_gigabytes_is_not_unpacked(tmp_path: Path, todeval: Todeval) -> None:
    bomb = tmp_path / "bomb.zip"
    with (
        zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("test.json", "w", force_zip64=True) as member,
    ):
        for _ in range(40):
            member.write(b"a" * (1 << 20))
    printed = todeval("goals", "check", "multiwoz", "--data", bomb, code=2)
    assert "has 40 MiB unpacked of" in printed.err
    assert "expected at most 512 MiB, and 100 times what is packed" in printed.err


def test_a_zip_of_very_many_files_is_not_opened(tmp_path: Path, todeval: Todeval) -> None:
    place = tmp_path / "many.zip"
    with zipfile.ZipFile(place, "w") as archive:
        for number in range(10_001):
            archive.writestr(f"{number}/", "")
    printed = todeval("goals", "check", "multiwoz", "--data", place, code=2)
    assert "has 10,001 files, expected at most 10,000" in printed.err


def test_a_zip_that_asks_for_gigabytes_by_its_head_is_not_unpacked(
    tmp_path: Path, todeval: Todeval
) -> None:
    """LZMA's head has the size of its dictionary, which is taken at once."""
    place = tmp_path / "lzma.zip"
    with zipfile.ZipFile(place, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("test.json", b"{}")
    printed = todeval("goals", "check", "multiwoz", "--data", place, code=2)
    assert "is packed by another method" in printed.err


def test_a_database_that_unpacks_to_gigabytes_is_not_unpacked(tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.zip"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("db/hotel_db.json", b"a" * (12 << 20))
    with pytest.raises(InvalidFile, match="has 12 MiB unpacked of"):
        read_files(bomb)


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd", "gzip, gzip"])
def test_a_response_that_unpacks_to_gigabytes_is_not_unpacked(
    encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport, "MOST_DECODED", 1 << 20)
    pack: dict[str, Callable[[bytes], bytes]] = {
        "gzip": gzip.compress,
        "deflate": zlib.compress,
        "br": lambda data: pytest.importorskip("brotli").compress(data),
        "zstd": lambda data: pytest.importorskip("zstandard").ZstdCompressor().compress(data),
    }

    def answer(size: int) -> int:
        body = b"a" * size
        for name in encoding.split(", "):
            body = pack[name](body)
        return len(response_of(200, [("content-encoding", encoding)], body).body)

    assert answer(1 << 20) == 1 << 20
    with pytest.raises(ValueError, match="unpacks to more than 1 MiB"):
        answer((1 << 20) + 1)


@pytest.mark.parametrize("number", ["1e308", "-1e16", "1" + "0" * 400])
@pytest.mark.parametrize("command", ["report", "hear"])
def test_a_number_that_no_result_is_ends_in_a_line(
    number: str, command: str, tmp_path: Path, todeval: Todeval
) -> None:
    file = tmp_path / "r.json"
    file.write_text('{"schema": 1, "dialogues": [{"latency": %s}]}' % number)  # noqa: UP031
    printed = todeval(command, file, code=2)
    assert "is larger than any result (1e+15)" in printed.err


def test_a_history_with_an_endless_view_is_none(tmp_path: Path, todeval: Todeval) -> None:
    file = tmp_path / "h.sqlite"
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n"
    with sqlite3.connect(file) as opened:
        opened.executescript(f"CREATE VIEW runs AS {endless}; PRAGMA user_version = 1;")
    with must_end(20):
        printed = todeval("history", "show", file, code=2)
    assert "it has views or triggers" in printed.err


def test_a_history_is_no_link_to_another_file(tmp_path: Path, todeval: Todeval) -> None:
    (tmp_path / "theirs.db").touch()
    (tmp_path / "h.sqlite").symlink_to(tmp_path / "theirs.db")
    baseline = PROJECT / "examples" / "ci" / "baseline.json"
    printed = todeval("history", "add", tmp_path / "h.sqlite", baseline, code=2)
    assert "is a link: name the history that it leads to" in printed.err
    assert (tmp_path / "theirs.db").stat().st_size == 0


def test_a_history_with_a_value_of_megabytes_is_none(tmp_path: Path, todeval: Todeval) -> None:
    file, baseline = tmp_path / "h.sqlite", PROJECT / "examples" / "ci" / "baseline.json"
    todeval("history", "add", file, baseline)
    with sqlite3.connect(file) as opened:
        opened.execute("UPDATE runs SET bot = printf('%.*c', 2000000, 'x')")
    printed = todeval("history", "show", file, code=2)
    assert "not a history" in printed.err


@pytest.mark.parametrize("pattern", [r"(a*)(a*)\1\2b", r"(?P<x>a+)(?P=x)"])
def test_back_references_are_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="no back-reference"):
        compiled(pattern)


@pytest.mark.parametrize("kind", [str, Reply])
def test_a_reply_that_takes_its_readers_minutes_is_the_bots_fault(kind: type) -> None:
    assert checked(kind("a" * LONGEST_REPLY), "turn 1")
    with pytest.raises(SystemContractError, match="has 200,001 characters, expected at most"):
        checked(kind("a" * (LONGEST_REPLY + 1)), "turn 1")
