"""Which calls of which client libraries are recorded and replayed, however the bot stops reading.

    python benchmarks/recording_clients.py [--only NAME ...] [--rows]

Each library that is installed is a bot, in each of the ways that it can: a whole answer (`plain`),
its own time-out before the answer (`late`), a stream read to its end (`stream`), or up to the
finish reason or `[DONE]` (`break`), closed, left by an exception, or timed out (`time-out`) or
cancelled in the middle. A suite of the bots is recorded (`rewrite`), replayed while their servers
are there, which count what comes, and replayed when these are gone.

A row is `recorded` if each call that was made is in the cassette, both replays pass and hear the
same, and no server is reached; `named` if the recording ends as `infrastructure` with the address
or the call, so that there is no cassette; else it is `SILENT`. The status is 1 if any row is, or
if a bot heard nothing like what its way is (`odd`).
`--rows` prints each row, else each client's are one line.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from client_matrix.server import ModelServer
from client_matrix.stopping import expected
from client_matrix.table import CLIENTS

from pytest_todeval.recording.store import read_cassette

HERE = Path(__file__).resolve().parent
TURNS = 2
LONGEST = 900
"""Seconds that a run of all bots may take."""

CONFTEST = """
import json, os, sys
import pytest
from pytest_todeval import ScriptedUser

sys.path.insert(0, os.environ["BOTS"])
from client_matrix.stopping import bot

ROWS = json.loads(os.environ["ROWS"])


@pytest.fixture
def user_simulator(goal):
    return ScriptedUser(["Hello.", "Thank you."])


@pytest.fixture
def tod_system(request):
    row = request.node.originalname.removeprefix("test_")
    client, way, url = ROWS[row]
    asked = bot(client, way, url)

    def heard(text):
        with open(os.environ["HEARD"], "a") as file:
            file.write(json.dumps([row, text]) + "\\n")
        return text

    def respond(text):
        return heard(asked(text))

    async def respond_async(text):
        return heard(await asked(text))

    import inspect

    return respond_async if inspect.iscoroutinefunction(asked) else respond
"""


@dataclass(frozen=True)
class Run:
    """What one run of the suite gave, by row: its outcome, what was said of it, what was heard."""

    outcomes: dict[str, str]
    told: dict[str, str]
    heard: dict[str, list[str]]


@dataclass(frozen=True)
class Row:
    """A client in one way: calls made, those in the cassette, hits in replay, and the verdict."""

    client: str
    way: str
    made: int
    recorded: int
    passed: tuple[bool, bool]
    hits: int
    verdict: str
    why: str


def run(folder: Path, rows: dict[str, tuple[str, str, str]], name: str, *options: str) -> Run:
    heard_file = folder / f"heard_{name}.jsonl"
    environment = {
        **os.environ,
        "ROWS": json.dumps(rows),
        "BOTS": str(HERE),
        "HEARD": str(heard_file),
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "HF_HUB_DISABLE_TELEMETRY": "1",
    }
    command = [sys.executable, "-m", "pytest", "-rA", "-p", "no:xdist", *options]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=LONGEST
    )
    (folder / f"output_{name}.txt").write_text(done.stdout + done.stderr)
    outcomes = dict.fromkeys(re.findall(r"^PASSED .*::test_(\w+)\[", done.stdout, re.M), "passed")
    for word in ("FAILED", "ERROR"):
        found = re.findall(rf"^{word} .*test_(\w+)\[", done.stdout, re.M)
        outcomes.update(dict.fromkeys(found, word.lower()))
    told: dict[str, str] = {}
    for part in re.split(r"^_{3,} ", done.stdout, flags=re.M)[1:]:
        head, _, text = part.partition("\n")
        if match := re.search(r"test_(\w+)\[", head):
            told[match[1]] = text
    heard: dict[str, list[str]] = {}
    for line in heard_file.read_text().splitlines() if heard_file.exists() else ():
        row, text = json.loads(line)
        heard.setdefault(row, []).append(text)
    return Run(outcomes, told, heard)


def verdict(
    row: str,
    way: str,
    recording: Run,
    replays: tuple[Run, Run],
    counts: tuple[int, int, int],
    port: int,
) -> tuple[str, str]:
    """What is to be thought of a row, and why."""
    made, recorded, hits = counts
    if hits:
        return "SILENT", f"{hits} connections in replay"
    if recording.outcomes.get(row) != "passed":
        told = recording.told.get(row, "")
        if f":{port}" in told or "not recorded: " in told:
            return "named", ""
        return "SILENT", "recording: " + (told.strip().splitlines() or ["no word"])[-1][:200]
    if made == 0:
        return "SILENT", f"asked nothing: {recording.heard.get(row)}"
    for text in recording.heard[row]:
        if not expected(way, text):
            return "odd", f"heard {text!r:.200}"
    if recorded != made:
        return "SILENT", f"{recorded} of {made} calls recorded"
    for name, replay in zip(("replay", "gone"), replays, strict=True):
        if replay.outcomes.get(row) != "passed":
            return "SILENT", f"{name}: {replay.told.get(row, '')[:300]!r}"
        if replay.heard.get(row) != recording.heard.get(row):
            return "SILENT", (
                f"{name}: heard {replay.heard.get(row)} for {recording.heard.get(row)}"
            )
    return "recorded", ""


def play(folder: Path, names: list[str]) -> list[Row]:
    ways = [(client, way) for client in names for way in CLIENTS[client].ways]
    servers = {f"{number:03}": ModelServer() for number in range(len(ways))}
    ports = {row: server.server_address[1] for row, server in servers.items()}
    rows = {
        row: (*way, f"http://127.0.0.1:{port}")
        for way, (row, port) in zip(ways, ports.items(), strict=True)
    }
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "test_bots.py").write_text(
        "import pytest\n"
        + "".join(
            f'\n@pytest.mark.goals("demo", limit=1)\ndef test_{row}(dialogue):\n    assert dialogue'
            f"\n    assert len(dialogue.turns) == {TURNS}\n"
            for row in rows
        )
    )
    recording = run(folder, rows, "recording", "--todeval-record=rewrite")
    made = {row: server.requests for row, server in servers.items()}
    before = {row: server.connections for row, server in servers.items()}
    replay = run(folder, rows, "replay")
    hits = {row: server.connections - before[row] for row, server in servers.items()}
    for server in servers.values():
        server.leave()
    gone = run(folder, rows, "gone")
    found = []
    for row, (client, way, _) in rows.items():
        files = list(folder.rglob(f"test_{row}[[]*.todeval.jsonl"))
        recorded = sum(len(read_cassette(path).calls) for path in files)
        counts = made[row] or before[row], recorded, hits[row]
        end, why = verdict(row, way, recording, (replay, gone), counts, ports[row])
        passed = (replay.outcomes.get(row) == "passed", gone.outcomes.get(row) == "passed")
        found.append(Row(client, way, *counts[:2], passed, hits[row], end, why))
    return found


def print_rows(rows: list[Row]) -> None:
    print("| client | way | calls recorded | replayed, server gone | hits in replay | verdict |")
    print("| --- | --- | --- | --- | --- | --- |")
    for row in rows:
        replays = ", ".join("passed" if each else "no" for each in row.passed)
        cells = [row.client, row.way, f"{row.recorded} of {row.made}", replays, row.hits]
        print(f"| {' | '.join(map(str, cells))} | {row.verdict} |")


def print_clients(rows: list[Row]) -> None:
    print("| client | version | recorded | named | calls recorded | hits in replay |")
    print("| --- | --- | --- | --- | --- | --- |")
    for client in dict.fromkeys(row.client for row in rows):
        own = [row for row in rows if row.client == client]
        by = {
            end: ", ".join(row.way for row in own if row.verdict == end)
            for end in ("recorded", "named")
        }
        kept = [row for row in own if row.verdict != "named"]
        calls = f"{sum(row.recorded for row in kept)} of {sum(row.made for row in kept)}"
        hits = sum(row.hits for row in own)
        cells = [client, CLIENTS[client].version, by["recorded"], by["named"], calls, hits]
        print(f"| {' | '.join(map(str, cells))} |")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", nargs="*", choices=CLIENTS, default=list(CLIENTS), metavar="NAME")
    parser.add_argument("--rows", action="store_true", help="a line for each way")
    given = parser.parse_args()
    names = [name for name in given.only if CLIENTS[name].there]
    with tempfile.TemporaryDirectory() as place:
        rows = play(Path(place), names)
    (print_rows if given.rows else print_clients)(rows)
    ends = Counter(row.verdict for row in rows)
    counts = ", ".join(f"{count} {end}" for end, count in ends.items())
    made, recorded = (sum(n) for n in zip(*((r.made, r.recorded) for r in rows), strict=True))
    hits = sum(row.hits for row in rows)
    print(
        f"\n{len(names)} clients, {len(rows)} rows: {counts}; {recorded} of {made} calls recorded, "
        f"{hits} hits in replay"
    )
    for row in rows:
        if row.why:
            print(f"{row.verdict}: {row.client}, {row.way}: {row.why}")
    return int(ends["SILENT"] + ends["odd"] > 0)


if __name__ == "__main__":
    sys.exit(main())
