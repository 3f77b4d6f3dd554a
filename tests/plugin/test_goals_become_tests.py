"""Each goal becomes one test, with a stable readable id, the same in every process."""

import pytest

from pytest_todeval.runs.reports.results import read_results
from tests.plugin.conftest import WITHOUT_XDIST, Suite, apart


@pytest.mark.parametrize("processes", WITHOUT_XDIST, indirect=True)
def test_each_goal_is_a_test_that_passes_when_the_booking_stands(
    suite: Suite, processes: list[str]
) -> None:
    result = apart(suite(), *processes, "-v")
    result.assert_outcomes(passed=6)
    assert result.stdout.str().count("test_bot.py::test_books[demo/DEMO") >= 6
    result.stdout.fnmatch_lines(["6 dialogues (AgendaUser with RuleSystem): 6 passed"])


def test_ids_do_not_depend_on_hash_seed(suite: Suite, monkeypatch: pytest.MonkeyPatch) -> None:
    pytester = suite()
    listings = []
    for seed in ("1", "2"):
        monkeypatch.setenv("PYTHONHASHSEED", seed)
        result = apart(pytester, "--collect-only", "-q")
        listings.append([line for line in result.outlines if "::" in line])
    assert len(listings[0]) == 6
    assert listings[0] == listings[1]


def test_trials_play_the_same_goal_several_times(suite: Suite) -> None:
    result = apart(
        suite(
            """
import pytest

@pytest.mark.trials(2)
@pytest.mark.goals("demo", limit=1)
def test_it(dialogue):
    assert dialogue.turns
"""
        ),
        "--collect-only",
        "-q",
    )
    ids = [line for line in result.outlines if "::" in line]
    assert [line.rsplit("#", 1)[1] for line in ids] == ["0]", "1]"]


def test_command_line_limit_wins_over_ini_file(suite: Suite) -> None:
    pytester = suite()
    pytester.makeini("[pytest]\ntodeval_limit = 3\n")
    result = apart(pytester, "--collect-only", "-q")
    assert sum("::" in line for line in result.outlines) == 3
    result = apart(pytester, "--collect-only", "-q", "--todeval-limit=2")
    assert sum("::" in line for line in result.outlines) == 2


def test_markers_on_classes_and_several_markers_add_up(suite: Suite) -> None:
    result = apart(
        suite(
            """
import pytest

@pytest.mark.goals("demo", limit=1)
class TestAll:
    @pytest.mark.goals("demo", domains=["train"], limit=2)
    def test_it(self, goal):
        assert goal.source == "demo"
"""
        )
    )
    result.assert_outcomes(passed=3)


def test_goals_from_a_file_beside_the_test(suite: Suite) -> None:
    pytester = suite(
        """
import pytest

@pytest.mark.goals("mine.yaml")
def test_it(goal):
    assert goal.name == "mine/small-pizza"
    assert goal.domain("pizza").inform == {"size": "small"}
"""
    )
    pytester.path.joinpath("mine.yaml").write_text(
        "goals:\n- id: small-pizza\n  domains:\n    pizza:\n      inform: {size: small}\n"
    )
    apart(pytester).assert_outcomes(passed=1)


OPENING = """
goals:
- id: cancel-it
  domains:
    pizza:
      inform: {size: small}
  opening:
  - user: A small pizza, please.
    system: Ordered, it is on its way.
"""


def test_a_dialogue_can_go_on_from_what_was_said_before(suite: Suite) -> None:
    pytester = suite(
        """
import pytest
from pytest_todeval import ScriptedUser

@pytest.fixture
def user_simulator(goal):
    return ScriptedUser(["Cancel that."])

@pytest.mark.goals("mine.yaml")
def test_it(dialogue):
    assert dialogue.turns[0].system == "Cancelled: A small pizza, please."
    assert not dialogue.turns
""",
        """
import pytest

@pytest.fixture
def tod_system():
    return lambda text, history: f"Cancelled: {history[0]['content']}"
""",
    )
    pytester.path.joinpath("mine.yaml").write_text(OPENING)
    result = apart(pytester, "--todeval-json=r.json")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["*mine/cancel-it: 1 turn,*", "* 0 user: A small pizza, please.", "* 1 user: Cancel that."]
    )
    (entry,) = read_results(pytester.path / "r.json")["dialogues"]
    assert [turn["user"] for turn in entry["turns"]] == ["Cancel that."]
    assert [turn["user"] for turn in entry["goal_record"]["opening"]] == ["A small pizza, please."]


def test_a_suite_may_make_its_goal_itself(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        """
import pytest
from pytest_todeval import DomainGoal, Goal

@pytest.fixture
def goal():
    return Goal("sauna", "own", (DomainGoal("spa", {"treatment": "sauna"}, request=("phone",)),))

@pytest.fixture(scope="session")
def tod_system():
    return lambda text: "We offer the sauna at Blue Spa. The phone is 01223 100200."
"""
    )
    pytester.makepyfile("def test_it(dialogue):\n    assert dialogue.success\n")
    apart(pytester).assert_outcomes(passed=1)


def test_fixtures_can_be_overridden_and_ask_for_what_they_override(suite: Suite) -> None:
    conftest = """
import dataclasses
import pytest
from pytest_todeval import ScriptedUser

@pytest.fixture
def goal(goal):
    return dataclasses.replace(goal, id="changed")

@pytest.fixture
def user_simulator(user_simulator):
    assert user_simulator.respond(None).text
    return ScriptedUser(["Hello there."])

@pytest.fixture
def tod_system():
    return lambda text: f"You said {text!r}"
"""
    test = """
import pytest

@pytest.mark.goals("demo", limit=1)
def test_it(dialogue, goal):
    assert goal.id == dialogue.goal.id == "changed"
    assert [turn.system for turn in dialogue.turns] == ["You said 'Hello there.'"]
"""
    apart(suite(test, conftest)).assert_outcomes(passed=1)


@pytest.mark.parametrize("option", [["-x"], ["-k", "books"], ["--lf"]])
def test_works_with_everyday_options(suite: Suite, option: list[str]) -> None:
    pytester = suite()
    apart(pytester, *option).assert_outcomes(passed=6)


def test_what_is_collected_is_shown_in_words_but_not_in_lists_for_machines(suite: Suite) -> None:
    pytester = suite()
    shown = apart(pytester, "--collect-only").stdout.str()
    assert shown.count("\n  demo/DEMO") == 6
    assert "\n  demo/DEMO007: Somebody told you about a particular restaurant called the" in shown
    assert "Somebody" not in apart(pytester, "--collect-only", "-q").stdout.str()
    assert "Somebody" not in apart(pytester, "--todeval-limit=1").stdout.str()
