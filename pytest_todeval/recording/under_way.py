"""Calls that are really made, from their start until their end is told."""

import os
import threading
from collections import deque
from collections.abc import Callable

from pytest_todeval.core.lane import Lane
from pytest_todeval.errors import TodevalError
from pytest_todeval.recording.call import RaisedError, Request, Response
from pytest_todeval.recording.intake import Intake
from pytest_todeval.recording.rpc import is_standing
from pytest_todeval.recording.sharing import Shared
from pytest_todeval.recording.transport import WAIT

PATIENCE = 2.0
"""Seconds: so long the end of a recorded dialogue waits for calls that are still under way."""


class CallLost(TodevalError):
    """A call that began while it was recorded, and whose end nobody knows."""


class CallUnderWay:
    """A call that is really made: the `Recording` that the clients' adapters tell its end."""

    def __init__(
        self,
        calls: "CallsUnderWay",
        ordinal: int,
        key: str,
        request: Request,
        turn: int,
        by: str,
    ) -> None:
        self.ordinal, self.key, self.request, self.turn = ordinal, key, request, turn
        self.intake: Intake | None = None
        """What is read of the answer, once that has begun."""
        self.shared = Shared.NOT
        """Whether it is a call of the process."""
        self._calls, self._by = calls, by

    def __str__(self) -> str:
        request = self.request
        turn = f"turn {self.turn}" if self.turn else "outside the turns"
        return f"{request.method} {request.path} (lane {request.lane}, {turn}; made by {self._by})"

    @property
    def is_waited_for(self) -> bool:
        """Says whether somebody waits for its answer, or for the next part of that.

        On a stream that stands nobody waits for anything in particular.
        """
        if self.intake is None or not self.intake.reading:
            return self.intake is None
        return not is_standing(self.request, self.intake.headers)

    def began(self, intake: Intake) -> None:
        self.intake = intake

    def answered(self, response: Response) -> None:
        self._calls.ended(self, response)

    def failed(self, raised: RaisedError) -> None:
        self._calls.ended(self, raised)

    def abandoned(self, why: str = "", todo: str = WAIT) -> None:
        """Nobody will know what came of it: why, and what to do about that."""
        self._calls.lose(self, why, todo)
        self._calls.ended(self, None)


class CallsUnderWay:
    """The calls of one tape that have begun and not ended.

    `settle` gets each call with what came of it, None if nobody knows, one at a time and under
    `lock`; `refuse` each call of a lane that `records` that is lost.
    """

    def __init__(
        self,
        lock: threading.RLock,
        *,
        records: Callable[[Lane], bool],
        settle: Callable[[CallUnderWay, Response | RaisedError | None], None],
        refuse: Callable[[TodevalError], TodevalError],
    ) -> None:
        self._lock, self._settled = lock, threading.Condition(lock)
        self._records, self._settle, self._refuse = records, settle, refuse
        self._process = os.getpid()
        self._calls: dict[int, CallUnderWay] = {}
        self._ends: deque[tuple[CallUnderWay, Response | RaisedError | None]] = deque()
        self.lost: list[CallLost] = []
        """Those of which nobody knows the end."""

    def __len__(self) -> int:
        return len(self._calls)

    def start(self, ordinal: int, key: str, request: Request, turn: int, by: str) -> CallUnderWay:
        """Returns a call begins; `by` says who makes it."""
        call = self._calls[ordinal] = CallUnderWay(self, ordinal, key, request, turn, by)
        return call

    def ended(self, call: CallUnderWay, outcome: Response | RaisedError | None) -> None:
        """A call has ended; only the first end counts."""
        if os.getpid() != self._process:  # a forked copy of it, whose lock may be held for ever
            return
        # One at a time: the end of a response nobody reads is told by the garbage collector, which
        # may run in the midst of another's.
        with self._lock:
            self._ends.append((call, outcome))
            if len(self._ends) > 1:
                return
            while self._ends:
                ended, came = self._ends[0]
                try:
                    if self._calls.pop(ended.ordinal, None) is not None:
                        self._settled.notify_all()
                        self._settle(ended, came)
                finally:
                    self._ends.popleft()

    def lose(self, call: CallUnderWay, why: str, todo: str) -> None:
        """Nobody knows the end of a call: it is refused, by name."""
        if os.getpid() != self._process:
            return
        with self._lock:
            if self._calls.get(call.ordinal) is not call or not self._records(call.request.lane):
                return
            lost = CallLost(
                f"not recorded: {call}: {why or 'nobody waited for its end'}. Without it the "
                f"cassette would be incomplete, so none is written: {todo}, then record again"
            )
            self.lost.append(lost)
            self._refuse(lost)

    def end_all(self) -> None:
        """The dialogue is over: what is not read on ends as it is, what is waited for is lost.

        It is waited for `PATIENCE` before.
        """
        with self._lock:
            self._settled.wait_for(self._none_is_awaited, PATIENCE)
            for call in list(self._calls.values()):
                if call.intake is not None and not call.is_waited_for:
                    call.intake.stopped()
                else:
                    call.abandoned("it was still under way when its dialogue was over")

    def _none_is_awaited(self) -> bool:
        waited = (call for call in self._calls.values() if call.is_waited_for)
        return not any(self._records(call.request.lane) for call in waited)
