"""tau-bench's reward: end state, outputs, and what the verdicts say of each."""

from dataclasses import replace

import pytest

from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.backends.tool_backend import ToolBackend
from pytest_todeval.backends.tool_domain import ToolDomain
from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.errors import OracleFault
from pytest_todeval.evaluate.metrics.reward import gold_of, rewards
from pytest_todeval.evaluate.metrics.state_difference import differences
from pytest_todeval.runs.reports.entry import dialogue_entry
from pytest_todeval.runs.reports.results import environment, results
from pytest_todeval.runs.reports.stored import dialogue_of
from tests.support.library_world import Action, SetField, goal, library, set_field

GOLD = set_field("L1", "weeks", 4)


@pytest.fixture
def domain() -> ToolDomain:
    return library()


def played(domain: ToolDomain, *actions: Action) -> ToolBackend:
    backend = ToolBackend(domain)
    for action in actions:
        backend.call(action["name"], **action["kwargs"])
    return backend


def said(goal: Goal, *replies: str, stop: StopReason = StopReason.USER_DONE) -> Dialogue:
    turns = tuple(Turn(number, "yes", reply) for number, reply in enumerate(replies, 1))
    return Dialogue(goal, turns, stop)


def test_right_state_and_right_outputs(domain: ToolDomain) -> None:
    wanted = goal([GOLD], ["1200", "Atlas"])
    dialogue = said(wanted, "Hello.", "It is 1,200 in all.", "The ATLAS, then.")
    found = rewards(dialogue, played(domain, GOLD))
    assert {name: bool(verdict) for name, verdict in found.items()} == {
        "reward": True,
        "reward_actions": True,
        "reward_outputs": True,
    }
    assert found["reward"].value == 1.0
    assert found["reward_outputs"].turns == (2, 3)
    assert found["reward"].definition == "tau-bench 1"


def test_the_turn_of_the_last_change_is_that_of_the_actions(domain: ToolDomain) -> None:
    backend = played(domain, set_field("L1", "weeks", 5), GOLD, GOLD)
    first, *rest = (Turn(n, "yes", "Done.", (call,)) for n, call in enumerate(backend.trace, 1))
    dialogue = Dialogue(goal([GOLD], ["Done"]), (first, *rest), StopReason.USER_DONE)
    found = rewards(dialogue, backend)
    assert found["reward_actions"].turns == (2,)
    assert replace(dialogue, verdicts=found).turns_to_done == 2


def test_who_changed_the_tables_wrongly_is_named_with_the_turn(domain: ToolDomain) -> None:
    backend = played(domain, set_field("L1", "weeks", 5))
    turns = (Turn(1, "hi", "Hello."), Turn(2, "yes", "Done.", tuple(backend.trace)))
    found = rewards(Dialogue(goal([GOLD]), turns, StopReason.USER_DONE), backend)
    assert found["reward"].reason.endswith("expected 4, got 5 (changed by set_field in turn 2)")
    assert found["reward"].turns == (2,)
    idle = rewards(said(goal([GOLD]), "Done."), played(domain))
    assert idle["reward"].reason.endswith(" (no call of the bot has changed anything)")


def test_a_wrong_field_is_named_with_what_was_expected(domain: ToolDomain) -> None:
    found = rewards(said(goal([GOLD])), played(domain, set_field("L1", "weeks", 5)))
    assert not found["reward_actions"]
    assert found["reward"].value == 0.0
    told = "the database is not as expected: loans L1, weeks: expected 4, got 5"
    assert found["reward_actions"].reason == told
    assert found["reward"].reason == told
    assert not found["reward_outputs"].applicable


def test_what_was_not_changed_and_what_should_not_have_been(domain: ToolDomain) -> None:
    other = set_field("L2", "weeks", 9)
    reason = rewards(said(goal([GOLD])), played(domain, other))["reward_actions"].reason
    assert "loans L1, weeks: expected 4, got 2" in reason
    assert "loans L2, weeks: expected 3, got 9" in reason


def test_a_whole_number_is_not_its_float(domain: ToolDomain) -> None:
    found = rewards(said(goal([GOLD])), played(domain, set_field("L1", "weeks", 4.0)))
    assert not found["reward_actions"]
    assert "expected 4, got 4.0" in found["reward_actions"].reason


def test_a_removed_record(domain: ToolDomain) -> None:
    remove = {"name": "remove", "kwargs": {"loan": "L2"}}
    assert rewards(said(goal([remove])), played(domain, remove))["reward"]
    reason = rewards(said(goal([remove])), played(domain))["reward"].reason
    assert "loans L2: expected nothing, got {'book': 'herbal'" in reason


def test_many_differences_are_counted(domain: ToolDomain) -> None:
    actions = [set_field("L1", f"field{number}", number) for number in range(8)]
    reason = rewards(said(goal(actions)), played(domain))["reward"].reason
    assert reason.count("expected") == 6  # five of them, and the sentence before
    assert reason.endswith("; and 3 more (no call of the bot has changed anything)")


def test_missing_outputs_are_named(domain: ToolDomain) -> None:
    wanted = goal(outputs=["12", "34", "5,6"])
    found = rewards(said(wanted, "It is 12, or 5,6."), played(domain))
    assert found["reward_actions"]
    assert found["reward"].value == 0.0
    assert found["reward_outputs"].reason == (
        "never said: '34', '5,6' (which no reply can match, for its comma)"
    )


@pytest.mark.parametrize("stop", [StopReason.TURN_LIMIT, StopReason.SYSTEM_DONE])
def test_a_dialogue_without_an_end_has_no_reward(domain: ToolDomain, stop: StopReason) -> None:
    found = rewards(said(goal([GOLD]), "Bye.", stop=stop), played(domain, GOLD))
    assert found["reward_actions"]
    assert not found["reward"]
    assert f"did not come to its end ({stop.value})" in found["reward"].reason


def test_what_changes_though_nothing_ought_to_is_told_with_its_turn(domain: ToolDomain) -> None:
    backend = played(domain, GOLD)
    dialogue = Dialogue(goal([]), (Turn(1, "yes", "Done.", tuple(backend.trace)),))
    found = rewards(dialogue, backend)["reward_actions"]
    assert (found.passed, found.turns) == (False, (1,))
    assert "set_field" in found.reason


def test_a_terminating_tool_is_an_end(domain: ToolDomain) -> None:
    hand_over: Action = {"name": "hand_over", "kwargs": {}}
    dialogue = said(goal([GOLD, hand_over]), stop=StopReason.SYSTEM_DONE)
    assert rewards(dialogue, played(domain, GOLD, hand_over))["reward"]


def test_gold_is_played_once_and_goes_on_after_errors(domain: ToolDomain) -> None:
    missing = set_field("L9", "weeks", 1)
    wanted = goal([missing, {"name": "hand_over", "kwargs": {}}, GOLD])
    tool = domain.tools["set_field"]
    assert isinstance(tool, SetField)
    first = gold_of(domain, wanted)
    assert tool.played == ["L9", "L1"]
    assert first.errors == ("set_field: Error: loan not found",)
    assert first.changes["loans"]["L1"]["weeks"] == 4
    assert [(call.name, call.changes) for call in first.calls] == [
        ("set_field", False), ("hand_over", False), ("set_field", True),
    ]  # fmt: skip
    assert gold_of(domain, goal([*wanted.raw["actions"]])) is first
    assert tool.played == ["L9", "L1"]
    assert gold_of(domain, goal([GOLD])) is not first
    assert gold_of(library(), wanted) is not first


def test_gold_of_a_tool_that_is_not_there(domain: ToolDomain) -> None:
    found = gold_of(domain, goal([{"name": "fly", "kwargs": {}}]))
    assert found.errors == ("fly: Unknown action fly",)
    with pytest.raises(ToolRefused):
        played(domain, {"name": "fly", "kwargs": {}})


@pytest.mark.parametrize(
    "raw",
    [
        {},
        {"actions": 5},
        {"actions": [5]},
        {"actions": [{"name": "fly"}]},
        {"actions": [{"kwargs": {}}]},
        {"actions": [], "outputs": [5]},
    ],
)
def test_a_goal_that_is_no_task(domain: ToolDomain, raw: dict[str, object]) -> None:
    with pytest.raises(OracleFault, match="library/x: "):
        rewards(said(Goal("x", "library", (), raw=raw)), ToolBackend(domain))


def test_nested_fields_have_paths() -> None:
    wanted = {"t": {"1": {"a": [{"b": 1}], "gone": 0, "list": [1]}}}
    got = {"t": {"1": {"a": [{"b": 2}], "new": 0, "list": [1, 2]}}}
    assert list(differences(wanted, got, {})) == [
        "t 1, a[0].b: expected 1, got 2",
        "t 1, gone: expected 0, got nothing",
        "t 1, list[1]: expected nothing, got 2",
        "t 1, new: expected nothing, got 0",
    ]


def test_a_side_without_a_change_stands_as_it_was() -> None:
    pristine = {"t": {"1": {"a": 1}}}
    assert list(differences({"t": {"1": {"a": 1}}}, {}, pristine)) == []
    assert len(list(differences({"t": {"1": None}}, {}, pristine))) == 1


def test_lists_and_other_values_are_different_and_long_ones_are_cut() -> None:
    texts = {"a": "x" * 78, "b": "x" * 79}  # 80 and 81 characters with their quotes
    wanted = {"t": {"1": {"list": [1], "text": "a", **texts}}}
    got = {"t": {"1": {"list": "b", "text": [2]}}}
    assert list(differences(wanted, got, {})) == [
        f"t 1, a: expected '{'x' * 78}', got nothing",
        f"t 1, b: expected '{'x' * 76}..., got nothing",
        "t 1, list: expected [1], got 'b'",
        "t 1, text: expected 'a', got [2]",
    ]


def test_none_is_not_absence() -> None:
    found = differences({"t": {"1": {"a": None}}}, {"t": {"1": {}}}, {})
    assert list(found) == ["t 1, a: expected None, got nothing"]


def test_the_reward_is_a_number_in_results_and_comes_back(domain: ToolDomain) -> None:
    dialogue = said(goal([GOLD]), "Done.")
    verdicts = rewards(dialogue, played(domain, GOLD))
    rewarded = Dialogue(dialogue.goal, dialogue.turns, dialogue.stop_reason, verdicts=verdicts)
    assert rewarded.reward is verdicts["reward"]
    entry = dialogue_entry(rewarded, test="t", outcome=Outcome.PASSED)
    assert entry["metrics"]["reward"] == 1.0
    assert not isinstance(entry["metrics"]["reward"], bool)
    assert entry["metrics"]["reward_actions"] is True
    assert entry["metrics"]["reward_outputs"] is None
    assert dialogue_of(entry).reward == verdicts["reward"]
    again = dialogue_entry(dialogue_of(entry), test="t", outcome=Outcome.PASSED)
    assert again == entry
    rate = results([entry], environment())["summary"]["metrics"]["reward"]
    assert rate == {"hits": None, "total": 1, "rate": 1.0}


def test_a_verdict_without_a_number_is_a_yes_or_no() -> None:
    assert Verdict("x", True, "").metric is True
    assert Verdict("x", False, "", value=0.5).metric == 0.5
    assert Verdict("x", True, "", applicable=False, value=1.0).metric is None
