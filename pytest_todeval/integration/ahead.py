"""`--todeval-concurrency`: dialogues of coming tests are played while earlier ones are.

pytest sets tests up, runs and reports them one after the other, as always. While it is at one, the
dialogues of the tests to come are played by threads; each test then finds its own played. A test
whose fixtures cannot be made early plays alone: before it begins, all others are waited for.
"""

import inspect
import threading
from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.integration.apart import Apart
from pytest_todeval.integration.case import AHEAD, case_of
from pytest_todeval.integration.early_dialogue import EarlyDialogue
from pytest_todeval.integration.early_fixtures import (
    EarlyFixtures,
    PlaysAlone,
    definitions,
    why_alone,
)
from pytest_todeval.integration.known_questions import KnownQuestion, KnownQuestions
from pytest_todeval.integration.markers import play_settings
from pytest_todeval.integration.settings import Settings
from pytest_todeval.integration.terminal import write_lines
from pytest_todeval.models.limits import USUAL, dialogues_at_once
from pytest_todeval.simulation.system import is_factory

if TYPE_CHECKING:
    from pytest_todeval.play.play import Play

TELLING_APART = frozenset({"history", "dialogue_id", "session"})
"""What an object may ask for that answers several dialogues at once."""
LOOKS_AT = 4
"""How many tests to come are looked at for one that may begin, for each dialogue at once."""


def start_ahead(config: pytest.Config) -> None:
    """Plays dialogues of coming tests in this run, if calls are really made or the options say so.

    Raises pytest.UsageError where no process knows which tests it will run.
    """
    settings = Settings.of(config)
    steals = getattr(config.option, "dist", "no") == "worksteal"
    known = not steals and settings.sequential is None
    if settings.concurrency is not None and settings.concurrency > 1 and not known:
        other = "--dist=worksteal" if steals else "--todeval-sequential"
        raise pytest.UsageError(
            f"--todeval-concurrency={settings.concurrency}: with {other} nobody knows which tests "
            "come next; leave out one of the two"
        )
    number = settings.concurrency or (USUAL if known else 1)
    if number > 1:
        ahead = config.stash[AHEAD] = Ahead(config, number)
        config.pluginmanager.register(ahead, "todeval-ahead")


class Ahead:
    """Begins dialogues of coming tests, at most so many at once, and gives each test its own."""

    def __init__(self, config: pytest.Config, at_once: int) -> None:
        self._config, self._at_once = config, at_once
        self._early: dict[str, EarlyDialogue] = {}
        self._places: dict[str, int] = {}
        self._alone: dict[str, str] = {}
        self._over = threading.Condition()
        self._apart = Apart(config)
        self._one_for_all = ""
        self._questions: dict[str, KnownQuestions] = {}
        self._servers = Settings.of(config).concurrency is not None

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_make_scheduler(self, config: pytest.Config, log: Any) -> Any:
        """Of pytest-xdist: who hands tests out to processes; None for its own way."""
        if config.getoption("dist") != "load":
            return None
        from pytest_todeval.integration.one_at_a_time import EnoughToPlay

        return EnoughToPlay(config, log, self._at_once)

    @pytest.hookimpl(tryfirst=True)  # the terminal asks for the line below in this hook
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self._places = {item.nodeid: place for place, item in enumerate(session.items)}
        for item in session.items:
            if why := why_alone(item, self._servers):
                self._alone[item.nodeid] = why

    @pytest.hookimpl(trylast=True)
    def pytest_report_collectionfinish(self, items: Sequence[pytest.Item]) -> Sequence[str]:
        """How many dialogues are played at once, which are not, and the fixture that is why."""
        cases = [item for item in items if case_of(item) is not None]
        if not cases:
            return []
        whys = Counter(self._alone[each.nodeid] for each in cases if each.nodeid in self._alone)
        told = "; ".join(f"{count} alone: {why}" for why, count in whys.most_common())
        return [f"todeval: {self._at_once} dialogues at once" + (f" ({told})" if told else "")]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self) -> Generator[None, object, object]:
        """Returns what tests ask, and threads that begin meanwhile, may be asked at once."""
        with dialogues_at_once(self._at_once):
            return (yield)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        if item.nodeid in self._alone:
            self._wait_for_all()

    @pytest.hookimpl(tryfirst=True)
    def pytest_fixture_setup(self, fixturedef: Any, request: Any) -> object:
        """Returns the value that was made early, if there is one; None has pytest make it."""
        if fixturedef.scope != "function":
            return None
        name, early = fixturedef.argname, self._early.get(request.node.nodeid)
        last = definitions(request.node, name)
        if early is None:
            return None
        if not last or fixturedef is not last[-1] or name not in early.fixtures.made:
            return None
        if name == "todeval_tape":
            fixturedef.addfinalizer(early.close)
        value = early.fixtures.made[name]
        if value is not None:
            fixturedef.cached_result = (value, fixturedef.cache_key(request), None)
        return value

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self._one_for_all:
            told = (
                f"todeval: one object of {self._one_for_all} answers all dialogues, so they were "
                "played one after the other: have `tod_system` return the class, or a factory"
            )
            write_lines(terminalreporter, [told])

    def wait_for(
        self, item: pytest.Item, play: "Play", made: Mapping[str, Any]
    ) -> EarlyDialogue | None:
        """The dialogue of the running test, once it is over; None if it is not played by a thread.

        Meanwhile others begin. `made` are the values of its fixtures.
        """
        if item.nodeid not in self._early:
            self._begin(item, play, made)
        early = self._early.get(item.nodeid)
        if early is None:
            return None
        self._begin_others(item)
        while not early.over:
            with self._over:
                if not early.over:
                    self._over.wait(1.0)
            self._begin_others(item)
        early.kept.give_out()
        return early

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> None:
        early = self._early.pop(item.nodeid, None)
        if early is not None:
            self._questions_of(item).end_of_test()
            early.leave()
            early.close()

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        """The run is over, perhaps before its last test: what was paid for stays in journals."""
        for early in self._early.values():
            early.break_off()
        self._early.clear()
        self._apart.close()

    def _begin(self, item: pytest.Item, play: "Play", made: Mapping[str, Any]) -> None:
        """Has a thread play the dialogue of the test that pytest has just set up."""
        fixtures = EarlyFixtures(item, item)
        fixtures.made.update(made)
        self._apart.watch_streams()
        if item.nodeid not in self._alone and self._may_be_shared(made["tod_system"]):
            self._start(item, EarlyDialogue(item, play, fixtures, self._questions_of(item)))

    def _begin_others(self, running: pytest.Item) -> None:
        """Begins dialogues to come until there are as many as may be."""
        under_way = [each.name for each in self._early.values() if not each.over]
        passed_over = set[str]()
        for item in islice(self._coming(running), LOOKS_AT * self._at_once):
            if len(under_way) >= self._at_once:
                return
            name, case = "", case_of(item)
            if case is not None and case.is_drawn:
                continue
            if case is not None:
                name = f"{case.goal.name}#{case.trial}"
            may = item.nodeid not in self._alone and name not in passed_over
            if item.nodeid in self._early:
                continue
            early = self._made(item, running) if may else None
            if early is None:
                passed_over.add(name)  # a later test of this goal waits for it
                continue
            self._start(item, early)
            under_way.append(early.name)

    def _made(self, item: pytest.Item, running: pytest.Item) -> EarlyDialogue | None:
        """Returns the dialogue of a test, ready to begin; None if that has to wait for the test."""
        from pytest_todeval.integration.resolving import play_of

        fixtures = EarlyFixtures(item, running)
        try:
            play = play_of(item, fixtures.of("goal"))
            name = fixtures.of("todeval_session").dialogue
            if any(each.name == name for each in self._early.values()):
                return None  # its calls could not be told from those of the other
            if play.impossible() is not None or play.exclude_trivial:
                return None
            if not self._may_be_shared(fixtures.of("tod_system")):
                return None
            fixtures.make()
        except PlaysAlone:
            fixtures.ends.close()
            return None
        except (Exception, pytest.fail.Exception, pytest.skip.Exception):
            fixtures.ends.close()  # its own test will meet it, and say so
            return None
        return EarlyDialogue(item, play, fixtures, self._questions_of(item))

    def _questions_of(self, item: pytest.Item) -> KnownQuestions:
        """Returns those of the tests that have their function in common."""
        function = item.nodeid.partition("[")[0]
        if function not in self._questions:
            self._questions[function] = KnownQuestions(play_settings(item).asks)
        return self._questions[function]

    def asks(self, item: pytest.Item, dialogue: Dialogue, asked: KnownQuestion) -> None:
        """A test asks the judge about its dialogue: the first of its function sets the example."""
        self._questions_of(item).add(asked, dialogue)

    def _start(self, item: pytest.Item, early: EarlyDialogue) -> None:
        self._early[item.nodeid] = early
        early.start(self._over)

    def _coming(self, running: pytest.Item) -> Iterator[pytest.Item]:
        """Returns the tests that this process will run after this one, as far as it knows."""
        items = running.session.items
        if not hasattr(self._config, "workerinput"):
            yield from islice(items, self._places[running.nodeid] + 1, None)
            return
        for worker in self._config.pluginmanager.get_plugins():
            queue = getattr(worker, "torun", None)  # pytest-xdist: of the plugin that runs tests
            if queue is not None:
                with queue.lock() as queued:
                    numbers = [worker.nextitem_index, *queued]
                yield from (items[number] for number in numbers if isinstance(number, int))

    def _may_be_shared(self, bot: Any) -> bool:
        """Whether several dialogues may have this bot at once; the summary names one that is not.

        A class or a factory makes each its own, and a function keeps nothing; an object has to ask
        for `history` or for which dialogue it is.
        """
        while isinstance(bot, partial):
            bot = bot.func
        if isinstance(bot, str) or isinstance(getattr(bot, "url", None), str):
            return self._servers
        if isinstance(bot, type) or inspect.isfunction(bot) or inspect.isbuiltin(bot):
            return True
        if not hasattr(bot, "respond") and callable(bot) and is_factory(bot):
            return True
        asks = set(inspect.signature(getattr(bot, "respond", bot)).parameters)
        if asks.isdisjoint(TELLING_APART):
            self._one_for_all = type(bot).__name__
            return False
        return True

    def _wait_for_all(self) -> None:
        with self._over:
            self._over.wait_for(lambda: all(each.over for each in self._early.values()))
