"""What the servers of bots printed, in reports; and a server that ended, in a dialogue."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.integration import servers
from pytest_todeval.integration.servers import add_logs, server_starter, with_end_of_server
from pytest_todeval.recording.bot_server.bot_server import BotServer


class Server:
    """A server that is there already; `counts`: the bytes it has printed, at each look."""

    command, address = "python bot.py", "127.0.0.1:8000"

    def __init__(self, *logs: str, ended: str = "", counts: tuple[int, ...] = (0, 0)) -> None:
        self.logs, self.ended, self.counts = list(logs), ended, list(counts)
        self.stopped: list[object] = []

    @property
    def printed_bytes(self) -> int:
        return self.counts.pop(0)

    def printed(self) -> str:
        return self.logs.pop(0) if self.logs else ""

    def await_end(self) -> str:
        return self.ended


@pytest.fixture
def running(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The servers of the run, which never have to be waited for."""
    found: list[Any] = []
    monkeypatch.setattr(BotServer, "running", found)
    monkeypatch.setattr(servers, "QUIET", 0)
    monkeypatch.setattr(servers, "LONGEST_WAIT", 60)
    plain = SimpleNamespace(text=lambda text: text.replace("secret", "X"))
    monkeypatch.setattr(servers, "redactor_of", lambda _: plain)
    return found


def report(when: str, *, failed: bool) -> Any:
    return SimpleNamespace(when=when, failed=failed, sections=[])


ITEM: Any = SimpleNamespace(config=None)


def test_a_test_that_failed_shows_what_was_printed_since_the_one_before(running: list[Any]) -> None:
    server = Server("a secret", "later", counts=(3, 5, 8, 8, 8, 8))
    running += [server, Server(ended="ended with 1")]
    failed = report("call", failed=True)
    add_logs(ITEM, failed)
    assert failed.sections == [
        ("bot's server: python bot.py", "a X"),
        ("bot's server: python bot.py, which ended with 1", "(it printed nothing in this test)"),
    ]
    assert server.counts == [8, 8], "until nothing more came"


@pytest.mark.parametrize(
    ("when", "failed", "left"),
    [("call", False, 1), ("setup", False, 1), ("teardown", True, 0), ("teardown", False, 0)],
)
def test_a_test_that_is_over_shows_nothing_and_the_next_ones_log_begins(
    running: list[Any], when: str, failed: bool, left: int
) -> None:
    server = Server("old")
    running.append(server)
    told = report(when, failed=failed)
    add_logs(ITEM, told)
    assert (told.sections, len(server.logs)) == ([], left)


def test_a_network_failure_is_told_with_the_end_of_its_server(running: list[Any]) -> None:
    lost = Dialogue(
        Goal("1", "own", ()), stop_reason=StopReason.NETWORK, detail="127.0.0.1:8000 refused"
    )
    assert with_end_of_server(lost) is lost
    running.append(Server())
    assert with_end_of_server(lost) is lost, "it runs"
    running.append(Server(ended="ended with 1"))
    found = with_end_of_server(lost)
    assert found.detail == (
        "the bot's server `python bot.py` ended with 1 (what it printed is below): "
        "127.0.0.1:8000 refused"
    )
    for other in (
        replace(lost, detail="127.0.0.1:9000 refused"),
        replace(lost, stop_reason=StopReason.SYSTEM_ERROR),
    ):
        assert with_end_of_server(other) is other


def test_servers_start_at_the_root_with_the_gateway_and_are_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: list[dict[str, Any]] = []
    stopped: list[str] = []

    def start(command: str, **how: Any) -> Any:
        started.append(how)
        return SimpleNamespace(stop=lambda: stopped.append(command), is_open_to_others=False)

    monkeypatch.setattr(BotServer, "start", start)
    config: Any = SimpleNamespace(rootpath=Path("/shop"))
    gateway: Any = SimpleNamespace(environment=lambda: {"A": "gateway", "B": "gateway"})
    with server_starter(config, gateway) as run:
        run("one")
        run("two", health="/up", cwd="bots", env={"B": "own"}, timeout=5.0)
        assert stopped == []
    assert stopped == ["two", "one"]
    plain = {"health": None, "cwd": Path("/shop"), "timeout": 60.0}
    assert started[0] == {**plain, "env": {"A": "gateway", "B": "gateway"}}
    assert started[1] == {
        "health": "/up", "cwd": Path("/shop/bots"), "timeout": 5.0,
        "env": {"A": "gateway", "B": "own"},
    }  # fmt: skip
