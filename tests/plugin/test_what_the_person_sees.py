"""A failing assertion shows the reason, the turn and the dialogue, without opening a file."""

import json

import pytest

from pytest_todeval.runs.reports.results import read_results
from tests.plugin.conftest import RULE_SYSTEM, WITHOUT_XDIST, Suite, apart, run

# Says it booked, and never does.
LIAR = """
import pytest

@pytest.fixture
def tod_system():
    def respond(text):
        return "Your table is booked. The reference number is ABCD1234. Anything else?"
    return respond
"""

ASSERTS_BOOKING = """
import pytest

@pytest.mark.goals("demo", domains=["restaurant"], booking=True, limit=1)
def test_books(dialogue):
    assert dialogue.booking
"""

ASSERTS_POLICY = """
import pytest

@pytest.mark.goals("demo", domains=["restaurant"], booking=True, limit=1)
def test_policy(dialogue, judge):
    assert judge.turns(dialogue).policy_compliance >= 4
"""

ASSERTS_RULES = """
import pytest

@pytest.mark.goals("demo", domains=["restaurant"], booking=True, limit=1)
def test_rules(dialogue, judge):
    assert judge.rules(dialogue, "restaurant")
"""


@pytest.mark.parametrize("processes", WITHOUT_XDIST, indirect=True)
def test_a_failing_booking_shows_reason_and_dialogue(suite: Suite, processes: list[str]) -> None:
    result = run(suite(ASSERTS_BOOKING, LIAR), *processes)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "E*booking FAILED*restaurant*",
            "*- dialogue -*",
            "*turn*, stopped by*",
            "*user: *",
            "*bot: Your table is booked.*",
            "*1 dialogue (AgendaUser with conftest.respond): 1 failed",
        ]
    )


def test_a_broken_turn_score_shows_turn_and_reason(suite: Suite, processes: list[str]) -> None:
    result = run(suite(ASSERTS_POLICY, LIAR), *processes)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["E*policy_compliance >= 4 in every turn: not in turn *", "*turn *: *"]
    )


def test_a_broken_rule_shows_rule_turn_and_reason(suite: Suite) -> None:
    result = run(suite(ASSERTS_RULES, LIAR))
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E*turn *"])


def test_long_dialogues_are_short_unless_asked_for(suite: Suite) -> None:
    endless = """
import itertools
import pytest

@pytest.fixture
def tod_system():
    numbers = itertools.count(1)
    return lambda text: f"This is answer {next(numbers)}."

@pytest.fixture
def user_simulator():
    from pytest_todeval import ScriptedUser
    return ScriptedUser([f"Question {n}?" for n in range(1, 13)])
"""
    pytester = suite(ASSERTS_BOOKING, endless)
    short = run(pytester).stdout
    short.fnmatch_lines(["*earlier turn*-vv shows all*"])
    short.no_fnmatch_line("*This is answer 1.")
    full = run(pytester, "-vv").stdout
    full.fnmatch_lines(["*This is answer 1.", "*This is answer 12."])


@pytest.mark.thorough
def test_results_file_is_the_same_however_the_run_is_spread(suite: Suite) -> None:
    from pytest_todeval.runs.reports.results import read_results, strip_times

    pytester = suite()
    files = []
    for name, arguments in (("a", ["-n0"]), ("b", ["-n2"]), ("c", ["-p", "no:xdist"])):
        apart(pytester, *arguments, f"--todeval-json={name}.json")
        files.append(strip_times(read_results(pytester.path / f"{name}.json")))
    assert len(files[0]["dialogues"]) == 6
    assert files[0] == files[1] == files[2]


def test_results_file_holds_goal_turns_and_metrics(suite: Suite) -> None:
    pytester = suite()
    run(pytester, "--todeval-json=out/r.json")
    results = json.loads(pytester.path.joinpath("out/r.json").read_text())
    entry = results["dialogues"][0]
    assert results["schema"] == 1
    assert entry["test"].startswith("test_bot.py::test_books[demo/")
    assert entry["outcome"] == "passed"
    assert entry["metrics"]["booking"] is True
    assert entry["turns"][0]["user"]
    assert results["environment"]["goal_sets"].keys() == {"demo", "demo/db"}


def test_what_the_judge_was_asked_stands_in_the_results_file(suite: Suite) -> None:
    test = ASSERTS_POLICY + "    assert judge.rules(dialogue, 'restaurant')\n"
    pytester = suite(test, RULE_SYSTEM)
    run(pytester, "--todeval-json=r.json").assert_outcomes(passed=1)
    entry = json.loads(pytester.path.joinpath("r.json").read_text())["dialogues"][0]
    scores = entry["scores"]["policy_compliance"]
    assert [score["turn"] for score in scores] == list(range(1, len(entry["turns"]) + 1))
    assert entry["rules"]


def test_settings_stand_in_the_header(suite: Suite) -> None:
    result = run(suite(), "--todeval-limit=2")
    result.stdout.fnmatch_lines(["todeval: limit=2", "todeval: 2 dialogues over demo (*)"])


OWN_ERRORS = """
import pytest
from pytest_todeval import ChatSystem, HttpSystem
from pytest_todeval.errors import UsageError

@pytest.fixture
def tod_system():
    return HttpSystem("http://127.0.0.1:1/{sesion}")

@pytest.fixture
def chat():
    return ChatSystem("m", max_steps=0)

@pytest.mark.goals("demo", limit=1)
def test_bot(dialogue):
    pass

def test_chat(chat):
    pass

def test_token():
    HttpSystem("http://127.0.0.1:1", headers={"X": "${NO_SUCH_TOKEN}"})

def test_own():
    raise UsageError("my own words")
"""


def test_an_error_of_ours_shows_the_line_of_the_suite_that_led_to_it(
    pytester: pytest.Pytester,
) -> None:
    pytester.makepyfile(test_bot=OWN_ERRORS)
    result = pytester.runpytest_inprocess("-p", "no:xdist")
    result.assert_outcomes(errors=2, failed=2)
    lines = [
        '>   *return HttpSystem("http://127.0.0.1:1/{sesion}")',
        "E *UsageError: the bot's URL has {sesion}; did you mean 'session'?*",
        '>   *return ChatSystem("m", max_steps=0)',
        "E *UsageError: max_steps is 0, expected a whole number above 0",
        '>   *HttpSystem("http://127.0.0.1:1", headers={"X": "${NO_SUCH_TOKEN}"})',
        "E *UsageError: the header X of the bot takes *NO_SUCH_TOKEN, which is not set*",
        '>   *raise UsageError("my own words")',
    ]
    result.stdout.fnmatch_lines(lines)
    result.stdout.no_re_match_line(r".*pytest_todeval[/\\]\w+")
    result = pytester.runpytest_inprocess("-p", "no:xdist", "--full-trace")
    result.stdout.re_match_lines([r".*pytest_todeval[/\\]simulation"])


def test_with_quiet_terminal_and_without_terminal(suite: Suite) -> None:
    pytester = suite()
    assert run(pytester, "-q").ret == 0
    assert apart(pytester, "-p", "no:terminal").ret == 0


def test_results_of_an_earlier_run_do_not_pass_for_this_ones(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_it():\n    pass")
    pytester.path.joinpath("r.json").write_text("those of an earlier run")
    result = pytester.runpytest("--todeval-json=r.json")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["no dialogue was played", "results: r.json"])
    assert read_results(pytester.path / "r.json")["dialogues"] == []


@pytest.mark.parametrize("argument", ["--fixtures", "--collect-only", "no_such_test.py"])
def test_results_stay_where_nothing_was_to_be_run(pytester: pytest.Pytester, argument: str) -> None:
    pytester.makepyfile("def test_it():\n    pass")
    results = pytester.path / "r.json"
    results.write_text("those of an earlier run")
    pytester.runpytest("--todeval-json=r.json", argument)
    assert results.read_text() == "those of an earlier run"


CALLS_BOT = """
import pytest
from pytest_todeval import Reply, ScriptedUser, ToolCall
from pytest_todeval.testing import ScriptedSystem

FOUND = ToolCall("find_hotel", {"area": "north"}, [])
BOOKED = ToolCall("book_hotel", {"name": "The Acorn", "day": "tuesday"}, "X1")

@pytest.fixture
def tod_system():
    return ScriptedSystem([Reply("The Acorn?", (FOUND,)), Reply("Done.", (BOOKED, BOOKED)), "Bye"])

@pytest.fixture
def user_simulator():
    return ScriptedUser(["A hotel in the north", "Book it for wednesday", "Bye"])
"""
ASSERTS_CALLS = """
import pytest
from pytest_todeval import handoff

pytestmark = pytest.mark.goals("demo", domains=["hotel"], limit=1)

def test_looks_first(dialogue):
    assert dialogue.tool_calls.before("book_hotel").called("find_hotel", area=str)
    assert dialogue.tool_calls.called_in_order("find_hotel", "book_hotel")
    assert dialogue.tool_calls.never_called(handoff("Billing"))

def test_day(dialogue):
    assert dialogue.tool_calls.called("book_hotel", day="wednesday")

def test_once(dialogue):
    assert dialogue.tool_calls.called("book_hotel").times == 1

def test_order(dialogue):
    assert dialogue.tool_calls.called_in_order("book_hotel", "find_hotel")

def test_after_a_hand_off(dialogue):
    assert dialogue.tool_calls.after(handoff("Billing")).never_called("book_hotel")
"""


def test_a_call_that_is_not_as_asked_for_shows_the_nearest(suite: Suite) -> None:
    pytester = suite(ASSERTS_CALLS, CALLS_BOT)
    result = run(pytester, "--todeval-show=all", "--todeval-json=r.json")
    result.assert_outcomes(passed=1, failed=4)
    result.stdout.fnmatch_lines(
        [
            "E*assert <called book_hotel(day='wednesday'): NO, nearest is turn 2, "
            "book_hotel(name='The Acorn', day='tuesday'): day is 'tuesday', not 'wednesday'>",
            "E*assert 2 == 1",
            "E*2 = <called book_hotel: yes, turn 2, turn 2>.times",
            "E*assert <called in order book_hotel, find_hotel: NO, "
            "book_hotel in turn 2, then no find_hotel: only in turn 1>",
            ">*dialogue.tool_calls.after(*",
            "E*NeverDone: never called transfer_to_billing, so nothing is before or after it: "
            "nearest is turn *: another tool",
        ]
    )
    entries = read_results(pytester.path / "r.json")["dialogues"]
    assert sorted(entry["outcome"] for entry in entries) == ["failed"] * 4 + ["passed"]
