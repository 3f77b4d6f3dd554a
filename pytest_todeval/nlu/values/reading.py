"""A reply, read for one slot: what it states, and which values in it may be meant."""

import re
from collections.abc import Iterable, Sequence

from pytest_todeval.nlu.kinds.codes import CODE, code_in, squeezed
from pytest_todeval.nlu.kinds.kind import Kind, Span
from pytest_todeval.nlu.kinds.numbers import COUNT
from pytest_todeval.nlu.kinds.times import TIME
from pytest_todeval.nlu.kinds.words import NAME, PARTLY, proper_names, share_told
from pytest_todeval.nlu.slots import Slot
from pytest_todeval.nlu.text.sentences import (
    asks_back,
    content,
    denied,
    puts_off,
    refuses,
    sentences,
    stated,
)

SHORT = 5
"""Words of a reply that consists of an answer and nothing else."""
WHOLE = 0.9
"""Share of a value's words from which on it is told."""
BESIDE = 50
"""Characters between a slot's name and what stands beside it."""
NEXT = 3
"""Characters between a slot's name, "is" and the value that it has."""
SHORTEST_CODE = 2
"""Characters of a code that is told without the slot's name."""
LEAST_COVERED = 3
"""Letters of another slot's value that explain the sentence it stands in."""
_CLAUSE = re.compile(
    r"[;\n]+|[.!?,]\s|\s[-\u2013\u2014]\s|\b(?:and|but|so|while|whereas|plus)\b", re.I
)
_PAST = re.compile(
    r"\b(?:used to|until|till|up to now|formerly|previously|no longer|instead of|rather than"
    r"|cancelled|expired|on (?:holiday|leave)|off sick|not any ?more|replaced|changed from|old)\b",
    re.I,
)
"""Says of a value that it is none any more."""
_NOW = re.compile(r"\b(?:now|since then|new|instead|currently|these days)\b", re.I)


class SlotReading:
    """A reply, read for one slot."""

    def __init__(
        self,
        reply: str,
        slot: Slot,
        asked: bool,
        user: str,
        covered: Sequence[str],
        rivals: Sequence[Slot],
        about: Sequence[str] = (),
    ) -> None:
        self.slot, self.asked, self.user, self.about = slot, asked, user, about
        self.covered, self.rivals = covered, rivals
        self.every = sentences(reply)
        self.text = "\n".join(part for s in self.every if (part := stated(s)))
        """What the reply states, without its questions."""
        self.short = len(self.text.split()) <= SHORT

    @property
    def kind(self) -> Kind:
        return self.slot.kind

    def _all_candidates(self, value: str) -> list[Span]:
        if self.kind is NAME:
            at = ((self.text.find(name), name) for name in proper_names(self.text))
            return [Span(start, start + len(name), (name,)) for start, name in at if start >= 0]
        if not self.kind.shaped:
            return []
        found = self._candidates(value)
        return found if self.kind is not CODE else [s for s in found if s.sure]

    def words(self, span: Span) -> str:
        """Returns what stands in a span."""
        return self.text[span.start : span.end]

    def _weight(self, span: Span) -> int:
        """Returns how much says that a value is the one asked for: its clause names slot and item,
        and does not say that it is past.
        """
        ends = [m.end() for m in _CLAUSE.finditer(self.text, 0, span.start)]
        next_end = _CLAUSE.search(self.text, span.end)
        start, end = ends[-1] if ends else 0, next_end.start() if next_end else None
        clause = self.text[start:end]
        label = any(re.search(rf"\b(?:{form})", clause, re.I) for form in self.slot.labels[:2])
        item = any(share_told(each, clause) >= WHOLE for each in self.about)
        past = _PAST.search(clause) is not None or denied(self.text, span.start)
        return 2 * label + item + (_NOW.search(clause) is not None) - 3 * past

    def _denies(self, line: str, value: str) -> bool:
        """Says whether a line has a value, and does not say that it is so."""
        first = value.split()[0].lower() if value.split() else ""
        at = line.lower().find(first)
        return at >= 0 and denied(line, at)

    def _first_value(self, rest: str) -> str:
        """Returns the value that a text begins with; empty if it begins with none."""
        if self.kind is NAME:
            names = [name for name in proper_names(f"is {rest}")[:1] if rest.startswith(name)]
            return names[0] if names else ""
        spans = [s for s in self.kind.spans(rest) if s.start <= NEXT] if self.kind.shaped else []
        spans = [s for s in spans if not self._is_covered(s) and (self.kind is not CODE or s.sure)]
        return rest[spans[0].start : spans[0].end] if spans else ""

    def _is_same(self, value: str, said: str) -> bool:
        if self.kind is NAME:
            return share_told(value, said) >= PARTLY or share_told(said, value) >= PARTLY
        if self.kind is CODE:
            return squeezed(value).startswith(squeezed(said)) or code_in(value, said) is not None
        return bool(self.kind.told(value, said)) or not self.kind.spans(value)

    def _true_spans(self, value: str) -> Sequence[Span] | None:
        if self.kind is CODE:
            found = code_in(value, self.text)
            return [found] if found else []
        return self.kind.told(value, self.text)

    def _meant(self, span: Span) -> bool:
        """Says whether a span that may be the value is meant as such."""
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

    def _lines(self) -> list[str]:
        """Returns what the reply states, without promises and restatements."""
        return [line for line in self.text.split("\n") if not puts_off(line)]

    def _far(self, span: Span) -> int:
        far = self._named_at(span)
        return 10_000 if far is None else far

    def _candidates(self, value: str) -> list[Span]:
        """Returns what may be told for the value: of its kind, and a code of a similar look."""
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
        if self.kind is NAME:
            known = " ".join((*self.covered, *self.about, self.user, self.slot.name))
            return share_told(self.words(span), known) >= PARTLY
        for other in self.covered:
            parts = self.kind.spans(other)
            if any(self.kind.same(part, span) for part in parts):
                return True
        return False

    def _tells(self, value: str) -> bool:
        if self.kind is CODE:
            return code_in(value, self.text) is not None
        return bool(self.kind.told(value, self.text))

    def _may_be_due(self, line: str, span: Span) -> bool:
        """Says whether a value in a line of a text is one that the reply may have to tell."""
        return span.sure or self.kind in (COUNT, TIME) or len(line.split()) <= SHORT

    def _codes(self) -> list[Span]:
        spans = [s for s in CODE.spans(self.text) if s.sure or self.short or self._far(s) < BESIDE]
        return [s for s in spans if len(s.readings[0]) >= SHORTEST_CODE or self._far(s) < BESIDE]

    def said(self) -> str:
        """Returns the sentence that answers; empty if there is none."""
        return next((s.strip() for s in self._telling()), "")

    def _has_content(self) -> bool:
        """Says whether a sentence says more than the user did, and neither asks nor refuses.

        What the user has not just asked for must be named.
        """
        return any(True for _ in self._telling())

    def _telling(self) -> Iterable[str]:
        known = self.slot.words | frozenset(word.lower() for word in content(self.user))
        if not any(map(self.slot.named.search, self.every)) and asks_back(self.every):
            return
        for sentence in self.every:
            said = "" if puts_off(sentence) else stated(sentence)
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
    """Says whether two codes look alike: letters where letters are due, and about as long."""
    if not look:
        return True
    letters, figures = any(map(str.isalpha, look)), any(map(str.isdigit, look))
    same = any(map(str.isdigit, other)) == figures or (letters and figures)
    if letters and not figures:
        return same and len(other) == len(look) and other.isalpha()
    return same and abs(len(other) - len(look)) <= 2 and any(map(str.isdigit, other))
