"""Servers of bots in a run: what they printed stands in the report of a test that failed."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.integration.cassette_options import redactor_of
from pytest_todeval.integration.plain_errors import plain_errors
from pytest_todeval.recording.bot_server.bot_server import BotServer
from pytest_todeval.recording.router import Router

if TYPE_CHECKING:
    from pytest_todeval.recording.gateway.gateway import Gateway

QUIET = 0.1
"""Seconds without a line after which a log counts as written: a server that fails prints why after
it has answered."""
LONGEST_WAIT = 0.5


@contextmanager
def server_starter(config: pytest.Config, gateway: "Gateway") -> Iterator[Callable[..., BotServer]]:
    """What starts servers, in the root folder of the run; they are stopped at the end."""
    started: list[BotServer] = []

    def todeval_server(
        command: str | list[str],
        *,
        health: str | None = None,
        cwd: object = None,
        env: dict[str, str] | None = None,
        timeout: float = 60.0,
    ) -> BotServer:
        where = config.rootpath if cwd is None else config.rootpath / str(cwd)
        variables = {**gateway.environment(), **(env or {})}
        # What it calls past the gateway is held back in replay.
        with plain_errors(), Router.of_process().watch.claiming():
            server = BotServer.start(
                command, health=health, cwd=where, env=variables, timeout=timeout
            )
        started.append(server)
        return server

    try:
        yield todeval_server
    finally:
        for server in reversed(started):
            server.stop()


def add_logs(item: pytest.Item, report: pytest.TestReport) -> None:
    """Add what the servers printed since the test before, if this one failed."""
    if report.failed and report.when != "teardown":
        redactor = redactor_of(item.config)
        for server in BotServer.running:
            _await_quiet(server)
            ended = f", which {server.ended}" if server.ended else ""
            printed = server.printed() or "(it printed nothing in this test)"
            title = f"bot's server: {server.command}{ended}"
            report.sections.append((title, redactor.text(printed)))
    elif report.when == "teardown":
        for server in BotServer.running:
            server.printed()  # the next test's begins here


def with_end_of_server(dialogue: Dialogue) -> Dialogue:
    """The dialogue; if its network failed because a bot's server has ended, with that."""
    if dialogue.stop_reason is not StopReason.NETWORK:
        return dialogue
    for server in BotServer.running:
        if str(server.address) in dialogue.detail and (ended := server.await_end()):
            told = f"the bot's server `{server.command}` {ended} (what it printed is below): "
            return replace(dialogue, detail=told + dialogue.detail)
    return dialogue


def _await_quiet(server: BotServer) -> None:
    until, before = time.monotonic() + LONGEST_WAIT, -1
    while (now := server.printed_bytes) != before and time.monotonic() < until:
        before = now
        time.sleep(QUIET)
