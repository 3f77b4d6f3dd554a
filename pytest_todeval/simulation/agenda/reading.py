"""What a turn of the bot holds, asked in the terms of one domain of the goal."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_todeval.core.dialogue_act import Act, DialogueAct, Factuality
from pytest_todeval.facts.calls.reading import SeenCalls
from pytest_todeval.facts.calls.wishes import meets
from pytest_todeval.facts.told_values import says_value
from pytest_todeval.nlu.values.normalise import normalise, normalise_name, same_name
from pytest_todeval.nlu.values.requested import denies, row_value_in, turns_down
from pytest_todeval.simulation.agenda.memory import DomainPart
from pytest_todeval.simulation.agenda.reaction import Reaction

VENUES = frozenset({"restaurant", "hotel", "attraction"})
MOST_CORRECTIONS = 2
"""Times the user corrects the same wrong value of a slot."""
UNCLEAR_IN_TEXT = frozenset({"type", "name", "internet", "parking", "trainID"})
"""Slots whose value in a text is often meant in another way ("it is a hotel"): only rows tell."""
FURTHER = frozenset({"else", "anything", "another", "also", "too", "other", "additionally"})
"""Words of an offer to book something further."""
MOST_ROWS = 20
"""Rows of one name that are kept in mind; a train's id can have one for each day."""
FEWEST_READ_BACK = 2
"""Values of the booking in a text that reads it back."""
SHORTEST_KNOWN = 3
"""Characters of a value that is known without its slot's name."""
OF_A_ROW = frozenset({"area", "pricerange", "food", "stars"})


@dataclass(eq=False)
class DomainReading:
    """One turn, seen from the user's business in one domain. Keeps rows, counts corrections."""

    part: DomainPart
    text: str
    heard: Sequence[DialogueAct]
    """What was heard; then of that what holds and is about the domain."""
    seen: SeenCalls
    unlisted: Sequence[str]

    def __post_init__(self) -> None:
        self.answer = Reaction()
        part, about = self.part, (None, self.part.domain)
        said = [*self.heard, *_reference_said(self.text, self.heard, self.seen, part.domain)]
        self.claims = [h for h in said if h.domain in about or _awaited(part, h)]
        heard = [h for h in self.claims if h.holds and h.domain in about]
        others = [h for h in self.claims if h.act is Act.REFERENCE and h not in heard]
        self.heard = [*heard, *others]
        self.acts = {h.act for h in self.claims if h.holds}
        part.made = self.seen.booked or part.made
        for row in self.seen.rows:
            rows = part.rows.setdefault(normalise_name(str(row.get(part.key, ""))), [])
            if row not in rows[-MOST_ROWS:]:
                rows.append(row)

    def rows(self, name: str) -> list[Mapping[str, Any]]:
        """Returns what tool results have told so far of a venue or train, the last first."""
        if not name:
            return []
        last = self.seen.row(name)
        known = self.part.rows.get(normalise_name(name), [])[-MOST_ROWS:]
        return [*([] if last is None else [last]), *reversed(known)]

    def row(self, name: str) -> Mapping[str, Any] | None:
        """Returns what a tool's result told last of a venue or train."""
        return next(iter(self.rows(name)), None)

    def asks_for_more(self) -> bool:
        """Says whether the bot lacks booking slots: then it is no wonder that it could not book."""
        return any(slot in self.part.untold_booking for slot in self.requested())

    def requested(self) -> list[str]:
        """The slots the bot asks for; "The stylist? Ines!" and "hair? long!" ask for nothing."""
        slots = [self._own(h.slot) for h in self.heard if h.act is Act.REQUEST and h.slot]
        return [slot for slot in slots if not (self._is_answer(slot) or self._is_repeated(slot))]

    def _own(self, slot: str) -> str:
        """Returns the goal's slot that a question means: "which day?" asks for its `pickup day`."""
        slots = self.part.slots
        if slot in slots or slot in self.part.goal.request:
            return slot
        return next((own for own in slots if slot in own.lower().replace("_", " ").split()), slot)

    def _is_answer(self, slot: str) -> bool:
        """Says whether what seems a question takes up the user's own."""
        return slot in self.part.asking and slot not in self.part.slots

    def _is_repeated(self, slot: str) -> bool:
        """Says whether what seems a question repeats what the user said."""
        told = self.part.told.get(slot, "")
        if not told or " or " in self.text:
            return False
        return bool(row_value_in(told, self.text, "") or _labelled(slot, told).search(self.text))

    def reads_back(self, text: str) -> bool:
        """Says whether a text repeats what the user said of the booking."""
        told = [(slot, self.part.told.get(slot, "")) for slot in self.part.book]
        said = [s for s, value in told if value and _beside(s, value).search(text)]
        return len(said) >= FEWEST_READ_BACK

    def without_told(self, text: str) -> str:
        """Returns a text without the slots and values that the user said itself."""
        for slot, value in self.part.told.items():
            text = _labelled(slot, value).sub(" ", text)
            if len(value) >= SHORTEST_KNOWN:
                text = re.sub(rf"(?<!\w){re.escape(value)}(?!\w)", " ", text, flags=re.I)
        return text

    def turns_down(self, slots: Mapping[str, str]) -> bool:
        """Whether the bot turns down, in whatever words, one of the values that are to fail."""
        told = [value for slot, value in slots.items() if self.part.told.get(slot) == value]
        return any(turns_down(self.text, value) for value in told)

    @property
    def is_understood(self) -> bool:
        """Says whether the bot's words say anything to the user."""
        return bool(self.claims or self.unlisted)

    def says_booked(self) -> bool | None:
        """Says whether it is booked, by the bot's words; None if they do not tell.

        What is said last counts, except that a booking with its reference number stands.
        """
        told: bool | None = None
        if self._is_too_early():
            return None
        if {Act.BOOKED, Act.REFERENCE} <= self.acts and not self._denies_last():
            return True
        for claim in self.claims:
            told = self._told_by(claim, told)
        if told and Act.REFERENCE not in self.acts and any(map(_asks_whether, self.claims)):
            return False  # "Shall I book it? So far: ... booked: nothing"
        return told

    def _is_too_early(self) -> bool:
        """Whether a booking cannot be meant: nothing of it was said yet, nor is it numbered."""
        part = self.part
        raised = part.booked or not part.book or any(slot in part.told for slot in part.book)
        return not raised and Act.REFERENCE not in self.acts

    def _denies_last(self) -> bool:
        told = [c for c in self.claims if c.act in (Act.BOOKED, Act.REFERENCE)]
        return told[-1].act is Act.BOOKED and told[-1].factuality is Factuality.DENIED

    def _told_by(self, claim: DialogueAct, before: bool | None) -> bool | None:
        if claim.of and self.part.venue and not same_name(claim.of, self.part.venue):
            return before
        match claim.act, claim.factuality:
            case Act.BOOKED, Factuality.ASSERTED:
                return True
            case Act.REFERENCE, Factuality.ASSERTED:
                return before is not False
            case Act.BOOKED, Factuality.DENIED | Factuality.CONDITIONAL:
                return False
            case (Act.BOOKING_FAILED, Factuality.ASSERTED) | (
                Act.OFFER_BOOK,
                Factuality.ASSERTED | Factuality.ASKED,
            ):
                offers = claim.act is Act.OFFER_BOOK
                further = offers and (_is_about_more(claim) or Act.REFERENCE in self.acts)
                return before if further else False
        return before

    def offers_to_book(self) -> bool:
        """Says whether the bot asks whether to book, or says what it takes for it to book."""
        return Act.OFFER_BOOK in self.acts or any(
            (claim.act is Act.OFFER_BOOK and claim.factuality is Factuality.ASKED)
            or (claim.act is Act.BOOKED and claim.factuality is Factuality.CONDITIONAL)
            for claim in self.claims
        )  # fmt: skip

    def got(self, slot: str) -> object:
        """Returns the value that the bot said, if it said one."""
        return next((h.value for h in self.heard if h.slot == slot and h.value), "")

    def meets(self, slot: str, wanted: str, got: object) -> bool:
        """Says whether a value is as the user wants it."""
        return meets(self.part.domain, slot, wanted, got)

    def offered(self) -> list[str]:
        """Returns the venues or trains the bot names."""
        slot = self.part.key
        heard = [h.value for h in self.heard if h.act is Act.OFFER and h.slot == slot and h.value]
        denied = [h.value for h in self.heard if h.act is Act.NO_OFFER and h.value]
        if not heard:
            named = self.seen.named(self.text)
            heard = [n for n in named if not any(same_name(n, other) for other in denied)]
        return heard or list(self.unlisted if slot == "name" and not self.part.venue else ())

    def is_about_to_book(self) -> bool:
        """Says whether the bot asks whether, or with what, to book."""
        asks = any(slot in self.part.book for slot in self.requested())
        return asks or self.offers_to_book()

    def faults(self, offer: str) -> dict[str, str]:
        """Returns the constraints that an offer is seen not to meet."""
        part = self.part
        if "name" in part.inform:
            wanted = part.inform["name"]
            return {} if same_name(wanted, offer) else {"name": wanted}
        return {
            slot: wanted
            for slot, wanted in part.inform.items()
            if (values := self._known_of(offer, slot))
            if not any(self.meets(slot, wanted, value) for value in values)
        }

    def _known_of(self, offer: str, slot: str) -> list[object]:
        """Returns a venue's values of a slot: as the bot says, else as tools have told."""
        said: list[object] = [
            h.value
            for h in self.heard
            if h.act is Act.INFORM and h.slot == slot and h.value and h.of
            if same_name(h.of, offer)
        ]
        return said or [row[slot] for row in self.rows(offer) if slot in row]

    def wrong_in_text(self, told: Mapping[str, str]) -> dict[str, str]:
        """Returns which of these slots the bot said wrongly -> what they should be."""
        row = self.row(self.part.venue)
        skip = UNCLEAR_IN_TEXT | (OF_A_ROW if row is not None else set())
        values: dict[str, list[str]] = {}
        for heard in self.heard:
            other = heard.of and self.part.venue and not same_name(heard.of, self.part.venue)
            if other or heard.act is not Act.INFORM or not heard.value:
                continue
            if heard.slot and heard.slot in told:
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
        """Returns what is worth correcting: nothing for the third time."""
        counts = self.part.corrections
        kept = {}
        for slot, value in wrong.items():
            key = (slot, normalise(slot, got.get(slot, offer)))
            counts[key] += 1
            if counts[key] <= MOST_CORRECTIONS:
                kept[slot] = value
        return kept

    def denies(self) -> bool:
        """Says whether the bot says that it does not know."""
        if self.acts & {Act.NO_OFFER, Act.BOOKING_FAILED}:
            return False
        return denies(self.text)


def _labelled(slot: str, value: str) -> re.Pattern[str]:
    """Returns a slot's name with its value behind it: "child seat: no"."""
    label = re.escape(slot.replace("_", " "))
    return re.compile(rf"(?<!\w){label}\W{{1,3}}{re.escape(value)}(?!\w)", re.I)


def _beside(slot: str, value: str) -> re.Pattern[str]:
    """A value as one hears it: with its slot's name unless it is long enough to be known."""
    if len(value) < SHORTEST_KNOWN:
        return _labelled(slot, value)
    return re.compile(rf"(?<!\w){re.escape(value)}(?!\w)", re.I)


def _awaited(part: DomainPart, claim: DialogueAct) -> bool:
    """Says whether a claim is about the booking awaited, whichever domain it seems to be about."""
    booking = claim.act in (Act.BOOKED, Act.BOOKING_FAILED, Act.REFERENCE)
    return part.needs_booking and booking and claim.holds


def _reference_said(
    text: str, heard: Sequence[DialogueAct], seen: SeenCalls, domain: str
) -> Iterator[DialogueAct]:
    """Returns the reference number that a visible booking got, if it stands in the text unheard."""
    told = seen.reference and says_value(text, "reference", seen.reference)
    if told and not any(claim.act is Act.REFERENCE for claim in heard):
        yield DialogueAct(Act.REFERENCE, domain, "reference", seen.reference, sentence=text)


def _asks_whether(claim: DialogueAct) -> bool:
    """Says whether a claim is an offer to book this."""
    return claim.act is Act.OFFER_BOOK and claim.holds and not _is_about_more(claim)


def _is_about_more(claim: DialogueAct) -> bool:
    """Says whether an offer to book is about something further."""
    return bool({word.strip(".,!?") for word in claim.sentence.lower().split()} & FURTHER)
