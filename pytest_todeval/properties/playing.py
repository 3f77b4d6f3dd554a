"""A conversation played and evaluated, without a test around it."""

from dataclasses import replace
from typing import Any

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.errors import UsageError
from pytest_todeval.facts.dialogue import with_claims
from pytest_todeval.play.conversation import DrawnConversation
from pytest_todeval.properties.source import set_of
from pytest_todeval.simulation.backend_faults import faulty
from pytest_todeval.simulation.loop import run_dialogue
from pytest_todeval.simulation.variation import make_variation


def play(conversation: DrawnConversation, bot: Any) -> Dialogue:
    """The dialogue of a bot with the user of a drawn conversation, in the world of its goal.

    Raises UsageError for a goal that was not drawn from a goal set.
    """
    goal, goals = conversation.goal, set_of(conversation.goal)
    if goals is None:
        raise UsageError(f"{goal.name}: no goal set of this name was drawn from in this process")
    world, backend = goals.world, goals.world.backend(goal)
    user = world.user(conversation.spoken(), style=conversation.style, seed=conversation.seed)
    heard = (
        make_variation(conversation.noise, conversation.spoken()) if conversation.noise else None
    )
    with faulty(backend, conversation.faults):
        played = run_dialogue(goal, user, bot, backend=backend, variation=heard)
    played = with_claims(played, backend)
    return replace(played, verdicts=world.evaluate(played, backend))
