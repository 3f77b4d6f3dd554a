"""Servers of bots in a run, and the gateway that they ask models through.

What servers printed stands in the report of a test that failed; of calls that the gateway could not
record the run is warned.
"""

import os
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.lane import Lane
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.integration.cassette_options import redactor_of
from pytest_todeval.integration.plain_errors import plain_errors
from pytest_todeval.integration.settings import Settings
from pytest_todeval.integration.terminal import add_section
from pytest_todeval.recording.address import Address
from pytest_todeval.recording.bot_server.bot_server import BotServer
from pytest_todeval.recording.router import Router
from pytest_todeval.shown import in_line

if TYPE_CHECKING:
    from pytest_todeval.recording.gateway.gateway import Gateway

QUIET = 0.1
"""Seconds without a line after which a log counts as written: a server that fails prints why after
it has answered."""
LONGEST_WAIT = 0.5


@contextmanager
def open_gateway(config: pytest.Config) -> Iterator["Gateway"]:
    """The gateway of this process; warns of calls that were made while no dialogue was open.

    The network is looked after from here on: also that of the servers which are started now.
    """
    from pytest_todeval.recording.gateway.gateway import Gateway
    from pytest_todeval.recording.gateway.upstreams import require_trust, upstreams_from
    from pytest_todeval.recording.jail import hold_back
    from pytest_todeval.recording.mode import Mode, modes_from

    with plain_errors():
        lines = config.getini("todeval_gateway")
        upstreams = upstreams_from(lines, os.environ)
        settings = Settings.of(config)
        modes = modes_from(settings.record)
        if modes[Lane.SYSTEM] is not Mode.REPLAY:
            require_trust(upstreams, lines)
        if set(modes.values()) != {Mode.LIVE}:
            hold_back(by_kernel=settings.jail != "python")
    replays = modes[Lane.SYSTEM] is Mode.REPLAY
    with Gateway.open(upstreams, replays=replays) as gateway:
        yield gateway
    for call, times in Counter(gateway.outside).items():
        became = "was refused" if replays else "is in no cassette; replay will refuse it"
        warnings.warn(
            f"{in_line(call)} was asked of the gateway {times} x while no dialogue was open, "
            f"and {became}: have the bot ask for it when the first dialogue does",
            stacklevel=2,
        )


@contextmanager
def server_starter(config: pytest.Config, gateway: "Gateway") -> Iterator[Callable[..., BotServer]]:
    """Returns what starts servers, in the root folder of the run; they are stopped at the end."""
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
        if server.is_open_to_others:
            warnings.warn(
                f"the bot's server `{in_line(server.command)}` listens at all addresses of this "
                f"machine, at port {server.port}: others in its network can reach it. Have it "
                "listen at 127.0.0.1",
                stacklevel=2,
            )
        return server

    try:
        yield todeval_server
    finally:
        for server in reversed(started):
            server.stop()


def add_logs(item: pytest.Item, report: pytest.TestReport) -> None:
    """Adds what the servers printed since the test before, if this one failed."""
    if report.failed and report.when != "teardown":
        redactor = redactor_of(item.config)
        for server in BotServer.running:
            _await_quiet(server)
            ended = f", which {server.ended}" if server.ended else ""
            printed = server.printed() or "(it printed nothing in this test)"
            title = f"bot's server: {server.command}{ended}"
            add_section(report, title, redactor.text(printed))
    elif report.when == "teardown":
        for server in BotServer.running:
            server.printed()  # the next test's begins here


def is_ours(address: Address) -> bool:
    """Says whether a bot's server was started by this run: what it asks goes by the gateway."""
    return any(server.address == address for server in BotServer.running)


def with_end_of_server(dialogue: Dialogue) -> Dialogue:
    """Returns the dialogue; if its network failed because a bot's server has ended, with that."""
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
