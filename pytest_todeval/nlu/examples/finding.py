"""Hearing what a project taught by example: its sentences, found in a bot's text.

An example is found wherever its words stand in order, whatever their case and punctuation, filler
words and contractions aside. `{gaps}` take a few words; a known name or value in it may be another
of the same slot; its verb may stand in another tense or be negated, which then says how far it is
so. Otherwise the words around it decide, as for every claim.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from pytest_todeval.core.dialogue_act import Act, DialogueAct, Factuality
from pytest_todeval.core.example import GAP
from pytest_todeval.nlu.examples.matching import Finder, Match
from pytest_todeval.nlu.examples.patterns import Word, compiled, kind_of, words_of
from pytest_todeval.nlu.names.lexicon import lexicon
from pytest_todeval.nlu.values.mentions import mentions
from pytest_todeval.nlu.values.normalise import NUMBER_SLOTS, TIME_SLOTS, canonical_slot, normalise
from pytest_todeval.nlu.vocabulary import Vocabulary

MOST = 4000
"""Examples found in one text."""

SAYINGS = frozenset({Act.REQUEST, Act.OFFER_BOOK, Act.REQUEST_MORE, Act.BYE})
"""Acts that are done by saying them: no condition or question around them changes that."""
_SO = Factuality.ASSERTED
_NORMAL = TIME_SLOTS | NUMBER_SLOTS | {"day"}


@dataclass(frozen=True, slots=True)
class FoundExample:
    """An example found in a plain text."""

    start: int
    end: int
    claims: tuple[DialogueAct, ...]
    """What it says; none if the example means nothing. They hold if nothing around it says
    otherwise, and they are not `Factuality.ASSERTED` if its own verb says so."""
    asks: bool = False
    """Whether the example is a question: to stand in one changes nothing then."""


def find_examples(
    text: str, vocabulary: Vocabulary, domain: str | None = None
) -> list[FoundExample]:
    """The examples in a plain text, in order, none over another; time is linear in the text."""
    if not vocabulary.taught:
        return []
    patterns = compiled(vocabulary)
    words = words_of(text)
    said = {word.text for word in words}
    likely = {
        word: fitting
        for word, found in patterns.by_word.items()
        if word in said and (fitting := [each for each in found if each.words <= said])
    }
    if not likely:
        return []
    known = mentions(text, lexicon(vocabulary), domain) if patterns.has_values else []
    finder = Finder(words, known)
    telling = _Telling(text, words, finder)
    return [telling.taught(match) for match in islice(finder.found(likely), MOST)]


class _Telling:
    """Puts what stands in a text into what its examples mean."""

    def __init__(self, text: str, words: Sequence[Word], finder: Finder) -> None:
        self.text = text
        self.words = words
        self.finder = finder

    def taught(self, match: Match) -> FoundExample:
        start, end = self.words[match.start].start, self.words[match.end - 1].end
        asks = match.example.says.endswith("?")
        return FoundExample(start, end, tuple(self.claims(match)), asks)

    def claims(self, match: Match) -> Iterator[DialogueAct]:
        said = {gap: self._said(*span) for gap, span in match.gaps.items()}
        used: set[str | None] = set()
        for claim in match.example.means:
            slot = canonical_slot(claim.slot) if claim.slot else None
            value = self._filled(claim.value, said, slot, match)
            factuality = claim.factuality if claim.factuality is not _SO else match.force
            used.add(slot)
            yield replace(
                claim,
                slot=slot,
                value=value,
                of=self._filled(claim.of, said, "name", match),
                factuality=_SO if claim.act in SAYINGS else factuality,
            )
        for mention in match.values if match.example.means else ():
            if mention.slot not in used:
                act = Act.OFFER if mention.slot in ("name", "trainID") else Act.INFORM
                yield DialogueAct(
                    act, mention.domain, mention.slot, mention.value, factuality=match.force
                )

    def _said(self, start: int, end: int) -> str:
        return self.text[self.words[start].start : self.words[end - 1].end]

    def _filled(
        self, value: str | None, said: Mapping[str, str], slot: str | None, match: Match
    ) -> str | None:
        """Returns a value of the example's meaning with what stands in the text."""
        if value is None:
            return None
        gap = GAP.fullmatch(value)
        if gap:
            start, _ = match.gaps[gap[1]]
            known = self.finder.starts.get(start)
            if known is not None and known.mention.slot == slot:
                return known.mention.value
            words = said[gap[1]]
            return normalise(slot, words) if slot in _NORMAL else words
        if "{" in value:
            return GAP.sub(lambda found: said.get(found[1], found[0]), value)
        others = [m.value for m in match.values if slot and kind_of(m.slot) == kind_of(slot)]
        return others[0] if len(others) == 1 else value
