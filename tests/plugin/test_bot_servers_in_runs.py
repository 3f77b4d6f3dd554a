"""Servers of bots that a run starts: one in each process, their logs with failures, their ends."""

import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pytest_todeval.recording.jail import kernel
from tests.plugin.conftest import apart
from tests.support.processes import await_end

BOT = """
import json, os, sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

said = {}

class Bot(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.headers.get("authorization") != "Bearer " + os.environ["SHOP_PASS"]:
            return self.reply(401, {"you sent": self.headers.get("authorization")})
        if self.path == "/sessions":
            said[str(len(said))] = []
            return self.reply(201, {"id": len(said) - 1})
        session = said[self.path.split("/")[2]]
        session.append(body["text"])
        print("heard", body["text"], flush=True)
        if "die" in body["text"]:
            os._exit(3)
        if "fail" in body["text"]:
            print("KeyError: 'area'", self.headers["authorization"], flush=True)
            return self.reply(500, {"oops": self.headers["authorization"]})
        self.reply(200, {"text": f"{len(session)} by {os.getpid()}"})
    def do_DELETE(self):
        del said[self.path.split("/")[2]]
        print("closed", len(said), "left", flush=True)
        self.reply(200, {})
    def do_GET(self):
        self.reply(200, {id: len(each) for id, each in said.items()})
    def reply(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *_): pass

print("pid", os.getpid(), flush=True)
ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Bot).serve_forever()
"""
CONFTEST = """
import json, os, urllib.request
import pytest
from pytest_todeval import HttpSystem, ScriptedUser

LINES = {"DEMO001": "hi"}

@pytest.fixture(scope="session")
def server(todeval_server):
    server = todeval_server("python bot.py {port}", health="/health")
    with open("pids", "a") as file:
        file.write(server.log.split()[1] + "\\n")
    return server

@pytest.fixture(scope="session")
def tod_system(server):
    return HttpSystem(
        server.url + "/sessions/{session}/chat",
        open="POST /sessions",
        close="DELETE /sessions/{session}",
        headers={"Authorization": "Bearer ${SHOP_PASS}"},
    )

@pytest.fixture
def user_simulator(request, goal):
    return ScriptedUser(getattr(request, "param", ["hi", "bye"]))

class OwnBackend:
    def __init__(self, url, session):
        self.url, self.session, self.turns = url, session, []
    def bookings(self):
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(self.url + "/bookings") as response:
            self.turns.append(json.load(response)[self.session.id])
        return ()

@pytest.fixture
def backend(server, todeval_session):
    assert todeval_session.dialogue_id.startswith("demo/")
    return OwnBackend(server.url, todeval_session)
"""
TEST = """
import pytest

@pytest.mark.goals("demo", limit=4)
def test_it(dialogue, backend):
    assert [turn.system[0] for turn in dialogue.turns] == ["1", "2"]
    assert backend.turns == [0, 1, 2, 2]
"""
SECRET = "correct-horse-battery"


@pytest.fixture
def run(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.setenv("SHOP_PASS", SECRET)
    (pytester.path / "bot.py").write_text(BOT)
    pytester.makeini("[pytest]")
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_bot=TEST)
    return pytester


def pids(folder: Path) -> list[int]:
    return [int(line) for line in (folder / "pids").read_text().split()]


@pytest.mark.thorough
def test_a_run_starts_its_server_and_stops_it(run: pytest.Pytester) -> None:
    apart(run).assert_outcomes(passed=4)
    [pid] = pids(run.path)
    await_end(pid)


@pytest.mark.skipif(not kernel.can_look(), reason="the system does not show who listens")
def test_a_server_that_others_can_reach_is_named(run: pytest.Pytester) -> None:
    (run.path / "bot.py").write_text(BOT.replace('("127.0.0.1", int', '("0.0.0.0", int'))
    result = apart(run, "-k", "DEMO001")
    assert "listens at all addresses of this machine, at port" in str(result.stdout)
    (run.path / "bot.py").write_text(BOT)
    assert "listens at all addresses" not in str(apart(run, "-k", "DEMO001").stdout)


@pytest.mark.thorough
def test_each_process_has_a_server_of_its_own(run: pytest.Pytester) -> None:
    apart(run, "-n2").assert_outcomes(passed=4)
    found = pids(run.path)
    assert len(set(found)) == 2
    for pid in found:
        await_end(pid)


FAILING = """
import pytest

@pytest.mark.goals("demo", limit=1)
@pytest.mark.parametrize("user_simulator", [[WORDS], ["hi"]], indirect=True, ids=["bad", "good"])
def test_it(dialogue):
    assert len(dialogue.turns) == 1
"""


def test_a_failure_shows_what_the_server_printed_in_it(run: pytest.Pytester) -> None:
    run.makepyfile(test_bot=FAILING.replace("WORDS", '"fail"'))
    result = apart(run, "--todeval-json=results.json")
    result.assert_outcomes(failed=1, passed=1)
    result.stdout.fnmatch_lines(
        [
            "*HttpStatusError: http://127.0.0.1:*/sessions/{session}/chat answered 500*",
            "*bot's server: python bot.py *",
            "*heard fail*",
            "*KeyError: 'area'*",
        ]
    )
    shown = result.stdout.str()
    assert "heard hi" not in shown
    assert SECRET not in shown
    assert SECRET not in (run.path / "results.json").read_text()


@pytest.mark.thorough
def test_a_server_that_dies_in_the_middle_is_told(run: pytest.Pytester) -> None:
    run.makepyfile(test_bot=FAILING.replace("WORDS", '"die"'))
    result = apart(run)
    result.assert_outcomes(errors=2)
    ended = "the bot's server `python bot.py *` ended with status 3 (what it printed is below)"
    result.stdout.fnmatch_lines(
        [
            f"*infrastructure: {ended}: *closed the connection without an answer*",
            "*bot's server: python bot.py *, which ended with status 3*",
            "*heard die*",
            f"*infrastructure: {ended}: *is not reached: *",
        ]
    )


@pytest.mark.thorough
def test_a_server_that_does_not_start_shows_its_log(run: pytest.Pytester) -> None:
    (run.path / "bot.py").write_text("import flaskk\n")
    result = apart(run)
    result.assert_outcomes(errors=4)
    result.stdout.fnmatch_lines(
        [
            "*UsageError: the bot's server `python bot.py *` (in */*) ended with status 1 before *",
            "*ModuleNotFoundError: No module named 'flaskk'*",
        ]
    )
    shown = result.stdout.str()
    assert "pytest_todeval/" not in shown


@pytest.mark.thorough
def test_a_missing_variable_is_told_before_the_first_dialogue(
    run: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    conftest = CONFTEST.replace("${SHOP_PASS}", "${SHOP_PAS}")
    run.makeconftest(conftest)
    result = apart(run, "--maxfail=1")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        ["*header Authorization of the bot takes the environment variable SHOP_PAS, which is not*"]
    )
    assert SECRET not in result.stdout.str()


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="tells by /proc who has ended")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_no_server_outlives_a_run_that_is_broken_off(run: pytest.Pytester, number: int) -> None:
    (run.path / "test_bot.py").write_text(TEST + "    import time; time.sleep(600)\n")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"]
    with subprocess.Popen(command, cwd=run.path, stdout=subprocess.DEVNULL) as process:
        until = time.monotonic() + 60
        while not (run.path / "pids").exists():
            assert time.monotonic() < until
            time.sleep(0.05)
        process.send_signal(number)
        process.wait()
    [pid] = pids(run.path)
    await_end(pid)


@pytest.mark.thorough
def test_a_session_is_closed_if_the_run_is_interrupted(run: pytest.Pytester) -> None:
    run.makepyfile(
        test_bot="""
        import os, signal
        import pytest
        from pytest_todeval import ScriptedUser

        class Impatient:
            def respond(self, turn):
                os.kill(os.getpid(), signal.SIGINT)
                import time; time.sleep(60)

        @pytest.fixture
        def user_simulator():
            return Impatient()

        @pytest.fixture(autouse=True, scope="session")
        def _log(server):
            yield
            with open("log", "w") as file:
                file.write(server.log)

        @pytest.mark.goals("demo", limit=1)
        def test_it(dialogue):
            pass
        """
    )
    result = apart(run)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    assert re.search(r"closed 0 left", (run.path / "log").read_text())


@pytest.mark.thorough
def test_a_session_that_is_not_opened_says_why_though_a_backend_asks_for_it(
    run: pytest.Pytester,
) -> None:
    run.makeconftest(CONFTEST.replace('open="POST /sessions"', 'open="POST /sesions"'))
    result = apart(run, "-k", "DEMO001")
    result.assert_outcomes(errors=1, deselected=3)
    result.stdout.fnmatch_lines(
        ["infrastructure: the bot could not be asked in the opening of the session: *closed the*"]
    )
    result.stdout.no_fnmatch_line("*is known once the dialogue has begun*")
