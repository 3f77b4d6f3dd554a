"""A test file as a user writes it who annotates fixtures: mypy checks it, `tests/plugin` runs it.

Each `type: ignore` is a mistake that mypy has to find: an ignore without one is an error.
"""

import pytest

from pytest_todeval import Dialogue, Goal, Judge, Verdict
from pytest_todeval.judge import TurnScores


@pytest.mark.goals("demo", domains=["hotel"], booking=True, limit=1)
def test_books_the_hotel(dialogue: Dialogue, judge: Judge, goal: Goal) -> None:
    scores: TurnScores = judge.turns(dialogue)
    assert scores.policy_compliance >= 4
    assert scores.scores["backend_consistency"] > 1
    assert scores.conversation_cohesion[0].reason
    assert judge.rules(dialogue, "hotel")
    assert not judge.rules(dialogue).broken
    assert judge.coverage(dialogue).score >= 0.5
    verdict: Verdict = judge.completion(dialogue)
    assert verdict
    assert dialogue.booking == True  # noqa: E712
    assert dialogue.latency.p90 <= 30
    assert dialogue.final_bookings[0].domain == goal.domains[0].domain
    assert [turn.user for turn in dialogue.turns]


def test_mistakes_are_found(judge: Judge) -> None:
    """Never called: what a type checker has to say of it."""

    def misspelt(dialogue: Dialogue) -> None:
        judge.trns(dialogue)  # type: ignore[attr-defined]
        judge.turns(dialogue).policy_complience  # type: ignore[attr-defined]  # noqa: B018
        judge.turns(dialogue).policy_compliance >= "4"  # type: ignore[operator]  # noqa: B015
        judge.turns()  # type: ignore[call-arg]
        judge.holds(dialogue)  # type: ignore[call-arg]
        dialogue.bookings  # type: ignore[attr-defined]  # noqa: B018
        dialogue.booking.reson  # type: ignore[attr-defined]  # noqa: B018

    assert callable(misspelt)
    assert {"turns", "rules", "quality"} <= set(dir(judge))
    assert hasattr(judge, "quality")
    assert not hasattr(judge, "qality")
