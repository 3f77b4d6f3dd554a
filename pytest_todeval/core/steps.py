"""What a goal wants done, step by step, and what each step does to the records of a backend."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

Records = Mapping[str, tuple[Mapping[str, Any], ...]]
"""Kind of record (`appointment`, `card`) -> the records of this kind that stand."""


class Effect(StrEnum):
    """What a verb does to the records."""

    ADDS = "adds"
    """A record of this kind with the values wanted stands that did not stand before."""
    CHANGES = "changes"
    """The record stands with the new values, and is otherwise as it was."""
    REMOVES = "removes"
    """The record no longer stands, or has one of the verb's states."""
    SETS = "sets"
    """The record has one of the verb's states, or the values that the verb's `sets` names."""
    MOVES = "moves"
    """An amount goes from one record to another."""
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb and its effect; one of one's own also says how people say it."""

    name: str
    effect: Effect = Effect.NONE
    states: tuple[str, ...] = ()
    """What a field of the record (`status`, `state`) says once it is done; a field of this name
    that is true (`blocked: true`) says the same."""
    sets: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Which fields get which values, if the goal file says so."""
    asked: tuple[str, ...] = ()
    """How the user asks for it, by example: "freeze {thing}"."""
    done: tuple[str, ...] = ()
    """How a desk says that it is done, by example: "your card is on ice"."""


def _verbs(*verbs: Verb) -> Mapping[str, Verb]:
    return {verb.name: verb for verb in verbs}


VERBS: Mapping[str, Verb] = _verbs(
    Verb("book", Effect.ADDS),
    Verb("order", Effect.ADDS),
    Verb("report", Effect.ADDS),
    Verb("change", Effect.CHANGES),
    Verb("exchange", Effect.CHANGES, ("exchanged", "exchange requested")),
    Verb("cancel", Effect.REMOVES, ("cancelled", "canceled", "void")),
    Verb("return", Effect.SETS, ("returned", "return requested")),
    Verb("refund", Effect.SETS, ("refunded", "refund requested")),
    Verb("pay", Effect.SETS, ("paid", "settled")),
    Verb("transfer", Effect.MOVES),
    Verb("block", Effect.SETS, ("blocked", "locked", "frozen")),
    Verb("unblock", Effect.SETS, ("unblocked", "active", "unlocked", "open")),
    Verb("activate", Effect.SETS, ("active", "activated")),
    Verb("subscribe", Effect.ADDS, ("active", "subscribed")),
    Verb("unsubscribe", Effect.REMOVES, ("cancelled", "canceled", "unsubscribed", "inactive")),
    Verb("confirm", Effect.SETS, ("confirmed",)),
    Verb("ask", Effect.NONE),
)
"""The verbs that need no words of one's own."""

_RELATIONS: Mapping[str, str] = {
    "<=": "at most|up to|no more than",
    ">=": "at least|no less than",
    ">": "more than|over|above",
    "<": "less than|under|below",
    "!=": "not",
}
"""Relation -> the words for it, the usual ones first."""
_SAID = re.compile(
    "|".join(rf"(?P<r{at}>{words})\b" for at, words in enumerate(_RELATIONS.values())), re.I
)
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Condition:
    """What must hold of a value that the bot tells, for a step to be taken."""

    slot: str
    relation: str
    """`<=`, `>=`, `>`, `<`, `!=` or `=`."""
    value: str

    @classmethod
    def read(cls, slot: str, text: str) -> "Condition":
        """A condition in words: `at most 20`, `over 20`, `not sunday`; `yes` is equality."""
        text = text.strip()
        said = _SAID.match(text)
        rest = text[said.end() :].strip() if said else ""
        if said is None or not rest:
            return cls(slot, "=", text)
        return cls(slot, list(_RELATIONS)[int((said.lastgroup or "r0")[1:])], rest)

    def holds(self, value: str) -> bool | None:
        """Says whether it holds of a value; None if numbers are compared and one is missing."""
        got, bound = _figure(value), _figure(self.value)
        if self.relation in ("=", "!="):
            said, wanted = (" ".join(each.lower().split()) for each in (value, self.value))
            same = said == wanted or (None is not got == bound)
            return same is (self.relation == "=")
        if got is None or bound is None:
            return None
        return {"<=": got <= bound, ">=": got >= bound, ">": got > bound, "<": got < bound}[
            self.relation
        ]

    def __str__(self) -> str:
        words = _RELATIONS.get(self.relation, "").partition("|")[0]
        return " ".join(f"{self.slot} {words} {self.value}".split())


def _figure(text: str) -> float | None:
    found = _NUMBER.search(text)
    return float(found[0].replace(",", "")) if found else None


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that the user wants done, or wants to know."""

    verb: str
    kind: str
    """The kind of record that it is about, e.g. `appointment`."""
    target: Mapping[str, str] = field(default_factory=dict, hash=False)
    """What picks the record: its `id`, or other slots. Of what is to be added: its values."""
    to: Mapping[str, str] = field(default_factory=dict, hash=False)
    """The new values, for a verb that changes; where an amount goes, for one that moves it."""
    details: Mapping[str, str] = field(default_factory=dict, hash=False)
    """What else is to be said (`with:`): a reason, an amount, how to pay."""
    asks: tuple[str, ...] = ()
    """Slots whose value the user wants to be told (`for:`)."""
    alternatives: tuple["Step", ...] = ()
    """What to take, in this order, if it is refused (`or:`)."""
    condition: Condition | None = None
    """What must hold, or the step is left."""
    refusal: str | None = None
    """Why it is right that the bot refuses it, by its policy; None if it is to be done."""
    count: int | None = None
    """How many of the records that `target` picks it is about; None for the one, or all."""
    choose: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Slot -> `lowest` or `highest`: which to take of several, e.g. the cheapest."""
    own: Verb | None = None
    """The verb, if it is declared in the goal file."""

    @property
    def means(self) -> Verb:
        """Returns the verb with its effect; one that nobody declared has none."""
        return self.own or VERBS.get(self.verb) or Verb(self.verb)


@dataclass(frozen=True, slots=True)
class Expected:
    """What the records are to be in the end."""

    records: Mapping[str, Mapping[str, Mapping[str, str] | None]] = field(
        default_factory=dict, hash=False
    )
    """Kind -> id -> the fields that the record must have; None if it must not stand."""
    added: Mapping[str, tuple[Mapping[str, str], ...]] = field(default_factory=dict, hash=False)
    """Kind -> the fields of each record that must stand and did not before."""
    elsewhere_unchanged: bool = True
    """Whether all else must be as it was."""
