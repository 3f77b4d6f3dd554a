"""What the process that reports says before, while and after a run, and what it writes when."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_todeval.integration import plan, reporter, resolving
from pytest_todeval.integration.case import PAYLOAD, TOLD, Case
from pytest_todeval.integration.record import Run
from pytest_todeval.integration.reporter import Reporter
from pytest_todeval.integration.settings import Settings, partial_path
from pytest_todeval.play.cast import Cast
from pytest_todeval.recording import jail
from pytest_todeval.runs.reports.results import read_results
from pytest_todeval.worlds.goal_set import GoalSet
from pytest_todeval.worlds.world import World
from tests.unit.integration.test_resume import payload
from tests.unit.play.test_play import GOAL


class Terminal:
    """Keeps what is written."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.write_line = self.lines.append

    def ensure_newline(self) -> None: ...

    def section(self, title: str, sep: str) -> None:
        self.lines.append(title)


Made = Callable[..., Reporter]
SESSION: Any = SimpleNamespace()


@pytest.fixture
def terminal() -> Terminal:
    return Terminal()


@pytest.fixture
def made(tmp_path: Path, terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> Made:
    """The reporter of a run with these settings."""

    def make(*, spread: bool = False, collectonly: bool = False, **settings: Any) -> Reporter:
        path = tmp_path / "r.json" if settings.get("json") else None
        monkeypatch.setattr(Settings, "of", lambda _: Settings(**settings))
        monkeypatch.setattr(
            reporter, "results_path", lambda _, name="json": path if name == "json" else None
        )
        monkeypatch.setattr(reporter, "check_cassette_options", lambda _: None)
        monkeypatch.setattr(plan, "plan_lines", lambda *_: ["todeval: the plan"])
        cast = Cast(model=settings.get("model"), base_url=settings.get("base_url"))
        monkeypatch.setattr(resolving, "cast_of", lambda _: cast)
        plugins = SimpleNamespace(
            hasplugin=lambda name: spread and name == "dsession",
            get_plugin=lambda name: terminal if name == "terminalreporter" else None,
        )
        config: Any = SimpleNamespace(
            getoption=lambda *_: None,
            getini=lambda _: "",
            known_args_namespace=SimpleNamespace(),
            stash=pytest.Stash(),
            option=SimpleNamespace(collectonly=collectonly),
            pluginmanager=plugins,
            rootpath=tmp_path,
            invocation_params=SimpleNamespace(dir=tmp_path, args=()),
        )
        monkeypatch.setattr(Reporter, "_show_progress", lambda self: None)
        return Reporter(config)

    return make


def report(number: int, **more: Any) -> Any:
    return SimpleNamespace(**{PAYLOAD: payload(number), "failed": False, **more})


def items(count: int) -> Any:
    goals = GoalSet("demo", (GOAL,), "ab", World())
    case = Case(GOAL, goals)
    return [SimpleNamespace(callspec=SimpleNamespace(params={"goal": case}))] * count


def test_the_head_says_what_was_set(made: Made) -> None:
    assert made().pytest_report_header() == []
    assert made(limit=3, trials=2).pytest_report_header() == ["todeval: limit=3, trials=2"]
    assert made(record="missing").pytest_report_header() == ["todeval: record=missing"]
    spread = made(spread=True, record="missing", max_calls=5).pytest_report_header()
    assert spread[1:] == ["todeval: budget: 5 calls; --collect-only shows the plan, spends nothing"]
    assert len(made(spread=True, limit=3).pytest_report_header()) == 1


def test_the_head_names_models_and_where_they_are_asked(made: Made) -> None:
    place = {"model": "judge:gpt", "base_url": "http://localhost:7/v1"}
    head = made(record="missing", **place).pytest_report_header()
    assert len(head) == 3
    assert "gpt" in head[1]
    assert "localhost:7" in head[2]
    assert len(made(**place).pytest_report_header()) == 2, "a replay asks nobody"


def test_what_is_collected_is_told_with_what_holds_the_network_back(
    made: Made, tmp_path: Path
) -> None:
    counted = "todeval: 2 dialogues over demo (ab)"
    assert made().pytest_report_collectionfinish([]) == []
    assert made().pytest_report_collectionfinish(items(2)) == [counted]
    assert len(made(jail="python").pytest_report_collectionfinish(items(2))) == 2
    planned = made(record="missing").pytest_report_collectionfinish(items(2))
    assert (len(planned), planned[-1]) == (3, "todeval: the plan")
    live = made(record="live").pytest_report_collectionfinish(items(2))
    assert live == [counted, "todeval: the plan"]
    (tmp_path / "cassettes").mkdir()
    assert len(made().pytest_report_collectionfinish(items(2))) == 2


@pytest.mark.parametrize(
    ("starts", "collectonly", "written"),
    [(True, False, True), (True, True, False), (False, False, False)],
)
def test_results_are_written_by_a_run_that_ran(
    made: Made, tmp_path: Path, starts: bool, collectonly: bool, written: bool
) -> None:
    path = tmp_path / "r.json"
    reporting = made(json="r.json", collectonly=collectonly)
    if starts:
        reporting.pytest_runtestloop()
    reporting.pytest_sessionfinish(SESSION)
    assert path.exists() is written
    if written:
        assert read_results(path)["dialogues"] == []


def test_dialogues_are_kept_while_the_run_lasts(
    made: Made, tmp_path: Path, terminal: Terminal
) -> None:
    partial = partial_path(tmp_path / "r.json")
    partial.write_text("of an earlier run\n")
    reporting = made(json="r.json")
    reporting.pytest_runtestloop()
    for number in (1, 2):
        reporting.pytest_runtest_logreport(report(number))
        assert len(partial.read_text().splitlines()) == number
    reporting.pytest_sessionfinish(SESSION)
    assert not partial.exists()
    assert len(read_results(tmp_path / "r.json")["dialogues"]) == 2
    reporting.pytest_terminal_summary(terminal)  # type: ignore[arg-type]
    assert terminal.lines[:2] == ["dialogues", "2 dialogues (agenda with ours): 2 passed"]
    assert terminal.lines[-1] == "results: r.json"
    assert len(reporting.restored()) == 2


def test_without_a_results_file_nothing_is_kept(made: Made, tmp_path: Path) -> None:
    reporting = made()
    assert (reporting.results(), reporting.restored()) == (None, ())
    reporting.pytest_runtestloop()
    reporting.pytest_runtest_logreport(report(1))
    reporting.pytest_sessionfinish(SESSION)
    assert list(tmp_path.iterdir()) == []
    found = reporting.results()
    assert found is not None
    how_far: Any = {"goals": 3}
    reporting.note_sequential(how_far)
    again = reporting.results()
    assert again is not None
    assert again["environment"]["sequential"] == [how_far]


def test_a_place_that_cannot_be_written_to_is_told_at_the_end(
    made: Made, tmp_path: Path, terminal: Terminal
) -> None:
    partial_path(tmp_path / "r.json").mkdir()
    reporting = made(json="r.json")
    reporting.pytest_runtest_logreport(report(1))
    reporting.pytest_terminal_summary(terminal)  # type: ignore[arg-type]
    assert terminal.lines[-1].startswith("results: cannot keep what was played in ")


def test_progress_and_calls_outside_of_dialogues_are_told(
    made: Made, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Run, "progress", lambda self: f"{len(self.entries)} so far")
    monkeypatch.setattr(jail, "late", list)  # other tests of the process may have late calls
    reporting = made(spread=True)
    nothing: dict[str, Any] = {"recorded": {}, "made": {}, "failures": [], "notices": []}
    nothing["late"] = []
    for calls in ({}, {"made": {"GET host/x": 2}}):
        told = {TOLD: {**nothing, **calls}}
        reporting.pytest_runtest_logreport(SimpleNamespace(**told))  # type: ignore[arg-type]
    assert terminal.lines == []
    reporting.pytest_runtest_logreport(report(1))
    assert terminal.lines == ["todeval: 1 so far"]
    terminal.lines.clear()
    reporting.pytest_terminal_summary(terminal)  # type: ignore[arg-type]
    outside = [line for line in terminal.lines if "outside of dialogues" in line]
    assert len(outside) == 1
    assert "2 calls really made: GET host/x (2 x)" in outside[0]
    assert sum(line.startswith("  network: ") for line in terminal.lines) == 2
