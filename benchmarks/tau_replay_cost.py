"""What replayed dialogues over tau-bench's airline cost: wall and CPU, serial and with two workers.

    python benchmarks/tau_replay_cost.py TAU_BENCH [--rounds 3] [--keep DIR]

TAU_BENCH is a checkout with its `historical_trajectories`: 50 tasks, 4 trials each, by gpt-4o. What
its models said there is served by a stand-in server while the dialogues are recorded; then they are
replayed, offline. The best of the rounds is printed, with what the same command takes that only
collects, and how many of the rewards are the stored ones.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pytest_todeval.testing import Answer, ChatRequest, StandInServer

STORED = "historical_trajectories/gpt-4o-airline.json"
TRIALS = 4
CONFTEST = """
import pytest

from pytest_todeval import ChatSystem, LLMUser, ModelSettings

BASE = "{base}"


def model(request, side):
    place, _, trial = request.node.callspec.id.rpartition("-")[2].partition("#")
    return ModelSettings(f"{{side}}.{{place}}.{{trial or 0}}", BASE, retries=0)


@pytest.fixture
def tod_system(request):
    return ChatSystem(model(request, "bot"))


@pytest.fixture
def user_simulator(request, goal):
    return LLMUser(goal, model(request, "user"), "llm")
"""
SUITE = """
import pytest


@pytest.mark.tau_bench("airline")
def test_serves(dialogue):
    assert dialogue.reward.value is not None
"""


class Stored:
    """The stored dialogues, as the answers of the models that played them."""

    def __init__(self, file: Path) -> None:
        self.rewards: dict[tuple[int, int], float] = {}
        self.answers: dict[str, Sequence[Answer]] = {}
        trials: dict[int, int] = defaultdict(int)
        for run in json.loads(file.read_text(encoding="utf-8")):
            task, trial = run["task_id"], trials[run["task_id"]]
            trials[task] += 1
            self.rewards[task, trial] = run["reward"]
            for side, role in (("bot", "assistant"), ("user", "user")):
                said = [_answer(message) for message in run["traj"] if message["role"] == role]
                self.answers[f"{side}.{task}.{trial}"] = said

    def answer(self, request: ChatRequest) -> Answer:
        """By the model's name, and how much it has said already."""
        before = sum(message["role"] == "assistant" for message in request.messages)
        return self.answers[request.model][before]


def _answer(message: Mapping[str, Any]) -> Answer:
    calls = [call["function"] for call in message.get("tool_calls") or ()]
    made = [(call["name"], call["arguments"]) for call in calls]
    return Answer(message.get("content"), tool_calls=made)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--keep", type=Path, help="a folder for the suite and its cassettes")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = args.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        stored = Stored(args.checkout / STORED)
        command = _command(args.checkout)
        if not (folder / "cassettes").exists():
            record(folder, command, stored)
        print(f"{'':<24}{'wall s':>8}{'CPU s':>8}")
        for name, options in (
            ("collected, serial", ["--collect-only"]),
            ("collected, -n 2", ["--collect-only", "-n", "2"]),
            ("replayed, serial", []),
            ("replayed, -n 2", ["-n", "2"]),
        ):
            rounds = [run(folder, [*command, *options]) for _ in range(args.rounds)]
            wall, cpu = min(rounds), min(cpu for _, cpu in rounds)
            print(f"{name:<24}{wall[0]:>8.2f}{cpu:>8.2f}", flush=True)
        equal, total = rewards(folder, command, stored)
        print(f"{equal} of {total} rewards are the stored ones")


def _command(checkout: Path) -> list[str]:
    plugins = ["-p", "no:cacheprovider", "-p", "no:randomly"]
    options = [f"--todeval-tau-home={checkout.resolve()}", f"--todeval-trials={TRIALS}"]
    return [sys.executable, "-m", "pytest", "-q", *plugins, *options]


def record(folder: Path, command: Sequence[str], stored: Stored) -> None:
    """Write the suite, and play it against what the models said."""
    with StandInServer(stored.answer) as server:
        (folder / "conftest.py").write_text(CONFTEST.format(base=server.base_url))
        (folder / "test_airline.py").write_text(SUITE)
        (folder / "pytest.ini").write_text("[pytest]\n")
        run(folder, [*command, "--todeval-record=missing"])
        for failure in server.failures[:3]:
            print(f"not served: {failure!r}", file=sys.stderr)


def run(folder: Path, command: Sequence[str]) -> tuple[float, float]:
    """Seconds of wall and of CPU, the workers' included."""
    before, start = _cpu(), time.perf_counter()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    took = time.perf_counter() - start
    if done.returncode not in (0, 1):
        raise SystemExit(done.stdout[-3000:] + done.stderr[-3000:])
    return took, _cpu() - before


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def rewards(folder: Path, command: Sequence[str], stored: Stored) -> tuple[int, int]:
    """How many of the replayed rewards are as stored, of how many."""
    file = folder / "results.json"
    run(folder, [*command, f"--todeval-json={file}"])
    found = json.loads(file.read_text(encoding="utf-8"))["dialogues"]
    equal = sum(
        entry["metrics"]["reward"] == stored.rewards[_place(entry["goal"]), entry["trial"]]
        for entry in found
    )
    return equal, len(found)


def _place(goal: str) -> int:
    return int(goal.rpartition("-")[2])


if __name__ == "__main__":
    main()
