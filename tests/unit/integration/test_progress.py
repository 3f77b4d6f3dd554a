"""Where a long dialogue is: what the line says, and that pytest's own line stays as it is."""

from collections.abc import Iterator

import pytest

from pytest_todeval.core.deadline import waited_for
from pytest_todeval.core.lane import Lane, in_lane
from pytest_todeval.integration import progress
from pytest_todeval.integration.progress import ProgressLine, StatusLine
from pytest_todeval.models.limits import Limiter, Passage
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.models.usage import Ledger, ModelCall, Spent
from tests.support.terminal import Screen


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Shown:
    """A run's progress on a screen; time passes only when it is told to."""

    def __init__(self, *, spread: bool = False, width: int = 200) -> None:
        self.screen, self.clock, self.asked = Screen(), Clock(), Ledger()
        line = StatusLine(self.screen.write, lambda: width, lambda: self.screen.column)
        self.progress = ProgressLine(line, spread=spread, clock=self.clock)

    def after(self, seconds: float) -> str:
        """What stands below pytest's line then."""
        self.clock.now += seconds
        self.progress.look()
        return "\n".join(self.screen.text.splitlines()[1:])


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Iterator[Shown]:
    monkeypatch.setattr(progress, "EVERY", 1e6)  # nobody looks but the test
    found = Shown()
    found.screen.write("test_bot.py ..")
    yield found
    found.progress.close()


def call(asked: Ledger, model: str, tokens: int) -> None:
    asked.calls.append(ModelCall(model, None, Spent(tokens, tokens)))


def passage(clock: Clock, timeout: float, waited_for: float | None = None) -> Passage:
    """A call that reaches the network now."""
    made = Passage(Limiter(), ModelSettings("gpt-4o", timeout=timeout))
    made.asked_at, made.waited_for = clock.now, waited_for
    return made


def test_a_short_dialogue_shows_nothing(shown: Shown) -> None:
    shown.progress.begin("test_it[demo/1]", shown.asked)
    assert shown.after(4) == ""
    shown.progress.end()
    assert shown.after(400) == ""
    assert shown.screen.text == "test_bot.py .."


def test_a_long_one_shows_test_turn_lane_seconds_and_tokens(shown: Shown) -> None:
    shown.progress.begin("test_it[demo/1]", shown.asked)
    assert shown.after(6) == "todeval: test_it[demo/1]: begins, 6 s, 6 s in all"
    with in_lane("demo/1#0", Lane.USER, 1):
        assert shown.after(3) == "todeval: test_it[demo/1]: turn 1, the user for 3 s, 9 s in all"
    call(shown.asked, "m", 1000)
    with in_lane("demo/1#0", Lane.SYSTEM, 2):
        found = shown.after(30)
    assert found == "todeval: test_it[demo/1]: turn 2, the bot for 30 s, 39 s in all, 2,000 tokens"
    with in_lane("demo/1#0", Lane.JUDGE):
        found = shown.after(1)
    assert found == "todeval: test_it[demo/1]: the judge for 1 s, 40 s in all, 2,000 tokens"


@pytest.mark.parametrize(
    ("timeout", "waited_for", "said"),
    [
        (120, None, "timeout 120 s (`timeout` of the model)"),
        (120, 300, "timeout 120 s (`timeout` of the model)"),
        (120, 60, "timeout 60 s (todeval_turn_timeout)"),
    ],
)
def test_a_model_that_answers_for_long_is_named_with_what_ends_it(
    shown: Shown, timeout: float, waited_for: float | None, said: str
) -> None:
    shown.progress.begin("t", shown.asked)
    with in_lane("demo/1#0", Lane.JUDGE):
        shown.asked.under_way.add(passage(shown.clock, timeout, waited_for))
        assert "answering" not in shown.after(9)
        shown.asked.under_way.add(passage(shown.clock, 7))  # another, that began later
        found = shown.after(36)
    assert found == (
        "todeval: t: the judge for 45 s, 45 s in all, the judge's model gpt-4o answering for "
        f"45 s; {said}"
    )


def test_a_call_that_waits_for_a_limit_or_is_replayed_answers_nothing(shown: Shown) -> None:
    shown.progress.begin("t", shown.asked)
    waiting = passage(shown.clock, 60)
    waiting.asked_at = None
    shown.asked.under_way.add(waiting)
    assert shown.after(50) == "todeval: t: begins, 50 s, 50 s in all"


def test_when_a_call_reached_the_network_is_known_and_for_how_long_it_is_waited_for() -> None:
    made = Passage(Limiter(), ModelSettings("m"))
    assert made.asked_at is None
    with waited_for(1000):
        made.wait()
    assert made.asked_at is not None
    assert made.waited_for is not None
    assert 0 < made.waited_for <= 1000


def test_pytests_line_goes_on_where_it_was(shown: Shown) -> None:
    shown.progress.begin("t", shown.asked)
    for _ in range(3):
        assert shown.after(6) != ""
    shown.progress.pytest_runtest_logreport()
    shown.screen.write(".                  [100%]")
    assert shown.screen.text == "test_bot.py ...                  [100%]"


def test_whoever_writes_has_the_terminal_to_itself_for_a_moment(shown: Shown) -> None:
    shown.progress.begin("t", shown.asked)
    shown.after(9)
    shown.progress.pytest_runtest_logreport()
    assert shown.after(0.4) == ""
    assert shown.after(0.2) != ""


def test_a_debugger_has_it_until_it_is_left(shown: Shown) -> None:
    shown.progress.begin("t", shown.asked)
    assert shown.after(9) != ""
    shown.progress.pytest_enter_pdb()
    assert shown.after(900) == ""
    shown.progress.pytest_leave_pdb()
    assert shown.after(1) != ""


def test_what_is_shown_is_one_line_of_this_terminal() -> None:
    narrow = Shown(width=30)
    narrow.progress.begin("t\x1b[2J\n\x07" + "x" * 90, narrow.asked)
    found = narrow.after(9)
    assert len(found) <= 29
    assert found.startswith("todeval: t")
    assert found.isprintable()
    narrow.progress.close()


def test_of_tests_in_other_processes_the_longest_is_named(shown: Shown) -> None:
    shown.progress._spread = True
    shown.progress.pytest_runtest_logstart("test_bot.py::test_a")
    assert shown.after(15) == ""
    shown.progress.pytest_runtest_logstart("test_bot.py::test_b")
    assert shown.after(15) == (
        "todeval: 2 tests under way, the longest for 30 s: test_bot.py::test_a"
    )
    shown.progress.pytest_runtest_logfinish("test_bot.py::test_a")
    assert shown.after(15) == "todeval: a test under way for 30 s: test_bot.py::test_b"
    shown.progress.pytest_runtest_logfinish("test_bot.py::test_b")
    shown.progress.pytest_runtest_logreport()
    assert shown.after(99) == ""


def test_nobody_watches_once_the_run_is_over(shown: Shown) -> None:
    shown.progress.begin("t", shown.asked)
    thread = shown.progress._thread
    shown.progress.pytest_sessionfinish()
    assert thread is not None
    assert not thread.is_alive()
    with in_lane("demo/1#0", Lane.USER, 1):
        assert shown.after(99) == "todeval: t: begins, 99 s, 99 s in all"
