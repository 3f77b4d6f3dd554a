"""A second opinion on bookings: what the rules hear and a turn's words speak against is doubtful.

A linear model, trained by `benchmarks/train_classifier.py` on dialogues of people (whose licences
stand in NOTICE beside it) and on the sentences in `benchmarks/hearing`, says how likely a turn
tells of a booking made or refused, by runs of its words and the user's words before it. It only
doubts: what it alone hears is doubtful, too.
"""

import json
import math
import re
import zlib
from array import array
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from pytest_todeval.core.dialogue_act import Act, DialogueAct
from pytest_todeval.nlu.text.speech import declines_to_book

FILE = Path(__file__).with_name("weights.bin")
LONGEST = 4000
"""Characters of a turn that the model looks at: longer ones are left to the rules."""
PLACES = 1 << 15
"""Signs are kept by their hashes, so that the weights hold no words."""
MOST, MOST_OF_USER = 200, 40
"""Words of a turn, and of the user, that are looked at."""
STEM = 5
"""Letters of a word that stand for all its forms."""
ACTS = (Act.BOOKED, Act.BOOKING_FAILED)
DOUBT = "the turn's words as a whole do not sound like it"
ALONE = "only the turn's words as a whole sound like it"
LEAST: Mapping[Act, float] = {Act.BOOKED: 0.3, Act.BOOKING_FAILED: 0.15}
"""The probability under which what the rules hear is doubtful; chosen with each corpus left out."""
LEAST_UNASKED = 0.5
"""Of a booking, if the user has just said that there is to be none."""
SURE = 0.7
"""The probability from which on a claim that the rules do not hear may have been made."""

_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|\d[\d:.,]*|[?!.,;:\n]")
_ENDS = frozenset(".?!;\n")


def signs_of(text: str, user_said: str) -> list[int]:
    """The places of a turn's signs: runs of one to three words, stems, and the user's words."""
    found: set[str] = set()
    for sentence in _sentences(_words(text)[:MOST]):
        mood = "?" if sentence[-1] == "?" else ""
        words = ["^", *sentence]
        for at, word in enumerate(words):
            found.update(mood + " ".join(words[at : at + count]) for count in (1, 2, 3))
            if len(word) > STEM:
                found.add(f"s{mood}{word[:STEM]}")
    user = ["^", *_words(user_said)[:MOST_OF_USER]]
    for before, word in pairwise(user):
        found.update((f"u:{word}", f"u:{before} {word}"))
    return sorted({zlib.crc32(sign.encode()) % PLACES for sign in found})


def _words(text: str) -> list[str]:
    found = _WORD.findall(text[:LONGEST].lower().replace("\u2019", "'"))
    return ["0" if word[0].isdigit() else word for word in found]


def _sentences(words: Sequence[str]) -> Iterator[list[str]]:
    sentence: list[str] = []
    for word in words:
        sentence.append(word)
        if word in _ENDS:
            yield sentence
            sentence = []
    if sentence:
        yield sentence


@dataclass(frozen=True, slots=True)
class Believer:
    """How likely a turn makes one claim."""

    bias: float
    scale: float
    """What the weights are divided by."""
    weights: "array[int]"

    def probability(self, signs: Sequence[int]) -> float:
        """Between 0 and 1."""
        weighed = sum(self.weights[sign] for sign in signs)
        odds = self.bias + weighed / (self.scale * math.sqrt(len(signs) or 1))
        return 1 / (1 + math.exp(-max(-50.0, min(50.0, odds))))


@lru_cache(maxsize=1)
def _believers() -> Mapping[Act, Believer]:
    head, _, tables = FILE.read_bytes().partition(b"\n")
    numbers: dict[str, tuple[float, float]] = json.loads(head)
    found = {}
    for at, act in enumerate(ACTS):
        bias, scale = numbers[act]
        found[act] = Believer(bias, scale, array("b", tables[at * PLACES : (at + 1) * PLACES]))
    return found


@lru_cache(maxsize=512)
def _likely(text: str, user_said: str) -> Mapping[Act, float]:
    signs = signs_of(text, user_said)
    return {act: believer.probability(signs) for act, believer in _believers().items()}


def weighed(
    claims: Sequence[DialogueAct],
    text: str,
    user_said: str,
    *,
    about: str | None = None,
    given: Set[Act] | None = None,
) -> tuple[DialogueAct, ...]:
    """The claims, those doubtful that the model does not believe, and in doubt what it alone hears.

    `user_said`: the user's last words, made plain; `about`: the domain that it talks about.
    `given`: acts that need no belief, since an example of the project stands in the turn or it
    answers the user's question; None if there is none. Nor does a booking whose reference number
    is told, or one of two things that the rules tell apart: one booked, one refused. Time is linear
    in the text.
    """
    if len(text) > LONGEST:
        return tuple(claims)
    firm = {claim.act for claim in claims if claim.act in ACTS and _firm(claim)}
    proven = _proven(claims, firm) | (given or frozenset())
    unwanted = declines_to_book(user_said)
    least = {**LEAST, Act.BOOKED: LEAST_UNASKED if unwanted else LEAST[Act.BOOKED]}
    doubted = {act for act in firm - proven if _likely(text, user_said)[act] < least[act]}
    heard = [
        replace(claim, doubt=DOUBT) if claim.act in doubted and _firm(claim) else claim
        for claim in claims
    ]
    said = {claim.act for claim in claims} | ({Act.BOOKED} if unwanted else set())
    believed = firm - doubted  # what is heard for sure explains the turn's words
    for act in ACTS if given is None and not believed else ():
        if act not in said and _likely(text, user_said)[act] >= SURE:
            heard.append(DialogueAct(act, about, doubt=ALONE, sentence=text))
    return tuple(heard)


def _proven(claims: Sequence[DialogueAct], firm: Set[Act]) -> frozenset[Act]:
    """The acts that need no belief: with a reference number, or one booked and one refused."""
    if len(firm) == len(ACTS):
        return frozenset(firm)
    told = any(claim.act is Act.REFERENCE and claim.holds for claim in claims)
    return frozenset({Act.BOOKED}) if told else frozenset()


def _firm(claim: DialogueAct) -> bool:
    return claim.holds and not claim.doubt
