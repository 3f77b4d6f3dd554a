"""The router: one per process; brings each call to the tape of the dialogue it is made in."""

import os
import re
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from pytest_todeval.core.lane import Lane, Place, here
from pytest_todeval.errors import UsageError
from pytest_todeval.recording import network, threads
from pytest_todeval.recording.address import Address
from pytest_todeval.recording.bots_asked import BotsAsked
from pytest_todeval.recording.call import Request
from pytest_todeval.recording.callers import caller
from pytest_todeval.recording.clients import install
from pytest_todeval.recording.forks import ForkedCall
from pytest_todeval.recording.jail.watch import Watch
from pytest_todeval.recording.mode import Mode
from pytest_todeval.recording.outside import OutsideCalls, is_to_bot
from pytest_todeval.recording.process_rules import ProcessRules, ignored_answer, is_telemetry
from pytest_todeval.recording.refusals import NoDialogue, blocked, stray, unnamed
from pytest_todeval.recording.retries import NoPauses
from pytest_todeval.recording.transport import Exchange, Playing, is_calling

if TYPE_CHECKING:
    from pytest_todeval.recording.tape import Tape

REMEMBERED = 1000
TOKEN = re.compile(r"[~-]([0-9a-f]{12})\Z")


class Router:
    """Knows which tape is open for which dialogue. The clients' adapters ask it."""

    _lock: ClassVar[threading.Lock] = threading.Lock()
    _current: ClassVar["Router | None"] = None

    def __init__(self) -> None:
        self._tapes: dict[str, Tape] = {}
        self._cut_off: set[str] = set()
        """Dialogues that a time-out ended: what they left running may call yet."""
        self._over: deque[str] = deque(maxlen=REMEMBERED)
        """Names and tokens of the last dialogues that are over."""
        self._asked = BotsAsked()
        self._resolved: set[tuple[str, int | None]] = set()
        self._own: tuple[Address, ...] = ()
        self._no_pauses = NoPauses(self.replaying)
        self.outside: OutsideCalls | None = None
        """What looks after calls outside of all dialogues."""
        self.watch = Watch(self)
        """What looks after connections that no adapter sees."""

    @classmethod
    def of_process(cls) -> "Router":
        """The router of this process; with the first one the HTTP clients get their adapters.

        They keep them: while no tape is open, an adapter only asks `idle`.
        """
        with cls._lock:
            if cls._current is None:
                cls._current = Router()
                install(cls._current)
                network.install(cls._current)
                threads.install(cls._current)
            return cls._current

    @property
    def idle(self) -> bool:
        """Says whether no tape is open, and nothing else looks after the code now running."""
        return not self._tapes and (self.outside is None or self.outside.asleep)

    @property
    def tapes(self) -> "tuple[Tape, ...]":
        return tuple(self._tapes.values())

    def allowed(self) -> Iterator[Address]:
        """Returns all that may really be called now, by any of the dialogues."""
        yield from self._own
        yield from (Address(host, port) for host, port in self._resolved.copy())
        for tape in self.tapes:
            yield from tape.allowed
            if tape.bot_address is not None:
                yield tape.bot_address

    def open(self, tape: "Tape") -> None:
        """Bring the calls of the tape's dialogue to it. Raises UsageError if it has one already."""
        with self._lock:
            if tape.dialogue in self._tapes:
                raise UsageError(
                    f"the calls of dialogue {tape.dialogue} are already being recorded or "
                    "replayed: wait for it to end, or give each dialogue its own name"
                )
            self._tapes = {**self._tapes, tape.dialogue: tape}
            self._cut_off.discard(tape.dialogue)
        self.watch.opened(tape)

    def close(self, tape: "Tape") -> None:
        """Bring no more calls to the tape."""
        with self._lock:
            self._tapes = {name: kept for name, kept in self._tapes.items() if kept is not tape}
            if tape.cut_off:
                self._cut_off.add(tape.dialogue)
            if not self._tapes:
                self._resolved.clear()
        self._over += filter(None, (tape.dialogue, tape.token))
        self._asked.forget(tape.dialogue)
        self.watch.closed(tape)
        if self.outside is not None:
            self.outside.settle(tape.bot_address)

    def place(self) -> "tuple[Tape, Place] | None":
        """Returns the tape and the place of the code now running, if it belongs to a dialogue.

        The code of a bot's server in this process runs in threads of its own, which belong to none:
        while exactly one dialogue waits for an answer of its bot's address, they are at its work.
        """
        place = here()
        if place is None:
            asked = self._asked.places()
            if len(asked) != 1:
                return self._of_test(None)
            place = Place(asked[0].dialogue, Lane.SYSTEM, asked[0].turn)
        tape = self._tapes.get(place.dialogue)
        return self._of_test(place) if tape is None else (tape, place)

    def _of_test(self, place: Place | None) -> "tuple[Tape, Place] | None":
        """A test without a dialogue has all calls that no open dialogue has, from any thread.

        But for those that a dialogue left running when it was cut off.
        """
        tape = next((tape for tape in self.tapes if tape.is_of_test), None)
        if tape is None or (place is not None and place.dialogue in self._cut_off):
            return None
        return tape, replace(place or tape.place, dialogue=tape.dialogue)

    @contextmanager
    def own(self, address: Address) -> Iterator[None]:
        """While the run itself serves at an address: calls to it are made in every mode.

        They are not recorded: what a gateway is asked for, it records itself.
        """
        with self._lock:
            self._own = (*self._own, address)
        self.watch.update()
        try:
            yield
        finally:
            with self._lock:
                self._own = tuple(kept for kept in self._own if kept is not address)
            self.watch.update()

    def at_work(self, what: str, dialogue: str | None = None) -> "tuple[Tape, Place] | None":
        """Returns the tape and the place of a bot in another process, which makes the call `what`.

        That of the dialogue it names; else of the one that waits for its bot's answer; else of the
        only one that is open. None while none is. Raises NoDialogue if it cannot be told which; no
        open dialogue is charged with a call that names one that is over.
        """
        if not self._tapes:
            return None
        waiting = {place.dialogue: place for place in self._asked.places()}
        if dialogue is None:
            candidates = list(waiting or self._tapes)
            if len(candidates) != 1:
                raise self._unnamed(what)
            [dialogue] = candidates
        tape = self._named(dialogue)
        if tape is None and _token(dialogue) in self._over:
            raise NoDialogue(unnamed(what, f"it names {dialogue!r}, which is over", []))
        if tape is None:
            raise self._unnamed(what, f"it names the dialogue {dialogue!r}, which is not open")
        dialogue = tape.dialogue
        turn = waiting[dialogue].turn if dialogue in waiting else tape.turn
        return tape, Place(dialogue, Lane.SYSTEM, turn)

    def _named(self, dialogue: str) -> "Tape | None":
        """The open tape of a dialogue, by its id as it is in every run, or by one of this run."""
        token = _token(dialogue)
        found = (tape for tape in self.tapes if token and tape.token == token)
        return self._tapes.get(dialogue) or next(found, None)

    def takes(self, what: str, host: str, port: int | None) -> bool:
        """Says whether a call to this address is played or recorded, rather than simply made.

        Raises NoDialogue, which names `what`, for a call of no dialogue.
        """
        if self.idle or self._is_own(host, port):
            return False
        method, path = _method_and_path(what)
        found = self.place()
        if self._rules(found).ignores(method, host, path):
            return True
        if found is not None:
            tape = found[0]
            if tape.bot_address is None and is_to_bot():  # of a bot that a factory made
                tape.bot_address = Address(host, port)
                self.watch.update()
            return not tape.passes(host, port) and self._stays_here(what, *found)
        if any(tape.passes(host, port) for tape in self._tapes.values()):
            return False
        if self._is_outside(method, host, path):
            assert self.outside is not None
            return self.outside.takes(method, host, port, path)
        raise self._stray(what)

    def begin(
        self,
        method: str,
        path: str,
        query: str,
        kind: str,
        body: bytes,
        address: tuple[str, int | None] = ("", None),
    ) -> Exchange:
        """What is to be done for a call that `takes` said yes to; `kind` is its content type.

        Raises CassetteMiss, BudgetSpent, NoDialogue.
        """
        host, port = address
        found = self.place()
        if self._rules(found).ignores(method, host, path):
            if found is not None and is_telemetry(method, host, path):
                found[0].notice(f"neither sent nor recorded: {method} {host}{path}, telemetry")
            return Playing(ignored_answer(kind))
        if found is None and self._is_outside(method, host, path):
            assert self.outside is not None
            self._look_for_late(f"{method} {path}")
            request = Request(Lane.SYSTEM, method.upper(), path, query, kind, body)
            return self.outside.begin(request, host, port)
        if found is None:
            raise self._stray(f"{method} {path}")
        self._no_pauses.install()
        tape, place = found
        request = Request(place.lane, method.upper(), path, query, kind, body)
        return tape.begin(request, place.turn, host)

    def _is_outside(self, method: str, host: str, path: str) -> bool:
        """Says whether a call of no open dialogue is the process's.

        While dialogues are open, that can be told of those alone that are the process's anywhere.
        """
        if self.outside is None:
            return False
        return not self._tapes or self.outside.process.rules.shares(method, host, path)

    def _rules(self, found: "tuple[Tape, Place] | None") -> ProcessRules:
        """Returns what the project says of calls, unless all are to be made as they are."""
        if found is not None:
            tape, place = found
            return tape.process_rules(place.lane)
        return ProcessRules() if self.outside is None else self.outside.rules

    @contextmanager
    def asking(self, host: str, port: int | None) -> Iterator[None]:
        """While a call that passes is made: if it is one to the bot, its bot is at work."""
        place = here()
        tape = None if place is None else self._tapes.get(place.dialogue)
        bot = None if tape is None else tape.bot_address
        if place is None or bot is None or not bot.covers(host, port):
            yield
            return
        with self._asked.asking(place):
            yield

    def replaying(self) -> bool:
        """Says whether the code now running gets its answers from a cassette only."""
        if self.idle:
            return False
        found = self.place()
        return found is not None and found[0].replays(found[1].lane)

    def resolved(self, host: str, port: int | None, address: str) -> None:
        """Remember what an allowed name stands for: connections are made to numbers."""
        if any(tape.passes(host, port) for tape in self._tapes.values()):
            self._resolved.add((address, port))
            self.watch.update()

    def _stays_here(self, what: str, tape: "Tape", place: Place) -> bool:
        """Whether a call is made in the process of its tape; one made live may be made anywhere.

        Raises ForkedCall.
        """
        if not tape.in_fork:
            return True
        if tape.modes[place.lane] is Mode.LIVE:
            return False
        raise tape.refuse(
            ForkedCall(
                f"{what} was called by a process forked in {tape.named(place)} ({caller()}): calls "
                "of other processes come to no cassette. Make them in threads, or through the "
                "gateway"
            )
        )

    def check(self, doing: str, host: str, port: int | None, *, connects: bool = True) -> None:
        """Raises NetworkBlocked if the code now running may not reach this address.

        While a dialogue is recorded, a connection that is none of a recorded call is noted.
        """
        if not self._tapes or (host, port) in self._resolved or self._is_own(host, port):
            return
        found = self.place()
        if found is None:
            tapes = list(self._tapes.values())
            if any(tape.passes(host, port) for tape in tapes):
                return
            if not any(tape.replays(lane) for tape in tapes for lane in Lane):
                return
            raise blocked(doing, host, port, "")
        tape, place = found
        if tape.passes(host, port):
            return
        if connects and not is_calling():
            tape.connected(Address(host, port), place)
        if tape.replays(place.lane):
            raise tape.refuse(blocked(doing, host, port, f" in {tape.named(place)}"))

    def _is_own(self, host: str, port: int | None) -> bool:
        return any(address.covers(host, port) for address in self._own)

    def _unnamed(
        self, what: str, why: str = "several are open, and it names none of them"
    ) -> NoDialogue:
        return self._told_all(unnamed(what, why, list(self._tapes)))

    def _stray(self, what: str) -> NoDialogue:
        """Says why a call is refused. It is a fault of all that are open, as it may be of any of
        them; of none if a dialogue that was cut off left it running.
        """
        place = here()
        served = any(tape.bot_address for tape in self._tapes.values())
        message = stray(what, place, list(self._tapes), bots_served=served)
        if place is not None and place.dialogue in self._cut_off:
            return NoDialogue(message)
        return self._told_all(message)

    def _look_for_late(self, what: str) -> None:
        """Has the summary say that a dialogue that is over left the code now running."""
        place = here()
        if place is not None and place.dialogue in self._over:
            dialogue = TOKEN.sub("", place.dialogue)
            late = f"{what}, after its dialogue {dialogue} was over (made by {caller()})"
            self.watch.late[f"{late}: it is in no cassette of a dialogue"] = None

    def _told_all(self, message: str) -> NoDialogue:
        for tape in self.tapes:
            tape.strays.append(message)
        return NoDialogue(message)


def _token(dialogue: str) -> str:
    """Returns what an id ends in that is of this run only; nothing if it has none."""
    found = TOKEN.search(dialogue)
    return found[1] if found else ""


def _method_and_path(what: str) -> tuple[str, str]:
    """From `POST https://host:port/path`, or the same without a scheme."""
    method, _, url = what.partition(" ")
    rest = url.partition("://")[2] or url
    return method.upper(), f"/{rest.partition('/')[2]}"


def _renew() -> None:
    # Another thread may have held it at the moment of the fork; it does not exist in the child.
    Router._lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew)
