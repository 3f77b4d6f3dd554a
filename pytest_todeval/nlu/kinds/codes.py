"""Codes, postcodes, e-mail and web addresses: told whole, character by character."""

import re
from collections.abc import Iterator

from pytest_todeval.nlu.en import listed
from pytest_todeval.nlu.kinds.kind import Kind, Span

_CODE = re.compile(
    r"(?<![\w@])(?=[\w\-/. ]*\d)[A-Za-z0-9]+(?:[-/.\u2011\u2013][A-Za-z0-9]+)*(?!\w|@|:\d)"
)
_CAPITALS = re.compile(
    r"(?<![\w@.])(?:[A-Z]{1,12}(?:[- ][A-Z]{1,12})*|[A-Z](?:[ .-][A-Z0-9]){2,})(?!\w|@|['\u2019])"
)
_CARRIER = re.compile(r"(?<![\w@.])([A-Z\d]?[A-Z]{1,2}) \d{2,5}(?![\w:]|[.,/]\d| ?[ap]\.?m)")
_NO_CARRIER = frozenset(
    listed(
        "A AT BY IN IS NO OF ON OR TO US UK EUR GBP USD INR CHF RS SEK AED MAY JAN FEB MAR APR"
        " JUN JUL AUG SEP OCT NOV DEC PM AM CET GMT EST THE AND FOR IT BC AD PO ROW BUS"
    )
)
"""Words in capitals that make no code of the figures behind them."""
_NO_CODE = re.compile(
    r"\d{1,2}(?:st|nd|rd|th)|\d{1,2}(?:am|pm)|\d+(?:min|mins|h|hrs?|kg|lbs?|g|cm|mm|km|mb|gb|k)|"
    r"(?:I|A|OK|TV|ID|PIN|US|UK|AM|PM|VAT|GMT|FAQ|ASAP)",
    re.I,
)


def squeezed(text: str) -> str:
    """Returns its letters and figures, in capitals."""
    return re.sub(r"[\W_]", "", text).upper()


def _find(text: str) -> Iterator[Span]:
    for match in _CARRIER.finditer(text):
        if match[1] not in _NO_CARRIER:
            yield Span(*match.span(), (squeezed(match[0]),))
    for match in _CODE.finditer(text):
        if any(char.isdigit() for char in match[0]):
            sure = any(c.isalpha() for c in match[0]) and not _NO_CODE.fullmatch(match[0])
            yield Span(*match.span(), (squeezed(match[0]),), sure=sure)
    for match in _CAPITALS.finditer(text):
        if not _NO_CODE.fullmatch(match[0]):
            yield Span(*match.span(), (squeezed(match[0]),), sure=False)


CODE = Kind("code", _find)
"""References, seats, gates, plates, flights: `XK42QP7Z`, `12A`, `B18`, `KA 01 AB 1234`."""


def code_in(value: str, text: str) -> Span | None:
    """Where a code stands in a text as a whole, however it is spaced; None if it does not."""
    form = r"[\s.\-/\u2011\u2013,]{0,2}".join(map(re.escape, squeezed(value)))
    match = re.search(rf"(?<![^\W_]){form}(?![^\W_])", text, re.I) if form else None
    return Span(*match.span(), (squeezed(value),)) if match else None


_POSTCODE = re.compile(
    r"(?<![\w-])(?:[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|\d{4} ?[A-Z]{2}"
    r"|\d{5}(?:-\d{4})?|\d{3} ?\d{3}|[A-Z]{1,2}-\d{4,5}|\d{4})(?![\w-])",
    re.I,
)


def _postcodes(text: str) -> Iterator[Span]:
    for match in _POSTCODE.finditer(text):
        code = squeezed(match[0])
        yield Span(*match.span(), (code,), sure=len(code) > 4)


POSTCODE = Kind(
    "postcode",
    _postcodes,
    lambda a, b: (
        a[:5] == b[:5] if min(a, b, key=len).isdigit() and {len(a), len(b)} == {5, 9} else a == b
    ),
)
"""Postcodes: `CB1 2AB`, `94103-1234`, `110001`, `K1A 0B1`."""

_EMAIL = re.compile(
    r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\b[\w.+-]+ (?:at|\(at\)|\[at\]) [\w-]+(?: (?:dot"
    r"|\(dot\)) [\w-]+)+",
    re.I,
)


def _emails(text: str) -> Iterator[Span]:
    for match in _EMAIL.finditer(text):
        plain = (
            re.sub(r"\s*[(\[]?\bat\b[)\]]?\s*", "@", match[0].lower())
            if "@" not in match[0]
            else match[0].lower()
        )
        yield Span(*match.span(), (re.sub(r"\s*\(?\bdot\b\)?\s*", ".", plain).strip("."),))


EMAIL = Kind("email", _emails)
"""E-mail addresses: `info@example.org`, `info at example dot org`."""

_URL = re.compile(r"(?:https?://)?(?:www\.)?[\w-]+(?:\.[\w-]+)+(?:/[^\s,;)>\]]*)?", re.I)


def _urls(text: str) -> Iterator[Span]:
    for match in _URL.finditer(text):
        plain = re.sub(r"^(?:https?://)?(?:www\.)?", "", match[0].lower()).rstrip("./")
        if re.search(r"\.[a-z]{2,}", plain):
            yield Span(*match.span(), (plain,))


URL = Kind("url", _urls)
"""Web addresses, with or without their scheme."""
