"""Goals that Hypothesis draws, as a suite uses them: found, made smaller, shown, kept."""

import json
import re
import shlex
from pathlib import Path

import pytest

from pytest_todeval.cli import main
from tests.plugin.conftest import WITHOUT_XDIST, Suite, apart

SATURDAYS = """
import pytest
from pytest_todeval.systems import RuleSystem

class NoSaturdays(RuleSystem):
    def book(self, state, arguments):
        if arguments.get("day") == "saturday":
            arguments = {**arguments, "day": "sunday"}
        return super().book(state, arguments)

@pytest.fixture(scope="session")
def tod_system():
    return NoSaturdays
"""
MARKED = """
import pytest

@pytest.mark.property_goals("demo", domains=["hotel", "restaurant"], max_examples=60)
def test_books(dialogue):
    assert dialogue.booking
"""
GIVEN = """
from hypothesis import given, settings, seed
from pytest_todeval.strategies import conversation, goals, user_styles

@seed(1)
@settings(max_examples=60, database=None)
@given(goal=goals("demo", domains=["hotel", "restaurant"]), style=user_styles())
def test_books(goal, style, dialogue):
    assert goal == dialogue.goal
    assert dialogue.booking
"""


def smallest(text: str) -> str:
    return text.split("smallest goal -")[1].split("to keep it:")[0]


def test_the_smallest_goal_that_fails_is_shown_in_words(suite: Suite) -> None:
    pytester = suite(MARKED, conftest=SATURDAYS)
    result = apart(pytester, "--hypothesis-seed=1", "--todeval-json=results.json")
    result.assert_outcomes(failed=1)
    told = smallest(result.stdout.str())
    assert re.search(r"Book it with day saturday, people 1 and (stay 1|time [\d:]+)\.", told)
    assert told.count("Your wish concerns:") == 1
    assert "Find out" not in told
    assert re.search(r"found by dialogue \d+, made smaller in \d+ more", told)
    found = json.loads((pytester.path / "results.json").read_text())["dialogues"]
    assert [each["outcome"] for each in found].count("failed") == 1
    tests = [each["test"] for each in found]
    assert len(set(tests)) == len(tests)
    assert all(re.search(r"::test_books\[demo/(hotel|restaurant)-", test) for test in tests)


@pytest.mark.parametrize("options", WITHOUT_XDIST)
def test_given_shows_the_line_that_keeps_it(suite: Suite, options: list[str]) -> None:
    pytester = suite(GIVEN, conftest=SATURDAYS)
    first = apart(pytester, *options)
    first.assert_outcomes(failed=1)
    line = re.search(r"@example\(.*\)", first.stdout.str())
    assert line is not None
    again = apart(pytester, *options)
    assert smallest(again.stdout.str()) == smallest(first.stdout.str())
    pinned = GIVEN.replace("import given", "import given, example").replace(
        "@seed(1)", f"{line[0]}\n@seed(1)"
    )
    pytester.makepyfile(test_bot=pinned)
    kept = apart(pytester, *options)
    kept.assert_outcomes(failed=1)
    assert "found by dialogue 1," in kept.stdout.str()


def test_each_example_has_fresh_fixtures_and_methods_a_fresh_object(suite: Suite) -> None:
    pytester = suite(
        """
import pytest
from hypothesis import given, settings
from pytest_todeval.strategies import conversations

class TestHelps:
    @pytest.fixture(autouse=True)
    def fresh(self):
        assert not hasattr(self, "seen")
        self.seen = True

    @settings(max_examples=12, database=None)
    @given(conversation=conversations("demo", domains=["attraction"]))
    def test_answers(self, conversation, dialogue, backend, made):
        assert dialogue.success
        assert len(made) == len(set(made))
        print("PLAYED", conversation.style)
""",
        conftest="""
import pytest
from pytest_todeval.systems import RuleSystem

@pytest.fixture(scope="session")
def made():
    return []

@pytest.fixture(scope="session")
def tod_system(made):
    def build(backend):
        made.append(id(backend.trace))
        made[-1] = len(made)
        return RuleSystem(backend)
    return build
""",
    )
    result = apart(pytester, "-rA")
    result.assert_outcomes(passed=1)


def test_goals_of_ones_own_without_a_database(suite: Suite) -> None:
    pytester = suite(
        """
import pytest

@pytest.mark.property_goals("goals.yaml", max_examples=15, styles=False)
def test_orders(dialogue):
    assert dialogue.booking
""",
        conftest="""
import re
import pytest

class Shop:
    def __init__(self): self.made = []
    def bookings(self): return self.made

@pytest.fixture
def backend(): return Shop()

@pytest.fixture
def tod_system(backend):
    def respond(text, history):
        said = " ".join([each["content"] for each in history] + [text]).lower()
        time = re.search(r"\\d\\d:\\d\\d", said)
        size = re.search("small|large", said)
        if backend.made:
            return "Is there anything else I can help you with?"
        if not size: return "Which size would you like?"
        if not time: return "At what time?"
        hour = "19:15" if time[0] == "19:30" else time[0]
        backend.made.append(
            {"domain": "pizza", "reference": "A1B2C3", "size": size[0], "time": hour}
        )
        return f"I have booked a {size[0]} pizza for {hour}. The reference number is A1B2C3."
    return lambda: respond
""",
    )
    (pytester.path / "goals.yaml").write_text(
        """
goals:
- id: small
  domains: {pizza: {inform: {size: small, topping: mushroom}, book: {time: "18:30"}}}
- id: large
  domains: {pizza: {inform: {size: large}, book: {time: "19:30"}}}
"""
    )
    result = apart(pytester, "--hypothesis-seed=2")
    result.assert_outcomes(failed=1)
    told = smallest(result.stdout.str())
    assert "time 19:30" in told
    assert "topping" not in told
    line = re.search(r"todeval (goals add goals.yaml .*)", result.stdout.str())
    assert line is not None
    assert main(shlex.split(line[1])) == 0
    assert main(shlex.split(line[1])) == 0  # it is there already
    pytester.makepyfile(
        test_bot="""
import pytest

@pytest.mark.goals("goals.yaml")
def test_orders(dialogue):
    assert dialogue.booking
"""
    )
    kept = apart(pytester)
    kept.assert_outcomes(passed=1, failed=2)


def test_what_says_nothing_about_the_bot_is_not_counted(suite: Suite) -> None:
    pytester = suite(
        """
import pytest

@pytest.mark.property_goals("demo", domains=["hotel"], max_examples=10)
def test_books(dialogue, goal):
    assert dialogue.booking
""",
        conftest="""
import pytest
from pytest_todeval.errors import SimulatorFault
from pytest_todeval.systems import RuleSystem

class Broken:
    def respond(self, turn):
        raise SimulatorFault("no words")

@pytest.fixture
def user_simulator(goal, user_simulator):
    return Broken() if goal.domains[0].book else user_simulator

@pytest.fixture(scope="session")
def tod_system():
    return RuleSystem
""",
    )
    result = apart(pytester, "--hypothesis-seed=1", "--todeval-json=results.json", "-rA")
    result.assert_outcomes(passed=1)
    found = json.loads((pytester.path / "results.json").read_text())["dialogues"]
    assert {each["outcome"] for each in found} == {"passed"}
    result.stdout.re_match_lines([r".*ended in simulator_fault: not counted"])


@pytest.mark.parametrize(
    ("test", "told"),
    [
        (MARKED.replace('"demo"', '"dmeo"'), "*unknown goal set 'dmeo'*"),
        (MARKED.replace("max_examples", "max_example"), "*did you mean 'max_examples'*"),
        (MARKED.replace("60", "0"), "*max_examples: got 0, expected 1 or more*"),
        (MARKED.replace('["hotel"', '["hotl"'), "*domains: 'hotl'*"),
        (MARKED.replace("(dialogue)", "()"), "*add an argument `dialogue`*"),
    ],
)
def test_mistakes_in_the_marker_stop_the_collection(suite: Suite, test: str, told: str) -> None:
    result = apart(suite(test), "-p", "no:randomly")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([told])


def test_two_goals_at_once_are_refused(suite: Suite) -> None:
    result = apart(
        suite(
            """
from hypothesis import given
from pytest_todeval.strategies import goals

@given(one=goals("demo"), two=goals("demo"))
def test_books(one, two, dialogue):
    assert dialogue.booking
"""
        )
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*draws one goal or conversation, got 2*"])


def test_recorded_examples_are_drawn_again_in_replay(suite: Suite) -> None:
    pytester = suite(
        """
import pytest

@pytest.mark.property_goals("demo", domains=["attraction"], max_examples=5, styles=False)
@pytest.mark.todeval(unserved="allowed", max_turns=2)
def test_says_something(dialogue):
    assert dialogue.turns[0].system
""",
        conftest=Path(__file__)
        .with_name("test_cassettes_in_runs.py")
        .read_text()
        .split('"""')[3]
        .replace("user_simulator(goal)", "nobody(goal)"),
    )
    recorded = apart(pytester, "--todeval-record=missing")
    recorded.assert_outcomes(passed=1)
    cassettes = sorted(pytester.path.glob("cassettes/**/*.jsonl"))
    assert len(cassettes) == 5
    for _ in range(2):
        replayed = apart(pytester)
        replayed.assert_outcomes(passed=1)
    over = apart(pytester, "--todeval-record=rewrite", "--todeval-max-calls=3")
    over.assert_outcomes(errors=1)
    over.stdout.fnmatch_lines(["*todeval-max-calls*"])
