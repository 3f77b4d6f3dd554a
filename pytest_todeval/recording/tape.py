"""The tape: what is open for one dialogue. It plays, records, and keeps what went wrong."""

import re
import threading
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from pytest_todeval.core.lane import Lane, Place
from pytest_todeval.errors import TodevalError
from pytest_todeval.recording.address import Address
from pytest_todeval.recording.budget import Budget
from pytest_todeval.recording.call import (
    Call,
    CassetteFile,
    Header,
    Raised,
    Request,
    Response,
    Said,
)
from pytest_todeval.recording.callers import caller
from pytest_todeval.recording.files import journal_path
from pytest_todeval.recording.forks import ForkedCall, Forks
from pytest_todeval.recording.intake import Intake
from pytest_todeval.recording.journal import Journal
from pytest_todeval.recording.key import call_key
from pytest_todeval.recording.miss import CassetteMiss, Heard, Miss, Where
from pytest_todeval.recording.mode import Mode
from pytest_todeval.recording.redaction.learned import Learned
from pytest_todeval.recording.redaction.redactor import Redactor, has_lost_secret
from pytest_todeval.recording.secrets import Scanner
from pytest_todeval.recording.shelf import Shelf, Taken, got_over
from pytest_todeval.recording.store import read_cassette, write_cassette
from pytest_todeval.recording.transport import Exchange, Playing, without_waiting
from pytest_todeval.recording.unstable import unstable_parts

__all__ = ["CallLost", "Count", "NotRecorded", "Tape"]

PATIENCE = 2.0
"""Seconds: so long the end of a recorded dialogue waits for calls that are still under way."""


class NotRecorded(TodevalError):
    """A connection made while a dialogue is recorded, of which no cassette can hold anything."""


class CallLost(TodevalError):
    """A call that began while it was recorded, and whose end nobody knows."""


@dataclass(frozen=True, slots=True)
class Count:
    """What became of the calls of a lane."""

    played: int = 0
    recorded: int = 0


class Tape:
    """The calls of one dialogue, from any thread or task.

    As a context manager it is open for its dialogue: calls made in that dialogue's lanes come to
    it. A cassette is written by `finish(keep=True)` only, and only where something is to change.
    """

    def __init__(
        self,
        path: Path,
        *,
        test: str,
        dialogue: str,
        modes: Mapping[Lane, Mode],
        masks: Sequence[re.Pattern[str]] = (),
        allowed: Iterable[str] = (),
        bot_address: str | None = None,
        budget: Budget | None = None,
        now: datetime | None = None,
        seed: int | None = None,
        scanner: Scanner | None = None,
        redactor: Redactor | None = None,
        options: Sequence[str] = (),
        goal: str = "",
    ) -> None:
        """`with` opens and closes it.

        `path` need not exist. `test` is the node id, `dialogue` the id that `core.lane.in_lane` is
        given; lanes without a mode replay. `allowed` and `bot_address`: `HOST:PORT`, `HOST`, a URL
        or the path of a unix socket. `now` and `seed` hold where there is no recording yet;
        `redactor` takes the secrets out of what is kept (the common ones unless one is given).
        `options` stand in the commands of messages. `goal` is a digest of the dialogue's goal.
        Raises InvalidFile for a broken cassette, UsageError for a wrong address.
        """
        self.path, self.test, self.dialogue = path, test, dialogue
        self.modes = {lane: modes.get(lane, Mode.REPLAY) for lane in Lane}
        self.allowed = tuple(map(Address.parse, allowed))
        """Addresses that are really called, and never recorded, besides the bot's own."""
        self.bot_address = None if bot_address is None else Address.parse(bot_address)
        self.misses: list[Miss] = []
        """What was asked and not in the cassette, each once; also if the bot caught the error."""
        self.refusals: list[TodevalError] = []
        """What else went wrong in this dialogue: calls beyond the budget, blocked connections,
        secrets that would have reached the cassette, calls and connections that it cannot hold."""
        self.strays: list[str] = []
        """Calls made while this tape was open that could not be told to be of any dialogue."""
        self.unstable: dict[str, str] = {}
        """While recording: today's date and UUIDs found in requests, with the place of each."""
        self.from_journal = 0
        """Calls that were answered from the journal of a recording that did not finish."""
        self.dropped = 0
        """Calls that the journal forgot because the dialogue ended in a fault."""
        self.user_recorded = False
        """Whether the user says its recorded words, which stay those for the goal of then."""
        self._masks, self._budget, self._scanner = tuple(masks), budget, scanner
        self._redactor = redactor or Redactor()
        self._options, self._goal = tuple(options), goal
        self._lock = threading.RLock()
        self._settled = threading.Condition(self._lock)
        self._file = read_cassette(path, self._masks) if path.exists() else None
        self._left, self._anew = self._left_journal()
        self._shelf = Shelf(self._old_calls(), self._left.calls if self._left else ())
        self._learned = Learned(call.request for call in self._old_calls())
        self._header = self._make_header(now, seed)
        self._journal: Journal | None = None
        self._started = 0
        self._run: dict[int, Call] = {}
        self._of_cassette: set[int] = set()
        self._under_way: dict[int, _Recording] = {}
        self._played: Counter[Lane] = Counter()
        self._recorded: Counter[Lane] = Counter()
        self._numbers: Counter[tuple[Lane, int]] = Counter()
        self._heard: list[Heard] = []
        self._said: list[Said] = []
        self._diverged: set[Lane] = set()
        self._answers: list[str] = []
        self._ends: deque[tuple[_Recording, Response | Raised | None]] = deque()
        self._lost: list[CallLost] = []
        self._connections: set[tuple[Address, Lane]] = set()
        self._finished = False
        self._forks = Forks()

    def __enter__(self) -> Self:
        from pytest_todeval.recording.router import Router

        Router.of_process().open(self)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        from pytest_todeval.recording.router import Router

        Router.of_process().close(self)
        self.finish(keep=False)

    @property
    def now(self) -> datetime:
        """The clock of the recording: when what is played, or recorded now, was recorded."""
        return datetime.fromisoformat(self._header.recorded)

    @property
    def seed(self) -> int:
        """The seed of the recording."""
        return self._header.seed

    @property
    def calls(self) -> Mapping[Lane, Count]:
        """What became of the calls, by lane."""
        return {lane: Count(self._played[lane], self._recorded[lane]) for lane in Lane}

    @property
    def has_cassette(self) -> bool:
        """Whether there was a cassette when the tape was opened."""
        return self._file is not None

    def unused(self) -> tuple[Call, ...]:
        """Recorded calls of lanes that replay which were not played, in the order of the file."""
        with self._lock:
            return tuple(c for c in self._shelf.unplayed() if self.modes[c.request.lane].plays)

    def heard(self, turn: int, text: str) -> None:
        """Tell what the bot said in a turn: a miss can then say that this is what changed."""
        self._heard.append(Heard(turn, text))

    @property
    def turn(self) -> int:
        """The turn under way, as far as the tape was told what the bot said before."""
        return self._heard[-1].turn + 1 if self._heard else 1

    def said(self, turn: int, user: str, system: str) -> None:
        """Tell what was said in a turn, once the dialogue is over: a new cassette will hold it."""
        self._said.append(Said(turn, self._redactor.text(user), self._redactor.text(system)))

    @property
    def recorded_said(self) -> tuple[Said, ...]:
        """What the cassette says was said, turn by turn; empty without one, or in one untold."""
        return self._file.said if self._file else ()

    @property
    def user_of_other_goal(self) -> bool:
        """Whether the user's words were recorded for another goal; not where that is unknown."""
        return self.user_recorded and self._recorded_goal() not in ("", self._goal)

    def passes(self, host: str, port: int | None) -> bool:
        """Whether an address is really called in any mode: the bot's own, and the allowed ones."""
        if self.bot_address is not None and self.bot_address.covers(host, port):
            return True
        return any(address.covers(host, port) for address in self.allowed)

    def replays(self, lane: Lane) -> bool:
        """Whether a lane is cut off from the network."""
        return self.modes[lane] is Mode.REPLAY

    def begin(self, request: Request, turn: int) -> Exchange:
        """What is to be done for a call that starts now.

        Raises CassetteMiss where it would have to be in the cassette, BudgetSpent where it may not
        be made.
        """
        mode, sent = self.modes[request.lane], request
        request = self._redactor.request(sent)
        key = call_key(request, self._masks)
        with self._lock:
            self._numbers[request.lane, turn] += 1
            taken = self._taken(key, mode) or self._otherwise(sent, request, mode)
            # A token that was redacted opens nothing: who goes on recording needs a new one.
            lost = taken is not None and mode.records and has_lost_secret(taken.call.outcome)
            if taken is not None and not lost:
                ordinal = self._next()
                self._run[ordinal] = taken.call
                if not taken.from_journal:
                    self._of_cassette.add(ordinal)
                self.from_journal += taken.from_journal
                self._played[request.lane] += 1
                return self._playing(taken.call, key, request, turn)
            if mode is Mode.REPLAY:
                raise CassetteMiss(self._missed(key, request, turn))
            self._take_budget(request)
            if mode is not Mode.LIVE:
                self._diverged |= set() if lost else {request.lane}
                self._look_for_unstable(request, turn)
            by = caller() if mode.records else ""
            recording = _Recording(self, self._next(), key, request, turn, by)
            self._under_way[recording.ordinal] = recording
            return recording

    def end_calls(self) -> None:
        """The dialogue is over: calls under way end, or are named among the refusals.

        An answer that nobody reads on stands in the recording as far as it was read. What somebody
        still waits for is given `PATIENCE`.
        """
        self.hear_forks()
        with self._lock:
            self._settled.wait_for(lambda: not any(self._waited_for()), PATIENCE)
            for recording in list(self._under_way.values()):
                if recording.intake is not None and not recording.intake.reading:
                    recording.intake.stopped()
                else:
                    recording.abandoned("it was still under way when its dialogue was over")

    @property
    def waiting(self) -> int:
        """Calls that stay in the journal for the next recording, unless a cassette is written."""
        return len(self._run) - len(self._of_cassette)

    @property
    def records(self) -> bool:
        """Whether calls of any lane are kept."""
        return any(mode.records for mode in self.modes.values())

    @property
    def has_faulty(self) -> bool:
        """Whether a call failed, and was not got over."""
        with self._lock:
            return bool(self._at_fault(None))

    def drop_faulty(self, lane: Lane | None = None) -> None:
        """The dialogue ended in a fault: its journal forgets the calls that hang on it.

        At fault are calls that failed and were not got over, and of `lane`, whose answers could not
        be used, those of its last turn. All calls started after one hang on it; but judges ask at
        once, and none of their calls hangs on another. Raises UsageError.
        """
        with self._lock:
            gone = self._at_fault(lane) - self._of_cassette
            if not gone:
                return
            for ordinal in gone:
                del self._run[ordinal]
            self.dropped += len(gone)
            kept = [self._run[n] for n in sorted(self._run) if n not in self._of_cassette]
            if kept:
                self._open_journal().keep_only(kept)
            elif self._journal is not None:
                self._journal.discard()
            else:
                journal_path(self.path).unlink(missing_ok=True)

    def finish(self, keep: bool) -> None:
        """End the recording; the first call counts.

        With `keep` the cassette is put in place where it changed. Else it stays as it was, and what
        was recorded stays in the journal beside it, from which the next recording goes on. Raises
        SecretFound and UsageError where the cassette can't be written, and CallLost where it would
        not be complete; the journal then stays.
        """
        with self._lock:
            if self._finished or self.in_fork:
                return
            if keep:
                self.end_calls()
            self._finished = True
            try:
                if keep and self._lost:
                    raise self._lost[0]
                if keep and self._changed():
                    self._write(self._merged())
                elif keep and self._anew:
                    journal_path(self.path).unlink(missing_ok=True)
            finally:
                self._forks.close()
                if self._journal is not None:
                    self._journal.close()

    def refuse(self, error: TodevalError) -> TodevalError:
        """Keep an error, since the bot may catch it; it is given back to be raised."""
        if self.in_fork:
            self._forks.tell(str(error))
            return error
        with self._lock:
            self.refusals.append(error)
        return error

    @property
    def in_fork(self) -> bool:
        """Whether the code now running runs in a process forked from the one of this tape."""
        return self._forks.here

    def hear_forks(self) -> None:
        """Take what other processes, and code that is not Python, did or were refused."""
        from pytest_todeval.recording.router import Router

        Router.of_process().watch.settle()
        known = {str(error) for error in self.refusals}
        for message in dict.fromkeys(self._forks.told()):
            if message not in known:
                self.refuse(ForkedCall(message))

    @property
    def calls_under_way(self) -> bool:
        """Whether a call is now really made, or its answer read."""
        return bool(self._under_way)

    def connected(self, address: Address, place: Place, by: str = "") -> None:
        """A connection was made that is none of a call being recorded: replay would block it.

        `by` says who made it, if not the code now running.
        """
        if not self.modes[place.lane].records or (address, place.lane) in self._connections:
            return
        self._connections.add((address, place.lane))
        self.refuse(
            NotRecorded(
                f"not recorded: a connection to {address} in dialogue {place.dialogue}, lane "
                f"{place.lane}, turn {place.turn} (made by {by or caller()}). It is none of an HTTP "
                "client that can be recorded, and replay will block it. If it is to be made in "
                f'replay, too, allow it: `--todeval-allow="{address}"`'
            )
        )

    def _left_journal(self) -> tuple[CassetteFile | None, bool]:
        """What a recording that did not finish left, and whether its journal is to start anew.

        Lanes that are rewritten take nothing from it, nor does any lane a failure at its end.
        """
        if not self.records:
            return None, False
        left = Journal.recover(self.path, self._masks)
        if left is None:
            return None, False
        kept = [c for c in left.calls if self.modes[c.request.lane] is not Mode.REWRITE]
        calls = got_over(kept)
        if len(calls) == len(left.calls):
            return left, False
        return (replace(left, calls=calls) if calls else None), True

    def _old_calls(self) -> tuple[Call, ...]:
        return self._file.calls if self._file else ()

    def _recorded_goal(self) -> str:
        return self._file.header.goal if self._file else ""

    def _make_header(self, now: datetime | None, seed: int | None) -> Header:
        """The clock and seed of what is played; new ones where all is recorded anew."""
        if self._left is not None:
            return self._left.header
        if self._file is not None and set(self.modes.values()) != {Mode.REWRITE}:
            return self._file.header
        # Seconds: finer ones would only look like a difference.
        now = (now or datetime.now(UTC)).replace(microsecond=0)
        now = now if now.tzinfo else now.astimezone()
        return Header(self.test, now.isoformat(), seed or 0)

    def _next(self) -> int:
        self._started += 1
        return self._started - 1

    def _take_budget(self, request: Request) -> None:
        if self._budget is None:
            return
        try:
            self._budget.take(request)
        except TodevalError as error:
            raise self.refuse(error) from None

    def _look_for_unstable(self, request: Request, turn: int) -> None:
        today = datetime.now().date()
        for part in unstable_parts(request.body, today, self._answers, self._masks):
            self.unstable.setdefault(part, f"lane {request.lane}, turn {turn}")

    def _missed(self, key: str, request: Request, turn: int, read_on: bool = False) -> Miss:
        for miss in self.misses:
            if miss.key == key and miss.where.turn == turn:
                return miss  # a client that tries again
        number = self._numbers[request.lane, turn]
        where = Where(self.test, self.dialogue, request.lane, turn, number)
        miss = Miss(
            key,
            request,
            where,
            path=self.path,
            recorded=None if self._file is None else self._file.calls,
            played=self._shelf.played(),
            heard=tuple(self._heard),
            masks=self._masks,
            journal=journal_path(self.path).exists(),
            options=self._options,
            read_on=read_on,
        )
        self.misses.append(miss)
        return miss

    def _taken(self, key: str, mode: Mode) -> Taken | None:
        return self._shelf.take(key, old=mode.plays, left=mode is Mode.MISSING)

    def _otherwise(self, sent: Request, request: Request, mode: Mode) -> Taken | None:
        """What is recorded for a request in another form of it."""
        for form in self._redactor.other_forms(sent, request, self._learned):
            taken = self._taken(call_key(form, self._masks), mode)
            if taken is not None:
                return taken
        return None

    def _playing(self, call: Call, key: str, request: Request, turn: int) -> Playing:
        def beyond() -> CassetteMiss:
            with self._lock:
                return CassetteMiss(self._missed(key, request, turn, read_on=True))

        return Playing(without_waiting(call.outcome), beyond)

    def _waited_for(self) -> Iterator["_Recording"]:
        """Calls under way for whose end, or next part, somebody waits."""
        for recording in self._under_way.values():
            waits = recording.intake is None or recording.intake.reading
            if waits and self.modes[recording.request.lane].records:
                yield recording

    def _ended(self, recording: "_Recording", outcome: Response | Raised | None) -> None:
        # One at a time: the end of a response nobody reads is told by the garbage collector, which
        # may run in the midst of another's.
        if self.in_fork:
            return
        with self._lock:
            self._ends.append((recording, outcome))
            if len(self._ends) > 1:
                return
            while self._ends:
                try:
                    self._settle(*self._ends[0])
                finally:
                    self._ends.popleft()

    def _lose(self, recording: "_Recording", why: str) -> None:
        with self._lock:
            known = self._under_way.get(recording.ordinal) is recording
            if not known or self._finished or not self.modes[recording.request.lane].records:
                return
            lost = CallLost(
                f"not recorded: {recording}: {why or 'nobody waited for its end'}. A cassette "
                "without it would not be the whole dialogue, so none is written; have the code "
                "wait for its calls, then record again"
            )
            self._lost.append(lost)
            self.refuse(lost)

    def _settle(self, recording: "_Recording", outcome: Response | Raised | None) -> None:
        if self._under_way.pop(recording.ordinal, None) is None or self._finished:
            return
        self._settled.notify_all()
        if isinstance(outcome, Response) and self._budget is not None:
            try:
                self._budget.answered(recording.request, outcome)
            except TodevalError as error:
                self.refuse(error)  # not raised here, in the midst of the bot's client
        if outcome is not None and self.modes[recording.request.lane].records:
            self._keep(recording, outcome)

    def _keep(self, recording: "_Recording", outcome: Response | Raised) -> None:
        lane = recording.request.lane
        kept = self._redactor.outcome(outcome)
        call = Call(recording.key, recording.request, kept, recording.turn, self.dialogue)
        self._run[recording.ordinal] = call
        self._recorded[lane] += 1
        if isinstance(outcome, Response):
            self._answers.append(outcome.body.decode("utf-8", "replace"))
        try:
            self._open_journal().append(call, started=recording.ordinal + self._shelf.left_count)
        except TodevalError as error:
            # Not here, in the midst of the bot's client: `finish` raises it again.
            self.refuse(error)

    def _at_fault(self, lane: Lane | None) -> set[int]:
        """The places in the order of starts of calls at fault, and of those that hang on them."""
        run = sorted(self._run.items())
        sound = set(map(id, got_over([call for _, call in run])))
        turns = [call.turn for _, call in run if call.request.lane is lane]
        faulty = {
            ordinal
            for ordinal, call in run
            if id(call) not in sound or (call.request.lane is lane and call.turn == max(turns))
        }
        of_dialogue = (n for n in faulty if self._run[n].request.lane is not Lane.JUDGE)
        first = min(of_dialogue, default=None)
        return faulty | {ordinal for ordinal, _ in run if first is not None and ordinal >= first}

    def _open_journal(self) -> Journal:
        if self._journal is None:
            journal = Journal(self.path, self._header, masks=self._masks, scanner=self._scanner)
            self._journal = journal
            if self._anew:
                journal.keep_only(self._left.calls if self._left else (), self._header)
        return self._journal

    def _changed(self) -> bool:
        if self._recorded.total() or (self._left is not None and self._left.calls):
            return True
        rewritten = {lane for lane, mode in self.modes.items() if mode is Mode.REWRITE}
        return any(call.request.lane in rewritten for call in self._old_calls())

    def _merged(self) -> list[Call]:
        """The calls of this run as they were started, then those carried over, as they stood."""
        now = [self._run[ordinal] for ordinal in sorted(self._run)]
        return now + [call for call in self._shelf.unplayed() if self._stays(call.request.lane)]

    def _stays(self, lane: Lane) -> bool:
        """Whether calls not played now are kept: not where the lane went another way."""
        mode = self.modes[lane]
        return mode is not Mode.REWRITE and not (mode is Mode.MISSING and lane in self._diverged)

    def _write(self, calls: Sequence[Call]) -> None:
        said = self._said or self.recorded_said
        anew = self._said and not self.user_recorded
        header = replace(self._header, goal=self._goal if anew else self._recorded_goal())
        if not calls:
            self.path.unlink(missing_ok=True)
        elif self._journal is None:
            write_cassette(self.path, header, calls, self._scanner, said)
        else:
            self._journal.header = header  # until here, who would speak was not known
            self._journal.finish(calls, said)
            return
        journal_path(self.path).unlink(missing_ok=True)


class _Recording:
    """A call that is really made, until its end is told."""

    def __init__(
        self, tape: Tape, ordinal: int, key: str, request: Request, turn: int, by: str
    ) -> None:
        self.ordinal, self.key, self.request, self.turn = ordinal, key, request, turn
        self.intake: Intake | None = None
        """What is read of the answer, once that has begun."""
        self._tape, self._by = tape, by

    def __str__(self) -> str:
        request = self.request
        turn = f"turn {self.turn}" if self.turn else "outside the turns"
        return f"{request.method} {request.path} (lane {request.lane}, {turn}; made by {self._by})"

    def began(self, intake: Intake) -> None:
        self.intake = intake

    def answered(self, response: Response) -> None:
        self._tape._ended(self, response)

    def failed(self, raised: Raised) -> None:
        self._tape._ended(self, raised)

    def abandoned(self, why: str = "") -> None:
        self._tape._lose(self, why)
        self._tape._ended(self, None)
