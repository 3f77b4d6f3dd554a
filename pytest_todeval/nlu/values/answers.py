"""What a reply tells of a slot: the value that is true, another one, or none.

The value that is known to be true is looked for in every usual form of its kind, whatever the
sentence around it. Only where nothing is known is it asked whether the reply has an answer at all.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pytest_todeval.nlu.kinds.amounts import AMOUNT
from pytest_todeval.nlu.kinds.codes import CODE, EMAIL, POSTCODE, URL, code_in, squeezed
from pytest_todeval.nlu.kinds.dates import DATE
from pytest_todeval.nlu.kinds.measures import QUANTITY
from pytest_todeval.nlu.kinds.numbers import COUNT
from pytest_todeval.nlu.kinds.phones import PHONE
from pytest_todeval.nlu.kinds.times import TIME
from pytest_todeval.nlu.kinds.words import (
    ADDRESS,
    NAME,
    PARTLY,
    WORDS,
    YES_NO,
    address_spans,
    polarity,
    proper_names,
    share_of_address,
    share_told,
    truth,
)
from pytest_todeval.nlu.slots import Slot
from pytest_todeval.nlu.text.sentences import content, denied
from pytest_todeval.nlu.values.reading import BESIDE, LEAST_COVERED, WHOLE, SlotReading

STRICT = (PHONE, EMAIL, POSTCODE, URL)
"""Kinds whose values nobody says in other words."""
FEW = 2
"""Words of an answer that is a choice and nothing else."""


class AnswerStatus(StrEnum):
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
class SlotAnswer:
    """What a reply tells of a slot, in which words."""

    told: AnswerStatus
    said: str = ""


NOTHING = SlotAnswer(AnswerStatus.NOTHING)


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
    about: Iterable[str] = (),
) -> SlotAnswer:
    """Returns what a reply tells of a slot whose true value is `value`, None if nobody knows it.

    `asked`: the user has just asked for it, with the words `user`. `others` are values that the
    slot has elsewhere (other rows), `covered` are true values of other slots, and whatever else may
    rightly stand in the reply; `rivals` are the other slots that the user has just asked for,
    `about` is what says whose slot it is.
    """
    reading = _Reading(reply, slot, asked, user, tuple(covered), tuple(rivals), tuple(about))
    if value is None:
        return reading.any_value()
    if slot.kind is YES_NO and truth(value) is not None:
        return reading.yes_or_no(truth(value) is True)
    right = reading.right(value)
    if right is not None:
        return right
    return reading.instead(value, tuple(others))


_POLAR = re.compile(
    r"(?:^|[.!?,;\n]\s*|\b(?:and|but|also|if|whether|know) )(?:is|are|does|do|did|can|could|has"
    r"|have|will|would|may) (?:it|there|they|that|this|the|its|my|any)\b",
    re.I,
)
"""Starts of a question that yes or no answers."""


_IS = re.compile(
    r"(?:['’]s|\s+(?:\w+\s+){0,2}?(?:is|are|was|will be|would be|comes to)|\s*[:=\u2013-])\s*"
    r"(?:now |currently |the |an? |at |on |in )*",
    re.I,
)
"""What stands between a slot's name and its value."""
_INSTEAD = re.compile(
    r"\b(?:now|reduced|down|instead|but|only|today|for you|yours|changed|moved|plus|or)\b"
    r"|[\u2192>(]",
    re.I,
)


CLEARLY = 2
"""How much more has to speak for a value than for another."""
NEVER = 10
"""More than can speak for a value."""


def answer_by_texts(
    reply: str,
    slot: Slot,
    lines: Sequence[str],
    *,
    user: str = "",
    rivals: Iterable[Slot] = (),
) -> SlotAnswer:
    """Returns what a reply tells of a slot whose true value stands somewhere in these parts of
    texts: in those that name the slot, if any of these has a value.
    """
    reading = _Reading(reply, slot, True, user, (), tuple(rivals))
    said = reading.any_value()
    if said.told is AnswerStatus.NOTHING or not lines:
        return said
    labelled = [line for line in lines if slot.name_form.search(line)]
    if said.said in ("yes", "no"):
        true = polarity(labelled, slot.named, asked=False)
        same = true is None or true is (said.said == "yes")
        return said if same else SlotAnswer(AnswerStatus.WRONG, said.said)
    if slot.kind.shaped:
        return reading.by_form(said, labelled, lines)
    if slot.kind is ADDRESS and (streets := address_spans(reading.text)):
        return reading.by_street([reading.words(street) for street in streets], said, lines)
    behind = [line[label.end() :] for line in labelled for label in [_label(slot, line)] if label]
    values = [re.split(r"[,;.|]", rest)[0] for rest in behind]
    return reading.by_words(said, "\n".join(values or lines))


def has_answer(reply: str, slot: Slot, *, user: str = "", rivals: Iterable[Slot] = ()) -> str:
    """Returns what a person who has just asked for a slot takes for the answer, in whatever form:
    the first sentence with content; empty if the reply refuses, asks back or is empty.
    """
    if slot.kind in STRICT:
        return ""
    said = _Reading(reply, slot, True, user, (), tuple(rivals)).said()
    return said if sum(map(len, content(said))) >= LEAST_COVERED else ""


def _label(slot: Slot, line: str) -> re.Match[str] | None:
    """Where a slot's name with "is" or a colon ends in a line; None if it does not stand there."""
    found = (_IS.match(line, match.end()) for match in slot.name_form.finditer(line))
    return next((match for match in found if match), None)


class _Reading(SlotReading):
    """A reply, held against what is known of the slot."""

    def right(self, value: str) -> SlotAnswer | None:
        """Returns the answer that tells the true value; None if the reply does not tell it."""
        said = self._told_of_kind(value) if self.kind.shaped else None
        if said is None:
            share = share_of_address if self.kind is ADDRESS else share_told
            lines = [line for line in self.text.split("\n") if not self._denies(line, value)]
            told = max((share(value, line) for line in lines), default=0)
            said = value if told >= WHOLE else ""
        if not said:
            return None
        if other := self._labelled_otherwise(value):
            return SlotAnswer(AnswerStatus.WRONG, other)
        return self._meant_instead(value) or SlotAnswer(AnswerStatus.RIGHT, said)

    def _meant_instead(self, value: str) -> SlotAnswer | None:
        """Another value that the reply gives for this slot, though the true one stands elsewhere:
        its clause names the slot or the item, or says that it is so now, and that of the true one
        does not.
        """
        spans = self._all_candidates(value)
        mine = [span for span in spans if self._is_same(value, self.words(span))]
        others = [s for s in spans if s not in mine]
        labelled = CLEARLY if self.kind.shaped else NEVER
        others = [s for s in others if not self._is_covered(s) or self._weight(s) >= labelled]
        if not mine or not others:
            return None
        other = max(others, key=self._weight)
        more = self._weight(other) - max(map(self._weight, mine))
        if more <= 0:
            return None
        return SlotAnswer(
            AnswerStatus.WRONG if more >= CLEARLY else AnswerStatus.UNCLEAR, self.words(other)
        )

    def _told_of_kind(self, value: str) -> str | None:
        """Returns the words that tell the true value by its form; None if it has no such form."""
        spans = self._true_spans(value)
        if spans is None:
            return None
        return next((self.text[s.start : s.end] for s in spans if self._meant(s)), "")

    def _labelled_otherwise(self, value: str) -> str:
        """Another value that stands right behind the slot's name ("the director is ..."), though
        the true one stands elsewhere; empty if there is none.
        """
        for match in self.slot.name_form.finditer(self.text):
            label = _IS.match(self.text, match.end())
            if label is None:
                continue
            rest = self.text[label.end() :].split("\n")[0]
            said = self._first_value(rest)
            if said and not self._is_same(value, said) and not self._corrected(rest, value):
                return said
        return ""

    def _labelled_words(self, value: str) -> str:
        """One or two words right behind the slot's name that have nothing of a value as short."""
        if len(value.split()) > FEW:
            return ""
        for match in self.slot.name_form.finditer(self.text):
            label = _IS.match(self.text, match.end())
            rest = re.split(r"[.!?,;\n|]", self.text[label.end() :])[0] if label else ""
            words = content(rest)
            if 0 < len(words) <= FEW and len(rest.split()) <= FEW and not share_told(value, rest):
                return rest.strip()
        return ""

    def _corrected(self, rest: str, value: str) -> bool:
        """Says whether the true value follows in the same sentence: "was $40, now $33"."""
        sentence = re.split(r"[.!?](?:\s|$)", rest)[0]
        later = code_in(value, sentence) if self.kind is CODE else self.kind.told(value, sentence)
        return bool(later) and _INSTEAD.search(sentence) is not None

    def yes_or_no(self, true: bool) -> SlotAnswer:
        """Returns the answer to a question of yes or no."""
        said = polarity(self._lines(), self.slot.feature, asked=self.asked)
        if said is None:
            told = self.asked and self._has_content()
            return SlotAnswer(AnswerStatus.UNCLEAR, self.text) if told else NOTHING
        return SlotAnswer(
            AnswerStatus.RIGHT if said is true else AnswerStatus.WRONG, "yes" if said else "no"
        )

    def instead(self, value: str, others: Sequence[str]) -> SlotAnswer:
        """Returns what the reply tells where the true value was due."""
        if not self.asked:
            return NOTHING
        if self.kind.shaped and self.kind.spans(value):
            return self._other_of_kind(value)
        return self._other_words(value, others)

    def _other_of_kind(self, value: str) -> SlotAnswer:
        found = [span for span in self._candidates(value) if not self._is_covered(span)]
        if not found:
            return self._cut_short(value) if self.kind is POSTCODE else NOTHING
        said = min(found, key=lambda span: (not span.sure, self._far(span)))
        words = self.text[said.start : said.end]
        alone = said.sure and len({span.readings for span in found if span.sure}) == 1
        if alone or self.short or self._far(said) < BESIDE:
            return SlotAnswer(AnswerStatus.WRONG, words)
        return SlotAnswer(AnswerStatus.UNCLEAR, words)

    def _cut_short(self, value: str) -> SlotAnswer:
        """Returns the start of a code, where all of it was due."""
        whole = squeezed(value)
        for span in CODE.spans(self.text):
            start = span.readings[0]
            if len(start) >= LEAST_COVERED and whole.startswith(start) and start != whole:
                return SlotAnswer(AnswerStatus.WRONG, self.words(span))
        return NOTHING

    def _other_words(self, value: str, others: Sequence[str]) -> SlotAnswer:
        texts = self.text.split("\n")
        share = share_of_address if self.kind is ADDRESS else share_told
        for other in others:
            apart = other.lower() != value.lower() and share(value, other) < PARTLY
            if apart and any(share(other, text) >= WHOLE for text in texts):
                return SlotAnswer(AnswerStatus.WRONG, other)
        if self.kind is ADDRESS and (streets := address_spans(self.text)):
            if any(share(value, text) >= PARTLY for text in texts):
                return SlotAnswer(AnswerStatus.UNCLEAR, self.text)
            return SlotAnswer(AnswerStatus.WRONG, self.text[streets[0].start : streets[0].end])
        if not self._has_content():
            return NOTHING
        if self.kind is WORDS and (said := self._labelled_words(value)):
            return SlotAnswer(AnswerStatus.WRONG, said)
        if self.kind is NAME and share_told(value, self.text) < PARTLY:
            known = " ".join((*self.covered, self.user, self.slot.name))
            names = [n for n in proper_names(self.text) if share_told(n, known) < PARTLY]
            if len(names) == 1:
                return SlotAnswer(AnswerStatus.WRONG, names[0])
        return SlotAnswer(AnswerStatus.UNCLEAR, self.text.strip())

    def any_value(self) -> SlotAnswer:
        """Says whether the reply tells any value of the slot."""
        if self.kind is YES_NO or (not self.kind.shaped and _POLAR.search(self.user)):
            sign = polarity(self._lines(), self.slot.named, asked=self.asked)
            if sign is not None or self.kind is YES_NO:
                return (
                    NOTHING
                    if sign is None
                    else SlotAnswer(AnswerStatus.RIGHT, "yes" if sign else "no")
                )
        if self.kind.shaped:
            codes = self.kind is CODE
            found = self._codes() if codes else self._candidates("")
            spans = [s for s in found if self.asked or self._named_at(s, own=True) is not None]
            spans = [span for span in spans if not self._is_covered(span)]
            if not spans:
                return NOTHING
            best = min(spans, key=lambda span: (not span.sure, self._far(span)))
            return SlotAnswer(AnswerStatus.RIGHT, self.text[best.start : best.end])
        said = self.said()
        return SlotAnswer(AnswerStatus.RIGHT, said) if said else NOTHING

    def by_form(
        self, said: SlotAnswer, labelled: Sequence[str], lines: Sequence[str]
    ) -> SlotAnswer:
        """Returns a value of the reply's held against the values of its kind in lines of texts."""
        for known in (labelled, lines):
            values = [(line, span) for line in known for span in self.kind.spans(line)]
            values = [(line, span) for line, span in values if self._may_be_due(line, span)]
            if values:
                same = any(self._tells(line[span.start : span.end]) for line, span in values)
                return said if same else SlotAnswer(AnswerStatus.WRONG, said.said)
        stands = share_told(said.said, "\n".join(lines)) >= WHOLE
        return said if stands else SlotAnswer(AnswerStatus.UNCLEAR, said.said)

    def by_street(
        self, streets: Sequence[str], said: SlotAnswer, lines: Sequence[str]
    ) -> SlotAnswer:
        """Returns an address of the reply's held against those in lines of texts."""
        if any(share_of_address(street, line) >= WHOLE for street in streets for line in lines):
            return said
        known = any(map(address_spans, lines))
        return SlotAnswer(AnswerStatus.WRONG if known else AnswerStatus.UNCLEAR, streets[0])

    def by_words(self, said: SlotAnswer, text: str) -> SlotAnswer:
        """Returns an answer in words held against a text: what of it stands there."""
        every = " ".join(self._telling()) or said.said
        known = self.slot.words | frozenset(word.lower() for word in content(self.user))
        names = [name for name in proper_names(every) if name.lower() not in known]
        unclear = SlotAnswer(AnswerStatus.UNCLEAR, said.said)
        stands = [share_told(name, text) >= WHOLE for name in names]
        if any(stands):
            return said
        words = content(every, known)
        stand = [word for word in words if share_told(word, text) == 1]
        if len(stand) * 2 >= len(words) and not (names and self.kind is NAME):
            at = (every.lower().find(word.lower()) for word in stand)
            sound = not any(denied(every, place) for place in at if place >= 0)
            return said if sound and _figures_stand(every, text) else unclear
        wrong = bool(names) and self.kind is NAME
        return SlotAnswer(AnswerStatus.WRONG, said.said) if wrong else unclear


def _figures_stand(said: str, text: str) -> bool:
    """Whether the dates, amounts and so on that are said stand in a text, or no such are said."""
    for kind in (DATE, TIME, AMOUNT, PHONE, QUANTITY, COUNT):
        spans = [span for span in kind.spans(said) if span.sure]
        if spans:
            known = kind.spans(text)
            return any(kind.same(span, other) for span in spans for other in known)
    return True
