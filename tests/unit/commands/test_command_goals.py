"""`todeval goals`: what is listed, what is found, and what is written."""

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from pytest_todeval.cli import main
from pytest_todeval.core.goal import Goal
from pytest_todeval.errors import DataMissing
from pytest_todeval.goals.made_up.asked import MadeUp, MadeUpKind
from pytest_todeval.goals.store import DEMO
from pytest_todeval.worlds import registry
from pytest_todeval.worlds.goal_set import GoalSet
from pytest_todeval.worlds.trivial import Trivial
from pytest_todeval.worlds.world import World
from tests.conftest import Todeval

OWN = """\
- id: named
  domains: {shop: {inform: {name: Goodbye}}}
- id: shop
  domains: {shop: {inform: {name: Pennywise}}}
- id: no-sound
  message: Your headset is silent.
  solution: Switch off the mute key.
"""


class Elsewhere(World):
    """Its data is not there."""

    def load(self) -> GoalSet:
        raise DataMissing("no such data. Get it with\n    todeval data get it")


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "own.yaml"
    path.write_text(OWN)
    return path


def test_check_names_the_goals_and_why(own: Path, todeval: Todeval) -> None:
    *lines, last = todeval("goals", "check", own, code=1).out.splitlines()
    assert lines == [
        "named: 'Goodbye.' passes success (every request was answered)",
        "no-sound: not told: it names no domains, so success and booking do not apply; "
        "judge.goal_completion(dialogue) looks for its solution",
    ]
    assert last.startswith("own (")
    said = "): 1 of 3 goals is passed by a bot that does nothing; for 1 no metric can tell"
    assert last.endswith(said)


def test_a_set_without_goals_is_not_well(own: Path, todeval: Todeval) -> None:
    own.write_text("goals: []\n")
    assert "there are no goals in it" in todeval("goals", "check", own, code=2).err


def test_goals_with_teeth_are_well(todeval: Todeval) -> None:
    printed = todeval("goals", "check", "demo", "--split", "val").out
    assert "none of 10 goals is passed by a bot that does nothing" in printed


def test_json_holds_what_was_found(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = own.parent / "found" / "out.json"
    main(["goals", "check", str(own), "--json", str(out)])
    found = json.loads(out.read_text())
    assert found["schema"] == 1
    assert found["goal_set"] == "own"
    assert found["goals"] == 3
    assert list(found["trivial"]) == ["named"]
    assert list(found["untold"]) == ["no-sound"]
    assert found["fingerprint"] in capsys.readouterr().out
    assert main(["goals", "check", str(own), "--json", str(own.parent)]) == 2
    assert f"--json {own.parent}: cannot be written" in capsys.readouterr().err


def test_the_goals_are_not_written_over(own: Path, todeval: Todeval) -> None:
    before = own.read_text()
    printed = todeval("goals", "check", own, "--json", own.parent / "." / own.name, code=2).err
    assert "would replace a file that is read" in printed
    assert own.read_text() == before


def test_places_are_handed_to_the_goal_set(
    own: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = registry.load(own)
    asked: list[dict[str, object]] = []

    def load(source: str, **options: object) -> GoalSet:
        asked.append({"source": source, **options})
        return found

    monkeypatch.setattr(registry, "load", load)
    places = ["--data", "d", "--tau-home", "t", "--tau2-home", "t2"]
    main(["goals", "check", "some", "--split", "dev", *places])
    settings = {"data": "d", "tau-home": "t", "tau2-home": "t2"}
    assert asked == [{"source": "some", "split": "dev", "settings": settings}]


def test_a_wrong_source_is_told(todeval: Todeval) -> None:
    printed = todeval("goals", "check", "dmeo", code=2).err
    assert "unknown goal set 'dmeo': did you mean 'demo'?" in printed


def test_list_says_what_there_is_and_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, todeval: Todeval
) -> None:
    elsewhere = EntryPoint("elsewhere", f"{__name__}:Elsewhere", registry.WORLDS.group)
    demo = registry.BUILT_IN["demo"]
    monkeypatch.setattr(registry, "BUILT_IN", {"demo": demo, "elsewhere": elsewhere})
    lines = todeval("goals", "list").out.splitlines()[:2]
    assert lines[0].startswith("demo          74 goals (")
    assert lines[1] == "elsewhere     not to be read: no such data"


def test_what_a_terminal_would_obey_is_spelled_out(
    own: Path, monkeypatch: pytest.MonkeyPatch, todeval: Todeval
) -> None:
    found = registry.load(own)
    hostile = replace(found, goals=(replace(found.goals[0], id="\x1b[2Jnamed"),))
    monkeypatch.setattr(registry, "load", lambda source, **options: hostile)
    assert "\\x1b[2Jnamed: " in todeval("goals", "check", "own", code=1).out


def test_what_a_benchmarks_tools_print_is_kept_apart(
    own: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def chatty(self: World, goal: Goal) -> Trivial:
        sys.stdout.write("not implemented!!!")
        return Trivial()

    monkeypatch.setattr(World, "trivial", chatty)
    main(["goals", "check", str(own)])
    shown = capsys.readouterr()
    assert "not implemented" not in shown.out
    assert "not implemented" in shown.err


def test_whoever_reads_the_output_may_stop_reading(own: Path) -> None:
    command = [sys.executable, "-m", "pytest_todeval.cli", "goals", "check", str(own)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as todeval:
        assert todeval.stdout is not None
        assert todeval.stderr is not None
        todeval.stdout.close()
        assert todeval.stderr.read() == b""
    assert todeval.returncode == 141


@pytest.mark.parametrize("ending", ["yaml", "json"])
@pytest.mark.parametrize("kind", ["synthetic", "unrealistic", "unfulfillable"])
def test_made_up_goals_are_written_as_a_goal_file(
    kind: str, ending: str, tmp_path: Path, todeval: Todeval
) -> None:
    out = tmp_path / f"made.{ending}"
    asked = ["goals", kind, "demo", "12", "--seed=5", "--domains=hotel,train", f"--out={out}"]
    assert f"12 goals written to {out}" in todeval(*asked).out
    made = registry.load(MadeUp(MadeUpKind(kind), "demo", 12, 5, ("hotel", "train"))).goals
    read = registry.load(out).goals
    assert [(g.id, g.message, g.domains) for g in read] == [
        (g.id, g.message, g.domains) for g in made
    ]


def test_goals_made_up_over_a_file_keep_its_database(tmp_path: Path) -> None:
    part = "{inform: {area: north, food: thai}, request: [phone]}"
    own = tmp_path / "own.yaml"
    own.write_text(f"database: town\ngoals:\n- {{id: a, domains: {{restaurant: {part}}}}}\n")
    (tmp_path / "town").mkdir()
    shutil.copytree(DEMO / "db", tmp_path / "town" / "db")
    out = tmp_path / "deeper" / "made.yaml"
    assert main(["goals", "synthetic", str(own), "5", f"--out={out}"]) == 0
    assert "database: ../town" in out.read_text()
    found = registry.load(out)
    assert len(found.goals) == 5
    assert not any(found.world.impossible(goal) for goal in found.goals)


def test_made_up_goals_without_a_file_are_printed(todeval: Todeval) -> None:
    assert todeval("goals", "synthetic", "demo", "2").out.startswith(
        "# 2 goals made up: synthetic('demo', 2, seed=0)"
    )


def test_a_file_of_goals_is_not_overwritten_by_goals_made_up_over_it(own: Path) -> None:
    before = own.read_text()
    assert main(["goals", "synthetic", str(own), "2", f"--out={own}"]) == 2
    assert own.read_text() == before
