"""What is heard in a bot's text, given what it has found: names in results need no guessing."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from pytest_todeval.core.dialogue_act import Act, DialogueAct, Factuality
from pytest_todeval.facts.calls.rows import row_named
from pytest_todeval.facts.calls.wishes import given
from pytest_todeval.nlu.listen import listen
from pytest_todeval.nlu.names.lexicon import NAME, Lexicon, lexicon
from pytest_todeval.nlu.names.wordings import EVERYDAY
from pytest_todeval.nlu.values.normalise import normalise_name
from pytest_todeval.nlu.vocabulary import Vocabulary

BOOKING_ACTS = frozenset({Act.BOOKED, Act.OFFER_BOOK, Act.BOOKING_FAILED, Act.NO_OFFER})
"""What tells how a booking stands."""
DOMAINS = frozenset(
    {"restaurant", "hotel", "attraction", "train", "taxi", "hospital", "police", "bus"}
)
"""Domains that words alone give away ("room", "table"), whatever the goal is about."""
PIECE = 20
"""Words that are normalised at a time."""

_TAIL = re.compile(
    r"(?<=[\d)\]])(?=[ ]{1,3}(?:(?:need |want )?(?:anything|something|what) )?(?:else|more)\b"
    r"[^.?!\n]{0,20}\?)",
    re.IGNORECASE,
)
"""Where a question starts that is only hung on: "booked, code HA4115 what else?"."""
Found = tuple[str | None, Mapping[str, Any]]
"""A row, with the domain of the call that returned it."""


def hear(
    text: str,
    normal: str,
    vocabulary: Vocabulary,
    *,
    domain: str | None,
    user_said: str,
    found: Sequence[Found],
) -> tuple[DialogueAct, ...]:
    """Listens to a text; `normal` is the text in the form of names, `found` all rows so far.

    A row's name that stands in the text in full is listened for like those of the vocabulary: it
    may be offered, denied or mentioned in passing. A name that is only a piece of another one heard
    ("quarry hill" of "quarry hill park") is not heard.
    """
    more = dict.fromkeys(_unknown(normal, found, domain, lexicon(vocabulary)))
    apart = _TAIL.sub(".", text)
    heard = listen(apart, vocabulary, domain=domain, user_said=user_said, names=tuple(more))
    own = frozenset(vocabulary.names)
    names = [claim for claim in heard if not _is_a_word(claim, text, user_said, found)]
    placed = (_in_its_domain(claim, text, own, domain) for claim in _without_pieces(names))
    return _arranged(tuple(placed))


def _is_a_word(claim: DialogueAct, text: str, said: str, found: Sequence[Found]) -> bool:
    """Says whether a name of everyday words in small letters is none: results are known, and none
    has it, nor has the user said it. "The place has wifi" offers no club of that name.
    """
    if claim.act is not Act.OFFER or not claim.value or claim.slot != NAME or not found:
        return False
    words = normalise_name(claim.value).split()
    if not EVERYDAY.issuperset(words) or claim.value.title() in text:
        return False
    if said_in_full(normal_text(said), claim.value):
        return False
    return row_named([row for _, row in found], claim.value) is None


def _in_its_domain(
    claim: DialogueAct, text: str, known: Collection[str], domain: str | None
) -> DialogueAct:
    """A claim, in the domain talked about if that is one's own and the claim's is none of the goal.

    "Studio B is your room" is not about a hotel if the user talks about a class.
    """
    about = claim.domain
    if about is None or about in (domain, *known) or domain is None or domain in DOMAINS:
        return claim
    names_it = about in (claim.sentence or text).lower()
    return claim if names_it else replace(claim, domain=domain)


def _arranged(heard: tuple[DialogueAct, ...]) -> tuple[DialogueAct, ...]:
    """What was heard, and that a taxi is booked if its number is told with its car or its way.

    Car and number exist only once it is booked, and to tell them is how one says that it is.
    """
    about = [claim for claim in heard if claim.domain == "taxi"]
    told = {claim.slot: claim for claim in about if claim.act is Act.INFORM and claim.holds}
    settled = any(c.act in BOOKING_ACTS and c.factuality is not Factuality.ASKED for c in about)
    which = told.keys() & {"car type", "departure", "destination"}
    if settled or not which or "phone" not in told:
        return heard
    return (*heard, DialogueAct(Act.BOOKED, "taxi", sentence=told["phone"].sentence))


def _unknown(
    normal: str, found: Iterable[Found], domain: str | None, known: Lexicon
) -> Iterator[tuple[str | None, str]]:
    """Returns the names in a text that rows have and the vocabulary has not, with their domains."""
    said: dict[str, bool] = {}
    for about, row in found:
        name = str(row.get("name"))
        if name not in said:
            said[name] = given(name) and said_in_full(normal, name)
        if said[name]:
            entry = known.named_whole(name)
            if entry is None or entry.slot != NAME:
                yield about or domain, name


@lru_cache(maxsize=4096)
def normal_text(text: str) -> str:
    """A text of any length in the form of names (see `normalise_name`), to look for one in."""
    # normalise_name reads only the start of a long text, so it gets a few words at a time
    words = text.split()
    pieces = (words[at : at + PIECE] for at in range(0, len(words), PIECE))
    return " ".join(normalise_name(" ".join(piece)) for piece in pieces)


def said_in_full(normal: str, name: str) -> bool:
    """Says whether a name stands in a text (in the form of names), every word of it."""
    wanted = normalise_name(name)
    return bool(wanted) and f" {wanted} " in f" {normal} "


def _without_pieces(heard: Sequence[DialogueAct]) -> Iterator[DialogueAct]:
    names = [normalise_name(h.value) for h in heard if h.act is Act.OFFER and h.value]
    for each in heard:
        piece = each.act is Act.OFFER and each.slot == "name" and each.value
        wanted = normalise_name(each.value) if piece and each.value else ""
        if not any(wanted != name and f" {wanted} " in f" {name} " for name in names if wanted):
            yield each
