"""A play: what a test's dialogue needs, made once."""

from dataclasses import replace
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.errors import BackendError, JudgeFault, SimulatorFault, UsageError
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


class Own(World):
    """A world of one's own, which answers what it was made with, or raises it."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def _answered(self, *_: Any, **__: Any) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    backend = user = impossible = evaluate = _answered


def own(answer: Any, **changes: Any) -> Play:
    return replace(play(None), goal_set=GoalSet("own", (GOAL,), "0", Own(answer)), **changes)


def test_what_a_world_says_is_handed_on() -> None:
    assert own("no room").impossible() == "no room"
    assert own(None).impossible() is None
    assert own("a backend").backend() == "a backend"
    assert own("a user").user() == "a user"
    verdicts = {"success": Verdict("success", True, "yes")}
    assert own(verdicts).evaluate(Dialogue(GOAL), None) == verdicts


@pytest.mark.parametrize(
    ("method", "error"),
    [
        (Play.impossible, JudgeFault),
        (Play.backend, BackendError),
        (Play.user, SimulatorFault),
        (lambda play: play.evaluate(Dialogue(GOAL), None), JudgeFault),
    ],
)
def test_what_a_world_raises_is_a_fault_of_its_own(method: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"own/1: Own\.\w+ raised KeyError: 'x' .*; correct it there"):
        method(own(KeyError("x")))
    with pytest.raises(UsageError, match=r"^as it is$"):
        method(own(UsageError("as it is")))


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (None, r"own/1: Own\.evaluate returned NoneType None, expected a mapping"),
        ({"a": Verdict("a", True, ""), "b": 1}, r"Own\.evaluate returned, as 'b', int 1, expected"),
    ],
)
def test_what_is_no_verdict(found: Any, told: str) -> None:
    with pytest.raises(JudgeFault, match=told):
        own(found).evaluate(Dialogue(GOAL), None)


def test_how_many_turns_a_dialogue_may_have() -> None:
    def turns(backend: Any = None, **how: Any) -> int:
        return own(None, how=PlaySettings(**how)).limits(backend).max_turns

    assert turns() == 30
    assert turns(protocol="lenient") == 30
    assert turns(protocol="strict") == 15
    assert turns(protocol="strict", max_turns=3) == 3


def test_who_hears_and_what_is_varied() -> None:
    assert play("m").hears == "rules"
    assert replace(play(None), cast=Cast(model="ear:e", ear="model")).hears == "model e"
    assert play("m").variation_definition == ""


def test_a_benchmarks_own_user_plays_its_tasks_alone() -> None:
    with pytest.raises(UsageError, match="the user 'tau2' plays the tasks of its own benchmark, "):
        play("m").model_user("tau2", None)
    assert play("m").model_user("vanilla", None).strategy.name == "vanilla"


def test_nobody_asks_if_a_goal_is_trivial_unless_the_run_does() -> None:
    assert own(None).why_trivial(None) == ""
    assert own(None).judged_coverage(Dialogue(GOAL), None) is None
    heard = replace(play("judge:m"), cast=Cast(model="judge:m", coverage="model"))
    assert heard.judged_coverage(Dialogue(GOAL), None) is None, "no turn, no domain"
