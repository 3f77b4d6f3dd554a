"""tau2's results, scored: each reward recomputed by part, beside the stored one."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.errors import DataMissing, InvalidFile, TodevalError, UsageError, known_names
from pytest_todeval.research.offline.stored import Scored
from pytest_todeval.research.offline.trajectories.replaying import STORED
from pytest_todeval.research.offline.trajectories.scoring import (
    MAX_NAMED,
    cut,
    named,
    other_answers,
    trial_name,
)
from pytest_todeval.research.offline.trajectories.tau2_replaying import PARTS, replay_simulation
from pytest_todeval.research.offline.trajectories.tau2_results import Simulation, read_tau2_results
from pytest_todeval.worlds.tau2.domain import DOMAINS, domain_of
from pytest_todeval.worlds.tau2.tasks import load_tau2_tasks, task_goal

METRICS = ("reward", *PARTS.values())
SCORED_BY = ("env_assertions", "communicate_info", "nl_assertions", "reward_basis")
"""Of a task's criteria: what its reward follows from, beside the actions."""


def score_tau2_results(path: Path, home: Path, domain: str | None, split: str | None) -> Scored:
    """Recompute the rewards of a results file (or folder) of tau2 by replaying its calls.

    `domain` is for a file that does not name its own. Tasks are those stored with the file, else
    the installed ones. Raises InvalidFile on a file that is not such, UsageError on a domain that
    cannot be played, DataMissing if its tables are missing.
    """
    installed, fingerprint = _installed(home, domain, split)
    found = read_tau2_results(path, {id: goal.raw for id, goal in installed.items()})
    name = _domain(path, found.domain, domain)
    if domain is None:
        installed, fingerprint = _installed(home, name, split)
    tau2 = domain_of(home, name)
    dialogues: list[Dialogue] = []
    other_results: list[str] = []
    for simulation in found.simulations:
        replayed = replay_simulation(simulation, _goal(name, simulation), tau2)
        dialogues.append(replayed.dialogue)
        other_results += replayed.other_results
    data = {f"tau2/{name}": fingerprint} if fingerprint else {}
    data[f"tau2/{name}/db"] = tau2.hash_on_file
    return Scored(
        dialogues=tuple(dialogues),
        definitions=_definitions(dialogues),
        data=data,
        notes=(
            f"scored against tau2/{name}, tables {tau2.hash_on_file[:12]}",
            *_beside_stored(dialogues),
            *_of_other_tasks(found.simulations),
            *_left_out(dialogues),
            *_other_tasks(dialogues, installed),
            *other_answers(other_results),
        ),
    )


def _domain(path: Path, told: str | None, asked: str | None) -> str:
    name = asked or told
    if name is None:
        raise UsageError(f"{path} does not name its domain: add --domain ({', '.join(DOMAINS)})")
    if asked and told and asked != told:
        raise UsageError(f"{path} is of the domain {told!r:.60}, not {asked!r}: leave --domain out")
    if name not in DOMAINS:
        known = known_names(name, DOMAINS)
        raise UsageError(f"{path}: simulations in {name!r:.60} cannot be scored: {known}")
    return name


def _installed(
    home: Path, domain: str | None, split: str | None
) -> tuple[dict[str, Goal], str | None]:
    """Returns the checkout's tasks by id; none if it lacks them, as a file has its own."""
    if domain not in DOMAINS:
        return {}, None
    try:
        goals, fingerprint = load_tau2_tasks(home, domain, split or "base")
    except (DataMissing, InvalidFile, UsageError):
        if split is not None:
            raise
        return {}, None
    return {goal.id: goal for goal in goals}, fingerprint


def _goal(domain: str, simulation: Simulation) -> Goal:
    source = f"tau2/{domain}"
    try:
        return task_goal(source, simulation.where, simulation.task)
    except TodevalError:  # of a shape that cannot be played here, but scored
        return Goal(str(simulation.task["id"]), source, (), raw=simulation.task, published=True)


def _definitions(dialogues: Iterable[Dialogue]) -> dict[str, str]:
    verdicts = [each for dialogue in dialogues for each in dialogue.verdicts.values()]
    return {
        each.name: "as the file says" if each.metric_set == "stored" else each.definition
        for each in sorted(verdicts, key=lambda verdict: verdict.name)
    }


def _beside_stored(dialogues: Sequence[Dialogue]) -> Iterator[str]:
    both = list(_compared(dialogues, "reward", STORED))
    if not both:
        yield "no stored reward can be compared"
        return
    same = sum(_value(d, "reward") == _value(d, STORED) for d in both)
    yield f"the stored reward is met in {same} of {len(both)}"
    for part, name in PARTS.items():
        compared = list(_compared(dialogues, name, f"stored_{name}"))
        if compared:
            met = sum(_value(d, name) == _value(d, f"stored_{name}") for d in compared)
            yield f"by part: {part} {met} of {len(compared)}"
    yield from _differing(dialogues)


def _differing(dialogues: Sequence[Dialogue]) -> Iterator[str]:
    lines = [
        f"{trial_name(each)}: {name} stored {_value(each, stored):g}, now {_value(each, name):g}: "
        f"{cut(each.verdicts[name].reason)}"
        for name, stored in ((name, f"stored_{name}") for name in METRICS)
        for each in _compared(dialogues, name, stored)
        if _value(each, name) != _value(each, stored)
    ]
    yield from lines[:MAX_NAMED]
    if len(lines) > MAX_NAMED:
        yield f"and {len(lines) - MAX_NAMED} more values that are not the stored ones"


def _of_other_tasks(simulations: Iterable[Simulation]) -> Iterator[str]:
    other = [str(each.task["id"]) for each in simulations if each.of_other_task]
    if other:
        yield (
            "stored rewards that check other actions than the simulation's task has, so that they "
            f"are of another task or another version: {len(other)} ({named(other)})"
        )


def _compared(dialogues: Iterable[Dialogue], name: str, stored: str) -> Iterator[Dialogue]:
    return (d for d in dialogues if {name, stored} <= d.verdicts.keys())


def _value(dialogue: Dialogue, name: str) -> float:
    verdict = dialogue.verdicts[name]
    return float(verdict.passed) if verdict.value is None else verdict.value


def _left_out(dialogues: Sequence[Dialogue]) -> Iterator[str]:
    """Returns what has no reward here, by why; tau2 gives most of it reward 0."""
    unplayed = Counter(cut(d.detail) for d in dialogues if d.fault is Outcome.ORACLE_FAULT)
    for why, count in unplayed.most_common(MAX_NAMED):
        yield f"cannot be scored here: {count} ({why})"
    judged = [trial_name(d) for d in dialogues if d.fault is Outcome.JUDGE_FAULT]
    if judged:
        yield f"no reward, as a judge must read sentences: {len(judged)} ({named(judged)})"
    ends = Counter(
        d.detail or "the user left the task's scope"
        for d in dialogues
        if d.fault in (Outcome.SIMULATOR_FAULT, Outcome.INFRASTRUCTURE)
    )
    for why, count in sorted(ends.items()):
        yield f"ended by another's fault, and count in no rate: {count} ({why})"


def _other_tasks(dialogues: Sequence[Dialogue], installed: Mapping[str, Goal]) -> Iterator[str]:
    goals = {dialogue.goal.id: dialogue.goal for dialogue in dialogues}
    other = [
        id
        for id, goal in goals.items()
        if id in installed and _criteria(goal.raw) != _criteria(installed[id].raw)
    ]
    if other:
        yield (
            "the file's tasks ask for something else than the installed ones, and are scored as "
            f"the file has them: {len(other)} ({named(other)})"
        )


def _criteria(task: Mapping[str, Any]) -> list[object]:
    criteria = task.get("evaluation_criteria") or {}
    actions = [
        {field: value for field, value in action.items() if field != "info"}  # a remark
        for action in criteria.get("actions") or ()
    ]
    return [actions, *(criteria.get(field) or None for field in SCORED_BY)]
