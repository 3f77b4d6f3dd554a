"""Doubts about what the rules heard, if the words of the turn speak against it.

A small linear model, trained by `benchmarks/train_opinion.py` on the batteries in `tests/hearing`,
says how likely a turn makes a claim; its weights are data of the package. It never adds a claim and
takes none away: what the rules hear although the model is sure of the contrary is doubtful.
"""

import json
import math
import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from pytest_todeval.core.claim import Act, Claim
from pytest_todeval.evidence.names.lexicon import NAME, Lexicon
from pytest_todeval.evidence.opinion import signs
from pytest_todeval.evidence.text.speech import asks_to_book
from pytest_todeval.language.text import plain

__all__ = ["DOUBT", "FILE", "LEAST", "LinearModel", "Marking", "weighed"]

FILE = Path(__file__).with_name("weights.json")
LONGEST = 4000
"""Characters of a turn that the model looks at: longer ones are left to the rules."""
DOUBT = "the turn's words as a whole do not sound like it"
LEAST: Mapping[str, float] = {
    "booked": 0.3,
    "booking_failed": 0.26,
    "offer": 0.4,
    "no_offer": 0.24,
}
"""Act -> the probability under which a claim is doubtful: chosen so that of authors unknown to the
rules about five right claims in a hundred become doubtful (`benchmarks/train_opinion.py`)."""


@dataclass(frozen=True, slots=True)
class LinearModel:
    """How likely a turn makes a claim of one act, by the signs in it."""

    bias: float
    weights: Mapping[str, float]

    def probability(self, found: Set[str]) -> float:
        """Between 0 and 1, given the signs of a turn or of a name in it."""
        weights = self.weights
        known = [weights[sign] for sign in found if sign in weights]
        score = self.bias + sum(known) / math.sqrt(len(known) or 1)
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
def _models() -> Mapping[str, LinearModel]:
    loaded: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return {
        act: LinearModel(
            found["bias"], {s: w / found["scale"] for s, w in found["weights"].items()}
        )
        for act, found in loaded.items()
    }


def weighed(
    claims: Sequence[Claim],
    text: str,
    known: Lexicon,
    user_said: str,
    *,
    taught: Set[Act] = frozenset(),
) -> tuple[Claim, ...]:
    """The claims; those that the model does not believe are doubtful.

    `user_said`: the user's last words, made plain. `taught`: acts of which an example of the
    project stands in the turn; those are as it says, and so is a booking whose reference number is
    told. Time is linear in the text.
    """
    proven = {*taught}
    if any(claim.act is Act.REFERENCE and claim.holds for claim in claims):
        proven.add(Act.BOOKED)
    open_claims = [claim for claim in claims if _decisive(claim) and claim.act not in proven]
    if not open_claims or len(text) > LONGEST:
        return tuple(claims)
    opinion = _Opinion(Marking(text, known), wanted=asks_to_book(user_said))
    doubtful = {id(claim) for claim in open_claims if opinion.against(claim)}
    return tuple(replace(one, doubt=DOUBT) if id(one) in doubtful else one for one in claims)


def _decisive(claim: Claim) -> bool:
    """Whether verdicts hang on it and the rules are sure of it."""
    if claim.doubt or not claim.holds or claim.act.value not in LEAST:
        return False
    return claim.act in (Act.BOOKED, Act.BOOKING_FAILED) or bool(claim.value)


class _Opinion:
    """What the model says of one turn, each part worked out once."""

    def __init__(self, marking: Marking, *, wanted: bool) -> None:
        self.marking = marking
        self.wanted = wanted
        self._turn: Set[str] | None = None
        self._by_name: dict[str, Set[str]] = {}

    def against(self, claim: Claim) -> bool:
        """Whether the model is sure that the turn does not claim it."""
        found = self._signs(claim)
        act = claim.act.value
        return bool(found) and _models()[act].probability(found) < LEAST[act]

    def _signs(self, claim: Claim) -> Set[str]:
        if claim.value and claim.act in (Act.OFFER, Act.NO_OFFER):
            if claim.value not in self._by_name:
                self._by_name[claim.value] = signs.of_name(self.marking.words(claim.value))
            return self._by_name[claim.value]
        if self._turn is None:
            self._turn = signs.of_turn(self.marking.words(), wanted=self.wanted)
        return self._turn
