"""What the mentions in a clause mean, by how the turn writes them and where they stand."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache

from pytest_todeval.nlu.names.lexicon import Lexicon
from pytest_todeval.nlu.names.polarity import takes_verb
from pytest_todeval.nlu.names.wordings import GENERIC, KINDS, tokens_of
from pytest_todeval.nlu.text.plain import words
from pytest_todeval.nlu.values.forms import NUMBER, labelled
from pytest_todeval.nlu.values.mentions import Mention
from pytest_todeval.nlu.values.normalise import TIME_SLOTS, find_times, normalise

IDENTITIES = ("name", "trainID")
"""Slots of mentions that name an item."""
_HEAD = re.compile(r"(?:name ?: )?([^:,(.;-]{2,60}?) ?(?:[:,(.;]|$)")
_CALLED = re.compile(r"\b(?:called|recommend|try|how about)(?: the)? \"?$")
_NAMING = re.compile(r"\b(?:called|named|name is|name :)(?: the)? \"?$|\"$")
_A_KIND = re.compile(r"the [a-z]+")
"""What is more often spoken of than named: "the place"."""
_INDEFINITE = re.compile(r"\bthat(?: \w+)? $")
_COMMON_NOUN = re.compile(r" (?!(?:is|are|was|has|in|for|serves|fits|colleges|number)\b)[a-z]+")
"""A word after which the one before it is no short form of a name: "harbour cruise"."""
_OF_VERB = re.compile(r"ing$")
"""How a form of a verb ends. It begins names ("The Dancing Goat"), and is no short form of them."""
_PUT_FORWARD = re.compile(r"\b(?:the|book(?:ed)?|(?<!thing )there is|what about)(?: the)? \"?$")
"""What stands before a name in small letters."""
_OFFERS = re.compile(r" has\b")
"""What a venue does, and travelling does not."""
_JOINT = re.compile(r"(?: or )$")
_WHENEVER = re.compile(r"\bat $")
NO_PART_OF_NAMES = GENERIC | {"your", "for", "to", "with", "from", "is", "or", "on", "mr", "mrs"}
"""May stand before a name, with a capital, and be no part of it."""
_NEXT = re.compile(r" ([a-z]{3,})\b")


class Meaning:
    """Reads the mentions of one turn."""

    def __init__(self, text: str, known: Lexicon, wanted: str) -> None:
        self.text = text
        self.known = known
        self.wanted = wanted
        """The user's last words, made plain."""
        self.cased = any(map(str.isupper, text))

    def of(
        self, found: list[Mention], text: str, domain: str | None, *, item: bool, labels: bool
    ) -> list[Mention]:
        """Returns the mentions of a plain clause, and what it tells without a wording of its own.

        Everyday words that only happen to be a name are none: "a great place".

        In a text with capitals, such a name has them, too, unless a word like "called" is before
        it; in one without, "a" and the like before it show that it is none. A name is known by
        fewer words if it stands by itself: "Ask" in a list. `item`: the clause opens an item of a
        list; `labels`: it is of a "label: value" line.
        """
        kept = [m for m in found if self._names(m, text)]
        kept += self._ends(text)
        kept = [
            *map(self._half_of_day, kept),
            *(_in_cell(kept, text) if labels else ()),
            *_left_out(kept, text),
        ]
        kept.sort(key=lambda mention: mention.start)
        if item and not any(m.slot in IDENTITIES for m in kept):
            kept = self._listed(kept, text, domain)
        return kept

    def _names(self, mention: Mention, text: str) -> bool:
        """Says whether a mention of everyday words, or of one word of a name, is the name."""
        if mention.slot == "name" and not mention.whole and self._of_another(mention, text):
            return False
        if mention.everyday:
            return self._is_name(mention, text)
        short = mention.slot == "name" and not mention.whole
        said = text[mention.start : mention.end]
        if not short or " " in said or _CALLED.search(text[: mention.start]):
            return True
        return self._is_short_form(mention, said, text)

    def _is_short_form(self, mention: Mention, said: str, text: str) -> bool:
        """Says whether one word of a name stands for it, by what stands around it."""
        before, after = text[: mention.start], text[mention.end :]
        noun = _COMMON_NOUN.match(text, mention.end)
        if self.cased and noun and _capitalised(said + noun[0]).search(self.text):
            noun = None
        written = self.cased and _capitalised(said).search(self.text) is not None
        opens = not before.strip()
        if _OF_VERB.search(said):
            put_forward = _PUT_FORWARD.search(before) or (opens and _OFFERS.match(after))
            return written and noun is None and put_forward is not None
        if written:
            return not opens or not noun
        if noun or _INDEFINITE.search(before) or _WHENEVER.search(before):
            return False
        known = opens or _PUT_FORWARD.search(before) is not None
        return known or takes_verb(after) or self._beside_a_name(before, text)

    def _ends(self, text: str) -> Iterator[Mention]:
        """Names by their last word, written as a name where one is put forward: "the Tinker"."""
        if not self.cased:
            return
        taken = [span for *span, _ in self.known.matches(text)]
        for word, start, end in words(text):
            entry = self.known.ends.get(word)
            if entry is None or any(first < end and start < last for first, last in taken):
                continue
            end += 2 * (entry.tokens[1:] == ("s",) and text.startswith(" s", end))
            mention = Mention("name", entry.value, start, end, entry.domain)
            if self._names_by_end(mention, word, text):
                yield mention

    def _names_by_end(self, mention: Mention, word: str, text: str) -> bool:
        before, after = text[: mention.start], text[mention.end :]
        written = _capitalised(word).pattern
        longer = rf"\b(?!The )[A-Z][\w'’-]* (?:{written})"
        if not re.search(written, self.text) or re.search(longer, self.text):
            return False
        noun = _COMMON_NOUN.match(after)
        if noun and not noun[0].endswith("s"):  # "the Walnut cake", but "the Kinema shows"
            return False
        opens = not before.strip() and takes_verb(after)
        return opens or any(cue.search(before) for cue in (_PUT_FORWARD, _CALLED))

    def _beside_a_name(self, before: str, text: str) -> bool:
        """Says whether a name stands before it in the same list: "Kohinoor, gandhi or nirala"."""
        joint = _JOINT.search(before)
        return joint is not None and any(
            entry.slot == "name" and end == joint.start()
            for _, end, entry in self.known.matches(text)
        )

    def _of_another(self, mention: Mention, text: str) -> bool:
        """Says whether a short form is a part of a name that is not known: the "Harbour" of
        "Harbour Grill" if Harbour Lodge is known, the "Meridian" of "Grand Meridian".
        """
        said, own = text[mention.start : mention.end], tokens_of(mention.value)
        following = _NEXT.match(text, mention.end)
        kinds = KINDS.intersection(own)
        if following and kinds and following[1] in KINDS - kinds:
            return True
        if not self.cased:
            return False
        for before in _before(said).findall(self.text):
            if before.lower() not in own and before.lower() not in NO_PART_OF_NAMES:
                return True
        joined = _joined(said).search(self.text) if " " not in said else None
        return joined is not None and self.known.named_whole(joined[1]) is None

    def _is_name(self, mention: Mention, text: str) -> bool:
        before, after = text[: mention.start], text[mention.end :]
        said = text[mention.start : mention.end]
        written = self.cased and _capitalised(said).search(self.text) is not None
        if _A_KIND.fullmatch(said) and not written and not _NAMING.search(before):
            return said in self.wanted or not (before.strip() or after.strip(" .!?"))
        if (not before.strip() and not after.strip(" .!?")) or _CALLED.search(before):
            return True
        if written:
            return before.strip() != "" or " " in said or takes_verb(after)
        if _INDEFINITE.search(before) or " " not in said:
            return False
        return not self.cased or takes_verb(after)

    def _half_of_day(self, mention: Mention) -> Mention:
        """A time by the twelve-hour clock is the user's, if that is what the user said."""
        if mention.slot not in TIME_SLOTS or mention.value >= "13" or mention.value in self.times:
            return mention
        later = f"{int(mention.value[:2]) % 12 + 12}{mention.value[2:]}"
        return replace(mention, value=later) if later in self.times else mention

    @cached_property
    def times(self) -> frozenset[str]:
        """Returns the times that the user has said."""
        return frozenset(find_times(self.wanted))

    def _listed(self, kept: list[Mention], text: str, domain: str | None) -> list[Mention]:
        """With the venue that the head of an item names by a form too short for running text."""
        head = _HEAD.match(text)
        entry = self.known.named_by(head[1], domain) if head else None
        if head is None or entry is None:
            return kept
        kept = [mention for mention in kept if mention.start >= head.end(1)]
        return [Mention("name", entry.value, head.start(1), head.end(1), entry.domain), *kept]


def _in_cell(kept: Sequence[Mention], text: str) -> Iterator[Mention]:
    """Returns what the words after a label tell by themselves: "Stars: 4"."""
    label, colon, said = text.partition(":")
    found = labelled(label, said) if colon else None
    if found and not any(mention.slot == found[0] for mention in kept):
        start = len(label) + 1
        if not any(mention.start >= start for mention in kept):
            yield Mention(*found, start, len(text))


_LEFT_OUT = re.compile(
    rf"(?: (?:s|is|are|has|have|at|costs?|charges?|only|gets?|just)|,|:)*(?: about)? ?"
    rf"((?:[£$€] ?)?{NUMBER}(?:\.\d\d)?)(?= ?(?:[,.;)](?!\d)|and\b|while\b|but\b|$))"
)
_MAY_BE_LEFT_OUT = frozenset({"stars", "price", "entrance fee", "people", "stay"})
"""Slots whose unit is said once only: "A costs 20 pounds and B 30"."""


def _left_out(kept: Sequence[Mention], text: str) -> Iterator[Mention]:
    before: Mention | None = None
    for at, mention in enumerate(kept):
        if mention.slot in _MAY_BE_LEFT_OUT:
            before = mention
        elif mention.slot in IDENTITIES and before is not None:
            match = _LEFT_OUT.match(text, mention.end)
            after = kept[at + 1].start if at + 1 < len(kept) else len(text)
            if match and match.end() <= after:
                yield Mention(before.slot, normalise(before.slot, match[1]), *match.span(1))


@lru_cache(maxsize=1024)
def _capitalised(said: str) -> re.Pattern[str]:
    """Finds words written as a name: each with a capital, but for "the", "of" and the like."""
    spelled = [
        _capital(word) if word[0].isalpha() else re.escape(word)
        for word in re.findall(r"[a-z0-9]+", said)
    ]
    cased = r"\W{1,3}".join(spelled)
    return re.compile(rf"\b{cased}\b|\b{re.escape(said.upper())}\b")


@lru_cache(maxsize=1024)
def _before(said: str) -> re.Pattern[str]:
    """Finds words with a capital in the middle of a sentence, right before words written so."""
    return re.compile(rf"(?<=[a-z,] )([A-Z][\w'’-]+) (?:{_capitalised(said).pattern})")


@lru_cache(maxsize=1024)
def _joined(said: str) -> re.Pattern[str]:
    """Finds what "and" joins to a word written as a name: "Olive and Thyme"."""
    return re.compile(rf"(?:{_capitalised(said).pattern}) (?:and|&) ([A-Z][\w'’-]+)")


def _capital(word: str) -> str:
    small = word[0] if word in _SMALL or len(word) == 1 else ""
    return f"[{word[0].upper()}{small}]{re.escape(word[1:])}"


_SMALL = frozenset({"the", "of", "and", "in", "at", "on", "by", "from", "for", "a", "to"})
