"""Going on with a run: what a killed one has left, and what cannot be gone on with."""

import json
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.errors import InvalidFile, UsageError
from pytest_todeval.integration import resume
from pytest_todeval.integration.case import Case
from pytest_todeval.integration.quarantine import Quarantine
from pytest_todeval.integration.resume import Resumed, append, go_on
from pytest_todeval.integration.settings import Settings, partial_path
from pytest_todeval.runs.reports.results import dialogue_entry, read_results


def payload(number: int, outcome: Outcome = Outcome.PASSED, model: str = "small") -> dict[str, Any]:
    """What a worker sends of a dialogue."""
    played = Dialogue(Goal(str(number), "own", ()), (Turn(1, "Hello.", "Hello."),))
    test = f"test_bot.py::test_it[own/{number}]"
    calls = {"user": {"calls": 1, "models": [model]}}
    entry = dialogue_entry(
        played, test=test, outcome=outcome, bot="ours", user="agenda", calls=calls
    )
    return {
        "entry": entry,
        "goal_set": {"own": "abc"},
        "definitions": {"success": "online 3"},
        "prompts": {},
        "about": {"bots": {"ours": {"class": ["shop.Bot"], "models": []}}},
        "rules": {},
        "played_by": "agenda with ours",
        "drift": [],
        "unused": [],
        "idle_rules": {},
        "not_held_back": [],
    }


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "results.json"


def keep(file: Path, *payloads: dict[str, Any]) -> None:
    for at, each in enumerate(payloads):
        append(file, each, first=not at)


def outcomes(file: Path) -> dict[str, str]:
    found = read_results(file)["dialogues"]
    return {entry["goal"]: entry["outcome"] for entry in found}


def test_nothing_is_there_at_first(file: Path) -> None:
    assert go_on(file, Settings()).entries == []
    assert not file.exists()


def test_what_a_killed_run_has_played_is_put_into_the_file(file: Path) -> None:
    keep(file, payload(1), payload(2, Outcome.FAILED))
    run = go_on(file, Settings())
    assert outcomes(file) == {"own/1": "passed", "own/2": "failed"}
    assert not partial_path(file).exists()
    assert len(run.entries) == 2
    assert read_results(file)["environment"]["goal_sets"] == {"own": "abc"}


def test_the_line_in_which_a_run_was_killed_is_left_out(file: Path) -> None:
    keep(file, payload(1), payload(2))
    path = partial_path(file)
    path.write_text(path.read_text()[:-20])
    go_on(file, Settings())
    assert outcomes(file) == {"own/1": "passed"}


def test_a_file_that_somebody_broke_is_told_with_its_line(file: Path) -> None:
    keep(file, payload(1), payload(2))
    path = partial_path(file)
    path.write_text("no JSON\n" + path.read_text())
    with pytest.raises(InvalidFile, match=r"results\.json\.partial:1: not a dialogue"):
        go_on(file, Settings())


PARTS = payload(1)
DAMAGED = (
    *({**PARTS, name: 3} for name in PARTS),
    *({**PARTS, name: {"a": 3}} for name in ("goal_set", "definitions", "rules", "about")),
    *({**PARTS, "entry": {**PARTS["entry"], name: {"a": 3}}} for name in ("goal", "calls")),
    *({name: part for name, part in PARTS.items() if name != lost} for lost in PARTS),
    [PARTS],
)


@pytest.mark.parametrize("damaged", DAMAGED)
def test_a_line_that_is_no_dialogue_is_told(file: Path, damaged: dict[str, Any]) -> None:
    keep(file, damaged, payload(2))
    with pytest.raises(InvalidFile, match=r"results\.json\.partial:1: not a dialogue"):
        go_on(file, Settings())


def test_what_is_no_results_file_is_told_with_the_option(file: Path) -> None:
    file.write_text("words")

    with pytest.raises(UsageError, match=r"--todeval-resume: .*results\.json: not a results file"):
        go_on(file, Settings())


def test_what_was_played_later_takes_the_place_of_what_was_before(file: Path) -> None:
    keep(file, payload(1, Outcome.INFRASTRUCTURE), payload(2))
    go_on(file, Settings())
    keep(file, payload(1))
    run = go_on(file, Settings())
    assert outcomes(file) == {"own/1": "passed", "own/2": "passed"}
    run.take(payload(2, Outcome.FAILED))
    assert sorted(entry["outcome"] for entry in run.entries) == ["failed", "passed"]


def test_users_of_another_model_are_added_to_those_there_are(file: Path) -> None:
    """Two files of different models are no run: merging refuses them. This is one run."""
    keep(file, payload(1, model="small"))
    go_on(file, Settings())
    keep(file, payload(2, model="large"))
    go_on(file, Settings())
    assert read_results(file)["environment"]["models"] == {"user": ["large", "small"]}


def test_a_run_that_measured_otherwise_is_not_gone_on_with(file: Path) -> None:
    keep(file, payload(1))
    go_on(file, Settings(limit=5))
    go_on(file, Settings(limit=50))
    told = "measured with variation=None, this run has variation=easy"
    with pytest.raises(UsageError, match=told):
        go_on(file, Settings(variation="easy"))


def test_a_file_of_another_version_is_not_gone_on_with(file: Path) -> None:
    keep(file, payload(1))
    go_on(file, Settings())
    found = json.loads(file.read_text())
    found["environment"]["todeval"] = "0.0.1"
    file.write_text(json.dumps(found))
    with pytest.raises(UsageError, match=r"was written by version 0\.0\.1"):
        go_on(file, Settings())


class Item:
    """A test as the collection knows it."""

    location = ("test_bot.py", 1, "test_it")
    keywords, id = ("test_it",), "own"

    def __init__(self, number: int, *, xfail: bool = False, goal: bool = True) -> None:
        self.nodeid = f"test_bot.py::test_it[own/{number}]"
        case = Case(Goal(str(number), "own", ()), None) if goal else None  # type: ignore[arg-type]
        self.callspec = SimpleNamespace(params={"goal": case}, id="own")
        self.config = SimpleNamespace(option=SimpleNamespace(runxfail=False))
        self.stash: dict[object, object] = {}
        self.told: list[Any] = []
        self.torn: list[object] = []
        self.session = SimpleNamespace(_setupstate=SimpleNamespace(teardown_exact=self.torn.append))
        self.marks = ["xfail"] if xfail else []
        self.user_properties: list[object] = []
        self._report_sections: list[object] = []
        self.ihook = SimpleNamespace(
            pytest_runtest_logstart=lambda **_: self.told.append("start"),
            pytest_runtest_logreport=lambda report: self.told.append(report),
            pytest_runtest_logfinish=lambda **_: self.told.append("finish"),
        )

    def get_closest_marker(self, name: str) -> str | None:
        return name if name in self.marks else None

    def iter_markers(self, name: str = "") -> list[object]:
        return []


def test_what_passed_or_failed_is_told_and_faults_are_played_again(file: Path) -> None:
    keep(file, payload(1), payload(2, Outcome.FAILED), payload(3, Outcome.INFRASTRUCTURE))
    go_on(file, Settings())
    resumed = Resumed(file)
    assert "2 of the dialogues stand in results.json" in resumed.pytest_report_header()

    def told(item: Any) -> list[Any]:
        assert resumed.pytest_runtest_protocol(item, None) in (True, None)
        return [
            each if isinstance(each, str) else (each.when, each.outcome, each.longrepr)
            for each in item.told
        ]

    passed = [(phase, "passed", None) for phase in ("setup", "call", "teardown")]
    assert told(Item(1)) == ["start", *passed, "finish"]
    failed = told(Item(2))
    assert failed[1] == passed[0]
    assert failed[2][:2] == ("call", "failed")
    assert failed[2][2].endswith("not played again: its result is that in results.json "
                                 "(--todeval-resume)")  # fmt: skip
    assert failed[3] == passed[2]
    for again in (Item(3), Item(4), Item(1, xfail=True), Item(1, goal=False)):
        assert told(again) == []
    other: Any = Item(1)
    changed = Goal("1", "own", (), message=("another",))
    other.callspec.params["goal"] = Case(changed, None)  # type: ignore[arg-type]
    assert told(other) == [], "its goal is another now"
    other = Item(1)
    held = Quarantine(("*",), "slow", date.today())
    other.callspec.params["goal"] = other.callspec.params["goal"]._replace(quarantine=held)
    assert told(other) == [], "it is in quarantine now"


def test_without_a_results_file_nothing_is_gone_on_with(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "resuming: 0 of the dialogues" in Resumed(file).pytest_report_header()
    monkeypatch.setattr(resume, "results_path", lambda _: None)
    config: Any = None
    with pytest.raises(pytest.UsageError, match="--todeval-resume needs --todeval-json FILE"):
        Resumed.of(config)
    monkeypatch.setattr(resume, "results_path", lambda _: file)
    keep(file, payload(1))
    go_on(file, Settings())
    assert "resuming: 1 of" in Resumed.of(config).pytest_report_header()


def test_what_cannot_be_kept_is_told(tmp_path: Path) -> None:
    (tmp_path / "folder").touch()
    with pytest.raises(UsageError, match=r"cannot keep what was played in .*x\.json\.partial"):
        append(tmp_path / "folder" / "x.json", payload(1), first=True)
