"""Calls outside of all dialogues: at import, in fixtures, in the body of a test, in plain code."""

import re
import threading
from collections import Counter
from collections.abc import Iterable
from contextlib import AbstractContextManager
from contextvars import ContextVar

from pytest_todeval.core.context import holding
from pytest_todeval.core.lane import Lane, here
from pytest_todeval.errors import TodevalError
from pytest_todeval.recording.address import Address, is_loopback
from pytest_todeval.recording.call import RaisedError, Request, Response
from pytest_todeval.recording.intake import Intake
from pytest_todeval.recording.mode import Mode
from pytest_todeval.recording.process import ProcessCassette
from pytest_todeval.recording.process_rules import ProcessRules, asks_model
from pytest_todeval.recording.redaction.redactor import Redactor
from pytest_todeval.recording.rpc import message_of, unasked
from pytest_todeval.recording.transport import LESS, WAIT, Exchange, Playing, without_waiting

PROBES = re.compile(
    r"/(?:(?:health|ready|readiness|live|liveness|ping|status)[a-z]*/?)?", re.IGNORECASE
)
"""Paths at which a server on this machine is asked whether it is up."""

_TO_BOT: ContextVar[bool] = ContextVar("todeval_to_bot", default=False)


def to_bot() -> AbstractContextManager[object]:
    """While the body asks the bot itself: it is under test, and really called in every mode."""
    return holding(_TO_BOT, True)


def is_to_bot() -> bool:
    """Says whether the code now running asks the bot itself."""
    return _TO_BOT.get()


class OutsideCallLost(TodevalError):
    """A call that was made, and of whose answer nothing can be kept."""


Outcome = Response | RaisedError | OutsideCallLost


class ModelAskedOutside(TodevalError):
    """A model that replay would really ask, and pay for, since no dialogue owns the call."""


class OutsideCalls:
    """Plays and records, in the cassette of the process, what belongs to no dialogue.

    What is not in it is really made in every mode: a suite's fixtures may start servers and fill
    databases, of which replay knows nothing. `made` says so. In replay no model is asked, unless it
    is on this machine.
    """

    def __init__(
        self,
        process: ProcessCassette,
        *,
        allowed: Iterable[Address] = (),
        redactor: Redactor | None = None,
        in_lanes_only: bool = False,
    ) -> None:
        """`in_lanes_only`: calls of `run_dialogue` alone, not those of the code around it."""
        self.process, self.in_lanes_only = process, in_lanes_only
        self.made: Counter[str] = Counter()
        """Calls really made and not recorded, as `METHOD HOST:PORT/PATH`."""
        self.failures: list[TodevalError] = []
        """Why calls could not be recorded, or were not made."""
        self._allowed = tuple(allowed)
        self._redactor = redactor or Redactor()
        self._lock = threading.Lock()
        self._waiting: list[tuple[Address, Request, Outcome]] = []

    @property
    def asleep(self) -> bool:
        """Says whether the code now running is none that this looks after."""
        return self.in_lanes_only and here() is None

    @property
    def rules(self) -> ProcessRules:
        """Returns what the project says of calls, unless all are to be made as they are."""
        return ProcessRules() if self._mode is Mode.LIVE else self.process.rules

    @property
    def _mode(self) -> Mode:
        return self.process.modes[Lane.SYSTEM]

    def takes(self, method: str, host: str, port: int | None, path: str) -> bool:
        """Says whether a call is looked after, rather than simply made."""
        if self.asleep or self._mode is Mode.LIVE or is_to_bot():
            return False
        if any(address.covers(host, port) for address in self._allowed):
            return False
        return not (method in ("GET", "HEAD") and is_loopback(host) and PROBES.fullmatch(path))

    def keeps_session(self, request: Request) -> bool:
        """Says whether a call has to do with a session of MCP, and is recorded or answered here."""
        if self.asleep or self._mode is Mode.LIVE:
            return False
        with self._lock:
            begun = [each for _, each, _ in self._waiting]
        redacted = self._redactor.request(request)
        if self.process.knows(redacted) is not None or unasked(redacted, begun) is not None:
            return True
        if not message_of(request.body):
            return False
        return self._mode.records or redacted in self.process

    def begin(self, request: Request, host: str, port: int | None) -> Exchange:
        """What is to be done for a call that `takes` said yes to. Raises ModelAskedOutside."""
        request = self._redactor.request(request)
        answer = self.process.take(request, self._mode)
        if answer is not None:
            return Playing(without_waiting(answer))
        nothing = self.process.knows(request) if self._mode.offline else None
        if nothing is not None:
            return Playing(nothing)
        address = Address(host, port)
        if self._mode.offline and not is_loopback(host) and asks_model(request):
            raise self._refused(request, address)
        return _OutsideCall(self, address, request)

    def _refused(self, request: Request, address: Address) -> ModelAskedOutside:
        refused = ModelAskedOutside(
            f"{request.method} {address}{request.path} asks a model outside of all dialogues, and "
            f"{self.process.path} has no answer: replay does not make this call. Record it "
            f'(`--todeval-record=missing`), or allow it (`--todeval-allow="{address}"`)'
        )
        with self._lock:
            self.failures.append(refused)
        return refused

    def ended(self, address: Address, request: Request, outcome: Outcome) -> None:
        """A call was really made. It is kept by `settle`, once it is known who the bot is."""
        with self._lock:
            self._waiting.append((address, request, outcome))

    def settle(self, bot: Address | None = None) -> None:
        """Keeps what was made since, or tell of it; not what was asked of the bot."""
        with self._lock:
            waiting, self._waiting = self._waiting, []
        for address, request, outcome in waiting:
            if bot is not None and bot.covers(address.host, address.port):
                continue
            if not self._mode.records:
                self.made[f"{request.method} {address}{request.path}"] += 1
                continue
            if isinstance(outcome, OutsideCallLost):
                self.failures.append(outcome)
                continue
            try:
                self.process.keep(request, outcome)
            except TodevalError as error:
                self.failures.append(error)


class _OutsideCall:
    """A call that is really made: the `Recording` that the clients' adapters tell its end."""

    def __init__(self, calls: OutsideCalls, address: Address, request: Request) -> None:
        self._calls, self._address, self._request = calls, address, request
        self._ended = False

    def began(self, intake: Intake) -> None:
        """The answer has begun."""

    def answered(self, response: Response) -> None:
        self._end(response)

    def failed(self, raised: RaisedError) -> None:
        self._end(raised)

    def abandoned(self, why: str = "", todo: str = WAIT) -> None:
        """Nobody will know what came of it; one that cannot be unpacked is named."""
        if todo == LESS and not self._ended:
            call = f"{self._request.method} {self._address}{self._request.path}"
            self._end(OutsideCallLost(f"not recorded: {call}: {why}: {todo}, then record again"))
        self._ended = True

    def _end(self, outcome: Outcome) -> None:
        if not self._ended:
            self._ended = True
            self._calls.ended(self._address, self._request, outcome)
