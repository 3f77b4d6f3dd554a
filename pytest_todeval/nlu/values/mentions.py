"""Values mentioned in a clause: what they are, and where they stand."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pytest_todeval.nlu.names.lexicon import PLACE, Entry, Lexicon
from pytest_todeval.nlu.times import time_spans
from pytest_todeval.nlu.values.forms import ADDRESS, FORMS, HINTS, IN_FIGURES, TRAIN_ID, named
from pytest_todeval.nlu.values.journeys import (
    JOURNEYS,
    RIDE_PLACE,
    end_of_journey,
    end_of_ride,
    time_slot,
)


@dataclass(frozen=True, slots=True)
class Mention:
    """A value in a clause."""

    slot: str
    value: str
    start: int
    end: int
    domain: str | None = None
    whole: bool = True
    """Not a shortened form of a name."""
    everyday: bool = False
    """A name made of everyday words."""


class _Taken:
    """Parts of the text that already mean something."""

    def __init__(self, length: int) -> None:
        self.marks = bytearray(length)

    def take(self, start: int, end: int) -> bool:
        """Takes a part; False if some of it is taken."""
        if any(self.marks[start:end]):
            return False
        self.marks[start:end] = b"\1" * (end - start)
        return True


def mentions(text: str, known: Lexicon, domain: str | None) -> list[Mention]:
    """Everything of value in a plain clause, in order of place.

    `domain` is what the clause is about, if that is known; it tells a train's times and stations
    from a table's time and a venue's name.
    """
    taken = _Taken(len(text))
    found = [*_ids(text, known, taken), *_known(text, known, domain, taken)]
    found.extend(_formed(text, domain, taken))
    found.extend(_ends_of_ride(text, domain, taken))
    found.extend(_times(text, domain, taken))
    found.extend(_addresses(text, taken))
    return sorted(found, key=lambda mention: mention.start)


_ID = re.compile(r"(?<![a-z0-9-])[a-z0-9-]+")


def _ids(text: str, known: Lexicon, taken: _Taken) -> Iterator[Mention]:
    for match in _ID.finditer(text) if known.ids else ():
        if match[0] in known.ids and taken.take(*match.span()):
            yield Mention("trainID", known.ids[match[0]], *match.span(), "train")


def train_ids(text: str, known: Lexicon) -> Iterator[Mention]:
    """Returns the ids of trains in a plain text, known ones and those that look like one."""
    taken = _Taken(len(text))
    yield from _ids(text, known, taken)
    for match in TRAIN_ID.finditer(text):
        if taken.take(*match.span()):
            yield Mention("trainID", match[0].replace(" ", "").upper(), *match.span(), "train")


def _known(text: str, known: Lexicon, domain: str | None, taken: _Taken) -> Iterator[Mention]:
    addresses: list[Mention] = []
    name_end = -9
    for start, end, entry in known.matches(text):
        belongs_to_name = entry.slot == "type" and start - name_end <= 1
        name_end = end if entry.slot == "name" else name_end
        slot = None if belongs_to_name else _slot(entry, text, start, domain)
        mention = _mention(slot, entry, start, end, domain) if slot else None
        if mention is None or not taken.take(start, end):
            continue
        if slot == "address":
            addresses.append(mention)
        else:
            yield mention
    yield from _joined(text, addresses)


def _mention(slot: str, entry: Entry, start: int, end: int, domain: str | None) -> Mention | None:
    """What is mentioned; None if the words fit several venues, and no domain tells which."""
    value, about = entry.value, entry.domain
    if entry.shared:
        own = [(owner, name) for owner, name in entry.shared if owner == domain]
        about, value = own[0] if own else (about, value)
    return Mention(slot, value, start, end, about, entry.whole, entry.everyday)


def _slot(entry: Entry, text: str, start: int, domain: str | None) -> str | None:
    """Returns what a known value is in this clause; None if it means nothing."""
    venue = entry.slot == "name" and entry.domain != domain
    if entry.slot == PLACE or (venue and domain in JOURNEYS):
        return end_of_journey(text, start, domain, venue=entry.slot == "name")
    if entry.slot == "type" and (domain in JOURNEYS or domain == "restaurant"):
        return None
    return entry.slot


def _joined(text: str, addresses: list[Mention]) -> Iterator[Mention]:
    """Parts of one address become one mention, as said."""
    group: list[Mention] = []
    for mention in [*addresses, None]:
        if group and (mention is None or mention.start - group[-1].end > 12):
            start, end = group[0].start, group[-1].end
            yield Mention("address", text[start:end], start, end)
            group = []
        if mention is not None:
            group.append(mention)


_FIGURE = re.compile(r"\d")
_ANY_HINT = re.compile("|".join(hint.pattern for hint in HINTS.values()))


def _formed(text: str, domain: str | None, taken: _Taken) -> Iterator[Mention]:
    figures = _FIGURE.search(text) is not None
    if not figures and not _ANY_HINT.search(text):
        return
    for slot, pattern in FORMS:
        if slot in IN_FIGURES:
            if not figures:
                continue
        elif slot in HINTS and not HINTS[slot].search(text):
            continue
        for match in pattern.finditer(text):
            said = next((group for group in match.groups() if group), match[0])
            found = named(slot, said, text, match, domain)
            if found is not None and taken.take(*match.span()):
                yield Mention(*found, *match.span())


def _ends_of_ride(text: str, domain: str | None, taken: _Taken) -> Iterator[Mention]:
    for match in RIDE_PLACE.finditer(text) if domain == "taxi" else ():
        slot = end_of_ride(text[: match.start()])
        if slot and taken.take(*match.span()):
            yield Mention(slot, match[1], *match.span())


def _times(text: str, domain: str | None, taken: _Taken) -> Iterator[Mention]:
    for start, end, clock in time_spans(text):
        slot = time_slot(text, start, end, domain)
        if slot is not None and taken.take(start, end):
            yield Mention(slot, clock, start, end)


def _addresses(text: str, taken: _Taken) -> Iterator[Mention]:
    for match in ADDRESS.finditer(text):
        group = next(number for number in (1, 2, 3) if match[number])
        if taken.take(*match.span(group)):
            yield Mention("address", match[group].strip(" ,"), *match.span(group))
