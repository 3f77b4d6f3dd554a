"""Kill whole pytest runs while they record, and look at what they left and how the next goes on."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from pytest_todeval.recording.call import Call, Response
from pytest_todeval.recording.journal import Journal
from pytest_todeval.recording.store import read_cassette

__all__ = ["Chain", "Model", "served"]

PROJECT = Path(__file__).resolve().parents[2]
TURNS, DIALOGUES = 4, 4
LONGEST = 120
"""Seconds that a run may take."""

CONFTEST = '''
import json, os
import httpx, pytest, requests
from pytest_todeval import ScriptedUser

URL = os.environ["MODEL_URL"] + "/v1/chat/completions"


def heard(number, status):
    """What the client gave to the bot, in one write, which a kill does not undo."""
    handle = os.open("heard.txt", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(handle, f"{os.environ['RUN']} {number} {status}\\\\n".encode())
    os.close(handle)


def plain(body):
    answer = httpx.post(URL, json=body)
    return answer.json(), answer.status_code


def last_event(lines):
    found = ""
    for line in lines:
        if "DONE" in line:
            break
        found = line or found
    return json.loads(found.removeprefix("data: "))


def streamed(body):
    with httpx.Client() as client:
        asked = client.build_request("POST", URL, json={**body, "stream": True})
        answer = client.send(asked, stream=True)
        if answer.status_code != 200:
            answer.read()
            return answer.json(), answer.status_code
        return last_event(answer.iter_lines()), 200


def by_requests(body):
    answer = requests.post(URL, json=body)
    return answer.json(), answer.status_code


CLIENTS = (plain, streamed, by_requests)


class Bot:
    def __init__(self):
        self.messages = []

    def respond(self, text):
        self.messages.append({"role": "user", "content": text})
        ask = CLIENTS[len(self.messages) % 3]
        found, status = ask({"model": "stand-in", "messages": self.messages})
        heard(found["number"], status)
        if status != 200:
            raise RuntimeError(f"the model answered {status}")
        said = f"answer {found['number']}"
        self.messages.append({"role": "assistant", "content": said})
        return said


@pytest.fixture(scope="session")
def tod_system():
    return Bot


@pytest.fixture
def user_simulator(goal):
    return ScriptedUser([f"{goal.id} turn {turn}" for turn in range(1, TURNS + 1)])


def pytest_sessionstart(session):
    os.makedirs("pids", exist_ok=True)
    name = os.environ.get("PYTEST_XDIST_WORKER", "main")
    with open(f"pids/{name}", "w") as file:
        file.write(str(os.getpid()))
'''.replace("TURNS", str(TURNS)).replace("\\\\n", "\\n")

TEST = f"""
import pytest

@pytest.mark.goals("demo", limit={DIALOGUES})
def test_it(dialogue):
    assert len(dialogue.turns) == {TURNS}
"""


class Model(ThreadingHTTPServer):
    """Numbers its answers; refuses some dialogues' questions the first time they are asked."""

    daemon_threads = True

    def __init__(self, seed: int) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.chance = random.Random(seed)
        self.lock = threading.Lock()
        self.run = ""
        self.asked: list[tuple[str, int, str, int]] = []
        """Run, number, question, status, of what was answered."""
        self.first = threading.Event()
        """Set with the first question of a run."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: object, client_address: object) -> None:
        """Clients that are killed are the point."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Model

    def log_message(self, *_: object) -> None:
        pass

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        question = json.dumps(asked["messages"])
        model = self.server
        with model.lock:
            last = asked["messages"][-1]["content"]
            before = any(last in each[2] for each in model.asked)
            status = 500 if not before and model.chance.random() < 0.15 else 200
            number = len(model.asked) + 1
            model.asked.append((model.run, number, question, status))
            pause = model.chance.uniform(0, 0.04)
        model.first.set()
        time.sleep(pause)
        body = json.dumps({"number": number, "choices": []}).encode()
        if asked.get("stream") and status == 200:
            body = b"data: " + body + b"\n\ndata: [DONE]\n\n"
            kind = "text/event-stream"
        else:
            kind = "application/json"
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def served(seed: int) -> Iterator[Model]:
    """A model that listens."""
    model = Model(seed)
    thread = threading.Thread(target=model.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield model
    finally:
        model.shutdown()
        model.server_close()


@dataclass
class Chain:
    """Runs of one suite, each killed while it records, until one comes to its end."""

    folder: Path
    model: Model
    chance: random.Random
    processes: int = 0
    found: Counter[str] = field(default_factory=Counter)
    runs: int = 0

    def __post_init__(self) -> None:
        (self.folder / "conftest.py").write_text(CONFTEST)
        (self.folder / "test_bot.py").write_text(TEST)

    def play(self, kills: int) -> int:
        """At most so many kills; how many it took until all was recorded, and replayed offline."""
        done = 0
        while done < kills:
            killed = self.run_and_kill()
            self.check()
            done += killed
            if not killed and self.finished():
                break
        for _ in range(DIALOGUES * TURNS):  # each run gets over one refusal of each dialogue
            if self.finished():
                break
            self.run("missing")
            self.check()
        self.replay()
        return done

    def run_and_kill(self) -> bool:
        """Whether the run was killed, rather than having come to its end before."""
        process = self.start("missing")
        while not self.model.first.wait(0.05) and process.poll() is None:
            pass
        time.sleep(self.chance.uniform(0, 0.05 * DIALOGUES * TURNS / (1 + self.processes)))
        killed = process.poll() is None
        worker = self.processes and self.chance.random() < 0.3
        if killed and worker:
            self.found["one worker killed"] += 1
            pids = [int(path.read_text() or 0) for path in self.folder.glob("pids/gw*")]
            for pid in pids[:1]:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        elif killed:
            self.found["run killed"] += 1
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate(timeout=LONGEST)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        return killed

    def run(self, mode: str) -> str:
        output, _ = self.start(mode).communicate(timeout=LONGEST)
        return output

    def start(self, mode: str) -> "subprocess.Popen[str]":
        self.runs += 1
        self.model.run = str(self.runs)
        self.model.first.clear()
        spread = [f"-n{self.processes}"] if self.processes else ["-p", "no:xdist"]
        paths = [str(PROJECT), os.environ.get("PYTHONPATH", "")]
        environment = {
            **os.environ,
            "MODEL_URL": self.model.url,
            "RUN": str(self.runs),
            "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        }
        return subprocess.Popen(
            [sys.executable, "-m", "pytest", "-q", f"--todeval-record={mode}", *spread],
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def finished(self) -> bool:
        """Whether every dialogue has its cassette, and no journal is left."""
        return len(self.cassettes()) == DIALOGUES and not self.journals()

    def cassettes(self) -> list[Path]:
        return list(self.folder.rglob("*.todeval.jsonl"))

    def journals(self) -> list[Path]:
        return list(self.folder.rglob("*.journal"))

    def heard(self) -> list[tuple[str, int, int]]:
        """Run, number, status of each answer that the bot got, played ones too."""
        file = self.folder / "heard.txt"
        lines = file.read_text().splitlines() if file.exists() else []
        return [(run, int(n), int(status)) for run, n, status in map(str.split, lines)]

    def check(self) -> None:
        """AssertionError if an answer was lost, asked for again, or a refusal replayed."""
        held = self.held()
        answered = {number for _, number, status in self.heard() if status == 200}
        assert answered <= held, f"lost: {sorted(answered - held)}"
        served = {(run, number) for run, number, _, _ in self.model.asked}
        for run, number, status in self.heard():
            assert status == 200 or (run, number) in served, (
                f"replayed: {number} of status {status}"
            )
        known = {question for _, n, question, _ in self.model.asked if n in answered}
        times = Counter(q for _, n, q, status in self.model.asked if status == 200 and q in known)
        unheard = {n for _, n, _, status in self.model.asked if status == 200} - answered
        again = sum(times.values()) - len(times)
        assert again <= len(unheard), f"{again} answers were asked for again"

    def held(self) -> set[int]:
        """The numbers of the answers in all files, each of which can be read."""
        calls: list[Call] = []
        for path in self.cassettes():
            calls += read_cassette(path).calls
        for path in self.journals():
            self.found["journal"] += 1
            left = Journal.recover(
                path.with_name(path.name.removeprefix(".").removesuffix(".journal"))
            )
            calls += left.calls if left else ()
        self.found["half-written file"] += len(list(self.folder.rglob("*.tmp")))
        return {_number(call.outcome) for call in calls if isinstance(call.outcome, Response)}

    def replay(self) -> None:
        """All of it plays, and asks nobody."""
        before = len(self.model.asked)
        output = self.run("replay")
        assert f"{DIALOGUES} passed" in output, output
        assert len(self.model.asked) == before, "a replay asked the model"
        assert not list(self.folder.rglob("*.tmp")), "half-written files are left"


def _number(response: Response) -> int:
    text = response.body.decode().removeprefix("data: ").partition("\n")[0]
    return int(json.loads(text)["number"])
