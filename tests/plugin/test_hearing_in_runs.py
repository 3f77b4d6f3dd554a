"""`hearing:` in whole runs: user and metrics hear what a project teaches."""

import json

import pytest

from pytest_todeval.cli import main
from tests.plugin.conftest import apart

BOT = """
import pytest

class Salon:
    def respond(self, text):
        if "friday" in text.lower():
            return "Grand. The scissors are at the ready for Friday."
        return "Which day would you like?"

@pytest.fixture
def tod_system():
    return Salon
"""

GOALS = """
goals:
  - id: cut
    domains:
      salon:
        book: {day: friday}
"""

TEST = """
import pytest

@pytest.mark.goals("goals.yaml")
def test_books(dialogue):
    assert dialogue.booking
"""

HEARING = """
hearing:
  - says: The scissors are at the ready for Monday.
    means: booked
"""


@pytest.fixture
def suite(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.makeconftest(BOT)
    pytester.makepyfile(test_salon=TEST)
    (pytester.path / "goals.yaml").write_text(GOALS)
    return pytester


def test_untaught_words_are_not_understood(suite: pytest.Pytester) -> None:
    assert suite.runpytest_inprocess().ret != 0


def test_a_goal_file_teaches(suite: pytest.Pytester) -> None:
    (suite.path / "goals.yaml").write_text(HEARING + GOALS)
    suite.runpytest_inprocess("--todeval-json=r.json").assert_outcomes(passed=1)
    (entry,) = json.loads((suite.path / "r.json").read_text())["dialogues"]
    assert entry["goal_record"]["hearing"] == [
        {"says": "The scissors are at the ready for Monday.", "means": ["booked"]}
    ]
    assert entry["stop_reason"] == "user_done"


def test_stored_dialogues_are_heard_as_they_were(
    suite: pytest.Pytester, capsys: pytest.CaptureFixture[str]
) -> None:
    (suite.path / "goals.yaml").write_text(HEARING + GOALS)
    suite.runpytest_inprocess("--todeval-json=r.json").assert_outcomes(passed=1)
    capsys.readouterr()
    assert main(["hear", str(suite.path / "r.json"), "--json"]) == 0
    heard = [
        claim["act"] for turn in json.loads(capsys.readouterr().out) for claim in turn["heard"]
    ]
    assert "booked" in heard


@pytest.mark.parametrize("given", ["option", "ini", "goal file first"])
def test_a_file_of_the_project_teaches_all_goals(suite: pytest.Pytester, given: str) -> None:
    (suite.path / "own.yaml").write_text(HEARING)
    options = ["--todeval-hearing=own.yaml"]
    if given == "ini":
        suite.makeini("[pytest]\ntodeval_hearing = own.yaml\n")
        options = []
    if given == "goal file first":
        (suite.path / "own.yaml").write_text(HEARING.replace("booked", "booking_failed"))
        (suite.path / "goals.yaml").write_text(HEARING + GOALS)
    suite.runpytest_inprocess(*options).assert_outcomes(passed=1)


def test_what_is_no_example_stops_the_collection(suite: pytest.Pytester) -> None:
    (suite.path / "own.yaml").write_text(HEARING.replace("booked", "bookd"))
    result = suite.runpytest_inprocess("--todeval-hearing=own.yaml")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(["*own.yaml:4: hearing.0.means: 'bookd' names no act*"])
    result = suite.runpytest_inprocess("--todeval-hearing=absent.yaml")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "absent.yaml" in result.stderr.str()


def test_processes_hear_alike(suite: pytest.Pytester) -> None:
    (suite.path / "own.yaml").write_text(HEARING)
    suite.makeini("[pytest]\ntodeval_hearing = own.yaml\n")
    apart(suite, "-n1").assert_outcomes(passed=1)


def test_what_was_heard_stands_in_a_failing_dialogue_and_in_the_results(
    suite: pytest.Pytester,
) -> None:
    result = suite.runpytest("-v", "--todeval-json=results.json")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["*bot: Which day would you like[?]*", "     heard: salon: request day"]
    )
    quiet = suite.runpytest("--todeval-json=results.json")
    quiet.stdout.no_fnmatch_line("     heard: *")
    (dialogue,) = json.loads((suite.path / "results.json").read_text())["dialogues"]
    assert dialogue["turns"][0]["heard"] == [{"claim": "salon: request day"}]
    assert dialogue["turns"][0]["heard_by"] == "rules"
