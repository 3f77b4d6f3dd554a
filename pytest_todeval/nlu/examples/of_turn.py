"""What was taught by example, in one turn: taken out of its text, and told where it stood."""

import re
from collections.abc import Iterator
from dataclasses import replace

from pytest_todeval.core.dialogue_act import Act, DialogueAct, Factuality
from pytest_todeval.nlu.examples.finding import SAYINGS, FoundExample, find_examples
from pytest_todeval.nlu.names.lexicon import PATTERNED
from pytest_todeval.nlu.text.factuality import doubt_of, factuality
from pytest_todeval.nlu.text.phrases import Phrase
from pytest_todeval.nlu.text.plain import Clause
from pytest_todeval.nlu.vocabulary import Vocabulary

FIRST = 0xF0000
"""The first sign that stands for an example: of Unicode's private use, so no plain text has it."""
_NORMAL = PATTERNED - {"reference", "trainID", "price", "entrance fee"}
"""Slots whose values are heard in one form, however they are written."""
_SIGN = re.compile(r"[\U000F0000-\U000FFFFD]")


class TurnExamples:
    """The examples found in one turn. A sign in the text keeps the place of each."""

    def __init__(self, vocabulary: Vocabulary, text: str) -> None:
        self.vocabulary = vocabulary
        self.text = text
        """As the bot wrote it."""
        self.found: list[FoundExample] = []
        self.covered: list[str] = []

    def cover(self, plain_text: str) -> str:
        """A plain text with a sign in place of each example, so that nothing else hears it."""
        pieces, at = [], 0
        for one in find_examples(plain_text, self.vocabulary):
            pieces += [plain_text[at : one.start], chr(FIRST + len(self.found))]
            self.found.append(one)
            self.covered.append(plain_text[one.start : one.end])
            at = one.end
        return "".join([*pieces, plain_text[at:]]) if pieces else plain_text

    def covers(self, words: str) -> bool:
        """Says whether an example was found that holds these words."""
        return any(words.lower() in text for text in self.covered)

    @property
    def acts(self) -> frozenset[Act]:
        """Returns what the examples found are about."""
        return frozenset(claim.act for one in self.found for claim in one.claims)

    def claims(self, clause: Clause, domain: str | None) -> Iterator[DialogueAct]:
        """What the examples in a clause say, as far as the words around them let it be so."""
        for match in _SIGN.finditer(clause.text) if self.found else ():
            one = self.found[ord(match[0]) - FIRST]
            if one.claims:
                force, doubt = _around(clause, match[0])
                if one.asks and force is Factuality.ASKED:
                    force = Factuality.ASSERTED
                for claim in one.claims:
                    yield self._claim(claim, domain, force, doubt, clause.text)

    def _claim(
        self, claim: DialogueAct, domain: str | None, force: Factuality, doubt: str, text: str
    ) -> DialogueAct:
        if claim.act in SAYINGS or not claim.holds:
            force, doubt = claim.factuality, ""
        act = claim.act
        if act is Act.OFFER and force is Factuality.DENIED:
            act, force = Act.NO_OFFER, Factuality.ASSERTED
        return replace(
            claim,
            act=act,
            domain=claim.domain or domain,
            value=claim.value if claim.slot in _NORMAL else self._as_written(claim.value),
            of=self._as_written(claim.of),
            factuality=force,
            doubt=doubt,
            sentence=_SIGN.sub(lambda sign: self._words(sign[0]), text),
        )

    def _words(self, sign: str) -> str:
        return self.covered[ord(sign) - FIRST]

    def _as_written(self, value: str | None) -> str | None:
        """Returns a value in the bot's own spelling, capitals and all."""
        if value is None:
            return None
        found = re.search(r"\s+".join(map(re.escape, value.split())), self.text, re.IGNORECASE)
        return found[0] if found and value == value.lower() else value


def _around(clause: Clause, sign: str) -> tuple[Factuality, str]:
    """How far the words around an example say that it is so; and why that may be misheard."""
    phrase = Phrase(clause.sentence.text)
    if sign not in phrase.words:  # far into a sentence without an end
        phrase = Phrase(clause.text)
    if sign not in phrase.words:
        return Factuality.ASSERTED, ""
    at = phrase.words.index(sign)
    group, closing = phrase.group(at), phrase.closing(at + 1)
    open_ended = phrase.words[closing : closing + 1] == ["?"]
    asks = clause.asks and (clause.inverted or open_ended)
    force = factuality(phrase, group, at + 1, asks=asks)
    return force, doubt_of(phrase, group) if force is Factuality.ASSERTED else ""
