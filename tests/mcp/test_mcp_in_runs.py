"""Bots with tools behind MCP: recorded and replayed, over stdio and HTTP, without the server."""

import importlib.util
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.conftest import PROJECT
from tests.plugin.conftest import apart

HERE = Path(__file__).parent
SAID = (
    "find_hotel, book, ask_day; The Acorn is in the north.; booked acorn: AB12; on friday; "
    "['half']; True"
)
CONFTEST = """
import os, sys
import pytest
from pytest_todeval import ScriptedUser

@pytest.fixture
def user_simulator():
    return ScriptedUser(["A hotel, please.", "Once more."])

@pytest.fixture(scope="session")
def tod_system(todeval_gateway, todeval_server):
    if "NODE_MODULES" in os.environ:
        import bots
        env = {"STDIO": __import__("json").dumps([bots.TODEVAL, *bots.STDIO])}
        return todeval_server("node node_bot.mjs", env=env).url
    import bots
    return getattr(bots, os.environ["BOT"])
"""
TEST = """
import pytest

@pytest.mark.goals("demo", limit=2)
def test_it(dialogue):
    assert [turn.system for turn in dialogue.turns] == [SAID, SAID]
"""
NODE_MODULES = os.environ.get("TODEVAL_NODE_MODULES", "")
THOROUGH = pytest.mark.thorough
CLIENTS = [
    "SdkBot",
    pytest.param("SdkSessionBot", marks=THOROUGH),
    pytest.param("FastBot", marks=THOROUGH),
    pytest.param("node", marks=THOROUGH),
    pytest.param("node, kept", marks=THOROUGH),
]


@pytest.fixture
def hits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A line in it for each thing that the server really did."""
    pytest.importorskip("mcp.server.mcpserver")
    path = tmp_path / "hits"
    path.touch()
    monkeypatch.setenv("HITS", str(path))
    return path


def suite(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, client: str, over: str
) -> None:
    if client == "FastBot" and importlib.util.find_spec("fastmcp") is None:
        pytest.skip("no fastmcp: pip install 'fastmcp-slim[client]'")
    if client.startswith("node"):
        if not NODE_MODULES or shutil.which("node") is None:
            pytest.skip("no MCP client for node: TODEVAL_NODE_MODULES names no folder")
        monkeypatch.setenv("NODE_MODULES", NODE_MODULES)
        if client == "node, kept":
            monkeypatch.setenv("KEPT", "1")
    for name in ("bots.py", "node_bot.mjs", "hotel_server.py"):
        shutil.copy(HERE / name, pytester.path)
    monkeypatch.setenv("BOT", client)
    monkeypatch.setenv("OVER", over)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    # The environment that clients hand their servers has no HITS in it.
    (pytester.path / "hits").symlink_to(os.environ["HITS"])
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_mcp=TEST.replace("SAID", repr(SAID)))
    pytester.makeini("[pytest]\n")


@contextmanager
def served(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, over: str) -> Iterator[None]:
    """While the server can be reached."""
    if over == "stdio":
        yield
        return
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}/mcp"
    monkeypatch.setenv("HOTEL_BASE_URL", url)
    pytester.makeini(f"[pytest]\ntodeval_gateway = hotel = {url}\n")
    server = subprocess.Popen([sys.executable, str(HERE / "hotel_server.py"), str(port)])
    try:
        for _ in range(600):
            with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.05)
        yield
    finally:
        server.send_signal(signal.SIGKILL)
        server.wait()


@pytest.mark.parametrize("over", ["stdio", "http"])
@pytest.mark.parametrize("client", CLIENTS)
def test_recorded_and_replayed_without_the_server(
    pytester: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
    hits: Path,
    client: str,
    over: str,
) -> None:
    suite(pytester, monkeypatch, client, over)
    with served(pytester, monkeypatch, over):
        recorded = apart(pytester, "--todeval-record=rewrite", "-n0")
    recorded.assert_outcomes(passed=2)
    made = hits.read_text()
    assert made.count("find") == 4
    assert made.count("asked") == (0 if client in ("SdkBot", "FastBot") else 4), "elicitation"
    apart(pytester, "-n0").assert_outcomes(passed=2)
    apart(pytester, "-n2").assert_outcomes(passed=2)
    apart(pytester, "-n0", "-k", "DEMO002").assert_outcomes(passed=1, deselected=1)
    assert hits.read_text() == made, "a replay asked the server"
    monkeypatch.setenv("AREA", "south")
    edited = apart(pytester, "-n0")
    edited.assert_outcomes(errors=2)
    edited.stdout.fnmatch_lines(
        ["*not in the cassette: POST */mcp* (tools/call find_hotel)", '*area: "north" -> "south"']
    )
    assert hits.read_text() == made


@pytest.mark.parametrize("over", ["stdio", pytest.param("http", marks=THOROUGH)])
def test_server_that_dies_is_nobodys_failure(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, hits: Path, over: str
) -> None:
    suite(pytester, monkeypatch, "SdkBot", over)
    monkeypatch.setenv("NAME", "gone")
    with served(pytester, monkeypatch, over):
        recorded = apart(pytester, "--todeval-record=rewrite", "-n0", "-k", "DEMO001")
    recorded.assert_outcomes(errors=1, deselected=1)
    recorded.stdout.fnmatch_lines(["*infrastructure*"])
    assert not list(pytester.path.glob("cassettes/test_mcp/*.jsonl"))


def test_stdio_server_without_a_run_is_not_started(hits: Path) -> None:
    bare = {name: value for name, value in os.environ.items() if name != "TODEVAL_GATEWAY"}
    command = [sys.executable, "-m", "pytest_todeval.cli", "mcp", "hotel"]
    found = subprocess.run(
        [*command, sys.executable, str(HERE / "hotel_server.py")],
        input="{}\n",
        capture_output=True,
        text=True,
        env=bare,
        check=False,
    )
    assert (found.returncode, found.stdout, hits.read_text()) == (2, "", "")
    assert "have the fixture `tod_system` ask for `todeval_gateway`" in found.stderr.lower()


BACKEND = """
import os, sys
import pytest
from pytest_todeval import ScriptedUser, ToolRefused, with_tools
from bots import TODEVAL

class Desk:
    def __init__(self):
        self.booked = []
    def bookings(self):
        return self.booked

def find_room(day: str) -> list[dict[str, str]]:
    "Find free rooms."
    return [{"room": "12", "day": day}]

def book_room(backend, room: str) -> str:
    "Book a room."
    if room != "12":
        raise ToolRefused(f"room {room} is taken")
    backend.booked.append({"domain": "hotel", "reference": "R1", "room": room})
    return "R1"

@pytest.fixture
def backend():
    return with_tools(Desk(), [find_room, book_room])

@pytest.fixture
def user_simulator():
    return ScriptedUser(["A room, please."])

@pytest.fixture(scope="session")
def tod_system(todeval_gateway):
    from mcp.client import Client
    from mcp.client.stdio import StdioServerParameters, stdio_client

    async def respond(text):
        server = StdioServerParameters(command=TODEVAL, args=["mcp", "backend"])
        over = stdio_client(server) if OVER == "stdio" else todeval_gateway.backend_url()
        async with Client(over) as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            taken = await client.call_tool("book_room", {"room": "13"})
            booked = await client.call_tool("book_room", {"room": "12"})
        return f"{names} {taken.is_error} {taken.content[0].text} {booked.content[0].text}"
    return respond
"""
BACKEND_TEST = """
import pytest

@pytest.mark.goals("demo", limit=1)
def test_it(dialogue, backend):
    [turn] = dialogue.turns
    assert turn.system == "['find_room', 'book_room'] True room 13 is taken R1"
    assert [call.name for call in turn.tool_calls] == ["book_room", "book_room"]
    assert turn.tool_calls[0].error and not turn.tool_calls[1].error
    assert [booking.reference for booking in turn.booked] == ["R1"]
"""


@pytest.mark.parametrize("over", ["stdio", "http"])
def test_backend_is_served_to_any_client(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, hits: Path, over: str
) -> None:
    suite(pytester, monkeypatch, "none", over)
    pytester.makeconftest(BACKEND.replace("OVER", repr(over)))
    pytester.makepyfile(test_mcp=BACKEND_TEST)
    apart(pytester, "-n0").assert_outcomes(passed=1)


def test_the_example_of_the_docs(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, hits: Path
) -> None:
    text = (PROJECT / "docs" / "mcp.md").read_text("utf-8")
    blocks = re.findall(r"<!-- (\w+\.py) -->\n```python\n(.*?)^```", text, re.M | re.S)
    assert [name for name, _ in blocks] == ["conftest.py", "test_desk.py"]
    for name, block in blocks:
        (pytester.path / name).write_text(block, encoding="utf-8")
    apart(pytester, "-n0").assert_outcomes(passed=1)


def test_a_cassette_tells_tools_by_name_and_keeps_no_session(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, hits: Path
) -> None:
    suite(pytester, monkeypatch, "SdkSessionBot", "http")
    with served(pytester, monkeypatch, "http"):
        apart(pytester, "--todeval-record=rewrite", "-n0", "-k", "DEMO001")
    [file] = pytester.path.glob("cassettes/test_mcp/*.jsonl")
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    answers = [line["response"] for line in lines if "response" in line]
    sessions = {value for each in answers for name, value in each["headers"] if "session" in name}
    assert sessions == {"todeval-redacted"}
