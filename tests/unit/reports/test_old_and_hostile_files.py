"""Results files of earlier versions are read; a broken one says what is wrong in it, and where."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.cli import main
from pytest_todeval.errors import InvalidFile
from pytest_todeval.runs.reports.results import merge, read_results
from pytest_todeval.runs.reports.stored import dialogue_of
from tests.conftest import Todeval

OLD = sorted((Path(__file__).parent / "old_files").glob("*.json"))
"""Written by earlier versions: the first had no goals, the others no bots and users."""


@pytest.mark.parametrize("path", OLD, ids=lambda path: str(path.stem))
def test_an_old_file_is_read_merged_and_judged(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (entry,) = read_results(path)["dialogues"]
    dialogue = dialogue_of(entry)
    assert len(dialogue.turns) == len(entry["turns"]) > 1
    assert dialogue.turns[0].tool_calls[0].name == "find_hotel"
    assert dialogue.final_bookings[0].domain == "hotel"
    assert dialogue.booking
    out = tmp_path / "out.json"
    assert main(["merge", str(path), str(path), "--json", str(out)]) == 0
    merged = read_results(out)
    assert merged["environment"]["bots"] == {}
    assert "bots" not in merged["summary"]
    assert main(["judge", str(path), "--json", str(tmp_path / "judged.json")]) == 0
    (judged,) = read_results(tmp_path / "judged.json")["dialogues"]
    assert judged["judges"] == ["RuleJudge"]
    assert "1 dialogue (2 files): 1 passed" in capsys.readouterr().out


def test_there_are_old_files() -> None:
    assert [path.stem for path in OLD] == ["without_goals", "without_players"]


def test_old_files_merge_with_another() -> None:
    first, last = map(read_results, OLD)
    with pytest.raises(Exception, match="cannot merge: metric 'booking' is 'online 1' in one file"):
        merge([first, last])


def changed(path: Path, change: Callable[[dict[str, Any]], None]) -> str:
    data = json.loads(path.read_text())
    change(data)
    return json.dumps(data)


def turn(data: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = data["dialogues"][0]["turns"][0]
    return found


HOSTILE: list[tuple[Callable[[dict[str, Any]], Any], str]] = [
    (lambda d: d.update(schema=2), "schema 2; .* upgrade with `pip install --upgrade pytest-todev"),
    (lambda d: d.update(schema=0), "schema 0; .* read it with the version .* that wrote it"),
    (
        lambda d: d.update(schema="1" * 10**6),
        r"schema '1{30,40}; this version reads",
    ),
    (lambda d: turn(d).update(user=5), r"dialogues\.0: .*turns\.0\.user is 5: expected text"),
    (lambda d: turn(d).update(latency_s="x"), r"turns\.0\.latency_s is 'x': .*number"),
    (lambda d: turn(d).pop("user"), r"dialogues\.0: .*turns\.0\.user: it is missing"),
    (lambda d: turn(d).update(tool_calls=[1]), r"dialogues\.0: "),
    (
        lambda d: turn(d).update(tool_calls=[{"arguments": 1}]),
        r"tool_calls\.0\.name: it is missing",
    ),
    (lambda d: turn(d).update(heard=[{"claim": "sings a song"}]), "`heard`: .*names no act"),
    (lambda d: d["dialogues"][0].update(turns={"a": 1}), r"dialogues\.0\.turns: .*(array|list)"),
    (lambda d: d["dialogues"][0].update(turns=[[]]), r"dialogues\.0\.turns\.0: "),
    (
        lambda d: d["dialogues"][0].update(trial="0"),
        r"dialogues\.0\.trial: expected a whole number",
    ),
    (
        lambda d: d["dialogues"][0].update(bookings=[{"slots": {}}]),
        r"bookings\.0\.domain: it is missing",
    ),
    (lambda d: d["dialogues"][0].update(bookings=[3]), r"dialogues\.0: "),
    (lambda d: d["dialogues"][0].update(stop_reason="bored"), "stop_reason is 'bored': expected"),
    (
        lambda d: d["dialogues"][0]["scores"].update(own=[{"value": 9, "scale": [1, 5]}]),
        r"scores\.own\.0\.reason: it is missing",
    ),
    (
        lambda d: d["dialogues"][0]["scores"]["policy_compliance"][0].update(value=9),
        r"scores\.policy_compliance\.0 is .* 9.0 is outside \(1",
    ),
    (
        lambda d: d["dialogues"][0]["verdicts"]["booking"].update(reason=None),
        r"verdicts\.booking\.reason is None: expected text",
    ),
    (lambda d: d["dialogues"][0]["verdicts"].update(own=[]), r"dialogues\.0\.verdicts\.own: "),
    (lambda d: d["dialogues"][0].update(goal_record={"id": "x"}), r"goal_record\.source: it is"),
    (lambda d: d["dialogues"][0].update(goal_record=[1]), r"goal_record: "),
    (lambda d: d["environment"].update(bots=[1]), r"environment\.bots: "),
    (lambda d: d["environment"].update(limits={"max_turns": "x"}), r"limits\.max_turns: "),
    (lambda d: d["environment"].pop("goal_sets"), r"environment\.goal_sets: "),
    (lambda d: d.update(summary=None), "summary: "),
]


@pytest.mark.parametrize(("change", "told"), HOSTILE)
def test_what_is_wrong_in_a_file_is_told_with_its_place(
    tmp_path: Path, change: Callable[[dict[str, Any]], None], told: str
) -> None:
    path = tmp_path / "results.json"
    path.write_text(changed(OLD[1], change))
    with pytest.raises(InvalidFile, match=told) as error:
        read_results(path)
    assert str(path) in str(error.value)
    assert len(str(error.value)) < 2000


def test_the_command_tells_it_and_no_traceback(tmp_path: Path, todeval: Todeval) -> None:
    path, out = tmp_path / "results.json", tmp_path / "out.json"
    path.write_text(changed(OLD[1], lambda d: d.update(schema=7)))
    assert "todeval merge: " in todeval("merge", path, "--json", out, code=2).err
    assert not out.exists()
    printed = todeval("merge", OLD[1], "--json", OLD[1], code=2).err
    assert "would replace a file that is read; name another" in printed


OPTIONAL = {
    "verdicts": ("turns", "basis", "applicable", "version", "metric_set", "value"),
    "scores": ("turn", "scale", "unscored", "definition"),
    "turns": ("tool_calls", "state", "retrieved", "latency_s", "usage"),
    "tool_calls": ("arguments", "result", "error"),
}


@pytest.mark.parametrize(
    "words",
    [
        ["report", "A"],
        ["report", "A", "--html", "new.html"],
        ["report", "A", "--format", "github"],
        ["annotate", "A", "--sheet", "new.html"],
        ["compare", "A", "A"],
        ["hear", "A"],
        ["merge", "A", "A", "--json", "new.json"],
    ],
    ids=" ".join,
)
def test_a_file_without_what_has_a_default_is_read_by_each_command(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    data = json.loads(OLD[1].read_text())
    (entry,) = data["dialogues"]
    score = {"value": 4, "reason": "", **dict.fromkeys(OPTIONAL["scores"], None)}
    entry |= {"outcome": "failed", "scores": {"quality": [score, dict(score)]}}
    next(iter(entry["verdicts"].values()))["passed"] = False
    calls = entry["turns"][0]["tool_calls"]
    nouns = {"verdicts": entry["verdicts"].values(), "scores": entry["scores"]["quality"]}
    for kind, found in {**nouns, "tool_calls": calls, "turns": entry["turns"][1:]}.items():
        for each in found:
            for name in OPTIONAL[kind]:
                each.pop(name, None)
    (tmp_path / "A").write_text(json.dumps(data))
    assert main(words) in (0, 1)
