"""`todeval score` on transcripts and on the papers' released files."""

import json
from pathlib import Path

from pytest_todeval.runs.reports.results import read_results
from tests.conftest import Todeval


def test_scores_that_stand_in_the_file_are_summed_and_kept(
    tmp_path: Path, todeval: Todeval
) -> None:
    """Of two replies one could not be read: 0.5 by the paper's rule, 1 among the readable."""
    told = {"initial_message": "Want", "matches": ["a"], "result": "[1]"}
    read = {"match_count_in_conversation": [1], "reasoning": "1. a", "score": 1.0}
    unread = {"match_count_in_conversation": [0], "reasoning": ["NaN"], "score": 0.0}
    said = {"conversation_text": "user_agent: a\ntod_system: b"}
    path, out = tmp_path / "coverage.jsonl", tmp_path / "out.json"
    path.write_text("\n".join(json.dumps({**told, **said, **each}) for each in (read, unread)))
    command = ["score", str(path), "--format", "llm-user-agents", "--json", str(out)]
    printed = [row.split() for row in todeval(*command).out.splitlines()]
    assert ["published_goal_coverage", "0.50", "0", "2", "0", "0", "-"] in printed
    assert ["goal_coverage", "1.00", "1", "1", "0", "1", "-"] in printed
    summary = read_results(out)["summary"]["scores"]
    assert summary["published_goal_coverage"]["mean"] == 0.5
    assert summary["goal_coverage"]["mean"] == 1


def test_goals_of_a_goal_set_give_verdicts(tmp_path: Path, todeval: Todeval) -> None:
    from pytest_todeval.worlds.registry import load

    goal = load("demo").goals[0]
    path, out = tmp_path / "shop.jsonl", tmp_path / "out.json"
    path.write_text(json.dumps({"goal": goal.id, "turns": [{"user": "Hi", "system": "Hello"}]}))
    command = ["score", str(path), "--format", "transcripts", "--goal-set", "demo"]
    assert (
        "shop.jsonl (transcripts): 1 dialogues (1 failed)" in todeval(*command, "--json", out).out
    )
    (entry,) = read_results(out)["dialogues"]
    assert entry["goal"] == goal.name
    assert entry["verdicts"]["inform"]["passed"] is False


def test_an_option_of_another_format_is_refused(tmp_path: Path, todeval: Todeval) -> None:
    path = tmp_path / "shop.jsonl"
    path.write_text(json.dumps({"turns": [{"system": "Hello"}]}))
    for format, option in (("transcripts", "--domain"), ("mwzeval", "--goal-set")):
        printed = todeval("score", path, "--format", format, option, "demo", code=2).err
        assert f"{option} cannot be combined with --format {format}" in printed
