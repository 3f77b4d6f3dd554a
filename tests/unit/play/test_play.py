"""A play: what a test's dialogue needs, made once."""

from typing import Any

import pytest

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.play.cast import Cast
from pytest_todeval.play.play import Play
from pytest_todeval.play.settings import PlaySettings
from pytest_todeval.worlds.goal_set import GoalSet
from pytest_todeval.worlds.world import World

GOAL = Goal("1", "own", ())


class Judge:
    """Finds all sentences true."""

    def holds(self, dialogue: Dialogue, sentence: str) -> Verdict:
        return Verdict("statement", True, sentence)


def play(model: str | None) -> Play:
    goals = GoalSet("own", (GOAL,), "0", World())
    cast = Cast(model=model)
    return Play(goal=GOAL, goal_set=goals, trial=0, how=PlaySettings(), cast=cast)


def test_all_sentences_of_a_reward_are_read_by_one_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Judge] = []

    def make(self: Cast, how: PlaySettings, backend: Any, *, fused: bool = False) -> Judge:
        made.append(Judge())
        return made[-1]

    monkeypatch.setattr(Cast, "llm_judge", make)
    holds = play("judge:any").sentence_judge(None)
    assert holds is not None
    assert made == []  # most tasks ask nothing
    assert [holds(sentence, Dialogue(GOAL)).reason for sentence in ("a", "b")] == ["a", "b"]
    assert len(made) == 1


def test_without_a_model_nobody_reads_sentences() -> None:
    assert play(None).sentence_judge(None) is None


def test_nothing_is_asked_more_strictly_than_a_run_says() -> None:
    usual = play(None)
    asked = (usual.strict_outputs, usual.exclude_trivial, usual.refuses_claims)
    assert asked == (False, False, False)
