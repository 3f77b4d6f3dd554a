"""The watch: what the jail allows for the dialogues now open, and whom it tells what it saw."""

import ipaddress
import os
import socket
import threading
import time
from _thread import start_new_thread
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_todeval.core import lane
from pytest_todeval.core.lane import Place
from pytest_todeval.errors import TodevalError
from pytest_todeval.recording.address import Address, is_loopback
from pytest_todeval.recording.jail import kernel
from pytest_todeval.recording.jail.jail import Jail, Reach, SeenConnection
from pytest_todeval.recording.mode import Mode

if TYPE_CHECKING:
    from pytest_todeval.recording.jail.lookout import Lookout
    from pytest_todeval.recording.router import Router
    from pytest_todeval.recording.tape import Tape

EVERY = 0.2
"""Seconds between two looks for connections that nothing held back."""
DNS = 53
REMEMBERED = 1000
"""Beginnings and ends of lanes: on a busy machine a connection is heard of after some of them."""


class GotOut(TodevalError):
    """What is not recorded tried to reach the network in replay, or could not be held back."""


class Watch:
    """One per router. While no dialogue's code runs it lets everything through."""

    def __init__(self, router: "Router") -> None:
        self._router = router
        self._lock = threading.RLock()
        self._places: list[Place] = [place for place in [lane.here()] if place is not None]
        self._were: deque[tuple[int, tuple[Place, ...]]] = deque(maxlen=REMEMBERED)
        self._found: deque[Callable[[], None]] = deque()
        self._told: set[tuple[str, Address, str]] = set()
        self.unheld: dict[str, str] = {}
        """Programs that dialogues started and nothing held back, with the place of each."""
        self.late: dict[str, None] = {}
        """What was held back after the dialogue that had started it, a line each."""
        self.jail = Jail(self._seen)
        self._lookout: Lookout | None = None
        self._looks = False
        self._no_tapes: threading.Event | None = None
        lane.watch(self._moved)

    def update(self) -> None:
        """A tape was opened or closed, or an address was allowed."""
        if self.jail.by_kernel or self._lookout is not None:
            with self._lock:
                self._follow()

    def look_out(self) -> None:
        """The kernel holds nothing back: look for what gets out, if the system shows it."""
        if self._lookout is None and kernel.can_look():
            from pytest_todeval.recording.jail.lookout import Lookout

            self._lookout = Lookout()
            os.register_at_fork(after_in_child=self._forget)
            self.update()

    @property
    def looks_out(self) -> bool:
        return self._lookout is not None

    def look(self) -> None:
        """See what got out of a dialogue whose code runs; `settle` tells it."""
        with self._lock:
            if self._lookout is None or not self._looks:
                return
            for seen in self._lookout.look():
                for tape, place in self._concerned():
                    self._found.append(partial(self._got_out, tape, place, seen))

    @contextmanager
    def claiming(self) -> Iterator[None]:
        """What is started meanwhile is a bot's, though no dialogue's code runs: it is held back."""
        if self.jail.by_kernel:
            with self._lock:
                self.jail.obey(Reach(lane=True))
        try:
            yield
        finally:
            self.update()

    def opened(self, tape: "Tape") -> None:
        """A tape was opened; the code of a test without a dialogue runs from here on."""
        if tape.is_of_test:
            self._moved(tape.place, True)
        else:
            self.update()

    def closed(self, tape: "Tape") -> None:
        """Nothing is told any more of its dialogue."""
        if tape.is_of_test:
            self._moved(tape.place, False)
        self._told = {told for told in self._told if told[0] != tape.dialogue}
        self.update()

    def settle(self) -> None:
        """Returns when all that was seen until now stands in the refusals of its dialogue."""
        self.jail.settle(self._passes)
        while self._found:
            self._found.popleft()()
        if self.jail.lost:
            for tape in self._router.tapes:
                self._refuse(tape, None, GotOut(LOST))

    def started(self, program: str) -> None:
        """A process was started that nothing holds back: the kernel does not keep this jail."""
        place = lane.here()
        tape = next((t for t in self._router.tapes if place and t.dialogue == place.dialogue), None)
        if tape is None or place is None or tape.modes[place.lane] is Mode.LIVE:
            return
        name = Path(program).name
        self.unheld.setdefault(name, f"lane {place.lane}, turn {place.turn}")

    def _moved(self, place: Place, starts: bool) -> None:
        with self._lock:
            self.look()
            if starts:
                self._places.append(place)
            elif place in self._places:  # else it began in a thread that nobody watched yet
                self._places.remove(place)
            if self.jail.by_kernel:
                self._were.append((time.monotonic_ns(), tuple(self._places)))
            self._follow()

    def _follow(self) -> None:
        if self.jail.by_kernel:
            self.jail.obey(self._policy())
        elif self._lookout is not None:
            was, self._looks = self._looks, self._policy().mode == "block"
            if self._looks and not was:
                self._lookout.begin()
            if self._router.tapes and self._no_tapes is None:
                self._no_tapes = threading.Event()
                start_new_thread(self._keep_looking, (self._no_tapes,))
            elif not self._router.tapes and self._no_tapes is not None:
                self._no_tapes.set()
                self._no_tapes = None

    def _keep_looking(self, no_tapes: threading.Event) -> None:
        while not no_tapes.wait(EVERY):
            self.look()

    def _forget(self) -> None:
        """In a forked child: the lock may be held by a thread of the parent's."""
        self._lock, self._lookout, self._no_tapes = threading.RLock(), None, None

    def _policy(self) -> Reach:
        tapes = {tape.dialogue: tape for tape in self._router.tapes}
        modes = {tapes[p.dialogue].modes[p.lane] for p in self._places if p.dialogue in tapes}
        if not modes:
            return Reach()
        if all(mode.offline for mode in modes):
            mode = "block"
        else:
            mode = "watch" if any(mode.records for mode in modes) else "pass"
        allowed = tuple(dict.fromkeys(self._router.allowed()))
        names = any(_is_name(address.host) for address in allowed)
        pairs = tuple((_normal(address.host), address.port) for address in allowed)
        return Reach(mode, pairs, names, lane=True)

    def _passes(self, host: str, port: int) -> bool:
        return any(
            Address(_normal(address.host), address.port).covers(host, port)
            for address in self._router.allowed()
        )

    def _passes_by_name(self, host: str, port: int) -> bool:
        """Says whether it is the number of an allowed name, or who tells it: C code asks, too."""
        for address in tuple(self._router.allowed()):
            if _is_name(address.host) and (port == DNS or address.port in (None, port)):
                if port == DNS:
                    return True
                with suppress(OSError):
                    found = socket.getaddrinfo(address.host, port)
                    if any(host == at[0] for *_, at in found):
                        return True
        return False

    def _seen(self, seen: SeenConnection) -> None:
        """In another thread, while who connects waits for the kernel."""
        address = Address(seen.host or "an address that could not be read", seen.port or None)
        concerned = list(self._concerned(seen.at))
        if seen.blocked and not concerned:
            self.late[f"held back, after its dialogue: {seen.who} was to call {address}"] = None
        for tape, place in concerned:
            # A tape may be locked by the thread that waits for this one to settle.
            if seen.blocked:
                error = _blocked(seen, address, tape.named(place))
                self._found.append(partial(self._refuse, tape, address, error))
            elif not (seen.own and tape.calls_under_way):
                self._found.append(
                    partial(tape.notice, _unrecorded(address, tape.named(place), seen.who))
                )

    def _concerned(self, at: int = 0) -> Iterator[tuple["Tape", Place]]:
        """The dialogues whose code runs, or ran then; which of several it was nobody can tell."""
        with self._lock:
            now = tuple(self._places)
            then = next((places for moved, places in reversed(self._were) if moved <= at), now)
        places = {place.dialogue: place for place in (then if at else now)}
        for tape in self._router.tapes:
            if tape.dialogue in places:
                yield tape, places[tape.dialogue]

    def _got_out(self, tape: "Tape", place: Place, seen: SeenConnection) -> None:
        if not self._passes(seen.host, seen.port) and not self._passes_by_name(
            seen.host, seen.port
        ):
            address = Address(seen.host, seen.port)
            self._refuse(tape, address, _not_held_back(seen, address, tape.named(place)))

    def _refuse(self, tape: "Tape", address: Address | None, error: TodevalError) -> None:
        key = (tape.dialogue, address or Address(""), type(error).__name__)
        if key not in self._told:
            self._told.add(key)
            tape.refuse(error)


LOST = (
    "the process that watches the network for this run has ended, so no connection can be made: "
    "start the run again (or with `--todeval-jail=python`, which needs no such process)"
)


REMEDIES = (
    "Use an HTTP client that is recorded, have another process ask the gateway, or allow real "
    'calls to it in replay: `--todeval-allow="{}"`'
)


def _not_held_back(seen: SeenConnection, address: Address, where: str) -> GotOut:
    kind = " (UDP)" if seen.kind == "udp" else ""
    return GotOut(
        f"a connection was made to {address}{kind} by {seen.who}, in {where}: it really got "
        "out, though calls are replayed from a cassette, because the kernel does not hold the "
        "network back here and this client's "
        f"calls are never recorded (docs/clients.md). {REMEDIES.format(address)}"
    )


def _unrecorded(address: Address, where: str, who: str) -> str:
    return (
        f"a connection to {address} in {where}, was made by {who}: it is in no cassette, and "
        "replay will block it. "
        f'To allow it: `--todeval-allow="{address}"`'
    )


def _blocked(seen: SeenConnection, address: Address, where: str) -> GotOut:
    name = "a name was to be looked up at" if seen.port == 53 else "a connection was to be made to"
    kind = " (UDP)" if seen.kind == "udp" and seen.port != 53 else ""
    return GotOut(
        f"{name} {address}{kind} by {seen.who}, in {where}: the network is blocked, because calls "
        "are replayed from a cassette, "
        f"and this client's calls are never recorded (docs/clients.md). {REMEDIES.format(address)}"
    )


def _is_name(host: str) -> bool:
    if host.startswith("/") or is_loopback(host):
        return False
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return True
    return False


def _normal(host: str) -> str:
    """As the warden writes numbers."""
    try:
        return str(ipaddress.ip_address(host))
    except ValueError:
        return host
