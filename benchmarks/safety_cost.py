"""What it costs that text, keys, files and connections of strangers are looked after.

    python benchmarks/safety_cost.py [--runs 10] [--dialogues 100] [--before PYTHON]

A run is one process that replays dialogues of a bot which asks over HTTP, all failing, so that each
is shown. It is made as it is, and with the functions that look after strangers made to do nothing;
the two take turns, and of each the least CPU time (user and system) counts, which is what other
work on the machine disturbs least.

`--before` names the Python of an environment with an older version of the package, as that of the
commit before this work. Start-up is then compared, too: collecting 100 empty tests, and a test with
one dialogue.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

CARELESS = """
from pytest_todeval import shown, trust
from pytest_todeval.core.documents import document
from pytest_todeval.recording import earlier, network, tape
from pytest_todeval.simulation import reply

def as_it_is(text, most=0):
    return text

shown._spelled = shown.in_csv = as_it_is
shown._COMMAND = type("Never", (), {"sub": staticmethod(lambda new, text: text)})
trust.in_ci = lambda: False
document.leads_out = lambda *_: False
tape.sent, tape.went_out = dict, lambda before: ()
network._ask_for_peer = lambda *_: None
reply._said = as_it_is
"""
CONFTEST = """
import json, urllib.request
import pytest

def respond(text):
    body = json.dumps({"text": text}).encode()
    with urllib.request.urlopen("URL", body) as answer:
        return json.load(answer)["said"]

@pytest.fixture
def tod_system():
    return respond
"""
TEST = """
import pytest

@pytest.mark.goals("demo", limit=20)
@pytest.mark.trials(TRIALS)
def test_it(dialogue):
    assert dialogue.booking
"""
STARTS = {
    "100 empty tests": "".join(f"def test_{n}(): pass\n" for n in range(100)),
    "one dialogue test": TEST.replace("limit=20", "limit=1").replace("TRIALS", "1"),
}


class Bot(BaseHTTPRequestHandler):
    """Says what is of no use."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.end_headers()
        self.wfile.write(
            b'{"said": "It is in the north, and it is cheap. Which day would you like?"}'
        )

    def log_message(self, *_: object) -> None:
        pass


def cpu_seconds(folder: Path, *options: str, python: str = sys.executable) -> float:
    """User and system time of one pytest process."""
    command = [python, "-m", "pytest", "-q", "-p", "no:xdist"]
    unset = ("CI", "PYTHONDONTWRITEBYTECODE")  # each environment is to have compiled its files
    environment = {k: v for k, v in os.environ.items() if k not in unset}
    environment["PYTHONPATH"] = str(folder)
    run = subprocess.Popen(
        [*command, *options], cwd=folder, env=environment, stdout=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(run.pid, 0)
    run.returncode = os.waitstatus_to_exitcode(status)
    if run.returncode not in (0, 1, 5, 11):
        raise SystemExit(f"{' '.join(command)}: exit code {run.returncode}")
    return usage.ru_utime + usage.ru_stime


def ratio(folder: Path, runs: int, options: Sequence[str]) -> tuple[float, float]:
    """The least CPU seconds as it is, and without care."""
    least = [float("inf")] * 2
    for _ in range(runs):
        for kind, more in enumerate(([], ["-p", "careless"])):
            least[kind] = min(least[kind], cpu_seconds(folder, *more, *options))
    return least[0], least[1]


def start_up(folder: Path, before: str, runs: int) -> None:
    """Compare how long it takes to collect, with this version and with the one before."""
    for name, test in STARTS.items():
        (folder / "test_start.py").write_text(test)
        least = dict.fromkeys((sys.executable, before), float("inf"))
        for _ in range(runs):
            for python in least:
                took = cpu_seconds(folder, "--collect-only", "test_start.py", python=python)
                least[python] = min(least[python], took)
        now, then = least.values()
        print(f"start-up, {name}: {now:.3f} s, {then:.3f} s before: {now / then:.3f} x")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--dialogues", type=int, default=100)
    parser.add_argument("--before", help="the Python of an environment with an older version")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        server = ThreadingHTTPServer(("127.0.0.1", 0), Bot)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_address[1]}/chat"
        (folder / "careless.py").write_text(CARELESS)
        (folder / "conftest.py").write_text(CONFTEST.replace("URL", url))
        (folder / "test_it.py").write_text(TEST.replace("TRIALS", str(args.dialogues // 20)))
        cpu_seconds(folder, "--todeval-record=rewrite")
        server.shutdown()
        with_care, without = ratio(folder, args.runs, ["--todeval-show=all", "test_it.py"])
        ratio_of = with_care / without
        took = f"{with_care:.2f} s, {without:.2f} s without"
        print(f"{args.dialogues} dialogues: {took}: {ratio_of:.3f} x")
        if args.before:
            start_up(folder, args.before, args.runs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
