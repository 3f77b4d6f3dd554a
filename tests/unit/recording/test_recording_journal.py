"""The journal: every finished call on the disk, and gone on with after a crash."""

import os
import random
import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_todeval.errors import InvalidFile, SecretFound, UsageError
from pytest_todeval.recording.call import Call, CassetteFile
from pytest_todeval.recording.files import journal_path
from pytest_todeval.recording.journal import Journal
from pytest_todeval.recording.secrets import Scanner
from pytest_todeval.recording.store import read_cassette, write_cassette
from tests.support.recorded_calls import HEADER, chat, dialogue
from tests.support.recording_crash import goes_on, kill_at_random
from tests.support.threads import run_together


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cassettes" / "hotel.todeval.jsonl"


def texts(calls: tuple[Call, ...]) -> list[bytes]:
    return [call.request.body for call in calls]


def recovered(path: Path) -> CassetteFile:
    file = Journal.recover(path)
    assert file is not None
    return file


def test_each_call_is_on_the_disk_when_append_returns(path: Path) -> None:
    calls = dialogue(3)
    with closing(Journal(path, HEADER)) as journal:
        assert recovered(path).calls == ()
        for number, call in enumerate(calls, 1):
            journal.append(call)
            assert [c.key for c in recovered(path).calls] == [c.key for c in calls[:number]]
    assert not path.exists()
    assert recovered(path).header == HEADER


def test_the_file_is_synced_before_append_returns(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []
    real = os.fsync

    def watched(handle: int) -> None:
        sizes.append(os.fstat(handle).st_size)
        real(handle)

    monkeypatch.setattr(os, "fsync", watched)
    with closing(Journal(path, HEADER)) as journal:
        journal.append(chat("one"))
        assert sizes[-1] == journal_path(path).stat().st_size


def test_calls_come_back_in_the_order_of_their_starts(path: Path) -> None:
    calls = [chat(text) for text in "abcd"]
    with closing(Journal(path, HEADER)) as journal:
        for number in (2, 0, 3, 1):
            journal.append(calls[number], number)
    assert [c.key for c in recovered(path).calls] == [c.key for c in calls]


def test_a_cassette_in_place_ends_the_journal(path: Path) -> None:
    calls = dialogue(2)
    journal = Journal(path, HEADER)
    for call in calls:
        journal.append(call)
    write_cassette(path, HEADER, calls)
    journal.discard()
    assert Journal.recover(path) is None
    assert list(path.parent.iterdir()) == [path]
    assert read_cassette(path).header == replace(HEADER, models=("stand-in",))


@pytest.mark.parametrize("cut", [1, 20, 300])
def test_the_next_run_goes_on_from_what_was_cut_off(path: Path, cut: int) -> None:
    calls = dialogue(3)
    with closing(Journal(path, HEADER)) as journal:
        for call in calls[:5]:
            journal.append(call)
    left = journal_path(path)
    left.write_bytes(left.read_bytes()[:-cut])
    with closing(Journal(path, replace(HEADER, seed=99))) as journal:
        assert journal.header == HEADER
        assert [c.key for c in recovered(path).calls] == [c.key for c in calls[:4]]
        for call in calls[4:]:
            journal.append(call)
    assert [c.key for c in recovered(path).calls] == [c.key for c in calls]


def test_a_journal_cut_off_within_its_header_starts_anew(path: Path) -> None:
    path.parent.mkdir()
    for start in ("", '{"todeval_cass', "\ud83d\ude00"):
        data = start.encode("utf-16" if "\ud83d" in start else "utf-8", "surrogatepass")[:3]
        journal_path(path).write_bytes(data)
        assert Journal.recover(path) is None
        with closing(Journal(path, HEADER)) as journal:
            assert recovered(path).calls == ()
            journal.append(chat("one"))
        assert len(recovered(path).calls) == 1
        journal_path(path).unlink()


def test_a_broken_journal_is_named_and_left_alone(path: Path) -> None:
    with closing(Journal(path, HEADER)) as journal:
        journal.append(chat("one"))
    left = journal_path(path)
    lines = left.read_bytes().splitlines(keepends=True)
    left.write_bytes(lines[0] + b"oops\n" + lines[1])
    before = left.read_bytes()
    with pytest.raises(InvalidFile, match=r"journal:2: not a line of JSON"):
        Journal(path, HEADER)
    with pytest.raises(InvalidFile, match=r"journal:2"):
        Journal.recover(path)
    assert left.read_bytes() == before


def test_two_recordings_of_a_test_at_once_are_refused(path: Path) -> None:
    pytest.importorskip("fcntl")
    with closing(Journal(path, HEADER)) as journal:
        journal.append(chat("one"))
        with pytest.raises(UsageError, match="another run is recording this test"):
            Journal(path, HEADER)
        journal.append(chat("two"))
    assert len(recovered(path).calls) == 2
    Journal(path, HEADER).close()


def test_a_journal_replaced_in_one_step_stays_locked(path: Path) -> None:
    pytest.importorskip("fcntl")
    calls = dialogue(2)
    with closing(Journal(path, HEADER)) as journal:
        for call in calls:
            journal.append(call)
        journal.keep_only(calls[:2], replace(HEADER, seed=8))
        with pytest.raises(UsageError, match="another run is recording this test"):
            Journal(path, HEADER)
        journal.append(calls[5], 2)
    left = recovered(path)
    assert left.header.seed == 8
    assert [c.key for c in left.calls] == [c.key for c in (*calls[:2], calls[5])]
    assert [file.name for file in path.parent.iterdir()] == [journal_path(path).name]


def test_what_a_dead_process_left_half_written_is_deleted(path: Path) -> None:
    path = path.with_name("test_it[a].todeval.jsonl")
    other = path.with_name("test_it[b].todeval.jsonl")
    path.parent.mkdir()
    for name in (path.name, f"{path.name}.journal", other.name):
        (path.parent / f".{name}.4711.tmp").write_text("half")
    journal = Journal(path, HEADER)
    journal.append(chat("one"))
    write_cassette(path, HEADER, [chat("one")])
    journal.discard()
    left = {file.name for file in path.parent.iterdir()}
    assert left == {path.name, f".{other.name}.4711.tmp"}


def test_threads_append_at_once(path: Path) -> None:
    calls = [chat(f"{number} " + "word " * 100) for number in range(40)]
    with closing(Journal(path, HEADER)) as journal:
        run_together(
            threading.Thread(target=journal.append, args=(call, number))
            for number, call in enumerate(calls)
        )
    assert [c.key for c in recovered(path).calls] == [c.key for c in calls]


def test_a_full_disk_leaves_whole_lines(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.fsync
    with closing(Journal(path, HEADER)) as journal:
        journal.append(chat("one"))
        monkeypatch.setattr(os, "fsync", lambda handle: (_ for _ in ()).throw(OSError("disk full")))
        with pytest.raises(UsageError, match="disk full"):
            journal.append(chat("two"))
        monkeypatch.setattr(os, "fsync", real)
        journal.append(chat("three"))
    assert texts(recovered(path).calls) == [
        chat(text).request.body.replace(b": ", b":").replace(b", ", b",")
        for text in ("one", "three")
    ]


def test_no_secret_reaches_the_journal(path: Path) -> None:
    scanner = Scanner({"BOT_TOKEN": "hunter2hunter2"})
    with closing(Journal(path, HEADER, scanner=scanner)) as journal:
        with pytest.raises(SecretFound, match="environment variable BOT_TOKEN") as raised:
            journal.append(chat("say hunter2hunter2"))
        journal.append(chat("nothing"))
    assert b"hunter2" not in journal_path(path).read_bytes()
    assert "hunter2" not in str(raised.value)
    assert len(recovered(path).calls) == 1


def test_a_killed_process_loses_no_finished_call(tmp_path: Path) -> None:
    chance = random.Random(7)
    found = set()
    for number in range(15):
        cassette = tmp_path / f"{number}" / "a.todeval.jsonl"
        found.add(kill_at_random(cassette, chance))
        goes_on(cassette)
    assert "journal" in found
