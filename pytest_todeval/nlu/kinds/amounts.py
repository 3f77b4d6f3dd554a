"""Amounts of money."""

import re
from collections.abc import Iterator
from decimal import Decimal

from pytest_todeval.nlu.kinds.kind import Kind, Span
from pytest_todeval.nlu.kinds.numbers import NUMBER, readings

_CURRENCIES = {
    "$": r"\$|(?:us|au|a|ca|c|nz|hk|s)\$|usd|aud|cad|nzd|sgd|hkd|dollars?|bucks?",
    "£": r"£|gbp|pounds?(?: sterling)?|quid|sterling",
    "€": r"€|eur|euros?",
    "₹": r"₹|inr|rs\.?|rupees?",
    "¥": r"¥|jpy|cny|rmb|yen|yuan",
    "fr": r"chf|sfr\.?|francs?",
    "kr": r"sek|nok|dkk|kr\.?|kron(?:a|e|or|er)",
}
_CURRENCY = "|".join(forms for forms in _CURRENCIES.values())
_CENTS = r"cents?|¢|pence|p|paise"
_SIGN = {sign: re.compile(forms, re.I) for sign, forms in _CURRENCIES.items()}
_AMOUNT = re.compile(
    rf"(?<!\w)(?P<before>{_CURRENCY})\s?[:=]?\s?(?P<after_sign>{NUMBER})(?!\d)"
    rf"(?: (?P<few>\d\d)(?![\d.,:/-]| ?(?:%|am|pm|people|guests?|tickets?|nights?|days?)))?"
    rf"|(?P<number>{NUMBER})(?:/-|,-|\.-)?[\s-]?(?P<behind>{_CURRENCY})(?:(?!\w)|(?<=€)(?=\d\d\b))"
    rf"(?:(?: and)? ?(?P<small>\d\d?|[a-z]+(?:-[a-z]+)?)(?P<cents> (?:{_CENTS})\b|(?<=€\d\d)\b)?)?"
    rf"|(?P<only>{NUMBER}) ?(?:{_CENTS})(?!\w)"
    rf"|(?P<rupees>{NUMBER})/-",
    re.I,
)
_FREE = re.compile(
    r"\b(?:(?<!feel )(?<!sugar )(?<!gluten )(?<!smoke )(?<!toll )free(?: of (?:any )?charge)?"
    r"(?! (?:to (?:call|ask|contact|reach)|time|slots?|seats?|tables?|on|at|wi))"
    r"|complimentary|gratis|no (?:\w+ )?(?:charge|cost|fee)s?|for nothing|without charge"
    r"|(?:not|n['’]t) (?:cost|charge)\w*(?: (?:you )?(?:anything|a thing))?)\b",
    re.I,
)
_BARE = re.compile(rf"(?P<number>{NUMBER}(?: ?(?:L|lacs?)\b)?)(?![\d%])", re.I)

_UNDOES = re.compile(
    r"\b(?:cancel\w*|chang\w*|amend\w*|rebook\w*|deliver\w*|return\w*)\b[^.!?;]*$", re.I
)


def is_free_to_undo(text: str, at: int) -> bool:
    """Whether "free" is said of cancelling and the like: "it can be cancelled free of charge"."""
    return _UNDOES.search(text[max(0, at - 80) : at]) is not None


Reading = tuple[Decimal, str]


def _sign(said: str) -> str:
    return next((sign for sign, form in _SIGN.items() if form.fullmatch(said.strip())), "")


def _find(text: str) -> Iterator[Span]:
    for match in _AMOUNT.finditer(text):
        if found := tuple(_readings(match)):
            yield Span(*match.span(), found)
    for match in _FREE.finditer(text):
        if is_free_to_undo(text, match.start()):
            continue
        yield Span(*match.span(), ((Decimal(0), ""),))
    for match in _BARE.finditer(text):
        numbers = readings(match["number"])
        yield Span(*match.span(), tuple((number, "") for number in numbers), sure=False)


def _readings(match: re.Match[str]) -> Iterator[Reading]:
    if match["only"]:
        yield from ((number / 100, "") for number in readings(match["only"]))
        return
    number = match["after_sign"] or match["number"] or match["rupees"]
    sign = "₹" if match["rupees"] else _sign(match["before"] or match["behind"])
    small = match["small"] or match["few"]
    few = readings(small) if small else ()
    for found in readings(number):
        if few and 0 < few[0] < 100:
            yield found + few[0] / 100, sign
        if not match["cents"]:
            yield found, sign


def _agree(one: Reading, other: Reading) -> bool:
    return one[0] == other[0] and (one[1] == other[1] or not (one[1] and other[1]))


AMOUNT = Kind("amount", _find, _agree)
"""Amounts of money: `$33`, `33.00 USD`, `1.234,50 €`, `Rs. 1,20,000`, `free`."""
