"""A second opinion on what the rules hear: doubts, and claims that they did not hear.

A small linear model, trained by `benchmarks/train_opinion.py` on the sentences in `tests/hearing`,
says how likely a turn makes a claim, by its words, its letters, the user's words before it, and
what the rules hear; its weights are data of the package. What the rules hear and the model does not
believe is doubtful. A booking, a refusal or an offer of which it is sure is a claim, though the
rules do not hear it.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from pytest_todeval.core.claim import Act, Claim
from pytest_todeval.evidence.names.lexicon import NAME, Lexicon
from pytest_todeval.evidence.opinion import signs
from pytest_todeval.evidence.text.speech import asks_to_book, declines_to_book
from pytest_todeval.language.text import plain

FILE = Path(__file__).with_name("weights.json")
LONGEST = 4000
"""Characters of a turn that the model looks at: longer ones are left to the rules."""
FEWEST = 8
"""Words and marks of a turn in which the model alone hears a booking: "Nice." tells too little."""
DOUBT = "the turn's words as a whole do not sound like it"
LEAST: Mapping[Act, float] = {
    Act.BOOKED: 0.65,
    Act.BOOKING_FAILED: 0.65,
    Act.OFFER: 0.55,
    Act.NO_OFFER: 0.3,
}
"""The probability under which a claim of the rules is doubtful."""
LEAST_UNASKED = 0.75
"""Of a booking, if the user has just said that there is to be none."""
SURE: Mapping[Act, float] = {Act.BOOKED: 0.88, Act.BOOKING_FAILED: 0.85, Act.OFFER: 0.75}
"""The probability from which on a claim is made that the rules did not hear: of bookings
higher, since verdicts hang on them.

Both are chosen on authors unknown to rules and model (`benchmarks/train_opinion.py --measure`),
with the totals of the batteries that are held out in sight."""

FAR = 3.5
"""Odds, as logarithms, from which on letters no longer decide: in none of the 39,101 turns and
names learned from does it change what is claimed."""

_VERB = re.compile(
    r"(?<!\w)(?:is|are|was|were|be|been|has|have|had|got|will|can|could|do|does|did|done|go|going|"
    r"made|set|see|hope|thank|sorry|regret|confirm|enjoy|(?:look|wait|await|begin|start)s?)(?!\w)"
    r"|\w(?:'s|'re|'ve|'ll|n't|ed|s for)(?!\w)"
)
"""Without one, "Your table for four, on Friday." may ask, confirm or begin."""

Weights = Mapping[str, int]
"""Sign -> its weights for all acts in one number, see `packed`: many are summed up at once. They
are whole numbers, so that a sum is the same in any order."""
PLACE = 1 << 32
"""What a weight counts beside that of the next act: no sum of weights comes near it."""


def packed(weights: Sequence[int]) -> int:
    """The weights for each act as one number; the sum of such numbers holds the sums of each."""
    number = 0
    for weight in weights:
        number = number * PLACE + weight
    return number


def unpacked(number: int, count: int) -> list[int]:
    """The `count` weights, or sums of weights, that a number holds."""
    found: list[int] = []
    for _ in range(count):
        weight = (number + PLACE // 2) % PLACE - PLACE // 2
        found.append(weight)
        number = (number - weight) // PLACE
    return found[::-1]


@dataclass(frozen=True, slots=True)
class Believer:
    """How likely a turn, or a name in it, makes claims of some acts."""

    acts: Sequence[Act]
    bias: Sequence[float]
    words: Weights
    letters: Weights
    rules: Weights
    scale: float = 1.0
    """What the weights are divided by."""

    def probability(self, found: signs.Signs) -> dict[Act, float]:
        """Of each act, between 0 and 1; letters are looked at if they may decide something."""
        odds = self._plus(self.bias, self.rules, found.rules, mean=False)
        odds = self._plus(odds, self.words, found.words, mean=True)
        if any(abs(each) < FAR for each in odds):
            odds = self._plus(odds, self.letters, found.letters, mean=True)
        return {act: 1 / (1 + math.exp(-each)) for act, each in zip(self.acts, odds, strict=True)}

    def _plus(
        self, odds: Sequence[float], table: Weights, found: Set[str], *, mean: bool
    ) -> Sequence[float]:
        known = list(filter(None, map(table.get, found)))  # a sign of no weight is none
        if not known:
            return odds
        share = self.scale * (math.sqrt(len(known)) if mean else 1)
        sums = unpacked(sum(known), len(odds))
        return [one + each / share for one, each in zip(odds, sums, strict=True)]


class Marking:
    """The words of one turn, with its names marked."""

    def __init__(self, text: str, known: Lexicon) -> None:
        self.text = plain(text)
        self.names = [each for each in known.matches(self.text) if each[2].slot == NAME]
        """The names in it: start, end, entry."""

    def words(self, this: str | None = None) -> list[str]:
        """The words; `this` is the name that is asked about, as a claim tells it."""
        text = self.text
        for start, end, entry in reversed(self.names):
            mark = signs.THIS if entry.value == this else signs.NAME
            text = f"{text[:start]} {mark} {text[end:]}"
        if this is not None and signs.THIS not in text:
            said = plain(this).removeprefix("the ")
            if said in text:
                text = re.sub(rf"(?<!\w){re.escape(said)}(?!\w)", f" {signs.THIS} ", text)
        return signs.words_of(text)


@lru_cache(maxsize=1)
def _believers() -> tuple[Believer, Believer]:
    """Of turns, and of names in them."""
    stored: dict[str, dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
    return _believer(**stored["turn"]), _believer(**stored["name"])


def _believer(
    acts: Sequence[str], bias: Sequence[float], scale: float, **tables: Mapping[str, Sequence[int]]
) -> Believer:
    weights = {
        kind: {sign: packed(each) for sign, each in table.items()} for kind, table in tables.items()
    }
    return Believer([Act(each) for each in acts], bias, scale=scale, **weights)


def weighed(
    claims: Sequence[Claim],
    text: str,
    known: Lexicon,
    user_said: str,
    *,
    about: str | None = None,
    given: Set[Act] | None = None,
) -> tuple[Claim, ...]:
    """The claims, those doubtful that the model does not believe, and those that it alone hears.

    `user_said`: the user's last words, made plain; `about`: the domain that it talks about.
    `given`: acts that need no belief, since an example of the project stands in the turn or it
    answers the user's question; None if there is none. Nor does a booking whose reference number
    is told, or one of two things that the rules tell apart: one booked, one refused. Time is linear
    in the text.
    """
    if len(text) > LONGEST:
        return tuple(claims)
    opinion = _Opinion(claims, text, known, user_said)
    proven = {*(given or ())}
    if any(claim.act is Act.REFERENCE and claim.holds for claim in claims):
        proven.add(Act.BOOKED)
    firm = {claim.act for claim in claims if _decisive(claim)}
    if firm >= signs.OF_BOOKINGS:
        proven |= signs.OF_BOOKINGS
    heard = [
        replace(claim, doubt=DOUBT)
        if _decisive(claim) and claim.act not in proven and opinion.against(claim)
        else claim
        for claim in claims
    ]
    alone = () if given is not None else [*opinion.bookings(about), *opinion.offers()]
    return (*heard, *alone)


def _decisive(claim: Claim) -> bool:
    """Whether verdicts hang on it and the rules are sure of it."""
    if claim.doubt or not claim.holds or claim.act not in LEAST:
        return False
    return claim.act in signs.OF_BOOKINGS or bool(claim.value)


class _Opinion:
    """What the model says of one turn, each part worked out once."""

    def __init__(self, claims: Sequence[Claim], text: str, known: Lexicon, user_said: str) -> None:
        self.claims = claims
        self.text = text
        self.marking = Marking(text, known)
        self.user_said = user_said
        self._by_name: dict[str, Mapping[Act, float]] = {}

    def against(self, claim: Claim) -> bool:
        """Whether the model does not believe that the turn claims it."""
        least = LEAST[claim.act]
        if claim.act in signs.OF_BOOKINGS:
            if claim.act is Act.BOOKED and declines_to_book(self.user_said):
                least = LEAST_UNASKED
            return self._turn[claim.act] < least
        return self._of_name(claim.value or "").get(claim.act, 1.0) < least

    def bookings(self, about: str | None) -> Iterator[Claim]:
        """Those made or refused that the model alone hears; none made for a user who wants none."""
        if len(self._words) < FEWEST or _VERB.search(self.marking.text) is None:
            return
        heard = {claim.act for claim in self.claims}
        if declines_to_book(self.user_said):
            heard.add(Act.BOOKED)
        for act in (Act.BOOKED, Act.BOOKING_FAILED):
            if act not in heard and self._turn[act] >= SURE[act]:
                yield Claim(act, about, sentence=self.text)

    def offers(self) -> Iterator[Claim]:
        """Offers of names that the model alone hears."""
        told = {claim.value for claim in self.claims if claim.act in signs.OF_NAMES}
        for entry in dict.fromkeys(entry for _, _, entry in self.marking.names):
            if entry.whole and not entry.everyday and entry.value not in told:
                told.add(entry.value)
                if self._of_name(entry.value).get(Act.OFFER, 0.0) >= SURE[Act.OFFER]:
                    yield Claim(Act.OFFER, entry.domain, NAME, entry.value, sentence=self.text)

    @cached_property
    def _words(self) -> list[str]:
        return self.marking.words()

    @cached_property
    def _turn(self) -> Mapping[Act, float]:
        wanted = asks_to_book(self.user_said)
        found = signs.of_turn(self._words, self.claims, self.user_said, wanted=wanted)
        return _believers()[0].probability(found)

    def _of_name(self, name: str) -> Mapping[Act, float]:
        """Nothing for a name that does not stand in the turn."""
        if name not in self._by_name:
            heard = [claim for claim in self.claims if claim.value == name]
            found = signs.of_name(self.marking.words(name), heard, self.user_said)
            self._by_name[name] = _believers()[1].probability(found) if found.words else {}
        return self._by_name[name]
