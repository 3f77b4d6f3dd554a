"""Why a tau2 task failed, by kind: its calls, and the user's, against the reference solution."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.failure import Failure, FailureKind
from pytest_todeval.evaluate.metrics.failures import (
    CallMade,
    WantedCall,
    calls_made,
    write_failures,
)
from pytest_todeval.worlds.tau2.backend import Tau2Backend
from pytest_todeval.worlds.tau2.environment import ExpectedAction

ENDING = frozenset({"transfer_to_human_agents"})
STATE = ("reward_db", "reward_env_assertion")


def task_failures(
    dialogue: Dialogue,
    backend: Tau2Backend,
    task: Mapping[str, Any],
    unmade: Sequence[ExpectedAction],
    failed: Mapping[str, str],
) -> Iterator[Failure]:
    """Returns what went wrong in a dialogue without reward.

    `failed` are the parts of its reward that failed, with why; `unmade` the reference calls that
    the part ACTION misses.
    """
    told: list[Failure] = []
    if any(name in failed for name in STATE):
        told = write_failures(dialogue, _wanted(backend, task), _made(dialogue, backend), ENDING)
        if "reward_db" not in failed:  # assertions ask for no more than what they name
            told = [each for each in told if each.kind is not FailureKind.UNWANTED_WRITE] or told
        why = "; ".join(failed[name] for name in STATE if name in failed)
        yield from told or [Failure(FailureKind.OTHER, why)]
    if "reward_action" in failed and not told:
        for action in unmade:
            yield _unmade(action)
    if "reward_communicate" in failed:
        yield Failure(FailureKind.MISSING_OUTPUT, failed["reward_communicate"])
    if "reward_nl_assertion" in failed:
        yield Failure(FailureKind.OTHER, failed["reward_nl_assertion"])


def _unmade(action: ExpectedAction) -> Failure:
    call = WantedCall(action.name, action.arguments, changes=False)
    by_user = action.requestor == "user"
    kind = FailureKind.MISSING_USER_CALL if by_user else FailureKind.MISSING_CALL
    return Failure(kind, f"never made: {call}")


def _wanted(backend: Tau2Backend, task: Mapping[str, Any]) -> list[WantedCall]:
    """Returns the reference calls, with what each changes."""
    actions = (task.get("evaluation_criteria") or {}).get("actions") or ()
    calls = [
        WantedCall(
            each["name"], each.get("arguments") or {}, False, each.get("requestor") == "user"
        )
        for each in actions
    ]
    changed = _changing(backend, [(each.by_user, each.name, each.arguments) for each in calls])
    return [replace(each, changes=did) for each, did in zip(calls, changed, strict=True)]


def _made(dialogue: Dialogue, backend: Tau2Backend) -> list[CallMade]:
    calls = list(calls_made(dialogue))
    made = [(each.by_user, each.call.name, each.call.arguments) for each in calls]
    changed = _changing(backend, made)
    return [replace(each, changed=did) for each, did in zip(calls, changed, strict=True)]


def _changing(
    backend: Tau2Backend, calls: Sequence[tuple[bool, str, Mapping[str, Any]]]
) -> Iterator[bool]:
    """Returns which of the calls change a database; they are made in a fresh environment."""
    fresh = Tau2Backend(backend.domain.home, backend.domain.name, backend.task)
    before = fresh.state_hash()
    for by_user, name, arguments in calls:
        with suppress(ToolRefused):
            (fresh.call_user if by_user else fresh.call)(name, **arguments)
        after = fresh.state_hash()
        yield after != before
        before = after
