"""The watch: what the jail allows for the dialogues now open, and whom it tells what it saw."""

import ipaddress
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_todeval.core import lane
from pytest_todeval.core.lane import Place
from pytest_todeval.errors import TodevalError
from pytest_todeval.recording.address import Address, is_loopback
from pytest_todeval.recording.jail.jail import Jail, Reach, SeenConnection
from pytest_todeval.recording.mode import Mode

if TYPE_CHECKING:
    from pytest_todeval.recording.router import Router
    from pytest_todeval.recording.tape import Tape

__all__ = ["GotOut", "Watch"]


class GotOut(TodevalError):
    """What is not recorded tried to reach the network in replay, or could not be held back."""


class Watch:
    """One per router. While no dialogue's code runs it lets everything through."""

    def __init__(self, router: "Router") -> None:
        self._router = router
        self._lock = threading.Lock()
        self._places: list[Place] = [place for place in [lane.here()] if place is not None]
        self._found: deque[Callable[[], None]] = deque()
        self._told: set[tuple[str, Address, str]] = set()
        self.unheld: dict[str, str] = {}
        """Programs that dialogues started and nothing held back, with the place of each."""
        self.jail = Jail(self._seen)
        lane.watch(self._moved)

    def update(self) -> None:
        """A tape was opened or closed, or an address was allowed."""
        if self.jail.by_kernel:
            with self._lock:
                self.jail.obey(self._policy())

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

    def closed(self, tape: "Tape") -> None:
        """Nothing is told any more of its dialogue."""
        self._told = {told for told in self._told if told[0] != tape.dialogue}
        self.update()

    def settle(self) -> None:
        """Return when all that was seen until now stands in the refusals of its dialogue."""
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
            if starts:
                self._places.append(place)
            elif place in self._places:  # else it began in a thread that nobody watched yet
                self._places.remove(place)
            if self.jail.by_kernel:
                self.jail.obey(self._policy())

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
        names = any(not _is_number(a.host) and not a.host.startswith("/") for a in allowed)
        pairs = tuple((_normal(address.host), address.port) for address in allowed)
        return Reach(mode, pairs, names, lane=True)

    def _passes(self, host: str, port: int) -> bool:
        return any(address.covers(host, port) for address in self._router.allowed())

    def _seen(self, seen: SeenConnection) -> None:
        """In another thread, while who connects waits for the kernel."""
        address = Address(seen.host or "an address that could not be read", seen.port or None)
        for tape, place in self._concerned():
            # A tape may be locked by the thread that waits for this one to settle.
            if seen.blocked:
                error = _blocked(seen, address, place)
                self._found.append(partial(self._refuse, tape, address, error))
            elif not (seen.own and tape.calls_under_way):
                self._found.append(partial(tape.connected, address, place, seen.who))

    def _concerned(self) -> Iterator[tuple["Tape", Place]]:
        """The dialogues whose code runs now; which of several it was nobody can tell."""
        with self._lock:
            places = {place.dialogue: place for place in self._places}
        for tape in self._router.tapes:
            if tape.dialogue in places:
                yield tape, places[tape.dialogue]

    def _refuse(self, tape: "Tape", address: Address | None, error: TodevalError) -> None:
        key = (tape.dialogue, address or Address(""), type(error).__name__)
        if key not in self._told:
            self._told.add(key)
            tape.refuse(error)


LOST = (
    "the process that watches the network for this run has ended, so no connection can be made: "
    "start the run again (or with `--todeval-jail=python`, which needs no such process)"
)


def _blocked(seen: SeenConnection, address: Address, place: Place) -> GotOut:
    name = "a name was to be looked up at" if seen.port == 53 else "a connection was to be made to"
    kind = " (UDP)" if seen.kind == "udp" and seen.port != 53 else ""
    return GotOut(
        f"{name} {address}{kind} by {seen.who}, in dialogue {place.dialogue}, lane {place.lane}, "
        f"turn {place.turn}: the network is blocked, because calls are replayed from a cassette, "
        "and this client's calls are never recorded (docs/clients.md). Use an HTTP client that is "
        "recorded, have another process ask the gateway, or allow real calls to it in replay: "
        f'`--todeval-allow="{address}"`'
    )


def _is_number(host: str) -> bool:
    if is_loopback(host):
        return True
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _normal(host: str) -> str:
    """As the warden writes numbers."""
    try:
        return str(ipaddress.ip_address(host))
    except ValueError:
        return host
