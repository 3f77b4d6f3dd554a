"""The papers' released files, by files of their shape with words of our own."""

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.core.dialogue import ToolCall
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.errors import InvalidFile
from pytest_todeval.research.offline.transcripts import KnownGoals, Transcripts, read_transcripts

MESSAGE = "You want a <span class='emphasis'>quiet room</span>"


def lines(folder: Path, *values: object) -> Path:
    path = folder / "runs.jsonl"
    path.write_text("\n".join(map(json.dumps, values)), encoding="utf-8")
    return path


def document(folder: Path, value: object, name: str = "file.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(value, indent=1), encoding="utf-8")
    return path


def said(transcripts: Transcripts, at: int = 0) -> list[tuple[str, str]]:
    return [(turn.user, turn.system) for turn in transcripts.found[at].dialogue.turns]


def history(*messages: tuple[str, str]) -> list[dict[str, str]]:
    return [{"role": role, "content": content} for role, content in messages]


def test_autotod_has_goals_and_no_tools(tmp_path: Path) -> None:
    run = {
        "goals": {"hotel": {"info": {"area": "north"}, "reqt": ["phone"]}},
        "goal_messages": ["You want a room in the north"],
        "dialog_pred": [{"user": "A room, north.", "agent": "The Willow."}],
    }
    found = read_transcripts(lines(tmp_path, {"dialog_id": "MUL1.json", "run_result": run}))
    assert found.format == "autotod"
    assert said(found) == [("A room, north.", "The Willow.")]
    (one,) = found.found
    assert (one.id, one.goal_known) == ("multiwoz/MUL1", True)
    assert one.dialogue.goal.domains[0].inform == {"area": "north"}
    assert not len(one.dialogue.verdicts)
    assert found.notes[0].startswith("the file holds no calls of tools and no results")


def test_runs_of_llm_user_agents_leave_thoughts_and_the_last_mark_out(tmp_path: Path) -> None:
    run = history(
        ("thought", "I am a user."),
        ("user_agent", " A quiet room. "),
        ("tod_system", "Which day?"),
        ("user_agent", "Friday."),
        ("tod_system", "Done."),
        ("user_agent", " Thanks. <COMPLETE_CONVERSATION>"),
    )
    found = read_transcripts(lines(tmp_path, {"initial_message": MESSAGE, "conv_history": run}))
    assert found.format == "llm-user-agents"
    assert said(found) == [("A quiet room.", "Which day?"), ("Friday.", "Done.")]
    (one,) = found.found
    assert one.dialogue.last_words == "Thanks."
    assert one.dialogue.stop_reason is StopReason.USER_DONE
    assert one.dialogue.goal.message == (MESSAGE,)
    assert not one.dialogue.goal.domains


def test_task_completion_as_gpt_4_gave_it(tmp_path: Path) -> None:
    told = {"initial_message": MESSAGE, "conv_history": [], "feedback": "All done.", "result": 1}
    found = read_transcripts(lines(tmp_path, told))
    (score,) = found.found[0].scores["stored_completion"]
    assert (score.value, score.reason, score.turn) == (1, "All done.", None)
    assert found.notes == ("1 of 1 dialogues have no turn in the file",)


def covered(**keys: Any) -> dict[str, Any]:
    return {
        "initial_message": MESSAGE,
        "matches": ["quiet room", "friday"],
        "match_count_in_conversation": [1, 0],
        "conversation_text": "user_agent:  A room.\nTwo lines.\ntod_system: Which day?\n",
        "reasoning": "1. ...",
        "result": "[1, 0]",
        "score": 0.5,
        **keys,
    }


def test_coverage_that_was_not_read_is_published_as_zero_and_unscored_by_default(
    tmp_path: Path,
) -> None:
    unread = covered(
        conversation_text="1. room (user_agent: Room.\ntod_system: Yes.)",
        reasoning=["NaN"],
        match_count_in_conversation=[0],
        result=[0],
        score=0.0,
    )
    never = covered(matches="NA", score="NA", conversation_text="NA", reasoning="NA")
    found = read_transcripts(lines(tmp_path, covered(), unread, never))
    assert said(found) == [("A room.\nTwo lines.", "Which day?")]
    assert said(found, 1) == said(found, 2) == []
    published = [each.scores.get("published_goal_coverage") for each in found.found]
    default = [each.scores.get("goal_coverage") for each in found.found]
    assert [None if found is None else found[0].value for found in published] == [0.5, 0, None]
    assert [None if found is None else found[0].unscored for found in default] == [
        None,
        "GPT-4's reply does not tell of each keyword",
        None,
    ]
    assert found.notes == (
        "2 of 3 dialogues have no turn in the file",
        "1 of GPT-4's replies on coverage were not read; the paper counts them as 0",
    )


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ({"score": 1.5}, "score: expected a number from 0 to 1, got float 1.5"),
        ({"score": "high"}, "score: expected a number from 0, got str 'high'"),
        ({"match_count_in_conversation": [1, "x"]}, "match_count_in_conversation: expected a list"),
        ({"matches": "NA"}, "matches: expected a list, got str 'NA'"),
        ({"conversation_text": None}, "conversation_text: expected a text, got null"),
        ({"initial_message": 3}, "initial_message: expected a text, got int 3"),
    ],
)
def test_coverage_out_of_shape(keys: dict[str, Any], told: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidFile) as raised:
        read_transcripts(lines(tmp_path, covered(**keys)))
    assert f"runs.jsonl:1: {told}" in str(raised.value)


def test_a_message_that_a_goal_set_has_gives_the_dialogue_its_goal(tmp_path: Path) -> None:
    goals = KnownGoals(["demo"])
    known = goals.sets[0].goals[0]
    told = {"initial_message": " ".join(known.message), "conv_history": []}
    other = {"initial_message": "Something else", "conv_history": []}
    found = read_transcripts(lines(tmp_path, told, other, other), goals=goals)
    assert [bool(each.dialogue.goal.domains) for each in found.found] == [True, False, False]
    assert found.found[0].dialogue.goal is known
    assert "2 of 3 messages belong to no goal, or to several" in found.notes
    one = read_transcripts(lines(tmp_path, told, told, other), goals=goals).notes
    assert "1 of 3 messages belong to no goal, or to several" in one
    for alike in (told, other):
        notes = read_transcripts(lines(tmp_path, alike, alike), goals=goals).notes
        assert notes == ("2 of 2 dialogues have no turn in the file",)


def test_words_of_one_side_in_a_row_are_one_message(tmp_path: Path) -> None:
    run = history(
        ("user_agent", "A room."),
        ("user_agent", "A quiet one."),
        ("tod_system", "Let me see."),
        ("tod_system", "Which day?"),
        ("user_agent", "<COMPLETE CONVERSATION>"),
        ("tod_system", "Are you there?"),
        ("user_agent", "Friday."),
    )
    found = read_transcripts(lines(tmp_path, {"initial_message": MESSAGE, "conv_history": run}))
    assert said(found) == [("A room.\nA quiet one.", "Let me see.\nWhich day?\nAre you there?")]
    (one,) = found.found
    assert (one.dialogue.last_words, one.dialogue.stop_reason) == ("Friday.", StopReason.USER_DONE)
    assert found.notes == ()
    bots = history(("tod_system", "Hello <COMPLETE_CONVERSATION>"), ("user_agent", "Hi."))
    found = read_transcripts(lines(tmp_path, {"initial_message": MESSAGE, "conv_history": bots}))
    assert said(found) == [("", "Hello <COMPLETE_CONVERSATION>")]
    assert found.found[0].dialogue.stop_reason is StopReason.IMPORTED


def judged(**replies: str) -> dict[str, dict[str, str]]:
    names = ("conv_consistency", "backend_consistency", "policy_completeness")
    return {
        name: {"score": replies.get(name, "Score: 4"), "justification": " It fits."}
        for name in names
    }


def test_td_eval_has_results_and_replies_that_are_read_as_a_judges(tmp_path: Path) -> None:
    turns = [
        {
            "user": "Customer: A museum?",
            "db": [
                {"thought": "look", "api_name": "query_attractions", "api_input": {"type": "m"},
                 "api_result": {"result": [{"name": "x"}]}},
                {"thought": "tell", "response": "x it is"},
            ],
            "response": "Agent: x it is.",
            "scores": judged(backend_consistency="Score: 5 (Very Good)"),
        },
        {"user": "Customer: Bye", "response": "Agent: Bye", "scores": judged(
            conv_consistency="Score: five or four")},
    ]  # fmt: skip
    file = {
        "metadata": {"judge_model": "gpt-4o"},
        "dialogues": {"MUL1.json": turns, "MUL2": turns, "MUL3": []},
    }
    found = read_transcripts(document(tmp_path, file, "multiwoz_x.json"))
    assert found.format == "td-eval"
    assert said(found) == [("A museum?", "x it is."), ("Bye", "Bye")]
    one = found.found[0]
    assert one.id == "multiwoz/MUL1"
    assert one.dialogue.turns[0].tool_calls == (
        ToolCall("query_attractions", {"type": "m"}, {"result": [{"name": "x"}]}),
    )
    values = {name: [score.value for score in found] for name, found in one.scores.items()}
    assert values == {
        "conversation_cohesion": [4, None],
        "backend_consistency": [5, 4],
        "policy_compliance": [4, 4],
    }
    assert one.scores["policy_compliance"][1].turn == 2
    assert one.scores["policy_compliance"][1].definition == (
        "stored reply of gpt-4o to TD-Eval's prompt"
    )
    assert found.notes[0] == "1 of 3 dialogues have no turn in the file"


def test_td_evals_calls_of_tau_bench_stand_by_the_message(tmp_path: Path) -> None:
    step = {"name": "find", "args": '{"x": 1}', "thought": "t", "output": ' [{"y": 2}]'}
    turn = {"user": "Customer: a", "response": "Agent: b", "db": {"2": [step], "4": [step]}}
    found = read_transcripts(document(tmp_path, {"metadata": {}, "dialogues": {"0": [turn]}}))
    calls = found.found[0].dialogue.turns[0].tool_calls
    assert calls == (ToolCall("find", {"x": 1}, [{"y": 2}]),) * 2
    assert not found.found[0].scores


@pytest.mark.parametrize(
    ("stored", "read"),
    [
        ('{"name": "x"}\n```', {"name": "x"}),
        ('```json\n{"name": "x"}\n```', {"name": "x"}),
        ("No results, ```sorry```", "No results, ```sorry```"),
        ("[" * 100_000, "[" * 100_000),
        (None, None),
        (3, 3),
    ],
)
def test_a_result_that_is_json_is_data_also_in_a_code_fence(
    tmp_path: Path, stored: object, read: object
) -> None:
    db = [{"api_name": "find", "api_input": "all", "api_result": stored}]
    turn = {"user": "a", "response": "b", "db": db}
    found = read_transcripts(document(tmp_path, {"metadata": {}, "dialogues": {"0": [turn]}}))
    assert found.found[0].dialogue.turns[0].tool_calls == (
        ToolCall("find", {"input": "all"}, read),
    )


@pytest.mark.parametrize(
    ("turn", "told"),
    [
        ({"response": "b"}, "dialogues.0.0.user: expected a text, got nothing"),
        ({"user": "a", "response": "b", "db": [7]}, "dialogues.0.0.db.0.db.0: expected an object"),
        ({"user": "a", "response": "b", "scores": {}}, "conv_consistency: expected an object"),
    ],
)
def test_td_evals_file_out_of_shape(turn: object, told: str, tmp_path: Path) -> None:
    path = document(tmp_path, {"metadata": {}, "dialogues": {"0": [turn]}})
    with pytest.raises(InvalidFile) as raised:
        read_transcripts(path)
    assert told in str(raised.value)


def test_trajectories_keep_the_results_that_were_stored(tmp_path: Path) -> None:
    def call(name: str, arguments: str) -> dict[str, Any]:
        function = {"name": name, "arguments": arguments}
        return {"role": "assistant", "content": None, "tool_calls": [{"function": function}]}

    messages = [
        {"role": "system", "content": "policy"},
        {"role": "user", "content": "Find it."},
        call("find", '{"x": 1}'),
        {"role": "tool", "content": '[{"id": 1}]'},
        call("change", "{}"),
        {"role": "tool", "content": "Error: no such user"},
        {"role": "assistant", "content": "Not possible."},
        {"role": "user", "content": "###STOP###"},
    ]
    task = {"instruction": "Find it", "actions": [], "outputs": []}
    entry = {"task_id": 3, "trial": 1, "reward": 0.0, "info": {"task": task}, "traj": messages}
    found = read_transcripts(document(tmp_path, [entry]))
    assert found.format == "tau-bench"
    (one,) = found.found
    assert (one.id, one.dialogue.trial, one.goal_known) == ("3", 1, True)
    assert said(found) == [("Find it.", "Not possible.")]
    assert one.dialogue.turns[0].tool_calls == (
        ToolCall("find", {"x": 1}, [{"id": 1}]),
        ToolCall("change", {}, error="Error: no such user"),
    )
    assert one.dialogue.last_words == ""
    assert one.dialogue.goal.message == ("Find it",)
