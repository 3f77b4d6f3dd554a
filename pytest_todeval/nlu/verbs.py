"""The words of verbs: what a user says to have it done, and what a desk says of it.

Booking is the deed that the ear knows best. What a desk says of another deed is heard by putting
the words of booking for those of the deed: "I can't cancel it" like "I can't book it".
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from pytest_todeval.core.documents import read_document
from pytest_todeval.core.steps import VERBS, Verb

SHEET = Path(__file__).parent / "en" / "verbs.yaml"
MOST_WORDS = 6
"""Words that stand for a {thing} in an example, at most."""
_OTHER = {"book": "note", "books": "notes", "booked": "noted", "booking": "note",
          "bookings": "notes", "reservation": "note", "reservations": "notes",
          "bought": "had", "purchased": "had", "ordered": "had", "reserved": "had"}  # fmt: skip
"""What the words of booking become while another deed is listened for."""
_OTHER_WORDS = re.compile(
    rf"(?<!fully )(?<!all )(?<!already )\b(?:{'|'.join(_OTHER)})\b(?! (?:up|out|solid))", re.I
)
_DETERMINED = re.compile(
    r"\b(?:an?|the|your|my|our|this|that|any|of|for|no|full|partial)\s+$", re.I
)
_DOUBLED = re.compile(r"(?:[^aeiou]|^)[aeiou][bdgmnpt]$")
_SHORT = 5
"""Letters of a verb whose last consonant may be doubled: `log`, `swap`, `drop`."""


@lru_cache(maxsize=1)
def _sheet() -> Mapping[str, Any]:
    sheet: Mapping[str, Any] = read_document(SHEET).value
    return sheet


_OWN_KINDS = frozenset({"book", "order", "confirm", "ask", "change", "cancel"})
"""Verbs that are no domain's own: their words are heard of any booking."""


@lru_cache(maxsize=256)
def verbs_named(words: frozenset[str]) -> tuple[Verb, ...]:
    """The verbs that some words name: `transfer`, `payment`, `block`; none that book or change."""
    names = (name for name in VERBS if name in _sheet() and name not in _OWN_KINDS)
    return tuple(VERBS[name] for name in names if words & {*_forms(name)[0], name})


def words_for(verb: Verb, *, to_when: bool = False) -> Sequence[str]:
    """Returns what a user calls it, as it stands before its object: `cancel`, `sign up for`.

    `to_when`: it is to another day or time, which may be called `move`.
    """
    sheet = _sheet().get(verb.name, {})
    said: Sequence[str] = sheet.get("say", (verb.name.replace("_", " "),))
    return sheet.get("say_when", said) if to_when else said


def as_booking(text: str, verb: Verb) -> str:
    """Returns a desk's text with the words of booking in place of those of a deed.

    What it says of booking itself means something else meanwhile, unless it is the deed.
    """
    done = _done(verb)
    if verb.name in ("book", "order"):
        return done.sub(" It is booked. ", text)
    text = _OTHER_WORDS.sub(lambda match: _OTHER[match[0].lower()], text)
    text = done.sub(" It is booked. ", text)
    forms, pattern = _forms(verb.name)

    def booked(match: re.Match[str]) -> str:
        word = " ".join((match["two"] or match[0]).lower().split())
        if match["between"]:
            word = " ".join((match["two"], match["off"])).lower()
        is_noun = word in _nouns(verb.name) and _DETERMINED.search(text[: match.start()])
        said = "booking" if is_noun else forms.get(word, "booked")
        return f"{said}{match['between'] or ''}"

    return pattern.sub(booked, text)


def speaks_of(text: str, verb: Verb) -> bool:
    """Says whether a text has a word of the deed, or says in other words that it is done."""
    return any(found.search(text) for found in (_forms(verb.name)[1], _done(verb)))


def asks_for(text: str, verb: Verb) -> bool:
    """Whether a user's text has a word of the deed, or what the goal file says that it says."""
    asked = verb.asked and _examples(verb.asked).search(text)
    return bool(asked) or speaks_of(text, verb)


def _done(verb: Verb) -> re.Pattern[str]:
    return _examples((*verb.done, *_sheet().get(verb.name, {}).get("done", ())))


@lru_cache(maxsize=64)
def _nouns(name: str) -> frozenset[str]:
    return frozenset(_sheet().get(name, {}).get("nouns", ()))


@lru_cache(maxsize=64)
def _forms(name: str) -> tuple[Mapping[str, str], re.Pattern[str]]:
    """Form of a word -> that of `book`; and what finds the forms."""
    words = _sheet().get(name, {"verbs": [" ".join(re.findall(r"[^\W_]+", name.lower()))]})
    irregular: Mapping[str, Sequence[str]] = words.get("irregular", {})
    forms: dict[str, str] = {}
    for noun in words.get("nouns", ()):
        forms |= {noun: "booking", _plural(noun): "bookings"}
    for verb in filter(None, words["verbs"]):
        forms |= dict(_inflected(verb))
        forms |= dict.fromkeys(irregular.get(verb, ()), "booked")
    running = {key: said for key, said in irregular.items() if key.endswith("ing")}
    forms |= {form: "booking" for key, said in running.items() for form in (key, *said)}
    parted = sorted({word.split()[0] for word in forms if " " in word}, key=len, reverse=True)
    off = sorted({word.split()[1] for word in forms if " " in word})
    whole = "|".join(map(re.escape, sorted(forms, key=len, reverse=True))) or r"(?!)"
    two = "|".join(map(re.escape, parted)) or r"(?!)"
    apart = "|".join(map(re.escape, off)) or r"(?!)"
    pattern = (
        rf"\b(?:(?P<two>{two})(?P<between>(?: (?!and |to )[\w'#-]+){{1,5}}?) (?P<off>{apart})"
        rf"|{whole})\b"
    )
    return forms, re.compile(pattern, re.I)


def _inflected(verb: str) -> Iterator[tuple[str, str]]:
    """Returns the regular forms of a verb, each with that of `book`."""
    first, _, rest = verb.partition(" ")
    behind = f" {rest}" if rest else ""
    stem = first[:-1] if first.endswith("e") else first
    if len(first) <= _SHORT and _DOUBLED.search(first):
        stem = first + first[-1]
    past = f"{first[:-1]}ied" if re.search(r"[^aeiou]y$", first) else f"{stem}ed"
    yield f"{first}{behind}", "book"
    yield f"{_plural(first)}{behind}", "books"
    yield f"{past}{behind}", "booked"
    yield f"{stem}ing{behind}", "booking"


def _plural(word: str) -> str:
    if re.search(r"[^aeiou]y$", word):
        return f"{word[:-1]}ies"
    return f"{word}es" if re.search(r"(?:s|x|ch|sh|z)$", word) else f"{word}s"


@lru_cache(maxsize=64)
def _examples(examples: tuple[str, ...]) -> re.Pattern[str]:
    """Finds what the goal file says a desk says; {thing} and the like stand for a few words."""
    few = rf"\S+(?: \S+){{0,{MOST_WORDS - 1}}}?"
    found = []
    for example in examples:
        pieces = re.split(r"\{\w+\}", example.strip().rstrip(".!"))
        said = [r"\s+".join(map(re.escape, piece.split())) for piece in pieces]
        found.append(r"\s*".join([*_with(few, said)]))
    return re.compile(rf"(?<!\w)(?:{'|'.join(found)})(?!\w)[.!]?" if found else r"(?!)", re.I)


def _with(few: str, pieces: Sequence[str]) -> Iterator[str]:
    for place, piece in enumerate(pieces):
        if place:
            yield few
        if piece:
            yield piece
