"""Whole runs keep their connections to endpoints open, and leave none behind."""

import shutil
import ssl
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from pytest_todeval.models.fake_server.listener import StandInListener
from pytest_todeval.testing import Answer, Broken, ChatRequest, StandInServer
from tests.conftest import PROJECT, must_end
from tests.plugin.conftest import asking
from tests.plugin.test_models_in_runs import CONFTEST, TEST, example, role
from tests.support.counting_server import CountingServer

EXAMPLE = PROJECT / "examples" / "models"
sound = example("stand_in").answer


class Counted:
    """A stand-in server, and how many connections were made to it."""

    def __init__(self, server: StandInServer) -> None:
        self.server, self.connections = server, 0


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counted]:
    process = StandInListener.process_request

    def counting(listener: StandInListener, request: Any, address: Any) -> None:
        found.connections += 1
        process(listener, request, address)

    monkeypatch.setattr(StandInListener, "process_request", counting)
    with StandInServer(sound) as server:
        found = Counted(server)
        yield found
        listener = server._listener
        assert listener is not None
        with listener._changed:  # no process of the run is left, so neither is a connection
            assert listener._changed.wait_for(lambda: not listener._open, 10)


@pytest.fixture
def suite(pytester: pytest.Pytester) -> pytest.Pytester:
    for name in ("workshop.py", "goals.yaml"):
        (pytester.path / name).write_text((EXAMPLE / name).read_text())
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_workshop=TEST)
    return pytester


MODEL = "--todeval-model=stand-in"


def play(suite: pytest.Pytester, counted: Counted, *options: str) -> pytest.RunResult:
    result = asking(
        suite,
        "-Werror",
        "--todeval-user=thought",
        "--todeval-record=rewrite",
        *options,
        f"--todeval-base-url={counted.server.base_url}",
    )
    result.stdout.no_fnmatch_line("*unclosed*")
    result.stderr.no_fnmatch_line("*unclosed*")
    return result


def test_a_dialogue_its_user_bot_and_judge_share_one_connection(
    suite: pytest.Pytester, counted: Counted
) -> None:
    result = play(suite, counted, MODEL, "-k", "tune-up")
    result.assert_outcomes(passed=1)
    asked = [role(request) for request in counted.server.requests]
    assert {"user", "system", "judge"} == set(asked)
    judges = asked.count("judge")
    # All but the judge ask one after the other; the judge asks about its turns at once.
    assert len(asked) > judges + 3
    assert counted.connections <= judges


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("spread", "most"), [(["-p", "no:xdist"], 8), (["-n2"], 16)], ids=["alone", "n2"]
)
def test_twenty_dialogues_need_a_handful(
    suite: pytest.Pytester, counted: Counted, spread: list[str], most: int
) -> None:
    """At most as many as a process asks at once: `concurrency`, 8 by default."""
    result = play(suite, counted, MODEL, "--todeval-trials=10", *spread)
    result.assert_outcomes(passed=20)
    assert len(counted.server.requests) == 280
    assert counted.connections <= most


@pytest.mark.thorough
def test_samples_of_a_panel_keep_the_limits_of_each_model(
    suite: pytest.Pytester, counted: Counted
) -> None:
    url = counted.server.base_url
    one, two = (f"{{model: {name}, base_url: '{url}', concurrency: 2}}" for name in ("m", "n"))
    (suite.path / "models.yaml").write_text(f"user: {one}\nsystem: {one}\njudge: [{one}, {two}]\n")
    result = play(suite, counted, "--todeval-models=models.yaml", "--todeval-samples=3")
    result.assert_outcomes(passed=2)
    assert [role(request) for request in counted.server.requests].count("judge") == 84
    assert counted.connections <= 4  # as many for each model


ASYNC_BOT = """
import asyncio
import pytest
from workshop import INSTRUCTIONS, Calendar, book_job, free_days
from pytest_todeval import ChatSystem

SYSTEM = ChatSystem("stand-in", INSTRUCTIONS, tools=[free_days, book_job])

class Asking:
    def __init__(self, backend):
        self.bot = SYSTEM(backend)

    async def respond(self, text):
        return await asyncio.to_thread(self.bot.respond, text)

@pytest.fixture(scope="session", params=["async", "sync"])
def tod_system(request):
    return Asking if request.param == "async" else SYSTEM

@pytest.fixture
def backend():
    return Calendar()
"""


@pytest.mark.thorough
def test_async_and_sync_bots_share_them(suite: pytest.Pytester, counted: Counted) -> None:
    suite.makeconftest(ASYNC_BOT)
    result = play(suite, counted, MODEL, "-p", "no:xdist")
    result.assert_outcomes(passed=4)
    assert counted.connections <= 8


@pytest.mark.thorough
@pytest.mark.parametrize("stop", [[], ["-x"]], ids=["all", "x"])
def test_a_call_that_nobody_waits_for_any_more_leaves_nothing_open(
    suite: pytest.Pytester, counted: Counted, stop: list[str]
) -> None:
    """The fixture looks whether the server still has a connection when the run is over."""

    def hangs(request: ChatRequest) -> Answer:
        is_second = role(request) == "system" and len(request.messages) > 2
        return Answer(error=Broken.HANG) if is_second else sound(request)

    counted.server._model._answer = hangs
    result = play(suite, counted, MODEL, "--todeval-turn-timeout=1", *stop)
    result.assert_outcomes(errors=1 if stop else 2)
    result.stdout.fnmatch_lines(["*infrastructure: longer than 1 s while *"])


WAITS_FOR_ITS_CONNECTIONS = """
import pytest
from pytest_todeval import ChatSystem, ModelSettings
from tests.support.counting_server import CountingServer

class Patient(CountingServer):
    daemon_threads = False  # closing it waits for each connection to end

@pytest.fixture(scope="session")
def url():
    server = Patient(lambda body: "Which area would you like?")
    with server:
        yield server.base_url

@pytest.fixture(scope="session")
def tod_system(url):
    return ChatSystem(ModelSettings("m", url), "You book hotels.")
"""


@pytest.mark.thorough
@pytest.mark.usefixtures("tests_importable")
def test_a_server_of_the_suites_own_may_wait_for_its_connections_to_end(
    pytester: pytest.Pytester,
) -> None:
    pytester.makeconftest(WAITS_FOR_ITS_CONNECTIONS)
    pytester.makepyfile(
        """
import pytest

@pytest.mark.goals("demo", limit=1)
@pytest.mark.todeval(unserved="allowed")
def test_it(dialogue):
    assert dialogue.turns
"""
    )
    with must_end():
        result = pytester.runpytest_subprocess("--todeval-record=live", "-p", "no:xdist")
    result.assert_outcomes(passed=1, warnings=1)  # the tools are not shown to its model


OVER_TLS = """
import sys
from contextlib import closing
from pytest_todeval.models.client import ChatClient
from pytest_todeval.models.connections import KeptConnections
from pytest_todeval.models.settings import ModelSettings

client = ChatClient(ModelSettings("m", sys.argv[1], retries=0))
with closing(KeptConnections()) as kept, kept.used():
    for _ in range(3):
        print(client.complete([{"role": "user", "content": "Hello?"}]).text)
"""


@pytest.mark.thorough
@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes a certificate by openssl")
def test_one_handshake_over_tls_with_an_authority_of_ones_own(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=here -keyout key.pem -out cert.pem"
    names = ("-addext", "subjectAltName=IP:127.0.0.1")
    subprocess.run(["openssl", *made.split(), *names], cwd=pytester.path, check=True, stderr=-3)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pytester.path / "cert.pem", pytester.path / "key.pem")
    script = pytester.makepyfile(asks=OVER_TLS)
    with CountingServer(tls=context) as server:
        assert pytester.run(sys.executable, script, server.base_url).ret != 0  # not trusted
        before = server.accepted
        monkeypatch.setenv("SSL_CERT_FILE", str(pytester.path / "cert.pem"))
        result = pytester.run(sys.executable, "-Werror", script, server.base_url)
        assert result.outlines == ["Hi."] * 3
        assert result.stderr.str() == ""
        assert server.accepted - before == 1
        assert server.all_closed()
