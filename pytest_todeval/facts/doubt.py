"""What would be known if doubtful claims were misheard: on what of it does a finding hang?"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from pytest_todeval.core.dialogue_act import DialogueAct, Factuality
from pytest_todeval.core.notation import notation
from pytest_todeval.facts.dialogue import Evidence, TurnFacts

T = TypeVar("T")

MOST = 8
"""Doubtful claims that are looked at one by one; all together are looked at in any case."""
SHOWN = 200
"""Characters of a sentence that are quoted."""

_Place = tuple[int, int]
"""The turn's index, and the claim's place in what was heard there."""


def other_readings(evidence: Evidence) -> list[tuple[Evidence, str]]:
    """Returns the same dialogue with a doubtful claim heard otherwise, and the doubt in a sentence.

    First each claim alone, then all together. A doubtful claim that holds is left out; one that
    does not is asserted. Empty if nothing was heard with doubt.
    """
    found = list(_doubtful(evidence))
    single = [
        (_otherwise(evidence, [place]), _told(facts, claim)) for place, facts, claim in found[:MOST]
    ]
    if len(found) < 2:
        return single
    every = _otherwise(evidence, [place for place, _, _ in found])
    told = "; ".join(told for _, told in single[:2])
    rest = f"; and {len(found) - 2} more" if len(found) > 2 else ""
    return [*single, (every, told + rest)]


def hangs_on(found: T, others: Sequence[tuple[T, str]], differs: Callable[[T, T], bool]) -> str:
    """The doubt on which a finding hangs, given what is found in each other reading; else empty."""
    return next((doubt for other, doubt in others if differs(found, other)), "")


def _doubtful(evidence: Evidence) -> Iterator[tuple[_Place, TurnFacts, DialogueAct]]:
    for facts in evidence.told:
        for at, claim in enumerate(facts.heard):
            if claim.doubt:
                yield (facts.index, at), facts, claim


def _otherwise(evidence: Evidence, places: Sequence[_Place]) -> Evidence:
    def turns(told: Sequence[TurnFacts]) -> tuple[TurnFacts, ...]:
        return tuple(
            _turn(facts, [at for turn, at in places if turn == facts.index]) for facts in told
        )

    return replace(evidence, turns=turns(evidence.turns), opening=turns(evidence.opening))


def _turn(facts: TurnFacts, places: Sequence[int]) -> TurnFacts:
    if not places:
        return facts
    heard = [
        replace(claim, factuality=Factuality.ASSERTED) if at in places else claim
        for at, claim in enumerate(facts.heard)
        if at not in places or not claim.holds
    ]
    return replace(facts, heard=tuple(heard))


def doubted(facts: TurnFacts, heard: str, why: str, sentence: str = "") -> str:
    """A doubt in a sentence: what a turn says, what is heard in it, why that may be wrong."""
    said = " ".join((sentence or facts.text).split())
    quoted = said if len(said) <= SHOWN else f"{said[:SHOWN]} ..."
    return f'turn {facts.index} says "{quoted}", heard as {heard}: {why}'


def _told(facts: TurnFacts, claim: DialogueAct) -> str:
    return doubted(facts, f"`{notation(claim)}`", claim.doubt, claim.sentence)
