"""The bodies of the fixtures: a case becomes a dialogue."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.lane import Lane, in_lane
from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.errors import (
    JudgeFault,
    ModelUnavailable,
    OracleFault,
    SimulatorFault,
    TodevalError,
)
from pytest_todeval.integration import recording
from pytest_todeval.integration.case import EXCLUDED, PLAYED, Played, case_of
from pytest_todeval.integration.markers import play_settings
from pytest_todeval.integration.models import ear_of, llm_user, sentence_judge, user_of
from pytest_todeval.integration.options import Settings
from pytest_todeval.llm.usage import ledger

if TYPE_CHECKING:
    from pytest_todeval.backends.multiwoz import MultiwozDatabase
    from pytest_todeval.goals.goal_set import World
    from pytest_todeval.recording.tape import Tape

__all__ = ["goal_of", "make_backend", "make_user", "open_tape", "plain_errors", "playing"]


@contextmanager
def plain_errors() -> Iterator[None]:
    """Show an error of ours as its message: its traceback would show our code, not the user's."""
    try:
        yield
    except TodevalError as error:
        message = f"{type(error).__name__}: {error}"
        raise pytest.fail.Exception(message, pytrace=False) from None


def goal_of(request: pytest.FixtureRequest) -> Goal:
    """The goal that this test was parametrized with."""
    case = case_of(request.node)
    if case is None:
        pytest.fail(
            f"{request.node.nodeid} asks for a goal but no marker says which: mark it, e.g. "
            '`@pytest.mark.goals("demo")` or `@pytest.mark.multiwoz(domains=["hotel"])`',
            pytrace=False,
        )
    return case.goal


def make_backend(request: pytest.FixtureRequest, goal: Goal) -> Any:
    """A fresh backend over the tools or the database of the goal's set; None where it has none."""
    world = _world(request)
    if world is not None:
        from pytest_todeval.integration.worlds import world_backend

        with plain_errors():
            return world_backend(world, goal)
    database = _database(request)
    if database is None:
        return None
    from pytest_todeval.backends.multiwoz import MultiwozBackend

    return MultiwozBackend(database, goal)


def make_user(request: pytest.FixtureRequest, goal: Goal) -> Any:
    """The user that marker and options ask for: rule-based, recorded, or a model."""
    how = play_settings(request.node)
    with plain_errors():
        plays = user_of(request.config, how, task=_world(request) is not None)
        if plays == "recorded":
            from pytest_todeval.integration.drift import recorded_user

            return recorded_user(request.getfixturevalue("todeval_tape"))
        if plays != "agenda":
            backend = request.getfixturevalue("backend")
            return llm_user(request.config, goal, plays, how, backend, _trial(request))
        if not goal.domains:
            from pytest_todeval.integration.worlds import user_without_slots

            return user_without_slots(goal)
    from pytest_todeval.simulation.agenda import AgendaUser

    database = _database(request)
    vocabulary = None if database is None else database.vocabulary()
    return AgendaUser(goal, vocabulary, seed=_trial(request), style=how.user_style)


@contextmanager
def playing(
    request: pytest.FixtureRequest,
    goal: Goal,
    user: Any,
    tod_system: Any,
    backend: Any,
    tape: "Tape",
) -> Iterator[Dialogue]:
    """Play the dialogue of a test and evaluate it; the body of the test is in the judge's lane.

    A dialogue that says nothing about the bot (a fault of the simulator, the goal, the cassette or
    the infrastructure) ends the test here, as an error or, where a published data set holds a goal
    that cannot be met, as a skip.
    """
    item, by = request.node, f"{_named(user)} with {_named(tod_system)}"
    with plain_errors():
        impossible = _impossible(request, goal)
    if impossible is not None:
        item.stash[PLAYED] = Played(impossible, by)
        _stop_on_fault(impossible)
    toothless = _toothless(request, backend)
    with ledger() as asked:
        with plain_errors():
            tape.bot_address = recording.bot_address(tod_system)
            listening = recording.overheard(user, tape)
            dialogue = _converse(request, goal, listening, tod_system, backend)
            with in_lane(tape.dialogue, Lane.JUDGE):
                dialogue = _evaluated(request, dialogue, backend)
        dialogue = recording.mark_stale(dialogue, tape)
        recording.tell(tape, dialogue)
        played = item.stash[PLAYED] = Played(dialogue, by, tape, asked)
        played.toothless = toothless
        if _user_recorded(request) and dialogue.fault in (None, Outcome.FAILED):
            from pytest_todeval.integration.drift import drift_of

            played.drift = drift_of(dialogue, tape)
        _stop_on_fault(dialogue)
        with in_lane(tape.dialogue, Lane.JUDGE):
            yield dialogue
    # An answer that a model's endpoint could not give is to be asked for again.
    sound = dialogue.fault is None and played.outcome is not Outcome.INFRASTRUCTURE
    with plain_errors():
        tape.finish(keep=sound and not recording.faults(tape))


@contextmanager
def open_tape(request: pytest.FixtureRequest, goal: Goal) -> Iterator["Tape"]:
    """The tape of a test's dialogue, open until the test is over."""
    with plain_errors(), recording.opened(request.node, goal, _trial(request)) as tape:
        yield tape


def _impossible(request: pytest.FixtureRequest, goal: Goal) -> Dialogue | None:
    database = _database(request)
    if database is None:
        return None
    from pytest_todeval.backends.satisfiable import unsatisfiable

    reason = unsatisfiable(goal, database)
    if reason is None:
        return None
    return Dialogue(
        goal,
        stop_reason=StopReason.ORACLE_FAULT,
        fault=Outcome.ORACLE_FAULT,
        detail=reason,
        trial=_trial(request),
    )


def _toothless(request: pytest.FixtureRequest, backend: Any) -> str:
    """Why a bot that does nothing passes the goal, or nothing; skips it where that is asked.

    On a backend of the user's own no reward is asked for, and a task's tools need not be there.
    """
    from pytest_todeval.integration.worlds import is_worlds

    case = case_of(request.node)
    excluded = Settings.of(request.config).toothless == "exclude"
    if case is None or not (excluded or case.goal_set.world is None or is_worlds(backend)):
        return ""
    from pytest_todeval.worlds.trivial import toothless

    with plain_errors():
        reason = toothless(case.goal, case.goal_set)
    if reason is not None and excluded:
        request.node.stash[EXCLUDED] = case.goal.name
        pytest.skip(f"a bot that does nothing passes {case.goal.name}: {reason}")
    return reason or ""


def _converse(
    request: pytest.FixtureRequest, goal: Goal, user: Any, tod_system: Any, backend: Any
) -> Dialogue:
    from pytest_todeval.backends.protocol import steps_of
    from pytest_todeval.integration.worlds import is_worlds
    from pytest_todeval.simulation.loop import Limits, run_dialogue

    how = play_settings(request.node)
    turns = how.max_turns
    if turns is None:
        turns = (steps_of(backend) if is_worlds(backend) else None) or Limits().max_turns
    limits = Limits(turns, how.turn_timeout, how.dialogue_timeout)
    return run_dialogue(
        goal,
        user,
        tod_system,
        backend=backend,
        limits=limits,
        trial=_trial(request),
        ear=ear_of(request.config, goal, backend),
    )


def _evaluated(request: pytest.FixtureRequest, dialogue: Dialogue, backend: Any) -> Dialogue:
    """The dialogue with its verdicts, or with the fault of what could not tell them."""
    from pytest_todeval.evidence.dialogue import with_claims
    from pytest_todeval.integration.outcomes import decide
    from pytest_todeval.integration.worlds import evaluated

    judge = sentence_judge(request.config, play_settings(request.node), backend)
    if dialogue.goal.domains:
        dialogue = with_claims(dialogue, backend)
    try:
        return replace(dialogue, verdicts=evaluated(dialogue, backend, judge))
    except (JudgeFault, OracleFault, SimulatorFault, ModelUnavailable) as error:
        return replace(dialogue, fault=decide(dialogue, error), detail=str(error))


def _stop_on_fault(dialogue: Dialogue) -> None:
    if dialogue.fault in (None, Outcome.FAILED):
        return
    goal = dialogue.goal
    message = f"{dialogue.fault}: {dialogue.detail or dialogue.stop_reason} ({goal.name})"
    if dialogue.fault is Outcome.ORACLE_FAULT and goal.published:
        pytest.skip(message)
    pytest.fail(message, pytrace=False)


def _database(request: pytest.FixtureRequest) -> "MultiwozDatabase | None":
    case = case_of(request.node)
    if case is None or case.goal_set.database is None:
        return None
    from pytest_todeval.backends.multiwoz import MultiwozDatabase

    return MultiwozDatabase.load(case.goal_set.database)


def _world(request: pytest.FixtureRequest) -> "World | None":
    case = case_of(request.node)
    return None if case is None else case.goal_set.world


def _user_recorded(request: pytest.FixtureRequest) -> bool:
    return user_of(request.config, play_settings(request.node)) == "recorded"


def _trial(request: pytest.FixtureRequest) -> int:
    case = case_of(request.node)
    return 0 if case is None else case.trial


def _named(player: object) -> str:
    """A name for the summary that says nothing of where in memory or on disk the player is."""
    return player if isinstance(player, str) else getattr(player, "__name__", type(player).__name__)
