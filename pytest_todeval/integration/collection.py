"""Goals become parametrized tests."""

import gc
import inspect
import unittest
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest

from pytest_todeval.errors import TodevalError, UsageError
from pytest_todeval.integration.case import Case
from pytest_todeval.integration.fixtures import is_ours
from pytest_todeval.integration.option_values import path_of
from pytest_todeval.integration.options import GOAL_MARKERS
from pytest_todeval.integration.settings import Settings

if TYPE_CHECKING:
    from pytest_todeval.core.example import Example
    from pytest_todeval.core.goal import Goal

ASYNC_PLUGINS = ("asyncio", "trio", "twisted", "tornado")
TOD_SYSTEM_LINES = """\
A test asks for a dialogue, but no fixture `tod_system` says which bot to talk to.
Put this in the conftest.py beside your bot:

    import pytest

    @pytest.fixture(scope="session")
    def tod_system():
        def respond(text):          # what the user said -> what your bot answers
            return "..."
        return respond

It may also return a class or a factory (called once per dialogue), an object with `respond`, an
async function, or a URL. To try things out with the reference bot:

    @pytest.fixture(scope="session")
    def tod_system():
        from pytest_todeval.systems import RuleSystem
        return RuleSystem"""


def generate_tests(metafunc: pytest.Metafunc, marker: str) -> None:
    """Parametrize `goal` with the goals that the markers ask for, the first of which is `marker`.

    Errors stop the collection.
    """
    _follow_overrides(metafunc.definition, metafunc.fixturenames)
    try:
        _require_files()
        if "goal" not in metafunc.fixturenames:
            raise UsageError(
                f"{metafunc.definition.nodeid} is marked `{marker}` but asks for no dialogue: "
                "add an argument `dialogue` (or `goal`)"
            )
        if metafunc.definition.get_closest_marker("relations") is not None:
            raise UsageError("marker relations: goes beside property_goals or @given")
        _require_plain(metafunc)
        with _only_growing():
            cases = _cases(metafunc)
    except TodevalError as error:
        raise pytest.Collector.CollectError(str(error)) from None
    metafunc.parametrize("goal", cases, indirect=True, ids=_ids(cases))


def _require_files() -> None:
    """Refuses to run from a zip: goals, rules and prompts are read as files."""
    if not Path(__file__).is_file():
        place = f"{__file__.partition('.zip')[0]}.zip"
        raise UsageError(
            f"pytest-todeval runs from a zip ({place}), where its goals, rules and prompts cannot "
            "be read; install it unpacked: pip install pytest-todeval"
        )


def _require_plain(metafunc: pytest.Metafunc) -> None:
    """Refuses an async test that nobody runs: pytest would say so once its dialogue is played."""
    marks = {mark.name for mark in metafunc.definition.iter_markers()}
    plugins = map(metafunc.config.pluginmanager.hasplugin, ASYNC_PLUGINS)
    if not inspect.iscoroutinefunction(metafunc.function) or "anyio" in marks or any(plugins):
        return
    raise UsageError(
        f"{metafunc.definition.nodeid} is `async def`, which pytest runs only with a plugin: write "
        "`def`, as the dialogue is played before the test begins, or install pytest-asyncio"
    )


def refuse_unittests(items: Sequence[pytest.Item]) -> None:
    """Raises pytest.UsageError for a method of unittest.TestCase that a marker gives goals.

    pytest hands these methods no fixtures.
    """
    for item in items:
        kind = getattr(item, "cls", None) or object
        if issubclass(kind, unittest.TestCase) and any(
            mark.name in GOAL_MARKERS for mark in item.iter_markers()
        ):
            raise pytest.UsageError(
                f"{item.nodeid}: pytest gives the methods of unittest.TestCase no fixtures, so no "
                f"dialogue: write `class {kind.__name__}:`, without unittest.TestCase"
            )


def refuse_without_goals(metafunc: pytest.Metafunc) -> None:
    """Refuses `flaky_goal` and `trials` on a test without goals: they would do nothing."""
    definition = metafunc.definition
    own = {mark.name for mark in definition.own_markers}
    for name in ("flaky_goal", "trials"):
        given = definition.get_closest_marker(name) is not None
        if name in own or (given and "goal" in metafunc.fixturenames):
            raise pytest.Collector.CollectError(
                f"{definition.nodeid} is marked `{name}` but no marker gives it goals: add one, "
                'such as @pytest.mark.goals("demo")'
            )


def _follow_overrides(node: pytest.Item, names: list[str]) -> None:
    """Adds what a fixture asks for that is overridden by one that asks for it.

    pytest before 9 stops at the outer one: `def dialogue(dialogue)` would have no goal.
    """
    followed = len(names)
    for place, name in enumerate(names):
        definitions = node.session._fixturemanager.getfixturedefs(name, node) or ()
        for depth, definition in enumerate(reversed(definitions)):
            if depth or place >= followed:
                names += [each for each in definition.argnames if each not in names]
            if name not in definition.argnames:
                break


@contextmanager
def _only_growing() -> Iterator[None]:
    """Much is made here and no garbage: the collector would walk all of it again and again."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _cases(metafunc: pytest.Metafunc) -> list[Case]:
    from pytest_todeval.integration import markers

    settings = Settings.of(metafunc.config)
    definition = metafunc.definition
    repeats = range(markers.trials(definition, settings))
    taught = _taught(metafunc.config)
    chosen = list(markers.goal_sets(definition, settings))
    cases = [
        Case(goal, goal_set, trial, selection)
        for goal_set, goals, selection in chosen
        for goal in _with(goals, taught)
        for trial in repeats
    ]
    flaky = markers.quarantines(definition)
    if not flaky:
        return cases
    from pytest_todeval.integration.quarantine import quarantine_of, require_goals

    every = [goal for goal_set, _, _ in chosen for goal in goal_set.goals]
    require_goals(flaky, every, definition.nodeid)
    return [case._replace(quarantine=quarantine_of(case.goal, flaky)) for case in cases]


TAUGHT = pytest.StashKey["tuple[Example, ...]"]()


def _taught(config: pytest.Config) -> "tuple[Example, ...]":
    """Returns the examples of the project's own file, read once."""
    path = path_of(config, "hearing")
    if path is None:
        return ()
    if TAUGHT not in config.stash:
        from pytest_todeval.nlu.examples.reading import read_examples

        config.stash[TAUGHT] = read_examples(path)
    return config.stash[TAUGHT]


def _with(goals: "Sequence[Goal]", taught: "tuple[Example, ...]") -> "Sequence[Goal]":
    """The goals with the project's examples after those of their file, which win over them."""
    if not taught:
        return goals
    return [replace(goal, hearing=(*goal.hearing, *taught)) for goal in goals]


def _ids(cases: list[Case]) -> list[str]:
    several = any(case.trial for case in cases)
    return [f"{case.goal.name}#{case.trial}" if several else case.goal.name for case in cases]


def finish_collection(session: pytest.Session, ours: Sequence[pytest.Function]) -> None:
    """Complete the fixtures of tests with dialogues; stop if nobody says with which bot."""
    names: list[str] | None = None
    for item in ours:
        # The tests of one function share their list, which pytest cut down after it had its goals.
        if item.fixturenames is not names:
            names = item.fixturenames
            _follow_overrides(item, names)
    if not hasattr(session.config, "workerinput"):
        # In a worker an error would end the process, not the run: the fixture says it there.
        _require_tod_system(ours)


def _require_tod_system(ours: Sequence[pytest.Function]) -> None:
    found: dict[pytest.Collector | None, bool] = {}
    for item in ours:  # those of one module get the same
        if item.parent not in found:
            found[item.parent] = is_ours(item, "tod_system")
    lacking = [
        item for item in ours if found[item.parent] and "tod_system" not in item.callspec.params
    ]
    if lacking:
        raise pytest.UsageError(
            f"{TOD_SYSTEM_LINES}\n\n"
            f"{len(lacking)} tests ask for it, the first is {lacking[0].nodeid}"
        )


def missing_tod_system() -> NoReturn:
    """What the fixture says if the collection could not (a test that asks for it by itself)."""
    pytest.fail(TOD_SYSTEM_LINES, pytrace=False)
