"""The reward of tau-bench: the right end state of the database, and the right things said.

Source: Yao et al. 2024, tau-bench, section 3, and its published code: reward = r_actions x
r_outputs. r_actions: the database hashes to what the task's gold actions make of a fresh one.
r_outputs: each output of the task, lower-cased, occurs in a reply of the bot, lower-cased and
without commas. A dialogue that did not come to its end has reward 0.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import islice
from typing import Any

from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.backends.tool_backend import ToolBackend
from pytest_todeval.backends.tool_domain import ToolDomain
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.failure import Failure, FailureKind
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.errors import OracleFault
from pytest_todeval.evaluate.metrics.failures import (
    CallMade,
    WantedCall,
    calls_made,
    write_failures,
)
from pytest_todeval.evaluate.metrics.state_difference import differences

METRIC_SET = "tau-bench"
VERSION = "1"
RESPOND = "respond"
"""The action that is a reply, not a call of a tool."""
MAX_DIFFERENCES = 5
"""Shown in a reason; how many more there are is said."""
_verdict = partial(Verdict, version=VERSION, metric_set=METRIC_SET)


@dataclass(frozen=True, slots=True)
class GoldState:
    """The end state that the gold actions of a task lead to."""

    hash: str
    """Of the whole database, as tau-bench computes it."""
    changes: Mapping[str, Mapping[str, Any]]
    """Table -> id -> the record as it then stands, or None if it is gone."""
    errors: tuple[str, ...]
    """What the gold actions that fail are told; some fail on purpose."""
    calls: tuple[WantedCall, ...]
    """The gold actions, with what each changes."""


def rewards(dialogue: Dialogue, backend: ToolBackend) -> dict[str, Verdict]:
    """Computes `reward`, `reward_actions` and `reward_outputs` of a dialogue played on a backend.

    The reward's `value` is 1.0 or 0.0. `reward_outputs` does not apply if the task asks for no
    output. Raises OracleFault if the goal holds no gold actions.
    """
    gold = gold_of(backend.domain, dialogue.goal)
    right = backend.state_hash() == gold.hash
    made = _made(dialogue, backend) if gold.changes or not right else ()
    actions = _actions(right, made, gold, backend)
    outputs = _outputs(dialogue, _wanted_outputs(dialogue.goal))
    reward = _reward(_undone(dialogue, backend), actions, outputs)
    if not reward.passed:
        found = _failures(dialogue, backend, made, actions, outputs)
        reward = replace(reward, failures=tuple(found))
    return {verdict.name: verdict for verdict in (reward, actions, outputs)}


def gold_of(domain: ToolDomain, goal: Goal) -> GoldState:
    """Returns the gold end state of a task; it is played once per process and kept.

    Terminating tools and replies among the gold actions change nothing and are passed over; one
    that fails is kept under `errors`, and the rest is played. Raises OracleFault if the goal is
    no such task.
    """
    actions = goal.raw.get("actions")
    if not isinstance(actions, list) or not all(map(_is_action, actions)):
        raise OracleFault(
            f"{goal.name}: no gold actions, so it has no reward; expected `actions`, a list of "
            "objects with `name` and `kwargs`"
        )
    return _play(_Task(domain, repr(actions), actions))


def is_done(dialogue: Dialogue, backend: ToolBackend) -> bool:
    """Says whether the dialogue came to its end within its steps: the user left, or a tool ended
    it.
    """
    if dialogue.stop_reason is StopReason.TURN_LIMIT:
        return False
    left = (StopReason.USER_DONE, StopReason.USER_GAVE_UP)
    return dialogue.stop_reason in left or backend.finished


def _is_action(action: object) -> bool:
    if not isinstance(action, Mapping):
        return False
    return isinstance(action.get("name"), str) and isinstance(action.get("kwargs"), Mapping)


@dataclass(frozen=True, slots=True)
class _Task:
    """What a gold end state depends on."""

    domain: ToolDomain
    written: str
    """The actions as text, by which they are known again."""
    actions: Sequence[Mapping[str, Any]] = field(compare=False)


@lru_cache(maxsize=4096)
def _play(task: _Task) -> GoldState:
    backend = ToolBackend(task.domain)
    errors, calls = [], []
    for action in task.actions:
        name, arguments = action["name"], action["kwargs"]
        if name == RESPOND or name in task.domain.terminating:
            calls.append(WantedCall(name, arguments, changes=False))
            continue
        try:
            backend.call(name, **arguments)
        except ToolRefused as refusal:
            errors.append(f"{name}: {refusal}")
        calls.append(WantedCall(name, arguments, changes=backend.state.moved()))
    return GoldState(backend.state_hash(), backend.changes(), tuple(errors), tuple(calls))


def _made(dialogue: Dialogue, backend: ToolBackend) -> Sequence[CallMade]:
    """Returns the dialogue's calls, with what each changes."""
    made = list(calls_made(dialogue))
    changed = backend.changed_by([each.call for each in made])
    return [replace(each, changed=did) for each, did in zip(made, changed, strict=True)]


def _failures(
    dialogue: Dialogue,
    backend: ToolBackend,
    made: Sequence[CallMade],
    actions: Verdict,
    outputs: Verdict,
) -> Iterator[Failure]:
    """Says why the reward is 0, by kind."""
    if undone := _undone(dialogue, backend):
        yield Failure(FailureKind.UNFINISHED, undone)
    if not actions.passed:
        gold = gold_of(backend.domain, dialogue.goal)
        found = write_failures(dialogue, gold.calls, made, backend.domain.terminating)
        yield from found or [Failure(FailureKind.OTHER, actions.reason)]
    if not outputs.passed:
        yield Failure(FailureKind.MISSING_OUTPUT, outputs.reason)


def _actions(
    right: bool, made: Sequence[CallMade], gold: GoldState, backend: ToolBackend
) -> Verdict:
    changes = [(each.turn or 0, each.call.name) for each in made if each.changed]
    if not right:
        turns = tuple(sorted({turn for turn, _ in changes}))
        reason = _wrong(gold, backend) + _changed_by(changes, backend)
        return _verdict("reward_actions", False, reason, turns=turns)
    turns = tuple(turn for turn, _ in changes[-1:]) if gold.changes else ()
    reason = "the database ends as the task's actions leave it"
    return _verdict("reward_actions", True, reason, turns=turns)


def _changed_by(changes: Sequence[tuple[int, str]], backend: ToolBackend) -> str:
    """Says, as a clause, which calls changed the tables."""
    if not changes:
        return "" if backend.changes() else " (no call of the bot has changed anything)"
    each = [f"{name} in turn {turn}" for turn, name in changes[:MAX_DIFFERENCES]]
    return f" (changed by {', '.join(each)})"


def _wrong(gold: GoldState, backend: ToolBackend) -> str:
    found = differences(gold.changes, backend.changes(), backend.domain.tables)
    told = "; ".join(islice(found, MAX_DIFFERENCES)) or "its hash is not the expected one"
    more = sum(1 for _ in found)
    return f"the database is not as expected: {told}" + (f"; and {more} more" if more else "")


def _wanted_outputs(goal: Goal) -> Sequence[str]:
    outputs = goal.raw.get("outputs", [])
    if not isinstance(outputs, list) or not all(isinstance(each, str) for each in outputs):
        raise OracleFault(f"{goal.name}: `outputs` is {outputs!r:.80}; expected a list of texts")
    return outputs


def _outputs(dialogue: Dialogue, wanted: Sequence[str]) -> Verdict:
    if not wanted:
        return _verdict("reward_outputs", True, "the task asks for no output", applicable=False)
    replies = {turn.index: turn.system.lower().replace(",", "") for turn in dialogue.turns}
    said = {each: [n for n, reply in replies.items() if each.lower() in reply] for each in wanted}
    missing = [output for output, turns in said.items() if not turns]
    if missing:
        return _verdict("reward_outputs", False, f"never said: {', '.join(_named(missing))}")
    first = tuple(sorted({turns[0] for turns in said.values()}))
    return _verdict("reward_outputs", True, "said all that the task asks for", turns=first)


def _named(outputs: Sequence[str]) -> Iterator[str]:
    for output in outputs:
        impossible = " (which no reply can match, for its comma)" if "," in output else ""
        yield f"{output!r:.80}{impossible}"


def _undone(dialogue: Dialogue, backend: ToolBackend) -> str:
    if is_done(dialogue, backend):
        return ""
    detail = f", {dialogue.detail}" if dialogue.detail else ""
    return (
        f"the dialogue did not come to its end ({dialogue.stop_reason.value}{detail}): neither was "
        "the user done nor a terminating tool called"
    )


def _reward(undone: str, *parts: Verdict) -> Verdict:
    faults = [undone] if undone else [part.reason for part in parts if not part]
    if faults:
        shown = tuple(sorted({turn for part in parts if not part for turn in part.turns}))
        return _verdict("reward", False, "; ".join(faults), turns=shown, value=0.0)
    told = [part.reason for part in parts if part.applicable]
    turns = tuple(sorted({turn for part in parts for turn in part.turns}))
    return _verdict("reward", True, "; ".join(told), turns=turns, value=1.0)
