"""Whether runs with many dialogues at once give what one at a time gives: byte for byte but times.

    python benchmarks/same_at_once.py [--runs 200] [--seed 1]

A suite of 12 dialogues with a judge is recorded one dialogue at a time, then `--runs` times with 1,
8 or 40 at once, in one process or two. The model answers each call after a random time; what it
answers depends on the call alone: some answers are empty, no JSON, or refused. A third of the runs
are killed at a random moment and begun again. Compared are the exit code, the results file but for
times, all cassettes, and the order in which tests are reported; and no call may be made twice, but
for those under way when a run was killed. Differences are printed, and the status is then 1.
"""

import argparse
import asyncio
import hashlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from many_at_once import filled

CONFTEST = """
import pytest
from pytest_todeval import ModelSettings
from pytest_todeval.systems import ChatSystem

@pytest.fixture(scope="session")
def tod_system():
    return lambda: ChatSystem("bot", instructions="You book hotels.")
"""
SUITE = """
import pytest

@pytest.mark.goals("demo", limit=12)
@pytest.mark.todeval(max_turns=3, unserved="allowed", judge="fused")
def test_asks(dialogue, judge):
    assert judge.turns(dialogue).policy_compliance >= 4
    assert judge.quality(dialogue).empathy >= 1
"""
TIMES = re.compile(
    r'"(latency_s|seconds|started|ended|duration_s|first_byte_s)": (?:[0-9.e-]+|null)'
)
REPORTED = re.compile(r"^test_same\.py::\S+ (?:PASSED|FAILED|ERROR|SKIPPED)", re.M)
LONGEST = 0.06
"""Seconds in which the model answers, at most."""


class Outcome(NamedTuple):
    """What is compared."""

    code: int
    order: Sequence[str]
    dialogues: str
    cassettes: dict[str, bytes]


async def serve(longest: float) -> None:
    """Answer chat completions, at random times; the first line printed is the port."""
    from aiohttp import web

    hits = Counter[str]()

    async def complete(request: web.Request) -> web.Response:
        body = await request.read()
        digest = hashlib.sha256(body).hexdigest()
        hits[digest] += 1
        await asyncio.sleep(random.random() * longest)
        asked = json.loads(body)
        draw = int(digest[:4], 16) % 100
        if draw == 0:
            return web.json_response({"error": {"message": "no such thing"}}, status=400)
        head = {"id": "c", "object": "chat.completion", "created": 1, "model": asked["model"]}
        message = {"role": "assistant", "content": answer(asked, draw)}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
        return web.json_response({**head, "choices": [choice], "usage": usage})

    async def counted(_: web.Request) -> web.Response:
        made = dict(hits)
        hits.clear()
        return web.json_response(made)

    app = web.Application()
    app.add_routes([web.post("/v1/chat/completions", complete), web.get("/hits", counted)])
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, backlog=1000).start()
    print(runner.addresses[0][1], flush=True)
    await asyncio.Event().wait()


def answer(asked: dict[str, Any], draw: int) -> str:
    """What the model says: at some draws nothing, or what a judge's answer must not be."""
    form = asked.get("response_format", {}).get("json_schema", {}).get("schema")
    if form is None:
        return "" if draw == 1 else f"Which day would suit you? {draw}"
    return "I would say four." if draw == 1 else json.dumps(filled(form))


def run(folder: Path, url: str, at_once: int, workers: int, kill_after: float | None) -> int | None:
    """The exit code of a run; None if it was killed."""
    options = [f"--todeval-concurrency={at_once}", f"-n{workers}" if workers else "-pno:xdist"]
    options += ["--todeval-model=m", f"--todeval-base-url={url}/v1", "--todeval-json=r.json"]
    command = [
        *options,
        "--todeval-user=agenda",
        "--todeval-record=missing",
        "-v",
        "-p",
        "no:cacheprovider",
    ]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1767225600", "OPENAI_API_KEY": "none"}
    with open(folder / "out.txt", "w") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "pytest", *command],
            cwd=folder,
            env=environment,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            return process.wait(kill_after)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return None


def outcome(folder: Path, code: int, workers: int) -> Outcome:
    """What a run left."""
    said = (folder / "out.txt").read_text()
    results = json.loads(TIMES.sub(r'"\1": 0', (folder / "r.json").read_text()))
    kept = {path.name: path.read_bytes() for path in folder.glob("cassettes/**/*.jsonl")}
    order = () if workers else tuple(REPORTED.findall(said))
    return Outcome(code, order, json.dumps(results["dialogues"], indent=1), kept)


def differences(one: Outcome, other: Outcome) -> list[str]:
    """What two outcomes do not have in common."""
    told = [] if one.code == other.code else [f"exit code {other.code}, not {one.code}"]
    if one.order and other.order and one.order != other.order:
        told.append("another order of tests")
    pairs = zip(one.dialogues.splitlines(), other.dialogues.splitlines(), strict=False)
    if one.dialogues != other.dialogues:
        told.append("results: " + next((f"{a} / {b}" for a, b in pairs if a != b), "longer"))
    names = sorted({*one.cassettes, *other.cassettes})
    bad = [name for name in names if one.cassettes.get(name) != other.cassettes.get(name)]
    return [*told, *(f"cassette {name}" for name in bad)]


def compare(url: str, runs: int, seed: int, folder: Path) -> int:
    """How many runs differ from one at a time."""
    drawn, wrong, killed = random.Random(seed), 0, 0

    def fresh() -> None:
        shutil.rmtree(folder / "cassettes", ignore_errors=True)
        for leftover in folder.glob(".todeval*"):
            shutil.rmtree(leftover, ignore_errors=True)

    def made() -> Counter[str]:
        with urllib.request.urlopen(f"{url}/hits") as said:
            return Counter(json.load(said))

    began = time.monotonic()
    code = run(folder, url, 1, 0, None)
    lasts, calls = time.monotonic() - began, made()
    assert code is not None
    serial = outcome(folder, code, 0)
    print(f"one at a time: exit code {code}, {sum(calls.values())} calls", flush=True)
    for number in range(1, runs + 1):
        at_once, workers = drawn.choice((1, 8, 40)), drawn.choice((0, 0, 2))
        fresh()
        found = None
        if number % 3 == 0:
            found = run(folder, url, at_once, workers, lasts * drawn.uniform(0.2, 1.0))
            killed += found is None
        ended = found is None and number % 3 == 0
        if found is None:
            found = run(folder, url, at_once, workers, None)
        assert found is not None
        told = differences(serial, outcome(folder, found, workers))
        twice = sum((made() - calls).values())
        if twice > (at_once * max(1, workers) if ended else 0):
            told.append(f"{twice} calls more than one at a time")
        wrong += bool(told)
        what = f"{at_once} at once, -n{workers}" + (", killed" if ended else "")
        print(f"{number} ({what}): {'; '.join(told) or 'the same'}", flush=True)
    print(f"{wrong} of {runs} runs differ; {killed} were killed and begun again")
    return wrong


def main() -> None:
    """Run all, and leave with 1 if any differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve:
        asyncio.run(serve(LONGEST))
        return
    own = [sys.executable, __file__, "--serve"]
    serving = subprocess.Popen(  # whose clients are killed
        own, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert serving.stdout is not None
    url = f"http://127.0.0.1:{serving.stdout.readline().strip()}"
    try:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "conftest.py").write_text(CONFTEST)
            (folder / "test_same.py").write_text(SUITE)
            wrong = compare(url, args.runs, args.seed, folder)
    finally:
        serving.terminate()
        serving.wait()
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
