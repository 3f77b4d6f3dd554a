"""`todeval hear`: what it prints, what it checks, and what it says of wrong input."""

import io
import json
import re
import shlex
from pathlib import Path

import pytest

from pytest_todeval.cli import main
from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.notation import parse_claim
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.nlu.check.check_file import read_check
from pytest_todeval.runs.reports.entry import dialogue_entry
from pytest_todeval.runs.reports.results import environment, results, write_results
from pytest_todeval.worlds.files.reading import load_goal_file
from tests.conftest import PROJECT, Todeval

CHECK = """\
names: {restaurant: [Rose House, Castle Grill]}
values: {food: [italian, thai]}
hearing:
  - {says: Boom!, means: booked}
sentences:
  - text: Boom!
    hears: [booked]
    kind: taught
  - text: Rose House is booked for you.
    hears: [booked, offer Rose House, not offer Castle Grill]
    domain: restaurant
    kind: booked
  - text: It has not been booked yet.
    hears: [denied booked]
    kind: negated
"""

HI = "sentences:\n  - text: hi\n"


@pytest.fixture
def check(tmp_path: Path) -> Path:
    path = tmp_path / "wordings.yaml"
    path.write_text(CHECK)
    return path


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    goals = [
        Goal(name, "own", (DomainGoal("restaurant", {"food": "thai"}, wants_booking=True),))
        for name in ("one", "two")
    ]
    turns = (
        Turn(1, "I want Thai food.", "How about Castle Grill? It serves thai food."),
        Turn(2, "Book it.", "Trust me.", claims=(parse_claim("booked"),), claims_by="bot"),
    )
    entries = [
        dialogue_entry(Dialogue(goal, turns), test=f"test_it[{goal.name}]", outcome=Outcome.PASSED)
        for goal in goals
    ]
    about = environment(goal_sets={}, metrics={}, settings={})
    path = tmp_path / "results.json"
    write_results(path, results(entries, about))
    return path


def lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().out.splitlines()


def test_a_text_and_what_is_heard_in_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hear", "Your table is booked.", "--domain", "restaurant"]) == 0
    first, claim = lines(capsys)
    assert first == "Your table is booked."
    assert " ".join(claim.split()) == "restaurant: booked your table is booked."


def test_what_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hear", "La la la."]) == 0
    assert lines(capsys) == ["La la la.", "    nothing"]


def test_json_has_every_field(todeval: Todeval) -> None:
    (turn,) = json.loads(todeval("hear", "I think it is booked.", "--json").out)
    (claim,) = turn["heard"]
    assert turn["text"] == "I think it is booked."
    assert turn["heard_by"] == "rules"
    assert (claim["claim"], claim["act"], claim["factuality"]) == ("booked", "booked", "asserted")
    assert claim["doubt"]
    assert claim["slot"] is None
    assert claim["sentence"]


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ("It is booked.\nBye!\n", ["It is booked.", "Bye!"]),
        ("It is\nbooked.\n\n\nBye!", ["It is\nbooked.", "Bye!"]),
        ("It is booked.", ["It is booked."]),
    ],
)
def test_standard_input(
    text: str,
    turns: list[str],
    monkeypatch: pytest.MonkeyPatch,
    todeval: Todeval,
) -> None:
    for arguments in (["-"], []):
        monkeypatch.setattr("sys.stdin", io.StringIO(text))
        assert [
            turn["text"] for turn in json.loads(todeval("hear", *arguments, "--json").out)
        ] == turns


def test_goals_give_names_and_examples(tmp_path: Path, todeval: Todeval) -> None:
    goals = tmp_path / "goals.yaml"
    goals.write_text(
        "hearing: [{says: Boom!, means: booked}]\n"
        "goals: [{id: one, domains: {salon: {inform: {name: Bliss}, request: [phone]}}}]\n"
    )
    (turn,) = json.loads(todeval("hear", "Boom! Try Bliss.", "--goals", goals, "--json").out)
    acts = [(claim["act"], claim["value"]) for claim in turn["heard"]]
    assert ("booked", None) in acts
    assert ("offer", "Bliss") in acts
    assert main(["hear", "How about the Kestrel Inn?", "--goals", "demo", "--json"]) == 0


def test_a_results_file(stored: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hear", str(stored), "--goal", "own/two"]) == 0
    said = lines(capsys)
    assert said[0] == "own/two, turn 1: How about Castle Grill? It serves thai food."
    assert any(line.split()[:3] == ["restaurant:", "inform", "food=thai"] for line in said)
    assert said[-2:] == ["own/two, turn 2: Trust me.", "    booked (told by bot)"]
    assert main(["hear", str(stored), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [turn["heard_by"] for turn in found] == ["rules", "bot"] * 2


def test_control_characters_do_not_reach_the_terminal(todeval: Todeval) -> None:
    assert "\x1b" not in (out := todeval("hear", "It is \x1b[31mbooked.\x07").out)
    assert "\x07" not in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["hear", "Hi", "--goal", "x"], "--goal selects dialogues of a results file"),
        (["hear", "Hi", "--summary"], "--summary needs --check FILE"),
        (["hear", "Hi", "--goals", "nope"], "unknown goal set 'nope'"),
        (["hear", "wordings.yaml"], "to check expectations: --check wordings.yaml"),
        (["hear", "absent.json"], "absent.json"),
    ],
)
def test_what_cannot_be_done_is_told(arguments: list[str], said: str, todeval: Todeval) -> None:
    assert said in todeval(*arguments, code=2).err


def test_options_of_a_results_file(stored: Path, todeval: Todeval) -> None:
    assert "holds no such dialogue" in todeval("hear", stored, "--goal", "own/three", code=2).err
    assert "--user is for a text" in todeval("hear", stored, "--user", "x", code=2).err


# --check


def test_all_as_expected(check: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hear", "--check", str(check)]) == 0
    assert lines(capsys) == [
        "sentences of kind    number     wrong    missed  doubtful",
        "taught                    1         0         0         0",
        "booked                    1         0         0         0",
        "negated                   1         0         0         0",
        "all                       3         0         0         0",
        "",
        "claims             expected     wrong    missed  doubtful",
        "booked                    3         0         0         0",
        "booking_failed            0         0         0         0",
        "offer                     1         0         0         0",
        "no_offer                  0         0         0         0",
    ]


def test_differences_are_shown_with_what_to_do(
    check: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = CHECK.replace("[booked, offer Rose House, not", "[booking_failed, not")
    check.write_text(text.replace("not offer Castle Grill", "not offer Rose House"))
    assert main(["hear", "--check", str(check), str(check)]) == 1
    said = lines(capsys)
    assert said[0] == f"{check}:9: [booked] Rose House is booked for you."
    assert said[1].startswith("    wrongly heard: restaurant: booked; restaurant: offer Rose House")
    assert said[2] == "    missed:        booking_failed"
    assert said[3] == "    expected:      booking_failed"
    assert "restaurant: booked" in said[4]
    assert "all                       6         2         2         0" in said
    assert said[-1].startswith("next step: ")


def test_json_has_the_differences_and_none_of_what_is_right(check: Path, todeval: Todeval) -> None:
    check.write_text(CHECK.replace("[denied booked]", "[booked]"))
    (found,) = json.loads(todeval("hear", "--check", check, "--json", code=1).out)["differences"]
    assert found == {
        "where": f"{check}:13",
        "kind": "negated",
        "text": "It has not been booked yet.",
        "wrong": [],
        "missed": ["booked"],
        "heard": ["denied booked"],
    }
    check.write_text(CHECK)
    assert json.loads(todeval("hear", "--check", check, "--json").out)["differences"] == []


def test_a_summary_shows_no_sentence(check: Path, todeval: Todeval) -> None:
    check.write_text(CHECK.replace("[denied booked]", "[booked]"))
    out = todeval("hear", "--check", check, "--summary", code=1).out
    assert "not been" not in out
    assert "negated                   1         0         1         0" in out
    figures = json.loads(todeval("hear", "--check", check, "--summary", "--json", code=1).out)
    assert figures["kinds"]["negated"] == {
        "sentences": 1,
        "wrong": 0,
        "missed": 1,
        "doubtful": 0,
    }
    assert "differences" not in figures


@pytest.mark.parametrize(("hears", "missed"), [("[]", 0), ("[booked]", 1)])
def test_what_is_heard_with_a_doubt_is_neither_wrong_nor_right(
    check: Path, capsys: pytest.CaptureFixture[str], hears: str, missed: int
) -> None:
    check.write_text(f"sentences:\n  - {{text: It is probably booked., hears: {hears}}}\n")
    assert main(["hear", "--check", str(check), "--summary", "--json"]) == missed
    claims = json.loads(capsys.readouterr().out)["claims"]
    assert claims["booked"] == {
        "expected": missed,
        "missed": missed,
        "heard": 0,
        "wrong": 0,
        "doubtful": 1,
    }


def test_only_whole_kinds_must_be_listed(check: Path) -> None:
    text = "sentences:\n  - {text: 'It is in the north. Anything else?', hears: []}\n"
    check.write_text(text)
    assert main(["hear", "--check", str(check), "--summary"]) == 0
    check.write_text(text.replace("hears: []", "hears: [not inform area=north]"))
    assert main(["hear", "--check", str(check), "--summary"]) == 1


def test_goals_in_place_of_names(check: Path, tmp_path: Path) -> None:
    (tmp_path / "goals.yaml").write_text(
        "hearing: [{says: Boom!, means: booked}]\n"
        "goals: [{id: one, domains: {salon: {inform: {name: Bliss}}}}]\n"
    )
    check.write_text(
        "goals: goals.yaml\n"
        "sentences: [{text: 'Boom! You could go to Bliss.', hears: [booked, offer Bliss]}]\n"
    )
    assert main(["hear", "--check", str(check), "--summary"]) == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- text: hi", ":1: the file: got a list, expected a mapping with `sentences`"),
        ("names: {}", ":1: the file: `sentences` is missing"),
        ("sentences: []", ":1: the file: `sentences` is missing"),
        ("sentences:\n  - hi", ":2: sentences.0: got 'hi', expected a mapping"),
        ("sentences:\n  - text: hi", ":2: sentences.0: `hears` is missing"),
        (HI + "    hears: [boked]", ":3: sentences.0.hears.0: 'boked' names no act"),
        (HI + "    hears: booked", ":3: sentences.0.hears: got 'booked', expected a list"),
        (HI + "    hears: [3]", ":3: sentences.0.hears.0: got 3"),
        ("sentences:\n  - text: 3\n    hears: []", ":2: sentences.0.text: got 3, expected text"),
        (
            HI + "    hears: []\n    kid: x",
            ":4: sentences.0.kid: unknown key; did you mean 'kind'?",
        ),
        (
            HI + "    hears: []\n    unlisted: maybe",
            ":4: sentences.0.unlisted: got 'maybe', expected",
        ),
        (
            "names: [a]\nsentences: [{text: hi, hears: []}]",
            ":1: names: got a list, expected a mapping of lists",
        ),
        (
            "names: {a: [[b]]}\nsentences: [{text: hi, hears: []}]",
            ":1: names.a.0: got a list, expected text",
        ),
        (
            "goals: demo\nvalues: {}\nsentences: [{text: hi, hears: []}]",
            ":2: values: expected `goals`, or",
        ),
        (
            "hearing: [{says: hi}]\nsentences: [{text: hi, hears: []}]",
            ":1: hearing.0: `means` is missing",
        ),
        ("sentences: [", ": broken YAML"),
    ],
)
def test_a_bad_file_is_told_with_its_line(
    check: Path, text: str, said: str, todeval: Todeval
) -> None:
    check.write_text(text)
    error = todeval("hear", "--check", check, code=2).err
    assert error.startswith(f"todeval hear: {check}")
    assert said in error


def test_check_stands_alone(check: Path, todeval: Todeval) -> None:
    printed = todeval("hear", "Hi", "--check", check, code=2).err
    assert "TEXT cannot be combined with --check" in printed
    printed = todeval("hear", "--check", check, "--domain", "x", code=2).err
    assert "--domain cannot be combined with --check" in printed


# docs/hearing.md


def blocks(language: str) -> list[str]:
    page = (PROJECT / "docs" / "hearing.md").read_text("utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", page, re.M | re.S)


def test_the_page_shows_what_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    command, *shown = blocks("text")[0].splitlines()
    dollar, name, *arguments = shlex.split(command)
    assert (dollar, name) == ("$", "todeval")
    assert main(arguments) == 0
    assert lines(capsys) == shown


def test_the_page_s_files_are_right(tmp_path: Path, todeval: Todeval) -> None:
    check_file, goals = (tmp_path / name for name in ("check.yaml", "goals.yaml"))
    for path, text in zip((check_file, goals), blocks("yaml"), strict=True):
        path.write_text(text)
    assert read_check(check_file).wordings[1].hears_not == (parse_claim("booked"),)
    assert len(load_goal_file(goals).goals[0].hearing) == 4
    goals.write_text(
        "hearing:\n  - {says: You are good to go!, means: booked}\n  - means: offer_book\n"
        "    says: You are good to go\ngoals: []\n"
    )
    printed = todeval("hear", "Hi", "--goals", goals, code=2).err
    assert blocks("text")[1].split("hearing.1")[1].strip() in printed
