"""What a turn's names and values are there for: offered, told of what, denied, or in passing."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from pytest_todeval.core.dialogue_act import Act, DialogueAct, Factuality
from pytest_todeval.nlu.names.lexicon import Lexicon
from pytest_todeval.nlu.names.meaning import IDENTITIES, Meaning
from pytest_todeval.nlu.names.owners import Owners
from pytest_todeval.nlu.names.polarity import NamePolarity, plain_triggers, standing
from pytest_todeval.nlu.text.layout import Block, blocks, owners
from pytest_todeval.nlu.text.plain import Clause, clauses, plain
from pytest_todeval.nlu.values.mentions import Mention, train_ids

FIRST = 200
"""Characters of a line in which the item that it is about is looked for."""
_JOINED = re.compile(r"(?: |,|and|or|nor|the){0,9}")
_ADDRESS = re.compile(r"(?:address|where) ?:")
_SIGNS_OFF = re.compile(
    r"(?:with )?(?:(?:kind|best|warm|kindest|warmest|many|friendly) )?(?:regards|wishes"
    r"|greetings)\W*|(?:yours )?truly(?: yours)?\W*",
    re.I,
)
"""A line after which a letter is signed."""
_HEADS = re.compile(r"\b(?:not|closed)\b")


class Naming:
    """Follows the names of one turn through its blocks and clauses."""

    def __init__(self, text: str, known: Lexicon, wanted: str) -> None:
        self.text = text
        self.known = known
        self.wanted = wanted
        """The user's last words, made plain."""
        self.meaning = Meaning(text, known, wanted)
        self.owners = Owners()
        self.denies = False
        """Whether the place in the layout denies: crossed out, or under "Not matching:"."""
        self.labels = False
        """Whether the clause is of a "label: value" line."""
        self.item = False
        """Whether the clause opens an item of a list."""
        self.signed = False
        """Whether the turn has taken its leave as a letter does: names now are the sender's."""

    def clauses(self, cover: Callable[[str], str] = str) -> Iterator[Clause]:
        """The clauses of all blocks, in order; what is told next belongs to the one given last.

        `cover` takes out of a block's plain text what is heard elsewhere.
        """
        found = blocks(self.text)
        items: list[str | None] = [None] * len(found)
        if len(found) > 1:
            items = owners(found, self._first_name)
        for block, item in zip(found, items, strict=True):
            self.owners.item = (
                item if block.parent is not None or block.item or block.label else None
            )
            self.denies = block.crossed or self._denies_below(found, block)
            self.labels = bool(block.label)
            self.item = block.item and bool(block.text)
            self.signed = self.signed or _SIGNS_OFF.fullmatch(block.text[:FIRST]) is not None
            for clause in clauses(cover(plain(block.text))):
                yield clause
                self.item = False

    def _first_name(self, block: Block) -> str | None:
        text = plain(block.text[:FIRST])
        found = (
            (start, entry.value)
            for start, _, entry in self.known.matches(text)
            if entry.slot == "name"
        )
        ids = ((m.start, m.value) for m in train_ids(text, self.known))
        return min((*found, *ids), default=(0, None))[1]

    def _denies_below(self, found: Sequence[Block], block: Block) -> bool:
        if block.parent is None or not block.item:
            return False
        last = list(clauses(plain(found[block.parent].text[-FIRST:])))[-1:]
        return bool(last) and not last[0].asks and _HEADS.search(last[0].text) is not None

    def meant(self, found: list[Mention], text: str, domain: str | None = None) -> list[Mention]:
        """Returns what the mentions in a clause come to (see `Meaning`)."""
        return self.meaning.of(found, text, domain, item=self.item, labels=self.labels)

    def told(
        self, text: str, found: Sequence[Mention], domain: str | None, *, asks: bool = False
    ) -> Iterator[DialogueAct]:
        """Returns the claims that a clause makes by its names and values, in their order.

        `found` are the mentions that tell something; `asks`: it has the word order of a question.
        """
        stands = self._stands(text, found, asks)
        kept = [m for m in found if stands.get(m.start) is not NamePolarity.PASSING]
        subjects = [m for m in kept if m.start in stands]
        values = [m for m in kept if m.start not in stands]
        owned = self.owners.of_values(text, subjects, values)
        for mention in kept:
            if mention.start in stands:
                yield from self._named(mention, stands[mention.start], domain, text)
            else:
                yield from (
                    DialogueAct(
                        Act.INFORM,
                        domain,
                        mention.slot,
                        mention.value,
                        of,
                        doubt=doubt,
                        sentence=text,
                    )
                    for of, doubt in owned[mention.start]
                )

    def _stands(self, text: str, found: Sequence[Mention], asks: bool) -> dict[int, NamePolarity]:
        names = [m for m in found if m.slot in IDENTITIES]
        if not names:
            return {}
        if self.signed or (self.labels and _ADDRESS.match(text)):
            return {mention.start: NamePolarity.PASSING for mention in names}
        clear = plain_triggers(text)
        stands: dict[int, NamePolarity] = {}
        for group, before, after in _groups(clear, names):
            how = standing(before, after, asks=asks)
            if self.denies and how is NamePolarity.OFFERED:
                how = NamePolarity.DENIED
            stands.update({mention.start: how for mention in group})
        return stands

    def _named(
        self, mention: Mention, how: NamePolarity, domain: str | None, text: str
    ) -> Iterator[DialogueAct]:
        about, slot, value = mention.domain or domain, mention.slot, mention.value
        denial = DialogueAct(Act.NO_OFFER, about, slot, value, sentence=text)
        if how is NamePolarity.DENIED:
            yield denial
        else:
            asked = Factuality.ASKED if how is NamePolarity.ASKED else Factuality.ASSERTED
            yield replace(denial, act=Act.OFFER, factuality=asked)


def _groups(text: str, names: Sequence[Mention]) -> Iterator[tuple[Sequence[Mention], str, str]]:
    """Names said in one breath ("A, B and C"), with what stands before and after them, as far as
    the names on either side.
    """
    first = 0
    for at, name in enumerate(names):
        more = at + 1 < len(names)
        if more and _JOINED.fullmatch(text, name.end, names[at + 1].start):
            continue
        start = names[first - 1].end if first else 0
        end = names[at + 1].start if more else len(text)
        yield names[first : at + 1], text[start : names[first].start], text[name.end : end]
        first = at + 1


_AFTER_ALL = re.compile(r"\bbut\b")
"""In a clause that offers what was denied before."""


def settled(heard: Iterable[DialogueAct]) -> tuple[DialogueAct, ...]:
    """Returns what holds when the turn is over: one word on each name; one name owns every value.

    A name denied stays so if it is only mentioned again ("X is in another city"), not if it is
    put forward after all.
    """
    claims = list(dict.fromkeys(heard))
    last: dict[str, DialogueAct] = {}
    for claim in claims:
        if claim.act in _OF_NAMES and claim.value:
            before = last.get(claim.value)
            again = before is not None and before.act is Act.NO_OFFER and claim.act is Act.OFFER
            if not again or _AFTER_ALL.search(claim.sentence):
                last[claim.value] = claim
    names = [claim.value for claim in last.values() if claim.act is Act.OFFER]
    only = names[0] if len(names) == 1 else None
    kept = (
        replace(c, of=only) if only and c.act is Act.INFORM and c.of is None and not c.doubt else c
        for c in claims
        if c.value not in last or c.act not in _OF_NAMES or c.act is last[c.value].act
    )
    return tuple(dict.fromkeys(kept))


_OF_NAMES = frozenset({Act.OFFER, Act.NO_OFFER})
