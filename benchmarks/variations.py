"""The agenda user at each level of variation, with RuleSystem, over MultiWOZ's goals; in-process.

    python benchmarks/variations.py --data ../shared/data/multiwoz --limit 200
    python benchmarks/variations.py --data ../shared/data/multiwoz --levels hard --show failed

One line for each level: how many dialogues passed, failed, were a fault of the user or of another,
what inform, success and booking come to, and how many utterances the bot heard in other words.
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

from pytest_todeval.backends.multiwoz import MultiwozBackend, MultiwozDatabase
from pytest_todeval.backends.satisfiable import unsatisfiable
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.evaluate.judge.rule_judge import RuleJudge
from pytest_todeval.evaluate.metrics.task_success import evaluate
from pytest_todeval.goals import multiwoz
from pytest_todeval.goals.select import select
from pytest_todeval.simulation.agenda import AgendaUser
from pytest_todeval.simulation.loop import run_dialogue
from pytest_todeval.simulation.variation import LEVELS, make_variation
from pytest_todeval.systems import RuleSystem

METRICS = ("inform", "success", "booking")
COLUMNS = (Outcome.PASSED, Outcome.FAILED, Outcome.SIMULATOR_FAULT, Outcome.JUDGE_FAULT)


def play(goal: Goal, database: MultiwozDatabase, level: str) -> tuple[Dialogue, list[str]]:
    """One dialogue with its verdicts, and the rules that it breaks."""
    backend = MultiwozBackend(database, goal)
    user = AgendaUser(goal, database.vocabulary())
    variation = make_variation(level, goal) if level else None
    dialogue = run_dialogue(goal, user, RuleSystem, backend=backend, variation=variation)
    dialogue = replace(dialogue, verdicts=evaluate(dialogue, backend))
    broken = RuleJudge(backend=backend).rules(dialogue).broken
    return dialogue, sorted({result.rule for result in broken})


def outcome(dialogue: Dialogue) -> Outcome:
    """Passed if every verdict holds."""
    if dialogue.fault is not None:
        return dialogue.fault
    if any(verdict.undecided for verdict in dialogue.verdicts.values()):
        return Outcome.JUDGE_FAULT
    return Outcome.PASSED if all(dialogue.verdicts.values()) else Outcome.FAILED


def play_some(data: Path, limit: int, level: str, which: slice) -> list[tuple[Dialogue, list[str]]]:
    """Some dialogues of a level: what one process plays."""
    folder = multiwoz.database(data)
    assert folder is not None, f"no databases in {data}"
    database = MultiwozDatabase.load(folder)
    goals = (g for g in multiwoz.load_goals(data, "test") if unsatisfiable(g, database) is None)
    return [play(goal, database, level) for goal in select(list(goals), limit=limit, seed=1)[which]]


def line(level: str, dialogues: Sequence[Dialogue], broken: Counter[str]) -> str:
    """The figures of a level."""
    counts = Counter(map(outcome, dialogues))
    shown = [counts[each] for each in COLUMNS]
    rates = []
    for name in METRICS:
        values = [m for d in dialogues if (m := d.verdicts[name].metric) is not None]
        rates.append(100 * sum(values) / max(1, len(values)))
    turns = [turn for dialogue in dialogues for turn in dialogue.turns]
    varied = 100 * sum(bool(turn.meant) for turn in turns) / max(1, len(turns))
    cells = [
        f"{level or 'none':8}",
        *(f"{count:4}" for count in (*shown, len(dialogues) - sum(shown))),
        *(f"{rate:5.1f}" for rate in rates),
        f"{len(turns) / max(1, len(dialogues)):5.1f}",
        f"{varied:5.1f}",
        ", ".join(f"{rule} {count}" for rule, count in broken.most_common()) or "none",
    ]
    return "| " + " | ".join(cells) + " |"


def causes(dialogues: Sequence[Dialogue], which: str) -> Iterator[str]:
    """Each dialogue that ended so, with why."""
    for dialogue in dialogues:
        if outcome(dialogue).value == which:
            failed = [v.reason for v in dialogue.verdicts.values() if not v.metric]
            yield f"  {dialogue.goal.id}: {dialogue.detail}; {'; '.join(map(str, failed))[:300]}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, required=True, help="MultiWOZ folder or zip")
    parser.add_argument("--limit", type=int, default=200, help="goals, drawn with the seed 1")
    parser.add_argument("--levels", nargs="*", default=["", *LEVELS])
    parser.add_argument("--show", help="also say why: failed, simulator_fault, ...")
    parser.add_argument("--transcript", help="print the dialogue of this goal")
    parser.add_argument("--processes", type=int, default=2)
    arguments = parser.parse_args()
    heads = ["level", "passed", "failed", "simulator_fault", "judge_fault", "other", *METRICS]
    print("| " + " | ".join([*heads, "turns", "% varied", "rules broken"]) + " |")
    with ProcessPoolExecutor(arguments.processes) as processes:
        for level in arguments.levels:
            shares = [slice(n, None, arguments.processes) for n in range(arguments.processes)]
            futures = [
                processes.submit(play_some, arguments.data, arguments.limit, level, share)
                for share in shares
            ]
            played = [found for future in futures for found in future.result()]
            dialogues = [dialogue for dialogue, _ in played]
            print(line(level, dialogues, Counter(r for _, rules in played for r in rules)))
            for told in causes(dialogues, arguments.show or ""):
                print(told)
            for dialogue in dialogues:
                if dialogue.goal.id == arguments.transcript:
                    print(dialogue.explain())


if __name__ == "__main__":
    main()
