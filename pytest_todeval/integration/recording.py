"""Cassettes around dialogues: where they lie, how they are opened, and whose fault a miss is."""

import json
import warnings
from collections.abc import Awaitable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.core.fingerprint import fingerprint
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.lane import Lane
from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.integration.budget import budget_of
from pytest_todeval.integration.case import Played
from pytest_todeval.integration.cassette_options import (
    cassette_path,
    clock,
    matching_of,
    process_of,
    redactor_of,
    scanner_of,
)
from pytest_todeval.integration.settings import Settings, same_run
from pytest_todeval.recording.address import Address
from pytest_todeval.recording.jail import hold_back
from pytest_todeval.recording.mode import Mode, modes_from
from pytest_todeval.recording.tape import Tape
from pytest_todeval.runs.reports.plain import plain
from pytest_todeval.runs.reports.terminal import OTHER_GOAL
from pytest_todeval.shown import in_line
from pytest_todeval.simulation.session import BotSession
from pytest_todeval.simulation.user import UserSimulator, Utterance

_LANES_AT_FAULT = {Outcome.SIMULATOR_FAULT: Lane.USER, Outcome.JUDGE_FAULT: Lane.JUDGE}
_NOT_KEPT = (Outcome.INFRASTRUCTURE, Outcome.STALE_CASSETTE)


def goal_digest(goal: Goal) -> str:
    """12 hex digits over what the user is told and what its dialogue is worth.

    The same in every process and version of Python; the order of slots makes no difference, that of
    domains does.
    """
    opening = [(turn.user, turn.system, turn.tool_calls) for turn in goal.opening]
    domains: Any = [plain(part) for part in goal.domains]
    for part in domains:
        if not part["refusal"]:  # goals were digested before there was such a field
            del part["refusal"]
        del part["forms"]  # how slots are read changes neither the user's words nor the goal
    parts: tuple[Any, ...] = (goal.message, domains, opening, goal.solution, goal.raw)
    if goal.user:
        parts = (*parts, goal.user)
    if goal.steps:
        parts = (*parts, goal.steps, goal.given, goal.expect, goal.references)
    return fingerprint(json.dumps(plain(part), sort_keys=True).encode() for part in parts)


@contextmanager
def opened(item: pytest.Item, goal: Goal, session: BotSession) -> Iterator[Tape]:
    """Returns the tape of a test's dialogue, open: its calls are played, recorded or refused.

    What was recorded stays in the journal unless `finish(keep=True)` is called.
    """
    with opened_for(
        item,
        session.dialogue,
        token=session.token,
        seed=session.trial,
        goal=goal_digest(goal),
    ) as tape:
        yield tape


@contextmanager
def opened_for(
    item: pytest.Item,
    dialogue: str,
    *,
    seed: int = 0,
    token: str = "",
    goal: str = "",
    allowed: Sequence[str] = (),
) -> Iterator[Tape]:
    """The tape of a test, open for a dialogue, or for itself if that is the test's node id."""
    settings = Settings.of(item.config)
    tape = Tape(
        cassette_path(item),
        test=item.nodeid,
        dialogue=dialogue,
        token=token,
        modes=modes_from(settings.record),
        matching=matching_of(item.config),
        redactor=redactor_of(item.config),
        scanner=scanner_of(item.config),
        allowed=(*settings.allow, *allowed),
        budget=budget_of(item.config),
        now=clock(),
        seed=seed,
        options=same_run(item.config),
        goal=goal,
        process=process_of(item.config, item.path, settings.record),
    )
    if set(tape.modes.values()) != {Mode.LIVE}:
        hold_back(by_kernel=settings.jail != "python")
    with tape:
        yield tape
    if tape.accepted:
        warnings.warn(
            f"{tape.accepted} requests were answered by the recorded call in their place; nothing "
            "is changed yet: `todeval cassettes accept` shows the differences, takes them over",
            stacklevel=2,
        )
    for what, where in tape.unstable.items():
        warnings.warn(
            f"recorded {in_line(what)} ({in_line(where)}): it will differ in the next run, "
            "and the cassette will not match; take it from `todeval_now` or `todeval_seed`, or "
            "mask it (todeval_mask)",
            stacklevel=2,
        )


class _Overheard:
    """A user of whose dialogue the tape hears: a miss can then say that the bot's words changed."""

    def __init__(self, user: UserSimulator, tape: Tape) -> None:
        self._user, self._tape = user, tape

    def __getattr__(self, name: str) -> Any:
        """Returns what it tells of itself besides: `notes`, `lacks`, whether it asks a model."""
        return getattr(self._user, name)

    def respond(self, turn: Turn | None) -> Utterance | Awaitable[Utterance]:
        if turn is not None:
            self._tape.heard(turn.index, turn.system)
        return self._user.respond(turn)


def overheard(user: Any, tape: Tape) -> Any:
    """Returns the user, with the tape listening. The loop rejects anything that is not a user."""
    if isinstance(user, type) or not callable(getattr(user, "respond", None)):
        return user
    return _Overheard(user, tape)


def as_replayed(tape: Tape, turn: Turn) -> Turn:
    """A turn as a replay will have it: what was redacted in answers is redacted in it, too."""
    told = {
        name: tape.as_replayed(getattr(turn, name), turn.index)
        for name in ("user", "system", "state", "turn_state", "retrieved")
    }
    calls = tuple(
        replace(
            call,
            arguments=tape.as_replayed(call.arguments, turn.index),
            result=tape.as_replayed(call.result, turn.index),
        )
        for call in turn.tool_calls
    )
    changed = {name: each for name, each in told.items() if each != getattr(turn, name)}
    if calls != turn.tool_calls:
        changed["tool_calls"] = calls
    return replace(turn, **changed) if changed else turn


def tell(tape: Tape, dialogue: Dialogue) -> None:
    """Tells the tape what was said: it is what `--todeval-user=recorded` goes by."""
    for turn in dialogue.turns:
        tape.said(turn.index, turn.user, turn.system)


def faults(tape: Tape) -> str:
    """Returns what went wrong with the calls of a dialogue, also if the bot caught the error."""
    tape.hear_forks()
    return "\n".join(str(fault) for fault in (*tape.misses, *tape.refusals, *tape.strays))


def mark_stale(dialogue: Dialogue, tape: Tape) -> Dialogue:
    """Returns the dialogue, as a stale cassette if a call was not in it: it has no verdicts then.

    A note tells that its user was recorded for another goal: that result counts.
    """
    if tape.user_of_other_goal:
        known = (note for note in dialogue.notes if note != OTHER_GOAL)  # told again when settled
        dialogue = replace(dialogue, notes=(*known, OTHER_GOAL))
    if not faults(tape):
        return dialogue
    outcome = Outcome.STALE_CASSETTE if tape.misses else Outcome.INFRASTRUCTURE
    return replace(dialogue, fault=outcome, detail=faults(tape), verdicts={})


def spared(dialogue: Dialogue, tape: Tape) -> Dialogue:
    """The dialogue; nobody's failure if the bot failed because no model or tool answered it.

    A server in another process tells of that by a status only, and a client of MCP by an error of
    its own; the tape knows what they were told.
    """
    if dialogue.stop_reason is not StopReason.SYSTEM_ERROR:
        return dialogue
    if tape.bot_address is None and not tape.asked_tool_last:
        return dialogue
    unanswered = tape.unanswered(Lane.SYSTEM)
    if not unanswered or dialogue.fault is not Outcome.FAILED:
        return dialogue
    detail = f"{dialogue.detail}; what it asked did not answer ({unanswered})"
    return replace(
        dialogue, stop_reason=StopReason.NETWORK, fault=Outcome.INFRASTRUCTURE, detail=detail
    )


def keeps(played: Played, tape: Tape) -> bool:
    """Whether what was recorded of a test is put in its cassette: its result would be that again.

    A dialogue that somebody's fault broke off is kept, too, unless a call failed or is under way;
    but it replaces no whole one.
    """
    fault = played.dialogue.fault
    if fault in _NOT_KEPT or played.outcome is Outcome.INFRASTRUCTURE:
        return False
    if faults(tape) or tape.dropped:
        return False
    if fault is None:
        return True
    return not (tape.has_whole_cassette or tape.has_faulty or tape.calls_under_way)


def keep_fault(played: Played, tape: Tape) -> None:
    """Keeps the recording of a dialogue that ended in a fault, so that its replay ends in it, too.

    Raises what `Tape.finish` does.
    """
    if keeps(played, tape):
        tape.finish(keep=True, fault=_lane_at_fault(played.dialogue))


def _lane_at_fault(dialogue: Dialogue) -> Lane | None:
    """Returns the lane whose answers could not be used."""
    if dialogue.stop_reason is StopReason.EAR_FAULT:
        return Lane.EAR
    return _LANES_AT_FAULT.get(dialogue.fault or Outcome.PASSED)


def dropped_line(tape: Tape, why: str, lane: Lane | None = None) -> str:
    """Part with the calls at fault of a recording that is not kept. Says what became of it."""
    tape.drop_faulty(lane)
    if not (tape.waiting or tape.dropped):
        return ""
    return (
        f"not kept: no cassette was written, as {why}. Of its calls {tape.waiting} wait in the "
        f"journal for the next `--todeval-record=missing`, {tape.dropped} belong to the fault and "
        "are dropped"
    )


def parted(played: Played) -> str:
    """Part with the calls at fault of a recording that is not kept. Says what became of it.

    Also what a result owes to a recording that did not finish; empty if there is nothing to say.
    """
    tape, lines = played.tape, list[str]()
    assert tape is not None
    if tape.records and not keeps(played, tape):
        why = f"the dialogue ended in {played.outcome}"
        lines.append(dropped_line(tape, why, _lane_at_fault(played.dialogue)))
    elif _lane_at_fault(played.dialogue) and (tape.kept or tape.replays_fault):
        lines.append(
            f"this {played.outcome} is recorded: a replay ends in it, too. To ask again for what "
            "is at fault: `--todeval-record=missing`; for all: `--todeval-record=rewrite`"
        )
    if tape.from_journal:
        lines.append(
            f"{tape.from_journal} calls were answered from the journal of an unfinished recording; "
            "`--todeval-record=rewrite` asks again, `todeval cassettes journals` shows it"
        )
    return "\n".join(filter(None, lines))


def unused_line(tape: Tape) -> str | None:
    """That calls were recorded and never played, in a replay without a miss."""
    unused = tape.unused()
    recorded = any(count.recorded for count in tape.calls.values())
    if not unused or tape.misses or recorded:
        return None
    lanes = ", ".join(sorted({call.request.lane.value for call in unused}))
    return f"{len(unused)} recorded calls were not played ({lanes}): {tape.test}"


def bot_address(tod_system: Any) -> Address | None:
    """Returns the address of a bot that is called over HTTP: it is always really called."""
    url = tod_system if isinstance(tod_system, str) else getattr(tod_system, "url", None)
    if not isinstance(url, str) or "://" not in url:
        return None
    return Address.parse(url)
