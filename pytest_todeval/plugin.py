"""The pytest entry point: options, markers, hooks, fixtures. Each body delegates.

Imports only pytest and standard-library-only modules of ours: an installed but unused plugin must
cost an unrelated suite next to nothing.
"""

import sys
from collections.abc import Callable, Generator, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from pytest_todeval.integration.case import (
    CASSETTE,
    EXCLUDED,
    LEFT_OUT,
    NOTHING_DRAWN,
    OF_ANY_TEST,
    OUTSIDE,
    PLAYED,
    TAPE,
    TOLD,
    case_of,
    concerns,
    is_recorded,
)
from pytest_todeval.integration.cassette_options import cassette_folders, cassette_path
from pytest_todeval.integration.options import (
    GOAL_MARKERS,
    MARKER_LINES,
    add_options,
    refuse_unknown,
)
from pytest_todeval.integration.settings import Settings

if TYPE_CHECKING:
    from datetime import datetime

    from pytest_todeval.core.dialogue import Dialogue
    from pytest_todeval.core.goal import Goal
    from pytest_todeval.evaluate.judge.judge import Judge
    from pytest_todeval.models.connections import KeptConnections
    from pytest_todeval.models.settings import ModelSettings
    from pytest_todeval.recording.bot_server.bot_server import BotServer
    from pytest_todeval.recording.gateway.gateway import Gateway
    from pytest_todeval.recording.tape import Tape
    from pytest_todeval.simulation.session import BotSession


def pytest_addoption(parser: pytest.Parser) -> None:
    add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    for line in MARKER_LINES:
        config.addinivalue_line("markers", line)
    if not hasattr(config, "workerinput"):
        from pytest_todeval.integration.reporter import Reporter

        reporter = Reporter(config)
        config.pluginmanager.register(reporter, "todeval-reporter")
        if (show := Settings.of(config).show or "groups") != "all":
            reporter.group_failures(show)
        if show == "live":
            from pytest_todeval.integration.follow import require_one_process

            require_one_process(config)
        gates = None
        if Settings.of(config).gates or Settings.of(config).baseline:
            from pytest_todeval.integration.gates import GateKeeper

            gates = GateKeeper(config, reporter)
            config.pluginmanager.register(gates, "todeval-gates")
        if page := reporter.page:
            from pytest_todeval.integration.page import PageWriter

            config.pluginmanager.register(PageWriter(page, reporter, gates), "todeval-page")
    if config.getoption("todeval_resume"):
        from pytest_todeval.integration.resume import Resumed

        config.pluginmanager.register(Resumed.of(config), "todeval-resumed")
    if Settings.of(config).plays_ahead:
        from pytest_todeval.integration.ahead import start_ahead

        start_ahead(config)
    if Settings.of(config).sequential:
        from pytest_todeval.integration.sequential import start_sequential

        start_sequential(config)
    if cassette_folders(config):
        from pytest_todeval.integration.orphans import Orphans

        config.pluginmanager.register(Orphans(config), "todeval-orphans")


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """pytest-xdist: a worker is about to start."""
    from pytest_todeval.integration.workers import prepare

    prepare(node)


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(
    early_config: pytest.Config, parser: pytest.Parser, args: list[str]
) -> Generator[None, None, None]:
    """Imports may call, too: in a run that records, or if such calls are recorded."""
    given = getattr(early_config.known_args_namespace, "todeval_record", None)
    known = early_config.invocation_params.dir / "cassettes" / "_process.todeval.jsonl"
    if given not in (None, "replay", "live") or known.is_file():
        from pytest_todeval.integration.calls_outside import look_after_imports

        look_after_imports(early_config)
    yield
    refuse_unknown(early_config, parser, args)


def pytest_unconfigure(config: pytest.Config) -> None:
    if OUTSIDE in config.stash:
        from pytest_todeval.integration.calls_outside import forget

        forget(config)


# Collection: goals become tests.


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    marked = [m.name for m in metafunc.definition.iter_markers() if m.name in GOAL_MARKERS]
    if marked:
        from pytest_todeval.integration.collection import generate_tests

        generate_tests(metafunc, marked[0])
    elif any(mark.name in ("flaky_goal", "trials") for mark in metafunc.definition.iter_markers()):
        from pytest_todeval.integration.collection import refuse_without_goals

        refuse_without_goals(metafunc)
    if not marked and _draws_goals(metafunc):
        from pytest_todeval.integration.drawn import draw_goals

        draw_goals(metafunc)
    if metafunc.definition.get_closest_marker("matrix") is not None:
        from pytest_todeval.integration.matrix import spread

        spread(metafunc)


def _draws_goals(metafunc: pytest.Metafunc) -> bool:
    if metafunc.definition.get_closest_marker("property_goals") is not None:
        return True
    given = getattr(metafunc.function, "is_hypothesis_test", False) is True
    return given and "goal" in metafunc.fixturenames and "goal" not in _own_goals(metafunc)


def _own_goals(metafunc: pytest.Metafunc) -> set[str]:
    """Returns the arguments that marks of the test parametrize."""
    marks = metafunc.definition.iter_markers("parametrize")
    return {name.strip() for mark in marks for name in str(mark.args[0]).split(",")}


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    case = case_of(item)
    if case is None or not case.is_drawn or not isinstance(item, pytest.Function):
        return None
    from pytest_todeval.integration.drawn import run_examples

    run_examples(item, nextitem)
    return True


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(
    session: pytest.Session, items: list[pytest.Item]
) -> Generator[None, object, object]:
    if session.config.getoption("keyword"):
        for item in items:
            if case := case_of(item):
                item.extra_keyword_matches.update(case.goal.labels)
    judged = any("judge" in getattr(item, "fixturenames", ()) for item in items)
    marked = any("todeval" in item.keywords for item in items)
    drawn = NOTHING_DRAWN in session.config.stash
    given = judged or marked or drawn or Settings.of(session.config).given()
    if given and not session.testsfailed:  # of files not collected nobody knows what they use
        from pytest_todeval.integration.without_effect import look_at

        look_at(session.config, items)
    if any(each in item.keywords for item in items for each in GOAL_MARKERS):
        from pytest_todeval.integration.collection import refuse_unittests

        refuse_unittests(items)
    result = yield
    if Settings.of(session.config).shard is not None:
        from pytest_todeval.integration.shards import keep_share

        keep_share(session.config, items)

    ours = [item for item in items if isinstance(item, pytest.Function) and case_of(item)]
    if ours:
        from pytest_todeval.integration.collection import finish_collection

        finish_collection(session, ours)
    return result


@pytest.hookimpl(tryfirst=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    if any(OF_ANY_TEST in item.keywords for item in session.items):
        from pytest_todeval.integration.cassettes_of_tests import ask_for_fixture

        ask_for_fixture(session.items)


# Fixtures. Each can be overridden in a conftest and may ask for the one it overrides.


@pytest.fixture
def goal(request: pytest.FixtureRequest) -> "Goal":
    """What the simulated user wants: one goal per test, as the test's markers ask."""
    from pytest_todeval.integration.resolving import goal_of

    return goal_of(request.node)


@pytest.fixture
def backend(request: pytest.FixtureRequest, goal: "Goal") -> Any:
    """The database and tools of this dialogue, fresh; None if the goal set has no database."""
    from pytest_todeval.integration.plain_errors import plain_errors
    from pytest_todeval.integration.resolving import play_of

    with plain_errors():
        return play_of(request.node, goal).backend()


@pytest.fixture(scope="session")
def tod_system() -> Any:
    """The bot to talk to. There is no default: define it in the conftest.py beside the bot."""
    from pytest_todeval.integration.collection import missing_tod_system

    missing_tod_system()


@pytest.fixture
def todeval_user(request: pytest.FixtureRequest) -> Any:
    """The user that the marker `matrix` chose for this test; None without the marker."""
    return getattr(request, "param", None)


@pytest.fixture
def user_simulator(request: pytest.FixtureRequest, goal: "Goal", todeval_user: Any) -> Any:
    """Who plays the user of this dialogue: the agenda user, a model, or the recorded one."""
    from pytest_todeval.integration.playing import make_user
    from pytest_todeval.integration.resolving import play_of

    if todeval_user is not None and todeval_user.make is not None:
        return todeval_user.make(goal)
    return make_user(play_of(request.node, goal), request.getfixturevalue)


@pytest.fixture
def todeval_session(request: pytest.FixtureRequest, goal: "Goal") -> "BotSession":
    """What the bot's server knows this dialogue by: `dialogue_id` and, once it is open, `id`."""
    from pytest_todeval.integration.resolving import play_of
    from pytest_todeval.simulation.session import BotSession

    return BotSession(goal, play_of(request.node, goal).trial)


@pytest.fixture
def todeval_tape(
    request: pytest.FixtureRequest, goal: "Goal", todeval_session: "BotSession"
) -> Iterator["Tape"]:
    """The recorded calls of this test's dialogue."""
    from pytest_todeval.integration.plain_errors import plain_errors
    from pytest_todeval.integration.recording import opened

    with plain_errors(), opened(request.node, goal, todeval_session) as tape:
        yield tape


@pytest.fixture
def todeval_cassette(request: pytest.FixtureRequest) -> Iterator["Tape"]:
    """The recorded calls of this test: those of its dialogue, or all if it plays none."""
    if "todeval_tape" in request.fixturenames:
        yield request.getfixturevalue("todeval_tape")
        return
    from pytest_todeval.integration.cassettes_of_tests import recorded
    from pytest_todeval.integration.plain_errors import plain_errors

    with plain_errors(), recorded(request.node) as tape:
        yield tape


@pytest.fixture(scope="session")
def todeval_gateway(pytestconfig: pytest.Config) -> Iterator["Gateway"]:
    """Takes the place of model providers for a bot in another process."""
    from pytest_todeval.integration.servers import open_gateway

    with open_gateway(pytestconfig) as gateway:
        yield gateway


@pytest.fixture(scope="session")
def _todeval_connections() -> Iterator["KeptConnections"]:
    """The connections to the models' endpoints, kept open over all dialogues of a run."""
    from contextlib import closing

    from pytest_todeval.models.connections import KeptConnections

    with closing(KeptConnections()) as kept:
        yield kept


@pytest.fixture(scope="session")
def todeval_server(
    pytestconfig: pytest.Config, todeval_gateway: "Gateway"
) -> "Iterator[Callable[..., BotServer]]":
    """Starts a bot's server, `todeval_server("uvicorn app:app")`, and stops it at the end."""
    from pytest_todeval.integration.servers import server_starter

    with server_starter(pytestconfig, todeval_gateway) as start:
        yield start


@pytest.fixture
def todeval_now(todeval_cassette: "Tape") -> "datetime":
    """The clock of the recording: the same in every replay."""
    return todeval_cassette.now


@pytest.fixture
def todeval_seed(todeval_cassette: "Tape") -> int:
    """The seed of the recording: the same in every replay."""
    return todeval_cassette.seed


@pytest.fixture
def after_turn() -> Any:
    """Your check after each turn, given the dialogue so far and the turn; by default None."""
    return None


@pytest.fixture
def dialogue(
    request: pytest.FixtureRequest,
    goal: "Goal",
    user_simulator: Any,
    tod_system: Any,
    backend: Any,
    todeval_tape: "Tape",
    todeval_session: "BotSession",
    after_turn: Any,
) -> Iterator["Dialogue"]:
    """The dialogue between user and bot over this goal, played and evaluated."""
    from pytest_todeval.integration.playing import playing
    from pytest_todeval.integration.resolving import play_of

    play = play_of(request.node, goal)
    who = user_simulator, tod_system, backend
    # The last of the session's fixtures ends first: servers in others are then no longer connected.
    kept = request.getfixturevalue("_todeval_connections")
    own = todeval_tape, after_turn, todeval_session
    with kept.used(), playing(request.node, play, *who, *own) as played:
        yield played


@pytest.fixture
def judge(request: pytest.FixtureRequest) -> "Judge":
    """Scores, rules and verdicts: the rule judge, or a model if one is set."""
    from pytest_todeval.integration.judging import make_judge

    return make_judge(request.node, request.getfixturevalue)


@pytest.fixture(scope="session")
def todeval_models(pytestconfig: pytest.Config) -> "dict[str, tuple[ModelSettings, ...]]":
    """The models set for `user`, `system`, `judge` and `ear`, for bots and judges of one's own."""
    from pytest_todeval.integration.resolving import cast_of

    return {lane.value: models for lane, models in cast_of(pytestconfig).models.items()}


# Results: from the worker that played a dialogue to the process that reports.


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    if concerns(item):
        from pytest_todeval.integration.calls_outside import look_after

        look_after(item)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    __tracebackhide__ = True  # what a check after a turn raised shows its own lines
    if PLAYED in item.stash:
        from pytest_todeval.integration.judging import keep_findings

        keep_findings(item)
        if (raised := item.stash[PLAYED].raised) is not None:
            raise raised
    result = yield
    if PLAYED in item.stash:
        from pytest_todeval.integration.outcomes import require_sound

        require_sound(item.stash[PLAYED])
    elif TAPE in item.stash:
        from pytest_todeval.integration.cassettes_of_tests import require_answers

        require_answers(item)
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    if call.excinfo is not None and "pytest_todeval.errors" in sys.modules:
        from pytest_todeval.integration.tracebacks import end_at_the_suite

        end_at_the_suite(call.excinfo, item.config)
    report = yield
    if EXCLUDED in item.stash:
        report.__dict__[LEFT_OUT] = item.stash[EXCLUDED]
    if PLAYED in item.stash:
        from pytest_todeval.integration.record import attach

        attach(item, item.stash[PLAYED], call, report)
        from pytest_todeval.integration.quarantine import excuse

        excuse(item, report)
    elif TAPE in item.stash:
        from pytest_todeval.integration.cassettes_of_tests import tell

        tell(item, report)
    if report.when == "teardown" and OUTSIDE in item.config.stash:
        from pytest_todeval.integration.calls_outside import told

        report.__dict__[TOLD] = told(item)
    if "pytest_todeval.integration.servers" in sys.modules:
        from pytest_todeval.integration.servers import add_logs

        add_logs(item, report)
    if report.when == "setup" and is_recorded(item):
        report.__dict__[CASSETTE] = str(cassette_path(item))
    return report


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    from pytest_todeval.integration.explain import explain_comparison

    return explain_comparison(op, left, right)
