"""Inform, Success and Booking of one domain of a stored dialogue, after AutoTOD.

Xu et al. 2024, "Rethinking Task-Oriented Dialogue Systems: From Complex Modularity to Zero-Shot
Autonomous Agent". A model read from the dialogue which venue the user chose, what was told, and the
reference number; these readings are checked against the databases and the booking records. Two
definitions: `PUBLISHED`, which gives the published flags, and `CORRECTED`, the default, which mends
if that one passes what is wrong or fails what is right.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_todeval.backends.protocol import Row

PUBLISHED = "autotod-published 1"
CORRECTED = "autotod-corrected 1"

NO_VALUE = frozenset({"", "none", "dontcare", "not mentioned"})
FLAGS = frozenset({"invalid", "pre_invalid"})
TICKETS = "tickets"
FEE = "entrance fee"
UNKNOWN = "?"
"""In a row: no bot can tell this value."""

Tables = Mapping[str, Sequence[Row]]
"""The rows of the databases by domain."""
Wanted = Mapping[str, Any]
"""One domain of the goal record: `info`, `fail_info`, `book`, `fail_book`, `reqt`."""


@dataclass(frozen=True, slots=True)
class StoredReading:
    """What the file says was read from the dialogue in one domain; None if it does not say."""

    venue: str | None = None
    told: Mapping[str, str] | None = None
    """Requested slots with the values told (`none` if untold); of a taxi, also its `info`."""
    taken: Mapping[str, str] | None = None
    """Of a taxi: the journey, with the goal's `info` slots."""
    reference: str | None = None
    record: Mapping[str, str] | None = None
    """The booking with that reference number; empty if there is none of that number."""


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag with its reason; `passed` is None if the goal asks for nothing of the kind, or,
    with `unknown`, if the file does not hold what it would be computed from.
    """

    passed: bool | None
    reason: str
    unknown: bool = False


NOTHING_ASKED = "the goal asks for nothing of the kind"


def find(
    domain: str, wanted: Wanted, reading: StoredReading, tables: Tables, definition: str
) -> dict[str, Flag]:
    """`inform`, `success` and `booking` of one domain under a definition."""
    kinds = {"taxi": _Taxi, "train": _Train}
    found = kinds.get(domain, _Venue)(domain, wanted, reading, tables, definition == PUBLISHED)
    inform = found.inform()
    return {
        "inform": inform,
        "success": found.success(inform) if wanted.get("reqt") else Flag(None, NOTHING_ASKED),
        "booking": found.booking(inform) if wanted.get("book") else Flag(None, NOTHING_ASKED),
    }


@dataclass(frozen=True, slots=True)
class _AutoTodPart:
    domain: str
    wanted: Wanted
    reading: StoredReading
    tables: Tables
    published: bool

    def inform(self) -> Flag:
        raise NotImplementedError

    def success(self, inform: Flag) -> Flag:
        raise NotImplementedError

    def booking(self, inform: Flag) -> Flag:
        return Flag(None, NOTHING_ASKED)

    def slots(self, part: str) -> dict[str, str]:
        """Returns a part of the goal, without the flags of its generator."""
        given = self.wanted.get(part) or {}
        return {slot: str(value).lower() for slot, value in given.items() if slot not in FLAGS}

    def bookings_wanted(self) -> list[dict[str, str]]:
        """The bookings that pass: the final one, or the first try, which nothing refused."""
        book, fail = self.slots("book"), self.slots("fail_book")
        if not fail:
            return [book]
        # as published, a booking that meets `fail_book` passes whatever its other slots say
        return [book, fail if self.published else {**book, **fail}]

    def untold(self, told: Mapping[str, str]) -> list[str]:
        """Requested slots without an answer; `<Not mentioned>` and the like are none."""
        return [s for s, value in told.items() if re.sub(r"[<>.]", "", value.lower()) in NO_VALUE]


class _Venue(_AutoTodPart):
    """Restaurants, hotels, attractions."""

    __slots__ = ()

    def inform(self) -> Flag:
        if self.reading.venue is None:
            return _missing("which venue the user chose")
        venue = self._venue()
        if venue is None:
            return Flag(False, f"{self.reading.venue!r} is no {self.domain} of the database")
        wrong = self._misses(venue, self.slots("info"))
        fail_info = self.slots("fail_info")
        if wrong and self.published and fail_info and not self._misses(venue, fail_info):
            return Flag(True, f"{venue['name']} meets the constraints tried first")
        return Flag(not wrong, _verdict_on(str(venue["name"]), wrong))

    def success(self, inform: Flag) -> Flag:
        if inform.unknown or self.reading.told is None:
            return _missing("what was told of the venue")
        venue = self._venue()
        if venue is None or not inform.passed:
            return Flag(False, "inform failed")
        known = {s: v for s, v in self.reading.told.items() if venue.get(s) not in (None, UNKNOWN)}
        if not self.published and (untold := self.untold(known)):
            return Flag(False, f"never told: {', '.join(untold)}")
        # as published, what was not told is passed over, and only a fee is compared with its case
        told = {
            slot: value if self.published and slot == FEE else value.lower()
            for slot, value in (self.reading.told if self.published else known).items()
            if value not in NO_VALUE
        }
        wrong = [slot for slot, value in told.items() if not _holds(venue.get(slot), slot, value)]
        return Flag(not wrong, _verdict_on("what was told", wrong))

    def booking(self, inform: Flag) -> Flag:
        record = self.reading.record
        if inform.unknown or self.reading.reference is None or record is None:
            return _missing("the booking record")
        venue = self._venue()
        if venue is None or not inform.passed:
            return Flag(False, "inform failed")
        if not record:
            return Flag(False, f"no booking has the number {self.reading.reference!r}")
        if _bare(record.get("name", "")) != _bare(str(venue["name"])):
            return Flag(False, f"booked {record.get('name')!r}, not {venue['name']!r}")
        wrongs = [_differing(record, wanted) for wanted in self.bookings_wanted()]
        fits = any(not wrong for wrong in wrongs)
        return Flag(fits, _verdict_on("the booking", [] if fits else wrongs[0]))

    def _misses(self, venue: Row, wanted: Mapping[str, str]) -> list[str]:
        """Returns the constraints that a venue does not meet.

        As published, the bare name of the venue is compared with the whole name in the goal, and
        the Gonville Hotel is not the "gonville hotel".
        """
        stored = {**venue, "name": _bare(str(venue["name"]))}
        if not self.published:
            wanted = {s: _bare(v) if s == "name" else v for s, v in wanted.items()}
        meant = {slot: value for slot, value in wanted.items() if value not in NO_VALUE}
        return [slot for slot, value in meant.items() if not _holds(stored.get(slot), slot, value)]

    def _venue(self) -> Row | None:
        name = _bare(self.reading.venue or "")
        rows = self.tables.get(self.domain, ())
        return next((row for row in rows if _bare(str(row.get("name", ""))) == name), None)


class _Train(_AutoTodPart):
    """A train is booked or asked about, never both."""

    __slots__ = ()

    def inform(self) -> Flag:
        if self.wanted.get("reqt"):
            return self._told_of_one()
        if not self.wanted.get("book"):
            return Flag(None, NOTHING_ASKED)
        record = self.reading.record
        if self.reading.reference is None or record is None:
            return _missing("the booking record")
        if not record:
            return Flag(False, f"no booking has the number {self.reading.reference!r}")
        train = self._train(record)
        if train is None:
            return Flag(False, f"{record.get('trainID')!r} is no train of the database")
        wrong = _unsuited(train, self.slots("info"))
        return Flag(not wrong, _verdict_on(f"train {train['trainID']}", wrong))

    def success(self, inform: Flag) -> Flag:
        return inform

    def booking(self, inform: Flag) -> Flag:
        if inform.passed is not True or self.reading.record is None:
            return inform if inform.unknown else Flag(False, "inform failed")
        people = {TICKETS: self.slots("book").get("people", "")}
        wrong = _differing(self.reading.record, people)
        return Flag(not wrong, _verdict_on("the booking", wrong))

    def _train(self, record: Mapping[str, str]) -> Row | None:
        number = record.get("trainID", "").lower()
        rows = self.tables.get(self.domain, ())
        return next((row for row in rows if str(row.get("trainID", "")).lower() == number), None)

    def _told_of_one(self) -> Flag:
        """Says whether one train that suits the goal is what was told."""
        told = self.reading.told
        if told is None:
            return _missing("what was told of the train")
        if not self.published and (untold := self.untold(told)):
            return Flag(False, f"never told: {', '.join(untold)}")
        # as published, a told time is met by every train that leaves later or arrives earlier
        compare = _unsuited if self.published else _differing
        suited = [
            r for r in self.tables.get(self.domain, ()) if not _unsuited(r, self.slots("info"))
        ]
        fits = next((train for train in suited if not compare(train, told)), None)
        if fits is None:
            return Flag(False, "no train that suits the goal is as was told")
        return Flag(True, f"train {fits['trainID']} suits the goal and is as was told")


class _Taxi(_AutoTodPart):
    """There are no records of taxis: that a type and a number were told is all that can be seen."""

    __slots__ = ()

    def inform(self) -> Flag:
        taken, info = self.reading.taken, self.slots("info")
        if not info:
            return Flag(None, NOTHING_ASKED)
        if taken is None:
            return _missing("the journey that was booked")
        wrong = _differing({slot: value.lower() for slot, value in taken.items()}, info)
        return Flag(not wrong, _verdict_on("the taxi", wrong))

    def success(self, inform: Flag) -> Flag:
        told = self.reading.told
        if inform.unknown or told is None:
            return _missing("what was told of the taxi")
        if not inform.passed:
            return Flag(False, "inform failed")
        untold = (
            [s for s, v in told.items() if v == "none"] if self.published else self.untold(told)
        )
        return Flag(not untold, f"never told: {', '.join(untold)}" if untold else "all told")


def _missing(what: str) -> Flag:
    return Flag(None, f"cannot be recomputed: the file does not say {what}", unknown=True)


def _verdict_on(what: str, wrong: Sequence[str]) -> str:
    return f"{what}: wrong in {', '.join(wrong)}" if wrong else f"{what} is right"


def _bare(name: str) -> str:
    """Returns a venue's name without case, `the`, and a closing `restaurant` or `hotel`."""
    name = name.lower().strip().removeprefix("the").removesuffix("restaurant")
    return name.removesuffix("hotel").strip()


def _holds(stored: object, slot: str, value: str) -> bool:
    if stored is None:
        return False
    known = str(stored).lower()
    if slot in ("phone", "postcode"):
        value = value.replace(" ", "")
    return known in value if slot == "address" else known == value


def _unsuited(train: Row, wanted: Mapping[str, str]) -> list[str]:
    """The slots in which a train misses the constraints: leaves too early, arrives too late, ..."""
    return [slot for slot, value in wanted.items() if not _suits(train.get(slot), slot, value)]


def _suits(stored: object, slot: str, value: str) -> bool:
    if stored is None:
        return False
    match slot:
        case "leaveAt":
            return str(stored) >= value
        case "arriveBy":
            return str(stored) <= value
    return str(stored) == value


def _differing(record: Mapping[str, Any], wanted: Mapping[str, str]) -> list[str]:
    return [slot for slot, value in wanted.items() if record.get(slot) != value]
