"""A bot whose prompt was edited: what a replay says, and the ways to go on gating merges."""

import json
from pathlib import Path

import pytest

from pytest_todeval.recording.store import read_cassette
from tests.plugin.conftest import asking, recorded_once, run

CONFTEST = """
import os
import openai
import pytest
from pytest_todeval.testing import StandInServer


class Bot:
    def __init__(self):
        self.client = openai.OpenAI(
            base_url=os.environ.get("MODEL_URL", "http://localhost/v1"),
            api_key="no-key-needed",
            max_retries=0,
        )
        self.messages = [{"role": "system", "content": os.environ["PROMPT"]}]

    def respond(self, text):
        self.messages.append({"role": "user", "content": text})
        said = self.client.chat.completions.create(
            model="stand-in", messages=self.messages
        ).choices[0].message.content
        self.messages.append({"role": "assistant", "content": said})
        return said


def answer(request):
    turn = sum(message["role"] == "user" for message in request.messages)
    if turn == 1:
        return "Which day would you like to come?"
    booked = f"It is booked in turn {turn}, the reference is AB{turn}."
    return booked.replace("booked", "reserved") if "kind" in str(request.messages[0]) else booked


@pytest.fixture(scope="session")
def tod_system(pytestconfig):
    if pytestconfig.getoption("todeval_record") in (None, "replay"):
        yield Bot
        return
    with StandInServer(answer) as server:
        os.environ["MODEL_URL"] = server.base_url
        yield Bot
"""

TEST = """
import pytest

@pytest.mark.todeval(max_turns=4, unserved="allowed")
@pytest.mark.goals("demo", limit=1)
def test_it(dialogue):
    assert len(dialogue.turns) > 1
    assert "WORD" in dialogue.turns[1].system
"""

OLD, NEW = "You take bookings.", "You take bookings and are kind."
RECORDED = ("--todeval-user=recorded", "--todeval-record=system:rewrite")


def lines_said(folder: Path) -> list[tuple[str, str]]:
    (cassette,) = folder.glob("cassettes/**/*.todeval.jsonl")
    return [(said.user, said.system) for said in read_cassette(cassette).said]


def asserting(suite: pytest.Pytester, word: str) -> None:
    suite.makepyfile(test_bot=TEST.replace("WORD", word))


@pytest.fixture
def edited(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, kept: dict[Path, bytes]
) -> pytest.Pytester:
    """A suite that was recorded before the prompt of its bot was edited."""
    pytester.makeconftest(CONFTEST)
    asserting(pytester, "ed in turn 2")
    with recorded_once(kept, pytester.path) as first:
        if first:
            monkeypatch.setenv("PROMPT", OLD)
            asking(pytester, "--todeval-record=missing").assert_outcomes(passed=1)
    monkeypatch.setenv("PROMPT", NEW)
    return pytester


def test_a_replay_names_the_edited_prompt(edited: pytest.Pytester) -> None:
    result = asking(edited)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*stale_cassette*", "*cause: *prompt*edited*"])


def test_the_recorded_user_shows_where_the_new_bot_drifted(
    edited: pytest.Pytester, processes: list[str]
) -> None:
    before = lines_said(edited.path)
    assert len(before) > 1
    result = asking(edited, *processes, *RECORDED, "--todeval-json=r.json")
    result.assert_outcomes(passed=1)
    drifted, turns = len(before) - 1, len(before)
    result.stdout.fnmatch_lines(
        [
            f"  {drifted} of {turns} turns drifted in test test_bot.py::test_it*, first turn 2: "
            "It is [[]-booked-]{+reserved+} in turn 2,*"
        ]
    )
    results = json.loads(edited.path.joinpath("r.json").read_text())
    (entry,) = results["dialogues"]
    after = lines_said(edited.path)
    assert [user for user, _ in after] == [user for user, _ in before]
    assert [turn["system"] for turn in entry["turns"]] == [system for _, system in after]
    assert entry["drift"] == [
        {"turn": n, "was": before[n - 1][1], "now": after[n - 1][1]} for n in range(2, turns + 1)
    ]
    assert results["environment"]["settings"] == {"user": "recorded"}


def test_what_was_recorded_with_the_recorded_user_replays_with_it(edited: pytest.Pytester) -> None:
    asking(edited, *RECORDED).assert_outcomes(passed=1)
    result = asking(edited, "--todeval-user=recorded", "--todeval-json=r.json")
    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("*drifted*")
    result.stdout.no_fnmatch_line("*recorded for*")
    (entry,) = json.loads(edited.path.joinpath("r.json").read_text())["dialogues"]
    assert entry["drift"] == []


def test_the_new_dialogue_is_judged_by_the_test(edited: pytest.Pytester) -> None:
    asserting(edited, "booked")
    result = asking(edited, *RECORDED)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["*- drift -*", "turn 2: It is [[]-booked-]{+reserved+} in turn 2*"]
    )


def test_drift_can_be_seen_without_touching_the_cassette(edited: pytest.Pytester) -> None:
    before = lines_said(edited.path)
    result = asking(edited, RECORDED[0], "--todeval-record=system:live")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["*turns drifted*"])
    assert lines_said(edited.path) == before


def test_a_rule_based_user_is_recorded_anew(edited: pytest.Pytester) -> None:
    asking(edited, "--todeval-record=rewrite").assert_outcomes(passed=1)
    result = asking(edited, "--todeval-json=r.json")
    result.assert_outcomes(passed=1)
    assert "reserved" in lines_said(edited.path)[1][1]
    (entry,) = json.loads(edited.path.joinpath("r.json").read_text())["dialogues"]
    assert "drift" not in entry


def test_a_cassette_without_the_dialogue_says_what_to_run(edited: pytest.Pytester) -> None:
    (cassette,) = edited.path.glob("cassettes/**/*.todeval.jsonl")
    lines = cassette.read_text(encoding="utf-8").splitlines(keepends=True)
    untold = [line for line in lines if not line.startswith('{"said"')]
    assert len(untold) < len(lines)
    cassette.write_text("".join(untold), encoding="utf-8")
    result = asking(edited, *RECORDED)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        ['*holds no dialogue; record it first: pytest "test_bot.py::test_it*rewrite*']
    )
    cassette.unlink()
    result = asking(edited, *RECORDED)
    result.stdout.fnmatch_lines(["*does not exist; record it first*"])


def test_an_unknown_user_is_refused(edited: pytest.Pytester) -> None:
    result = run(edited, "--todeval-user=record")
    result.stderr.fnmatch_lines(["*--todeval-user: no user 'record'; did you mean 'recorded'?*"])


def test_the_ini_file_may_say_who_plays(edited: pytest.Pytester) -> None:
    edited.makeini("[pytest]\ntodeval_user = recorded")
    result = asking(edited, "--todeval-record=system:rewrite")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["*turns drifted*"])


def test_what_went_stale_is_recorded_within_a_budget(edited: pytest.Pytester) -> None:
    before = lines_said(edited.path)
    missing = "--todeval-record=missing"
    result = asking(edited, missing, "--todeval-max-calls=1")
    result.assert_outcomes(errors=1)
    assert lines_said(edited.path) == before
    asking(edited, missing, "--todeval-max-calls=9").assert_outcomes(passed=1)
    assert "reserved" in lines_said(edited.path)[1][1]


GOALS = """
- id: dinner
  message: You want a table at the Old Mill.
  domains: {restaurant: {inform: {food: FOOD}, book: {day: monday}}}
"""
OTHER_GOAL = (
    "*the goal of test test_bot.py::test_it[[]goals/dinner[]] is not the one its user was *"
)


def test_a_user_recorded_for_another_goal_is_told(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROMPT", OLD)
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(
        test_bot=TEST.replace('"demo", limit=1', '"goals.yaml"').replace("WORD", "ed in turn 2")
    )
    goals = pytester.path / "goals.yaml"
    goals.write_text(GOALS.replace("FOOD", "thai"), encoding="utf-8")
    asking(pytester, "--todeval-record=missing").assert_outcomes(passed=1)
    goals.write_text(GOALS.replace("FOOD", "greek"), encoding="utf-8")
    result = asking(pytester, RECORDED[0], "--todeval-json=r.json")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines([f'{OTHER_GOAL}pytest "test_bot.py::test_it*rewrite'])
    (entry,) = json.loads(pytester.path.joinpath("r.json").read_text())["dialogues"]
    assert entry["notes"] == ["the goal is not the one that the recorded user was recorded for"]
    assert entry["drift"] == []
