"""The cassette of the process: calls that no dialogue owns, played as often as they are made.

A token, a model list, a price map are asked for once per process, by whichever dialogue comes
first. In that one's cassette they would be missing whenever another comes first.
"""

import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from pytest_todeval.core.lane import Lane
from pytest_todeval.errors import UsageError
from pytest_todeval.recording.call import Call, Header, RaisedError, Request, Response
from pytest_todeval.recording.key import call_key
from pytest_todeval.recording.location import SUFFIX
from pytest_todeval.recording.matching import EXACT, Matching
from pytest_todeval.recording.mode import Mode
from pytest_todeval.recording.process_rules import ProcessRules
from pytest_todeval.recording.redaction.redactor import Redactor, has_lost_secret
from pytest_todeval.recording.rpc import as_answer, is_standing, unasked, without_cut
from pytest_todeval.recording.secrets import Scanner
from pytest_todeval.recording.shelf import has_failed
from pytest_todeval.recording.store import read_cassette, write_cassette

PROCESS_FILE = f"_process{SUFFIX}"
PROCESS_TEST = "(the process)"
"""What its header names as the test."""


class ProcessCassette:
    """Calls by key, each with the one answer that it has in every dialogue.

    What is recorded is put in the file at once; several processes may do so. Threads may share it.
    """

    def __init__(
        self,
        path: Path,
        *,
        modes: Mapping[Lane, Mode],
        rules: ProcessRules | None = None,
        matching: Matching = EXACT,
        redactor: Redactor | None = None,
        scanner: Scanner | None = None,
        now: datetime | None = None,
    ) -> None:
        """`path` need not exist. Raises InvalidFile for a broken cassette."""
        self.path, self.modes, self.rules = path, modes, rules or ProcessRules()
        self.recorded = 0
        """Calls that this process brought to the file."""
        self._matching, self._scanner, self._now = matching, scanner, now
        self._redactor = redactor or Redactor()
        self._lock = threading.Lock()
        self._calls = self._read()[1]
        self._anew: set[str] = set()

    def __contains__(self, request: Request) -> bool:
        """Says whether it holds an answer to a request that is redacted already."""
        return self._key(request) in self._calls

    def take(self, request: Request, mode: Mode) -> Response | RaisedError | None:
        """The answer to a request that is redacted already; None if it is to be really asked.

        If calls are recorded, a failure and a token that was redacted are asked for anew.
        """
        call = self._calls.get(self._key(request)) if mode.plays else None
        if call is None or (mode.records and (has_failed(call) or has_lost_secret(call.outcome))):
            return None
        return as_answer(call.outcome, call.request, request)

    def knows(self, request: Request) -> Response | None:
        """Returns the answer to what clients ask at times, or do not: `rpc.unasked`."""
        return unasked(request, (call.request for call in self._calls.values()))

    def keep(self, request: Request, outcome: Response | RaisedError) -> None:
        """Puts a call in the file; the request is redacted already.

        An answer of an earlier run stays, unless all is recorded anew; no failure takes the place
        of an answer. Raises SecretFound and UsageError.
        """
        request = replace(request, lane=Lane.SYSTEM)
        if isinstance(outcome, Response) and is_standing(request, outcome.headers):
            return  # what comes on it is of the moment
        if isinstance(outcome, Response):
            outcome = without_cut(request, outcome)
        kept = self._redactor.outcome(outcome)
        call = Call(call_key(request, self._matching), request, kept, 0, "")
        with self._lock, _locked(self.path.parent):
            header, calls = self._read()
            old = calls.get(call.key)
            if old is None or self._replaces(call, old):
                calls[call.key] = call
                in_order = sorted(calls.values(), key=_order)
                write_cassette(self.path, header, in_order, self._scanner)
                self.recorded += call.key not in self._anew
            self._anew.add(call.key)
            self._calls = calls

    def _replaces(self, call: Call, old: Call) -> bool:
        if has_failed(call):
            return False
        return has_failed(old) or call.key in self._anew or self.modes[Lane.SYSTEM] is Mode.REWRITE

    def _key(self, request: Request) -> str:
        return call_key(replace(request, lane=Lane.SYSTEM), self._matching)

    def _read(self) -> tuple[Header, dict[str, Call]]:
        if not self.path.exists():
            now = (self._now or datetime.now(UTC)).replace(microsecond=0)
            return Header(PROCESS_TEST, now.isoformat(), 0), {}
        file = read_cassette(self.path, self._matching)
        return file.header, {call.key: call for call in file.calls}


def _order(call: Call) -> tuple[str, str, str, bytes]:
    request = call.request
    return request.path, request.method, request.query, request.body


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """While no other process writes there. Raises UsageError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        import fcntl
    except ImportError:  # a system without these locks: the last one to write wins
        yield
        return
    except OSError as error:
        raise UsageError(f"cannot write cassettes to {folder}: {error}") from error
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
