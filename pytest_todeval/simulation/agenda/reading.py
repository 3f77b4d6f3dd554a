"""What a turn of the bot holds, asked in the terms of one domain of the goal."""

from collections.abc import Mapping, Sequence
from typing import Any

from pytest_todeval.core.claim import Act, Claim
from pytest_todeval.evidence.answers import denies, turns_down
from pytest_todeval.evidence.calls import Seen
from pytest_todeval.evidence.wishes import meets
from pytest_todeval.language.values import normalise, normalise_name, same_name
from pytest_todeval.simulation.agenda.memory import Part

__all__ = ["Reading"]

MOST_CORRECTIONS = 2
"""Times the user corrects the same wrong value of a slot."""
UNCLEAR_IN_TEXT = frozenset({"type", "name", "internet", "parking", "trainID"})
"""Slots whose value in a text is often meant in another way ("it is a hotel"): only rows tell."""
OF_A_ROW = frozenset({"area", "pricerange", "food", "stars"})


class Reading:
    """One turn, seen from the user's business in one domain. Keeps rows, counts corrections."""

    def __init__(
        self,
        part: Part,
        text: str,
        heard: Sequence[Claim],
        seen: Seen,
        unlisted: Sequence[str],
    ) -> None:
        self.part = part
        self.unlisted = list(unlisted)
        self.text = text
        heard = [h for h in heard if h.holds]
        self.heard = [h for h in heard if h.domain in (None, part.domain)]
        self.acts = {h.act for h in self.heard}
        if part.needs_booking:  # whichever domain it seems to be about: this is the one awaited
            self.acts |= {h.act for h in heard} & {Act.BOOKED, Act.BOOKING_FAILED, Act.REFERENCE}
            self.heard += [h for h in heard if h.act is Act.REFERENCE and h not in self.heard]
        self.seen = seen
        for row in seen.rows:
            key = row.get("trainID" if part.domain == "train" else "name", "")
            part.rows[normalise_name(str(key))] = row

    def row(self, name: str) -> Mapping[str, Any] | None:
        """What is known from tool results of a venue or train, now or from earlier turns."""
        if not name:
            return None
        return self.seen.row(name) or self.part.rows.get(normalise_name(name))

    def asks_for_more(self) -> bool:
        """Whether the bot lacks booking slots: then it is no wonder that it could not book."""
        return any(slot in self.part.untold_booking for slot in self.requested())

    def requested(self) -> list[str]:
        """The slots the bot asks for."""
        return [h.slot for h in self.heard if h.act is Act.REQUEST and h.slot]

    def turns_down(self, slots: Mapping[str, str]) -> bool:
        """Whether the bot turns down, in whatever words, one of the values that are to fail."""
        told = [value for slot, value in slots.items() if self.part.told.get(slot) == value]
        return any(turns_down(self.text, value) for value in told)

    def is_booked(self) -> bool:
        """Whether the bot says, or its tools show, that a booking was made."""
        claimed = Act.BOOKED in self.acts and Act.BOOKING_FAILED not in self.acts
        numbered = Act.REFERENCE in self.acts and self.part.needs_booking
        return claimed or numbered or self.seen.booked is not None

    def got(self, slot: str) -> object:
        """The value the bot booked or said, where there is one."""
        if self.seen.booked is not None and slot in self.seen.booked:
            return self.seen.booked[slot]
        return next((h.value for h in self.heard if h.slot == slot and h.value), "")

    def meets(self, slot: str, wanted: str, got: object) -> bool:
        """Whether a value is as the user wants it."""
        return meets(self.part.domain, slot, wanted, got)

    def offered(self) -> list[str]:
        """The venues or trains the bot names."""
        slot = "trainID" if self.part.domain == "train" else "name"
        heard = [h.value for h in self.heard if h.act is Act.OFFER and h.slot == slot and h.value]
        named = heard or self.seen.named(self.text)
        return named or (self.unlisted if slot == "name" and not self.part.venue else [])

    def is_about_to_book(self) -> bool:
        """Whether the bot asks whether, or with what, to book."""
        asks = any(slot in self.part.book for slot in self.requested())
        return asks or Act.OFFER_BOOK in self.acts

    def faults(self, offer: str) -> dict[str, str]:
        """The constraints that an offer is seen not to meet."""
        part = self.part
        if "name" in part.inform:
            wanted = part.inform["name"]
            return {} if same_name(wanted, offer) else {"name": wanted}
        row = self.row(offer)
        if row is None:
            return {}
        return {s: v for s, v in part.inform.items() if s in row and not self.meets(s, v, row[s])}

    def wrong_in_text(self, told: Mapping[str, str]) -> dict[str, str]:
        """Which of these slots the bot said wrongly -> what they should be."""
        row = self.row(self.part.venue)
        skip = UNCLEAR_IN_TEXT | (OF_A_ROW if row is not None else set())
        values: dict[str, list[str]] = {}
        for heard in self.heard:
            if heard.act is Act.INFORM and heard.slot and heard.slot in told and heard.value:
                values.setdefault(heard.slot, []).append(heard.value)
        now = self.part.slots
        return {
            slot: now[slot]
            for slot, got in values.items()
            if slot in now and slot not in skip
            if not any(self.meets(slot, now[slot], value) for value in got)
        }

    def not_too_often(
        self, wrong: Mapping[str, str], got: Mapping[str, str], offer: str = ""
    ) -> dict[str, str]:
        """What is worth correcting: nothing for the third time."""
        counts = self.part.corrections
        kept = {}
        for slot, value in wrong.items():
            key = (slot, normalise(slot, got.get(slot, offer)))
            counts[key] += 1
            if counts[key] <= MOST_CORRECTIONS:
                kept[slot] = value
        return kept

    def denies(self) -> bool:
        """Whether the bot says that it does not know."""
        if self.acts & {Act.NO_OFFER, Act.BOOKING_FAILED}:
            return False
        return denies(self.text)
