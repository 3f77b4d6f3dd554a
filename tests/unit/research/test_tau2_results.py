"""Stored results of tau2, read and scored on a stand-in for its checkout."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.errors import InvalidFile, UsageError
from pytest_todeval.research.offline.stored import Scored
from pytest_todeval.research.offline.trajectories import tau2_scoring
from pytest_todeval.research.offline.trajectories.tau2_scoring import score_tau2_results
from pytest_todeval.worlds.tau2 import package
from tests.support.tau2_world import LEND_ATLAS, PACK_ATLAS, lending_desk, task

IS_OUT = {
    "func_name": "assert_out",
    "arguments": {"book": "atlas", "out": True},
    "assert_value": True,
}
ALL = ("DB", "ACTION", "COMMUNICATE")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(package, "OLDEST", (3, 11))
    return lending_desk(tmp_path / "tau2")


@pytest.fixture
def score(home: Path, tmp_path: Path) -> Callable[..., Scored]:
    def scored(given: Any, domain: str | None = None) -> Scored:
        file = tmp_path / "results.json"
        file.write_text(json.dumps(given))
        return score_tau2_results(file, home, domain, None)

    return scored


def made(action: dict[str, Any], answer: str | None = "", id: str = "1") -> list[dict[str, Any]]:
    """A call of the agent or the user, and what came back."""
    by = action["requestor"]
    call = {"id": id, "name": action["name"], "arguments": action["arguments"], "requestor": by}
    return [
        {"role": by, "content": None, "tool_calls": [call]},
        {"role": "tool", "id": id, "content": answer, "requestor": by, "error": False},
    ]


def says(role: str, text: str) -> dict[str, Any]:
    return {"role": role, "content": text, "tool_calls": None}


def solved(*words: str) -> list[dict[str, Any]]:
    """Greeting, wish, both calls of the reference solution, the agent's words, goodbye."""
    return [
        says("assistant", "Hi! How can I help you today?"),
        says("user", "The atlas, please."),
        *made(LEND_ATLAS, "lent"),
        *[says("assistant", text) for text in words or ("It is yours until May 14.",)],
        *made(PACK_ATLAS, "packed", "2"),
        says("user", "Bye. ###STOP###"),
    ]


def idle() -> list[dict[str, Any]]:
    return [says("assistant", "Hi!"), says("user", "The atlas."), says("user", "###STOP###")]


def simulation(messages: list[dict[str, Any]], **fields: Any) -> dict[str, Any]:
    entry = {"task_id": "t1", "trial": 0, "termination_reason": "user_stop", "messages": messages}
    return {**entry, **fields}


def stored(reward: float, **parts: float) -> dict[str, Any]:
    return {"reward": reward, "reward_breakdown": parts}


def results(*simulations: dict[str, Any], of: dict[str, Any] | None = None) -> dict[str, Any]:
    return {
        "info": {"environment_info": {"domain_name": "mock", "policy": "?"}},
        "tasks": [of or task(*ALL, communicate_info=["May 14"])],
        "simulations": list(simulations),
    }


def test_rewards_by_part_beside_the_stored_ones(score: Callable[..., Scored]) -> None:
    right = stored(1.0, DB=1.0, ACTION=1.0, COMMUNICATE=1.0)
    wrong = stored(1.0, DB=1.0, ACTION=0.0, COMMUNICATE=0.0)
    found = score(
        results(
            simulation(solved(), reward_info=right),
            simulation(idle(), trial=1, reward_info=wrong),
        )
    )
    one, other = (dialogue.verdicts for dialogue in found.dialogues)
    names = ("reward", "reward_db", "reward_action", "reward_communicate")
    assert [one[name].passed for name in names] == [True] * 4
    assert [other[name].passed for name in names] == [False] * 4
    assert one["stored_reward_action"].value == 1.0
    assert found.notes[1:6] == (
        "the stored reward is met in 1 of 2",
        "by part: DB 1 of 2",
        "by part: ACTION 2 of 2",
        "by part: COMMUNICATE 2 of 2",
        found.notes[5],
    )
    assert found.notes[5].startswith("t1 trial 1: reward stored 1, now 0: reward_db failed: ")
    assert found.definitions["reward_db"] == "tau2 1"
    assert found.definitions["stored_reward_db"] == "as the file says"
    assert "reward_env_assertion" not in found.definitions


def test_the_dialogue_is_as_it_was(score: Callable[..., Scored]) -> None:
    (dialogue,) = score(results(simulation(solved()))).dialogues
    greeting, turn = dialogue.turns
    assert (greeting.user, greeting.system) == ("", "Hi! How can I help you today?")
    assert (turn.user, turn.system) == ("The atlas, please.", "It is yours until May 14.")
    assert [(call.name, call.result) for call in turn.tool_calls] == [("lend", "lent")]
    assert [call.name for call in dialogue.last_calls] == ["pack"]
    assert dialogue.last_words == "Bye. ###STOP###"
    assert dialogue.backend_known


def test_words_beside_a_call_are_communicated_as_in_tau2(score: Callable[..., Scored]) -> None:
    messages = solved("Done.")
    messages[2] = {**messages[2], "content": "Until May 14."}
    (dialogue,) = score(results(simulation(messages))).dialogues
    assert dialogue.verdicts["reward_communicate"]


def test_calls_of_one_message_have_their_answers_in_order_whatever_their_ids(
    score: Callable[..., Scored],
) -> None:
    both = [made(LEND_ATLAS)[0]["tool_calls"][0], {"id": "1", "name": "look", "arguments": {}}]
    both[1]["arguments"] = {"book": "novel"}
    answers = ["lent", '{"looked_at": false, "days": null, "out": false}']
    messages = [
        *solved()[:2],
        {"role": "assistant", "content": None, "tool_calls": both},
        *[{"role": "tool", "id": "1", "content": text} for text in answers],
        *solved()[4:],
    ]
    assert not [note for note in score(results(simulation(messages))).notes if "answered" in note]
    messages[3]["content"] = "no"
    note = score(results(simulation(messages))).notes[-1]
    assert "answered otherwise than when the file was made" in note
    assert note.endswith(": 1 (lend)")


@pytest.mark.parametrize("reason", ["max_steps", "agent_error", "context_window_exceeded", "new"])
def test_premature_ends_are_reward_0(score: Callable[..., Scored], reason: str) -> None:
    found = score(results(simulation(solved(), termination_reason=reason)))
    (dialogue,) = found.dialogues
    assert dialogue.fault is None
    assert list(dialogue.verdicts) == ["reward"]
    assert dialogue.reward.value == 0.0
    assert reason in dialogue.reward.reason


@pytest.mark.parametrize(
    ("reason", "fault"),
    [
        ("user_error", Outcome.SIMULATOR_FAULT),
        ("timeout", Outcome.INFRASTRUCTURE),
        ("infrastructure_error", Outcome.INFRASTRUCTURE),
        ("unexpected_error", Outcome.INFRASTRUCTURE),
    ],
)
def test_ends_that_are_not_the_bots_have_no_reward(
    score: Callable[..., Scored], reason: str, fault: Outcome
) -> None:
    found = score(results(simulation(idle(), termination_reason=reason, reward_info=stored(0.0))))
    (dialogue,) = found.dialogues
    assert dialogue.fault is fault
    assert "reward" not in dialogue.verdicts
    assert found.notes[1:] == (
        "no stored reward can be compared",
        f"ended by another's fault, and count in no rate: 1 (tau2 ended it: {reason})",
    )


def test_ten_failed_calls_are_charged_to_whoever_made_them(
    score: Callable[..., Scored],
) -> None:
    fails = {"name": "lend", "arguments": {"book": "none"}, "requestor": "assistant"}
    users = {"name": "nothing", "arguments": {}, "requestor": "user"}
    start = solved()[:2]
    for wrong, fault in ((fails, None), (users, Outcome.SIMULATOR_FAULT)):
        messages = start + [each for _ in range(10) for each in made(wrong, "Error")]
        found = score(results(simulation(messages, termination_reason="too_many_errors")))
        assert found.dialogues[0].fault is fault
        assert ("reward" in found.dialogues[0].verdicts) == (fault is None)


def test_a_user_out_of_scope_counts_in_no_rate_and_its_reward_is_compared(
    score: Callable[..., Scored],
) -> None:
    messages = [*solved()[:-1], says("user", "###OUT-OF-SCOPE###")]
    found = score(results(simulation(messages, reward_info=stored(1.0))))
    assert found.dialogues[0].fault is Outcome.SIMULATOR_FAULT
    assert "the stored reward is met in 1 of 1" in found.notes


def test_sentences_are_left_to_a_judge_and_counted(score: Callable[..., Scored]) -> None:
    of = task("DB", "NL_ASSERTION", nl_assertions=["The agent is polite."])
    won, lost = score(results(simulation(solved()), simulation(idle(), trial=1), of=of)).dialogues
    assert won.fault is Outcome.JUDGE_FAULT
    assert won.detail == "the reward hangs on 1 sentence(s) that a judge must read"
    assert won.verdicts["reward_db"]
    assert "reward" not in won.verdicts
    assert (lost.fault, lost.reward.value) == (None, 0.0)
    none = task("DB", "NL_ASSERTION", nl_assertions=[])
    (dialogue,) = score(results(simulation(solved()), of=none)).dialogues
    assert dialogue.reward
    assert dialogue.verdicts["reward_nl_assertion"]


@pytest.mark.parametrize(
    "about",
    [
        {"agent_info": {"implementation": "llm_agent_solo"}},
        {"user_info": {"implementation": "dummy_user"}},
    ],
)
def test_solo_runs_are_not_scored_and_counted(
    score: Callable[..., Scored], about: dict[str, Any]
) -> None:
    given = results(simulation(solved(), reward_info=stored(1.0)), simulation(solved(), trial=1))
    found = score({**given, "info": {**given["info"], **about}})
    assert {dialogue.fault for dialogue in found.dialogues} == {Outcome.ORACLE_FAULT}
    (note,) = [note for note in found.notes if "cannot be scored" in note]
    assert note.startswith("cannot be scored here: 2 (solo mode (")


def test_voice_runs_are_not_scored_and_counted(score: Callable[..., Scored]) -> None:
    found = score(results({**simulation([]), "messages": None, "ticks": [{"tick_id": 0}]}))
    assert found.notes[-1] == (
        "cannot be scored here: 1 (full duplex: it has ticks and no messages)"
    )


def test_tasks_that_ask_for_something_else_than_the_installed_ones_are_told(
    score: Callable[..., Scored], monkeypatch: pytest.MonkeyPatch
) -> None:
    def notes(installed: dict[str, Any], **changes: Any) -> list[str]:
        goals = [Goal("t1", "tau2/mock", (), raw=installed), Goal("t2", "tau2/mock", ())]
        monkeypatch.setattr(tau2_scoring, "load_tau2_tasks", lambda *_: (goals, "print"))
        found = score(results(simulation(solved()), simulation(idle(), trial=1), **changes))
        assert found.data["tau2/mock"] == "print"
        return [note for note in found.notes if "ask for something else" in note]

    same = task(*ALL, communicate_info=["May 14"])
    remark = [{**LEND_ATLAS, "info": "a remark"}, PACK_ATLAS]
    for alike in (
        same,
        task(*ALL, communicate_info=["May 14"], actions=remark),
        task(*ALL, communicate_info=["May 14"], nl_assertions=[]),
    ):
        assert notes(alike) == []
    for other in (
        task(*ALL, communicate_info=["May 15"]),
        task("DB", communicate_info=["May 14"]),
        task(*ALL, communicate_info=["May 14"], actions=[LEND_ATLAS]),
        {"id": "t1"},
    ):
        (note,) = notes(other)
        assert note.endswith("are scored as the file has them: 1 (t1)")


@pytest.mark.parametrize(("runs", "lines"), [(3, 9), (4, 11)])
def test_of_many_rewards_that_differ_ten_are_told_and_the_others_counted(
    score: Callable[..., Scored], runs: int, lines: int
) -> None:
    """Each run differs in its reward and two of its parts; one part is the same."""
    wrong = stored(0.0, DB=0.0, ACTION=0.0, COMMUNICATE=1.0)
    given = [simulation(solved(), trial=at, reward_info=wrong) for at in range(runs)]
    found = score(results(*given))
    assert found.notes[1:5] == (
        f"the stored reward is met in 0 of {runs}",
        f"by part: DB 0 of {runs}",
        f"by part: ACTION 0 of {runs}",
        f"by part: COMMUNICATE {runs} of {runs}",
    )
    told = found.notes[5 : 5 + lines]
    assert told[0].startswith("t1 trial 0: reward stored 0, now 1: ")
    assert all(" trial " in each for each in told[:10])
    assert told[10:] == (("and 2 more values that are not the stored ones",) if runs > 3 else ())
    assert len(found.notes) == 5 + lines


def test_a_stored_reward_of_another_task_is_told(score: Callable[..., Scored]) -> None:
    other = {"name": "lend", "arguments": {"book": "novel"}, "requestor": "assistant"}
    info = {**stored(1.0), "action_checks": [{"action": other, "action_match": True}]}
    same = {**stored(1.0), "action_checks": [{"action": a} for a in (LEND_ATLAS, PACK_ATLAS)]}
    found = score(
        results(
            simulation(idle(), reward_info=info), simulation(solved(), trial=1, reward_info=same)
        )
    )
    (note,) = [note for note in found.notes if "another task" in note]
    assert note.endswith(": 1 (t1)")


def test_the_tasks_history_is_not_played_twice(score: Callable[..., Scored]) -> None:
    history = [says("assistant", "Hi!"), says("user", "The novel."), says("assistant", "Moment.")]
    of = {**task("DB"), "initial_state": {"message_history": history}}
    (dialogue,) = score(results(simulation([*history, *solved()[1:]]), of=of)).dialogues
    assert dialogue.reward
    assert [turn.system for turn in dialogue.turns] == ["It is yours until May 14."]
    found = score(results(simulation(solved()), of=of))
    assert found.dialogues[0].fault is Outcome.ORACLE_FAULT
    assert "do not start with the 3 of its task's `message_history`" in found.notes[-1]


def test_a_folder_with_a_file_for_each_simulation(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    (folder / "simulations").mkdir(parents=True)
    given = results()
    meta = {"info": given["info"], "tasks": given["tasks"], "simulation_index": [{"id": "a"}]}
    (folder / "results.json").write_text(json.dumps({**meta, "format_version": 1}))
    for number in range(2):
        each = simulation(solved(), trial=number)
        (folder / "simulations" / f"{number}.json").write_text(json.dumps(each))
    for path in (folder, folder / "results.json"):
        assert len(score_tau2_results(path, home, None, None).dialogues) == 2


def test_the_workflow_policys_domain_is_telecoms(score: Callable[..., Scored]) -> None:
    given = results(simulation(solved()))
    given["info"]["environment_info"]["domain_name"] = "telecom-workflow"
    with pytest.raises(UsageError, match="is of the domain 'telecom', not 'mock'"):
        score(given, "mock")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"simulations": 3}, "simulations: expected a list"),
        ({"simulations": []}, "no simulations"),
        ({"simulations": [3]}, r"simulations\[0\]: expected an object"),
        ({"simulations": [{"id": "x"}]}, "task_id: expected a text"),
        ({"simulations": [{"task_id": "t9"}]}, "'t9' is not among the file's tasks"),
        ({"simulations": [simulation([], trial="a")]}, "trial: expected a whole number"),
        ({"simulations": [simulation([]), simulation([])]}, "already at"),
        ({"simulations": [simulation([], termination_reason=None)]}, "termination_reason"),
        ({"simulations": [simulation([], reward_info=stored(7))]}, "from 0 to 1"),
        ({"simulations": [simulation([], reward_info=[1])]}, "reward_info: expected an object"),
        ({"simulations": [simulation([says("narrator", "x")])]}, "expected a role"),
        ({"simulations": [simulation([{"role": "user", "content": 3}])]}, "expected text"),
        (
            {"simulations": [simulation([{"role": "user", "tool_calls": [{"name": "x"}]}])]},
            "arguments: expected an object",
        ),
        ({"tasks": [3]}, r"tasks\.0: expected an object"),
        ({"tasks": [{"id": ""}]}, "id: expected a text"),
        ({"tasks": []}, "holds no `tasks`"),
        ({"info": 3}, "info: expected an object"),
    ],
)
def test_what_is_no_result_is_told(
    score: Callable[..., Scored], change: dict[str, Any], told: str
) -> None:
    with pytest.raises(InvalidFile, match=told):
        score({**results(simulation(solved())), **change})


@pytest.mark.parametrize("text", ["", "[]", "{", "[" * 100_000, "\ufeff3", '{"simulations": NaN}'])
def test_other_files_are_told(home: Path, tmp_path: Path, text: str) -> None:
    file = tmp_path / "x.json"
    file.write_text(text)
    with pytest.raises(InvalidFile, match=r"x\.json: (expected tau2's|cannot be read|simulations)"):
        score_tau2_results(file, home, None, None)


HUGE = {"name": "calculate", "arguments": {"expression": "9**9**9**9"}, "requestor": "assistant"}


@pytest.mark.parametrize(
    ("part", "field", "call"),
    [
        ("evaluation_criteria", "env_assertions", {**IS_OUT, "func_name": "__class__"}),
        ("evaluation_criteria", "env_assertions", {**IS_OUT, "func_name": "books.clear"}),
        ("evaluation_criteria", "env_assertions", {**IS_OUT, "func_name": None}),
        ("initial_state", "initialization_actions", {**IS_OUT, "func_name": "__init__"}),
        ("initial_state", "initialization_actions", {"func_name": "calculate", **HUGE}),
        ("evaluation_criteria", "actions", HUGE),
        ("evaluation_criteria", "actions", {"name": "_private", "arguments": {}}),
    ],
)
def test_a_task_that_would_call_more_than_tools_is_refused_before_anything_runs(
    home: Path, tmp_path: Path, part: str, field: str, call: dict[str, Any]
) -> None:
    (home / "src" / "tau2" / "domains" / "mock" / "environment.py").write_text("1/0")
    of = task(*ALL)
    of[part] = {**of.get(part, {}), field: [call]}
    file = tmp_path / "x.json"
    file.write_text(json.dumps(results(simulation(solved()), of=of)))
    with pytest.raises(InvalidFile, match=r"expected the name|would be too large"):
        score_tau2_results(file, home, None, None)


def test_a_call_that_would_never_end_is_refused_as_while_playing(
    score: Callable[..., Scored],
) -> None:
    messages = [*solved()[:2], *made(HUGE, "1"), *solved()[2:]]
    (dialogue,) = score(results(simulation(messages))).dialogues
    assert dialogue.reward
    assert dialogue.turns[1].tool_calls[0].error == "Error: the number would be too large"


def test_a_file_without_a_domain_needs_one(score: Callable[..., Scored]) -> None:
    given = results(simulation(solved()))
    with pytest.raises(UsageError, match="add --domain"):
        score({**given, "info": {}})
    assert score({**given, "info": {}}, "mock").dialogues[0].reward
    given["info"]["environment_info"]["domain_name"] = "banking_knowledge"
    with pytest.raises(UsageError, match="simulations in 'banking_knowledge' cannot be scored"):
        score(given)
