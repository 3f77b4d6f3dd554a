"""A package's world that breaks in a run: its own fault, told with place and expectation."""

import json
from pathlib import Path

import pytest

from tests.plugin.conftest import run

WORLD = """
from pytest_todeval import Goal, GoalSet, Utterance, Verdict, World

class Texting:
    def respond(self, turn):
        return "Hello."

class Talking:
    def respond(self, turn):
        return Utterance("Hello.") if turn is None else Utterance("Bye.", "user_done")

class CarWorld(World):
    def load(self, split="sound"):
        self.way = split
        return GoalSet("cars", [Goal("G1", "cars", (), ("A car.",))], split, self)

    def backend(self, goal):
        return {}["garage"] if self.way == "backend" else None

    def user(self, goal, *, style, seed):
        if self.way == "user":
            raise ValueError("no driver")
        return {"text": Texting(), "class": Talking}.get(self.way) or Talking()

    def impossible(self, goal):
        return 1 / 0 if self.way == "impossible" else None

    def evaluate(self, dialogue, backend, judge=None):
        if self.way == "evaluate":
            raise KeyError("wheel")
        verdict = Verdict("reward", dialogue.turns[0].system == "Yes.", "the car is there")
        return {"list": [verdict], "bool": {"reward": True}}.get(self.way, {"reward": verdict})
"""
BOT = """
import pytest

@pytest.fixture(scope="session")
def tod_system():
    return lambda text: "Yes."
"""
TEST = """
import pytest

@pytest.mark.goals("cars", split={way!r})
def test_it(dialogue):
    assert dialogue.reward
"""


@pytest.fixture
def cars(pytester: pytest.Pytester) -> pytest.Pytester:
    """A folder on Python's path that holds a package as pip leaves it: module and metadata."""
    site = pytester.mkdir("site")
    (site / "cars.py").write_text(WORLD)
    about = site / "cars-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: cars\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[pytest_todeval.worlds]\ncars = cars:CarWorld\n")
    pytester.syspathinsert(site)
    pytester.makeconftest(BOT)
    return pytester


def play(pytester: pytest.Pytester, way: str) -> tuple[pytest.RunResult, str]:
    """The run of the one goal, and the outcome of its dialogue; empty if none was played."""
    pytester.makepyfile(test_cars=TEST.format(way=way))
    result = run(pytester, "-p", "no:xdist", "--todeval-json=out.json")
    path = Path(pytester.path / "out.json")
    dialogues = json.loads(path.read_text())["dialogues"] if path.exists() else []
    return result, dialogues[0]["outcome"] if dialogues else ""


def test_a_sound_world_plays(cars: pytest.Pytester) -> None:
    result, outcome = play(cars, "sound")
    result.assert_outcomes(passed=1)
    assert outcome == "passed"


@pytest.mark.parametrize(
    ("way", "expected_outcome", "told"),
    [
        ("backend", "", "*BackendError: cars/G1: CarWorld.backend raised KeyError: 'garage' (at*"),
        ("backend", "", "*(at cars.py:* in backend: *; correct it there*"),
        ("user", "", "*SimulatorFault: cars/G1: CarWorld.user raised ValueError: no driver (at*"),
        ("class", "", "*UsageError: the user simulator <class 'cars.Talking'> has no method*"),
        ("impossible", "", "*JudgeFault: cars/G1: CarWorld.impossible raised ZeroDivisionError:*"),
        ("text", "simulator_fault", "*answered with str 'Hello.' instead of an `Utterance`*"),
        ("text", "simulator_fault", "*is to return pytest_todeval.Utterance(text)) in turn 1*"),
        ("evaluate", "judge_fault", "*cars/G1: CarWorld.evaluate raised KeyError: 'wheel' (at*"),
        ("list", "judge_fault", "*CarWorld.evaluate returned list [[]<reward passed*, expected a*"),
        ("bool", "judge_fault", "*returned, as 'reward', bool True, expected a mapping of names*"),
    ],
)
def test_a_broken_world_is_no_failure_of_the_bot(
    cars: pytest.Pytester, way: str, expected_outcome: str, told: str
) -> None:
    result, outcome = play(cars, way)
    result.assert_outcomes(errors=1)
    assert outcome == expected_outcome
    result.stdout.fnmatch_lines([told])


def test_a_trivial_goal_cannot_be_told_of_a_broken_world(
    cars: pytest.Pytester, capsys: pytest.CaptureFixture[str]
) -> None:
    from pytest_todeval.cli import main

    assert main(["goals", "check", "cars", "--split", "sound"]) == 0
    assert main(["goals", "check", "cars", "--split", "evaluate"]) == 0
    shown = capsys.readouterr().out
    assert "G1: not told: CarWorld.trivial raised KeyError: 'wheel' (at cars.py:" in shown
