"""The arithmetic of tau2's reward, on a stand-in for a checkout."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.errors import JudgeFault, OracleFault, SimulatorFault
from pytest_todeval.worlds.tau2 import package
from pytest_todeval.worlds.tau2.backend import Tau2Backend
from pytest_todeval.worlds.tau2.reward import ENDED, tau2_rewards
from pytest_todeval.worlds.world import SentenceJudge
from tests.support.tau2_world import LEND_ATLAS, PACK_ATLAS, dialogue, lending_desk, play, task

IS_OUT = {
    "func_name": "assert_out",
    "arguments": {"book": "atlas", "out": True},
    "assert_value": True,
}


class Scene:
    """One played dialogue after another at the lending desk."""

    def __init__(self, home: Path) -> None:
        self.home = home

    def rewards(
        self,
        given: dict[str, Any],
        *actions: dict[str, Any],
        said: str = "Goodbye.",
        stop: StopReason = StopReason.USER_DONE,
        judge: SentenceJudge | None = None,
    ) -> dict[str, Verdict]:
        backend = Tau2Backend(self.home, "mock", given)
        play(backend, list(actions))
        return tau2_rewards(dialogue(said, stop=stop), backend, given, judge)


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    monkeypatch.setattr(package, "OLDEST", (3, 11))
    return Scene(lending_desk(tmp_path))


def lending(**arguments: Any) -> dict[str, Any]:
    return {**LEND_ATLAS, "arguments": arguments}


def test_the_reference_solution_gets_the_reward(scene: Scene) -> None:
    rewards = scene.rewards(task("DB"), LEND_ATLAS, PACK_ATLAS)
    assert list(rewards) == ["reward", "reward_db"]
    assert all(rewards.values())
    assert {verdict.definition for verdict in rewards.values()} == {"tau2 1"}


def test_another_way_to_the_same_end_gets_it_too(scene: Scene) -> None:
    look = {**LEND_ATLAS, "name": "look"}
    assert scene.rewards(task("DB"), PACK_ATLAS, look, LEND_ATLAS, LEND_ATLAS)["reward"]


def test_what_differs_is_named(scene: Scene) -> None:
    wrong = scene.rewards(task("DB"), lending(book="atlas", days=3))["reward_db"]
    assert not wrong
    assert "books/atlas/days: expected 14, got 3" in wrong.reason
    assert "books/atlas/out" not in wrong.reason  # as expected
    assert 'the user\'s bag/books: expected ["atlas"], got what it was' in wrong.reason


def test_the_users_database_counts_too(scene: Scene) -> None:
    missed = scene.rewards(task("DB"), LEND_ATLAS)["reward_db"]
    assert not missed
    assert missed.reason == 'the user\'s bag/books: expected ["atlas"], got what it was'


def test_equal_values_written_differently_differ(scene: Scene) -> None:
    wrong = scene.rewards(task("DB"), lending(book="atlas", days=14.0), PACK_ATLAS)["reward_db"]
    assert not wrong
    assert "books/atlas/days: expected 14, got 14.0" in wrong.reason


def test_many_differences_are_counted(scene: Scene) -> None:
    given = task("DB", actions=[])
    buy = {**LEND_ATLAS, "name": "buy", "arguments": {"book": "map"}}
    packing = [PACK_ATLAS, LEND_ATLAS, lending(book="novel"), buy]
    reason = scene.rewards(given, *packing)["reward_db"].reason
    assert reason.endswith("; and 1 more")


def test_both_sides_tools_count_as_actions(scene: Scene) -> None:
    assert scene.rewards(task("ACTION"), PACK_ATLAS, LEND_ATLAS)["reward_action"]
    missed = scene.rewards(task("ACTION"), LEND_ATLAS)
    assert not missed["reward"]
    assert missed["reward_action"].reason == "not called: pack(book='atlas')"


@pytest.mark.parametrize(
    ("criteria", "made", "kinds"),
    [
        ({}, (), ["missing_call", "missing_user_call"]),
        ({}, (LEND_ATLAS,), ["missing_user_call"]),
        ({}, (PACK_ATLAS,), ["missing_call"]),
        ({"basis": ("COMMUNICATE",)}, (LEND_ATLAS, PACK_ATLAS), ["missing_output"]),
        ({"basis": ("ACTION", "COMMUNICATE")}, (LEND_ATLAS,),
         ["missing_user_call", "missing_output"]),
        ({}, (LEND_ATLAS, PACK_ATLAS), []),
    ],
)  # fmt: skip
def test_what_went_wrong_is_told_by_kind(
    scene: Scene, criteria: dict[str, Any], made: tuple[dict[str, Any], ...], kinds: list[str]
) -> None:
    given = task(*criteria.get("basis", ("ACTION",)), communicate_info=["May 14"])
    failures = scene.rewards(given, *made)["reward"].failures
    assert [each.kind.value for each in failures] == kinds
    for each in failures:
        named = {"missing_call": "never made: lend(", "missing_user_call": "never made: pack("}
        assert each.detail.startswith(named.get(each.kind.value, ""))


def test_calls_before_the_dialogue_count_as_actions(scene: Scene) -> None:
    call = {"name": "lend", "arguments": {"book": "atlas"}}
    given = task("ACTION", actions=[LEND_ATLAS])
    given["initial_state"] = {"message_history": [{"role": "assistant", "tool_calls": []}]}
    assert not scene.rewards(given)["reward"]
    given["initial_state"]["message_history"][0]["tool_calls"] = [SimpleNamespace(**call)]
    assert scene.rewards(given)["reward"]


def test_assertions_look_at_the_end_state(scene: Scene) -> None:
    given = task("ENV_ASSERTION", "DB", env_assertions=[IS_OUT])
    assert scene.rewards(given, LEND_ATLAS, PACK_ATLAS)["reward"]
    failed = scene.rewards(given, PACK_ATLAS)["reward_env_assertion"]
    assert failed.reason == ("does not hold: assert_out(book='atlas', out=True) is True")


def test_an_assertion_that_only_this_dialogue_breaks_does_not_hold(scene: Scene) -> None:
    bought = {"func_name": "assert_out", "arguments": {"book": "map", "out": False}}
    assertion = {**bought, "assert_value": True}
    buy = {**LEND_ATLAS, "name": "buy", "arguments": {"book": "map"}}
    given = task("ENV_ASSERTION", actions=[buy], env_assertions=[assertion])
    assert scene.rewards(given, buy)["reward"]
    assert "is True ('map')" in scene.rewards(given)["reward_env_assertion"].reason


def test_an_assertion_that_never_can_be_checked_is_the_oracles_fault(scene: Scene) -> None:
    unknown = {**IS_OUT, "arguments": {"book": "scroll", "out": True}}
    given = task("ENV_ASSERTION", env_assertions=[unknown])
    with pytest.raises(OracleFault, match="even after its reference solution: 'scroll'"):
        scene.rewards(given, LEND_ATLAS)


def test_what_must_be_said_is_found_without_commas_and_case(scene: Scene) -> None:
    given = task("COMMUNICATE", communicate_info=["1200", "Room B"])
    assert scene.rewards(given, said="That is $1,200, in room b.")["reward"]
    assert scene.rewards(given, said="In room b.")["reward_communicate"].reason == (
        "not said: '1200'"
    )


def test_the_reward_is_the_product(scene: Scene) -> None:
    given = task("DB", "COMMUNICATE", communicate_info=["yes"])
    half = scene.rewards(given, LEND_ATLAS, PACK_ATLAS, said="no")
    assert (half["reward_db"].passed, half["reward_communicate"].passed) == (True, False)
    assert not half["reward"]
    assert half["reward"].reason == "reward_communicate failed: not said: 'yes'"


@pytest.mark.parametrize("stop", [StopReason.USER_GAVE_UP, StopReason.SYSTEM_DONE])
def test_either_side_may_end_it(scene: Scene, stop: StopReason) -> None:
    assert scene.rewards(task("DB"), LEND_ATLAS, PACK_ATLAS, stop=stop)["reward"]


def test_any_other_end_is_premature_and_no_reward(scene: Scene) -> None:
    for stop in set(StopReason) - set(ENDED):
        rewards = scene.rewards(task("DB"), LEND_ATLAS, PACK_ATLAS, stop=stop)
        assert list(rewards) == ["reward"], stop
        assert not rewards["reward"]
        assert f"prematurely ({stop})" in rewards["reward"].reason


NO_BOOK = lending(book="scroll")
NO_TOOL = {**PACK_ATLAS, "name": "lend"}


@pytest.mark.parametrize(("calls", "ended"), [(98, True), (99, False)])
def test_a_user_that_leaves_past_the_limit_of_steps_leaves_too_late(
    scene: Scene, calls: int, ended: bool
) -> None:
    rewards = scene.rewards(task("DB"), LEND_ATLAS, *[PACK_ATLAS] * (calls - 1))
    assert (len(rewards) > 1) is ended
    assert rewards["reward"].reason.startswith("100 replies and calls were made") is not ended


def test_ten_failed_calls_of_the_bot_are_a_premature_end(scene: Scene) -> None:
    failed = [NO_BOOK] * 10
    assert scene.rewards(task("DB"), LEND_ATLAS, PACK_ATLAS, *failed[1:])["reward"]
    rewards = scene.rewards(task("DB"), LEND_ATLAS, PACK_ATLAS, *failed, NO_TOOL)
    assert list(rewards) == ["reward"]
    assert rewards["reward"].value == 0
    assert rewards["reward"].reason.startswith("10 of the bot's calls failed")


@pytest.mark.parametrize(("by_bot", "by_user"), [(9, 1), (4, 6), (0, 10)])
def test_ten_with_those_of_the_user_are_not_the_bots_failure(
    scene: Scene, by_bot: int, by_user: int
) -> None:
    failed = [NO_BOOK] * by_bot + [NO_TOOL] * by_user
    assert scene.rewards(task("DB"), LEND_ATLAS, PACK_ATLAS, *failed[:-1])["reward"]
    told = rf"10 calls failed, {by_user} of them the simulated user's and {by_bot} the bot's"
    with pytest.raises(SimulatorFault, match=told):
        scene.rewards(task("DB"), LEND_ATLAS, PACK_ATLAS, *failed)


def test_a_tool_that_says_it_only_reads_is_not_played_again(scene: Scene) -> None:
    peek = {**LEND_ATLAS, "name": "peek"}  # it does write; tau2's evaluator never sees it
    assert scene.rewards(task("DB"), peek, LEND_ATLAS, PACK_ATLAS)["reward"]
    listing = {**LEND_ATLAS, "name": "list", "arguments": {"mark": True}}
    assert not scene.rewards(task("DB"), listing, LEND_ATLAS, PACK_ATLAS)["reward"]


def test_a_task_without_criteria_is_a_reward(scene: Scene) -> None:
    assert list(scene.rewards({"id": "t1"})) == ["reward"]
    assert scene.rewards({"id": "t1"})["reward"]
    assert scene.rewards(task("DB", actions=None), LEND_ATLAS)["reward"]  # as tau2 has it


class Judge:
    """Says yes to sentences that start with it, and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, sentence: str, dialogue: Dialogue) -> Verdict:
        self.asked.append(sentence)
        yes = sentence.startswith("yes")
        return Verdict("sentence", yes, "so it says", turns=(1,), basis="judged by m")


def test_sentences_are_judged(scene: Scene) -> None:
    given = task("NL_ASSERTION", nl_assertions=["yes, polite", "no, brief"])
    judge = Judge()
    rewards = scene.rewards(given, judge=judge)
    assert judge.asked == ["yes, polite", "no, brief"]
    assert rewards["reward_nl_assertion"].reason == "does not hold: no, brief (so it says)"
    assert rewards["reward_nl_assertion"].turns == (1,)
    assert {verdict.basis for verdict in rewards.values()} == {"judged by m"}
    given = task("NL_ASSERTION", nl_assertions=["yes, polite"])
    assert scene.rewards(given, judge=judge)["reward"]


def test_without_a_judge_only_what_needs_one_is_a_fault(scene: Scene) -> None:
    given = task("DB", "NL_ASSERTION", nl_assertions=["polite"])
    with pytest.raises(JudgeFault, match=r"no judge is set: name .*judge:MODEL"):
        scene.rewards(given, LEND_ATLAS, PACK_ATLAS)
    assert list(scene.rewards(given)) == ["reward", "reward_db"]  # lost whatever a judge says
    none = task("DB", "NL_ASSERTION", nl_assertions=None)
    assert scene.rewards(none, LEND_ATLAS, PACK_ATLAS)["reward_nl_assertion"]


def test_an_unknown_component_is_not_passed_over(scene: Scene) -> None:
    with pytest.raises(OracleFault, match="`reward_basis` names FASHION, expected of DB, "):
        scene.rewards(task("DB", "FASHION"), LEND_ATLAS, PACK_ATLAS)
