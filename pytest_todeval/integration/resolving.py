"""A test item's play: its goal, markers and the run's options, resolved once."""

from difflib import get_close_matches
from typing import TYPE_CHECKING

import pytest

from pytest_todeval.integration.case import case_of
from pytest_todeval.integration.option_values import path_of, said_by_person
from pytest_todeval.integration.options import GOAL_MARKERS
from pytest_todeval.integration.settings import Settings

if TYPE_CHECKING:
    from pytest_todeval.core.goal import Goal
    from pytest_todeval.play.cast import Cast
    from pytest_todeval.play.play import Play
    from pytest_todeval.worlds.goal_set import GoalSet

PLAY = pytest.StashKey["Play"]()
CAST = pytest.StashKey["Cast"]()


def goal_of(item: pytest.Item) -> "Goal":
    """Returns the goal that a test was parametrized with. Fails a test that no marker gives one."""
    case = case_of(item)
    if case is None:
        pytest.fail(
            f"{item.nodeid} asks for a goal but no marker says which{_misspelt(item)}: mark it, "
            'e.g. `@pytest.mark.goals("demo")` or `@pytest.mark.multiwoz(domains=["hotel"])`',
            pytrace=False,
        )
    return case.goal


def _misspelt(item: pytest.Item) -> str:
    """Returns which of its markers was meant to."""
    for mark in item.iter_markers():
        near = get_close_matches(mark.name, GOAL_MARKERS, n=1)
        if near:
            return f" (`{mark.name}` is none: did you mean `{near[0]}`?)"
    return ""


def play_of(item: pytest.Item, goal: "Goal") -> "Play":
    """What a test plays. `goal` is the value of its fixture, which a suite may have overridden."""
    from pytest_todeval.core.goal import Goal

    given: object = goal
    if not isinstance(given, Goal):
        source, _, name = str(given).rpartition("/")
        pytest.fail(
            f"{item.nodeid}: goal is {type(given).__name__} {given!r:.60}, expected a goal: leave "
            "the parametrization out, and choose goals by a marker, such as "
            f"@pytest.mark.goals({source or 'demo'!r}, ids=[{name!r:.60}])",
            pytrace=False,
        )
    known = item.stash.get(PLAY, None)
    if known is None or known.goal is not goal:
        known = item.stash[PLAY] = _resolved(item, goal)
    return known


def _resolved(item: pytest.Item, goal: "Goal") -> "Play":
    from pytest_todeval.integration.markers import play_settings
    from pytest_todeval.integration.plain_errors import plain_errors
    from pytest_todeval.play.play import Play
    from pytest_todeval.play.time_limits import TimeLimits

    case = case_of(item)
    settings = Settings.of(item.config)
    cast = cast_of(item.config)
    with plain_errors():
        how = play_settings(item)
        conversation = None if case is None else case.conversation
        how = how if conversation is None else conversation.settings(how)
        cast.require_marked(how)
        return Play(
            goal=goal,
            goal_set=_alone(goal) if case is None else case.goal_set,
            trial=0 if case is None else case.trial,
            how=how,
            cast=cast,
            exclude_trivial=settings.trivial == "exclude",
            refuses_claims=settings.claims == "fail",
            strict_outputs=settings.outputs == "strict",
            upstream=settings.upstream or "",
            time=TimeLimits(settings.turn_timeout, settings.dialogue_timeout),
            conversation=conversation,
        )


def _alone(goal: "Goal") -> "GoalSet":
    """Returns the set of a goal that a suite made by itself: it has no database and no tools."""
    from pytest_todeval.worlds.goal_set import GoalSet
    from pytest_todeval.worlds.world import World

    return GoalSet(goal.source, (goal,), "", World())


def cast_of(config: pytest.Config) -> "Cast":
    """Who plays in this run; made once per process, as a file of models is read for it."""
    if CAST not in config.stash:
        from pytest_todeval.play.cast import Cast

        settings = Settings.of(config)
        config.stash[CAST] = Cast(
            user=settings.user,
            judge=settings.judge,
            ear=settings.ear,
            coverage=settings.coverage,
            model=settings.model,
            base_url=settings.base_url,
            url_of_file=not said_by_person(config, "base-url"),
            models_file=path_of(config, "models"),
            samples=settings.samples or 1,
            policy=path_of(config, "policy"),
            prompts=path_of(config, "prompts"),
            variation=settings.variation,
            examples=path_of(config, "examples"),
        )
    return config.stash[CAST]
