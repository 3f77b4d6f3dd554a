"""The files of one test: its cassette, as it was found, and the journal of what is recorded."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from pytest_todeval.core.lane import Lane
from pytest_todeval.recording.accepting import proposal_path
from pytest_todeval.recording.call import Call, CassetteFile, Header, SaidTurn
from pytest_todeval.recording.course import at_fault
from pytest_todeval.recording.files import journal_path
from pytest_todeval.recording.journal import Journal
from pytest_todeval.recording.matching import Matching
from pytest_todeval.recording.mode import Mode
from pytest_todeval.recording.secrets import Scanner
from pytest_todeval.recording.shelf import got_over
from pytest_todeval.recording.store import read_cassette, write_cassette


class Archive:
    """What is on the disk for a test, and what comes to it.

    Raises InvalidFile for a broken cassette or journal.
    """

    def __init__(
        self, path: Path, modes: Mapping[Lane, Mode], matching: Matching, scanner: Scanner | None
    ) -> None:
        self.path = path
        self.file: CassetteFile | None = read_cassette(path, matching) if path.exists() else None
        self._modes, self._matching, self._scanner = modes, matching, scanner
        found = self.file.header if self.file else Header("", "", 0)
        self.fault = found.fault
        self.goal = found.goal
        """The digest of the goal that the cassette's user spoke for."""
        self.said = self.file.said if self.file else ()
        self.calls = self._gone_on_from()
        """The calls of the cassette, without those at fault if they are to be recorded again."""
        self._left, self._anew = self._left_journal()
        self._journal: Journal | None = None
        self.header = Header("", "", 0)
        """What the next file says of itself; `date` makes it."""

    @property
    def left(self) -> tuple[Call, ...]:
        """The calls of a recording that did not finish, as far as this one goes on from them."""
        return self._left.calls if self._left else ()

    def date(self, test: str, now: datetime | None, seed: int | None) -> Header:
        """Returns the clock and seed of what is played; new ones if all is recorded anew."""
        if self._left is not None:
            self.header = replace(self._left.header, test=test, fault=None)
        elif self.file is not None and set(self._modes.values()) != {Mode.REWRITE}:
            # The test may have been renamed, and the dialogue may end well this time.
            self.header = replace(self.file.header, test=test, fault=None)
        else:
            # Seconds: finer ones would only look like a difference.
            now = (now or datetime.now(UTC)).replace(microsecond=0)
            now = now if now.tzinfo else now.astimezone()
            self.header = Header(test, now.isoformat(), seed or 0)
        return self.header

    def append(self, call: Call, started: int) -> None:
        """Brings a call to the journal. Raises SecretFound and UsageError."""
        self._opened().append(call, started=started + len(self.left))

    def keep_only(self, calls: Sequence[Call]) -> None:
        """Have the journal hold these calls alone; without any it is gone. Raises UsageError."""
        if calls:
            self._opened().keep_only(calls)
        else:
            self._end_journal()

    def propose(self, calls: Sequence[Call], said: Sequence[SaidTurn], goal: str) -> None:
        """Writes what would be the cassette beside it; without calls there is no such file."""
        if not calls:
            proposal_path(self.path).unlink(missing_ok=True)
            return
        header = replace(self.header, goal=goal, fault=self.fault)
        write_cassette(proposal_path(self.path), header, calls, self._scanner, said)

    def put(
        self,
        calls: Sequence[Call],
        said: Sequence[SaidTurn],
        goal: str,
        fault: Lane | None = None,
    ) -> None:
        """Puts the cassette in place, and end the journal; without calls there is no cassette.

        `fault` is the lane at fault, if the dialogue ended in one. Raises SecretFound and
        UsageError.
        """
        if calls:
            header = replace(self.header, goal=goal, fault=fault)
            write_cassette(self.path, header, calls, self._scanner, said)
        else:
            self.path.unlink(missing_ok=True)
        self._end_journal()

    def is_changed(self, recorded: int) -> bool:
        """Says whether a run that recorded so many calls leaves another cassette than there is."""
        again = self.fault is not None and self._modes[self.fault].records
        if recorded or self.left or again:
            return True
        return any(self._modes[call.request.lane] is Mode.REWRITE for call in self.calls)

    def leave(self) -> None:
        """Nothing is to be put: a journal of which nothing was taken ends."""
        if self._anew and self._journal is None:
            self._end_journal()

    def close(self) -> None:
        """Keeps the journal for the next run."""
        if self._journal is not None:
            self._journal.close()

    def _gone_on_from(self) -> tuple[Call, ...]:
        """Returns what is played of the cassette: up to its fault, if that lane is recorded."""
        if self.file is None:
            return ()
        calls, fault = self.file.calls, self.fault
        if fault is None or not self._modes[fault].records:
            return calls
        anew = {n for n in at_fault(calls, fault) if self._modes[calls[n].request.lane].records}
        return tuple(call for number, call in enumerate(calls) if number not in anew)

    def _end_journal(self) -> None:
        if self._journal is not None:
            self._journal.discard()
        journal_path(self.path).unlink(missing_ok=True)

    def _left_journal(self) -> tuple[CassetteFile | None, bool]:
        """What a recording that did not finish left, and whether its journal is to start anew.

        Lanes that are rewritten take nothing from it, nor does any lane a failure at its end.
        """
        if not any(mode.records for mode in self._modes.values()):
            return None, False
        left = Journal.recover(self.path, self._matching)
        if left is None:
            return None, False
        kept = [c for c in left.calls if self._modes[c.request.lane] is not Mode.REWRITE]
        calls = got_over(kept)
        if len(calls) == len(left.calls):
            return left, False
        return (replace(left, calls=calls) if calls else None), True

    def _opened(self) -> Journal:
        if self._journal is None:
            journal = Journal(
                self.path, self.header, matching=self._matching, scanner=self._scanner
            )
            self._journal = journal
            if self._anew:
                journal.keep_only(self.left, self.header)
        return self._journal
