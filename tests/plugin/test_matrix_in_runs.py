"""Systems by users from one test: what is played, how it is called, and what the report shows."""

import json
from pathlib import Path

import pytest

from pytest_todeval.cli import main
from pytest_todeval.runs.reports.results import read_results, strip_times
from tests.plugin.conftest import Suite, apart

MATRIX = """
import pytest
from pytest_todeval import Reply, ScriptedUser, StopReason, Usage, Utterance
from pytest_todeval.systems import RuleSystem

class Paid(RuleSystem):
    def respond(self, text):
        reply = super().respond(text)
        return Reply(reply.text, state=reply.state, usage=Usage(100, 20, 0.5))

def lazy(text):
    return "I am sorry, I have no such hotel."

def hurried(goal):
    gives_up = Utterance("Bye.", stop=StopReason.USER_GAVE_UP)
    return ScriptedUser(["A hotel, please.", lambda turn: gives_up])

@pytest.mark.goals("demo", domains=["hotel"], booking=True, limit=1, seed=4)
@pytest.mark.matrix(
    systems={"rules": Paid, "lazy": lazy},
    users=["agenda", "terse", {"user_style": "chatty", "variation": "easy"}, hurried],
)
@pytest.mark.todeval(unserved="allowed", max_turns=14)
def test_compare(dialogue):
    assert dialogue.booking
"""


def test_each_system_meets_each_user(suite: Suite, processes: list[str]) -> None:
    pytester = suite(MATRIX)
    (pytester.path / "conftest.py").unlink()  # the matrix says who the systems are
    result = apart(pytester, *processes, "--todeval-json=results.json", "-v")
    result.assert_outcomes(passed=3, failed=5)
    result.stdout.fnmatch_lines(["*test_compare?demo/DEMO*-rules-terse?*"])
    found = read_results(pytester.path / "results.json")
    assert list(found["summary"]["cells"]) == ["lazy", "rules"]
    cells = found["summary"]["cells"]["rules"]
    assert {user: cell["metrics"]["booking"]["hits"] for user, cell in cells.items()} == {
        "agenda": 1,
        "chatty easy": 1,
        "hurried": 0,
        "terse": 1,
    }
    assert {entry.get("variation", "") for entry in found["dialogues"]} == {"", "easy"}
    about = dict(found["environment"])
    assert about["bots"]["rules"]["class"] == ["test_bot.Paid"]  # type: ignore[index]


def test_the_report_is_a_table_of_systems_by_users(
    suite: Suite, capsys: pytest.CaptureFixture[str]
) -> None:
    pytester = suite(MATRIX)
    apart(pytester, "--todeval-json=results.json")
    path = str(pytester.path / "results.json")
    capsys.readouterr()
    assert main(["report", path, "--matrix", "--metric=booking"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines() if line]
    assert rows[0] == ["booking", "lazy", "rules"]
    assert rows[1:6] == [
        ["agenda", "0.00", "1.00"],
        ["chatty", "easy", "0.00", "1.00"],
        ["hurried", "0.00", "0.00"],
        ["terse", "0.00", "1.00"],
        ["spread", "0.00", "1.00"],
    ]
    table = {" ".join(row[:-2]): row[-2:] for row in rows[6:]}
    assert table["tokens per success"][0] == "-"
    assert float(table["tokens per success"][1].replace(",", "")) > 100
    assert main(["report", path, "--matrix", "--metric=booking", "--format=markdown"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "| booking | lazy | rules |"
    assert lines[2] == "| agenda | 0.00 | 1.00 |"
    assert main(["report", path, "--matrix", "--format=json"]) == 0
    told = json.loads(capsys.readouterr().out)
    (booking,) = [each for each in told if each["metric"] == "booking"]
    assert booking["cells"]["rules"]["agenda"] == {"dialogues": 1, "successes": 1, "rate": 1.0}
    assert booking["systems"]["rules"]["spread"] == 1.0
    assert main(["report", path]) == 0
    assert "by system and user: booking" in capsys.readouterr().out
    assert main(["report", path, "--matrix", "--metric=politeness"]) == 2


PYTESTS_OWN = """
import pytest
from pytest_todeval.systems import RuleSystem

def lazy(text):
    return "I am sorry, I have no such hotel."

@pytest.mark.parametrize("tod_system", [RuleSystem, lazy])
@pytest.mark.goals("demo", domains=["hotel"], booking=True, limit=1, seed=4)
@pytest.mark.todeval(unserved="allowed")
def test_compare(dialogue):
    assert dialogue.booking
"""


def test_pytests_own_parametrization_of_systems_works(suite: Suite) -> None:
    pytester = suite(PYTESTS_OWN)
    (pytester.path / "conftest.py").unlink()
    result = apart(pytester, "--todeval-json=results.json")
    result.assert_outcomes(passed=1, failed=1)
    assert len(read_results(pytester.path / "results.json")["summary"]["bots"]) == 2


def test_trials_of_several_systems_are_told_apart(suite: Suite) -> None:
    pytester = suite(
        PYTESTS_OWN.replace("@pytest.mark.goals", "@pytest.mark.trials(2)\n@pytest.mark.goals")
    )
    apart(pytester, "--todeval-json=results.json")
    found = read_results(pytester.path / "results.json")["summary"]
    assert found["metrics"]["pass^2"]["rate"] == 0.5
    assert found["metrics"]["pass^2"]["total"] == 2
    assert "pass^3" not in found["metrics"]


def test_a_wrong_matrix_is_told_at_once(suite: Suite) -> None:
    pytester = suite(
        """
import pytest

@pytest.mark.goals("demo", limit=1)
@pytest.mark.matrix(users=["agent"])
def test_it(dialogue):
    pass
"""
    )
    result = apart(pytester)
    result.stdout.fnmatch_lines(["*marker matrix: no user 'agent'*did you mean 'agenda'*"])
    result.assert_outcomes(errors=1)


def test_users_of_a_matrix_may_be_played_by_different_models(suite: Suite) -> None:
    pytester = suite(
        """
import pytest

USERS = [{"user": "clem_todd", "user_model": name} for name in ("small", "large")]

@pytest.mark.goals("demo", domains=["hotel"], limit=1)
@pytest.mark.matrix(users=USERS)
@pytest.mark.todeval(unserved="allowed")
def test_it(user_simulator):
    assert "clem_todd, small" in repr(user_simulator) or "clem_todd, large" in repr(user_simulator)
"""
    )
    pytester.makefile(".yaml", models="user: {model: other, temperature: 0.5}")
    result = apart(pytester, "-v", "--todeval-models=models.yaml")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["*-clem_todd small?*", "*-clem_todd large?*"])


RESUMED = """
import os, signal
from pathlib import Path
import pytest
from pytest_todeval.systems import RuleSystem

LOG = Path(__file__).with_name("played.txt")

class Counted(RuleSystem):
    def __init__(self, backend):
        super().__init__(backend)
        with LOG.open("a") as log:
            log.write("played\\n")
        if os.environ.get("KILLED_AFTER") == str(len(LOG.read_text().splitlines())):
            os.kill(int(os.environ.get("KILLED") or os.getpid()), signal.SIGKILL)

def lazy(text):
    return "I am sorry, I have no such hotel."

@pytest.mark.goals("demo", domains=["hotel"], booking=True, limit=4, seed=4)
@pytest.mark.matrix(systems={"rules": Counted, "lazy": lazy}, users=["agenda", "terse"])
@pytest.mark.todeval(unserved="allowed")
def test_compare(dialogue):
    assert dialogue.booking
"""


def played(path: Path) -> int:
    return len((path / "played.txt").read_text().splitlines())


@pytest.mark.thorough
def test_a_killed_run_goes_on_where_it_was(suite: Suite, monkeypatch: pytest.MonkeyPatch) -> None:
    pytester = suite(RESUMED)
    asked = ("-p", "no:cacheprovider", "--todeval-json=results.json", "--todeval-resume")
    monkeypatch.setenv("KILLED_AFTER", "5")
    assert apart(pytester, *asked).ret == -9
    assert not (pytester.path / "results.json").exists()
    left = (pytester.path / "results.json.partial").read_text().splitlines()
    assert len(left) >= 4
    monkeypatch.delenv("KILLED_AFTER")
    result = apart(pytester, *asked)
    result.assert_outcomes(passed=8, failed=8)
    result.stdout.fnmatch_lines(["todeval: resuming: * of the dialogues stand in results.json*"])
    assert played(pytester.path) == 9  # eight, and the one that the run was killed in
    assert not (pytester.path / "results.json.partial").exists()
    resumed = read_results(pytester.path / "results.json")
    (pytester.path / "played.txt").unlink()
    apart(pytester, "-p", "no:cacheprovider", "--todeval-json=whole.json")
    assert strip_times(resumed) == strip_times(read_results(pytester.path / "whole.json"))


def test_what_stands_in_the_file_is_not_played_again(suite: Suite) -> None:
    pytester = suite(RESUMED)
    apart(pytester, "--todeval-json=results.json", "-k", "agenda")
    before = strip_times(read_results(pytester.path / "results.json"))["dialogues"]
    assert played(pytester.path) == 4
    result = apart(pytester, "--todeval-json=results.json", "--todeval-resume", "-rA")
    result.assert_outcomes(passed=8, failed=8)
    result.stdout.fnmatch_lines(["*booking*", "*not played again: its result is that in *"])
    assert played(pytester.path) == 8
    after = strip_times(read_results(pytester.path / "results.json"))["dialogues"]
    assert len(after) == 16
    assert [each for each in after if each in before] == before


def test_a_changed_goal_is_played_again(suite: Suite) -> None:
    pytester = suite(
        RESUMED.replace('"demo", domains=["hotel"], booking=True, limit=4, seed=4', '"own.yaml"')
    )
    own = pytester.path / "own.yaml"
    text = "database: demo\ngoals:\n" + "".join(
        f"- {{id: {area}, domains: {{hotel: {{inform: {{area: {area}}}, request: [phone]}}}}}}\n"
        for area in ("north", "south")
    )
    own.write_text(text)
    apart(pytester, "--todeval-json=results.json")
    assert played(pytester.path) == 4
    own.write_text(text.replace("area: north", "area: east"))
    apart(pytester, "--todeval-json=results.json", "--todeval-resume")
    assert played(pytester.path) == 6
    assert len(read_results(pytester.path / "results.json")["dialogues"]) == 8


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--todeval-resume"], "*--todeval-resume needs --todeval-json*"),
        (
            ["--todeval-resume", "--todeval-json=results.json", "--todeval-variation=easy"],
            "*results.json was measured with variation=None*this run has variation=easy*",
        ),
    ],
)
def test_resuming_what_cannot_be_gone_on_with_is_refused(
    suite: Suite, arguments: list[str], told: str
) -> None:
    pytester = suite(RESUMED)
    if "--todeval-json=results.json" in arguments:
        apart(pytester, "--todeval-json=results.json", "-k", "agenda and rules")
    result = apart(pytester, *arguments)
    result.stderr.fnmatch_lines([told])
    assert result.ret


@pytest.mark.thorough
def test_a_spread_run_whose_controller_was_killed_goes_on(
    suite: Suite, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytester = suite(RESUMED.replace('os.environ.get("KILLED")', "os.getppid()"))
    asked = ("-n2", "-p", "no:cacheprovider", "--todeval-json=results.json", "--todeval-resume")
    monkeypatch.setenv("KILLED_AFTER", "6")
    apart(pytester, *asked)
    kept = len((pytester.path / "results.json.partial").read_text().splitlines())
    monkeypatch.delenv("KILLED_AFTER")
    (pytester.path / "played.txt").unlink()
    result = apart(pytester, *asked)
    result.assert_outcomes(passed=8, failed=8)
    assert played(pytester.path) < 8
    assert kept > 0
    found = read_results(pytester.path / "results.json")
    assert len(found["dialogues"]) == 16


def test_what_was_set_up_is_torn_down_though_the_last_test_is_not_played(suite: Suite) -> None:
    """A test is not set up while another module's fixtures stand: pytest refuses."""
    module = """
import pytest

@pytest.fixture(scope="module", autouse=True)
def of_the_module():
    yield
    print("torn down", __name__)

@pytest.mark.goals("demo", domains=["hotel"], limit=2)
def test_it(dialogue):
    assert dialogue.success
"""
    pytester = suite(module)
    pytester.makepyfile(test_second=module)
    listed = apart(pytester, "--collect-only", "-q").outlines
    last = [line for line in listed if line.startswith("test_bot.py::")][-1]
    apart(pytester, "--todeval-json=results.json", last).assert_outcomes(passed=1)
    result = apart(pytester, "--todeval-json=results.json", "--todeval-resume", "-s")
    result.assert_outcomes(passed=4)
    told = [line.partition("torn down ")[2] for line in result.outlines if "torn down" in line]
    assert told == ["test_bot", "test_second"]


@pytest.mark.parametrize(
    ("place", "told"), [("folder", "*folder is a folder*"), ("file/x.json", "*file is no folder*")]
)
def test_a_results_file_that_cannot_be_is_told_before_the_run(
    suite: Suite, place: str, told: str
) -> None:
    pytester = suite(RESUMED)
    (pytester.path / "folder").mkdir()
    (pytester.path / "file").touch()
    result = apart(pytester, f"--todeval-json={place}")
    result.stderr.fnmatch_lines([f"*--todeval-json: got '{place}', but {told}"])
    assert not (pytester.path / "played.txt").exists()
