"""Where examples stand in a text: their words in order, with others in their gaps."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from pytest_todeval.core.dialogue_act import Factuality
from pytest_todeval.core.example import Example
from pytest_todeval.nlu.examples.patterns import (
    BE_OR_HAVE,
    FILLERS,
    TIMES,
    ExampleStep,
    Pattern,
    Placed,
    Word,
    is_number,
    kind_of,
    number_end,
    placed,
    word_set,
)
from pytest_todeval.nlu.text.negation import NEGATIONS
from pytest_todeval.nlu.values.mentions import Mention

MOST_TRIES = 20_000
"""Places in one text at which an example is tried; a text made of the beginnings of many examples
is not listened to for ever."""
LONGEST_VERB = 6
"""Words that stand for "is": "will not yet have been"."""
GAP_WORDS = 7
"""Words that a gap takes."""
ALONE, SHORT = 1, 3
"""An example of one word must stand alone; one of three must not run on into other words."""

_MODALS = word_set("will would shall should can could may might must")
_NUMERIC = frozenset({"number", "time"})
_VERBAL = BE_OR_HAVE | _MODALS | NEGATIONS | {"yet", "soon", "still", "no", "longer", "going", "to"}
_CONTINUES = word_set(
    """
    for at on with and but or if when once as until unless after before by from because
    while provided whenever though although thanks thank
    """
)
"""Words that may follow a short example."""
_STOPS = word_set(
    """
    who which that at on for from so but because when if once today tomorrow tonight will
    is s and or as until unless while
    """
)
"""Words that a gap at the end does not take."""
_BEFORE_GAP = word_set("and or but so that if once when because sorry unfortunately yes no")


class Match(NamedTuple):
    """Where an example stands: word indices, the words of its gaps, the values said in it."""

    example: Example
    start: int
    end: int
    gaps: Mapping[str, tuple[int, int]]
    values: tuple[Mention, ...]
    force: Factuality
    """How far its verb says that it is so."""
    same: int
    """Words that are those of the example."""


class Finder:
    """Looks for examples in one text."""

    def __init__(self, words: list[Word], known: Sequence[Mention]) -> None:
        self.words = words
        known_here = list(placed(words, known))
        self.starts: dict[int, Placed] = {each.start: each for each in known_here}
        self.ends: dict[int, Placed] = {each.end: each for each in known_here}

    def found(self, patterns: Mapping[str, Sequence[Pattern]]) -> Iterator[Match]:
        """Returns the matches of patterns that are given by their anchors, in order."""
        at = done = tries = 0
        while at < len(self.words) and tries < MOST_TRIES:
            best: tuple[tuple[int, int], Match] | None = None
            likely = patterns.get(self.words[at].text, ())
            tries += len(likely)
            for pattern in likely:
                match = self._match(pattern, at, done)
                if match is not None:
                    rank = (match.same, -(match.end - match.start))
                    if best is None or rank > best[0]:
                        best = rank, match
            if best is None:
                at += 1
                continue
            at = done = max(best[1].end, at + 1)
            yield best[1]

    def _match(self, pattern: Pattern, at: int, done: int) -> Match | None:
        start, gaps, values = at, {}, []
        for part in reversed(pattern.parts[: pattern.anchor]):
            before = self._backward(part, start, done)
            if before is None:
                return None
            if part.gap:
                gaps[part.gap] = (before, start)
            elif start in self.ends:
                values.append(self.ends[start].mention)
            start = before
        verbs: set[str] = set()
        same = 0
        for number in range(pattern.anchor, len(pattern.parts)):
            part = pattern.parts[number]
            if part.word:
                step = self._word(pattern.parts, number, at, verbs)
                same += step is not None and self.words[step - 1].text == part.word
            elif part.gap:
                step = self._gap(pattern, number, at)
                gaps[part.gap] = (at, step or at)
            else:
                step = self._value(part, at, values)
            if step is None:
                return None
            at = step
        if not self._ends_well(pattern, start, at):
            return None
        return Match(
            pattern.example, start, at, gaps, tuple(values), _force(frozenset(verbs)), same
        )

    def _word(
        self, parts: Sequence[ExampleStep], number: int, at: int, verbs: set[str] | None = None
    ) -> int | None:
        """Returns one past the word; filler words before it are passed over."""
        word = parts[number].word
        at = self._past_fillers(word, at)
        if at >= len(self.words):
            return None
        if word not in BE_OR_HAVE:
            return at + 1 if self.words[at].text == word else None
        following = parts[number + 1] if number + 1 < len(parts) else ExampleStep()
        end = self._verb(following, at)
        if end is not None and verbs is not None:
            verbs.update(each.text for each in self.words[at:end])
        return end

    def _verb(self, following: ExampleStep, at: int) -> int | None:
        """Returns one past the verb that stands for "is": as little as lets the example go on."""
        end, last = at, min(len(self.words), at + LONGEST_VERB)
        found = None
        while end < last and self.words[end].text in _VERBAL | FILLERS:
            end += 1
            if not any(word.text in BE_OR_HAVE for word in self.words[at:end]):
                continue
            if not following.word:
                found = end
            elif self._says(following.word, end):
                return end
            if following == ExampleStep():
                break
        return found

    def _says(self, word: str, at: int) -> bool:
        at = self._past_fillers(word, at)
        return at < len(self.words) and self.words[at].text == word

    def _past_fillers(self, word: str, at: int) -> int:
        while at < len(self.words) and self.words[at].text in FILLERS - {word}:
            at += 1
        return at

    def _value(self, part: ExampleStep, at: int, values: list[Mention]) -> int | None:
        at = self._past_fillers("", at)
        if at >= len(self.words):
            return None
        said = self.starts.get(at)
        if said is not None and kind_of(said.mention.slot) == part.slot:
            values.append(said.mention)
            return said.end
        if part.slot in _NUMERIC and said is not None and said.mention.slot in TIMES:
            values.append(said.mention)
            return said.end
        if part.slot in _NUMERIC and is_number(self.words[at].text):
            return number_end(self.words, at)
        end = at + len(part.words)
        words = tuple(word.text for word in self.words[at:end])
        return end if words == part.words else None

    def _gap(self, pattern: Pattern, number: int, at: int) -> int | None:
        """One past the words that a gap takes: up to the next word of the example, or its own."""
        if at >= len(self.words) or self.words[at].breaks:
            return None
        following = pattern.parts[number + 1] if number + 1 < len(pattern.parts) else None
        if following is None:
            return self._last_gap(pattern.parts[number].gap, pattern.example, at)
        for end in range(at + 1, min(len(self.words), at + GAP_WORDS + 1)):
            if self.words[end].breaks:
                return None
            if following.word and self._word(pattern.parts, number + 1, end) is not None:
                return end
            if following.slot and self._value(following, end, []) is not None:
                return end
        return None

    def _last_gap(self, gap: str, example: Example, at: int) -> int:
        said = self.starts.get(at)
        slots = {kind_of(c.slot) for c in example.means if c.slot and f"{{{gap}}}" in str(c.value)}
        if said is not None and kind_of(said.mention.slot) in slots:
            return said.end
        end = at + 1
        while end < min(len(self.words), at + GAP_WORDS):
            word = self.words[end]
            decimal = word.start - self.words[end - 1].end == 1 and word.text[0].isdigit()
            if (word.comma and not (decimal and not word.breaks)) or word.text in _STOPS:
                break
            end += 1
        return end

    def _backward(self, part: ExampleStep, end: int, done: int) -> int | None:
        """The first of the words before `end` that a gap or value at the beginning takes."""
        if end <= done or self.words[end].comma:
            return None
        said = self.ends.get(end)
        if said is not None and (part.gap or kind_of(said.mention.slot) == part.slot):
            return said.start if said.start >= done else None
        if not part.gap:
            start = end - len(part.words)
            words = tuple(word.text for word in self.words[max(start, 0) : end])
            return start if start >= done and words == part.words else None
        start = end - 1
        while start > done and end - start < GAP_WORDS and not self.words[start].comma:
            if self.words[start - 1].text in _BEFORE_GAP:
                break
            start -= 1
        return start

    def _ends_well(self, pattern: Pattern, start: int, end: int) -> bool:
        """Says whether a short example is not only the beginning of something else."""
        if pattern.literal > SHORT or len(pattern.parts) > pattern.literal:
            return True
        while end < len(self.words) and self.words[end].text in FILLERS:
            end += 1
        after = self.words[end] if end < len(self.words) else None
        closed = after is None or after.comma
        if pattern.literal > ALONE:
            return closed or self._continues(end)
        while start and self.words[start - 1].text in FILLERS and not self.words[start].comma:
            start -= 1
        return closed and (start == 0 or self.words[start].comma)

    def _continues(self, at: int) -> bool:
        word = self.words[at].text
        return word in _CONTINUES or at in self.starts or word[0].isdigit()


def _force(verbs: frozenset[str]) -> Factuality:
    """Returns how far the verb says that it is so: "you are not", "you will be"."""
    if verbs & (NEGATIONS | {"no"}):
        return Factuality.DENIED
    return Factuality.FUTURE if verbs & (_MODALS | {"going"}) else Factuality.ASSERTED
