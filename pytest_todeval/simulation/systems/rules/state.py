"""What the bot believes, by domain: constraints, booking wished, what was offered and booked."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pytest_todeval.backends.protocol import Row
from pytest_todeval.nlu.values.normalise import DONTCARE, same_name
from pytest_todeval.simulation.systems.rules.heard_text import Context, SaidValue

BOOKING_SLOTS: Mapping[str, tuple[str, ...]] = {
    "restaurant": ("day", "time", "people"),
    "hotel": ("day", "stay", "people"),
    "train": ("people",),
}
"""What a booking needs beside the venue or train."""


@dataclass
class DomainState:
    """One domain of the dialogue."""

    domain: str
    constraints: dict[str, str] = field(default_factory=dict)
    """What the venue, train or journey must meet; `dontcare` if the user does not mind."""
    booking: dict[str, str] = field(default_factory=dict)
    """Booking slots, as far as known."""
    row: Row | None = None
    """The venue or train offered last; what requests are answered from."""
    offered_in: int = 0
    """Turn in which `row` was offered first, or in which the user named it."""
    passed_over: list[str] = field(default_factory=list)
    """Names and ids that the user did not want."""
    wants_booking: bool = False
    declined_booking: bool = False
    """Whether the user said that no booking is wanted; it is not asked again."""
    booked: list[dict[str, Any]] = field(default_factory=list)
    """Results of bookings made."""
    tried: dict[str, str] | None = None
    """Arguments of the last try to book."""
    asked: Counter[str] = field(default_factory=Counter)
    """How often each slot was asked for."""
    changed: bool = False
    """Whether constraints changed since the last search."""

    @property
    def wanted(self) -> dict[str, str]:
        """The constraints that exclude something; a name alone says which venue is meant."""
        wanted = {s: v for s, v in self.constraints.items() if v != DONTCARE}
        if "name" in wanted:
            return {"name": wanted["name"]}
        if "trainID" in wanted:
            return {s: v for s, v in wanted.items() if s not in ("leaveAt", "arriveBy")}
        return wanted

    def set(self, slot: str, value: str) -> None:
        """Takes a value for a slot, replacing an earlier one."""
        if slot in BOOKING_SLOTS.get(self.domain, ()):
            if value != DONTCARE:
                self.booking[slot] = value
            return
        if self.constraints.get(slot) != value:
            self.changed = True
        self._drop_what_conflicts(slot, value)
        self.constraints[slot] = value

    def _drop_what_conflicts(self, slot: str, value: str) -> None:
        if slot == "name" and value != self.constraints.get("name"):
            self.passed_over = [n for n in self.passed_over if not same_name(n, value)]
        elif value != DONTCARE:
            self.constraints.pop("name", None)
            self.constraints.pop("trainID", None)
        opposite = {"leaveAt": "arriveBy", "arriveBy": "leaveAt"}.get(slot)
        if opposite is not None and value != DONTCARE:
            self.constraints.pop(opposite, None)


@dataclass
class DialogueState:
    """All domains of the dialogue, and what was asked last."""

    domains: dict[str, DomainState] = field(default_factory=dict)
    current: str | None = None
    turn: int = 0
    asked: list[tuple[str, str]] = field(default_factory=list)
    """(domain, slot) asked for in the last turn."""
    booking_offered: str | None = None
    """The domain for which the bot asked in its last turn whether to book."""

    def of(self, domain: str) -> DomainState:
        """Returns the state of a domain, begun if it is new."""
        return self.domains.setdefault(domain, DomainState(domain))

    def context(self) -> Context:
        """Returns what the next utterance is understood against."""
        offered = tuple(d.domain for d in self.domains.values() if d.row is not None or d.booked)
        return Context(self.current, tuple(self.asked), offered)

    def belief(self) -> dict[str, dict[str, str]]:
        """Returns the belief state: `{domain: {slot: value}}`."""
        return {d.domain: {**d.constraints, **d.booking} for d in self.domains.values()}

    def resolve(self, said: SaidValue) -> str | None:
        """Returns the value that was said or referred to; None if it is not known."""
        if said.as_in is None:
            return said.value
        if said.slot in ("departure", "destination"):
            return self._venue(said.as_in)
        slot = "time" if said.slot == "arriveBy" else said.slot
        others = (
            [said.as_in] if said.as_in else [d for d in reversed(self.domains) if d != said.domain]
        )
        values = (self._known(other, slot) for other in others)
        return next((value for value in values if value), None)

    def _venue(self, domain: str) -> str | None:
        state = self.domains.get(domain)
        if state is None:
            return None
        if state.booked:
            return str(state.booked[-1]["name"])
        return str(state.row["name"]) if state.row is not None else state.constraints.get("name")

    def _known(self, domain: str, slot: str) -> str | None:
        state = self.domains.get(domain)
        if state is None:
            return None
        row = state.row if state.row is not None and slot in ("area", "pricerange", "day") else {}
        value = state.booking.get(slot) or row.get(slot) or state.constraints.get(slot)
        return None if value in (None, DONTCARE, "?") else str(value)
