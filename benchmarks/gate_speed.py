"""How long `todeval` takes over many goals and runs: whole commands, user CPU and wall seconds.

    python benchmarks/gate_speed.py [--goals 1000] [--runs 500]

Two results files are compared, each of the reference bot's dialogues over the demo goals under as
many names, and a history of runs is listed. The files are made first, in a temporary folder.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pytest_todeval.backends.multiwoz import MultiwozBackend, MultiwozDatabase
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.evaluate.judge.rule_judge import RuleJudge
from pytest_todeval.evaluate.metrics.task_success import evaluate
from pytest_todeval.goals import store
from pytest_todeval.runs.reports.history.store import keep_run
from pytest_todeval.runs.reports.results import dialogue_entry, environment, results, write_results
from pytest_todeval.runs.reports.schema import DialogueEntry, Results
from pytest_todeval.simulation.agenda import AgendaUser
from pytest_todeval.simulation.loop import run_dialogue
from pytest_todeval.systems import RuleSystem
from pytest_todeval.worlds import registry


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--goals", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=500)
    options = parser.parse_args()
    played = _played()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, rate in (("before", 0.9), ("now", 0.8)):
            write_results(folder / f"{file}.json", _run(played, options.goals, rate))
        for number in range(options.runs):
            keep_run(
                folder / "history.sqlite",
                _run(played, 20, random.Random(number).uniform(0.7, 0.9)),
                at=f"2026-01-01T{number // 3600:02}:{number // 60 % 60:02}:{number % 60:02}",
                branch="main",
                version=f"v{number}",
            )
        size = (folder / "now.json").stat().st_size / 1e6
        print(f"a results file of {options.goals} goals: {size:.1f} MB")
        _time("todeval --help", folder)
        _time("todeval compare before.json now.json", folder)
        _time("todeval gate now.json", folder, "passed >= 0.85")
        _time("todeval history show history.sqlite", folder)


def _played() -> list[DialogueEntry]:
    """The demo goals, judged by rule: what a results file has of them."""
    database = MultiwozDatabase.load(store.DEMO)
    return [_entry(goal, database) for goal in registry.load("demo").goals]


def _entry(goal: Goal, database: MultiwozDatabase) -> DialogueEntry:
    backend = MultiwozBackend(database, goal)
    dialogue = run_dialogue(goal, AgendaUser(goal, database.vocabulary()), RuleSystem, backend)
    scores = RuleJudge(backend=backend).turns(dialogue).scores
    return dialogue_entry(
        dialogue,
        test="t",
        outcome=Outcome.PASSED,
        metrics=evaluate(dialogue, backend),
        scores=dict(scores),
        bot="RuleSystem",
    )


def _run(played: list[DialogueEntry], goals: int, rate: float) -> Results:
    draw = random.Random(rate)
    entries: list[DialogueEntry] = []
    for number in range(goals):
        outcome = Outcome.PASSED if draw.random() < rate else Outcome.FAILED
        named = {"test": f"t[{number}]", "goal": f"demo/G{number}", "outcome": outcome.value}
        entries.append({**played[number % len(played)], **named})  # type: ignore[typeddict-item]
    return results(entries, environment())


def _time(command: str, folder: Path, *more: str) -> None:
    name, *arguments = command.split()
    started = time.perf_counter()
    process = subprocess.Popen(
        [Path(sys.executable).with_name(name), *arguments, *more],
        cwd=folder,
        stdout=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - started
    shown = f"{command} {' '.join(map(repr, more))}".strip()
    print(f"{shown}: {used.ru_utime:.2f} s of CPU, {wall:.2f} s, exit code {process.returncode}")


if __name__ == "__main__":
    main()
