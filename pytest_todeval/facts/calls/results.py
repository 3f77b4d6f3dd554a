"""What the result of a tool's call says: done, refused, or neither; with which values."""

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Any

from pytest_todeval.core.dialogue_act import Act
from pytest_todeval.facts.calls.rows import MAX_DEPTH, data_of
from pytest_todeval.facts.calls.wishes import given
from pytest_todeval.nlu.listen import listen
from pytest_todeval.nlu.vocabulary import Vocabulary

LONGEST = 1000
"""Characters of a text that are read."""
MOST_VALUES = 200
"""Of a result that are kept."""


class Says(StrEnum):
    """What a result says of the call."""

    DONE = "done"
    REFUSED = "refused"
    PENDING = "pending"
    """Not done yet, or no more than possible: `{"available": true}`, `{"status": "pending"}`."""


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_WENT_WELL = _set(
    "success ok succeeded successful booked isbooked confirmed completed accepted reserved done"
)
"""Fields that are true or false."""
_WENT_WRONG = _set("error errors exception failure failed errormessage fault")
_FREE = _set("available isavailable availability free isfree canbook bookable possible")
_STATUS = _set("status state outcome result code statuscode httpstatus bookingstatus reply")
_WORDS = _set("message detail details reason note text msg description info response")
_TOLD = _WENT_WELL | _WENT_WRONG | _FREE | _STATUS | _WORDS | _set("count total timestamp")
"""Fields about the call, not about the booking."""
_WRAPPERS = _set("data result results response body payload booking reservation order output item")

_DONE = _set(
    "ok success succeeded successful confirmed booked reserved complete completed done created "
    "placed scheduled accepted approved purchased ordered enrolled registered paid issued"
)
_REFUSED = _set(
    "failed failure fail error errors unavailable rejected declined denied refused full conflict "
    "invalid cancelled canceled expired timeout forbidden unsuccessful notfound notavailable "
    "notbooked soldout fullybooked noavailability unconfirmed notconfirmed notpossible"
)
_PENDING = _set(
    "pending processing waiting waitlisted hold onhold draft quote quoted available unknown "
    "needsconfirmation requiresconfirmation awaitingconfirmation incomplete inprogress open"
)
_FALSE = _set("false no 0 none failed")
_TRUE = _set("true yes 1")

_REFERENCES = ("reference", "confirmation", "bookingid", "bookingnumber", "bookingref",
               "reservationid", "reservationnumber", "orderid", "ordernumber", "appointmentid",
               "ticketnumber")  # fmt: skip
_OWN = _set("bookingid bookingreference bookingnumber bookingref reservationid appointmentid")
"""Fields that only a booking that was made has, whatever the tool's name."""
_REFERENCE_IN_TEXT = re.compile(
    r"\b(?=[A-Z0-9-]*\d)(?:[A-Z0-9]{5,12}|(?=[A-Z0-9-]*[A-Z])[A-Z0-9]+(?:-[A-Z0-9]+)+)\b(?!-)"
)
_TEXT_REFUSES = re.compile(
    r"^\W*(?:error|failed|failure|sorry|unable|invalid|unfortunately|no|not)\b"
    r"|\b(?:could ?n[o']t|can ?n[o']t|cannot|unable to|failed to|not (?:available|possible|free)"
    r"|unavailable|sold out|fully booked|rejected|declined|denied|does not exist|not found"
    r"|no (?:\w+ ){0,2}(?:available|availability|free|left|tables?|rooms?|seats?|tickets?))\b",
    re.I,
)
_TEXT_DONE = re.compile(
    r"\b(?:booked|reserved|confirmed|success\w*|completed?|created|placed|scheduled|purchased"
    r"|enrolled|ok|done|thank you for your (?:order|booking))\b",
    re.I,
)


def said_by(result: Any) -> Says | None:
    """Returns what a result says of its call; None if it says nothing of the kind.

    A refusal anywhere in it wins: `{"success": true, "data": {"error": "full"}}`.
    """
    data = data_of(result)
    if isinstance(data, bool):
        return Says.DONE if data else Says.REFUSED
    if isinstance(data, int):
        return Says.REFUSED if 400 <= data < 600 else None
    if isinstance(data, str):
        return _said_in_words(data[:LONGEST])
    if isinstance(data, (list, tuple)):
        if len(data) == 1:
            return said_by(data[0])
        return Says.PENDING  # things to choose from, or none
    found = [says for field in _fields(data) if (says := _said_by_field(*field)) is not None]
    if Says.REFUSED in found:
        return Says.REFUSED
    if Says.DONE in found or reference_in(data):
        return Says.DONE
    if Says.PENDING in found or any(_is_choice(*field) for field in _fields(data)):
        return Says.PENDING
    return next((s for text in _texts(data) if (s := _said_in_words(text)) is not None), None)


def _fields(data: Any, depth: int = MAX_DEPTH) -> Iterator[tuple[str, Any]]:
    """Returns the fields of a result and of what it wraps, names squeezed."""
    if not isinstance(data, Mapping) or not depth:
        return
    for name, value in tuple(data.items())[:MOST_VALUES]:
        squeezed = _squeezed(name)
        yield squeezed, value
        if squeezed in _WRAPPERS:
            inner = value[0] if isinstance(value, (list, tuple)) and len(value) == 1 else value
            yield from _fields(inner, depth - 1)


def _is_choice(name: str, value: Any) -> bool:
    """Says whether a field lists what was found: that is a look-up."""
    return name in _WRAPPERS and isinstance(value, (list, tuple)) and len(value) != 1


def _squeezed(name: object) -> str:
    return _letters(str(name)[:60])


@lru_cache(maxsize=4096)
def _letters(text: str) -> str:
    return _NO_LETTER.sub("", text.lower())


_NO_LETTER = re.compile(r"[^a-z]")


def _said_by_field(name: str, value: Any) -> Says | None:
    text = (_squeezed(value) if isinstance(value, str) else "") or str(value).lower()[:20]
    if name in _WENT_WRONG:
        truly = value not in (None, False, 0, "") and text not in ("none", "null", "false", "no")
        return Says.REFUSED if truly and value not in ([], {}, ()) else None
    if name in _WENT_WELL and text in _FALSE:
        return Says.REFUSED
    if name in _WENT_WELL and text in _TRUE:
        return Says.DONE
    if name in _FREE and isinstance(value, (bool, str, int)):
        return Says.REFUSED if text in _FALSE else Says.PENDING
    return _said_by_status(text, value) if name in _STATUS else None


def _said_by_status(text: str, value: Any) -> Says | None:
    number = str(value).strip()
    if re.fullmatch(r"[1-5]\d\d", number):
        return Says.REFUSED if number[0] in "45" else Says.DONE if number[0] == "2" else None
    for words, says in ((_REFUSED, Says.REFUSED), (_PENDING, Says.PENDING), (_DONE, Says.DONE)):
        if text in words:
            return says
    return None


def _texts(data: Mapping[str, Any]) -> Iterator[str]:
    for name, value in _fields(data):
        if name in _WORDS | _STATUS and isinstance(value, str):
            yield value[:LONGEST]


@lru_cache(maxsize=1024)
def _said_in_words(text: str) -> Says | None:
    """Heard by the one ear; a tool's curt wordings beside it ("ERROR: full", "OK")."""
    acts = {claim.act for claim in listen(text, _NO_WORDS) if claim.holds}
    if acts & {Act.BOOKING_FAILED, Act.NO_OFFER} and Act.REFERENCE not in acts:
        return Says.REFUSED
    if acts & {Act.BOOKED, Act.REFERENCE}:
        return Says.DONE
    if _TEXT_REFUSES.search(text):
        return Says.REFUSED
    return Says.DONE if _TEXT_DONE.search(text) else None


_NO_WORDS = Vocabulary()


def reference_in(result: Any) -> str:
    """Returns the reference number in a result; empty if there is none."""
    data = data_of(result)
    if isinstance(data, (list, tuple)) and len(data) == 1:
        data = data[0]
    if isinstance(data, str):
        found = _REFERENCE_IN_TEXT.search(data[:LONGEST])
        return found[0] if found else ""
    return next((str(v) for k, v in _fields(data) if _is_reference(k) and _is_code(v)), "")


@lru_cache(maxsize=4096)
def _is_reference(squeezed: str) -> bool:
    return squeezed == "ref" or any(word in squeezed for word in _REFERENCES)


def _is_code(value: Any) -> bool:
    return isinstance(value, (str, int)) and not isinstance(value, bool) and given(value)


def books_by_itself(result: Any) -> bool:
    """Says whether a result says that something was booked, whatever the tool is called."""
    fields = tuple(_fields(data_of(result)))
    if said_by(result) is not Says.DONE:
        return False
    booked = any(name in ("booked", "isbooked", "reserved") for name, _ in fields)
    status = any(n in _STATUS and _squeezed(v) in ("booked", "reserved") for n, v in fields)
    return booked or status or any(name in _OWN and _is_code(value) for name, value in fields)


def values_in(arguments: Mapping[str, Any], result: Any) -> dict[str, str]:
    """Slot -> value of what a call was about: its arguments, overruled by its result.

    Mappings inside are opened; what only says how the call went is left out, references too.
    """
    found: dict[str, str] = {}
    data = data_of(result)
    if isinstance(data, (list, tuple)) and len(data) == 1:
        data = data[0]
    for source, beside in ((arguments, frozenset[str]()), (data, _TOLD)):
        for slot, value in _scalars(source, MAX_DEPTH):
            squeezed = _squeezed(slot)
            if squeezed not in beside and not _is_reference(squeezed) and len(found) < MOST_VALUES:
                found[slot] = value
    return found


def _scalars(data: Any, depth: int) -> Iterator[tuple[str, str]]:
    if not isinstance(data, Mapping) or not depth:
        return
    inner = [value for value in data.values() if isinstance(value, Mapping)]
    for each in inner:
        yield from _scalars(each, depth - 1)
    for slot, value in tuple(data.items())[:MOST_VALUES]:
        if value is not None and not isinstance(value, (Mapping, list, tuple)):
            yield str(slot), str(value)
