"""What the bot does next: one method per decision, so that a subclass can decide one otherwise."""

from collections.abc import Sequence
from typing import Any

from pytest_todeval.backends.multiwoz import MultiwozBackend
from pytest_todeval.backends.protocol import Row, ToolRefused
from pytest_todeval.nlu.values.normalise import DONTCARE
from pytest_todeval.simulation.systems.rules import wording
from pytest_todeval.simulation.systems.rules.requests import AskedValue
from pytest_todeval.simulation.systems.rules.state import BOOKING_SLOTS, DialogueState, DomainState
from pytest_todeval.simulation.systems.rules.understanding import Understood

NEEDED = {"train": ("departure", "destination", "day"), "taxi": ("departure", "destination")}
"""Slots without which there is nothing to search for or to order."""
HELPFUL = {
    "restaurant": ("food", "area", "pricerange"),
    "hotel": ("area", "pricerange"),
    "attraction": ("type", "area"),
}
"""Slots worth asking for once while several venues fit."""
MOST_QUESTIONS = 2
"""Questions asked about a domain before a venue is offered."""
FEW = 1
"""Venues up to which nothing is asked before one is offered."""


class BotPolicy:
    """Decides what to look up, offer, ask, book and tell."""

    backend: MultiwozBackend
    state: DialogueState
    count: int
    """Rows that met the last search."""
    booking_was_offered: str | None
    """The domain for which the bot's last turn asked whether to book."""

    # What to talk about

    def domains_to_serve(self, heard: Understood) -> list[str]:
        """Returns the domains to answer in, in the order raised."""
        touched = [said.domain for said in heard.informs] + [r.domain for r in heard.requests]
        touched += [domain for domain in heard.domains if domain not in self.state.domains]
        present = self.state.booking_offered or self.state.current
        return list(dict.fromkeys(touched)) or ([present] if present is not None else [])

    def serve(self, domain: str, heard: Understood) -> list[str]:
        """Returns what to say in one domain."""
        state = self.state.of(domain)
        if domain == "taxi":
            return self.serve_taxi(state, heard)
        if domain in ("police", "hospital"):
            return self.look_up(state, heard)
        said = self.find(state, heard)
        if state.row is None:
            return said
        answers = self.answer_requests(state, heard)
        return said + answers + self.booking(state, heard, just_offered=bool(said))

    # Finding a venue or train

    def find(self, state: DomainState, heard: Understood) -> list[str]:
        """Search if that is called for; offer, ask, or say that there is none."""
        if heard.another and state.row is not None and state.domain == self.state.current:
            state.passed_over.append(identity(state.row))
            state.changed = True
        if state.row is not None and not state.changed:
            return []
        missing = [slot for slot in NEEDED.get(state.domain, ()) if not state.constraints.get(slot)]
        if missing:
            return [self.ask(state, missing[:2])]
        return self.offer(state, heard, self.search(state))

    def search(self, state: DomainState) -> Sequence[Row]:
        """Returns the rows that meet what the user wants, best first."""
        found = self.backend.call(f"find_{state.domain}", **self.constraints_for(state))
        state.changed = False
        rows: Sequence[Row] = found["results"]
        self.count = int(found["count"])
        return rows

    def constraints_for(self, state: DomainState) -> dict[str, str]:
        """Returns what to search with."""
        return state.wanted

    def offer(self, state: DomainState, heard: Understood, rows: Sequence[Row]) -> list[str]:
        """Offer one of the rows, or ask to narrow them down, or say that there is none."""
        left = [row for row in rows if identity(row) not in state.passed_over]
        if not left:
            return [self.none_found(state, bool(rows))]
        slot = self.asks_for(state, heard, left)
        if slot is not None:
            state.row = None
            found = wording.several(state.domain, self.count, state.wanted)
            return [found, self.ask(state, [slot])]
        row = self.choose_venue(state, left)
        if state.row is None or identity(row) != identity(state.row):
            state.offered_in = self.state.turn
        state.row = row
        return [wording.offer(state.domain, row, self.count, self.state.turn)]

    def asks_for(self, state: DomainState, heard: Understood, rows: Sequence[Row]) -> str | None:
        """Returns the slot to ask for before offering one of several; None to offer now."""
        if state.domain == "train":
            timed = "leaveAt" in state.constraints or "arriveBy" in state.constraints
            return None if timed or heard.suggest or state.asked["leaveAt"] else "leaveAt"
        if (
            self.count <= FEW
            or state.asked.total() >= MOST_QUESTIONS
            or heard.suggest
            or heard.another
            or "name" in state.constraints
        ):
            return None
        if any(request.domain == state.domain for request in heard.requests):
            return None
        open_slots = [
            s for s in HELPFUL[state.domain] if not (state.constraints.get(s) or state.asked[s])
        ]
        telling = (
            s for s in open_slots if self.count > len(rows) or len({r.get(s) for r in rows}) > 1
        )
        return next(telling, None)

    def choose_venue(self, state: DomainState, rows: Sequence[Row]) -> Row:
        """Returns the row to offer: the venue offered before if it still fits, else the first."""
        if state.row is not None and state.domain != "train":
            kept = [row for row in rows if identity(row) == identity(state.row)]
            return kept[0] if kept else rows[0]
        return rows[0]

    def none_found(self, state: DomainState, seen_all: bool) -> str:
        """Returns that nothing (else) meets the constraints, and what could be relaxed."""
        if seen_all:
            state.passed_over.clear()
            return (
                f"I am sorry, there is no other {state.domain} like that. Would you like "
                f"to change something?"
            )
        state.row = None
        wanted = self.constraints_for(state)
        relaxing = [slot for slot in wanted if self._found_without(state.domain, wanted, slot)]
        return wording.no_match(state.domain, wanted, relaxing, self.state.turn)

    def _found_without(self, domain: str, wanted: dict[str, str], slot: str) -> bool:
        rest = {other: value for other, value in wanted.items() if other != slot}
        return bool(rest) and bool(self.backend.query(domain, rest))

    def ask(self, state: DomainState, slots: Sequence[str]) -> str:
        """Asks for slots, and remember having asked."""
        state.asked.update(slots)
        self.state.asked += [(state.domain, slot) for slot in slots]
        if state.domain in ("train", "taxi") and "leaveAt" in slots:
            self.state.asked.append((state.domain, "arriveBy"))
        return " ".join(wording.ask(state.domain, slot, self.state.turn) for slot in slots)

    # Telling

    def answer_requests(self, state: DomainState, heard: Understood) -> list[str]:
        """Returns the answers to what the user asked in this domain."""
        asked = [request for request in heard.requests if request.domain == state.domain]
        return [answer for request in asked if (answer := self.answer_request(state, request))]

    def answer_request(self, state: DomainState, request: AskedValue) -> str:
        """Returns the answer to one request, from the row; or that it is not known."""
        row = self.row_to_tell_from(state)
        if request.slot == "reference":
            return self.tell_reference(state)
        value = self.value_to_tell(row, request.slot)
        of = wording.title(row)
        return (
            wording.tell(request.slot, value, of)
            if value
            else wording.unknown_value(request.slot, of)
        )

    def row_to_tell_from(self, state: DomainState) -> Row:
        """Returns the row that requests are answered from."""
        assert state.row is not None
        return state.row

    def value_to_tell(self, row: Row, slot: str) -> str | None:
        """Returns the row's value of a slot, or None if it is not known."""
        value = row.get(slot)
        if isinstance(value, dict):
            return ", ".join(f"{price} pounds for a {room} room" for room, price in value.items())
        return None if value in (None, "", "?") else str(value)

    def tell_reference(self, state: DomainState) -> str:
        """Returns the reference number again, if there is a booking."""
        if state.booked:
            return wording.tell("reference", self.reference_to_tell(state, state.booked[-1]), "")
        return "" if state.wants_booking else "I have not booked it yet."

    def reference_to_tell(self, state: DomainState, result: dict[str, Any]) -> str:
        """Returns the reference number of a booking."""
        return str(result["reference"])

    # Booking

    def booking(self, state: DomainState, heard: Understood, *, just_offered: bool) -> list[str]:
        """Book, ask for what is missing, or ask whether to book."""
        if state.domain not in BOOKING_SLOTS:
            return []
        self.note_wish_to_book(state, heard)
        if state.wants_booking and self.may_book(state, heard):
            missing = self.missing_for_booking(state)
            return [self.ask(state, missing)] if missing else self.try_to_book(state)
        if just_offered and not state.booked and not state.declined_booking:
            self.state.booking_offered = state.domain
            return [wording.ask_to_book(state.domain, self.state.turn)]
        return []

    def note_wish_to_book(self, state: DomainState, heard: Understood) -> None:
        """Whether the user wants it booked: says so, agrees, or gives booking slots."""
        if heard.no_booking:
            state.wants_booking, state.declined_booking = False, True
            return
        gave = any(
            s.domain == state.domain and s.slot in BOOKING_SLOTS[state.domain]
            for s in heard.informs
        )
        agreed = heard.yes and self.booking_was_offered == state.domain
        slots_changed = state.booked and self.booking_arguments(state) != state.tried
        if state.booked and not slots_changed:
            return
        if heard.books or agreed or gave:
            state.wants_booking = True

    def may_book(self, state: DomainState, heard: Understood) -> bool:
        """Says whether the user has seen, named or left to the bot what would be booked."""
        named = any(s.domain == state.domain and s.slot == "name" for s in heard.informs)
        return state.offered_in < self.state.turn or named or heard.suggest

    def missing_for_booking(self, state: DomainState) -> list[str]:
        """Slots that the booking still needs."""
        return [slot for slot in BOOKING_SLOTS[state.domain] if slot not in state.booking]

    def booking_arguments(self, state: DomainState) -> dict[str, str]:
        """Returns what to book with."""
        row = state.row or {}
        key = "trainID" if state.domain == "train" else "name"
        return {key: str(row.get(key, "")), **state.booking}

    def try_to_book(self, state: DomainState) -> list[str]:
        """Book it, and say what came of that."""
        arguments = self.booking_arguments(state)
        state.tried = arguments
        try:
            result = self.book(state, arguments)
        except ToolRefused as refusal:
            return [self.booking_refused(state, str(refusal))]
        state.wants_booking = False
        state.booked.append(result)
        reference = self.reference_to_tell(state, result)
        return [wording.booked(state.domain, result, reference, self.state.turn)]

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        """Makes the booking. Raises ToolRefused if the backend says no."""
        result: dict[str, Any] = self.backend.call(f"book_{state.domain}", **arguments)
        return result

    def booking_refused(self, state: DomainState, reason: str) -> str:
        """Returns that the booking failed, with the backend's reason."""
        changing = [slot for slot in BOOKING_SLOTS[state.domain] if slot != "people"]
        return wording.refused(state.domain, reason, changing or ["train"])

    # Taxis, police, hospital

    def serve_taxi(self, state: DomainState, heard: Understood) -> list[str]:
        """Order a taxi once it is known from where, to where and when."""
        if state.booked and not state.changed:
            return self.answer_about_taxi(state, heard)
        missing = [slot for slot in NEEDED["taxi"] if not self._given(state, slot)]
        if not self._given(state, "leaveAt") and not self._given(state, "arriveBy"):
            missing.append("leaveAt")
        return [self.ask(state, missing)] if missing else self.order_taxi(state)

    def _given(self, state: DomainState, slot: str) -> bool:
        return state.constraints.get(slot, DONTCARE) != DONTCARE

    def order_taxi(self, state: DomainState) -> list[str]:
        """Book the taxi, and tell the car and the number to call."""
        state.changed = False
        try:
            result = self.book(state, state.wanted)
        except ToolRefused as refusal:
            return [wording.refused("taxi", str(refusal), ("time", "place"))]
        state.booked.append(result)
        return [wording.taxi_booked(result, self.phone_to_call(result))]

    def phone_to_call(self, result: dict[str, Any]) -> str:
        """Returns the phone number of a taxi."""
        return str(result["phone"])

    def answer_about_taxi(self, state: DomainState, heard: Understood) -> list[str]:
        """Returns the car and the phone number again."""
        told = state.booked[-1]
        values = {"phone": self.phone_to_call(told), "car type": str(told["type"])}
        asked = [r.slot for r in heard.requests if r.domain == "taxi" and r.slot in values]
        return [wording.tell(slot, values[slot], "the taxi") for slot in asked]

    def look_up(self, state: DomainState, heard: Understood) -> list[str]:
        """Returns the police station, or a department of the hospital, with how to reach it."""
        rows = self.search(state)
        if not rows:
            return [wording.no_match(state.domain, state.wanted, (), self.state.turn)]
        state.row = row = rows[0]
        slots = dict.fromkeys(
            [*(r.slot for r in heard.requests if r.domain == state.domain), "phone", "address"]
        )
        of = wording.title(row) if "name" in row else f"the {state.domain}"
        values = {slot: self.value_to_tell(row, slot) for slot in slots}
        return [wording.tell(slot, value, of) for slot, value in values.items() if value]


def identity(row: Row) -> str:
    """What tells a row from the others: its name, or the id of a train with its day and route."""
    if "name" in row:
        return str(row["name"])
    return " ".join(str(row.get(s, "")) for s in ("trainID", "day", "departure", "destination"))
