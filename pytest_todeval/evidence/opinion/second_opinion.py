"""A second opinion on what the rules heard: doubts, and bookings that they did not hear.

A small linear model of words and letters, trained by `benchmarks/train_opinion.py` on the batteries
in `tests/hearing`, says how likely a turn makes a claim; its weights are data of the package. What
the rules hear and the model does not believe is doubtful. In a turn in which the rules hear nothing
of bookings, a booking of which it is sure is a claim, and a refusal a doubtful one: a refusal that
was none would be charged to the bot.
"""

import json
import math
import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from pytest_todeval.core.claim import Act, Claim
from pytest_todeval.evidence.names.lexicon import NAME, Lexicon
from pytest_todeval.evidence.opinion import signs
from pytest_todeval.evidence.text.speech import asks_to_book, declines_to_book
from pytest_todeval.language.text import plain

__all__ = [
    "ALONE",
    "DOUBT",
    "FILE",
    "LEAST",
    "SURE",
    "Believer",
    "LinearModel",
    "Marking",
    "weighed",
]

FILE = Path(__file__).with_name("weights.json")
LONGEST = 4000
"""Characters of a turn that the model looks at: longer ones are left to the rules."""
FEWEST = 30
"""Signs of words in a turn; of shorter ones the model is never sure: "I am sorry, what day?"."""
DOUBT = "the turn's words as a whole do not sound like it"
ALONE = "the rules do not hear it; the turn's words as a whole sound like it"
LEAST: Mapping[str, float] = {
    "booked": 0.35,
    "booking_failed": 0.35,
    "offer": 0.35,
    "no_offer": 0.24,
}
"""Act -> the probability under which a claim is doubtful."""
LEAST_UNASKED = 0.6
"""Of a booking, if the user has just said that there is to be none."""
SURE: Mapping[str, float] = {"booked": 0.95, "booking_failed": 0.95}
"""Act -> the probability from which on a claim is made that the rules did not hear.

Both are chosen on authors unknown to rules and model (`benchmarks/train_opinion.py`)."""
_VERB = re.compile(
    r"(?<!\w)(?:is|are|was|were|be|been|has|have|had|got|will|can|could|do|does|did|done|go|going|"
    r"made|set|see|hope|thank|sorry|regret|confirm|enjoy|(?:look|wait|await|begin|start)s?)(?!\w)"
    r"|\w(?:'s|'re|'ve|'ll|n't|ed|s for)(?!\w)"
)


@dataclass(frozen=True, slots=True)
class LinearModel:
    """How likely one kind of signs of a turn says that it makes a claim of one act."""

    bias: float
    weights: Mapping[str, float]
    """Whole numbers in what is stored, so that their sum is the same in any order."""
    scale: float = 1.0
    """What they are divided by."""

    def score(self, found: Set[str]) -> float:
        """Above 0 if the claim is likelier made than not."""
        weights = self.weights
        known = [weights[sign] for sign in found if sign in weights]
        return self.bias + sum(known) / (self.scale * math.sqrt(len(known) or 1))


@dataclass(frozen=True, slots=True)
class Believer:
    """How likely a turn makes a claim of one act, by its words and by its letters."""

    words: LinearModel
    letters: LinearModel

    def probability(self, found: signs.Signs) -> float:
        """Between 0 and 1, given the signs of a turn or of a name in it."""
        score = (self.words.score(found.words) + self.letters.score(found.letters)) / 2
        return 1 / (1 + math.exp(-score))


class Marking:
    """The words of one turn, with its names marked."""

    def __init__(self, text: str, known: Lexicon) -> None:
        self.text = plain(text)
        self._names = [
            (start, end, entry.value)
            for start, end, entry in known.matches(self.text)
            if entry.slot == NAME
        ]

    def words(self, this: str | None = None) -> list[str]:
        """The words; `this` is the name that is asked about, as a claim tells it."""
        text = self.text
        for start, end, value in reversed(self._names):
            mark = signs.THIS if value == this else signs.NAME
            text = f"{text[:start]} {mark} {text[end:]}"
        if this is not None and signs.THIS not in text:
            said = re.escape(plain(this).removeprefix("the "))
            text = re.sub(rf"(?<!\w){said}(?!\w)", f" {signs.THIS} ", text)
        return signs.words_of(text)


@lru_cache(maxsize=1)
def _models() -> Mapping[str, Believer]:
    loaded: dict[str, dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
    return {
        act: Believer(LinearModel(**found["words"]), LinearModel(**found["letters"]))
        for act, found in loaded.items()
    }


def weighed(
    claims: Sequence[Claim],
    text: str,
    known: Lexicon,
    user_said: str,
    *,
    about: str | None = None,
    given: Set[Act] | None = None,
) -> tuple[Claim, ...]:
    """The claims, those doubtful that the model does not believe, and a booking or a refusal that
    it alone hears.

    `user_said`: the user's last words, made plain; `about`: the domain that it talks about.
    `given`: acts that need no belief, since an example of the project stands in the turn or it
    answers the user's question; None if there is none. Nor does a booking whose reference number
    is told. Time is linear in the text.
    """
    if len(text) > LONGEST:
        return tuple(claims)
    opinion = _Opinion(text, known, user_said)
    proven = {*(given or ())}
    if any(claim.act is Act.REFERENCE and claim.holds for claim in claims):
        proven.add(Act.BOOKED)
    weighed = [
        replace(claim, doubt=DOUBT)
        if _decisive(claim) and claim.act not in proven and opinion.against(claim)
        else claim
        for claim in claims
    ]
    if given is None and not any(claim.act in _OF_BOOKINGS for claim in claims):
        weighed += [
            Claim(act, about, sentence=text, doubt=doubt)
            for act, doubt in ((Act.BOOKED, ""), (Act.BOOKING_FAILED, ALONE))
            if opinion.sure(act)
        ]
    return tuple(weighed)


_OF_BOOKINGS = (Act.BOOKED, Act.BOOKING_FAILED)


def _decisive(claim: Claim) -> bool:
    """Whether verdicts hang on it and the rules are sure of it."""
    if claim.doubt or not claim.holds or claim.act.value not in LEAST:
        return False
    return claim.act in _OF_BOOKINGS or bool(claim.value)


class _Opinion:
    """What the model says of one turn, each part worked out once."""

    def __init__(self, text: str, known: Lexicon, user_said: str) -> None:
        self.marking = Marking(text, known)
        self.user_said = user_said
        self._by_name: dict[str, signs.Signs] = {}

    def against(self, claim: Claim) -> bool:
        """Whether the model does not believe that the turn claims it."""
        found = self._of_name(claim.value) if claim.act not in _OF_BOOKINGS else self._turn
        act = claim.act.value
        least = LEAST[act]
        if claim.act is Act.BOOKED and declines_to_book(self.user_said):
            least = LEAST_UNASKED
        return bool(found.words) and _models()[act].probability(found) < least

    def sure(self, act: Act) -> bool:
        """Whether the model is sure that the turn claims it.

        Never without a verb: "Your table for four, on Friday." may ask, confirm or begin.
        """
        if len(self._turn.words) < FEWEST or _VERB.search(self.marking.text) is None:
            return False
        return _models()[act.value].probability(self._turn) >= SURE[act.value]

    @cached_property
    def _turn(self) -> signs.Signs:
        return signs.of_turn(self.marking.words(), wanted=asks_to_book(self.user_said))

    def _of_name(self, name: str | None) -> signs.Signs:
        if name is None:
            return signs.NO_SIGNS
        if name not in self._by_name:
            self._by_name[name] = signs.of_name(self.marking.words(name))
        return self._by_name[name]
