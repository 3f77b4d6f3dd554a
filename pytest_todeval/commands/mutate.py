"""Run a suite against its own bot with faults put into it, one at a time, and say which it sees.

Runs `pytest ARGUMENTS` once as it is, then once for each mutant. What follows `mutate` and is no
option of it goes to pytest: `todeval mutate tests/test_bookings.py -k hotel`.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_todeval.commands.output import say, write_json
from pytest_todeval.errors import UsageError
from pytest_todeval.play.settings import MUTANT, MUTATED
from pytest_todeval.simulation.mutants import MUTANTS, Mutant, named

if TYPE_CHECKING:
    from pytest_todeval.runs.reports.schema import DialogueEntry

SCHEMA = 1
READY = ("success", "booking", "refusal", "reward", "inform", "satisfied")
"""Verdicts that a test can assert, the most telling first."""
MOST_JUDGED = 20
"""Changed dialogues of a survivor that are looked at for what would have caught it."""
Entries = dict[str, "DialogueEntry"]


@dataclass
class MutantOutcome:
    """What became of one mutant."""

    mutant: Mutant
    changed: list[str] = field(default_factory=list)
    """The tests whose dialogues it changed."""
    killed_by: list[str] = field(default_factory=list)
    stale: int = 0
    """Dialogues that could not be replayed: the bot called otherwise than recorded."""
    advice: str = ""

    @property
    def state(self) -> str:
        if self.killed_by:
            return (
                f"killed in {len(self.killed_by)} of {len(self.changed)} dialogues that it changed"
            )
        if self.changed:
            return f"SURVIVED in {len(self.changed)} dialogues that it changed"
        if self.stale:
            return f"cannot be replayed: {self.stale} dialogues call otherwise than was recorded"
        return "never showed: nothing of the kind comes up, or not through `backend.call`"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options; what else is given goes to pytest."""
    names = ", ".join(mutant.name for mutant in MUTANTS)
    parser.add_argument("--only", metavar="M,M", help=f"these mutants alone: {names}")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write what was found")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGUMENTS")


def run(arguments: argparse.Namespace) -> int:
    """Does so; 1 if a mutant survived. Raises UsageError if the suite fails without one."""
    asked = MUTANTS if arguments.only is None else [named(n) for n in arguments.only.split(",")]
    with tempfile.TemporaryDirectory(prefix="todeval") as folder:
        base = _suite(arguments.arguments, "", Path(folder) / "base.json")
        right = {key: entry for key, entry in base.items() if entry["outcome"] == "passed"}
        if not right:
            raise UsageError(
                "mutate: no dialogue of the suite passes without a fault: mend it first"
            )
        say([f"{len(right)} dialogues pass without a fault"])
        found = []
        for mutant in asked:
            played = _suite(arguments.arguments, mutant.name, Path(folder) / f"{mutant.name}.json")
            found.append(_outcome(mutant, right, played))
            say(_lines(found[-1]))
    shown = [each for each in found if each.changed]
    killed = sum(bool(each.killed_by) for each in shown)
    say([f"{killed} of {len(shown)} mutants that showed are killed"])
    if arguments.json:
        told = [
            {"mutant": e.mutant.name, "changed": e.changed, "killed_by": e.killed_by}
            | {"stale": e.stale, "advice": e.advice}
            for e in found
        ]
        write_json("--json", arguments.json, {"schema": SCHEMA, "mutants": told})
    return int(killed < len(shown))


def _suite(arguments: Sequence[str], mutant: str, out: Path) -> Entries:
    """The dialogues of a run, by test. Raises UsageError if pytest did not get to run it."""
    command = [sys.executable, "-m", "pytest", *arguments, "-q", "-p", "no:cacheprovider"]
    command += [f"--todeval-json={out}"]
    env = {**os.environ, MUTANT: mutant}
    done = subprocess.run(command, capture_output=True, text=True, env=env, check=False)
    if not out.exists() or done.returncode not in (0, 1):
        told = "\n".join((done.stdout + done.stderr).splitlines()[-15:])
        raise UsageError(f"mutate: pytest did not run the suite:\n{told}")
    from pytest_todeval.runs.reports.results_file import read_results

    return {f"{each['test']} #{each['trial']}": each for each in read_results(out)["dialogues"]}


def _outcome(mutant: Mutant, right: Entries, played: Entries) -> MutantOutcome:
    found = MutantOutcome(mutant)
    for key, entry in played.items():
        if key not in right:
            continue
        found.stale += entry["outcome"] == "stale_cassette"
        if any(note.startswith(MUTATED) for note in entry.get("notes", ())):
            found.changed.append(key)
            if entry["outcome"] == "failed":
                found.killed_by.append(key)
    if found.changed and not found.killed_by:
        changed = [(right[key], played[key]) for key in found.changed[:MOST_JUDGED]]
        found.advice = next(_advice(changed), "no ready assertion sees it: write one of your own")
    return found


def _advice(changed: Sequence[tuple[Any, Any]]) -> Iterator[str]:
    """Returns what would have caught it: a verdict or a rule that held before."""
    for name in READY:
        if any(
            old["metrics"].get(name) and new["metrics"].get(name) is False for old, new in changed
        ):
            yield f"assert dialogue.{name}"
    from pytest_todeval.evaluate.judge.rule_judge import RuleJudge
    from pytest_todeval.runs.reports.stored import dialogue_of

    judge = RuleJudge()
    for old, new in changed:
        broken = _broken(judge, dialogue_of(new)) - _broken(judge, dialogue_of(old))
        if broken:
            yield f"assert judge.rules(dialogue): rule {sorted(broken)[0]}"


def _broken(judge: Any, dialogue: Any) -> set[str]:
    return {each.rule for each in judge.rules(dialogue).results if each.value == 0}


def _lines(found: MutantOutcome) -> Iterator[str]:
    yield f"{found.mutant.name:15} {found.mutant.says}: {found.state}"
    if found.advice:
        yield f"{'':15} would be caught by: {found.advice}"
