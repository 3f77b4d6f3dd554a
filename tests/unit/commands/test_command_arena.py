"""`todeval arena`: bots compared pair by pair, by what was computed or by a model."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.cli import main
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.core.score import Score
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.runs.reports.baseline import baseline_of
from pytest_todeval.runs.reports.results import (
    dialogue_entry,
    environment,
    read_results,
    results,
    write_results,
)
from pytest_todeval.testing import ChatRequest, StandInServer
from tests.conftest import Todeval
from tests.support.dialogue_world import dialogue, restaurant_goal, said
from tests.support.page_world import block

GOALS = 6
WANTED = restaurant_goal(request=("phone",))


def bot(
    folder: Path, name: str, passed: int, words: str, outcome: Outcome = Outcome.PASSED
) -> Path:
    """A results file of a bot that books for the first so many goals."""
    entries = []
    for number in range(GOALS):
        entry = dialogue_entry(
            dialogue(WANTED, said("Hello!", words), said("Bye.", "Bye.")),
            test=f"t[{number}]",
            outcome=outcome,
            metrics={"success": Verdict("success", number < passed, "so")},
            scores={"tone": [Score("tone", 3, "so", 1), Score("tone", 5, "so", 2)]},
        )
        entries.append({**entry, "goal": f"test/g{number}"})
    path = folder / f"{name}.json"
    write_results(path, results(entries, environment(metrics={"success": "online 1"})))  # type: ignore[arg-type]
    return path


def rows(text: str) -> dict[str, list[str]]:
    return {line.split()[0]: line.split()[1:] for line in text.splitlines() if line.strip()}


def test_by_what_was_computed(tmp_path: Path, todeval: Todeval) -> None:
    files = [str(bot(tmp_path, name, passed, "x")) for name, passed in (("a", 2), ("b", 6))]
    files.append(str(bot(tmp_path, "c", 0, "x")))
    out, page = tmp_path / "out.json", tmp_path / "out.html"

    told = todeval("arena", *files, "--json", out, "--html", page).out
    assert "3 bots, 18 games over 6 goals, by reward, success" in told
    found = json.loads(out.read_text(encoding="utf-8"))
    assert [each["bot"] for each in found["bots"]] == ["b", "a", "c"]
    # b is better than a in four goals, level in two; better than c in six
    assert found["bots"][0]["record"] == {"wins": 10, "losses": 0, "ties": 2}
    assert found["bots"][1]["record"] == {"wins": 2, "losses": 4, "ties": 6}
    assert list(rows(told))[2:5] == ["b", "a", "c"]
    shown = block(page.read_text(encoding="utf-8"), "arena")
    assert [row[0] for row in shown["table"]] == ["", "b", "a", "c"]
    assert [each["rating"] for each in shown["bots"]] == [each["rating"] for each in found["bots"]]


def test_a_score_decides_if_it_is_asked_for(tmp_path: Path, todeval: Todeval) -> None:
    files = [str(bot(tmp_path, name, 2, "x")) for name in ("a", "b")]

    assert rows(todeval("arena", *files, "--prefer", "tone").out)["a"][-7:-4] == ["0", "0", "6"]


def politer(request: ChatRequest) -> Mapping[str, Any]:
    """Prefers the conversation with "please"; says nonsense of goal g0's first order."""
    first, second = request.last_user.find("please"), request.last_user.find("give me")
    return {"reason": "r", "choice": "CONVERSATION_A" if first < second else "CONVERSATION_B"}


def test_a_model_is_asked_in_both_orders_and_replayed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [str(bot(tmp_path, "polite", 0, "please")), str(bot(tmp_path, "rude", 6, "give me"))]
    cassettes = ["--cassette", str(tmp_path / "calls")]
    with StandInServer(politer) as server:
        options = ["--model", "m", "--base-url", server.base_url, *cassettes]
        assert main(["arena", *files, *options]) == 0
        first, asked = capsys.readouterr().out, len(server.requests)

        assert main(["arena", *files, *options]) == 0

        assert len(server.requests) == asked == 2 * GOALS
    assert capsys.readouterr().out == first
    assert rows(first)["polite"][-7:-4] == ["12", "0", "0"]


def test_what_cannot_be_read_is_no_game_and_is_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [str(bot(tmp_path, "a", 0, "please")), str(bot(tmp_path, "b", 0, "give me"))]

    def answer(request: ChatRequest) -> object:
        reads = request.last_user.find("please") < request.last_user.find("give me")
        return {"reason": "r", "choice": "CONVERSATION_A"} if reads else "who knows"

    with StandInServer(answer) as server:  # type: ignore[arg-type]
        code = main(["arena", *files, "--model", "m", "--base-url", server.base_url])

    told = capsys.readouterr().out
    assert code == 0
    assert "6 games" in told
    assert "6 answers could not be read" in told


def test_a_dialogue_that_says_nothing_of_its_bot_is_left_out(
    tmp_path: Path, todeval: Todeval
) -> None:
    one = bot(tmp_path, "a", 2, "x")
    other = bot(tmp_path, "b", 2, "x", Outcome.SIMULATOR_FAULT)

    assert "no game was played" in todeval("arena", one, other, code=2).err


def test_a_baseline_is_told_as_such(tmp_path: Path, todeval: Todeval) -> None:
    one, other = bot(tmp_path, "a", 2, "x"), bot(tmp_path, "b", 2, "x")
    write_results(one, baseline_of(read_results(one)))

    assert f"{one}: a baseline keeps no turns" in todeval("arena", one, other, code=2).err


@pytest.mark.parametrize(
    ("files", "told"),
    [(["a.json"], "expected two or more files"), (["a.json", "a.json"], "is there twice")],
)
def test_wrong_files(tmp_path: Path, todeval: Todeval, files: list[str], told: str) -> None:
    bot(tmp_path, "a", 1, "x")

    assert told in todeval("arena", *(str(tmp_path / name) for name in files), code=2).err


@pytest.mark.parametrize("names", [["sucess"], ["tone", "sucess"]])
def test_a_misspelt_name_to_prefer_is_told(
    tmp_path: Path, todeval: Todeval, names: list[str]
) -> None:
    files = [str(bot(tmp_path, name, passed, "x")) for name, passed in (("a", 2), ("b", 6))]

    said = todeval("arena", *files, "--prefer", *names, code=2).err
    assert "--prefer: got 'sucess', which no dialogue has; did you mean 'success'? Known: " in said
    assert "tone" in said
