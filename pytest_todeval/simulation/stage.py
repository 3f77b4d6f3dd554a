"""One dialogue while it is played: what was said and done so far, and how long it may take yet."""

import time
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from pytest_todeval.core.deadline import Deadline, waited_for
from pytest_todeval.core.dialogue import Booking, Dialogue, Reply, Turn
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.lane import Lane, in_lane
from pytest_todeval.core.notation import claim_of
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.core.protocol import ProtocolKept, held_to
from pytest_todeval.errors import BackendError, SystemContractError, TodevalError, UsageError
from pytest_todeval.simulation.checks import AfterTurn, AsReplayed, CheckRaised, require_check
from pytest_todeval.simulation.faults import (
    FAULTS,
    Stop,
    bot_raised,
    ear_raised,
    frames_now,
    raised_line,
    sound,
    user_raised,
)
from pytest_todeval.simulation.held import broken, note_undeclared
from pytest_todeval.simulation.limits import Limits, set_by
from pytest_todeval.simulation.reported import RecordListener, all_calls, listening
from pytest_todeval.simulation.session import BotSession, SessionNote
from pytest_todeval.simulation.system import System, adapt, said_in
from pytest_todeval.simulation.told_by_user import conveyed_nothing, notes_of, unfinished
from pytest_todeval.simulation.user import Utterance
from pytest_todeval.simulation.witness import NOT_LOOKED, Changes, Witness
from pytest_todeval.simulation.worker import Raised, TimedOut, Worker, within

if TYPE_CHECKING:
    from pytest_todeval.facts.model.model_ear import ModelEar
    from pytest_todeval.simulation.variation import Variation

T = TypeVar("T")
HEARD_LATELY = 5
"""Turns whose names the user may take up."""
MOST_HEARD = 8000
"""Characters of them."""
CLOSING = 5.0
"""Seconds that a session has to be closed in if the person who runs the tests wants to stop."""


class Stage:
    """Where one user meets one bot. Its methods raise Stop where the dialogue goes no further."""

    def __init__(
        self,
        goal: Goal,
        user: Any,
        tod_system: Any,
        backend: Any,
        limits: Limits,
        trial: int,
        ear: "ModelEar | None" = None,
        after_turn: AfterTurn | None = None,
        variation: "Variation | None" = None,
        session: BotSession | None = None,
        as_replayed: AsReplayed | None = None,
    ) -> None:
        require_check(after_turn)
        if isinstance(user, type) or not callable(getattr(user, "respond", None)):
            raise UsageError(f"the user simulator {user!r} has no method `respond(turn)`")
        self._goal, self._user, self._tod_system, self._trial = goal, user, tod_system, trial
        self._user_asks_model = bool(getattr(user, "asks_model", False))
        self._backend, self._witness = backend, Witness(backend, goal)
        self._ear, self._ear_notes = ear, list[str]()
        self._variation, self._meant = variation, ""
        self._user_asks_model |= variation is not None and variation.asks_model
        self._after_turn = after_turn
        self.check_error: BaseException | None = None
        """What a check after a turn raised, if that ended the dialogue."""
        self._limits = limits
        self._session = session or BotSession(goal, trial)
        self._id = self._session.dialogue
        self._session_notes: list[str] = []
        self._worker = Worker(f"todeval {self._id}")
        self._deadline = time.monotonic() + limits.dialogue_timeout
        self._as_replayed = as_replayed
        self._turns: list[Turn] = []
        self._history: list[dict[str, str]] = said_in(goal.opening)
        self._unanswered = ""
        self._listener = RecordListener()
        self._protocol = ProtocolKept(limits.protocol)

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Take what the bot reports through the logger, and which violations both sides tell of."""
        with listening(self._listener), held_to(self._protocol if self._protocol.name else None):
            yield

    async def build(self) -> System:
        """Returns the bot of this dialogue.

        An error of ours passes: it tells the person who wrote the test what to change. Else what
        the bot's class or factory raises is the bot's.
        """
        building = adapt(
            self._tod_system,
            backend=self._backend,
            goal_id=self._goal.name,
            dialogue_id=self._session.dialogue_id,
            opening=self._goal.opening,
            worker=self._worker,
        )
        try:
            with in_lane(self._id, Lane.SYSTEM):
                system = await self._within(building, "the bot was being made", self._remaining())
        except Raised as raised:
            if isinstance(raised.error, TodevalError) and not isinstance(
                raised.error, BackendError
            ):
                raise raised.error from None
            raise bot_raised(raised.error, "the making of the bot") from None
        self._session.known_as = system.known_as
        await self._open(system)
        return system

    async def _open(self, system: System) -> None:
        opening = system.open(self._session)
        try:
            self._session.unopened = True
            with in_lane(self._id, Lane.SYSTEM):
                await self._within(opening, f"{system.place} opened its session")
            self._session.unopened = False
        except Raised as raised:
            raise bot_raised(raised.error, "the opening of the session") from None

    async def user_speaks(self) -> str:
        """What the bot hears of the user next; stops if it leaves, or if no turn is left for it."""
        place = f"turn {len(self._turns) + 1}"
        before = (*self._goal.opening, *self._turns)
        speaking = self._worker.call(self._user.respond, before[-1] if before else None)
        try:
            with in_lane(self._id, Lane.USER, len(self._turns) + 1):
                spoken = await self._within(speaking, f"the user spoke in {place}")
            utterance = sound(spoken, place)
        except Raised as raised:
            if isinstance(raised.error, CheckRaised):
                raise self._check_raised(raised.error.error) from None
            raise user_raised(raised.error, place) from None
        except Stop as stop:
            if stop.reason is StopReason.TURN_TIMEOUT and not self._user_asks_model:
                raise Stop(StopReason.SIMULATOR_FAULT, stop.detail) from None
            raise
        if utterance.stop is not None:
            raise Stop(utterance.stop, utterance.reason, utterance.text)
        self._unanswered = utterance.text
        if len(self._turns) >= self._limits.max_turns:
            raise Stop(StopReason.TURN_LIMIT, f"{self._limits.max_turns} turns were played")
        if (limit := self._witness.out_of_steps(self._turns)) is not None:
            raise limit
        self._unanswered = await self._varied(utterance.text, before, place)
        self._meant = utterance.text if self._unanswered != utterance.text else ""
        return self._unanswered

    async def _varied(self, text: str, before: tuple[Turn, ...], place: str) -> str:
        """Returns what the bot hears of the user's words."""
        if self._variation is None:
            return text
        heard = "\n".join(turn.system for turn in before[-HEARD_LATELY:])[-MOST_HEARD:]
        turn = len(self._turns) + 1
        varying = self._worker.call(self._variation.varied, text, turn, heard)
        try:
            with in_lane(self._id, Lane.USER, turn):
                said = await self._within(varying, f"the user's words were varied in {place}")
            return sound(Utterance(said), place).text
        except Raised as raised:
            raise user_raised(raised.error, place) from None

    async def bot_answers(self, system: System, text: str) -> None:
        """A turn: the bot's answer to `text`, or what it did before it failed."""
        number = len(self._turns) + 1
        place = f"turn {number}"
        if self._witness.is_new:
            await self._look()
            if self._witness.not_given:
                raise Stop(StopReason.BACKEND_ERROR, self._witness.not_given)
            if system.hands_out_sessions and self._witness.booked:
                self._session_notes.append(_shared(self._id, self._witness.booked))
        self._listener.attend()
        started = time.perf_counter()
        reply, stop = Reply(""), None
        try:
            answering = system.respond(text, self._history)
            with in_lane(self._id, Lane.SYSTEM, number):
                reply = await self._within(answering, f"{system.place} answered in {place}")
            stop = self._witness.ended(place) or _ends_with(reply, place)
        except Raised as raised:
            stop = bot_raised(raised.error, place)
        except SystemContractError as error:
            stop = bot_raised(error, place)
        except Stop as timed_out:
            stop = timed_out
        latency = time.perf_counter() - started
        changes, broke = NOT_LOOKED, None
        try:
            changes = await self._look()
        except Stop as backend_hangs:
            broke = backend_hangs
        self._keep(text, reply, latency, changes)
        stop = self._witness.after(self._turns, stop) or broke
        stop = broken(self._protocol, number, stop)
        if self._ear is not None and self._turns and (stop is None or stop.reason not in FAULTS):
            await self._listen(self._ear, self._turns[-1])
        if self._after_turn is not None and (stop is None or stop.reason not in FAULTS):
            await self._check(self._after_turn)
        if stop is not None:
            raise stop

    async def ended(self, stop: Stop) -> Dialogue:
        """Returns the dialogue with the reason why it stopped, and with what stands booked."""
        if stop.reason is StopReason.TURN_LIMIT:
            stop = Stop(stop.reason, stop.detail + unfinished(self._user), stop.last_words)
        stop = conveyed_nothing(self._user, stop, len(self._turns)) or stop
        bookings: tuple[Booking, ...] = ()
        known = False
        backend = self._witness.backend
        if backend is not None and not self._session.unopened:  # it may have to ask for its id
            try:
                with self._free_worker() as worker:
                    looking = worker.call(partial(self._witness.look, at_end=True))
                    found = await within(Deadline(self._limits.turn_timeout), looking)
                    bookings, known = found.booked or (), backend.has_bookings
                    self._witness.looked(found)
            except (Raised, TimedOut) as error:
                stop = _besides(stop, StopReason.BACKEND_ERROR, _not_told(error))
        # After the bookings, which a backend may read in the session.
        return self.dialogue(await self._close_session(stop), bookings, known)

    async def _close_session(self, stop: Stop) -> Stop:
        closing = self._session.take_closing()
        if closing is None:
            return stop
        limit = self._limits.turn_timeout
        try:
            lane = in_lane(self._id, Lane.SYSTEM)
            with lane, waited_for(limit) as deadline, self._free_worker() as worker:
                note = await within(deadline, worker.call(closing))
            if isinstance(note, SessionNote):
                self._session_notes.append(note)
        except (Raised, TimedOut) as error:
            told = f"the bot's session {self._session.id} could not be closed"
            if isinstance(error, TimedOut):
                told += f": not in {limit:g} s"
            elif stop.reason is not StopReason.NETWORK or not isinstance(
                error.error, ConnectionError
            ):
                told += f": {raised_line(error.error)}"
            return _besides(stop, StopReason.NETWORK, told)
        return stop

    @contextmanager
    def _free_worker(self) -> Iterator[Worker]:
        """The dialogue's, or another: the thread of a bot that hangs would never come to it."""
        if self._worker.idle:
            yield self._worker
            return
        worker = Worker(f"todeval {self._id} end")
        try:
            yield worker
        finally:
            worker.close()

    def dialogue(self, stop: Stop, bookings: tuple[Booking, ...], known: bool) -> Dialogue:
        """Returns the dialogue so far."""
        return Dialogue(
            goal=self._goal,
            turns=tuple(self._turns),
            stop_reason=stop.reason,
            fault=FAULTS.get(stop.reason),
            detail=stop.detail,
            last_words=stop.last_words or self._unanswered,
            last_calls=self._witness.users_calls,
            final_bookings=bookings,
            backend_known=known,
            records_seen=self._witness.records,
            trial=self._trial,
            notes=(*notes_of(self._user), *self._ear_notes, *self._session_notes),
            variation="" if self._variation is None else self._variation.name,
            protocol=self._protocol.name,
            violations=tuple(self._protocol.violations),
        )

    def close(self) -> None:
        """Lets the dialogue's thread and logger go; may be called twice."""
        self._worker.close()
        self._listener.close()

    def abandon(self) -> None:
        """Lets go of all, also of a session that a dialogue broken off (Ctrl-C) left open."""
        self.close()
        patience = min(self._limits.turn_timeout, CLOSING)
        with in_lane(self._id, Lane.SYSTEM), waited_for(patience):
            self._session.close_now(patience)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the bot reported and could not be used, with why; what is odd about its session."""
        return (*self._listener.notes, *self._session_notes)

    async def _look(self) -> Changes:
        """What has changed in the backend since the last look; nothing told if none can be taken.

        A backend that breaks is asked again at the end, and then it is told. Stops if it hangs.
        """
        sees = self._witness.keeps_bookings or self._witness.keeps_records
        if not sees or not self._worker.idle:
            return NOT_LOOKED
        try:
            looking = self._worker.call(self._witness.look)
            patience = Deadline(self._limits.turn_timeout)
            return self._witness.looked(await within(patience, looking))
        except Raised:
            return NOT_LOOKED
        except TimedOut as error:
            raise Stop(StopReason.BACKEND_ERROR, _not_told(error)) from None

    def _keep(self, text: str, reply: Reply, latency: float, changes: Changes) -> None:
        # All since the turn before, so that what a bot does between two turns is not lost.
        reports = self._listener.take()
        traced, users = self._witness.calls, self._witness.users_calls
        note_undeclared(self._protocol, self._witness.backend, traced, len(self._turns) + 1)
        calls = all_calls(traced, reply.tool_calls, reports.tool_calls)
        if not reply.text and not calls:
            return  # nothing came: the user's words remain its last
        claims = reports.acts if reply.acts is None else tuple(map(claim_of, reply.acts))
        turn = Turn(
            index=len(self._turns) + 1,
            user=text,
            system=reply.text,
            tool_calls=calls,
            state=reports.state if reply.state is None else reply.state,
            turn_state=reports.turn_state if reply.turn_state is None else reply.turn_state,
            retrieved=reply.retrieved or tuple(reports.retrieved),
            latency=latency,
            usage=reports.usage if reply.usage is None else reply.usage,
            spans=(*reply.spans, *reports.spans),
            user_calls=users,
            booked=changes.booked,
            cancelled=changes.cancelled,
            changed=changes.records,
            claims=claims,
            claims_by="" if claims is None else "bot",
            meant=self._meant,
        )
        self._witness.keep(traced, users)
        if self._as_replayed is not None:
            turn = self._as_replayed(turn)
        self._turns.append(turn)
        self._history += said_in([turn])
        self._unanswered = ""

    async def _listen(self, ear: "ModelEar", turn: Turn) -> None:
        """Has the ear hear a turn, unless the bot said nothing, or reported what its words say."""
        if turn.claims is not None or not turn.system.strip():
            return
        place = f"turn {turn.index}"
        try:
            with in_lane(self._id, Lane.EAR, turn.index):
                hearing = self._worker.call(ear.hear, tuple(self._turns))
                heard = await self._within(hearing, f"the ear heard {place}")
        except Raised as raised:
            raise ear_raised(raised.error, place) from None
        self._turns[-1] = replace(turn, claims=heard.claims, claims_by=heard.by)
        self._ear_notes += heard.notes

    async def _check(self, check: AfterTurn) -> None:
        """Has the test look at the turn just ended."""
        turn = self._turns[-1]
        so_far = self.dialogue(
            Stop(StopReason.UNDER_WAY), self._witness.booked or (), self._witness.has_looked
        )
        try:
            with in_lane(self._id, Lane.JUDGE, turn.index):
                checking = self._worker.call(check, so_far, turn)
                await self._within(checking, f"the check after turn {turn.index} ran")
        except Raised as raised:
            raise self._check_raised(raised.error) from None

    def _check_raised(self, error: BaseException) -> Stop:
        turn = len(self._turns)
        self.check_error = error
        error.add_note(f"in the check after turn {turn} of {self._goal.name}")
        told = f"the check after turn {turn} raised {raised_line(error)}"
        return Stop(StopReason.CHECK_FAILED, told)

    def _remaining(self) -> float:
        return self._deadline - time.monotonic()

    async def _within(
        self, coroutine: Coroutine[Any, Any, T], doing: str, seconds: float | None = None
    ) -> T:
        limit, remaining = seconds or self._limits.turn_timeout, self._remaining()
        patience = min(limit, remaining)
        try:
            with waited_for(patience) as deadline:
                try:
                    return await within(deadline, coroutine)
                finally:
                    self._deadline += deadline.stood
        except TimedOut:
            where = frames_now(self._worker.frame)
            where = f" (at {where})" if where else ""
        limits = self._limits
        if remaining <= limit:
            took = f"the dialogue took longer than {limits.dialogue_timeout:g} s"
            where_from = set_by("dialogue", limits.dialogue_timeout_by)
            raise Stop(StopReason.DIALOGUE_TIMEOUT, f"{took} while {doing}{where}. {where_from}")
        took = f"longer than {limit:g} s while {doing}{where}"
        raise Stop(StopReason.TURN_TIMEOUT, f"{took}. {set_by('turn', limits.turn_timeout_by)}")


def _ends_with(reply: Reply, place: str) -> Stop | None:
    if not reply.text.strip():
        return Stop(StopReason.EMPTY_REPLY, f"the bot answered with nothing in {place}")
    if reply.done:
        return Stop(StopReason.SYSTEM_DONE, f"the bot ended the dialogue in {place}")
    return None


def _shared(dialogue: str, booked: tuple[Booking, ...]) -> str:
    stood = "a booking stood" if len(booked) == 1 else f"{len(booked)} bookings stood"
    return (
        f"{stood} in the bot's new session before the first turn of {dialogue}: is the session "
        "shared with another dialogue, or left from a run before?"
    )


def _besides(stop: Stop, reason: StopReason, what: str) -> Stop:
    """Returns the stop it was, with a note, if that already says whose fault it is."""
    if stop.reason in FAULTS:
        return Stop(stop.reason, f"{stop.detail}; besides, {what}", stop.last_words)
    return Stop(reason, what, stop.last_words)


def _not_told(error: Raised | TimedOut) -> str:
    what = str(error.error) if isinstance(error, Raised) else "no answer in time"
    return f"the backend could not tell what stands: {what}"
