"""Downloads against a server on this machine that can also behave badly."""

import hashlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from pytest_todeval.errors import DataMissing, InvalidFile
from pytest_todeval.worlds.multiwoz.download import MULTIWOZ_FILES, MULTIWOZ_URL, download

CONTENT = bytes(range(256)) * 2000
SHA256 = hashlib.sha256(CONTENT).hexdigest()
FILES = {"db/small.json": hashlib.sha256(b"[]").hexdigest(), "big.zip": SHA256}


class Server(ThreadingHTTPServer):
    """Serves FILES; what it does wrong is set by the test."""

    daemon_threads = True
    truncate_at: int | None = None
    content = CONTENT
    ranges = True
    wrong_range = False
    missing = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.requests: list[tuple[str, str | None]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        wanted = self.headers.get("Range")
        self.server.requests.append((self.path, wanted))
        body = b"[]" if self.path == "/db/small.json" else self.server.content
        if self.server.missing:
            self.send_error(404)
            return
        start = int(wanted.removeprefix("bytes=").removesuffix("-")) if wanted else 0
        if not self.server.ranges:
            start = 0
        if start and start >= len(body):
            self.send_error(416)
            return
        self.send_response(206 if start else 200)
        if start:
            shown = start + 1 if self.server.wrong_range else start
            self.send_header("Content-Range", f"bytes {shown}-{len(body) - 1}/{len(body)}")
        self.send_header("Content-Length", str(len(body) - start))
        self.end_headers()
        end = self.server.truncate_at if len(body) > 2 else None
        self.wfile.write(body[start:end])

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def names(folder: Path) -> set[str]:
    return {str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()}


def test_files_arrive_whole_and_good_ones_are_kept(server: Server, tmp_path: Path) -> None:
    lines: list[str] = []
    download(FILES, server.url, tmp_path, lines.append)
    assert names(tmp_path) == set(FILES)
    assert (tmp_path / "big.zip").read_bytes() == CONTENT
    (tmp_path / "db" / "small.json").write_bytes(b"[1]")
    download(FILES, server.url, tmp_path, lines.append)
    assert server.requests == [
        ("/db/small.json", None),
        ("/big.zip", None),
        ("/db/small.json", None),  # only the one that had been altered
    ]
    assert lines == [
        "db/small.json: downloading",
        "big.zip: downloading",
        "db/small.json: downloading",
        "big.zip: already there",
    ]


def test_what_broke_off_is_no_file_and_is_resumed(server: Server, tmp_path: Path) -> None:
    server.truncate_at = 100_000
    with pytest.raises(DataMissing, match=r"big\.zip: the connection ended after 100000 of 512000"):
        download(FILES, server.url, tmp_path)
    assert names(tmp_path) == {"db/small.json", "big.zip.part"}
    server.truncate_at = None
    download(FILES, server.url, tmp_path)
    assert server.requests[-1] == ("/big.zip", "bytes=100000-")
    assert names(tmp_path) == set(FILES)
    assert (tmp_path / "big.zip").read_bytes() == CONTENT


@pytest.mark.parametrize("behaviour", ["no ranges", "wrong range"])
def test_a_server_that_cannot_resume_gives_it_all(
    server: Server, tmp_path: Path, behaviour: str
) -> None:
    (tmp_path / "big.zip.part").write_bytes(CONTENT[:1000])
    server.ranges = behaviour != "no ranges"
    server.wrong_range = behaviour == "wrong range"
    if server.wrong_range:
        with pytest.raises(InvalidFile):
            download(FILES, server.url, tmp_path)
    download(FILES, server.url, tmp_path)
    assert (tmp_path / "big.zip").read_bytes() == CONTENT
    assert names(tmp_path) == set(FILES)


def test_a_part_that_is_too_long_is_dropped(server: Server, tmp_path: Path) -> None:
    (tmp_path / "big.zip.part").write_bytes(CONTENT + b"x")
    download(FILES, server.url, tmp_path)
    assert [wanted for path, wanted in server.requests if path == "/big.zip"] == [
        f"bytes={len(CONTENT) + 1}-",
        None,
    ]
    assert names(tmp_path) == set(FILES)


def test_a_part_of_something_else_does_not_stay(server: Server, tmp_path: Path) -> None:
    (tmp_path / "big.zip.part").write_bytes(b"not the beginning")
    with pytest.raises(InvalidFile, match=r"big\.zip: not the published file"):
        download(FILES, server.url, tmp_path)
    assert names(tmp_path) == {"db/small.json"}
    download(FILES, server.url, tmp_path)
    assert names(tmp_path) == set(FILES)


def test_wrong_bytes_are_not_kept(server: Server, tmp_path: Path) -> None:
    server.content = CONTENT[::-1]
    with pytest.raises(InvalidFile) as caught:
        download(FILES, server.url, tmp_path)
    assert f"{server.url}/big.zip: not the published file" in str(caught.value)
    assert SHA256 in str(caught.value)
    assert names(tmp_path) == {"db/small.json"}


def test_a_file_that_is_not_there_and_a_server_that_is_not(server: Server, tmp_path: Path) -> None:
    server.missing = True
    with pytest.raises(DataMissing, match=r"could not download .*small\.json: HTTP Error 404"):
        download(FILES, server.url, tmp_path)
    with pytest.raises(DataMissing, match=r"could not download .*refused.*run the same command"):
        download(FILES, "http://127.0.0.1:9", tmp_path)
    assert names(tmp_path) == set()


def test_a_folder_that_cannot_be_written_says_so(server: Server, tmp_path: Path) -> None:
    (tmp_path / "db").write_text("a file in the way")
    with pytest.raises(DataMissing, match=r"small\.json: cannot be written"):
        download(FILES, server.url, tmp_path)


def test_the_pinned_files_name_a_commit_and_hashes() -> None:
    assert "b014b81fcb1ff74f54681917eee39c14c87af3e5" in MULTIWOZ_URL
    assert all(len(bytes.fromhex(sha256)) == 32 for sha256 in MULTIWOZ_FILES.values())
    assert list(MULTIWOZ_FILES)[-1] == "test.json.zip"
