"""Tests whose goals Hypothesis draws: each example is set up, played and torn down like a test.

An example is a copy of the test with a goal of its own, run by pytest's own protocol: all its
fixtures are fresh. What is reported is one test, with the smallest example that fails.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from _pytest.runner import runtestprotocol

from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.errors import TodevalError, UsageError
from pytest_todeval.integration.case import EXAMPLES, NOT_COUNTED, PAYLOAD, PLAYED, Case
from pytest_todeval.integration.cassette_options import cassette_path
from pytest_todeval.integration.plain_errors import plain_errors
from pytest_todeval.integration.settings import Settings
from pytest_todeval.integration.terminal import add_section
from pytest_todeval.worlds.goal_set import GoalSet
from pytest_todeval.worlds.world import World

if TYPE_CHECKING:
    from pytest_todeval.core.dialogue import Dialogue
    from pytest_todeval.play.conversation import DrawnConversation
    from pytest_todeval.properties.relations import Relation

MARKER = "property_goals"
PLACE = "drawn"
"""What stands in the id of such a test in place of a goal."""
MANNER = ("style", "noise", "faults", "seed")
"""What else `@given` may draw beside a goal, by the name of the argument."""
SAYS_NOTHING = (Outcome.SIMULATOR_FAULT, Outcome.JUDGE_FAULT, Outcome.ORACLE_FAULT)
"""An example that ends so says nothing about the bot; another is drawn."""
Reports = Sequence[pytest.TestReport]


def is_given(function: Any) -> bool:
    """Says whether Hypothesis' `@given` is on a test."""
    return getattr(function, "is_hypothesis_test", False) is True


def draw_goals(metafunc: pytest.Metafunc) -> None:
    """Has a test ask for drawn goals: one test, as many dialogues as it has examples."""
    mark = metafunc.definition.get_closest_marker(MARKER)
    name = "given"
    goals = GoalSet(name, (), "", World())
    try:
        if mark is not None:
            if is_given(metafunc.function):
                raise UsageError(f"marker {MARKER}: leave it out beside @given, which draws goals")
            if "goal" not in metafunc.fixturenames:
                raise UsageError(f"marker {MARKER}: add an argument `dialogue` (or `goal`)")
            goals = asked_for(metafunc.definition)[2]
        _relations(metafunc.definition)
    except TodevalError as error:
        where = metafunc.definition.nodeid
        raise pytest.Collector.CollectError(f"{where}: {error}") from None
    stands = Case(Goal(PLACE, goals.name, ()), goals, is_drawn=True)
    metafunc.parametrize("goal", [stands], indirect=True, ids=[f"{goals.name}/{PLACE}"])


def asked_for(item: pytest.Item) -> tuple[Any, int, GoalSet]:
    """What the marker draws, how many examples, and from which goal set. Raises UsageError."""
    from pytest_todeval.integration.markers import bound
    from pytest_todeval.properties.source import loading, source_of
    from pytest_todeval.strategies import conversations

    def read(
        source: Any,
        *,
        domains: Any = None,
        satisfiable: bool | None = True,
        steps: int = 4,
        styles: bool = True,
        noise: bool = False,
        faults: bool = False,
        max_examples: int = 100,
    ) -> tuple[Any, int, GoalSet]:
        if isinstance(max_examples, bool) or not isinstance(max_examples, int) or max_examples < 1:
            raise UsageError(f"{MARKER}: max_examples: got {max_examples!r}, expected 1 or more")
        strategy = conversations(
            source,
            domains=domains,
            satisfiable=satisfiable,
            steps=steps,
            styles=styles,
            noise=noise,
            faults=faults,
        )
        found = source_of(source)
        found.domains(domains)
        return strategy, max_examples, found.goal_set

    mark = item.get_closest_marker(MARKER)
    assert mark is not None
    with loading(item.path.parent, Settings.of(item.config).places):
        asked: tuple[Any, int, GoalSet] = bound(read, mark)
    return asked


def run_examples(item: pytest.Function, nextitem: pytest.Item | None) -> None:
    """The whole of a test that draws goals, with its reports."""
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    examples = _Examples(item)
    reports = examples.reports()
    session: Any = item.session
    call = pytest.CallInfo.from_call(
        lambda: session._setupstate.teardown_exact(nextitem), when="teardown"
    )
    if call.excinfo is not None:  # of a fixture that outlives the test
        reports = [*reports, item.ihook.pytest_runtest_makereport(item=item, call=call)]
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)


class _Failed(Exception):
    """An example fails; a subclass for each line of a test that does."""


class _Ended(BaseException):
    """There is no point in further examples."""


class _Examples:
    """The examples of one test."""

    def __init__(self, item: pytest.Function) -> None:
        self._item = item
        self._last: Reports = ()
        self._failing: Reports = ()
        self._smallest: DrawnConversation | None = None
        self._failure = _Failed()
        self._dialogue: Dialogue | None = None
        self._under_way = item
        self._relations = _relations(item)
        self._drawn: Mapping[str, Any] = {}
        self._played = self._until_failure = 0
        self._said_nothing: Counter[str] = Counter()
        self._passed: dict[str, dict[str, Any]] = {}
        self._causes: dict[object, type[_Failed]] = {}

    def reports(self) -> Reports:
        """Returns what is told of the test."""
        from pytest_todeval.properties.source import loading

        told = ""
        try:
            with loading(self._item.path.parent, Settings.of(self._item.config).places):
                self._test()()
        except (_Failed, _Ended):
            pass
        except (KeyboardInterrupt, pytest.exit.Exception):
            raise
        except BaseException as error:  # Hypothesis gives up: a test that is not the same twice
            if not isinstance(error, Exception):
                raise
            told = f"{type(error).__name__}: {error}"
        found = self._failing or self._last
        return self._told(found, told) if found else [self._error(told)]

    def _test(self) -> Callable[[], None]:
        """What Hypothesis runs: the marker's, or the test itself with its examples in our hands."""
        item = self._item
        if is_given(item.obj):
            return self._given
        from hypothesis import given

        strategy, most, _ = asked_for(item)

        def example(conversation: Any) -> None:
            self._example({"conversation": conversation}, item.obj, {})

        name = "".join(c if c.isalnum() else "_" for c in f"_{item.nodeid}")
        example.__name__ = example.__qualname__ = name  # what its database goes by
        test = self._settings(most)(given(conversation=strategy)(example))
        return test  # type: ignore[no-any-return]

    def _given(self) -> None:
        function: Any = getattr(self._item.obj, "__func__", self._item.obj)
        handle = function.hypothesis
        inner, settings = handle.inner_test, function._hypothesis_internal_use_settings
        lacking = dict.fromkeys(self._item._fixtureinfo.argnames)

        def example(*instance: Any, **drawn: Any) -> None:
            drawn = {n: value for n, value in drawn.items() if n not in lacking and n != "self"}
            self._example(drawn, inner, drawn)

        example.__name__ = example.__qualname__ = inner.__name__
        handle.inner_test = example
        function._hypothesis_internal_use_settings = self._settings(None, settings)
        try:
            self._item.obj(**lacking)
        finally:
            handle.inner_test, function._hypothesis_internal_use_settings = inner, settings

    def _settings(self, most: int | None, given: Any = None) -> Any:
        """Of Hypothesis: a dialogue takes its time; what was recorded is drawn again."""
        from hypothesis import HealthCheck, Phase, settings

        own: dict[str, Any] = {} if most is None else {"max_examples": most}
        if self._recorded():
            own |= {"derandomize": True, "database": None}
        return settings(
            given,
            deadline=None,
            report_multiple_bugs=False,
            phases=[
                phase for phase in Phase if phase is not Phase.shrink and phase.name != "explain"
            ],
            suppress_health_check=list(HealthCheck),
            **own,
        )

    def _recorded(self) -> bool:
        """Says whether examples of this test were recorded, or are being."""
        folder = cassette_path(self._item).parent
        return Settings.of(self._item.config).record not in ("replay", "live") or (
            folder.is_dir() and any(folder.glob(f"{self._item.originalname}*"))
        )

    def _example(
        self, drawn: Mapping[str, Any], function: Any, arguments: Mapping[str, Any]
    ) -> None:
        """Plays one, and tell Hypothesis what came of it."""
        from hypothesis import reject

        if self._failing:  # Hypothesis makes sure of it: it has been seen, and made smaller
            raise self._failure
        found = self._play(_conversation(drawn), function, arguments)
        if isinstance(found, _Failed):
            self._until_failure = self._played
            self._failure, self._drawn = found, arguments
            self._shrink(drawn, function)
            raise found
        if found:
            self._said_nothing[found] += 1
            reject()

    def _shrink(self, drawn: Mapping[str, Any], function: Any) -> None:
        """Finds what can be left out of the example that just failed."""
        from pytest_todeval.properties.smaller import smallest

        kind = type(self._failure)
        best = self._failing

        def fails(smaller: "DrawnConversation") -> bool:
            nonlocal best
            arguments = {**drawn, **_replaced(drawn, smaller)} if self._drawn else {}
            fails = type(self._play(smaller, function, arguments)) is kind
            if fails:
                best, self._drawn = self._failing, arguments
            return fails

        self._smallest = smallest(_conversation(drawn), fails)
        self._failing = best

    def _play(
        self, conversation: "DrawnConversation", function: Any, arguments: Mapping[str, Any]
    ) -> "_Failed | str":
        """Returns how it fails; else why it says nothing about the bot, or nothing: it passes."""
        found = self._once(conversation, function, arguments)
        first = self._dialogue
        if found or first is None:
            return found
        for relation in self._relations:
            other = relation.other(conversation)
            if other is None:
                continue
            if isinstance(self._once(other, self._check(relation, first), {}), _Failed):
                self._relations = (relation,)  # while it is made smaller
                return self._causes.setdefault(relation, type(relation.name, (_Failed,), {}))()
        return ""

    def _check(self, relation: "Relation", first: "Dialogue") -> Callable[..., None]:
        """Returns the body of a test whose dialogue is held against the first."""
        from pytest_todeval.properties.relations import told

        def check(*_: Any, **fixtures: Any) -> None:
            second = self._under_way.stash[PLAYED].dialogue
            if why := relation.broken(first, second):
                pytest.fail(told(relation, why, first, second), pytrace=False)

        return check

    def _once(
        self, conversation: "DrawnConversation", function: Any, arguments: Mapping[str, Any]
    ) -> "_Failed | str":
        item = self._under_way = self._copy(conversation, function, arguments)
        self._played += 1
        self._last = reports = runtestprotocol(item, log=False, nextitem=self._item)
        self._dialogue = item.stash[PLAYED].dialogue if PLAYED in item.stash else None
        session = self._item.session
        if session.shouldstop or session.shouldfail:
            raise _Ended
        failed = next((report for report in reports if report.failed), None)
        skipped = any(report.skipped for report in reports)
        payload = next((r.__dict__[PAYLOAD] for r in reports if PAYLOAD in r.__dict__), None)
        outcome = None if payload is None else payload["entry"]["outcome"]
        if failed is None and not skipped:
            if payload is not None and not self._failing:
                self._passed[item.nodeid] = payload
            return ""
        if skipped or outcome in SAYS_NOTHING:
            return str(outcome or "skipped")
        assert failed is not None
        if outcome != Outcome.FAILED:
            self._failing = self._failing or reports
            raise _Ended
        self._failing = reports
        return self._cause(failed)

    def _cause(self, report: pytest.TestReport) -> _Failed:
        """Hypothesis tells failures apart by class: shrinking shall stay with one."""
        crash = getattr(report.longrepr, "reprcrash", None)
        key = (crash.path, crash.lineno) if crash is not None else report.longreprtext[:80]
        kind = self._causes.setdefault(key, type(f"Failed{len(self._causes)}", (_Failed,), {}))
        return kind()

    def _copy(
        self, conversation: "DrawnConversation", function: Any, arguments: Mapping[str, Any]
    ) -> pytest.Function:
        """Returns the test with this goal, as pytest runs it."""
        from pytest_todeval.properties.source import set_of

        goals = set_of(conversation.goal)
        assert goals is not None
        case = Case(conversation.goal, goals, conversation=conversation)
        test: Any = self._item
        place = f"{test.callspec.params['goal'].goal_set.name}/{PLACE}"
        name = f"{conversation.goal.source}/{conversation.name}"
        item: Any = type(test).from_parent(
            test.parent,
            name=test.name.replace(place, name),
            originalname=test.originalname,
            callspec=replace(
                test.callspec,
                params={**test.callspec.params, "goal": case},
                _idlist=[name if each == place else each for each in test.callspec._idlist],
            ),
            fixtureinfo=test._fixtureinfo,
        )
        if function is not test.obj:
            own = (item.obj.__self__,) if hasattr(item.obj, "__self__") else ()

            def played(**fixtures: Any) -> None:
                __tracebackhide__ = True
                function(*own, **arguments, **fixtures)

            item._obj = played
        return item  # type: ignore[no-any-return]

    def _told(self, reports: Reports, why: str) -> Reports:
        """Returns the reports of the last example, or of the smallest that fails, as the test's."""
        for report in reports:
            report.nodeid, report.location = self._item.nodeid, self._item.location
        call = next((each for each in reports if each.failed), reports[-1])
        if reports is not self._failing:  # it is among those that passed
            for report in reports:
                report.__dict__.pop(PAYLOAD, None)
        call.__dict__[EXAMPLES] = [*self._passed.values()]
        if self._failing and self._smallest is not None:
            add_section(call, "smallest goal", "\n".join(self._lines(self._smallest)))
        if self._said_nothing:
            told = ", ".join(f"{n} ended in {what}" for what, n in self._said_nothing.items())
            call.__dict__[NOT_COUNTED] = (
                f"{self._item.nodeid}: of {self._played} dialogues {told}: not counted"
            )
        if why and not self._failing:
            return [*reports[:-1], self._error(why)]
        return reports

    def _lines(self, smallest: "DrawnConversation") -> Sequence[str]:
        from pytest_todeval.properties.pinning import pinned

        before = self._until_failure
        shrunk = self._played - before
        how = f"found by dialogue {before}, made smaller in {shrunk} more"
        return pinned(smallest, how, self._drawn)

    def _error(self, why: str) -> pytest.TestReport:
        """Returns that the examples could not be had."""

        def fail() -> None:
            with plain_errors():
                raise UsageError(why or "no example was played")

        call = pytest.CallInfo.from_call(fail, when="call")
        return pytest.TestReport.from_item_and_call(self._item, call)


def _relations(item: pytest.Item) -> "tuple[Relation, ...]":
    """Returns those that the marker asks for. Raises UsageError."""
    mark = item.get_closest_marker("relations")
    if mark is None:
        return ()
    from pytest_todeval.properties.relations import chosen

    return chosen(mark.args)


def _conversation(drawn: Mapping[str, Any]) -> "DrawnConversation":
    """Returns what is played of what was drawn. Raises UsageError if that is not one thing."""
    from pytest_todeval.play.conversation import DrawnConversation

    found = [each for each in drawn.values() if isinstance(each, Goal | DrawnConversation)]
    if len(found) != 1:
        raise UsageError(
            f"@given beside a dialogue draws one goal or conversation, got {len(found)}: "
            "@given(goal=goals('demo')), from pytest_todeval.strategies"
        )
    if isinstance(found[0], DrawnConversation):
        return found[0]
    manner = {name: drawn[name] for name in MANNER if name in drawn}
    return DrawnConversation(goal=found[0], **manner)


def _replaced(drawn: Mapping[str, Any], smaller: "DrawnConversation") -> Mapping[str, Any]:
    """Returns what `@given` would have drawn for a smaller conversation."""
    from pytest_todeval.play.conversation import DrawnConversation

    return {
        name: smaller
        if isinstance(value, DrawnConversation)
        else smaller.goal
        if isinstance(value, Goal)
        else getattr(smaller, name)
        for name, value in drawn.items()
        if isinstance(value, DrawnConversation | Goal) or name in MANNER
    }
