"""Goals that a bot passes by doing nothing: which they are, why, and at what cost."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

from pytest_todeval.backends.multiwoz import MultiwozBackend, MultiwozDatabase
from pytest_todeval.backends.tool_domain import ToolDomain
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.core.steps import Condition, Step
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.errors import JudgeFault
from pytest_todeval.evaluate.metrics import task_success
from pytest_todeval.goals import store
from pytest_todeval.runs.reports.terminal import trivial_count, trivial_lines
from pytest_todeval.simulation.agenda import AgendaUser
from pytest_todeval.simulation.loop import run_dialogue
from pytest_todeval.worlds import registry
from pytest_todeval.worlds import trivial as module
from pytest_todeval.worlds.files.world import FileWorld
from pytest_todeval.worlds.goal_set import GoalSet
from pytest_todeval.worlds.tasks import TaskWorld
from pytest_todeval.worlds.tau2.world import Tau2World
from pytest_todeval.worlds.trivial import GOODBYE, idle_dialogue, trivial
from pytest_todeval.worlds.world import World

SHOP_CALLED_GOODBYE = Goal("named", "own", (DomainGoal("shop", {"name": "Goodbye"}),))
SHOP = Goal("shop", "own", (DomainGoal("shop", {"name": "Pennywise"}),))
SPA = Goal("spa", "own", (DomainGoal("spa", wants_booking=True),))
NO_SOUND = Goal("no-sound", "own", (), ("Your headset is silent.",), "Switch off the mute key.")


@pytest.fixture(autouse=True)
def nothing_known() -> None:
    """What other tests found is not found again here: sets of one fingerprint share it."""
    module._known.cache_clear()


OWN = FileWorld(Path("own.yaml"))


def own(*goals: Goal, fingerprint: str = "000000000000") -> GoalSet:
    return GoalSet("own", goals, fingerprint, OWN)


def why_trivial(goal: Goal, goal_set: GoalSet) -> str | None:
    return trivial(goal, goal_set).passes


def untold(goal: Goal, goal_set: GoalSet) -> str | None:
    return trivial(goal, goal_set).untold


def test_a_step_left_by_its_condition_is_no_trivial_goal() -> None:
    given = {"visit": ({"id": "A17", "fee": 40},)}
    for bound in ("at most 20", "over 20"):
        step = Step("cancel", "visit", {"id": "A17"}, condition=Condition.read("fee", bound))
        goal = Goal(bound, "own", (), steps=(step,), given=given)
        assert why_trivial(goal, own(goal)) is None


def test_what_the_bot_that_does_nothing_says_can_be_what_a_goal_wants() -> None:
    goals = own(SHOP_CALLED_GOODBYE, SHOP, SPA)
    assert [why_trivial(goal, goals) is not None for goal in goals.goals] == [True, False, False]
    why = why_trivial(SHOP_CALLED_GOODBYE, goals)
    assert why == "'Goodbye.' passes success (every request was answered)"


def test_what_is_to_be_booked_must_be() -> None:
    booked = replace(SHOP_CALLED_GOODBYE.domains[0], wants_booking=True)
    goal = replace(SHOP_CALLED_GOODBYE, domains=(booked,))
    assert why_trivial(goal, own(goal)) is None


def test_the_database_is_asked_where_the_goals_come_with_one() -> None:
    goal = Goal("1", "own", (DomainGoal("restaurant", {"name": "Goodbye"}),))
    assert why_trivial(goal, own(goal))
    known = replace(own(goal), world=replace(OWN, database=store.DEMO))
    assert why_trivial(goal, known) is None  # there is no such restaurant


def test_no_goal_of_the_demo_is_trivial() -> None:
    goals = registry.load("demo")
    assert goals.goals
    assert [goal.id for goal in goals.goals if why_trivial(goal, goals)] == []


def test_a_dialogue_that_is_really_played_comes_to_the_same() -> None:
    goals = registry.load("demo")
    database = MultiwozDatabase.load(store.DEMO)
    for goal in goals.goals[::4]:
        backend = MultiwozBackend(database, goal)
        user = AgendaUser(goal, database.vocabulary(), seed=0)
        played = run_dialogue(goal, user, lambda text: GOODBYE, backend=backend)
        verdicts = task_success.evaluate(played, backend)
        assert not (verdicts["success"] and verdicts["booking"])


def test_a_goal_without_domains_is_not_passed_by_what_does_not_apply() -> None:
    goals = own(NO_SOUND)
    assert why_trivial(NO_SOUND, goals) is None
    told = untold(NO_SOUND, goals)
    assert told is not None
    assert "judge.goal_completion" in told
    assert "mute" not in told
    assert untold(SHOP, own(SHOP)) is None


def test_the_user_states_the_whole_goal_and_the_bot_does_nothing() -> None:
    goal = replace(SHOP, message=("You want a <b>shop</b>.", "It is called Pennywise"))
    dialogue = idle_dialogue(goal)
    (turn,) = dialogue.turns
    assert turn.user.splitlines() == ["You want a shop.", "It is called Pennywise."]
    assert (turn.index, turn.system) == (1, GOODBYE)
    assert dialogue.tool_calls == ()
    assert dialogue.stop_reason is StopReason.USER_DONE
    assert idle_dialogue(Goal("empty", "own", ())).turns


def test_only_the_goals_asked_about_are_evaluated_and_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    evaluated: list[str] = []
    really = task_success.evaluate

    def counted(dialogue: Any, backend: Any = None) -> Any:
        evaluated.append(dialogue.goal.id)
        return really(dialogue, backend)

    monkeypatch.setattr(task_success, "evaluate", counted)
    goals = registry.load("demo")
    for _ in range(2):
        again = replace(goals)  # as another test's marker would load it
        for goal in again.goals[:5]:
            why_trivial(goal, again)
            untold(goal, again)
    assert evaluated == [goal.id for goal in goals.goals[:5]]


def test_a_changed_goal_set_is_looked_at_anew() -> None:
    assert why_trivial(SHOP_CALLED_GOODBYE, own(SHOP_CALLED_GOODBYE))
    mended = replace(SHOP_CALLED_GOODBYE, domains=SHOP.domains)
    assert why_trivial(mended, own(mended, fingerprint="111111111111")) is None


def test_a_goal_that_a_suite_changes_is_looked_at_anew_though_its_id_is_the_same() -> None:
    goals = own(SHOP_CALLED_GOODBYE)
    assert why_trivial(SHOP_CALLED_GOODBYE, goals)
    assert why_trivial(replace(SHOP_CALLED_GOODBYE, domains=SHOP.domains), goals) is None


# Tasks over tools and tables


class Close:
    """A tool that closes a ticket."""

    schema: Mapping[str, Any] = {"type": "function", "function": {"name": "close"}}

    def invoke(self, data: Any, /, **arguments: Any) -> str:
        data["tickets"][arguments["ticket"]]["open"] = arguments.get("open", False)
        return "done"


class Desk(TaskWorld):
    """A world of two tickets."""

    tickets: ClassVar[Mapping[str, Any]] = {"T1": {"open": True}, "T2": {"open": False}}

    def tool_domain(self) -> ToolDomain:
        return ToolDomain("desk", {"tickets": self.tickets}, {"close": Close()}, "Be kind.")


@pytest.fixture
def desk() -> Iterator[World]:
    yield Desk()
    assert Desk.tickets == {"T1": {"open": True}, "T2": {"open": False}}


def task(id: str, *actions: Mapping[str, Any], outputs: tuple[str, ...] = ()) -> Goal:
    raw = {"actions": [{"name": "close", "kwargs": kwargs} for kwargs in actions]}
    return Goal(id, "desk", (), ("You ask.",), raw={**raw, "outputs": list(outputs)})


def test_a_task_whose_actions_change_nothing_and_that_asks_for_no_output(desk: World) -> None:
    expected = {
        "refusal": task("refusal"),
        "closed-before": task("closed-before", {"ticket": "T2"}),
        "there-and-back": task("there-and-back", {"ticket": "T1"}, {"ticket": "T1", "open": True}),
        "fails": task("fails", {"ticket": "T3"}),
        "polite": task("polite", outputs=("Good",)),
    }
    others = {
        "closes": task("closes", {"ticket": "T1"}),
        "tells": task("tells", outputs=("T1",)),
        "both": task("both", {"ticket": "T1"}, outputs=("goodbye",)),
    }
    goals = (*expected.values(), *others.values())
    goal_set = GoalSet("desk", goals, "222222222222", world=desk)
    found = {goal.id: why for goal in goals if (why := why_trivial(goal, goal_set))}
    assert list(found) == list(expected)
    unchanged = "its actions leave the database as it was"
    assert found["refusal"] == f"{unchanged}, and nothing is to be told"
    assert found["polite"] == f"{unchanged}, and 'Goodbye.' holds all that is to be told"


def test_the_service_desk_knows_which_of_its_tasks_are() -> None:
    goals = registry.load("service_desk")
    found = {goal.id for goal in goals.goals if why_trivial(goal, goals)}
    assert found == {goal.id for goal in goals.goals if goal.raw["trivial"]}
    assert 0 < len(found) < len(goals.goals)


def test_a_task_without_gold_actions_is_told_nothing_of(desk: World) -> None:
    broken = Goal("broken", "desk", (), ("You ask.",), raw={"actions": "none"})
    goals = GoalSet("desk", (broken,), "333333333333", world=desk)
    assert why_trivial(broken, goals) is None
    assert "no gold actions" in str(untold(broken, goals))


@pytest.mark.parametrize(
    ("passed", "expected"),
    [(True, "all that its reward hangs on holds: reward_db"), (False, None)],
)
def test_a_task_of_tau2_goes_by_tau2s_reward(
    monkeypatch: pytest.MonkeyPatch, passed: bool, expected: str | None
) -> None:
    goals = tau2_set(monkeypatch, passed)
    assert why_trivial(goals.goals[0], goals) == expected
    assert untold(goals.goals[0], goals) is None


def test_where_a_reward_hangs_on_a_judge_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    goals = tau2_set(monkeypatch, None)
    assert why_trivial(goals.goals[0], goals) is None
    assert untold(goals.goals[0], goals) == "a judge must read it"


def tau2_set(monkeypatch: pytest.MonkeyPatch, passed: bool | None) -> GoalSet:
    """A set of one task; None: a judge must tell."""
    from pytest_todeval.worlds.tau2 import reward as tau2_reward

    def judged(dialogue: Dialogue, backend: object, task: object) -> dict[str, Verdict]:
        if passed is None:
            raise JudgeFault("a judge must read it")
        assert {turn.system for turn in dialogue.turns} == {GOODBYE}
        return {name: Verdict(name, passed, "so") for name in ("reward", "reward_db")}

    monkeypatch.setattr(Tau2World, "backend", lambda self, goal: None)
    monkeypatch.setattr(tau2_reward, "tau2_rewards", judged)
    goal = Goal("1", "tau2/mock", (), ("You ask.",), raw={"id": "1"})
    return GoalSet("tau2/mock", (goal,), "444444444444", world=Tau2World("mock"))


# What the run shows


def test_the_line_of_the_summary() -> None:
    found = {f"desk/test-{number}": "why" for number in (10, 9, 2)}
    assert list(trivial_lines(found, 50)) == [
        "  3 of 50 goals are passed by a bot that does nothing: "
        "desk/test-2, desk/test-9, desk/test-10"
    ]
    (line,) = trivial_lines(["desk/test-1"], 1)
    assert line == "  1 of 1 goals is passed by a bot that does nothing: desk/test-1"
    assert list(trivial_lines({}, 50)) == []
    assert trivial_count(0, 50) == "none of 50 goals is passed by a bot that does nothing"


def test_the_line_stays_short_and_the_same_whatever_the_order() -> None:
    names = [f"test-{number}" for number in range(30)]
    (line,) = trivial_lines(names, 50)
    assert line.endswith("test-8, test-9 and 20 more")
    assert list(trivial_lines(names[::-1], 50)) == [line]
    assert list(trivial_lines(["9", "a", "a-1-b", "a-b"], 50))  # any mix of names has an order
