"""The bodies of the fixtures: a play becomes a dialogue."""

import os
import random
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.lane import Lane, in_lane
from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.errors import JudgeFault, ModelUnavailable, OracleFault, SimulatorFault
from pytest_todeval.integration import recording
from pytest_todeval.integration.case import AHEAD, CHAT, EXCLUDED, PLAYED, Played
from pytest_todeval.integration.follow import follower
from pytest_todeval.integration.plain_errors import plain_errors
from pytest_todeval.integration.players import bot_name, user_name
from pytest_todeval.integration.progress import shown
from pytest_todeval.models.run_models import run_models
from pytest_todeval.models.usage import Ledger, ledger
from pytest_todeval.play.play import Play
from pytest_todeval.play.settings import MUTANT, MUTATED
from pytest_todeval.shown import in_line

if TYPE_CHECKING:
    from pytest_todeval.core.verdict import Verdict
    from pytest_todeval.evaluate.metrics.coverage import CoverageReport
    from pytest_todeval.recording.tape import Tape
    from pytest_todeval.simulation.checks import AfterTurn
    from pytest_todeval.simulation.mutants import Mutation
    from pytest_todeval.simulation.session import BotSession

LIMITS = ("max_turns", "turn_timeout", "dialogue_timeout")
"""Those that the results file has of a dialogue."""


def make_user(play: Play, fixture: Callable[[str], Any]) -> Any:
    """Returns the user that marker and options ask for: rule-based, recorded, or a model.

    `fixture` gives the value of another fixture of the test, if that user needs it.
    """
    with plain_errors():
        plays = play.plays_user
        if plays == "recorded":
            from pytest_todeval.integration.drift import recorded_user

            return recorded_user(fixture("todeval_tape"))
        if plays != "agenda":
            backend = fixture("backend")
            return play.model_user(plays, backend)
        return play.user()


@contextmanager
def playing(
    item: pytest.Item,
    play: Play,
    user: Any,
    tod_system: Any,
    backend: Any,
    tape: "Tape",
    after_turn: "AfterTurn | None" = None,
    session: "BotSession | None" = None,
) -> Iterator[Dialogue]:
    """Plays the dialogue of a test and evaluate it; the body of the test is in the judge's lane.

    What a check after a turn raises is kept, to be raised if the body would run.

    A dialogue that says nothing about the bot (a fault of the simulator, the goal, the cassette or
    the infrastructure) ends the test here, as an error or, if a published data set holds a goal
    that cannot be met, as a skip.
    """
    by = f"{user_name(item, user, play)} with {bot_name(item, tod_system)}"
    with plain_errors():
        impossible = _impossible(play)
    if impossible is not None:
        item.stash[PLAYED] = Played(impossible, by)
        _stop_on_fault(impossible)
    trivial = _trivial(item, play, backend)
    with plain_errors():
        models = play.cast.run_models
    followed = follower(item, f"{play.goal.name} ({by})")
    after_turn = after_turn if followed is None else followed.after(after_turn)
    if (chat := item.config.stash.get(CHAT, None)) is not None:
        play, user = chat.joined(play, user, backend)
        after_turn = chat.after(after_turn)
    made = {"user_simulator": user, "tod_system": tod_system, "backend": backend}
    made |= {"todeval_tape": tape, "after_turn": after_turn, "todeval_session": session}
    # What is drawn next hangs on what becomes of this one.
    ahead = None if play.conversation else item.config.stash.get(AHEAD, None)
    early = None if ahead is None else ahead.wait_for(item, play, made)
    kept = None if early is None else early.asked
    with run_models(models), ledger(kept) as asked, _advising(asked), shown(item, asked):
        if early is not None:
            with plain_errors():
                dialogue, raised = early.result()
            drew = early.drew
        else:
            numbers = random.getstate()
            with plain_errors():
                own = tape, after_turn, session
                dialogue, raised = perform(play, user, tod_system, backend, *own)
            drew = random.getstate() != numbers
        if followed is not None:
            followed.end(dialogue)
        bot = tod_system if session is None or session.known_as is None else session.known_as
        by = f"{user_name(item, user, play)} with {bot_name(item, bot)}"
        played = item.stash[PLAYED] = Played(dialogue, by, tape, asked)
        played.raised, played.drew = raised, drew
        played.trivial = trivial
        from pytest_todeval.runs.reports.results import class_of

        played.players["bots"] = {bot_name(item, bot): class_of(bot)}
        played.players["users"] = {user_name(item, user, play): class_of(user)}
        played.variation = play.variation_definition
        limits = play.limits(backend)
        played.limits = {name: getattr(limits, name) for name in LIMITS}
        played.ear = play.hears
        played.may_be_unserved = play.how.unserved == "allowed"
        if play.plays_user == "recorded" and dialogue.fault in (None, Outcome.FAILED):
            from pytest_todeval.integration.drift import drift_of

            played.drift = drift_of(dialogue, tape)
        if dialogue.fault not in (None, Outcome.FAILED):
            with plain_errors():
                recording.keep_fault(played, tape)
        _stop_on_fault(dialogue)
        with in_lane(tape.dialogue, Lane.JUDGE):
            yield dialogue
    if early is not None:
        early.leave()
    with plain_errors():
        tape.finish(keep=recording.keeps(played, tape))


@contextmanager
def _advising(asked: Ledger) -> Iterator[None]:
    """Tells, after the body, what the person should know of the endpoints that were asked."""
    try:
        yield
    finally:
        for advice in asked.advice:
            warnings.warn(in_line(advice), stacklevel=3)


def perform(
    play: Play,
    user: Any,
    tod_system: Any,
    backend: Any,
    tape: "Tape",
    after_turn: "AfterTurn | None" = None,
    session: "BotSession | None" = None,
) -> tuple[Dialogue, BaseException | None]:
    """Returns a dialogue, played and evaluated, and what a check after a turn raised, if any.

    It knows nothing of pytest, and may run in any thread. `tape` is open. Raises what
    `run_dialogue` raises, but for CheckFailed.
    """
    from pytest_todeval.simulation.loop import CheckFailed, run_dialogue

    variation = play.variation()
    tape.bot_address = recording.bot_address(tod_system)
    tape.serve = None if backend is None else partial(_served, backend, tape)
    raised: BaseException | None = None
    try:
        mutation = _mutation(backend)
        with play.faulty(backend), nullcontext() if mutation is None else mutation.over():
            dialogue = run_dialogue(
                play.goal,
                recording.overheard(user, tape),
                tod_system,
                backend=backend,
                limits=play.limits(backend),
                trial=play.trial,
                ear=play.cast.make_ear(play.goal, backend),
                after_turn=after_turn,
                variation=variation,
                session=session,
                as_replayed=partial(recording.as_replayed, tape),
                mutation=mutation,
            )
        if mutation is not None and mutation.fired:
            note = f"{MUTATED}{mutation.mutant.name}"
            dialogue = replace(dialogue, notes=(*dialogue.notes, note))
    except CheckFailed as failed:
        dialogue, raised = failed.dialogue, failed.__cause__
    if session is not None and session.unopened:
        backend = None
    return _complete(play, dialogue, user, backend, tape), raised


def _served(backend: Any, tape: "Tape", body: bytes) -> bytes:
    """Returns what the backend says as a server of MCP."""
    from pytest_todeval.backends.mcp_server import McpServer

    return McpServer(backend, tape.refuse).answer(body)


def _mutation(backend: Any) -> "Mutation | None":
    """Returns the fault that `todeval mutate` gives the bot in this run, if any."""
    name = os.environ.get(MUTANT)
    if not name:
        return None
    from pytest_todeval.simulation.mutants import Mutation, named

    return Mutation(named(name), backend)


def _complete(play: Play, dialogue: Dialogue, user: Any, backend: Any, tape: "Tape") -> Dialogue:
    """Returns the dialogue with its verdicts, and with what went wrong with its calls."""
    tape.cut_off = dialogue.stop_reason in (StopReason.TURN_TIMEOUT, StopReason.DIALOGUE_TIMEOUT)
    dialogue = play.counted(recording.spared(dialogue, tape))
    with in_lane(tape.dialogue, Lane.JUDGE):
        dialogue = _evaluated(play, dialogue, user, backend)
    if tape.bot_address is not None:
        from pytest_todeval.integration.servers import with_end_of_server

        dialogue = with_end_of_server(dialogue)
    dialogue = recording.mark_stale(dialogue, tape)
    recording.tell(tape, dialogue)
    return dialogue


def _impossible(play: Play) -> Dialogue | None:
    reason = play.impossible()
    if reason is None:
        return None
    return Dialogue(
        play.goal,
        stop_reason=StopReason.ORACLE_FAULT,
        fault=Outcome.ORACLE_FAULT,
        detail=reason,
        trial=play.trial,
    )


def _trivial(item: pytest.Item, play: Play, backend: Any) -> str:
    """Why a bot that does nothing passes the goal, or nothing; skips it if that is asked for."""
    with plain_errors():
        reason = play.why_trivial(backend)
    if reason and play.exclude_trivial:
        item.stash[EXCLUDED] = play.goal.name
        pytest.skip(f"a bot that does nothing passes {play.goal.name}: {reason}")
    return reason


def _evaluated(play: Play, dialogue: Dialogue, user: Any, backend: Any) -> Dialogue:
    """Returns the dialogue with its verdicts, or with the fault of what could not tell them."""
    from pytest_todeval.facts.dialogue import with_claims
    from pytest_todeval.integration.outcomes import decide

    if dialogue.goal.domains:
        dialogue = with_claims(dialogue, backend)
    try:
        verdicts = play.evaluate(dialogue, backend)
        tells = getattr(user, "tells_what_it_said", None)
        if isinstance(tells, bool):  # a user that is a model; whether rules can tell what it said
            judged = None if dialogue.fault else play.judged_coverage(dialogue, backend)
            if judged is not None or tells:
                dialogue = _with_conveyed(dialogue, judged)
            if dialogue.fault is None and (judged is not None or tells):
                _require_said(play, dialogue, verdicts, backend, judged)
        elif dialogue.fault is None and _wants_its_own(user):
            from pytest_todeval.play.never_said import without_unasked

            verdicts = without_unasked(
                dialogue, verdicts, lambda other: play.evaluate(other, backend)
            )
    except (JudgeFault, OracleFault, SimulatorFault, ModelUnavailable) as error:
        if dialogue.fault is not None:  # what broke it off is told, not what it left unevaluated
            return dialogue
        return replace(dialogue, fault=decide(dialogue, error), detail=str(error))
    evaluated = replace(dialogue, verdicts=verdicts)
    found = {**verdicts, "satisfied": evaluated.satisfied}
    if play.refuses_claims:
        found = {name: verdict.without_claims() for name, verdict in found.items()}
    return replace(evaluated, verdicts=found)


def _wants_its_own(user: Any) -> bool:
    """Says whether it follows a script, or is the suite's own."""
    ours = type(user).__module__.startswith("pytest_todeval.")
    return bool(getattr(user, "has_script", False)) or not ours


def _with_conveyed(dialogue: Dialogue, judged: "CoverageReport | None") -> Dialogue:
    from pytest_todeval.play.user_side import user_messages

    messages = user_messages(dialogue, judged)
    return replace(dialogue, conveyed=tuple(tuple(map(str, each.told)) for each in messages))


def _require_said(
    play: Play,
    dialogue: Dialogue,
    verdicts: "Mapping[str, Verdict]",
    backend: Any,
    judged: "CoverageReport | None",
) -> None:
    """Raises SimulatorFault if the verdicts say nothing, as the user did not tell its goal."""
    from pytest_todeval.play.never_said import failed_unsaid

    why = failed_unsaid(dialogue, verdicts, lambda other: play.evaluate(other, backend), judged)
    if why:
        raise SimulatorFault(why)


def _stop_on_fault(dialogue: Dialogue) -> None:
    if dialogue.fault in (None, Outcome.FAILED):
        return
    goal, detail = dialogue.goal, dialogue.detail or dialogue.stop_reason
    # What has several lines says whose it is, and may end in a command that is to be pasted.
    message = f"{dialogue.fault}: {detail}" + ("" if "\n" in detail else f" ({goal.name})")
    if dialogue.fault is Outcome.ORACLE_FAULT and goal.published:
        pytest.skip(message)
    pytest.fail(message, pytrace=False)
