"""`todeval view` answers this machine alone, and whoever has its address."""

import gzip
import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.cli import main
from pytest_todeval.commands.view import RunUnderWay, server_of
from pytest_todeval.runs.reports.results import write_results
from pytest_todeval.runs.viewer.run_data import Shown
from pytest_todeval.runs.viewer.server import ViewServer
from tests.support.page_world import entry_of, mixed_run, run_of


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ViewServer]:
    write_results(tmp_path / "now.json", mixed_run(60))
    write_results(tmp_path / "main.json", run_of(*(entry_of(f"D{n:03}") for n in range(60))))
    with server_of([tmp_path / "now.json", tmp_path / "main.json"]) as found:
        threading.Thread(target=found.serve_forever, daemon=True).start()
        yield found
        found.shutdown()


def ask(
    address: str, data: bytes | None = None, headers: Mapping[str, str] | None = None
) -> tuple[int, str]:
    request = urllib.request.Request(address, data, dict(headers or {}))
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            body = answer.read()
            return answer.status, gzip.decompress(body).decode() if body else ""
    except urllib.error.HTTPError as error:
        body = error.read()
        return error.code, (gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body).decode()


def loaded(address: str) -> Any:
    status, text = ask(address)
    assert status == 200
    return json.loads(text)


def rows(address: str, count: int) -> bool:
    """Whether so many dialogues are shown, once the server makes its next index."""
    for _ in range(600):
        if len(loaded(f"{address}index.json")["rows"]) == count:
            return True
        time.sleep(0.1)
    return False


def test_runs_are_listed_shown_and_compared(server: ViewServer) -> None:
    assert "now.json" in ask(server.address)[1]
    status, page = ask(f"{server.address}page?now=0&before=1")
    assert (status, "todeval-served" in page, "connect-src 'self'" in page) == (200, True, True)
    assert "demo/D000" not in page
    index = loaded(f"{server.address}index.json?now=0&before=1")
    assert (len(index["rows"]), len(index["comparison"]["broke"])) == (60, 30)
    assert len(loaded(f"{server.address}chunk-1.json?now=0")) == 10


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Host": "example.org"}, 403),
        ({"Origin": "https://example.org"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
    ],
)
def test_another_sites_page_is_refused(
    server: ViewServer, headers: dict[str, str], status: int
) -> None:
    assert ask(f"{server.address}index.json?now=0", headers=headers)[0] == status


@pytest.mark.parametrize(
    "path",
    [
        *("chunk--1.json", "chunk-x.json", "chunk-01.json", "index.json?now=9", "index.json?now=x"),
        *("../now.json", "now.json", "%2e%2e/now.json", "page?now=7", "index.json?now=-1"),
    ],
)
def test_nothing_else_is_served(server: ViewServer, path: str) -> None:
    assert ask(f"{server.address}{path}")[0] == 404


def test_without_its_token_it_says_nothing_and_it_takes_no_data(server: ViewServer) -> None:
    assert server.server_address[0] == "127.0.0.1"
    assert len(server.token) >= 32
    assert ask(server.address.replace(server.token, "x" * 32))[0] == 404
    assert ask(server.address, data=b"x")[0] == 501


def test_a_run_that_is_on_is_shown_as_far_as_it_is(tmp_path: Path) -> None:
    lines = [json.dumps({"entry": entry}) + "\n" for entry in mixed_run(4)["dialogues"]]
    kept = tmp_path / "results.json.partial"
    kept.write_text("".join(lines[:2]) + lines[2][:40])
    with server_of([tmp_path / "results.json"]) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        index = loaded(f"{server.address}index.json")
        assert (index["live"], len(index["rows"])) == (True, 2)
        assert ask(f"{server.address}index.json?have={index['number']}") == (200, "")
        kept.write_text("".join(lines[:3]))
        assert rows(server.address, 3)
        kept.unlink()
        write_results(tmp_path / "results.json", mixed_run(4))
        assert rows(server.address, 4)
        assert loaded(f"{server.address}index.json")["live"] is False
        kept.write_text("no run\n")
        assert ask(f"{server.address}index.json")[0] == 409
        server.shutdown()


def test_following_a_run_takes_little_and_reads_nothing_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "results.json.partial"
    lines = [json.dumps({"entry": entry}) + "\n" for entry in mixed_run(4)["dialogues"]]
    kept.write_text(lines[0])
    run = RunUnderWay(kept)
    assert len(run.read()["dialogues"]) == 1
    kept.write_text(" " * len(lines[0]) + "".join(lines[1:]))  # what was read is not looked at
    assert len(run.read()["dialogues"]) == 4
    kept.write_text(lines[1])  # another run
    assert [each["goal"] for each in run.read()["dialogues"]] == ["demo/D001"]

    monkeypatch.setattr("pytest_todeval.runs.viewer.server.SHARE", 1e-9)
    loads: list[int] = []

    def load(now: int, _before: int | None) -> Shown:
        loads.append(now)
        return Shown(run.read(), live=True)

    with ViewServer(["results.json"], load) as server:
        assert [bool(server.index(0, None, have)) for have in (None, 1, 1, 0)] == [1, 0, 0, 1]
    assert len(loads) == 1


def test_a_file_that_is_not_there_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["view", str(tmp_path / "none.json")]) == 2
    assert "no results file at" in capsys.readouterr().err
