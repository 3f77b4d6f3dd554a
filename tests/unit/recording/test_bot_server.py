"""A bot's server as a process: its port, its start, its log, and its sure end."""

import itertools
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_todeval.errors import UsageError
from pytest_todeval.recording.bot_server.bot_server import BotServer
from pytest_todeval.recording.bot_server.command import command_at, environment_at, free_port
from tests.support.processes import await_end

SERVER = """
import os, subprocess, sys
from http.server import BaseHTTPRequestHandler, HTTPServer

class Bot(BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/die":
            os._exit(3)
        self.send_response(200 if self.path != "/ill" else 503)
        self.end_headers()
        self.wfile.write(os.environ.get("SHOP", "").encode())
        print("asked for", self.path)
    def log_message(self, *_): pass

for argument in sys.argv[1:]:
    if argument == "child":
        print("child", subprocess.Popen(["sleep", "600"]).pid)
    elif argument == "daemon":
        print("child", subprocess.Popen(["sleep", "600"], start_new_session=True).pid)
print("server", os.getpid())
HTTPServer(("127.0.0.1", int(os.environ["PORT"])), Bot).serve_forever()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bot.py").write_text(SERVER)
    return tmp_path


@pytest.fixture(autouse=True)
def _none_left() -> Iterator[None]:
    yield
    assert BotServer.running == []


def started(folder: Path, *arguments: str, **options: object) -> BotServer:
    return BotServer.start(["python", "bot.py", *arguments], cwd=folder, **options)  # type: ignore[arg-type]


def answer(server: BotServer, path: str = "/") -> str:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(server.url + path, timeout=20) as response:
        return str(response.read().decode())


def pids(log: str) -> list[int]:
    return [int(line.split()[1]) for line in log.splitlines() if line[:5] in ("child", "serve")]


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("python bot.py {port}", ["python", "bot.py", "8123"]),
        ("python bot.py", ["python", "bot.py"]),
        ("uvicorn 'my app:app'", ["uvicorn", "my app:app", "--port", "8123"]),
        (["/x/bin/uvicorn", "a:a"], ["/x/bin/uvicorn", "a:a", "--port", "8123"]),
        (["python", "-m", "flask", "run"], ["python", "-m", "flask", "run", "--port", "8123"]),
        ("uv run gunicorn a", ["uv", "run", "gunicorn", "a", "--bind", "127.0.0.1:8123"]),
        ("uvicorn a:a --port={port}", ["uvicorn", "a:a", "--port=8123"]),
    ],
)
def test_the_port_comes_to_the_command(command: str | list[str], words: list[str]) -> None:
    assert command_at(command, 8123) == words


@pytest.mark.parametrize("fixed", ["--port 8000", "--port=8000", "-p 8000"])
def test_a_port_that_is_fixed_is_refused(fixed: str) -> None:
    with pytest.raises(UsageError, match=r"fixes its port by .*`--port \{port\}` is added"):
        command_at(f"uvicorn app:app {fixed}", 8123)


def test_what_is_no_command_is_refused() -> None:
    with pytest.raises(UsageError, match="is empty"):
        command_at(" ", 8123)
    with pytest.raises(
        UsageError, match=r"`uvicorn 'app:app` cannot be read: No closing quotation"
    ):
        command_at("uvicorn 'app:app", 8123)
    with pytest.raises(UsageError, match="WORKERS of the bot's server is int 2, expected text"):
        environment_at(8123, {"WORKERS": 2})  # type: ignore[dict-item]
    with pytest.raises(UsageError, match="health is 'helth', expected a path such as '/health'"):
        BotServer.start("python bot.py", health="helth")


def test_workers_of_a_run_never_draw_the_same_port(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_XDIST_WORKER_COUNT", "3")
    for worker in range(3):
        monkeypatch.setenv("PYTEST_XDIST_WORKER", f"gw{worker}")
        assert [free_port() % 3 for _ in range(5)] == [worker] * 5


def test_programs_beside_python_are_found() -> None:
    path = environment_at(8123, {"A": "b"})["PATH"].split(os.pathsep)
    assert path[0] == str(Path(sys.executable).parent)


def test_a_server_answers_and_its_log_is_kept(folder: Path) -> None:
    server = started(folder, env={"SHOP": "bikes"}, health="/health")
    try:
        assert answer(server, "/a") == "bikes"
        assert server.url == f"http://127.0.0.1:{server.port}"
        assert "asked for /health\nasked for /a" in server.printed()
        answer(server, "/b")
        assert server.printed() == "asked for /b"
        assert server.ended is None
    finally:
        server.stop()
        server.stop()
    assert server.log.endswith("asked for /b\n")


def test_what_a_server_started_ends_with_it(folder: Path) -> None:
    server = started(folder, "child", *(["daemon"] if sys.platform == "linux" else []))
    every = pids(server.log)
    assert len(every) == (3 if sys.platform == "linux" else 2)
    server.stop()
    for pid in every:
        await_end(pid)


KILLED = """
import sys, time
from pytest_todeval.recording.bot_server.bot_server import BotServer
server = BotServer.start(["python", "bot.py", "child"])
print(server.log, flush=True)
print("end", flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="tells by /proc who has ended")
def test_a_server_ends_if_pytest_is_killed(folder: Path) -> None:
    command = [sys.executable, "-c", KILLED]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        log = "".join(itertools.takewhile(lambda line: line != "end\n", run.stdout))
        run.kill()
    every = pids(log)
    assert len(every) == 2
    for pid in every:
        await_end(pid)


def test_a_server_that_ends_says_how(folder: Path) -> None:
    server = started(folder)
    try:
        with pytest.raises(ConnectionError):
            answer(server, "/die")
        until = time.monotonic() + 60
        while server.ended is None:
            assert time.monotonic() < until
            time.sleep(0.02)
        assert server.ended == "ended with status 3"
        assert server.printed().startswith("server ")
        assert server.printed().startswith("server ")  # all of it, again
    finally:
        server.stop()


def test_a_server_that_is_killed_says_by_what(folder: Path) -> None:
    server = started(folder)
    try:
        os.kill(pids(server.log)[0], signal.SIGKILL)
        until = time.monotonic() + 60
        while server.ended is None:
            assert time.monotonic() < until
            time.sleep(0.02)
        assert server.ended == "was killed by SIGKILL"
    finally:
        server.stop()


def test_a_server_that_does_not_start_says_what_it_printed(folder: Path) -> None:
    command = ["python", "-c", "raise SystemExit('no such setting: AREA')"]
    with pytest.raises(UsageError) as caught:
        BotServer.start(command, cwd=folder)
    told = str(caught.value)
    assert "ended with status 1 before it listened at 127.0.0.1:" in told
    assert told.endswith("It printed:\n\nno such setting: AREA")
    assert f"(in {folder})" in told


def test_a_server_that_listens_elsewhere_is_told_where_to(folder: Path) -> None:
    with pytest.raises(UsageError) as caught:
        BotServer.start(["python", "-c", "import time; time.sleep(600)"], timeout=0.1)
    assert "let it listen at the port in the variable PORT" in str(caught.value)
    assert str(caught.value).endswith("after 0.1 s. It printed nothing.")


def test_a_server_that_is_ill_is_not_up(folder: Path) -> None:
    server = started(folder, health="/well")
    try:
        assert server._problem("/well") is None
        assert server._problem("/ill") == "listens, but answers GET /ill with 503"
    finally:
        server.stop()


def test_a_program_or_folder_that_is_not_there(folder: Path) -> None:
    with pytest.raises(UsageError, match="there is no program 'no-such-program' on the PATH"):
        BotServer.start("no-such-program --x")
    with pytest.raises(UsageError, match=r"the folder of the bot's server, .*none, is not there"):
        BotServer.start("python bot.py", cwd=folder / "none")
