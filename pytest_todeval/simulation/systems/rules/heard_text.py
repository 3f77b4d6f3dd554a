"""What the user typed, made ready: names as `@n`, sentences, and which domain a word is about."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from pytest_todeval.nlu.cues import DOMAINS_RAISED
from pytest_todeval.simulation.systems.rules.lexicon import BotLexicon, NameMention, plain

SENTENCE_END = re.compile(r"[.?!;]+(?=\s|$)|\n|\bbut\b")
ADJACENT = re.compile(r"(?:[^,;.]){0,22}")
LINK = re.compile(
    r"(?:,? and (?:the )?[a-z ]{3,24}?)? (?:of|for|at) (?:the |my |our |that |this )?"
)
CALLED = re.compile(
    r"\b(?:called|named|name is|by the name of|name of) (?:the )?([a-z0-9'"
    r" &-]{3,60}?)(?=[.,?!;]|$|\b(?:in|and|please|for|can|do|is|which|that|"
    r"it)\b)"
)


@dataclass(frozen=True, slots=True)
class Context:
    """What the dialogue was about before the user spoke."""

    domain: str | None = None
    asked: tuple[tuple[str, str], ...] = ()
    """(domain, slot) the bot asked for in its last turn."""
    offered: tuple[str, ...] = ()
    """Domains in which a venue or train has been offered."""

    def asked_for(self, slots: Collection[str]) -> tuple[str, str] | None:
        """Returns the first thing asked that is one of these slots."""
        return next((asked for asked in self.asked if asked[1] in slots), None)


@dataclass
class HeardText:
    """A plain text with its names, and the domain of each place in it."""

    said: str
    """Names stand as `@0`, `@1`, ..."""
    names: Sequence[NameMention]
    context: Context
    home: str = ""
    """The station of the bot's own town, which people also name if they go nowhere."""
    cues: list[tuple[int, str]] = field(default_factory=list)
    """(position, domain), in order: where a domain is raised or a venue named."""

    def sentences(self) -> list[tuple[int, int]]:
        """Returns where the sentences start and end."""
        bounds = [0, *(match.end() for match in SENTENCE_END.finditer(self.said)), len(self.said)]
        return [(a, b) for a, b in pairwise(bounds) if self.said[a:b].strip()]

    def sentence_at(self, position: int) -> tuple[int, int]:
        """Returns the sentence that holds a position."""
        return next((s for s in self.sentences() if s[0] <= position < s[1]), (0, len(self.said)))

    def domain_at(
        self, start: int, slot: str, among: Collection[str], *, before_noun: int | None = None
    ) -> str | None:
        """The domain that a slot's value or name at `start` is about, one of `among`: the first of

        1. the noun after it ("a cheap restaurant"; `before_noun` is the end of the word);
        2. the last domain before it in the sentence;
        3. the next one after it in the sentence;
        4. the last one before the sentence;
        5. the dialogue's present one: that of a question about the slot, else the current one;
        6. the next one after the sentence.
        """
        first, last = self.sentence_at(start)
        cues = [(place, domain) for place, domain in self.cues if domain in among]
        beside = [
            d for place, d in cues if before_noun is not None and self._adjacent(before_noun, place)
        ]
        earlier = [domain for place, domain in cues if first <= place <= start]
        later = [domain for place, domain in cues if start < place < last]
        previous = [domain for place, domain in cues if place < first]
        after = [domain for place, domain in cues if place >= last]
        ranked = [*beside, *earlier[::-1], *later, *previous[::-1]]
        ranked += [*self._present(slot, among), *after, *(among if len(among) == 1 else ())]
        return next(iter(ranked), None)

    def _present(self, slot: str, among: Collection[str]) -> list[str]:
        asked = [domain for domain, of in self.context.asked if of == slot]
        return [domain for domain in (*asked, self.context.domain) if domain and domain in among]

    def domain_of_noun(self, end: int, among: Collection[str]) -> str | None:
        """The domain in "the address of the hotel", for a word that ends at `end`; else None."""
        link = LINK.match(self.said, end)
        cues = [domain for place, domain in self.cues if link is not None and place == link.end()]
        return next((domain for domain in cues if domain in among), None)

    def _adjacent(self, start: int, end: int) -> bool:
        between = self.said[start:end]
        return start <= end and ADJACENT.fullmatch(between) is not None and " and " not in between

    def hide(self, start: int, end: int) -> None:
        """Takes words out of further reading; positions stay."""
        self.said = self.said[:start] + "_" * (end - start) + self.said[end:]
        self.cues = [cue for cue in self.cues if not start <= cue[0] < end]

    def find_cues(self) -> None:
        """Finds where domains are raised."""
        found = [
            (match.start(), domain)
            for domain, cue in DOMAINS_RAISED.items()
            for match in cue.finditer(self.said)
        ]
        for match in re.finditer(r"@(\d+)", self.said):
            domain = self.names[int(match[1])].domain
            if domain is not None and domain != "train":
                found.append((match.start(), domain))
        self.cues = sorted(found)


def read(text: str, lexicon: BotLexicon, context: Context) -> HeardText:
    """Makes a user's text ready for understanding."""
    said = plain(text)
    mentions = lexicon.mentions(said)
    mentions += _misspelt(said, mentions, lexicon, context)
    mentions.sort(key=lambda mention: mention.start)
    pieces, place = [], 0
    for number, mention in enumerate(mentions):
        pieces += [said[place : mention.start], f"@{number}"]
        place = mention.end
    heard = HeardText("".join((*pieces, said[place:])), mentions, context, lexicon.home)
    heard.find_cues()
    return heard


STATION = re.compile(
    r"\b(?:from|to|for|in|into|leav(?:e|ing)|arriv(?:e|ing) (?:at|in)|is)"
    r" (?!the\b)([a-z]{5,}(?: (?:airport|street|junction|central))?)\b"
)


def _misspelt(
    said: str, known: Sequence[NameMention], lexicon: BotLexicon, context: Context
) -> list[NameMention]:
    """Names that no database holds word for word: after "called", and stations."""
    found = []
    for match in CALLED.finditer(said):
        if not _overlaps(match, known):
            near = lexicon.closest(match[1])
            name, domain = (near.name, near.domain) if near else (match[1].strip(), None)
            start = match.start(1)
            found.append(NameMention(name, domain, start, start + len(match[1].rstrip())))
    if context.domain == "train" or DOMAINS_RAISED["train"].search(said):
        for match in STATION.finditer(said):
            near = (
                None if _overlaps(match, [*known, *found]) else lexicon.closest(match[1], "train")
            )
            if near is not None:
                found.append(NameMention(near.name, near.domain, *match.span(1)))
    return found


def _overlaps(match: re.Match[str], known: Sequence[NameMention]) -> bool:
    start, end = match.span(1)
    return any(mention.start < end and start < mention.end for mention in known)


@dataclass(frozen=True, slots=True)
class SaidValue:
    """A value for a slot, or a reference to where it is known from."""

    domain: str
    slot: str
    value: str = ""
    as_in: str | None = None
    """The domain to take it from ("the same day as the restaurant", "from the hotel"); "" for
    whichever came before; None if the value is given."""
    at: int = 0
    """Where in the text it stands."""


VENUES = ("restaurant", "hotel", "attraction")
BOOKED = ("restaurant", "hotel", "train")
JOURNEYS = ("train", "taxi")

DOMAINS_OF = {
    "area": VENUES, "pricerange": VENUES, "people": BOOKED, "day": BOOKED,
    "time": ("restaurant", "train", "taxi"), "food": ("restaurant",),
    "type": ("hotel", "attraction"),
    "stars": ("hotel",), "internet": ("hotel",), "parking": ("hotel",), "stay": ("hotel",),
    "departure": JOURNEYS, "destination": JOURNEYS, "leaveAt": JOURNEYS, "arriveBy": JOURNEYS,
    "name": VENUES, "department": ("hospital",),
}  # fmt: skip
REJECTED = re.compile(
    r"\b(?:not|instead of|rather than|other than|isn't|don't want|too)(?: \w+){0,2} $"
)


def is_rejected(heard: HeardText, start: int) -> bool:
    """Says whether what stands at `start` is not wanted: "not expensive", "instead of friday"."""
    return REJECTED.search(heard.said[:start]) is not None


def given(
    heard: HeardText, slot: str, value: str, match: re.Match[str], *, noun: bool = False
) -> Iterator[SaidValue]:
    """Returns the value for the domain it is about, unless it is said not to be wanted."""
    if is_rejected(heard, match.start()):
        return
    end = match.end() if noun else None
    domain = heard.domain_at(match.start(), slot, DOMAINS_OF[slot], before_noun=end)
    if domain is not None:
        yield SaidValue(domain, slot, value, at=match.start())
