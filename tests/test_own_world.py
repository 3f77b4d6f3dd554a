"""`examples/own_world`, as a stranger would have it: built as a wheel, installed, and played."""

import json
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.conftest import NO_OTHERS, PROJECT

EXAMPLE = PROJECT / "examples" / "own_world"
TESTS = ("conftest.py", "hirebot.py", "test_bike_hire.py", "rules.yaml")
"""What users of the package write, in a folder of their own."""
GOALS = ("city-bike", "cargo-bike", "bring-back", "in-debt", "none-left")

SILENT = """
from hirebot import HireBot

class SilentBot(HireBot):
    def hire(self):
        self._ask("hire_bike", **self.offer)
        return "Done."
"""
GENEROUS = """
from hirebot import HireBot

class GenerousBot(HireBot):
    def propose(self):
        self.rider = {**self.rider, "owes": 0}
        return super().propose()
"""
RASH = """
from hirebot import HireBot

class RashBot(HireBot):
    def propose(self):
        offer = super().propose()
        return self.hire() if self.offer else offer
"""
IDLE = """
class IdleBot:
    def respond(self, text):
        return "Goodbye."
"""


MODELS = """
import re
import pytest
from hirebot import HireBot
from pytest_todeval import LLMJudge, LLMUser, ModelSettings
from pytest_todeval.testing import StandInServer

def answer(request):
    system, *_, last = [message["content"] for message in request.messages]
    if "You judge how courteous" in system:
        return {"courtesy": {"reason": "It says please.", "score": 4}}
    assert "You are in a hurry" in system
    if "Write your first message" in last:
        return "City bike, harbour, 2 hours."
    if "phone" in last:
        return "0711 5501"
    return "Yes." if "euros" in last else "DONE"

@pytest.fixture(scope="session")
def tod_system():
    return HireBot

@pytest.fixture(scope="session")
def model():
    with StandInServer(answer) as server:
        yield ModelSettings("m", base_url=server.base_url)

@pytest.fixture
def user_simulator(goal, model):
    return LLMUser(goal, model, "hurried")

@pytest.fixture
def judge(model):
    return LLMJudge(model)
"""
BY_MODELS = """
import pytest

@pytest.mark.goals("bike_hire", ids=["city-bike"])
def test_by_models(dialogue, judge):
    assert dialogue.reward
    assert judge.courtesy(dialogue)["courtesy"] >= 4
    assert not judge.courtesy(dialogue)["courtesy"] >= 5
"""


class Installed:
    """A virtual environment that sees the packages of this one, and the example besides."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        wheel = self._built(folder)
        venv.create(folder / "venv", symlinks=True)
        (site,) = (folder / "venv").glob("lib/*/site-packages")
        ours = sysconfig.get_paths()["purelib"]
        (site / "ours.pth").write_text(f"import site; site.addsitedir({ours!r})\n")
        self.python = folder / "venv" / "bin" / "python"
        to = ("--python", str(self.python), "install", "--no-deps", "--no-index", str(wheel))
        _done(sys.executable, "-m", "pip", "--quiet", *to)

    @staticmethod
    def _built(folder: Path) -> Path:
        shutil.copytree(EXAMPLE, folder / "source")
        offline = ("--no-deps", "--no-index", "--no-build-isolation")
        to = ("-w", str(folder), str(folder / "source"))
        _done(sys.executable, "-m", "pip", "--quiet", "wheel", *offline, *to)
        (wheel,) = folder.glob("*.whl")
        return wheel

    def tests(self, folder: Path, bot: str = "") -> Path:
        """The tests beside the example, in a folder, with another bot if its class is given."""
        for name in TESTS:
            shutil.copy(EXAMPLE / name, folder / name)
        if bot:
            (name,) = re.findall(r"^class (\w+)", bot, re.MULTILINE)
            (folder / "otherbot.py").write_text(bot)
            conftest = (EXAMPLE / "conftest.py").read_text()
            of_other = conftest.replace("from hirebot import", "from otherbot import")
            (folder / "conftest.py").write_text(of_other.replace("HireBot", name))
        return folder

    def run(self, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run `python -m ARGUMENTS` there, with no way to the checkout of pytest-todeval."""
        return subprocess.run(
            [self.python, "-m", *arguments],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
            env={
                "PATH": "",
                "NO_COLOR": "1",
                "COLUMNS": "100",
                "HOME": str(folder),
                "PYTEST_ADDOPTS": NO_OTHERS,
            },
        )


def _done(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    if find_spec("hatchling") is None:
        pytest.skip("hatchling builds the wheel: pip install 'pytest-todeval[test]'")
    return Installed(tmp_path_factory.mktemp("own_world"))


@pytest.mark.parametrize(
    "spread",
    [
        [],
        pytest.param(["-n", "2"], marks=pytest.mark.thorough),
        pytest.param(["-p", "no:xdist"], marks=pytest.mark.thorough),
    ],
    ids=" ".join,
)
def test_its_goals_become_tests_that_a_good_bot_passes(
    installed: Installed, tmp_path: Path, spread: list[str]
) -> None:
    run = installed.run(installed.tests(tmp_path), "pytest", *spread)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "7 dialogues (Rider with HireBot): 7 passed" in run.stdout
    assert re.search(r"lock_code +2 of 2 ", run.stdout)
    assert re.search(r"reward_actions +7 of 7 ", run.stdout)
    assert len(re.findall("7 passed", run.stdout)) == 2


@pytest.mark.parametrize(
    ("bot", "failing", "told"),
    [
        pytest.param(
            SILENT,
            ("city-bike", "cargo-bike"),
            "lock_code +0 of 2 ",
            marks=pytest.mark.thorough,
        ),
        (GENEROUS, ("in-debt",), "reward FAILED"),
        pytest.param(
            RASH,
            ("city-bike", "cargo-bike"),
            "price-first BROKEN",
            marks=pytest.mark.thorough,
        ),
        pytest.param(IDLE, GOALS, "reward FAILED", marks=pytest.mark.thorough),
    ],
    ids=["silent", "generous", "rash", "idle"],
)
def test_bad_bots_fail_the_goals_that_they_get_wrong(
    installed: Installed, tmp_path: Path, bot: str, failing: tuple[str, ...], told: str
) -> None:
    only = ("pytest", "-k", "does_what_the_rider_wants", "-rf")
    run = installed.run(installed.tests(tmp_path, bot), *only)
    failed = re.findall(r"^FAILED \S+\[bike_hire/([\w-]+)\]", run.stdout, re.MULTILINE)
    assert sorted(failed) == sorted(failing), run.stdout
    assert re.search(told, run.stdout)


def test_a_rule_with_its_predicate_finds_what_a_bot_breaks(
    installed: Installed, tmp_path: Path
) -> None:
    folder = installed.tests(tmp_path, GENEROUS)
    (folder / "test_bike_hire.py").write_text(
        "import pytest\n\n"
        '@pytest.mark.goals("bike_hire", split="refusal", ids=["in-debt"])\n'
        "def test_lends_nothing(dialogue, judge):\n"
        '    assert judge.rules(dialogue, "rules.yaml")\n'
    )
    run = installed.run(folder, "pytest")
    assert "no-credit BROKEN" in run.stdout
    assert "Tom Achterberg owes 14 euros" in run.stdout


@pytest.mark.thorough
def test_models_play_by_its_strategy_and_answer_its_question(
    installed: Installed, tmp_path: Path
) -> None:
    shutil.copy(EXAMPLE / "hirebot.py", tmp_path)
    (tmp_path / "conftest.py").write_text(MODELS)
    (tmp_path / "test_it.py").write_text(BY_MODELS)
    run = installed.run(tmp_path, "pytest", "--todeval-record=live", "--todeval-json=out.json")
    assert run.returncode == 0, run.stdout + run.stderr
    assert "1 dialogue (LLMUser hurried with HireBot): 1 passed" in run.stdout
    (entry,) = json.loads((tmp_path / "out.json").read_text())["dialogues"]
    assert [score["value"] for score in entry["scores"]["courtesy"]] == [4]
    refused = installed.run(
        tmp_path, "pytest_todeval.cli", "judge", "out.json", "--ask", "courtesy"
    )
    assert "--ask courtesy needs a model as the judge" in refused.stderr


def test_the_command_lists_it_and_finds_no_trivial_goal(
    installed: Installed, tmp_path: Path
) -> None:
    listed = installed.run(tmp_path, "pytest_todeval.cli", "goals", "list")
    assert re.search(r"^bike_hire +5 goals \([0-9a-f]{12}\)$", listed.stdout, re.MULTILINE)
    checked = installed.run(tmp_path, "pytest_todeval.cli", "goals", "check", "bike_hire")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert checked.stdout.endswith(": none of 5 goals is passed by a bot that does nothing\n")


WRONG = {
    'goals("bike_hier")': "unknown goal set 'bike_hier': did you mean 'bike_hire'?",
    'goals("bike_hire", splt="hire")': "no argument 'splt': did you mean 'split'?",
    'goals("bike_hire", split="hires")': "no split 'hires': did you mean 'hire'?",
    'goals("bike_hire", town="x")': "takes no option 'town': Known: split",
    'goals("bike_hire/city")': "unknown goal set 'bike_hire/city': did you mean 'bike_hire'?",
    'goals("bike_hire", ids=["x"])': "no goal has the id 'x' among these 5: city-bike",
}


def test_a_wrong_marker_is_told_what_there_is(installed: Installed, tmp_path: Path) -> None:
    installed.tests(tmp_path)
    for at, marker in enumerate(WRONG):
        (tmp_path / f"test_{at}.py").write_text(
            f"import pytest\n\n@pytest.mark.{marker}\ndef test_it(dialogue):\n    pass\n"
        )
    run = installed.run(tmp_path, "pytest", "-p", "no:xdist")
    assert run.returncode == 2
    errors = re.split(r"^_+ ERROR collecting (test_\d)\.py _+$", run.stdout, flags=re.MULTILINE)
    told = dict(zip(errors[1::2], errors[2::2], strict=True))
    for at, expected in enumerate(WRONG.values()):
        assert expected in told[f"test_{at}"]


def test_only_public_names_are_imported() -> None:
    """Of `pytest_todeval` itself and its public modules, all listed in `__all__`."""
    import pytest_todeval
    from pytest_todeval import errors, judge, rules

    public = {
        "pytest_todeval": pytest_todeval.__all__,
        "pytest_todeval.errors": errors.__all__,
        "pytest_todeval.judge": judge.__all__,
        "pytest_todeval.rules": rules.__all__,
    }
    imported = [
        (module, name)
        for path in EXAMPLE.rglob("*.py")
        for module, names in re.findall(
            r"^from (pytest_todeval[\w.]*) import (\([^)]*\)|.*)$", path.read_text(), re.MULTILINE
        )
        for name in re.findall(r"\w+", names)
    ]
    assert len(imported) > 15
    assert [(m, n) for m, n in imported if n not in public.get(m, ())] == []
