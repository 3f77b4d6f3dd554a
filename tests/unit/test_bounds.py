"""Files that would take all memory or all time end in one line."""

import sqlite3
import zipfile
from pathlib import Path

import pytest

from pytest_todeval import Reply
from pytest_todeval.errors import SystemContractError
from pytest_todeval.rules.patterns import compiled
from pytest_todeval.simulation.reply import LONGEST_REPLY, checked
from tests.conftest import Todeval, must_end


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


@pytest.mark.parametrize("pattern", [r"(a*)(a*)\1\2b", r"(?P<x>a+)(?P=x)"])
def test_back_references_are_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="no back-reference"):
        compiled(pattern)


@pytest.mark.parametrize("kind", [str, Reply])
def test_a_reply_that_takes_its_readers_minutes_is_the_bots_fault(kind: type) -> None:
    assert checked(kind("a" * LONGEST_REPLY), "turn 1")
    with pytest.raises(SystemContractError, match="has 200,001 characters, expected at most"):
        checked(kind("a" * (LONGEST_REPLY + 1)), "turn 1")
