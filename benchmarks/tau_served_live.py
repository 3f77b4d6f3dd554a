"""tau-bench's stored trajectories served live: are the rewards those that are stored with them?

    python benchmarks/tau_served_live.py TAU_BENCH [--file F] [--domain D] [--first N] [--tasks N]
        [--keep DIR]

TAU_BENCH is a checkout; F defaults to its `historical_trajectories/gpt-4o-airline.json`. A server
on this machine answers as both models did: what the stored assistant said or called, and what the
stored user said. pytest plays every task and trial against it with `ChatSystem` and tau-bench's own
user (`--todeval-upstream=counted`) and records; then it replays from the cassettes without a
server; then once more with the rewards computed by tau-bench's own code (`scored`).

Printed are the rewards that are equal at each step, those that are not, with why, and whether what
our side sends the bot's model is what was sent then: the words of both, and the tools' results
(which are those of today's tables: tau-bench has renamed a field since).
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pytest_todeval.testing import Answer, ChatRequest, StandInServer, Status
from pytest_todeval.worlds.registry import load

STORED = Path("historical_trajectories/gpt-4o-airline.json")
CONFTEST = """
import pytest
from pytest_todeval import ChatSystem


@pytest.fixture(scope="session")
def tod_system():
    return ChatSystem("gpt-4o")
"""
SUITE = """
import pytest


@pytest.mark.tau_bench({domain!r}, tasks={tasks})
def test_serves(dialogue):
    assert dialogue.reward
"""

Message = Mapping[str, Any]
Key = tuple[int, int]
"""Task and trial."""


class StoredModels:
    """The models of bot and user, one trajectory after another: a run must be serial."""

    def __init__(self, stored: Sequence[Mapping[str, Any]], instructions: Sequence[str]) -> None:
        self._trials: dict[int, list[Mapping[str, Any]]] = defaultdict(list)
        for each in sorted(stored, key=lambda each: each["trial"]):
            self._trials[each["task_id"]].append(each)
        self._instructions = instructions
        self._played: Counter[int] = Counter()
        self._key: Key = (0, 0)
        self._messages: list[Message] = []
        self._next, self._seen = {"assistant": 0, "user": 0}, 0
        self.words: dict[Key, str] = {}
        """Where the words of user and bot, or the number of messages, are not the stored ones: the
        first place in each trajectory."""
        self.results: Counter[str] = Counter()
        """Results of tools that are not the stored ones, by what is written otherwise."""
        self._lock = threading.Lock()

    def answer(self, request: ChatRequest) -> Answer:
        with self._lock:
            side = "assistant" if request.tools else "user"
            if side == "user" and len(request.messages) == 2:
                self._begin(request.messages[0]["content"])
            return self._answer(side, request)

    def _begin(self, prompt: str) -> None:
        """The next trial of the task whose instruction is in the user's prompt."""
        (task,) = {n for n, told in enumerate(self._instructions) if f"{told}\n" in prompt}
        trajectory = self._trials[task][self._played[task] % len(self._trials[task])]
        self._played[task] += 1
        self._key = task, trajectory["trial"]
        self._messages = [m for m in trajectory["traj"] if m["role"] != "system"]
        self._next, self._seen = {"assistant": 0, "user": 0}, 0

    def _answer(self, side: str, request: ChatRequest) -> Answer:
        places = [n for n, message in enumerate(self._messages) if message["role"] == side]
        if self._next[side] >= len(places):
            self.words.setdefault(self._key, f"the {side} is asked more than is stored")
            return Answer(error=Status(400))
        place = places[self._next[side]]
        self._next[side] += 1
        if side == "assistant":
            self._compare(place, request.messages[1:])
        message = self._messages[place]
        calls = [call["function"] for call in message.get("tool_calls") or ()]
        made = [(call["name"], json.loads(call["arguments"])) for call in calls]
        return Answer(message["content"], tool_calls=made)

    def _compare(self, place: int, sent: Sequence[Message]) -> None:
        stored = self._messages[:place]
        if len(sent) != len(stored):
            self.words.setdefault(self._key, f"sent {len(sent)} messages, stored {len(stored)}")
        for wanted, got in list(zip(stored, sent, strict=False))[self._seen :]:
            one, other = wanted["content"] or "", got["content"] or ""
            if wanted["role"] != got["role"] or (one != other and got["role"] != "tool"):
                told = f"sent {got['role']} {other!r:.300}, stored {wanted['role']} {one!r:.300}"
                self.words.setdefault(self._key, told)
            elif one != other:
                self.results[otherwise(one, other)] += 1
        self._seen = place


def otherwise(one: str, other: str) -> str:
    """What two texts write otherwise, in words of letters; what only one of them holds."""
    words = [Counter(re.findall(r"[A-Za-z_]+", text)) for text in (one, other)]
    less, more = words[0] - words[1], words[1] - words[0]
    return f"{' '.join(sorted(less)):.60} -> {' '.join(sorted(more)):.60}"


def main() -> None:
    """Print what is equal."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--file", type=Path, help="trajectories as tau-bench stores them")
    parser.add_argument("--domain", default="airline")
    parser.add_argument("--first", type=int, default=0, help="the first task")
    parser.add_argument("--tasks", type=int, default=1000, help="only N tasks")
    parser.add_argument("--keep", type=Path, help="a folder for suite, cassettes and results")
    args = parser.parse_args()
    home = args.checkout.resolve()
    stored = json.loads((args.file or home / STORED).read_bytes())
    goals = load(f"tau_bench/{args.domain}", settings={"tau-home": home}).goals
    tasks = range(len(goals))[args.first : args.first + args.tasks]
    stored = [each for each in stored if each["task_id"] in tasks]
    with tempfile.TemporaryDirectory() as temporary:
        folder = args.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "conftest.py").write_text(CONFTEST)
        (folder / "pytest.ini").write_text("[pytest]\n")
        suite = SUITE.format(domain=args.domain, tasks=list(tasks))
        (folder / "test_served.py").write_text(suite)
        report(folder, home, stored, [str(goal.raw["instruction"]) for goal in goals])


def report(
    folder: Path, home: Path, stored: Sequence[Mapping[str, Any]], instructions: Sequence[str]
) -> None:
    """Play, replay and score, and print each step beside what is stored."""
    rewards = {(each["task_id"], each["trial"]): float(each["reward"]) for each in stored}
    trials = len({trial for _, trial in rewards})
    models = StoredModels(stored, instructions)
    print(f"{len(rewards)} stored trajectories of {len({task for task, _ in rewards})} tasks")
    with StandInServer(models.answer) as server:
        url = server.base_url
        live = run(folder, home, url, trials, "live", ["--todeval-record=missing"])
        print(f"served live: {len(server.requests)} requests")
        for failure in server.failures[:3]:
            print(f"  the server failed: {failure!r}")
    tell("served live", live, rewards)
    print(f"words sent that are not the stored ones: in {len(models.words)} trajectories")
    for key, why in sorted(models.words.items()):
        print(f"  task {key[0]}, trial {key[1]}: {why}")
    print(f"results of tools that are not the stored ones: {models.results.total()}")
    for what, count in models.results.most_common(10):
        print(f"  {count} x {what}")
    replayed = run(folder, home, url, trials, "replayed", [])
    tell("replayed from cassettes", replayed, rewards)
    same = sum(replayed[key] == found for key, found in live.items() if key in replayed)
    print(f"live and replayed: {same} of {len(live)} equal, in reward and outcome")
    scored = run(folder, home, url, trials, "scored", ["--todeval-upstream=scored"])
    tell("scored by tau-bench's own code", scored, rewards)


def run(
    folder: Path, home: Path, url: str, trials: int, name: str, more: Sequence[str]
) -> dict[Key, tuple[float | None, str, str]]:
    """A run of pytest: reward, outcome and what it says of the end, by task and trial."""
    results = folder / f"{name}.json"
    options = [
        f"--todeval-tau-home={home}",
        "--todeval-upstream=counted",
        "--todeval-model=user:gpt-4o,system:gpt-4o",
        f"--todeval-base-url={url}",
        f"--todeval-trials={trials}",
        f"--todeval-json={results}",
    ]
    started = time.perf_counter()
    command = [sys.executable, "-m", "pytest", "-q", "--no-header", "--tb=no", *options, *more]
    done = subprocess.run(
        [*command, "-p", "no:cacheprovider"],
        cwd=folder,
        env={**os.environ, "OPENAI_API_KEY": "none"},
        capture_output=True,
        text=True,
        check=False,
    )
    seconds = time.perf_counter() - started
    if not results.exists():
        raise SystemExit(done.stdout[-3000:] + done.stderr[-3000:])
    entries = json.loads(results.read_bytes())["dialogues"]
    print(f"{name}: {len(entries)} dialogues in {seconds:.1f} s")
    return {
        (int(entry["goal"].rpartition("-")[2]), entry["trial"]): (
            entry["metrics"]["reward"],
            entry["outcome"],
            f"{entry['stop_reason']}: {entry['detail']}"[:300],
        )
        for entry in entries
    }


def tell(
    step: str, found: Mapping[Key, tuple[float | None, str, str]], wanted: Mapping[Key, float]
) -> None:
    """How many rewards are equal to the stored ones, and which are not."""
    equal = [key for key, reward in wanted.items() if key in found and found[key][0] == reward]
    print(f"{step}: {len(equal)} of {len(wanted)} rewards equal to the stored ones")
    for key in sorted(wanted.keys() - set(equal)):
        got = found.get(key, (None, "not played", ""))
        print(f"  task {key[0]}, trial {key[1]}: stored {wanted[key]}, {got[0]} {got[1]}: {got[2]}")


if __name__ == "__main__":
    main()
