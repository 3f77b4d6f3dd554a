"""Values that have no form of their own: names, choices, descriptions, addresses, yes and no."""

import re
from collections.abc import Sequence
from functools import lru_cache

from rapidfuzz import fuzz

from pytest_todeval.nlu.en import listed
from pytest_todeval.nlu.kinds.kind import Kind, Span
from pytest_todeval.nlu.kinds.numbers import COUNT
from pytest_todeval.nlu.names.normal_form import normalise_name
from pytest_todeval.nlu.text.negation import LACKS, NEGATED

CLOSE = 90
"""Least rapidfuzz ratio of two words or names that are the same, spelling aside."""
PARTLY = 0.5
"""Share of a value's words from which on a text may mean it."""
_TITLE = re.compile(
    r"\b(?:dr|mrs?|ms|miss|prof(?:essor)?|sir|herr|frau|mme|m|shri|smt)\b\.? ", re.I
)
_SHORT_FORMS = {
    "st": "street", "str": "strasse", "strasse": "strasse", "straße": "strasse", "rd": "road",
    "ave": "avenue", "av": "avenue", "ln": "lane", "blvd": "boulevard", "dr": "drive",
    "sq": "square",
    "ct": "court", "pl": "place", "hwy": "highway", "apt": "apartment",
    "ste": "suite", "fl": "floor",
    "saint": "street", "no": "", "nr": "", "the": "", "n": "north", "s": "south", "e": "east",
    "w": "west", "mt": "mount", "ft": "fort", "pkwy": "parkway", "bldg": "building",
}  # fmt: skip
_LITTLE = frozenset(
    listed(
        "a an and are as at be by for from has have in is it of on or our per than that the "
        "their this to up was we will with you your"
    )
)


def words_of(text: str) -> list[str]:
    """The words of a text as they are compared: small letters, no accents, no punctuation."""
    return normalise_name(_TITLE.sub(" ", text)).split()


def share_told(value: str, text: str) -> float:
    """Returns how much of a value a text tells, from 0 to 1: 1 if it tells it whole, or nearly
    letter by letter; of a person's name the last word is enough.
    """
    wanted, said = words_of(value), _said(text)
    if not wanted or not said:
        return 0.0
    if _stands(wanted, said) or _nearly(wanted, said):
        return 1.0
    matter = [word for word in wanted if word not in _LITTLE] or wanted
    present = frozenset(said)
    heard = [word for word in matter if _has(present, word)]
    if len(heard) == len(matter):
        return 1.0
    person = 2 <= len(wanted) <= 4 and all(part[:1].isupper() for part in value.split())
    if (
        person
        and len(wanted[-1]) > 2
        and wanted[-1] in present
        and not any(map(str.isdigit, value))
    ):
        return 0.9
    return min(len(heard) / len(matter), 0.89)


@lru_cache(maxsize=256)
def _said(text: str) -> tuple[str, ...]:
    return tuple(words_of(text[:8000]))


def _stands(wanted: Sequence[str], said: Sequence[str]) -> bool:
    return f" {' '.join(wanted)} " in f" {' '.join(said)} "


def _nearly(wanted: Sequence[str], said: Sequence[str]) -> bool:
    joined = "".join(wanted)
    if len(joined) < 8 or any(map(str.isdigit, joined)):
        return False
    return any(
        fuzz.ratio(joined, "".join(said[at : at + len(wanted)])) >= CLOSE
        for at in range(len(said) - len(wanted) + 1)
    )


def _has(said: frozenset[str], word: str) -> bool:
    if word in said:
        return True
    if word.isdigit():
        return any(word in {str(r) for r in s.readings} for w in said for s in COUNT.spans(w))
    stem = re.sub(r"(?:ies|es|s|ed|ing)$", "", word)
    return len(stem) > 3 and any(
        other.startswith(stem) and len(other) - len(stem) < 4 for other in said
    )


def _address_words(text: str) -> list[str]:
    found = (_SHORT_FORMS.get(word, word) for word in normalise_name(text).split())
    split = (re.sub(r"(?<=[a-z])(?:str|strasse|straße)$", " strasse", word) for word in found)
    return [part for word in split for part in word.split()]


def share_of_address(value: str, text: str) -> float:
    """Returns how much of an address a text tells: 1 if its street stands there, with its number if
    the text has any beside the street.
    """
    street = _address_words(re.split(r",|\n", value)[0]) or _address_words(value)
    said = _address_words(text)
    words = [word for word in street if not word[:1].isdigit()]
    numbers = [word for word in street if word[:1].isdigit()]
    for at in (at for at, word in enumerate(said) if words[:1] == [word]):
        near = said[max(0, at - 3) : at + len(words) + 3]
        if not set(words) <= set(near):
            continue
        beside = said[max(0, at - 1) : at] + said[at + len(words) : at + len(words) + 1]
        if set(numbers) <= set(near):
            return 1.0
        return 0.0 if any(one[:1].isdigit() for one in beside) else 0.95
    if not words and numbers:
        return float(all(number in said for number in numbers))
    heard = [word for word in words if word in said]
    return min(0.8, len(heard) / max(1, len(words))) if len(heard) > 1 else 0.0


WORDS = Kind("words", lambda text: (), shaped=False)
"""Choices and descriptions."""
NAME = Kind("name", lambda text: (), shaped=False)
"""Names of people and things: `Tim Burton`, `Rose House`."""
ADDRESS = Kind("address", lambda text: (), shaped=False)
YES_NO = Kind("yes/no", lambda text: (), shaped=False)

_YES = re.compile(
    r"\W*(?:(?:oh|well|good news|great question|hi|hello|let me see|i checked and)\W+)*(?:yes|yep"
    "|yeah|yup|sure(?: (?:does|do|is|thing))?|certainly|of course|absolutely|indeed"
    r"|(?:of )?course|definitely|correct|affirmative|it (?:does|is|has)\b(?! not|n)"
    r"|they do\b(?! not)|you can(?!not| not)|that['’]s right)\b",
    re.I,
)
_NO = re.compile(
    r"\W*(?:(?:oh|well|sorry|i['’]m (?:sorry|afraid)|unfortunately|sadly|hi|hello"
    r"|actually)\W+(?:but )?)*(?:no\b(?! (?:problem|worries|doubt|need))|nope|nah|negative"
    "|not (?:at all|really|available|included|currently)|it (?:does|is|has)(?: not|n['’]t)"
    r"|they (?:do|are)(?: not|n['’]t)|none\b|neither\b|(?:unfortunately|sadly|certainly"
    r"|definitely|afraid|of course) not\b)",
    re.I,
)
_TRUE = re.compile(r"\W*(?:yes|y|true|1|available|included|free|on|ok|allowed|✓|✔|✅)\W*", re.I)
_FALSE = re.compile(
    r"\W*(?:no|n|false|0|none|off|unavailable|not (?:available|included|allowed)|✗|✘|❌)\W*", re.I
)


def truth(value: str) -> bool | None:
    """Returns what a yes-or-no value says; None if it is none."""
    if _TRUE.fullmatch(value):
        return True
    return False if _FALSE.fullmatch(value) else None


_OPPOSITE = re.compile(r"\b(?:un|non-?)(\w{4,})", re.I)
"""What a word says no to by its first letters: `unfurnished`."""
_CONTRAST = re.compile(
    r";|,? but (?=no\b|not\b|without\b|the\b)|,\s+(?=not? \w)|(?<=\w yes),|(?<=\w no),"
    r"|,? and (?=no\b)",
    re.I,
)
"""Between what is so and what is not: "wifi yes, parking no"."""


def polarity(sentences: Sequence[str], named: re.Pattern[str], *, asked: bool) -> bool | None:
    """Says whether sentences say yes or no to what is named; None if they say neither.

    `asked`: the user has just asked for it, so that "Yes." answers.
    """
    if any(named.match(word) for s in sentences for word in _OPPOSITE.findall(s)):
        return False
    for sentence in [part for each in sentences for part in _CONTRAST.split(each)]:
        match = named.search(sentence)
        if match is None:
            continue
        label = re.match(r"\W{0,4}(\w[\w ]{0,20}|[✓✔✅✗✘❌])", sentence[match.end() :])
        told = (
            truth(label[1])
            if label and re.match(r"[\s\"']*[:=|\-–—]", sentence[match.end() :])
            else None
        )
        if told is not None:
            return told
        return not _denies(sentence)
    for sentence in sentences if asked else ():
        if _NO.match(sentence):
            return False
        if _YES.match(sentence):
            return True
    return None


def _denies(sentence: str) -> bool:
    text = re.sub(
        r"\bno (?:extra|additional|problem|worries|charge|cost|fee|doubt)\b",
        " ",
        sentence,
        flags=re.I,
    )
    return bool(NEGATED.search(text) or LACKS.search(text))


_PROPER = re.compile(
    r"(?<![^\W_])[A-Z][\w'’-]+(?: (?:(?:de|van|von|la|bin|al|of|the) )*[A-Z][\w'’-]+)*"
)


def proper_names(text: str) -> list[str]:
    """What may be names in a text: words in capitals, without those that open a sentence."""
    found = []
    for match in _PROPER.finditer(text):
        opens = re.search(r"(?:^|[.!?\n])\W*$", text[: match.start()]) is not None
        if " " in match[0] or not opens or match[0] == text.strip(" .!"):
            found.append(match[0])
    return found


def address_spans(text: str) -> list[Span]:
    """Returns where a number and a street stand in a text."""
    return [Span(*match.span(), (match[0].lower(),)) for match in _STREET.finditer(text)]


_STREET = re.compile(
    r"\b\d{1,5}[A-Za-z]?(?:[-/]\d+)?,? (?:[A-Z][\w'’.]+ ){1,3}(?:St(?:reet)?|R(?:oa)?d"
    "|Ave(?:nue)?|L(?:a)?ne?|Dr(?:ive)?|Blvd|Boulevard|Way|Place|Pl|Court|Ct|Square|Sq|Hill"
    r"|Gardens?|Terrace|Row|Close|Marg|Nagar)\b|\b[A-ZÄÖÜ][\w]+(?:stra(?:ß|ss)e|str\.|weg|platz"
    r"|allee|gasse) \d{1,4}[a-z]?\b|\b\d{1,4}(?: ?bis)?,? (?:rue|avenue|boulevard|place|quai|via"
    r"|calle) [\w' ]{3,40}",
)
