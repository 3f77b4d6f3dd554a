"""Cassettes that editors touched are read; those that would unfold without bound are refused."""

import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

from pytest_todeval.core.lane import Lane
from pytest_todeval.errors import InvalidFile
from pytest_todeval.recording.store import read_cassette, write_cassette
from pytest_todeval.recording.vcr_yaml import read_vcr_yaml
from tests.support.recorded_calls import HEADER, dialogue

MIB = 1 << 20


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "cassettes" / "tests" / "test_bot" / "test_it[a].todeval.jsonl"
    write_cassette(path, HEADER, dialogue(2))
    return path


@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"], ids=["plain", "BOM"])
@pytest.mark.parametrize("end", [b"", b"\n", b"\n\n", b"\r\n\r\n", b"\n  \n\t\n"])
def test_what_editors_add_is_read(path: Path, start: bytes, end: bytes) -> None:
    calls = read_cassette(path).calls
    path.write_bytes(start + path.read_bytes().rstrip(b"\n") + end)
    assert read_cassette(path).calls == calls


def test_a_blank_line_in_the_middle_is_none_of_that(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"\n", b"\n\n", 1))
    with pytest.raises(InvalidFile, match=r":2: not a line of JSON"):
        read_cassette(path)


def test_a_newer_format_says_upgrade_and_nothing_else(path: Path) -> None:
    text = path.read_text().replace('"todeval_cassette":1', '"todeval_cassette":3')
    path.write_text(text)
    with pytest.raises(InvalidFile, match=r":1: format 3, written by a newer version") as caught:
        read_cassette(path)
    assert "pip install --upgrade pytest-todeval" in str(caught.value)
    assert "record" not in str(caught.value).partition("newer")[2]


def test_the_remedy_for_a_broken_header_names_the_test_file(path: Path, tmp_path: Path) -> None:
    path.write_text("{}\n")
    with pytest.raises(InvalidFile, match='pytest "TEST"'):
        read_cassette(path)
    file = tmp_path / "tests" / "test_bot.py"
    file.parent.mkdir()
    file.write_text("")
    with pytest.raises(InvalidFile) as caught:
        read_cassette(path)
    assert f'pytest "{file}" --todeval-record=rewrite' in str(caught.value)


@pytest.mark.skipif(sys.platform == "win32", reason="no sh")
def test_the_printed_command_can_be_pasted(path: Path) -> None:
    test = 'tests/test_bot.py::test_it[$(rm -rf) a"b`c`]'
    lines = path.read_bytes().splitlines(keepends=True)
    header = lines[0].replace(HEADER.test.encode(), test.replace('"', '\\"').encode())
    path.write_bytes(header + b"oops\n")
    with pytest.raises(InvalidFile) as caught:
        read_cassette(path)
    command = str(caught.value).partition("again: pytest ")[2]
    printed = subprocess.run(["sh", "-c", f"printf %s {command}"], capture_output=True, text=True)
    assert printed.stdout == f"{test}--todeval-record=rewrite"


def bomb(calls: int, references: int, size: int) -> str:
    names = " ".join(["m0"] * references)
    call = (
        '{"call":{"lane":"system","turn":1,"dialogue":"d"},"request":{"method":"POST","path":"/",'
        f'"type":"application/json","json":{{"messages":{{"$":"{names}"}}}}}},'
        '"response":{"status":200,"headers":[]}}'
    )
    header = '{"todeval_cassette":1,"test":"t","recorded":"2025-01-01T00:00:00+00:00","seed":0,'
    message = f'{{"m0":{{"role":"user","content":"{"x" * size}"}}}}'
    end = f'{{"end":{calls}}}'
    return "\n".join([header + '"models":[]}', message, *[call] * calls, end, ""])


def test_a_reference_bomb_is_refused_before_it_unfolds(tmp_path: Path) -> None:
    path = tmp_path / "bomb.todeval.jsonl"
    path.write_text(bomb(calls=10, references=200, size=MIB))
    tracemalloc.start()
    with pytest.raises(InvalidFile, match=r":5: the bodies add up to more than 512 MiB"):
        read_cassette(path)
    assert tracemalloc.get_traced_memory()[1] < 16 * MIB
    tracemalloc.stop()


def test_what_only_looks_like_one_is_read(tmp_path: Path) -> None:
    path = tmp_path / "small.todeval.jsonl"
    path.write_text(bomb(calls=10, references=20, size=1000))
    assert len(read_cassette(path).calls) == 10


def test_aliases_that_unfold_without_bound_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.yaml"
    levels = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 30)]
    path.write_text("a0: &a0 aaaaaaaaaa\n" + "\n".join(levels) + "\ninteractions: []\n")
    with pytest.raises(InvalidFile, match=r":9: not a vcrpy cassette: its aliases stand for more"):
        read_vcr_yaml(path, lane=Lane.SYSTEM)


def test_aliases_that_pyyaml_writes_are_read(tmp_path: Path) -> None:
    path = tmp_path / "small.yaml"
    path.write_text(
        "interactions:\n"
        "- request: {method: GET, uri: 'http://a/', headers: &h {a: [b]}, body: null}\n"
        "  response: {status: {code: 200, message: OK}, headers: *h, body: {string: &b hello}}\n"
        "- request: {method: GET, uri: 'http://a/', headers: *h, body: null}\n"
        "  response: {status: {code: 200, message: OK}, headers: *h, body: {string: *b}}\n"
        "version: 1\n"
    )
    assert len(read_vcr_yaml(path, lane=Lane.SYSTEM)) == 2
