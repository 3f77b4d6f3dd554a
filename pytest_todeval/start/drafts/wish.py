"""A wish in a line becomes the entry of a goal file.

    book court: sport=tennis, day=friday, time=10:15
    change appointment: id=A17 -> day=wednesday
    I want to book a tennis court on Friday at 10:15 for 2 people

The first two say all. Of a sentence the verb, what it is about, and values of known kinds (days,
times, counts, amounts, phones, codes) are taken; what is left over is told.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_todeval.core.steps import VERBS
from pytest_todeval.errors import UsageError
from pytest_todeval.nlu.en import listed
from pytest_todeval.nlu.slots import KINDS
from pytest_todeval.nlu.verbs import words_for

EXAMPLE = "book court: sport=tennis, day=friday, time=10:15"
BOOKS = ("book", "order")
"""Verbs whose goals have a domain with what is to be booked; those of others have a step."""
_SYNONYMS = {
    "reserve": "book", "schedule": "book", "rent": "book", "hire": "book", "get": "book",
    "buy": "order", "purchase": "order", "move": "change", "reschedule": "change",
    "update": "change", "modify": "change", "swap": "exchange", "freeze": "block", "know": "ask",
    "find": "ask", "check": "ask", "see": "ask", "tell": "ask", "look": "ask",
}  # fmt: skip
_ENDS = frozenset(
    listed(
        "for on at in to from with by of near before after next this under and about please "
        "that which who"
    )
)
_SKIPPED = frozenset(listed("a an the my our some me i want would like need to us i'd please up"))
_KINDS = (
    ("email", "email"), ("phone", "phone"), ("day", "date"), ("time", "time"),
    ("people", "count"), ("amount", "amount"), ("id", "code"),
)  # fmt: skip
"""Slot -> the kind whose values a sentence gives it, in the order in which they are looked for."""
_FORM = re.compile(r"(?P<verb>[\w-]+)\s+(?P<kind>[\w -]+?)\s*(?::\s*(?P<values>.*))?", re.S)
_COUNTED = re.compile(r"\s+(?P<noun>[a-z]+s|people)\b")
_PERSONS = frozenset(listed("people persons guests adults passengers nights days tickets rooms of"))
_MONEY = re.compile(r"[£$€]|pound|dollar|euro", re.I)
_WORD = re.compile(r"[\w'-]+")


@dataclass(frozen=True)
class UserWish:
    """What somebody wants of a bot."""

    verb: str
    kind: str
    values: Mapping[str, str] = field(default_factory=dict)
    to: Mapping[str, str] = field(default_factory=dict)
    """New values, of a verb that changes."""
    asks: Sequence[str] = ()
    left: str = ""
    """Words of the sentence that came to nothing."""

    @property
    def id(self) -> str:
        """Returns what its goal is called."""
        said = [self.verb, self.kind, *self.values.values(), *self.to.values()]
        return re.sub(r"[^a-z0-9]+", "-", " ".join(said).lower()).strip("-")[:60].strip("-")

    @property
    def line(self) -> str:
        """Returns the line that says it."""
        said = [f"{name}={value}" for name, value in self.values.items()] + [*self.asks]
        to = ", ".join(f"{name}={value}" for name, value in self.to.items())
        return f"{self.verb} {self.kind}: {', '.join(said)}{f' -> {to}' if to else ''}"

    def entry(self, message: str = "") -> dict[str, Any]:
        """Returns the entry of a goal file."""
        found: dict[str, Any] = {"id": self.id}
        if message:
            found["message"] = message
        if self.verb in BOOKS:
            part: dict[str, Any] = {"book": {**self.values, **self.to}}
            if not part["book"]:
                part = {"wants_booking": True}
            return {**found, "domains": {self.kind: part}}
        step: dict[str, Any] = {self.kind: dict(self.values)}
        if self.to:
            step["to"] = dict(self.to)
        if self.asks:
            step["for"] = [*self.asks]
        return {**found, "steps": [{self.verb: step}]}


def read_wish(text: str) -> UserWish:
    """The wish that a line says. Raises UsageError if it names no deed, with a line that does."""
    text = " ".join(text.split())
    form = _FORM.fullmatch(text)
    if form is not None and form["values"] is not None and _verb(form["verb"]):
        return _formal(form)
    values, left = _values(text)
    words = [match[0].lower() for match in _WORD.finditer(left)]
    at = next((i for i, word in enumerate(words) if word not in _SKIPPED and _verb(word)), None)
    if at is None:
        known = ", ".join(VERBS)
        raise UsageError(f"{text!r:.200} names no deed ({known}); write it like `{EXAMPLE}`")
    verb = str(_verb(words[at]))
    kind = list(_thing(words[at + 1 :]))
    if not kind:
        raise UsageError(f"{text!r:.200}: {verb} what? Write it like `{EXAMPLE}`")
    rest = [word for word in words[at + 1 :] if word not in {*kind} | _SKIPPED | _ENDS]
    if verb == "ask":
        asked, about = (kind[-1], rest[-1]) if rest else (kind[-1], " ".join(kind[:-1]) or "answer")
        return UserWish(verb, about, values, asks=(asked,), left=" ".join(rest[:-1]))
    # "a tennis court": the last word says what it is, those before which.
    if len(kind) > 1:
        values = {"type": " ".join(kind[:-1]), **values}
    return _as(verb, kind[-1], values, " ".join(rest))


def _formal(form: re.Match[str]) -> UserWish:
    before, _, after = (form["values"] or "").partition("->")
    asks, values = _pairs(before)
    more, to = _pairs(after)
    verb, kind = str(_verb(form["verb"])), form["kind"].strip().replace(" ", "_")
    return UserWish(verb, kind, values, to, (*asks, *more))


def _pairs(text: str) -> tuple[list[str], dict[str, str]]:
    """`day=friday, price?`: names alone are what is asked for."""
    asks, values = [], {}
    for piece in filter(None, (each.strip() for each in text.split(","))):
        name, equals, value = (part.strip() for part in piece.partition("="))
        if equals and name and value:
            values[name] = value
        elif not equals:
            asks.append(name.rstrip("?"))
        else:
            raise UsageError(f"{piece!r:.100}: expected `slot=value`, as in `{EXAMPLE}`")
    return asks, values


def _verb(word: str) -> str | None:
    word = word.lower()
    if word in VERBS:
        return word
    return _SYNONYMS.get(word) or next(
        (name for name in VERBS if word in words_for(VERBS[name])), None
    )


def _thing(words: Sequence[str]) -> Iterator[str]:
    """Returns the words up to the next preposition, without articles and figures."""
    started = False
    for word in words:
        if word in _ENDS or word[:1].isdigit():
            if started:
                return
            continue
        if word not in _SKIPPED:
            started = True
            yield word


def _values(text: str) -> tuple[dict[str, str], str]:
    """Values of the kinds that a sentence shows, and the sentence without them."""
    found: dict[str, str] = {}
    for name, kind in _KINDS:
        for span in KINDS[kind].spans(text):
            said, slot, end = text[span.start : span.end], name, span.end
            if not _is_plain(name, said, span.sure):
                continue
            if name == "people":
                noun = _COUNTED.match(text, end)
                if noun is None or noun["noun"] not in _PERSONS:
                    continue
                end = noun.end()
            found[slot] = said
            text = f"{text[: span.start]} {text[end:]}"
            break
    return found, text


def _is_plain(slot: str, said: str, sure: bool) -> bool:
    """Says whether a value says by its own form what it is."""
    if slot == "id":
        return any(each.isdigit() for each in said) and any(each.isalpha() for each in said)
    return bool(_MONEY.search(said)) if slot == "amount" else sure or slot == "people"


def _as(verb: str, kind: str, values: dict[str, str], left: str) -> UserWish:
    to: dict[str, str] = {}
    if verb in ("change", "exchange"):
        to = {slot: value for slot, value in values.items() if slot not in ("id", "type")}
        values = {slot: value for slot, value in values.items() if slot not in to}
    return UserWish(verb, kind, values, to, left=left)
