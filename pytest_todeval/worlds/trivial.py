"""Trivial goals: a bot passes them by doing nothing, so that they prove nothing.

The bot that does nothing says "Goodbye." whatever it hears and calls no tool. Its dialogue with a
user who states the whole goal is really evaluated, as the goal's world evaluates dialogues. What is
found is kept for the process, by the goal set's fingerprint, and only for goals that somebody asks
about: a run that plays five goals pays for five. If a reward hangs on sentences that a judge must
read (tau2), nobody is asked: the bot may fail by what else the reward hangs on, and if not, the
answer is that nobody knows.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.errors import JudgeFault, OracleFault, TodevalError
from pytest_todeval.models.goal_text import goal_text

if TYPE_CHECKING:
    from pytest_todeval.worlds.goal_set import GoalSet
    from pytest_todeval.worlds.world import World

GOODBYE = "Goodbye."
"""All that the bot that does nothing says."""

KEPT_GOAL_SETS = 16


class Trivial(NamedTuple):
    """What becomes of a goal if the bot does nothing; both None if the bot fails it."""

    passes: str | None = None
    """Why it passes, as a clause."""
    untold: str | None = None
    """Why no metric tells whether it passes, and what can."""


def trivial(goal: Goal, goal_set: "GoalSet") -> Trivial:
    """Says whether a bot that does nothing passes a goal of a set.

    Tasks over tools and tables load these, so ask when a test runs, not when it is collected.
    Raises what loading raises: DataMissing, InvalidFile, UsageError.
    """
    known = _known(goal_set.name, goal_set.fingerprint, _Same(goal_set.world))
    asked, found = known.get(goal.id, (None, Trivial()))
    if asked != goal:  # not asked about yet, or changed by a fixture of the suite
        found = _found(goal, goal_set.world)
        known[goal.id] = goal, found
    return found


def _found(goal: Goal, world: "World") -> Trivial:
    try:
        return world.trivial(goal)
    except (JudgeFault, OracleFault) as fault:
        return Trivial(untold=str(fault))
    except TodevalError:
        raise
    except Exception as error:  # a world of a package; a run tells it of the dialogue, too
        from pytest_todeval.simulation.faults import raised_line

        return Trivial(untold=f"{type(world).__name__}.trivial raised {raised_line(error)}")


def idle_dialogue(goal: Goal) -> Dialogue:
    """Returns a user states the goal; the bot does nothing."""
    return Dialogue(goal, (Turn(1, goal_text(goal) or "Hello.", GOODBYE),), StopReason.USER_DONE)


@dataclass(frozen=True)
class _Same:
    """A world as a key: a class of one's own need not be hashable."""

    world: "World"

    def __hash__(self) -> int:
        return hash(type(self.world))


@lru_cache(maxsize=KEPT_GOAL_SETS)
def _known(name: str, fingerprint: str, world: _Same) -> dict[str, tuple[Goal, Trivial]]:
    """Returns what was found of the goals of a set so far, by id."""
    return {}
