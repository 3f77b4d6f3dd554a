"""Trajectories whose fault is known, because it was put there by a seeded generator.

The gold actions of a task are played with one fault (sometimes two): an argument of another task, a
write left out, a write of another task, another tool on the same record, a handing over in its
place, an output never said, a dialogue that does not end, a user that says something else than it
was told to, a run that broke. Faults that do not change the end state are dropped. Controls have no
fault: extra reads, a refused write before the right one.
"""

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.research.offline.stored import Scored
from pytest_todeval.worlds.goal_set import GoalSet

PER_KIND = 8
"""Of each domain."""
RESPOND = "respond"
IDS = ("order_id", "reservation_id", "user_id", "employee_id", "ticket_id", "device_id", "task_id")
"""Arguments that name a record, the narrowest first."""


__all__ = ["Bench", "Tau2Bench", "confusion"]


@dataclass(frozen=True)
class MadeCall:
    """A gold action, or one in its place."""

    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class Corrupted:
    """What was played for a goal, and the kinds of fault that are in it."""

    goal: Goal
    kinds: tuple[str, ...]
    calls: tuple[MadeCall, ...]
    said: tuple[str, ...]
    """The outputs that the bot tells at the end."""
    heard: tuple[str, ...]
    """What the user says."""
    ends: bool = True
    error: str = ""


class Bench:
    """A domain with its tasks: what changes something, and what comes of calls."""

    def __init__(self, name: str, goals: GoalSet) -> None:
        self.name = name
        self.goals = [goal for goal in goals.goals if not goal.opening]
        self.set = goals
        self.random = random.Random(f"failure kinds {name}")
        self.gold = {goal.id: self.actions(goal) for goal in self.goals}
        self.writing = {goal.id: self.changing(goal, self.gold[goal.id]) for goal in self.goals}
        self.pool = [
            action
            for goal in self.goals
            for action, writes in zip(self.gold[goal.id], self.writing[goal.id], strict=True)
            if writes
        ]

    def actions(self, goal: Goal) -> tuple[MadeCall, ...]:
        return tuple(
            MadeCall(each["name"], each["kwargs"])
            for each in goal.raw["actions"]
            if each["name"] != RESPOND
        )

    def outputs(self, goal: Goal) -> tuple[str, ...]:
        return tuple(goal.raw.get("outputs") or ())

    def played(self, goal: Goal, calls: Sequence[MadeCall]) -> Any:
        backend = self.set.world.backend(goal)
        for action in calls:
            with suppress(ToolRefused):
                backend.call(action.name, **action.arguments)
        return backend

    def changing(self, goal: Goal, calls: Sequence[MadeCall]) -> list[bool]:
        backend = self.played(goal, calls)
        return list(backend.changed_by(backend.trace))

    def state(self, goal: Goal, calls: Sequence[MadeCall]) -> str:
        return str(self.played(goal, calls).state_hash())

    @property
    def handing_over(self) -> str:
        names = [tool["function"]["name"] for tool in self.set.world.backend(self.goals[0]).tools]
        return str(next(name for name in names if "transfer" in name or "hand_over" in name))

    def reading(self) -> MadeCall:
        """A gold action that changes nothing."""
        reads = [
            action
            for goal in self.goals
            for action, writes in zip(self.gold[goal.id], self.writing[goal.id], strict=True)
            if not writes and action.name != self.handing_over
        ]
        return self.random.choice(reads)

    def score(self, cases: Sequence[Corrupted], folder: Path) -> Scored:
        from pytest_todeval.research.offline.trajectories.scoring import score_trajectories

        file = folder / f"{self.name.replace('/', '_')}.json"
        places = {goal.id: place for place, goal in enumerate(self.set.goals)}
        entries = [
            {"task_id": places[case.goal.id], "trial": trial, **_trajectory(case)}
            for trial, case in enumerate(cases)
        ]
        file.write_text(json.dumps(entries))
        domain = self.set.world.tool_domain()
        assert domain is not None
        return score_trajectories(file, domain, self.set)


class Tau2Bench(Bench):
    """The same over tau2's tasks that are rewarded for the database."""

    def __init__(self, name: str, goals: GoalSet, home: Path) -> None:
        self.home = home
        super().__init__(name, replace(goals, goals=tuple(filter(_by_database, goals.goals))))

    def actions(self, goal: Goal) -> tuple[MadeCall, ...]:
        found = goal.raw["evaluation_criteria"].get("actions") or ()
        return tuple(MadeCall(each["name"], each["arguments"]) for each in found)

    def outputs(self, goal: Goal) -> tuple[str, ...]:
        return tuple(goal.raw["evaluation_criteria"].get("communicate_info") or ())

    def score(self, cases: Sequence[Corrupted], folder: Path) -> Scored:
        from pytest_todeval.research.offline.trajectories.tau2_scoring import score_tau2_results

        domain = self.name.rpartition("/")[2]
        results = {
            "info": {"environment_info": {"domain_name": domain}},
            "tasks": list({case.goal.id: _without_sentences(case.goal) for case in cases}.values()),
            "simulations": [
                {"task_id": case.goal.id, "trial": trial, **_simulation(case)}
                for trial, case in enumerate(cases)
            ],
        }
        file = folder / "tau2.json"
        file.write_text(json.dumps(results))
        return score_tau2_results(file, self.home, None, None)


def _by_database(goal: Goal) -> bool:
    criteria = goal.raw.get("evaluation_criteria") or {}
    by = [each.get("requestor", "assistant") for each in criteria.get("actions") or ()]
    return "DB" in criteria.get("reward_basis", ()) and "user" not in by


def _without_sentences(goal: Goal) -> dict[str, Any]:
    """The task, of whose reward nothing is left to a judge."""
    criteria = goal.raw["evaluation_criteria"]
    return {
        **goal.raw,
        "evaluation_criteria": {**criteria, "reward_basis": ["DB", "COMMUNICATE"]},
    }


def _trajectory(case: Corrupted) -> dict[str, Any]:
    if case.error:
        return {"reward": 0.0, "info": {"error": case.error}, "traj": []}
    messages: list[dict[str, Any]] = [{"role": "user", "content": " ".join(case.heard)}]
    for action in case.calls:
        function = {"name": action.name, "arguments": json.dumps(action.arguments)}
        messages.append(
            {"role": "assistant", "content": None, "tool_calls": [{"function": function}]}
        )
        messages.append({"role": "tool", "name": action.name, "content": "?"})
    messages.append({"role": "assistant", "content": " ".join(("Done.", *case.said))})
    if case.ends:
        messages.append({"role": "user", "content": "Bye. ###STOP###"})
    for _ in range(0 if case.ends else 31):
        messages.append({"role": "user", "content": "And?"})
        messages.append({"role": "assistant", "content": "One moment."})
    return {"reward": 0.0, "traj": messages}


def _simulation(case: Corrupted) -> dict[str, Any]:
    messages: list[dict[str, Any]] = [
        {"role": "assistant", "content": "Hi! How can I help you today?"},
        {"role": "user", "content": " ".join(case.heard)},
    ]
    for action in case.calls:
        call = {"id": "1", "name": action.name, "arguments": action.arguments}
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        messages.append({"role": "tool", "id": "1", "content": "?"})
    messages.append({"role": "assistant", "content": " ".join(("Done.", *case.said))})
    messages.append({"role": "user", "content": "Bye. ###STOP###"})
    ended = "infrastructure_error" if case.error else "user_stop" if case.ends else "max_steps"
    return {"termination_reason": ended, "messages": messages}


def corruptions(bench: Bench) -> Iterator[Corrupted]:
    """The seeded faults of a domain, at most PER_KIND of each."""
    for make in MAKERS:
        goals = [goal for goal in bench.goals if bench.gold[goal.id]]
        bench.random.shuffle(goals)
        made = (case for goal in goals if (case := make(bench, goal)) is not None)
        yield from (case for case, _ in zip(made, range(PER_KIND), strict=False))


Maker = Callable[[Bench, Goal], Corrupted | None]


def right(bench: Bench, goal: Goal) -> Corrupted:
    """The gold actions and outputs."""
    words = (goal.message[0],) if goal.message else ("Hello.",)
    return Corrupted(goal, (), bench.gold[goal.id], bench.outputs(goal), words)


def more_reads(bench: Bench, goal: Goal) -> Corrupted:
    """A control: things are looked up that the gold actions do not look up."""
    case = right(bench, goal)
    return replace(case, calls=(bench.reading(), *case.calls))


def refused_first(bench: Bench, goal: Goal) -> Corrupted | None:
    """A control: a write that the tool refuses, then the right one."""
    case = right(bench, goal)
    place = _a_write(bench, goal)
    if place is None:
        return None
    wrong = replace(case.calls[place], arguments={"nonsense": 1})
    return replace(case, calls=(*case.calls[:place], wrong, *case.calls[place:]))


def wrong_argument(bench: Bench, goal: Goal) -> Corrupted | None:
    case = right(bench, goal)
    place = _a_write(bench, goal)
    if place is None:
        return None
    action = case.calls[place]
    names = list(action.arguments)
    bench.random.shuffle(names)
    for name in names:
        for value in _other_values(bench, action, name):
            changed = replace(action, arguments={**action.arguments, name: value})
            calls = (*case.calls[:place], changed, *case.calls[place + 1 :])
            if bench.state(goal, calls) != bench.state(goal, case.calls):
                return replace(case, kinds=("wrong_argument",), calls=calls)
    return None


def missing_write(bench: Bench, goal: Goal) -> Corrupted | None:
    case = right(bench, goal)
    place = _a_write(bench, goal)
    if place is None:
        return None
    return _checked(bench, case, "missing_write", (*case.calls[:place], *case.calls[place + 1 :]))


def unwanted_write(bench: Bench, goal: Goal) -> Corrupted | None:
    case = right(bench, goal)
    action = bench.random.choice(bench.pool)
    ending = [n for n, call in enumerate(case.calls) if call.name == bench.handing_over]
    before = ending[0] if ending else len(case.calls)
    if action in case.calls:
        return None
    calls = (*case.calls[:before], action, *case.calls[before:])
    return _checked(bench, case, "unwanted_write", calls)


def wrong_tool(bench: Bench, goal: Goal) -> Corrupted | None:
    """Another tool's write, made to name the same record, in place of a gold one."""
    case = right(bench, goal)
    place = _a_write(bench, goal)
    if place is None:
        return None
    gold = case.calls[place]
    id = next((id for id in IDS if id in gold.arguments), None)
    others = [a for a in bench.pool if a.name != gold.name and id in a.arguments]
    bench.random.shuffle(others)
    for other in others:
        changed = MadeCall(other.name, {**other.arguments, str(id): gold.arguments[str(id)]})
        calls = (*case.calls[:place], changed, *case.calls[place + 1 :])
        if bench.changing(goal, calls)[place]:
            return _checked(bench, case, "wrong_tool", calls)
    return None


def handed_over(bench: Bench, goal: Goal) -> Corrupted | None:
    """The dialogue is handed to a person, while the gold actions go on to write."""
    case = right(bench, goal)
    place = _a_write(bench, goal)
    if place is None or any(call.name == bench.handing_over for call in case.calls):
        return None
    reason = {"summary": "?"} if "transfer" in bench.handing_over else {"reason": "asked"}
    calls = (*case.calls[:place], MadeCall(bench.handing_over, reason))
    return _checked(bench, case, "wrong_tool", calls)


def missing_output(bench: Bench, goal: Goal) -> Corrupted | None:
    case = right(bench, goal)
    return replace(case, kinds=("missing_output",), said=()) if case.said else None


def unfinished(bench: Bench, goal: Goal) -> Corrupted | None:
    if any(call.name == bench.handing_over for call in bench.gold[goal.id]):
        return None
    return replace(right(bench, goal), kinds=("unfinished",), ends=False)


def users_words(bench: Bench, goal: Goal) -> Corrupted | None:
    """The user says another value than the one that its instruction has; the bot does as told."""
    case = right(bench, goal)
    told = " ".join(goal.message)
    for place, action in enumerate(case.calls):
        for name, value in action.arguments.items():
            if not (bench.writing[goal.id][place] and isinstance(value, str) and value in told):
                continue
            for other in _other_values(bench, action, name):
                if not isinstance(other, str) or other in told:
                    continue
                changed = replace(action, arguments={**action.arguments, name: other})
                calls = (*case.calls[:place], changed, *case.calls[place + 1 :])
                found = _checked(bench, case, "user", calls)
                if found is not None:
                    return replace(found, heard=(told.replace(value, other),))
    return None


def broken(bench: Bench, goal: Goal) -> Corrupted:
    return replace(right(bench, goal), kinds=("environment",), error="RateLimitError: no quota")


def argument_and_output(bench: Bench, goal: Goal) -> Corrupted | None:
    case = wrong_argument(bench, goal)
    if case is None or not case.said:
        return None
    return replace(case, kinds=("missing_output", "wrong_argument"), said=())


def argument_and_write(bench: Bench, goal: Goal) -> Corrupted | None:
    """One write with a wrong argument, another left out."""
    case = wrong_argument(bench, goal)
    if case is None:
        return None
    gold = right(bench, goal)
    same = [
        place
        for place, writes in enumerate(bench.writing[goal.id])
        if writes
        and case.calls[place] == gold.calls[place]
        and gold.calls[place].name not in {c.name for c in case.calls if c not in gold.calls}
    ]
    if not same:
        return None
    place = same[0]
    calls = (*case.calls[:place], *case.calls[place + 1 :])
    found = _checked(bench, gold, "missing_write", calls)
    return found and replace(found, kinds=("missing_write", "wrong_argument"))


MAKERS: tuple[Maker, ...] = (
    *(right, more_reads, refused_first, wrong_argument, missing_write, unwanted_write),
    *(wrong_tool, handed_over, missing_output, unfinished, users_words, broken),
    *(argument_and_output, argument_and_write),
)


def _a_write(bench: Bench, goal: Goal) -> int | None:
    """The place of a gold action that changes something."""
    places = [place for place, writes in enumerate(bench.writing[goal.id]) if writes]
    return bench.random.choice(places) if places else None


def _other_values(bench: Bench, action: MadeCall, name: str) -> list[Any]:
    """Values that the argument has in other tasks' gold actions of the tool."""
    found = [
        other.arguments[name]
        for other in bench.pool
        if other.name == action.name
        and name in other.arguments
        and other.arguments[name] != action.arguments[name]
    ]
    bench.random.shuffle(found)
    return found[:5]


def _checked(
    bench: Bench, case: Corrupted, kind: str, calls: Sequence[MadeCall]
) -> Corrupted | None:
    """The corrupted case, if its end state is not the gold one."""
    if bench.state(case.goal, calls) == bench.state(case.goal, case.calls):
        return None
    return replace(case, kinds=(kind,), calls=tuple(calls))


def confusion(bench: Bench, folder: Path) -> Counter[tuple[str, str]]:
    """How often trajectories with this fault are told to have that one."""
    from pytest_todeval.runs.reports.entry import dialogue_entry
    from pytest_todeval.runs.reports.failures import kinds_of

    cases = list(corruptions(bench))
    found: Counter[tuple[str, str]] = Counter()
    for case, dialogue in zip(cases, bench.score(cases, folder).dialogues, strict=True):
        reward = dialogue.verdicts.get("reward")
        outcome = dialogue.fault or ("passed" if reward else "failed")
        entry = dialogue_entry(dialogue, test=case.goal.id, outcome=Outcome(outcome))
        found[_name(case.kinds), _name(kinds_of(entry))] += 1
    return found


def _name(kinds: Sequence[str]) -> str:
    return " + ".join(sorted(kinds)) or "none"
