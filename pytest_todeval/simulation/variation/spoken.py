"""How values sound, as a speech recogniser writes them: numbers, times and codes in words."""

import re

_UNITS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    "nineteen",
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_TIME = re.compile(r"(?<!\d)([01]?\d|2[0-4]):([0-5]\d)(?!\d)")
_MONEY = re.compile(r"(?:\u00a3\s?)?(\d{1,4})\.(\d\d)(?!\d)")
_CODE = re.compile(r"(?<![\w])(?=\w*\d)(?=\w*[a-zA-Z])\w{2,40}(?!\w)")
_DIGITS = re.compile(r"\d+")
_SIGNS = re.compile(r"[^\w\s'\ue000-\uf8ff]|_")
MOST_IN_WORDS = 999
"""Greater numbers, and those that begin with a zero, are said digit by digit."""


def spoken(text: str) -> str:
    """Returns the words of a value: `18:30` is "eighteen thirty", `AB12` "a b one two"."""
    text = text.replace("&", " and ")
    if "@" in text:
        text = text.replace("@", " at ").replace(".", " dot ")
    text = _TIME.sub(lambda found: f" {_time(int(found[1]), found[2])} ", text)
    text = _MONEY.sub(lambda found: f" {found[1]} point {' '.join(found[2])} ", text)
    text = _CODE.sub(lambda found: f" {' '.join(found[0])} ", text)
    text = _DIGITS.sub(lambda found: f" {_number(found[0])} ", text)
    return without_signs(text)


def without_signs(text: str) -> str:
    """Lower case, without signs, single blanks between words; apostrophes stay within words."""
    words = _SIGNS.sub(" ", text.replace("\u2019", "'").lower()).split()
    return " ".join(filter(None, (word.strip("'") for word in words)))


def _time(hour: int, minute: str) -> str:
    past = {"00": "o'clock" if 0 < hour <= 12 else "hundred"}.get(minute)
    if past is None:
        past = _number(minute) if minute[0] != "0" else f"oh {_number(minute[1])}"
    half = "am" if 0 < hour < 12 else ""
    return f"{_number(str(hour))} {past} {half}"


def _number(digits: str) -> str:
    value = int(digits)
    if value > MOST_IN_WORDS or (digits[0] == "0" and len(digits) > 1):
        return " ".join(_UNITS[int(digit)] for digit in digits)
    hundreds, rest = divmod(value, 100)
    said = [f"{_UNITS[hundreds]} hundred"] if hundreds else []
    if rest or not hundreds:
        said.append(_below_hundred(rest))
    return " and ".join(said)


def _below_hundred(value: int) -> str:
    if value < len(_UNITS):
        return _UNITS[value]
    tens, unit = divmod(value, 10)
    return _TENS[tens - 2] + (f" {_UNITS[unit]}" if unit else "")
