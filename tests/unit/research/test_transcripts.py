"""Transcripts: this project's own format, hostile files, and goals that files only name."""

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.core.dialogue import ToolCall, Usage
from pytest_todeval.errors import InvalidFile, TodevalError, UsageError
from pytest_todeval.research.offline.transcripts import (
    KnownGoals,
    Transcript,
    read_transcripts,
    score_transcripts,
)

TURN = {"user": "Hello", "system": "Which area?"}
GOAL = {
    "id": "lunch",
    "message": "You want lunch.",
    "domains": {"restaurant": {"inform": {"area": "north"}, "request": ["phone"]}},
}


def written(folder: Path, *lines: object, name: str = "shop.jsonl") -> Path:
    path = folder / name
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    return path


def read(folder: Path, *lines: object, goals: KnownGoals | None = None) -> tuple[Transcript, ...]:
    return read_transcripts(written(folder, *lines), goals=goals).found


def line(**keys: Any) -> dict[str, Any]:
    return {"turns": [TURN], **keys}


def turn(**keys: Any) -> dict[str, Any]:
    return {"turns": [{**TURN, **keys}]}


def test_every_key_is_read(tmp_path: Path) -> None:
    call = {"name": "find", "arguments": {"area": "north"}, "result": [{"name": "x"}]}
    refused = {"name": "book", "error": "full"}
    told = {
        "tool_calls": [call, refused],
        "state": {"restaurant": {"area": "north"}},
        "retrieved": ["a", {"id": 2}],
        "latency_s": 1.5,
        "usage": {"prompt_tokens": 10, "cost": 0.5},
        "label": {"restaurant": {"area": "north"}},
    }
    (found,) = read(
        tmp_path,
        {
            **turn(**told),
            "id": "a",
            "goal": GOAL,
            "trial": 2,
            "last_words": "Bye",
            "bot": "shop 2.1",
            "user_simulator": "people",
            "variation": "typos",
        },
    )
    assert (found.id, found.goal_known, found.bot, found.user) == ("a", True, "shop 2.1", "people")
    assert found.labels == ({"restaurant": {"area": "north"}},)
    played = found.dialogue
    assert (played.goal.name, played.trial, played.last_words) == ("transcripts/lunch", 2, "Bye")
    assert played.goal.domains[0].request == ("phone",)
    assert played.variation == "typos"
    (said,) = played.turns
    assert (said.index, said.user, said.system) == (1, "Hello", "Which area?")
    assert said.tool_calls == (
        ToolCall("find", {"area": "north"}, [{"name": "x"}]),
        ToolCall("book", error="full"),
    )
    assert said.state == {"restaurant": {"area": "north"}}
    assert said.retrieved == ("a", {"id": 2})
    assert said.latency == 1.5
    assert said.usage == Usage(10, cost=0.5)


def test_a_dialogue_may_be_its_turns_alone(tmp_path: Path) -> None:
    one, other = read(tmp_path, line(), line())
    assert (one.id, other.id) == ("line-1", "line-2")
    assert (one.dialogue.goal.name, one.goal_known, one.labels) == (
        "transcripts/line-1",
        False,
        None,
    )
    assert not one.dialogue.goal.domains


def test_empty_lines_and_a_byte_order_mark_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"\xef\xbb\xbf\n" + json.dumps(line()).encode() + b"\r\n\n")
    assert [each.id for each in read_transcripts(path).found] == ["line-2"]


def test_a_goal_that_is_named_is_found_in_the_goal_sets_given(tmp_path: Path) -> None:
    goals = KnownGoals(["demo"])
    known = goals.sets[0].goals[0]
    by_name, by_id = read(
        tmp_path, line(goal=known.name), line(goal=known.id, trial=1), goals=goals
    )
    assert by_name.dialogue.goal is known
    assert by_id.dialogue.goal is known
    assert by_id.goal_known
    assert goals.told(" ".join(known.message).upper().replace(".", " !")) is known
    assert goals.told("nobody wants this") is None


def test_a_goal_that_is_named_is_a_name_without_goal_sets(tmp_path: Path) -> None:
    (found,) = read(tmp_path, line(goal="tau_bench/retail/7"))
    assert (found.dialogue.goal.source, found.dialogue.goal.id) == ("tau_bench/retail", "7")
    assert not found.goal_known


def test_a_goal_that_no_goal_set_has_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidFile, match=r"shop\.jsonl:1: goal: got 'demo/nope', .* demo; "):
        read(tmp_path, line(goal="demo/nope"), goals=KnownGoals(["demo"]))


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        ([], "expected an object, got list []"),
        ("hello", "expected an object, got str 'hello'"),
        ({}, "turns: expected a list of 1 to 1000 turns, got nothing"),
        (line(turns=[]), "turns: expected a list of 1 to 1000 turns, got list []"),
        (line(turns="x"), "turns: expected a list, got str 'x'"),
        (line(turns=["x"]), "turns.0: expected an object, got str 'x'"),
        (line(turns=[TURN] * 1001), "turns: expected a list of 1 to 1000 turns, got list"),
        (line(turn=[]), "turn: unknown key; did you mean 'turns'? Known: id, goal,"),
        (line(trial=-1), "trial: expected a whole number from 0, got int -1"),
        (line(trial=True), "trial: expected a whole number from 0, got bool True"),
        (line(id=7), "id: expected a text, got int 7"),
        (line(goal=7), "goal: expected a goal's name, or the goal itself as an object, got int 7"),
        (line(goal={"id": "a b"}), "goal.id: got 'a b', expected letters, digits"),
        (line(goal={**GOAL, "domain": {}}), "goal.domain: unknown key; did you mean 'domains'?"),
        (
            line(goal={**GOAL, "domains": {"hotel": {"informs": {}}}}),
            "goal.domains.hotel.informs: unknown key; did you mean 'inform'?",
        ),
        ({"turns": [{"user": "Hello"}]}, "turns.0.system: expected a text, got nothing"),
        (turn(user=None), "turns.0.user: expected a text, got null"),
        (turn(sistem="x"), "turns.0.sistem: unknown key; did you mean 'system'?"),
        (turn(state=[]), "turns.0.state: expected an object, got list []"),
        (turn(retrieved={}), "turns.0.retrieved: expected a list, got dict {}"),
        (turn(latency_s=-0.1), "turns.0.latency_s: expected a number from 0, got float -0.1"),
        (turn(latency_s="1"), "turns.0.latency_s: expected a number from 0, got str '1'"),
        (turn(tool_calls=[{}]), "turns.0.tool_calls.0.name: expected a text, got nothing"),
        (
            turn(tool_calls=[{"name": "x", "args": {}}]),
            "turns.0.tool_calls.0.args: unknown key; did you mean 'arguments'?",
        ),
        (
            turn(tool_calls=[{"name": "x", "arguments": "{}"}]),
            "turns.0.tool_calls.0.arguments: expected an object, got str '{}'",
        ),
        (turn(usage={"tokens": 1}), "turns.0.usage.tokens: unknown key; did you mean"),
        (
            turn(usage={"prompt_tokens": 1.5}),
            "turns.0.usage.prompt_tokens: expected a whole number from 0, got float 1.5",
        ),
        (
            {"turns": [{**TURN, "label": {"hotel": {"area": "north"}}}, TURN]},
            "turns.1.label: expected a belief state, as other turns have one, got nothing",
        ),
    ],
)
def test_what_is_misshapen_is_told_with_file_line_and_key(
    bad: object, told: str, tmp_path: Path
) -> None:
    path = written(tmp_path, line(), bad)
    with pytest.raises(InvalidFile) as raised:
        read_transcripts(path, "transcripts")
    assert str(raised.value).startswith(f"{path}:2: {told}")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"turns": [', ":1: not JSON: "),
        ('{"turns": [], "turns": []}', ":1: a key occurs twice in one object; keep one of them"),
        ('{"turns": NaN}', ":1: NaN is not a JSON value"),
        ('{"turns": "\\ud800"}', ":1: half of a surrogate pair"),
        ('{"turns": ' + "[" * 100_000 + "]" * 100_000 + "}", ":1: nested too deeply"),
        ('{"trial": ' + "9" * 5000 + "}", ":1: Exceeds the limit"),
        ("", ": no dialogues; expected one JSON object per line"),
        ("\n \n", ": no dialogues; expected one JSON object per line"),
    ],
)
def test_what_is_no_json_is_told_with_its_line(text: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidFile) as raised:
        read_transcripts(path, "transcripts")
    assert str(raised.value).startswith(f"{path}{told}")


def test_bytes_that_are_no_text_are_told_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(json.dumps(line()).encode() + b'\n{"id": "\xff"}')
    with pytest.raises(InvalidFile, match=r"x\.jsonl:2: not UTF-8 \(byte 0xff\)"):
        read_transcripts(path)


def test_two_dialogues_of_one_name_and_trial_are_refused(tmp_path: Path) -> None:
    assert len(read(tmp_path, line(id="a"), line(id="a", trial=1))) == 2
    with pytest.raises(InvalidFile, match=r"shop\.jsonl:2: id: got 'a', trial 0, .* at .*:1; give"):
        read(tmp_path, line(id="a"), line(id="a"))


def test_the_format_is_told_by_the_first_object_or_has_to_be_named(tmp_path: Path) -> None:
    other = written(tmp_path, {"dialog": []})
    with pytest.raises(UsageError, match=r"its format cannot be told: name it with --format\..*"):
        read_transcripts(other)
    with pytest.raises(UsageError, match=r"format 'autotodd': did you mean 'autotod'\?"):
        read_transcripts(other, "autotodd")
    with pytest.raises(TodevalError, match="cannot be read"):
        read_transcripts(tmp_path / "none.jsonl")


def test_what_can_be_computed_without_a_judge(tmp_path: Path) -> None:
    goals = KnownGoals(["demo"])
    solved = {"id": "mute", "message": "No sound.", "solution": "Press the mute key."}
    found = read_transcripts(
        written(
            tmp_path,
            {**turn(retrieved=["x", "press the mute key"]), "goal": solved},
            line(goal=goals.sets[0].goals[0].name),
            line(),
        ),
        goals=goals,
    )
    scored = score_transcripts(found, goals)
    assert [list(each.verdicts) for each in scored.dialogues] == [
        [],
        ["inform", "success", "booking"],
        [],
    ]
    assert not scored.dialogues[1].verdicts["inform"]
    assert [sorted(each) for each in scored.scores] == [sorted(retrieval_names()), [], []]
    assert [score.value for score in scored.scores[0]["mrr@3"]] == [0.5]
    assert scored.data == {"demo": goals.sets[0].fingerprint}
    assert scored.definitions["inform"] == scored.dialogues[1].verdicts["inform"].definition
    assert "2 of 3 goals have no domains in the file" in scored.notes[-1]


def retrieval_names() -> list[str]:
    return [f"{metric}@{k}" for metric in ("hit_rate", "mrr") for k in (1, 3, 5, 10, 20)]
