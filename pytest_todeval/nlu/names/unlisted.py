"""Names that no database lists, as far as spelling and wording give them away."""

import re
from collections.abc import Collection, Iterable, Iterator

from pytest_todeval.core.dialogue_act import Act
from pytest_todeval.nlu.names.lexicon import Lexicon, lexicon
from pytest_todeval.nlu.names.naming import Naming, settled
from pytest_todeval.nlu.values.journeys import JOURNEYS
from pytest_todeval.nlu.values.mentions import mentions
from pytest_todeval.nlu.vocabulary import Vocabulary

LONGEST = 4000
"""Characters of a text that are looked at."""
MOST = 60
"""Names of one text."""
VENUES = frozenset({"restaurant", "hotel", "attraction"})
"""Domains whose items always have names."""

_WORD = r"[A-Z0-9][\w'’&-]*"
_LINK = r"(?:of|and|the|de|la|le|du|di|da|del|on|at|by|&|\+)"
_NAME = rf"(?:[Tt]he +)?{_WORD}(?: +(?:{_LINK} +){{0,2}}{_WORD}){{0,7}}"
_CUE = (
    r"recommend|suggest|propose|offer(?:\s+you)?|how\s+about|what\s+about|found|find|try|called"
    r"|named|there\s+is|there's|there\s+are|have|like|consider|perhaps|choose|pick|are|list"
    r"|either|neither|know|no|option\s+is|booked|reserved|it's|be|or|and|but|nor|both|for|because"
    "|while|whereas"
)
_AFTER_CUE = re.compile(rf"\b(?i:{_CUE}),?\s+(?:you\s+)?({_NAME})")
_AFTER_PLACE = re.compile(
    rf"\b(?:at|in|into|for|with|from|of|to|by|near|opposite|behind|unlike)\s+({_NAME})"
)
_SUBJECT = re.compile(
    rf"(?:^|[.!?:\n,;]\s*)({_NAME})(?=,?\s+(?:is|has|serves|offers|would|looks|was|will|does"
    rf"|doesn't|can't|won't|don't|didn't|couldn't|hasn't|wasn't|went|shut|moved|stopped|takes|needs"
    r"|isn't|costs|can|closed|comes|are|sits|lies|fits|matches|it is)\b|\?|,\s+which)"
)
_ITEM = re.compile(
    rf"^[ \t]*(?:[-*•–]|\*{{0,2}}\d{{1,2}}[.)]|[a-h][.)]|\|)[ \t]*\**(?:Name:\**[ \t]*)?({_NAME})"
    r"(?=\**[ \t]*(?:$|[:(|,–—-]))",
    re.M,
)
_NAMED = re.compile(
    rf"^[ \t]*[-*•]?[ \t]*\**(?:Name|Venue|Hotel|Restaurant)\**:\**[ \t]*({_NAME})", re.M
)
_QUOTED = re.compile(r"[\"“]([\w][\w '’&-]{2,40}?)[\"”]|\*\*([\w][\w '’&-]{2,40}?)\*\*")
_SPOKEN = re.compile(r"^[a-z]")
"""Between quotation marks, what somebody said or wrote rather than a name."""
_LISTED = re.compile(rf"(?:,|\band|\bor)\s+({_NAME})")
_CALLED_OUT = re.compile(r"(?<=, )[A-Z][a-z]+(?=)")
"""Somebody who is spoken to: "Great news, Ann!"."""
_FOLLOWS = re.compile(r"[\"*”]*\s*(?:[.,:;!?()|\n\"*–—-]|(?:is|on|in|at|or|for|from|that)\b)")
_NO_NAME = frozenset(
    re.findall(
        r"\w+",
        """i it there the a an is this that they we you yes no sure ok okay great sorry here would
        shall do can what which how your my our its their one any all some monday
        tuesday wednesday thursday friday saturday sunday reference booking
        unfortunately also and both please thanks thank if for not two three four five
        none nothing neither either let but so just every first second third finally
        options option january february march april may june july august september
        october november december ref id pm am wifi wi fi tv gbp usd eur area address
        phone price type food stars day date time people number name room table ticket
        tickets postcode parking internet train taxi booked reserved done perfect good
        hello hi dear sir hotel restaurant venue attraction guesthouse madam mr mrs ms
        total cost check how are at in on to with by from as of english british entry admission
        breakfast lunch dinner supper prices rooms tables bookings reservations status when where
        who why another others indeed important next steps voilà afternoon morning evening cuisine
        matches available unavailable interested closed open fully nobody everybody everyone
        somebody someone while once until since although he she his her him me doctor coach
        jackets guests nights venue details
        summary reservation unsuccessful confirmed christmas easter swiss laotian menu road street
        row lane avenue square address mornings evenings weekends many most few more less only
        sadly alas apologies certainly absolutely nope yep yeah hmm oh ah six seven
        eight nine ten eleven twelve fourteen fifteen twenty""",
    )
)
"""Words that start a sentence, a question or a label rather than a name."""
_ADDRESS = re.compile(r"\d+[a-z]? .*\b(?:Street|Row|Close)")
_MAY_START = frozenset(
    {
        "the",
        "a",
        "all",
        "one",
        "any",
        "some",
        "monday",
        "friday",
        "sunday",
        "two",
        "three",
        "four",
        "five",
        "first",
        "table",
        "food",
        "room",
        "good",
        "perfect",
    }
)


def candidates(text: str, known: Collection[str] = ()) -> list[str]:
    """Returns what may be a name in a text: written as one, in a place where a name stands.

    `known` are values that are no names (kinds of food, places said before), whatever their case.
    """
    text = text[:LONGEST]
    spoken = {" ".join(value.lower().split()) for value in known}
    found = sorted({(start, _trimmed(name)) for start, name in _written(text)})
    called_out = {*_CALLED_OUT.findall(text)}
    names = (part for _, name in found for part in _apart(name) if part not in called_out)
    return list(dict.fromkeys(name for name in names if _is_name(name, spoken)))[:MOST]


def _apart(name: str) -> list[str]:
    """Two names joined: "Blue Heron and Casa Pepe", but not "Rose and Crown"."""
    parts = re.split(r" and (?:the )?", name)
    return parts if all(" " in part for part in parts) else [name]


def _written(text: str) -> Iterator[tuple[int, str]]:
    for pattern in (_SUBJECT, _ITEM, _NAMED):
        yield from ((match.start(1), match[1]) for match in pattern.finditer(text))
    for match in _QUOTED.finditer(text):
        if not _SPOKEN.search(match[1] or match[2]):
            yield match.start(), match[1] or match[2]
    for pattern in (_AFTER_CUE, _LISTED):
        yield from (
            (match.start(1), match[1])
            for match in pattern.finditer(text)
            if _FOLLOWS.match(text, match.end(1))
        )
    yield from (
        (match.start(1), match[1])
        for match in _AFTER_PLACE.finditer(text)
        if " " in match[1].strip() and _FOLLOWS.match(text, match.end(1))
    )


def _trimmed(name: str) -> str:
    return _WHEN.split(" ".join(name.split()))[0].rstrip(".,;:'’-")


_WHEN = re.compile(r" (?:(?:on|by) )?(?=(?:Thurs|Fri|Satur)day)")


def _is_name(name: str, spoken: set[str]) -> bool:
    words = re.findall(r"[\w'’&-]+", name.lower())
    if (
        _ADDRESS.fullmatch(name)
        or words[0] in _NO_NAME - _MAY_START
        or (name.isupper() and len(words) == 1)
    ):
        return False
    real = [word for word in words if word not in _NO_NAME and word not in spoken]
    return any(word.replace("'", "").isalpha() and len(word) > 1 for word in real)


_LONG_WORD = re.compile(r"\b(?!The\b)[A-Z][a-z'’]{2,}")


def with_candidates(known: Lexicon, text: str, domain: str | None) -> Lexicon:
    """A lexicon that knows the names a text seems to hold, too, if it has none of the domain.

    Outside restaurants, hotels and attractions only those of several words: a word with a capital
    is as likely a pet, a person or a product there.
    """
    if domain is None or domain in JOURNEYS or domain in known.named:
        return known
    found = candidates(text)
    if domain not in VENUES:
        found = [name for name in found if len(_LONG_WORD.findall(name)) > 1]
    fresh = [name for name in found if known.named_whole(name) is None]
    return known.with_names((domain, name) for name in fresh) if fresh else known


def offered_names(text: str, known: Iterable[str] = ()) -> list[str]:
    """The names a text offers, in its order: "How about Rose House? It is ..." -> ["Rose House"].

    `known` are values that are no names (kinds of food, places said before), whatever their case.
    Names that it denies, or mentions in passing ("close to ..."), are not offered.
    """
    names = candidates(text, list(known))
    if not names:
        return []
    lexed = lexicon(Vocabulary()).with_names((None, name) for name in names)
    naming = Naming(text[:LONGEST], lexed, "")
    heard = (
        claim
        for clause in naming.clauses()
        for claim in naming.told(
            clause.text, mentions(clause.text, lexed, None), None, asks=clause.inverted
        )
    )
    offered = {claim.value for claim in settled(heard) if claim.act is Act.OFFER and claim.holds}
    return [name for name in names if name in offered]
