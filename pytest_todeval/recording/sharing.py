"""What of one dialogue's calls is the process's."""

from enum import IntEnum

from pytest_todeval.core.lane import Lane
from pytest_todeval.recording.call import RaisedError, Request, Response
from pytest_todeval.recording.mode import Mode
from pytest_todeval.recording.process import ProcessCassette
from pytest_todeval.recording.process_rules import ProcessRules
from pytest_todeval.recording.rpc import is_setup


class Shared(IntEnum):
    """Where a call of a dialogue belongs."""

    NOT = 0
    """To the dialogue alone."""
    ALSO = 1
    """To the dialogue, and to whichever other one makes it first."""
    WHOLE = 2
    """To the process alone."""


class Sharing:
    """Tells the calls of the process from those of one dialogue, by rule and by place.

    By place: what a lane asks for before anything else, if it is always there, may be what the
    process asks for once. It stays in the dialogue's cassette, too.
    """

    def __init__(self, process: ProcessCassette | None, *, of_test: bool = False) -> None:
        """`of_test`: of a test without a dialogue, whose cassette has all that it asks for."""
        self._process, self._of_test = process, of_test
        self.rules = ProcessRules() if process is None else process.rules
        self._opened: set[Lane] = set()

    def begins(self, request: Request, host: str) -> Shared:
        """Returns where a call that starts now belongs."""
        if self._process is None:
            return Shared.NOT
        if self.rules.shares(request.method, host, request.path):
            return Shared.ALSO if self._of_test else Shared.WHOLE
        if self._of_test:
            return Shared.NOT
        if is_setup(request):
            return Shared.ALSO
        if request.lane not in self._opened and self.rules.may_share(request):
            return Shared.ALSO
        self._opened.add(request.lane)
        return Shared.NOT

    def holds(self, request: Request) -> bool:
        """Says whether the cassette of the process has an answer."""
        return self._process is not None and request in self._process

    def take(self, request: Request, mode: Mode) -> Response | RaisedError | None:
        """Returns the answer that the cassette of the process has."""
        return None if self._process is None else self._process.take(request, mode)

    def keep(self, request: Request, outcome: Response | RaisedError) -> None:
        """Brings a call to it. Raises SecretFound and UsageError."""
        if self._process is not None:
            self._process.keep(request, outcome)
