"""Goals become parametrized tests."""

from dataclasses import replace
from typing import TYPE_CHECKING, NoReturn

import pytest

from pytest_todeval.errors import TodevalError, UsageError
from pytest_todeval.integration.case import Case, case_of
from pytest_todeval.integration.options import GOAL_MARKERS, Settings, path_of

if TYPE_CHECKING:
    from pytest_todeval.core.example import Example
    from pytest_todeval.core.goal import Goal

__all__ = ["generate_tests", "missing_tod_system", "require_tod_system"]

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


def generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrize `goal` with the goals that the markers ask for. Errors stop the collection."""
    marked = [m.name for m in metafunc.definition.iter_markers() if m.name in GOAL_MARKERS]
    if not marked:
        return
    try:
        if "goal" not in metafunc.fixturenames:
            raise UsageError(
                f"{metafunc.definition.nodeid} is marked `{marked[0]}` but asks for no dialogue: "
                "give it an argument `dialogue` (or `goal`)"
            )
        cases = _cases(metafunc)
    except TodevalError as error:
        raise pytest.Collector.CollectError(str(error)) from None
    metafunc.parametrize("goal", cases, indirect=True, ids=[_id(case, cases) for case in cases])


def _cases(metafunc: pytest.Metafunc) -> list[Case]:
    from pytest_todeval.integration import markers

    settings = Settings.of(metafunc.config)
    definition = metafunc.definition
    repeats = range(markers.trials(definition, settings))
    taught = _taught(metafunc.config)
    return [
        Case(_with(goal, taught), goal_set, trial)
        for goal_set, goals in markers.goal_sets(definition, settings)
        for goal in goals
        for trial in repeats
    ]


TAUGHT = pytest.StashKey["tuple[Example, ...]"]()


def _taught(config: pytest.Config) -> "tuple[Example, ...]":
    """The examples of the project's own file, read once."""
    if TAUGHT in config.stash:
        return config.stash[TAUGHT]
    path = path_of(config, "hearing")
    taught: tuple[Example, ...] = ()
    if path is not None:
        from pytest_todeval.evidence.taught.examples import read_examples

        taught = read_examples(path)
    config.stash[TAUGHT] = taught
    return taught


def _with(goal: "Goal", taught: "tuple[Example, ...]") -> "Goal":
    """The goal with the project's examples after those of its own file, which win over them."""
    return replace(goal, hearing=(*goal.hearing, *taught)) if taught else goal


def _id(case: Case, cases: list[Case]) -> str:
    repeated = any(other.trial for other in cases)
    return f"{case.goal.name}#{case.trial}" if repeated else case.goal.name


def require_tod_system(session: pytest.Session, items: list[pytest.Item]) -> None:
    """Stop once, before any test, where dialogues are asked for and nobody says of which bot."""
    if hasattr(session.config, "workerinput"):
        return  # an error here would end the worker, not the run: leave it to the fixture
    lacking = [item for item in items if case_of(item) and _lacks_tod_system(session, item)]
    if lacking:
        raise pytest.UsageError(
            f"{TOD_SYSTEM_LINES}\n\n"
            f"{len(lacking)} tests ask for it, the first is {lacking[0].nodeid}"
        )


def missing_tod_system() -> NoReturn:
    """What the fixture says where collection could not (a test that asks for it by itself)."""
    pytest.fail(TOD_SYSTEM_LINES, pytrace=False)


def _lacks_tod_system(session: pytest.Session, item: pytest.Item) -> bool:
    if "tod_system" not in getattr(item, "fixturenames", ()):
        return False
    # The only way to ask pytest which definition of a fixture a test would get.
    found = session._fixturemanager.getfixturedefs("tod_system", item) or ()
    return bool(found) and found[-1].func.__module__ == "pytest_todeval.plugin"
