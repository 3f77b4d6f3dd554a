"""Correct bots with habits of their own, played over the demo goals; in-process, no pytest.

    python benchmarks/habits.py --habits all
    python benchmarks/habits.py --show asks_name --limit 10

Every bot serves its user rightly, so each dialogue that did not pass was misheard. `RuleSystem`
itself is the control.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import cache
from importlib import import_module
from itertools import repeat
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from pytest_todeval.backends.multiwoz import MultiwozBackend, MultiwozDatabase
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.evaluate.metrics.task_success import evaluate
from pytest_todeval.goals import store
from pytest_todeval.simulation.agenda import AgendaUser
from pytest_todeval.simulation.loop import run_dialogue
from pytest_todeval.systems import RuleSystem
from pytest_todeval.worlds import registry

Factory = Callable[[MultiwozBackend], Any]

HALVES = ("open", "open2", "apart", "apart2")
MODULES = {half: f"benchmarks.hearing.habits_{half}" for half in HALVES}
CONTROL = "RuleSystem"
METRICS = ("inform", "success", "booking")
COLUMNS = ("passed", "failed", "simulator_fault", "judge_fault", "other")


@cache
def factories(which: str) -> Mapping[str, Factory]:
    """The bots of one set of habits, or of all, by name; the control first."""
    chosen = tuple(MODULES) if which == "all" else (which,)
    found: dict[str, Factory] = {CONTROL: RuleSystem}
    for name in chosen:
        for habit, factory in import_module(MODULES[name]).HABITS.items():
            found[habit if habit not in found else f"{habit} ({name})"] = factory
    return found


@cache
def world() -> tuple[tuple[Goal, ...], MultiwozDatabase]:
    """The demo goals and their database."""
    demo = registry.load("demo")
    return tuple(demo.goals), MultiwozDatabase.load(store.DEMO)


def play(factory: Factory, goal: Goal, database: MultiwozDatabase) -> Dialogue:
    """One dialogue with its verdicts."""
    backend = MultiwozBackend(database, goal)
    user = AgendaUser(goal, database.vocabulary())
    dialogue = run_dialogue(goal, user, factory, backend=backend)
    return replace(dialogue, verdicts=evaluate(dialogue, backend))


def misses(dialogue: Dialogue) -> list[Verdict]:
    """The applicable verdicts that do not hold."""
    verdicts = (dialogue.verdicts.get(name) for name in METRICS)
    return [v for v in verdicts if v is not None and v.applicable and not v.passed]


def outcome(dialogue: Dialogue) -> str:
    """The column that it counts in; what hangs on a doubt is neither passed nor failed."""
    if dialogue.fault is None:
        if any(not verdict.doubt for verdict in misses(dialogue)):
            return str(Outcome.FAILED)
        doubted = any(verdict.doubt for verdict in dialogue.verdicts.values())
        return str(Outcome.JUDGE_FAULT if doubted else Outcome.PASSED)
    judged = (Outcome.SIMULATOR_FAULT, Outcome.JUDGE_FAULT)
    return str(dialogue.fault) if dialogue.fault in judged else "other"


def transcript(dialogue: Dialogue) -> Iterator[str]:
    """What was said, and why it did not pass."""
    yield f"=== {dialogue.goal.id}: {outcome(dialogue)} ({dialogue.stop_reason})"
    for part in dialogue.goal.domains:
        yield f"    {part}"
    for turn in dialogue.turns:
        yield f"  U{turn.index}: {turn.user}"
        yield f"  S{turn.index}: {turn.system}"
        for call in turn.tool_calls:
            yield f"      {call.name} {dict(call.arguments)} {call.error or ''}".rstrip()
    if dialogue.last_words:
        yield f"  U: {dialogue.last_words}"
    if dialogue.detail:
        yield f"  ended: {dialogue.detail}"
    for verdict in misses(dialogue):
        yield f"  {verdict!r}"
    for note in dialogue.notes:
        yield f"  note: {note}"


def play_habit(which: str, habit: str, limit: int | None) -> tuple[str, Counter[str], list[str]]:
    """How one habit fared, and the transcripts of the dialogues that did not pass."""
    goals, database = world()
    factory = factories(which)[habit]
    counts: Counter[str] = Counter()
    lines: list[str] = []
    for goal in goals[:limit]:
        dialogue = play(factory, goal, database)
        counts[outcome(dialogue)] += 1
        if outcome(dialogue) != Outcome.PASSED:
            lines += [*transcript(dialogue), ""]
    return habit, counts, lines


def play_all(arguments: argparse.Namespace, habits: list[str]) -> list[tuple[Any, ...]]:
    """All habits, over so many processes."""
    what = (repeat(arguments.habits), habits, repeat(arguments.limit))
    if arguments.processes == 1:
        return list(map(play_habit, *what))
    with ProcessPoolExecutor(arguments.processes) as processes:
        return list(processes.map(play_habit, *what))


def table(played: Iterable[tuple[str, Counter[str]]]) -> Iterator[str]:
    """A line for each habit, and the totals without the control."""
    played = list(played)
    width = max([len(habit) for habit, _ in played] + [8])
    yield f"{'habit':{width}} " + " ".join(f"{column:>15}" for column in COLUMNS)
    total: Counter[str] = Counter()
    for habit, counts in played:
        yield f"{habit:{width}} " + " ".join(f"{counts[column]:>15}" for column in COLUMNS)
        total += counts if habit != CONTROL else Counter()
    yield f"{'total':{width}} " + " ".join(f"{total[column]:>15}" for column in COLUMNS)
    whole = max(1, total.total())
    rates = (f"{100 * total[column] / whole:.2f} %" for column in COLUMNS)
    yield f"{'':{width}} " + " ".join(f"{rate:>15}" for rate in rates)
    sound = sum(counts["passed"] == counts.total() for habit, counts in played if habit != CONTROL)
    habits = sum(habit != CONTROL for habit, _ in played)
    yield f"{habits} habits, {total.total()} dialogues (without the control); all passed: {sound}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--habits", default="open", choices=(*MODULES, "all"))
    parser.add_argument("--show", metavar="HABIT", help="the dialogues of one that did not pass")
    parser.add_argument("--limit", type=int, help="only so many goals")
    parser.add_argument("--processes", type=int, default=2)
    arguments = parser.parse_args()
    known = list(factories(arguments.habits))
    if arguments.show is not None and arguments.show not in known:
        parser.error(f"no habit {arguments.show!r}; there are: {', '.join(known)}")
    started = time.perf_counter()
    results = play_all(arguments, [arguments.show] if arguments.show else known)
    if arguments.show:
        print("\n".join(line for _, _, lines in results for line in lines))
    print("\n".join(table((habit, counts) for habit, counts, _ in results)))
    print(f"{time.perf_counter() - started:.1f} s")


if __name__ == "__main__":
    main()
