"""The loop: the user says something, the bot answers, until there is a reason to stop."""

import warnings
from typing import TYPE_CHECKING, Any

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.shown import in_line
from pytest_todeval.simulation.background import Background, LoopBlocked
from pytest_todeval.simulation.checks import AfterTurn, AsReplayed, CheckFailed
from pytest_todeval.simulation.faults import Stop, frames_now
from pytest_todeval.simulation.limits import Limits
from pytest_todeval.simulation.session import BotSession
from pytest_todeval.simulation.stage import Stage

if TYPE_CHECKING:
    from pytest_todeval.facts.model.model_ear import ModelEar
    from pytest_todeval.simulation.mutants import Mutation
    from pytest_todeval.simulation.variation import Variation

__all__ = ["CheckFailed", "Limits", "run_dialogue"]

DEFAULT_LIMITS = Limits()


def run_dialogue(
    goal: Goal,
    user: Any,
    tod_system: Any,
    backend: Any = None,
    limits: Limits = DEFAULT_LIMITS,
    trial: int = 0,
    ear: "ModelEar | None" = None,
    after_turn: AfterTurn | None = None,
    variation: "Variation | None" = None,
    session: BotSession | None = None,
    as_replayed: AsReplayed | None = None,
    mutation: "Mutation | None" = None,
) -> Dialogue:
    """Plays one dialogue and say why it stopped. Whatever user, bot and backend do, it comes back.

    `user` is a `UserSimulator`; `tod_system` has any of the shapes of `simulation.system`; the bot
    is passed `backend` as it is, and the loop reads from it the trace of the tools and what stands
    booked at the end. The dialogue has exactly one stop reason; its `fault` is set if that
    already settles whose the result is. A turn that the bot left without an answer is kept if it
    called tools in it, with an empty `system`; else the user's words are the `last_words`.

    An `ear` that asks a model hears each turn before the user does, and what it hears stands in
    `Turn.claims`; without one the rules hear when somebody asks.

    `after_turn` is called after each turn with the dialogue so far and the turn, and may be async.
    What it raises, or an assertion in a line of a ScriptedUser, ends the dialogue.

    With a `variation` the bot hears other words than the user says, which stand in `Turn.meant`.

    `session` is what the bot's server knows the dialogue by; without one it gets its own. It is
    closed however the dialogue ends.

    `as_replayed` makes of each turn what all but the bot know of it: what a recording will say.

    With a `mutation` the bot has a fault that is not its own.

    Raises CheckFailed, which holds the dialogue, from what such a check has raised;
    SystemContractError if `tod_system` has none of the accepted shapes, and UsageError
    for a `user` without `respond` or a `backend` without `bookings`. Warns of records on the logger
    `todeval` that could not be used.
    """
    stage = Stage(
        goal,
        user,
        tod_system,
        backend,
        limits,
        trial,
        ear,
        after_turn,
        variation,
        session,
        as_replayed,
    )
    try:
        dialogue = Background.of_process().run(_play(stage, mutation), patience=limits.turn_timeout)
    except LoopBlocked as blocked:
        dialogue = stage.dialogue(_blocked(blocked, limits), bookings=(), known=False)
    finally:
        stage.abandon()  # if the loop is blocked, it cannot do so
    for note in stage.notes:
        warnings.warn(in_line(note), stacklevel=2)
    if stage.check_error is not None:
        raise CheckFailed(dialogue) from stage.check_error
    return dialogue


async def _play(stage: Stage, mutation: "Mutation | None") -> Dialogue:
    try:
        with stage.listening():
            system = await stage.build()
            if mutation is not None:
                system = mutation.of(system)
            while True:
                text = await stage.user_speaks()
                await stage.bot_answers(system, text)
    except Stop as stop:
        return await stage.ended(stop)
    finally:
        stage.close()


def _blocked(blocked: LoopBlocked, limits: Limits) -> Stop:
    return Stop(
        StopReason.TURN_TIMEOUT,
        f"an asynchronous bot or user blocked the event loop for more than {limits.turn_timeout:g} "
        f"s: use `await`, or a plain function (at {frames_now(blocked.frame)})",
    )
