"""Files of cassettes on the disk: put in place whole, locked, cleared away."""

import os
from collections.abc import Callable
from io import FileIO
from pathlib import Path

import pytest

from pytest_todeval.errors import UsageError
from pytest_todeval.recording import files
from pytest_todeval.recording.cassette_text import MAX_BYTES
from pytest_todeval.recording.files import (
    delete_abandoned,
    is_locked,
    journal_path,
    locked_file,
    replace_file,
    temporary_path,
    too_large,
    write_all,
)


def test_its_journal_and_what_is_half_written_stand_beside_a_file_and_hidden() -> None:
    path = Path("shop/a.todeval.jsonl")
    assert journal_path(path) == Path("shop/.a.todeval.jsonl.journal")
    names = {temporary_path(path) for _ in range(50)}
    assert len(names) == 50
    assert {(each.parent.name, each.match(".a.todeval.jsonl.*.tmp")) for each in names} == {
        ("shop", True)
    }


@pytest.mark.skipif(not hasattr(os, "O_NOFOLLOW"), reason="no links are held back here")
def test_what_a_link_leads_to_stays_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A link at each name that a recording writes, and in place of its folder."""
    monkeypatch.chdir(tmp_path)
    victim = tmp_path.parent / f"{tmp_path.name}-victim"
    victim.write_text("precious")
    shop = tmp_path / "shop"
    shop.mkdir()
    path = shop / "a.todeval.jsonl"
    temporary_name = shop / ".a.todeval.jsonl.guessed.tmp"
    temporary_name.symlink_to(victim)
    monkeypatch.setattr("pytest_todeval.recording.files.temporary_path", lambda _: temporary_name)
    with pytest.raises(UsageError, match="cannot write the cassette"):
        replace_file(path, [b"new"])
    with pytest.raises(OSError, match="symbolic"):
        locked_file(_link(shop / "journal", victim))
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    _link(path, victim)
    replace_file(path, [b"new"])  # it takes the link's place
    assert (path.is_symlink(), path.read_bytes()) == (False, b"new")
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    outside.mkdir()
    _link(tmp_path / "linked", outside)
    for folder in ("linked", "linked/deep"):
        with pytest.raises(UsageError, match="linked is a link, and what it leads to is left"):
            replace_file(tmp_path / folder / "a.todeval.jsonl", [b"new"])
    assert victim.read_text() == "precious"
    assert not [each for each in outside.rglob("*") if each.is_file()]


def _link(path: Path, to: Path) -> Path:
    path.symlink_to(to)
    return path


def test_a_pipe_in_place_of_a_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".a.todeval.jsonl.1.tmp")
    assert len(delete_abandoned(tmp_path)) == 1


def test_a_file_is_replaced_whole_and_its_folder_made(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.todeval.jsonl"
    replace_file(path, [b"one\n", b"two\n"])
    assert path.read_bytes() == b"one\ntwo\n"
    half = path.with_name(f".{path.name}.77.tmp")
    half.write_bytes(b"a killed process wrote this")
    temporary_path(path).write_bytes(b"longer than what is to be written now")

    replace_file(path, [b"three"])

    assert path.read_bytes() == b"three"
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_what_cannot_be_written_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a.todeval.jsonl"
    path.mkdir()
    with pytest.raises(UsageError, match=r"cannot write the cassette .*a\.todeval\.jsonl: "):
        replace_file(path, [b"one"])
    assert list(tmp_path.iterdir()) == [path]


def test_each_part_is_written_where_the_file_stands(tmp_path: Path) -> None:
    path = tmp_path / "a"
    with locked_file(path) as file:
        real = file.write
        written: list[int] = []

        class Slow:
            """A file that takes three bytes at a time, as a full disk may."""

            def write(self, data: memoryview) -> int:
                written.append(count := real(data[:3]))
                return count

            def fileno(self) -> int:
                return file.fileno()

        write_all(Slow(), b"12345678")  # type: ignore[arg-type]
    assert path.read_bytes() == b"12345678"
    assert written == [3, 3, 2]


def test_a_file_is_locked_as_long_as_it_is_open(tmp_path: Path) -> None:
    path = tmp_path / "a"
    assert not is_locked(path)
    with locked_file(path):
        assert path.stat().st_mode & 0o111 == 0, "nobody runs it"
        assert is_locked(path)
        with pytest.raises(BlockingIOError):
            locked_file(path)
    assert not is_locked(path)


def test_a_file_that_was_replaced_before_it_was_locked_is_opened_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a"
    lock = files._lock

    def late(file: FileIO) -> None:
        """Somebody deletes the file first, then somebody puts another in its place."""
        lock(file)
        if steps:
            steps.pop()()

    steps: list[Callable[[], object]] = [lambda: (tmp_path / "b").rename(path), path.unlink]
    (tmp_path / "b").write_bytes(b"the new one")
    monkeypatch.setattr(files, "_lock", late)
    with locked_file(path) as file:
        assert file.read() == b"the new one"
    assert steps == []


def test_only_what_dead_processes_left_is_deleted(tmp_path: Path) -> None:
    ours, other = ".a[1].todeval.jsonl.1.tmp", ".b.todeval.jsonl.1.tmp"
    deep = tmp_path / "deep"
    deep.mkdir()
    for path in (tmp_path / ours, tmp_path / other, deep / ours, tmp_path / "a.tmp"):
        path.touch()
    with locked_file(tmp_path / other):
        assert delete_abandoned(tmp_path, "a[1].todeval.jsonl") == [tmp_path / ours]
        assert delete_abandoned(tmp_path) == [deep / ours]
    assert delete_abandoned(tmp_path) == [tmp_path / other]
    assert sorted(each.name for each in tmp_path.rglob("*.tmp")) == ["a.tmp"]


def test_the_bound_of_a_cassette_is_told_in_whole_mebibytes() -> None:
    assert MAX_BYTES == 64 << 20
    too_large(Path("a"), MAX_BYTES)
    more = MAX_BYTES + (3 << 20)
    told = f"^a: {more >> 20} MiB of recorded calls, but a cassette holds {MAX_BYTES >> 20}; split"
    with pytest.raises(UsageError, match=told):
        too_large(Path("a"), more)
    with pytest.raises(UsageError):
        too_large(Path("a"), MAX_BYTES + 1)
