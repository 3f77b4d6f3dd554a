"""Write a run in the format of another project's results, for that project's own tools."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pytest_todeval.commands.output import check_output, say, write_json
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.errors import DataMissing, InvalidFile, UsageError
from pytest_todeval.runs.reports.results import read_results
from pytest_todeval.runs.reports.schema import DialogueEntry, Results
from pytest_todeval.runs.reports.stored import dialogue_of
from pytest_todeval.worlds.goal_set import GoalSet
from pytest_todeval.worlds.registry import load
from pytest_todeval.worlds.tau2 import simulation as tau2_runs
from pytest_todeval.worlds.tau2.world import Tau2World
from pytest_todeval.worlds.tau_bench.trajectory import trajectory

FORMATS = ("tau-bench", "tau2")
BENCHMARKS = ("tau_bench", "tau2")
"""Whose goals are read again: what they hold does not stand in a results file."""
COUNTED = (Outcome.PASSED, Outcome.FAILED)
MAX_ERRORS = 10
"""Failed calls at which tau2 ends a dialogue."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `todeval export`."""
    parser.add_argument("file", type=Path, metavar="RESULTS", help="a results file")
    parser.add_argument(
        "--format",
        required=True,
        choices=FORMATS,
        help="tau-bench: a list of trajectories, as its `run.py` writes them; tau2: simulations, "
        "as `tau2 run` writes them",
    )
    parser.add_argument(
        "-o", "--output", required=True, type=Path, metavar="OUT", help="the file to write"
    )
    for project in ("tau-bench", "tau2-bench"):
        option = f"--{project.removesuffix('-bench')}-home"
        parser.add_argument(
            option, type=Path, metavar="DIR", help=f"your checkout of {project}, for its tasks"
        )


def run(args: argparse.Namespace) -> int:
    """Writes the file and say what is in it.

    Raises UsageError if the run cannot be told in the format, InvalidFile if the file of results
    is misshapen, DataMissing if tasks of a benchmark are needed that are not there.
    """
    check_output("-o", args.output, [args.file])
    results = read_results(args.file)
    if results["dialogues"] and not any(entry["turns"] for entry in results["dialogues"]):
        raise UsageError(
            f"{args.file} holds no words: a baseline keeps none. Export the results file of the run"
        )
    homes = {"tau-home": args.tau_home, "tau2-home": args.tau2_home}
    runs = exported_runs(results, homes)
    exported = as_tau2(runs, results) if args.format == "tau2" else as_tau_bench(runs)
    write_json("-o", args.output, exported)
    left = sum(run.reward is None for run in runs)
    told = {
        "tau-bench": "are written as runs that broke, which tau-bench counts as reward 0",
        "tau2": "are written as errors of the infrastructure, which tau2 leaves out",
    }
    say([f"{len(runs)} dialogues of {len({r.goal.name for r in runs})} tasks"])
    say([f"{left} that say nothing of the bot {told[args.format]}"] if left else [])
    say([f"{args.format}: {args.output}"])
    return 0


@dataclass(frozen=True)
class ExportedRun:
    """One dialogue, and what it is worth."""

    dialogue: Dialogue
    reward: float | None
    """As the file has it, else 1 if its test passed; None if it says nothing of the bot."""
    task: int
    """The place of its task: that in the split, of tau-bench's, else that in the file."""
    goal_set: GoalSet | None
    """That of its goal, if it is a benchmark's."""

    @property
    def goal(self) -> Goal:
        return self.dialogue.goal


def exported_runs(
    results: Results, homes: Mapping[str, str | Path | None]
) -> tuple[ExportedRun, ...]:
    """Returns the dialogues of a file, with their goals as their benchmark has them.

    `homes` are folders of checkouts, by option. Raises UsageError for several goal sets, and for
    two dialogues of one goal and trial; InvalidFile, DataMissing.
    """
    entries = results["dialogues"]
    sources = sorted({entry["goal"].rpartition("/")[0] for entry in entries})
    if len(sources) != 1:
        told = ", ".join(sources) or "no dialogue"
        raise UsageError(
            f"the file holds {told}; expected dialogues of one goal set, as the benchmarks' files "
            "have them: run the tests of one goal set alone"
        )
    _refuse_twice(entries)
    known = _goals(sources[0], results, homes)
    places = {name: place for place, name in enumerate(dict.fromkeys(e["goal"] for e in entries))}
    return tuple(_run(entry, places, known) for entry in entries)


def as_tau_bench(runs: Sequence[ExportedRun]) -> list[dict[str, Any]]:
    """Returns the file that tau-bench's `run.py` would have written of the runs."""
    return [
        trajectory(
            run.dialogue,
            run.task,
            run.reward or 0.0,
            policy=_policy(run.goal_set),
            broke=_why_broken(run.dialogue) if run.reward is None else "",
        )
        for run in sorted(runs, key=lambda run: (run.dialogue.trial, run.task))
    ]


def as_tau2(runs: Sequence[ExportedRun], results: Results) -> dict[str, Any]:
    """Returns the file that `tau2 run` would have written of the runs."""
    first, environment = runs[0], results["environment"]
    greeting = _greeting(first.goal_set)
    simulations = [
        tau2_runs.simulation(
            run.dialogue,
            run.goal.id,
            run.reward,
            id=f"{run.goal.id}#{run.dialogue.trial}",
            greeting=greeting,
        )
        for run in runs
    ]
    models = environment.get("models", {})
    turns = environment.get("limits", {}).get("max_turns", [])
    longest = max(len(run["messages"]) for run in simulations)
    return {
        "timestamp": simulations[0]["timestamp"],
        "info": {
            "git_commit": f"pytest-todeval {environment['todeval']}",
            "num_trials": max(run.dialogue.trial for run in runs) + 1,
            "max_steps": int(2 * max(turns) + 2) if turns else longest,
            "max_errors": MAX_ERRORS,
            "user_info": {
                "implementation": ", ".join(environment.get("users", {})) or "unknown",
                "llm": ", ".join(models.get("user", ())) or None,
            },
            "agent_info": {
                "implementation": ", ".join(environment.get("bots", {})) or "unknown",
                "llm": ", ".join(models.get("system", ())) or None,
            },
            "environment_info": {
                "domain_name": first.goal.source.rpartition("/")[2],
                "policy": _policy(first.goal_set),
            },
        },
        "tasks": [tau2_runs.task_of(goal) for goal in {r.goal.id: r.goal for r in runs}.values()],
        "simulations": simulations,
    }


def _refuse_twice(entries: Sequence[DialogueEntry]) -> None:
    seen: dict[tuple[str, int], str] = {}
    for entry in entries:
        key = entry["goal"], entry["trial"]
        if key in seen:
            raise UsageError(
                f"{key[0]}, trial {key[1]}, was played by {seen[key]} and by {entry['test']}: the "
                "benchmarks' files hold each trial of a task once. Run one test alone (`pytest "
                "FILE::TEST`), with one bot"
            )
        seen[key] = entry["test"]


def _goals(
    source: str, results: Results, homes: Mapping[str, str | Path | None]
) -> Mapping[str, tuple[Goal, GoalSet]]:
    """Returns the goals by name, of a benchmark; none of another goal set."""
    if source.partition("/")[0] not in BENCHMARKS:
        return {}
    asked = results["environment"].get("selections", {}).get(source, [])
    splits = {str(each["split"]) for each in asked if each.get("split")}
    splits |= {
        entry["goal"].rpartition("/")[2].rpartition("-")[0]
        for entry in results["dialogues"]
        if source.startswith("tau_bench/")
    }
    sets = [load(source, split=split or None, settings=homes) for split in sorted(splits) or [""]]
    return {goal.name: (goal, found) for found in sets for goal in found.goals}


def _run(
    entry: DialogueEntry,
    places: Mapping[str, int],
    known: Mapping[str, tuple[Goal, GoalSet]],
) -> ExportedRun:
    dialogue, name = dialogue_of(entry), entry["goal"]
    if known and name not in known:
        raise UsageError(
            f"{name}: the checkout has no such task; name the one that the run was played on by "
            "--tau-home or --tau2-home"
        )
    goal, goal_set = known.get(name, (dialogue.goal, None))
    place = places[name]
    if name.startswith("tau_bench/"):
        place = int(goal.id.rpartition("-")[2])
    return ExportedRun(replace(dialogue, goal=goal), _reward(entry), place, goal_set)


def _reward(entry: DialogueEntry) -> float | None:
    outcome, reward = Outcome(entry["outcome"]), entry["metrics"].get("reward")
    if outcome not in COUNTED:
        return None
    return float(outcome is Outcome.PASSED) if reward is None else float(reward)


def _why_broken(dialogue: Dialogue) -> str:
    return f"{dialogue.fault or 'test_error'}: {dialogue.detail}"


def _policy(goal_set: GoalSet | None) -> str:
    if goal_set is None:
        return ""
    if isinstance(goal_set.world, Tau2World):
        place = Path(str(goal_set.world.home)) / "data/tau2/domains" / goal_set.world.domain
        file = next((f for f in sorted(place.glob("*policy.md"))), None)
        return "" if file is None else file.read_text(encoding="utf-8")
    domain = goal_set.world.tool_domain()
    return "" if domain is None else domain.policy


def _greeting(goal_set: GoalSet | None) -> str:
    """The words with which tau2 begins; empty for other goals, and if its code is not there."""
    if goal_set is None or not isinstance(goal_set.world, Tau2World):
        return ""
    from pytest_todeval.worlds.tau2.user import own_guidelines  # half a second, for tau2 alone

    try:
        return own_guidelines(Path(str(goal_set.world.home))).greeting
    except (DataMissing, InvalidFile):
        return ""
