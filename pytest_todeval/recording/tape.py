"""The tape: what is open for one dialogue. It plays, records, and keeps what went wrong."""

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Self, TypeVar

from pytest_todeval.core.lane import Lane, Place
from pytest_todeval.errors import TodevalError
from pytest_todeval.recording.address import Address
from pytest_todeval.recording.archive import Archive
from pytest_todeval.recording.budget import Budget
from pytest_todeval.recording.call import (
    Call,
    RaisedError,
    Request,
    Response,
    SaidTurn,
)
from pytest_todeval.recording.callers import caller
from pytest_todeval.recording.course import Course, left_unanswered
from pytest_todeval.recording.earlier import Sent, sent, went_out
from pytest_todeval.recording.forks import ForkedCall, Forks
from pytest_todeval.recording.fresh_id import FreshId
from pytest_todeval.recording.key import call_key
from pytest_todeval.recording.matching import EXACT, Matching, unstable_parts
from pytest_todeval.recording.miss import CassetteMiss, Miss, Misses, SpokenTurn
from pytest_todeval.recording.mode import Mode
from pytest_todeval.recording.process import ProcessCassette
from pytest_todeval.recording.process_rules import ProcessRules
from pytest_todeval.recording.redaction.placeholder import PLACEHOLDER
from pytest_todeval.recording.redaction.redactor import Redactor, has_lost_secret
from pytest_todeval.recording.redaction.removed import removed_of, without_any
from pytest_todeval.recording.refusals import NotRecorded
from pytest_todeval.recording.router import Router
from pytest_todeval.recording.rpc import (
    Turns,
    as_answer,
    called_by,
    is_standing,
    opens_session,
    unasked,
    without_cut,
)
from pytest_todeval.recording.secrets import Scanner
from pytest_todeval.recording.settling import settled
from pytest_todeval.recording.sharing import Shared, Sharing
from pytest_todeval.recording.shelf import RecordedAnswers
from pytest_todeval.recording.transport import Exchange, Playing, without_waiting
from pytest_todeval.recording.under_way import CallsUnderWay, CallUnderWay


@dataclass(frozen=True, slots=True)
class Count:
    """What became of the calls of a lane."""

    played: int
    recorded: int


T = TypeVar("T")


class Tape:
    """The calls of one dialogue, from any thread or task.

    As a context manager it is open for its dialogue: calls made in that dialogue's lanes come to
    it. A cassette is written by `finish(keep=True)` only, and only if something is to change.
    """

    def __init__(
        self,
        path: Path,
        *,
        test: str,
        dialogue: str,
        modes: Mapping[Lane, Mode],
        matching: Matching = EXACT,
        allowed: Iterable[str] = (),
        budget: Budget | None = None,
        now: datetime | None = None,
        seed: int | None = None,
        scanner: Scanner | None = None,
        redactor: Redactor | None = None,
        options: Sequence[str] = (),
        goal: str = "",
        process: ProcessCassette | None = None,
        token: str = "",
    ) -> None:
        """`with` opens and closes it.

        `path` need not exist. `test` is the node id, `dialogue` the id that `core.lane.in_lane` is
        given, or the node id for a test without a dialogue; lanes without a mode replay.
        `allowed`: `HOST:PORT`, `HOST`, a URL or the path of a unix socket. `now` and `seed` hold
        if there is no recording yet; `redactor` takes the secrets out of what is kept
        (the common ones unless one is given).
        `options` stand in the commands of messages. `goal` is a digest of the dialogue's goal.
        `process` holds the calls of the process. `token` is what the dialogue's id ends in, after
        `~`, in this run only.
        Raises InvalidFile for a broken cassette, UsageError for a wrong address.
        """
        self.path, self.test, self.dialogue = path, test, dialogue
        self.is_of_test = dialogue == test
        """Whether it is that of a test without a dialogue: all calls made meanwhile are its."""
        self.place = Place(dialogue, Lane.SYSTEM, 0)
        """Where calls are made that are at no other place of its dialogue."""
        self.modes = {lane: modes.get(lane, Mode.REPLAY) for lane in Lane}
        self.allowed = tuple(map(Address.parse, allowed))
        """Addresses that are really called, and never recorded, besides the bot's own."""
        self.bot_address: Address | None = None
        self.serve: Callable[[bytes], bytes] | None = None
        """What answers requests to the backend of this dialogue; None if it serves none."""
        self.refusals: list[TodevalError] = []
        """What else went wrong in this dialogue: calls beyond the budget, blocked connections,
        secrets that would have reached the cassette, calls and connections that it cannot hold."""
        self.notices: dict[str, None] = {}
        """What is worth knowing of this dialogue, and no fault: for the summary of the run."""
        self.strays: list[str] = []
        """Calls made while this tape was open that could not be told to be of any dialogue."""
        self.cut_off = False
        """Whether a time-out ended the dialogue, so that what it left running may call yet."""
        self.unstable: dict[str, str] = {}
        """While recording: today's date and UUIDs found in requests, with the place of each."""
        self.from_journal = 0
        """Calls that were answered from the journal of a recording that did not finish."""
        self.accepted = 0
        """In the mode `accept`: requests answered by the recorded call in their place."""
        self.kept = 0
        """Calls made in this run that were put in the cassette."""
        self.user_recorded = False
        """Whether the recorded user plays. Its words belong to the goal they were recorded for."""
        self.live: set[str] = set()
        """The lanes whose calls were answered live, and that somebody passed by: nobody keeps what
        they said, so the next run may hear something else."""
        self.token = token
        """What ids of this dialogue end in, after `~`, in this run only; empty if there is none."""
        self._fresh, self._turns = FreshId(token), Turns()
        self._matching, self._budget = matching, budget
        self._redactor = redactor or Redactor()
        self._goal = goal
        self._sharing = Sharing(process, of_test=self.is_of_test)
        self._lock = threading.RLock()
        self._archive = Archive(path, self.modes, matching, scanner)
        self._answers = RecordedAnswers(
            self._archive.calls, self._archive.left, self._redactor, matching
        )
        self._header = self._archive.date(test, now, seed)
        self.seed = self._header.seed
        self._course = Course()
        self._under_way = CallsUnderWay(
            self._lock,
            records=lambda lane: self.modes[lane].records and not self._finished,
            settle=self._settle,
            refuse=self.refuse,
        )
        self._played: Counter[Lane] = Counter()
        self._recorded: Counter[Lane] = Counter()
        make_miss = partial(
            Miss,
            recorded=self._archive.calls if self.has_cassette else None,
            matching=matching,
            options=tuple(options),
            folder=None if process is None else process.path.parent,
            goal=goal,
        )
        self._misses = Misses(test, dialogue, path, make_miss)
        self._said: list[SaidTurn] = []
        self._diverged: set[Lane] = set()
        self._texts: list[str] = []
        self._connections: set[tuple[Address, Lane]] = set()
        self._finished = False
        self._forks = Forks()
        self._removed: dict[str, str] = {}
        """What was taken out of answers that were recorded now, and the names it stood under."""
        self._open_before: Sent = {}

    def __enter__(self) -> Self:
        Router.of_process().open(self)
        self._open_before = sent() if all(mode.offline for mode in self.modes.values()) else {}
        return self

    def __exit__(self, *_: object) -> None:
        Router.of_process().close(self)
        self.finish(keep=False)

    @property
    def now(self) -> datetime:
        """The clock of the recording: when what is played, or recorded now, was recorded."""
        return datetime.fromisoformat(self._header.recorded)

    @property
    def misses(self) -> list[Miss]:
        """What was asked and not in the cassette, each once; also if the bot caught the error."""
        return self._misses.found

    @property
    def calls(self) -> Mapping[Lane, Count]:
        return {lane: Count(self._played[lane], self._recorded[lane]) for lane in Lane}

    @property
    def has_cassette(self) -> bool:
        """Says whether there was a cassette when the tape was opened."""
        return self._archive.file is not None

    @property
    def has_whole_cassette(self) -> bool:
        """Says whether there was one of a dialogue that ended in no fault of user, ear or judge."""
        return self.has_cassette and self._archive.fault is None

    @property
    def replays_fault(self) -> bool:
        """Whether the cassette holds a dialogue up to such a fault, and is not recorded again."""
        fault = self._archive.fault
        return fault is not None and not self.modes[fault].records

    def unused(self) -> tuple[Call, ...]:
        """Recorded calls of lanes that replay which were not played, in the order of the file.

        A judge that was once asked the same several times, as it was before its answers were kept,
        is not told of.
        """
        with self._lock:
            shelf = self._answers.shelf
            once = shelf.played_keys()
            unplayed = [
                call
                for call in shelf.unplayed()
                if call.request.lane is not Lane.JUDGE or call.key not in once
            ]
            played = (call for call in unplayed if self.modes[call.request.lane].plays)
            return tuple(
                call
                for call in played
                if not self._sharing.holds(call.request)
                and unasked(call.request, (each.request for each in self._archive.calls)) is None
            )

    def heard(self, turn: int, text: str) -> None:
        """Tells what the bot said in a turn: a miss can then say that this is what changed."""
        self._misses.heard.append(SpokenTurn(turn, self._fresh.text(text)))

    @property
    def turn(self) -> int:
        """Returns the turn under way, as far as the tape was told what the bot said before."""
        heard = self._misses.heard
        return heard[-1].turn + 1 if heard else int(not self.is_of_test)

    def named(self, place: Place) -> str:
        """Returns a place of its dialogue, for a person."""
        if self.is_of_test:
            return self.test
        return f"dialogue {place.dialogue}, lane {place.lane}, turn {place.turn}"

    def as_replayed(self, value: T, turn: int) -> T:
        """Returns what the bot said or reported in a turn, as it will in replay: a JSON value.

        If an answer is redacted in the cassette, the replayed bot says the placeholder, too. What
        is changed is noticed.
        """
        if not self._removed:
            return value
        found: T = without_any(value, self._removed)
        if found != value:
            names = ", ".join(sorted(self._removed.values())) or "a secret"
            self.notice(
                f"redacted in {self.dialogue}, turn {turn}: the bot tells what the cassette does "
                f"not keep of an answer ({names}), so tests see `{PLACEHOLDER}`, as in replay. If "
                "it is no secret, say so: `todeval_redact = keep: NAME`"
            )
        return found

    def said(self, turn: int, user: str, system: str) -> None:
        """Tells what was said in a turn, once the dialogue is over: a new cassette will hold it."""
        user, system = (self._redactor.text(self._fresh.text(text)) for text in (user, system))
        self._said.append(SaidTurn(turn, user, system))

    @property
    def recorded_said(self) -> tuple[SaidTurn, ...]:
        """What the cassette says was said, turn by turn; empty without one, or in one untold."""
        return self._archive.said

    @property
    def user_of_other_goal(self) -> bool:
        """Says whether the user's words were recorded for another goal; not if that is unknown."""
        return self.user_recorded and self._archive.goal not in ("", self._goal)

    def passes(self, host: str, port: int | None) -> bool:
        """Whether an address is really called in any mode: the bot's own, and the allowed ones."""
        if self.bot_address is not None and self.bot_address.covers(host, port):
            return True
        if not any(address.covers(host, port) for address in self.allowed):
            return False
        self.live.add(f"{host}, which --todeval-allow lets through")
        return True

    def replays(self, lane: Lane) -> bool:
        """Says whether a lane is cut off from the network."""
        return self.modes[lane].offline

    def process_rules(self, lane: Lane) -> ProcessRules:
        """What the project says of calls of the process, and of those that nobody records."""
        return self._sharing.rules if self.modes[lane] is not Mode.LIVE else ProcessRules()

    def begin(self, request: Request, turn: int, host: str = "") -> Exchange:
        """Returns what is to be done for a call that starts now; `host` is whom it asks.

        Raises CassetteMiss if it would have to be in the cassette, BudgetSpent if it may not
        be made.
        """
        mode, sent = self.modes[request.lane], self._fresh.request(request)
        request = self._redactor.request(sent)
        key = call_key(request, self._matching)
        with self._lock:
            self._misses.count(request.lane, turn)
            self._turns.hear(request)
            shared = self._sharing.begins(request, host)
            taken = self._answers.to(key, sent, request, mode)
            # A token that was redacted opens nothing: who goes on recording needs a new one.
            lost = taken is not None and mode.records and _opens_nothing(taken.call)
            if taken is not None and not lost:
                ordinal = self._course.start()
                self._course.add(ordinal, taken.call, of_cassette=not taken.from_journal)
                self.from_journal += taken.from_journal
                self._played[request.lane] += 1
                if mode.records and shared and not self._sharing.holds(request):
                    self._share(request, taken.call.outcome)
                answer = as_answer(taken.call.outcome, taken.call.request, request)
                return self._playing(answer, key, request, turn)
            shared_answer = self._sharing.take(request, mode)
            if shared_answer is not None:
                return self._playing(shared_answer, key, request, turn)
            if mode is Mode.ACCEPT:
                accepted = self._accepted(key, request, turn)
                if accepted is not None:
                    return accepted
            if mode.offline:
                nothing = unasked(request, (call.request for call in self._archive.calls))
                if nothing is not None:
                    return Playing(nothing)
                raise self._missed(key, request, turn)
            self._take_budget(request)
            if mode is Mode.LIVE:
                self.live.add(f"live calls of the {request.lane.value}")
            else:
                self._diverged |= set() if lost or shared else {request.lane}
                self._look_for_unstable(request, turn)
            by = caller() if mode.records else ""
            started = self._under_way.start(self._course.start(), key, request, turn, by)
            started.shared = shared
            return started

    def end_calls(self) -> None:
        """The dialogue is over: calls under way end, or are named among the refusals.

        An answer that nobody reads on stands in the recording as far as it was read. What somebody
        still waits for is waited for, a little.
        """
        self.hear_forks()
        self._under_way.end_all()

    def unanswered(self, lane: Lane) -> str:
        """What the last call of a lane ended in, if its endpoint could not answer; else nothing.

        Not reached, broken off, too slow, too many requests, or a fault of the endpoint.
        """
        with self._lock:
            return self._course.unanswered(lane)

    @property
    def asked_tool_last(self) -> bool:
        """Says whether the bot's last call was a message to a server of MCP."""
        with self._lock:
            last = self._course.last(Lane.SYSTEM)
        return last is not None and bool(called_by(last.request))

    @property
    def waiting(self) -> int:
        """Calls that stay in the journal for the next recording, unless a cassette is written."""
        return len(self._course.in_journal())

    @property
    def dropped(self) -> int:
        """Calls that the journal forgot because the dialogue ended in a fault."""
        return self._course.dropped

    @property
    def records(self) -> bool:
        """Says whether calls of any lane are kept."""
        return any(mode.records for mode in self.modes.values())

    @property
    def has_faulty(self) -> bool:
        """Says whether a call failed, and whoever made it got no answer after it."""
        with self._lock:
            return left_unanswered(self._course.in_order())

    def drop_faulty(self, lane: Lane | None = None) -> None:
        """The dialogue ended in a fault: its journal forgets the calls that hang on it.

        `lane` is the one whose answers could not be used; else calls that failed are at fault. See
        `course.at_fault`. Raises UsageError.
        """
        with self._lock:
            if self._course.drop(lane):
                self._archive.keep_only(self._course.in_journal())

    def finish(self, keep: bool, fault: Lane | None = None) -> None:
        """Ends the recording; the first call counts.

        With `keep` the cassette is put in place if it changed. Else it stays as it was, and what
        was recorded stays in the journal beside it, from which the next recording goes on. `fault`
        is the lane whose answers could not be used, if that ended the dialogue. Raises
        SecretFound and UsageError if the cassette can't be written, and CallLost if it would
        not be complete; the journal then stays.
        """
        with self._lock:
            if self._finished or self.in_fork:
                return
            if keep:
                self.end_calls()
            self._finished = True
            try:
                if keep and self._under_way.lost:
                    raise self._under_way.lost[0]
                if keep:
                    self._put(fault)
            finally:
                self._forks.close()
                self._archive.close()

    def refuse(self, error: TodevalError) -> TodevalError:
        """Keeps an error, since the bot may catch it; it is given back to be raised."""
        if self.in_fork:
            self._forks.tell(str(error))
            return error
        with self._lock:
            self.refusals.append(error)
        return error

    @property
    def redacted(self) -> set[str]:
        """The names under which secrets were taken out of answers that were recorded now."""
        return {name or "a value" for name in self._removed.values()}

    @property
    def in_fork(self) -> bool:
        """Says whether the code now running runs in a process forked from the one of this tape."""
        return self._forks.here

    def hear_forks(self) -> None:
        """Takes what other processes, and code that is not Python, did or were refused."""
        Router.of_process().watch.settle()
        for host, port, count in went_out(self._open_before):
            if not any(each.covers(host, port) for each in Router.of_process().allowed()):
                self.notice(
                    f"{count} bytes went to {Address(host, port)} over a connection that was open "
                    f"before {self.dialogue} was replayed, by C code or another thread: it is not "
                    "held back"
                )
        known = {str(error) for error in self.refusals}
        for message in dict.fromkeys(self._forks.told()):
            if message not in known:
                self.refuse(ForkedCall(message))

    @property
    def calls_under_way(self) -> bool:
        """Says whether a call is now really made, or its answer read."""
        return bool(self._under_way)

    def notice(self, message: str) -> None:
        """Has the summary say something of this dialogue that is no fault, once."""
        self.notices[message] = None

    def connected(self, address: Address, place: Place) -> None:
        """Code now running connects, in none of the calls being recorded: replay would block it."""
        if not self.modes[place.lane].records or (address, place.lane) in self._connections:
            return
        self._connections.add((address, place.lane))
        self.refuse(
            NotRecorded(
                f"not recorded: a connection to {address} in {self.named(place)} (made by "
                f"{caller()}). No HTTP client that can be recorded made it, so replay will block "
                f'it. To allow it in replay, too: `--todeval-allow="{address}"`'
            )
        )

    def _take_budget(self, request: Request) -> None:
        if self._budget is None:
            return
        try:
            self._budget.take(request)
        except TodevalError as error:
            raise self.refuse(error) from None

    def _look_for_unstable(self, request: Request, turn: int) -> None:
        today = datetime.now().date()
        for part in unstable_parts(request.body, today, self._texts, self._matching):
            self.unstable.setdefault(part, f"lane {request.lane}, turn {turn}")

    def _missed(
        self, key: str, request: Request, turn: int, *, read_on: bool = False
    ) -> CassetteMiss:
        played = self._answers.shelf.played()
        return CassetteMiss(self._misses.add(key, request, turn, played, read_on=read_on))

    def _accepted(self, key: str, request: Request, turn: int) -> Playing | None:
        """Returns the answer of the recorded call in whose place a request was made."""
        old = self._answers.in_place_of(request, turn)
        if old is None:
            return None
        kept = as_answer(self._redactor.outcome(old.outcome), old.request, request)
        call = Call(key, request, kept, turn, self.dialogue)
        self._course.add(self._course.start(), call, of_cassette=True)
        self._played[request.lane] += 1
        self.accepted += 1
        return self._playing(call.outcome, key, request, turn)

    def _playing(
        self, outcome: Response | RaisedError, key: str, request: Request, turn: int
    ) -> Playing:
        def beyond() -> CassetteMiss:
            with self._lock:
                return self._missed(key, request, turn, read_on=True)

        may_play = None
        if isinstance(outcome, Response) and outcome.events is not None:
            may_play = self._turns.of(
                outcome.events, lambda: not is_standing(request, outcome.headers) or self._finished
            )
        return Playing(without_waiting(outcome), beyond, may_play)

    def _settle(self, made: CallUnderWay, outcome: Response | RaisedError | None) -> None:
        if self._finished:
            return
        if isinstance(outcome, Response) and self._budget is not None:
            try:
                self._budget.answered(made.request, outcome)
            except TodevalError as error:
                self.refuse(error)  # not raised here, in the midst of the bot's client
        if outcome is not None and self.modes[made.request.lane].records:
            self._keep(made, outcome)

    def _keep(self, made: CallUnderWay, outcome: Response | RaisedError) -> None:
        lane, outcome = made.request.lane, self._fresh.outcome(outcome)
        if isinstance(outcome, Response):
            outcome = without_cut(made.request, outcome)
        if made.shared:
            self._share(made.request, outcome)
        if made.shared is Shared.WHOLE:
            return
        kept = self._redactor.outcome(outcome)
        if kept is not outcome and isinstance(outcome, Response) and isinstance(kept, Response):
            self._removed |= removed_of(outcome, kept)
        call = Call(made.key, made.request, kept, made.turn, self.dialogue)
        self._course.add(made.ordinal, call)
        self._recorded[lane] += 1
        if isinstance(outcome, Response):
            self._texts.append(outcome.body.decode("utf-8", "replace"))
        try:
            self._archive.append(call, made.ordinal)
        except TodevalError as error:
            # Not here, in the midst of the bot's client: `finish` raises it again.
            self.refuse(error)

    def _share(self, request: Request, outcome: Response | RaisedError) -> None:
        try:
            self._sharing.keep(request, outcome)
        except TodevalError as error:
            self.refuse(error)

    def _put(self, fault: Lane | None) -> None:
        said = self._said or self.recorded_said
        anew = self._said and not self.user_recorded
        goal = self._goal if anew else self._archive.goal
        if Mode.ACCEPT in self.modes.values():
            self._archive.propose(self._merged() if self.accepted else (), said, goal)
        elif self._archive.is_changed(self._recorded.total()):
            old = self._archive.file.calls if self._archive.file else ()
            self._archive.put(settled(self._merged(), old, self._matching), said, goal, fault)
            self.kept = self._recorded.total()
        else:
            self._archive.leave()

    def _merged(self) -> list[Call]:
        """The calls of this run as they were started, then those carried over, as they stood.

        Calls that were not played now stay, except in lanes that went another way: those that are
        rewritten, and those that asked something new.
        """

        def stays(call: Call) -> bool:
            mode = self.modes[call.request.lane]
            diverged = call.request.lane in self._diverged
            return mode is not Mode.REWRITE and not (mode is Mode.MISSING and diverged)

        made = sorted(self._course.in_order(), key=_place_in_file)
        return made + list(filter(stays, self._answers.shelf.unplayed()))


def _opens_nothing(call: Call) -> bool:
    """Says whether a recorded answer is worth nothing to who goes on recording."""
    return has_lost_secret(call.outcome) or opens_session(call.request)


def _place_in_file(call: Call) -> tuple[bool, bytes]:
    """Calls as they were started, then the judge's by what was asked.

    A judge asks much at once, in threads: the order in which these start is another in each run.
    """
    judged = call.request.lane is Lane.JUDGE
    return judged, call.request.body if judged else b""
