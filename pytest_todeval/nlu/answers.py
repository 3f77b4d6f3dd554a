"""What a reply tells of a slot: the value that is true, another one, or none.

The value that is known to be true is looked for in every usual form of its kind, whatever the
sentence around it. Only where nothing is known is it asked whether the reply has an answer at all.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pytest_todeval.nlu.kinds.codes import CODE, code_in, squeezed
from pytest_todeval.nlu.kinds.kind import Kind, Span
from pytest_todeval.nlu.kinds.numbers import COUNT
from pytest_todeval.nlu.kinds.times import TIME
from pytest_todeval.nlu.kinds.words import (
    ADDRESS,
    NAME,
    PARTLY,
    YES_NO,
    address_spans,
    polarity,
    proper_names,
    share_of_address,
    share_told,
    truth,
)
from pytest_todeval.nlu.sentences import content, denied, refuses, sentences, stated
from pytest_todeval.nlu.slots import Slot

SHORT = 5
"""Words of a reply that consists of an answer and nothing else."""
WHOLE = 0.9
"""Share of a value's words from which on it is told."""


BESIDE = 50
"""Characters between a slot's name and what stands beside it."""
SHORTEST_CODE = 2
"""Characters of a code that is told without the slot's name."""
LEAST_COVERED = 3
"""Letters of another slot's value that explain the sentence it stands in."""


class Told(StrEnum):
    """What a reply tells of a slot."""

    RIGHT = "right"
    """Its value; if that is not known: a value."""
    WRONG = "wrong"
    """Another value."""
    NOTHING = "nothing"
    """No value: it refuses, asks back, is empty, or holds nothing of the value's form."""
    UNCLEAR = "unclear"
    """Something that may or may not be the value."""


@dataclass(frozen=True)
class Answer:
    """What a reply tells of a slot, in which words."""

    told: Told
    said: str = ""


NOTHING = Answer(Told.NOTHING)


def answer(
    reply: str,
    slot: Slot,
    value: str | None = None,
    *,
    asked: bool = True,
    user: str = "",
    others: Iterable[str] = (),
    covered: Iterable[str] = (),
    rivals: Iterable[Slot] = (),
) -> Answer:
    """What a reply tells of a slot whose true value is `value`, None if nobody knows it.

    `asked`: the user has just asked for it, with the words `user`. `others` are values that the
    slot has elsewhere (other rows), `covered` are true values of other slots, and whatever else may
    rightly stand in the reply; `rivals` are the other slots that the user has just asked for.
    """
    reading = _Reading(reply, slot, asked, user, tuple(covered), tuple(rivals))
    if value is None:
        return reading.any_value()
    if slot.kind is YES_NO and truth(value) is not None:
        return reading.yes_or_no(truth(value) is True)
    right = reading.right(value)
    if right is not None:
        return right
    return reading.instead(value, tuple(others))


_POLAR = re.compile(
    r"(?:^|[.!?,;\n]\s*|\b(?:and|but|also|if|whether|know) )"
    r"(?:is|are|does|do|did|can|could|has|have|will|would|may) (?:it|there|they|that|this|the|i|we"
    r"|you|its|my|any)\b",
    re.I,
)
"""Starts of a question that yes or no answers."""


class _Reading:
    """A reply, read for one slot."""

    def __init__(
        self,
        reply: str,
        slot: Slot,
        asked: bool,
        user: str,
        covered: Sequence[str],
        rivals: Sequence[Slot],
    ) -> None:
        self.slot, self.asked, self.user = slot, asked, user
        self.covered, self.rivals = covered, rivals
        self.every = sentences(reply)
        self.text = "\n".join(part for s in self.every if (part := stated(s)))
        """What the reply states, without its questions."""
        self.short = len(self.text.split()) <= SHORT

    @property
    def kind(self) -> Kind:
        return self.slot.kind

    def right(self, value: str) -> Answer | None:
        """The answer that tells the true value; None if the reply does not tell it."""
        if self.kind.shaped:
            spans = self._true_spans(value)
            said = next((s for s in spans or () if self._meant(s)), None)
            if said is not None:
                return Answer(Told.RIGHT, self.text[said.start : said.end])
            if spans is not None:
                return None
        share = share_of_address if self.kind is ADDRESS else share_told
        told = max((share(value, text) for text in (self.text, *self.text.split("\n"))), default=0)
        return Answer(Told.RIGHT, value) if told >= WHOLE and not self._denies(value) else None

    def _denies(self, value: str) -> bool:
        at = self.text.lower().find(value.lower())
        return at >= 0 and denied(self.text, at)

    def _true_spans(self, value: str) -> Sequence[Span] | None:
        if self.kind is CODE:
            found = code_in(value, self.text)
            return [found] if found else []
        return self.kind.told(value, self.text)

    def _meant(self, span: Span) -> bool:
        """Whether a span that may be the value is meant as such."""
        if denied(self.text, span.start):
            return False
        known = span.sure and self.kind is not COUNT
        return known or self.asked or self._named_at(span) is not None

    def _named_at(self, span: Span, *, own: bool = False) -> int | None:
        """How far from the slot's name a span stands, within its line; None if none is there."""
        start = self.text.rfind("\n", 0, span.start) + 1
        end = self.text.find("\n", span.end)
        line = self.text[start : end if end >= 0 else None]
        form = self.slot.name_form if own else self.slot.named
        places = [match.start() + start for match in form.finditer(line)]
        return min((abs(place - span.start) for place in places), default=None)

    def yes_or_no(self, true: bool) -> Answer:
        """The answer to a question of yes or no."""
        said = polarity(self.text.split("\n"), self.slot.named, asked=self.asked)
        if said is None:
            told = self.asked and self._has_content()
            return Answer(Told.UNCLEAR, self.text) if told else NOTHING
        return Answer(Told.RIGHT if said is true else Told.WRONG, "yes" if said else "no")

    def instead(self, value: str, others: Sequence[str]) -> Answer:
        """What the reply tells where the true value was due."""
        if not self.asked:
            return NOTHING
        if self.kind.shaped and self.kind.spans(value):
            return self._other_of_kind(value)
        return self._other_words(value, others)

    def _other_of_kind(self, value: str) -> Answer:
        found = [span for span in self._candidates(value) if not self._is_covered(span)]
        if not found:
            return NOTHING
        said = min(found, key=lambda span: (not span.sure, self._far(span)))
        words = self.text[said.start : said.end]
        if said.sure or self.short or self._far(said) < BESIDE:
            return Answer(Told.WRONG, words)
        return Answer(Told.UNCLEAR, words)

    def _far(self, span: Span) -> int:
        far = self._named_at(span)
        return 10_000 if far is None else far

    def _candidates(self, value: str) -> list[Span]:
        """What may be told for the value: of its kind, and a code of a similar look."""
        spans = [span for span in self.kind.spans(self.text) if not denied(self.text, span.start)]
        if self.kind is not CODE:
            return [
                s
                for s in spans
                if s.sure or self.kind in (COUNT, TIME) or self.short or self._far(s) < BESIDE
            ]
        look = squeezed(value)
        return [span for span in spans if _alike(look, span.readings[0])]

    def _is_covered(self, span: Span) -> bool:
        for other in self.covered:
            parts = self.kind.spans(other)
            if any(self.kind.same(part, span) for part in parts):
                return True
        return False

    def _other_words(self, value: str, others: Sequence[str]) -> Answer:
        texts = self.text.split("\n")
        share = share_of_address if self.kind is ADDRESS else share_told
        for other in others:
            apart = other.lower() != value.lower() and share(value, other) < PARTLY
            if apart and any(share(other, text) >= WHOLE for text in texts):
                return Answer(Told.WRONG, other)
        if self.kind is ADDRESS and (streets := address_spans(self.text)):
            if any(share(value, text) >= PARTLY for text in texts):
                return Answer(Told.UNCLEAR, self.text)
            return Answer(Told.WRONG, self.text[streets[0].start : streets[0].end])
        if not self._has_content():
            return NOTHING
        if self.kind is NAME and share_told(value, self.text) < PARTLY:
            known = " ".join((*self.covered, self.user, self.slot.name))
            names = [n for n in proper_names(self.text) if share_told(n, known) < PARTLY]
            if len(names) == 1:
                return Answer(Told.WRONG, names[0])
        return Answer(Told.UNCLEAR, self.text.strip())

    def any_value(self) -> Answer:
        """Whether the reply tells any value of the slot."""
        if self.kind is YES_NO or (not self.kind.shaped and _POLAR.search(self.user)):
            sign = polarity(self.text.split("\n"), self.slot.named, asked=self.asked)
            if sign is not None or self.kind is YES_NO:
                return NOTHING if sign is None else Answer(Told.RIGHT, "yes" if sign else "no")
        if self.kind.shaped:
            codes = self.kind is CODE
            found = self._codes() if codes else self._candidates("")
            spans = [s for s in found if self.asked or self._named_at(s, own=True) is not None]
            spans = [span for span in spans if not self._is_covered(span)]
            if not spans:
                return NOTHING
            best = min(spans, key=lambda span: (not span.sure, self._far(span)))
            return Answer(Told.RIGHT, self.text[best.start : best.end])
        said = self._said()
        return Answer(Told.RIGHT, said) if said else NOTHING

    def _codes(self) -> list[Span]:
        spans = [s for s in CODE.spans(self.text) if s.sure or self.short or self._far(s) < BESIDE]
        return [s for s in spans if len(s.readings[0]) >= SHORTEST_CODE or self._far(s) < BESIDE]

    def _said(self) -> str:
        """The sentence that answers; empty if there is none."""
        return next((s.strip() for s in self._telling()), "")

    def _has_content(self) -> bool:
        """Whether a sentence says more than the user did, and neither asks nor refuses.

        What the user has not just asked for must be named.
        """
        return any(True for _ in self._telling())

    def _telling(self) -> Iterable[str]:
        known = self.slot.words | frozenset(word.lower() for word in content(self.user))
        for sentence in self.every:
            said = stated(sentence)
            if said and self._concerns(said) and not refuses(said) and content(said, known):
                yield said

    def _concerns(self, said: str) -> bool:
        """Whether a sentence may be about the slot: it names it, or answers and names no other."""
        if self.slot.name_form.search(said):
            return True
        if not self.asked or any(rival.named.search(said) for rival in self.rivals):
            return False
        return not any(len(v) >= LEAST_COVERED and share_told(v, said) == 1 for v in self.covered)


def _alike(look: str, other: str) -> bool:
    """Whether two codes look alike: letters where letters are due, and about as long."""
    if not look:
        return True
    letters, figures = any(map(str.isalpha, look)), any(map(str.isdigit, look))
    same = any(map(str.isdigit, other)) == figures or (letters and figures)
    if letters and not figures:
        return same and len(other) == len(look) and other.isalpha()
    return same and abs(len(other) - len(look)) <= 2 and any(map(str.isdigit, other))
