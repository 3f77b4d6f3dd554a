"""A dialogue that a thread plays before its test begins, and the judge's answers about it."""

import random
import threading
from concurrent.futures import Future
from contextlib import suppress
from contextvars import copy_context
from typing import TYPE_CHECKING

import pytest

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.integration.apart import OwnOutput
from pytest_todeval.integration.early_fixtures import EarlyFixtures
from pytest_todeval.integration.known_questions import KnownQuestions
from pytest_todeval.simulation.stage import CLOSING

if TYPE_CHECKING:
    from pytest_todeval.play.play import Play


class EarlyDialogue:
    """A dialogue that a thread plays, perhaps before its test begins."""

    def __init__(
        self, item: pytest.Item, play: "Play", fixtures: EarlyFixtures, questions: KnownQuestions
    ) -> None:
        from pytest_todeval.models.usage import Ledger

        self._item, self._play, self.fixtures = item, play, fixtures
        self._questions = questions
        self._leaves = threading.Event()
        self.name: str = fixtures.of("todeval_session").dialogue
        self.asked: Ledger = Ledger()
        """What it asked of models."""
        self.drew = False
        """Whether random numbers were drawn meanwhile, by it or by another."""
        self.kept = OwnOutput()
        self._done: Future[tuple[Dialogue, BaseException | None]] = Future()

    @property
    def over(self) -> bool:
        return self._done.done()

    def result(self) -> tuple[Dialogue, BaseException | None]:
        """The dialogue, and what a check after a turn raised; raises what playing it raised."""
        return self._done.result()

    def start(self, over: threading.Condition) -> None:
        """Plays it in a thread, in the context of the caller; `over` is notified at its end."""
        context = copy_context()
        self._thread = threading.Thread(
            target=context.run, args=(self._run, over), name=f"todeval {self.name}", daemon=True
        )
        self._thread.start()

    def _run(self, over: threading.Condition) -> None:
        from pytest_todeval.models.run_models import run_models
        from pytest_todeval.models.usage import ledger

        with run_models(self._play.cast.run_models), ledger(self.asked), self.kept.here():
            self._perform(over)
            self._ask()

    def _perform(self, over: threading.Condition) -> None:
        from pytest_todeval.integration.playing import perform

        of, numbers = self.fixtures.of, random.getstate()
        who = (of("user_simulator"), of("tod_system"), of("backend"), of("todeval_tape"))
        own = (of("after_turn"), of("todeval_session"))
        try:
            played = perform(self._play, *who, *own)
        except BaseException as error:
            self._done.set_exception(error)
        else:
            self.drew = random.getstate() != numbers
            self._done.set_result(played)
        with over:
            over.notify_all()

    def _ask(self) -> None:
        """Asks the judge what the test will ask: its answers are kept for the dialogue."""
        from pytest_todeval.core.lane import Lane, in_lane
        from pytest_todeval.integration.judging import make_judge

        if self._done.exception() is not None:
            return
        dialogue, raised = self.result()
        if raised or dialogue.fault:
            return
        with in_lane(self.name, Lane.JUDGE), suppress(Exception):  # the test will meet it
            judge = make_judge(self._item, self.fixtures.of, keeps=False)
            if not judge.asks_models:
                return
            for asked in self._questions.about(dialogue, self._leaves):
                with suppress(Exception):
                    judge.ask(asked.question, dialogue, *asked.arguments, **asked.options)

    def leave(self) -> None:
        """The test is over: no further question is begun, and the last one is waited for."""
        self._leaves.set()
        self._questions.wake()
        self._thread.join()

    def break_off(self) -> None:
        """Its test will not run: calls under way are kept, its session is closed."""
        self._leaves.set()
        self._questions.wake()
        self.fixtures.of("todeval_tape").end_calls()
        if not self.over:
            self.fixtures.of("todeval_session").close_now(CLOSING)
        self.close()

    def close(self) -> None:
        """Its tape is closed; what was recorded and not put in a cassette stays in the journal."""
        self.fixtures.ends.close()
