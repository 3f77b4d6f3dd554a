"""Hypothesis' strategies for dialogues: goals, users, noise, faults of the backend.

    from hypothesis import given
    from pytest_todeval.strategies import goals

    @given(goal=goals("goals.yaml"))
    def test_books_whatever_is_wanted(goal, dialogue):
        assert dialogue.booking

What they draw can be played as it is. They shrink towards fewer domains and steps, fewer wishes, a
plain user, no noise and no faults. Needs Hypothesis: `pip install 'pytest-todeval[hypothesis]'`.
"""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from pytest_todeval.core.goal import Goal
from pytest_todeval.errors import UsageError
from pytest_todeval.play.conversation import DrawnConversation
from pytest_todeval.properties.source import source_of
from pytest_todeval.simulation.agenda.styles import STYLES
from pytest_todeval.simulation.backend_faults import KINDS, BackendFault
from pytest_todeval.simulation.variation.levels import LEVELS
from pytest_todeval.worlds.goal_set import GoalSet

try:
    from hypothesis import strategies as st
except ImportError as error:
    raise UsageError(
        "pytest_todeval.strategies needs Hypothesis: pip install 'pytest-todeval[hypothesis]'"
    ) from error

__all__ = [
    "BackendFault",
    "DrawnConversation",
    "backend_faults",
    "conversation",
    "conversations",
    "goals",
    "noise",
    "user_styles",
]

MOST = 4
CALLS = 4
SEEDS = 7


def goals(
    source: "str | Path | GoalSet",
    *,
    domains: Collection[str] | None = None,
    satisfiable: bool | None = True,
    steps: int = MOST,
) -> st.SearchStrategy[Goal]:
    """Goals over a goal set by name, or a goal file (a relative path starts beside the test).

    With a database a goal wants what some row has; without one less than one of the set's own goals
    wants, with other bookings. `domains`: about these and no others. `satisfiable`: can be had
    (True), cannot, so that a refusal is right (False; takes a database), or either (None). `steps`:
    at most so many domains, or steps.
    """
    if isinstance(steps, bool) or not isinstance(steps, int) or steps < 1:
        raise UsageError(f"goals: steps: got {steps!r}, expected a whole number from 1 up")
    if isinstance(domains, str) or (domains is not None and not domains):
        raise UsageError(f"goals: domains: got {domains!r}, expected a list, e.g. ['hotel']")
    if satisfiable not in (True, False, None):
        raise UsageError(f"goals: satisfiable: got {satisfiable!r}, expected True, False or None")
    chosen = None if domains is None else tuple(domains)

    @st.composite
    def drawn(draw: Any) -> Goal:
        from pytest_todeval.properties.drawing import drawn_goal

        found = source_of(source)
        if satisfiable is not True and found.query is None:
            raise UsageError(
                f"goals({found.goal_set.name!r}): satisfiable={satisfiable}: that takes a database "
                "to look things up in, and it has none"
            )
        return drawn_goal(draw, found, chosen, satisfiable, steps)

    return drawn()


def user_styles() -> st.SearchStrategy[str]:
    """Styles of the agenda user, the plain one first."""
    return st.sampled_from([*STYLES])


def noise() -> st.SearchStrategy[str]:
    """Variations by rule of what the bot hears; none first."""
    return st.sampled_from(["", *LEVELS])


def backend_faults(most: int = 1) -> st.SearchStrategy[tuple[BackendFault, ...]]:
    """Faults of the calls of the backend, at most so many; none first."""
    one = st.builds(BackendFault, st.sampled_from([*KINDS]), st.integers(1, CALLS))
    return st.lists(one, max_size=most).map(tuple)


def conversations(
    source: "str | Path | GoalSet",
    *,
    domains: Collection[str] | None = None,
    satisfiable: bool | None = True,
    steps: int = MOST,
    styles: bool = True,
    noise: bool = False,
    faults: bool = False,
) -> st.SearchStrategy[DrawnConversation]:
    """Goals with how their user talks, what the bot hears of it, and faults of the backend."""
    whole = goals(source, domains=domains, satisfiable=satisfiable, steps=steps)
    return st.builds(
        DrawnConversation,
        goal=whole,
        style=user_styles() if styles else st.just("plain"),
        noise=globals()["noise"]() if noise else st.just(""),
        faults=backend_faults() if faults else st.just(()),
        seed=st.integers(0, SEEDS) if styles else st.just(0),
    )


def conversation(
    source: "str | Path | GoalSet", goal: Mapping[str, Any], **manner: Any
) -> DrawnConversation:
    """Returns one conversation, for `@example`: the line that a failure shows."""
    return DrawnConversation(goal=source_of(source).goal(goal), **manner)
