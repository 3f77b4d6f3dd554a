"""A play: what a test's dialogue needs, made once."""

from dataclasses import replace
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.errors import SimulatorFault, UsageError
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


def test_a_papers_user_plays_as_many_turns_as_its_paper() -> None:
    def turns(**how: Any) -> int:
        return replace(play("m"), how=PlaySettings(**how)).limits(None).max_turns

    assert (turns(), turns(user="clem_todd"), turns(user="agenda")) == (30, 30, 30)
    assert (turns(user="clem_todd_published"), turns(user="autotod")) == (15, 15)
    assert turns(user="autotod", max_turns=4) == 4
    with pytest.raises(UsageError, match="max_turns is 0"):
        turns(user="autotod", max_turns=0)


def test_what_was_recorded_is_heard_as_it_was() -> None:
    asked = replace(play(None), cast=Cast(variation="easy"))
    assert asked.variation_definition.startswith("easy by rule 1 (")
    again = replace(asked, how=PlaySettings(user="recorded"))
    assert (again.variation(), again.variation_definition) == (None, "")


def test_autotods_user_gets_the_dialogue_that_the_world_knows() -> None:
    class Told(World):
        def reference(self, goal: Goal) -> list[Turn]:
            return [Turn(1, f"I want {goal.id}.", "Fine.")]

    class Broken(World):
        def reference(self, goal: Goal) -> list[Turn]:
            raise ValueError("no file")

    goal = Goal("a room", "own", (DomainGoal("hotel", {"area": "north"}),))
    sets = [GoalSet("own", (goal,), "0", world) for world in (Told(), Broken())]
    told, broken = (replace(play("m"), goal=goal, goal_set=each) for each in sets)
    assert told.llm_user("autotod", None).respond(None).text == "I want a room."
    with pytest.raises(SimulatorFault, match=r"Broken.reference raised ValueError: no file"):
        broken.llm_user("autotod", None)
    assert broken.llm_user("vanilla", None).strategy.name == "vanilla"


def test_without_a_model_nobody_reads_sentences() -> None:
    assert play(None).sentence_judge(None) is None


def test_nothing_is_asked_more_strictly_than_a_run_says() -> None:
    usual = play(None)
    asked = (usual.strict_outputs, usual.exclude_trivial, usual.refuses_claims)
    assert asked == (False, False, False)
