"""Where a long dialogue is, in a line below pytest's own: on a terminal only.

pytest's line stays as it is: the line below is written and erased, and the cursor goes back. So it
shows nothing if something else writes while a test runs: output that is not captured, live logs.
"""

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from pytest_todeval.core.lane import Lane, Place, watch
from pytest_todeval.shown import in_line

if TYPE_CHECKING:
    from pytest_todeval.models.limits import Passage
    from pytest_todeval.models.usage import Ledger

PROGRESS = pytest.StashKey["ProgressLine"]()
EVERY = 1.0
"""Seconds between two looks."""
PAUSE = 0.5
"""Seconds for which whoever writes has the terminal to itself."""
LONG = 5.0
"""Seconds after which a dialogue is a long one."""
LONG_CALL = 10.0
"""Seconds after which an answer takes long."""
LONG_TEST = 20.0
"""Seconds after which a test of another process is a long one."""
WHO = {Lane.USER: "the user", Lane.SYSTEM: "the bot", Lane.JUDGE: "the judge", Lane.EAR: "the ear"}
Clock = Callable[[], float]


def start_progress(config: pytest.Config) -> None:
    """Shows progress in this run if its terminal is one, and nothing else writes to it."""
    terminal = config.pluginmanager.get_plugin("terminalreporter")
    quiet = os.environ.get("CI") or _others_write(config) or not _is_terminal(sys.stdout)
    if terminal is None or quiet:
        return
    # While a test runs its output goes elsewhere: this is where the terminal is.
    out = os.dup(sys.stdout.fileno())
    config.add_cleanup(lambda: os.close(out))
    writer = terminal._tw

    def write(text: str) -> None:
        os.write(out, text.encode("utf-8", "replace"))

    line = StatusLine(write, lambda: writer.fullwidth, lambda: writer.width_of_current_line)
    spread = bool(config.pluginmanager.hasplugin("dsession"))
    progress = config.stash[PROGRESS] = ProgressLine(line, spread=spread)
    config.pluginmanager.register(progress, "todeval-progress")


def _others_write(config: pytest.Config) -> bool:
    """Says whether something writes to the terminal while a test runs."""
    if config.getoption("capture", "no") not in ("fd", "sys") or config.getoption("setupshow", ""):
        return True
    if not config.pluginmanager.hasplugin("logging"):
        return False
    asked = config.getoption("log_cli_level", None)
    return bool(asked or config.getini("log_cli") or config.getini("log_cli_level"))


def _is_terminal(file: Any) -> bool:
    known = os.environ.get("TERM", "dumb") != "dumb" and os.name == "posix"
    try:
        return known and os.isatty(file.fileno())
    except (AttributeError, OSError, ValueError):
        return False


@contextmanager
def shown(item: pytest.Item, asked: "Ledger") -> Iterator[None]:
    """While a dialogue is played and judged in the body, tell where it is if it takes long."""
    progress = item.config.stash.get(PROGRESS, None)
    if progress is None:
        yield
        return
    progress.begin(item.name, asked)
    try:
        yield
    finally:
        progress.end()


class StatusLine:
    """A line below the one that the cursor is in, which goes back to its column."""

    def __init__(
        self, write: Callable[[str], None], width: Callable[[], int], column: Callable[[], int]
    ) -> None:
        """`column`: characters that stand before the cursor."""
        self._write, self._width, self._column = write, width, column
        self._stands = False

    def show(self, text: str) -> None:
        """Puts a text there, cut to the width of the terminal."""
        self._put(in_line(text)[: self._width() - 1])
        self._stands = True

    def clear(self) -> None:
        if self._stands:
            self._put("")
            self._stands = False

    def _put(self, text: str) -> None:
        column = self._column()
        back = f"\x1b[{column}C" if column else ""
        self._write(f"\n\x1b[2K{text}\r\x1b[A{back}")


class ProgressLine:
    """What is under way in a run: the dialogue of this process, or the tests of its workers."""

    def __init__(
        self, line: StatusLine, *, spread: bool = False, clock: Clock = time.monotonic
    ) -> None:
        """`spread`: whether tests run in other processes, of which their names alone are known."""
        self._line, self._spread, self._clock = line, spread, clock
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self._stop_watching: Callable[[], None] | None = None
        self._dialogue: _UnderWay | None = None
        self._tests: dict[str, float] = {}
        self._paused = False
        self._not_before = 0.0

    def begin(self, name: str, asked: "Ledger") -> None:
        """A dialogue begins, whose calls are entered there."""
        self._dialogue = _UnderWay(name, asked, self._clock)
        self._start()

    def end(self) -> None:
        self._dialogue = None
        self._clear()

    def look(self) -> None:
        """Shows where it is, if it takes long."""
        with self._lock:
            now = self._clock()
            text = None if self._paused or now < self._not_before else self._text(now)
            if text is not None:
                self._line.show(f"todeval: {text}")

    def close(self) -> None:
        self._over.set()
        if self._thread is not None:
            self._thread.join()
        if self._stop_watching is not None:
            self._stop_watching()
            self._stop_watching = None
        self._clear()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        if self._spread:
            self._tests = {**self._tests, nodeid: self._clock()}
            self._start()
        self._clear()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self) -> None:
        self._clear()

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self._tests = {name: at for name, at in self._tests.items() if name != nodeid}

    def pytest_enter_pdb(self) -> None:
        self._paused = True
        self._clear()

    def pytest_leave_pdb(self) -> None:
        self._paused = False

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        self.close()

    def _start(self) -> None:
        if self._thread is None and not self._over.is_set():
            self._stop_watching = watch(self._moved)
            self._thread = threading.Thread(target=self._run, name="todeval progress", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        while not self._over.wait(EVERY):
            self.look()

    def _clear(self) -> None:
        """Whoever writes now finds the terminal as it left it, and is given time."""
        with self._lock:
            self._line.clear()
            self._not_before = self._clock() + PAUSE

    def _moved(self, place: Place, starts: bool) -> None:
        dialogue = self._dialogue
        if dialogue is not None and starts:
            dialogue.moved(place)

    def _text(self, now: float) -> str | None:
        if self._dialogue is not None:
            return self._dialogue.text(now)
        longest = min(self._tests, key=self._tests.__getitem__, default=None)
        if longest is None or now - self._tests[longest] < LONG_TEST:
            return None
        took = f"{now - self._tests[longest]:.0f} s"
        if len(self._tests) == 1:
            return f"a test under way for {took}: {longest}"
        return f"{len(self._tests)} tests under way, the longest for {took}: {longest}"


class _UnderWay:
    """The dialogue that is played, or judged."""

    def __init__(self, name: str, asked: "Ledger", clock: Clock) -> None:
        self._name, self._asked = name, asked
        self._clock, self._began = clock, clock()
        self._place: Place | None = None
        self._since = self._began

    def moved(self, place: Place) -> None:
        self._place, self._since = place, self._clock()

    def text(self, now: float) -> str | None:
        """Returns what takes so long; None if it does not."""
        if now - self._began < LONG:
            return None
        parts = [self._where(now), f"{now - self._began:.0f} s in all"]
        tokens = sum(
            call.spent.prompt_tokens + call.spent.completion_tokens
            for call in tuple(self._asked.calls)
        )
        if tokens:
            parts.append(f"{tokens:,} tokens")
        slow = min(self._slow(now), key=lambda call: call.asked_at or now, default=None)
        if slow is not None:
            parts.append(self._answering(slow, now))
        return f"{self._name}: {', '.join(parts)}"

    def _where(self, now: float) -> str:
        place, seconds = self._place, f"{now - self._since:.0f} s"
        if place is None:
            return f"begins, {seconds}"
        turn = f"turn {place.turn}, " if place.turn else ""
        return f"{turn}{WHO[place.lane]} for {seconds}"

    def _slow(self, now: float) -> "list[Passage]":
        calls = tuple(self._asked.under_way.copy())
        return [c for c in calls if c.asked_at is not None and now - c.asked_at >= LONG_CALL]

    def _answering(self, call: "Passage", now: float) -> str:
        """Returns how long a model has been answering, and what will end that."""
        took = now - (call.asked_at or now)
        limit = f"timeout {call.settings.timeout:g} s (`timeout` of the model)"
        if call.waited_for is not None and call.waited_for < call.settings.timeout:
            limit = f"timeout {call.waited_for:.0f} s (todeval_turn_timeout)"
        whose = "" if self._place is None else f"{WHO[self._place.lane]}'s "
        return f"{whose}model {call.settings.model} answering for {took:.0f} s; {limit}"
