"""All goals of a MultiWOZ split, played by the agenda user with RuleSystem; in-process, no pytest.

    python benchmarks/multiwoz_goals.py --data ../shared/data/multiwoz --split val --json out.json

Prints how the dialogues ended; inform, success and booking over the goals that can be met; the ids
of goals that nothing satisfies and of simulator faults; turns and time.
"""

import argparse
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from pytest_todeval.backends.multiwoz import MultiwozBackend, MultiwozDatabase
from pytest_todeval.backends.satisfiable import unsatisfiable
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.evaluate.metrics.task_success import VERSION, evaluate
from pytest_todeval.goals import multiwoz
from pytest_todeval.runs.reports.results import dialogue_entry, environment, results, write_results
from pytest_todeval.simulation.agenda import AgendaUser
from pytest_todeval.simulation.loop import run_dialogue
from pytest_todeval.systems import RuleSystem
from pytest_todeval.worlds.multiwoz.world import MultiwozWorld

METRICS = ("inform", "success", "booking")


def play(goal: Goal, database: MultiwozDatabase, style: str) -> Dialogue:
    """One dialogue with its verdicts, or the goal's own fault."""
    impossible = unsatisfiable(goal, database)
    if impossible is not None:
        return Dialogue(
            goal,
            stop_reason=StopReason.ORACLE_FAULT,
            fault=Outcome.ORACLE_FAULT,
            detail=impossible,
        )
    backend = MultiwozBackend(database, goal)
    user = AgendaUser(goal, database.vocabulary(), style=style)
    dialogue = run_dialogue(goal, user, RuleSystem, backend=backend)
    return replace(dialogue, verdicts=evaluate(dialogue, backend))


def outcome(dialogue: Dialogue) -> Outcome:
    """Passed where every verdict holds."""
    if dialogue.fault is not None:
        return dialogue.fault
    return Outcome.PASSED if all(dialogue.verdicts.values()) else Outcome.FAILED


def play_some(data: Path, split: str, style: str, which: slice) -> list[Dialogue]:
    """Some dialogues of a split: what one process plays."""
    folder = multiwoz.database(data)
    assert folder is not None, f"no databases in {data}"
    database = MultiwozDatabase.load(folder)
    goals = multiwoz.load_goals(data, split)[which]
    return [play(goal, database, style) for goal in goals]


def play_all(arguments: argparse.Namespace) -> list[Dialogue]:
    """The dialogues of a split, over so many processes."""
    what: tuple[Path, str, str] = (arguments.data, arguments.split, arguments.style)
    shares = [slice(n, arguments.limit, arguments.processes) for n in range(arguments.processes)]
    if len(shares) == 1:
        return play_some(*what, shares[0])
    with ProcessPoolExecutor(len(shares)) as processes:
        futures = [processes.submit(play_some, *what, share) for share in shares]
        return [dialogue for future in futures for dialogue in future.result()]


def summary(dialogues: Sequence[Dialogue], seconds: float) -> Iterable[str]:
    """The figures, line by line."""
    played = [d for d in dialogues if d.fault is not Outcome.ORACLE_FAULT]
    turns = [len(d.turns) for d in played]
    yield f"{len(dialogues)} goals in {seconds:.1f} s"
    yield f"turns: mean {sum(turns) / max(1, len(turns)):.1f}, most {max(turns, default=0)}"
    yield f"stop reasons: {_counts(d.stop_reason for d in dialogues)}"
    yield f"outcomes: {_counts(outcome(d) for d in dialogues)}"
    for name in METRICS:
        values = [m for d in played if (m := d.verdicts[name].metric) is not None]
        rate = 100 * sum(values) / max(1, len(values))
        yield f"{name}: {sum(values)}/{len(values)} = {rate:.2f} %"
    for fault in (Outcome.ORACLE_FAULT, Outcome.SIMULATOR_FAULT, Outcome.INFRASTRUCTURE):
        for d in dialogues:
            if d.fault is fault:
                yield f"{fault}: {d.goal.id}: {d.detail}"


def _counts(names: Iterable[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in Counter(names).most_common())


def write(arguments: argparse.Namespace, dialogues: Sequence[Dialogue]) -> None:
    """The results file."""
    entries = [
        dialogue_entry(d, test=f"multiwoz_goals[{d.goal.name}]", outcome=outcome(d))
        for d in dialogues
    ]
    goal_set = MultiwozWorld().from_folder(arguments.data, arguments.split)
    settings: dict[str, Any] = {"user": "agenda", "style": arguments.style, "bot": "RuleSystem"}
    made_with = environment(
        goal_sets={f"multiwoz/{arguments.split}": goal_set.fingerprint},
        metrics=dict.fromkeys(METRICS, f"online {VERSION}"),
        settings=settings,
    )
    write_results(arguments.json, results(entries, made_with))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, required=True, help="MultiWOZ folder or zip")
    parser.add_argument("--split", default="val", choices=("train", "val", "test"))
    parser.add_argument("--limit", type=int, help="only so many goals")
    parser.add_argument("--style", default="plain", help="of the user: plain, terse or chatty")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--json", type=Path, help="where to write the results file")
    arguments = parser.parse_args()
    started = time.perf_counter()
    dialogues = play_all(arguments)
    for line in summary(dialogues, time.perf_counter() - started):
        print(line)
    if arguments.json:
        write(arguments, dialogues)


if __name__ == "__main__":
    main()
