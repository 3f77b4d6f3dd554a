"""The value of one option: command line before ini file, paths by where they were given."""

from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_todeval.errors import UsageError
from pytest_todeval.integration import budget, option_values
from pytest_todeval.integration.cassette_options import (
    cassette_folders,
    check_cassette_options,
    clock,
    redactor_of,
    scanner_of,
)
from pytest_todeval.integration.settings import Settings, partial_path, results_path, same_run
from pytest_todeval.integration.workers import NUMBER


class Config:
    """What is asked of pytest's configuration."""

    def __init__(self, root: Path = Path("/shop"), **ini: Any) -> None:
        self.rootpath, self.inipath = root, root / "ini" / "pytest.ini"
        self.invocation_params = SimpleNamespace(dir=root / "start", args=())
        self.known_args_namespace = SimpleNamespace()
        self.options: dict[str, Any] = {}
        self.ini, self.stash, self.args = ini, pytest.Stash(), list[str]()

    def getoption(self, name: str, default: Any = None) -> Any:
        return self.options.get(name, default)

    def getini(self, name: str) -> Any:
        return self.ini.get(name, [])


@pytest.fixture
def config() -> Any:
    return Config(todeval_data="ini-data")


def test_the_command_line_goes_before_the_ini_file(config: Any) -> None:
    assert option_values.text_of(config, "data") == "ini-data"
    assert option_values.path_of(config, "data") == Path("/shop/ini/ini-data")
    assert option_values.path_text(config, "base-url") is None
    config.options["todeval_data"] = "given"
    assert option_values.text_of(config, "data") == "given"
    assert option_values.path_text(config, "data") == "/shop/start/given"
    config.options.clear()
    config.known_args_namespace.todeval_data = "early"
    assert option_values.text_of(config, "data") == "early"
    assert same_run(config) == ("--todeval-data=early",)


def test_relative_paths_start_elsewhere_without_an_ini_file_and_in_a_worker(config: Any) -> None:
    config.inipath = None
    assert option_values.path_text(config, "data") == "/shop/start/ini-data"
    config.workerinput = {option_values.START: "deep"}
    assert option_values.path_text(config, "data") == "/shop/deep/ini-data"
    config.ini["todeval_data"] = "~/x"
    assert option_values.path_of(config, "data") == Path.home() / "x"


@pytest.mark.parametrize(
    ("text", "value"), [("1", 1), ("12", 12), ("0", None), ("-1", None), ("1.5", None), ("x", None)]
)
def test_whole_numbers(text: str, value: int | None) -> None:
    config: Any = Config(todeval_limit=text)
    if value is None:
        with pytest.raises(UsageError, match=r"--todeval-limit: got .*, expected a whole number"):
            option_values.positive_int(config, "limit")
    else:
        assert option_values.positive_int(config, "limit") == value
    assert option_values.positive_int(config, "trials") is None


@pytest.mark.parametrize(
    ("text", "value"),
    [("0.5", 0.5), ("0", None), ("-1", None), ("inf", None), ("nan", None), ("x", None)],
)
def test_numbers_above_0(text: str, value: float | None) -> None:
    config: Any = Config(todeval_max_cost=text)
    if value is None:
        with pytest.raises(UsageError, match=r"--todeval-max-cost: got .*, expected dollars, more"):
            option_values.number_above_0(config, "max-cost", "dollars")
    else:
        assert option_values.number_above_0(config, "max-cost", "dollars") == value
    assert option_values.number_above_0(config, "limit", "x") is None


def test_a_word_that_is_not_known(config: Any) -> None:
    with pytest.raises(UsageError, match=r"--todeval-data: got 'ini-data'; Known: ini, other"):
        option_values.one_of(config, "data", ("ini", "other"))
    assert option_values.one_of(config, "data", ("ini-data",)) == "ini-data"
    with (
        pytest.raises(UsageError, match=r"^--todeval-gate: no such"),
        option_values.naming_option("gate"),
    ):
        raise UsageError("no such")


def test_the_results_file_is_one_that_can_be_written(tmp_path: Path) -> None:
    config: Any = Config(tmp_path)
    assert results_path(config) is None
    config.options["todeval_json"] = "new/deep/results.json"
    (tmp_path / "start").mkdir()
    path = tmp_path / "start/new/deep/results.json"
    assert results_path(config) == path
    assert partial_path(path).name == "results.json.partial"
    path.mkdir(parents=True)
    with pytest.raises(UsageError, match=r"--todeval-json: got .*results\.json is a folder; exp"):
        results_path(config)
    path.rmdir()
    path.parent.rmdir()
    path.parent.touch()
    with pytest.raises(UsageError, match=r"deep is no folder; expected a file to write"):
        results_path(config)


def test_folders_of_cassettes_are_looked_for_where_tests_may_be(tmp_path: Path) -> None:
    config: Any = Config(tmp_path)
    for place in ("", "start", "start/tests", "start/a", "elsewhere"):
        (tmp_path / place / "cassettes").mkdir(parents=True)
    config.args = ["tests/test_it.py::test", "a"]
    found = [path.relative_to(tmp_path).parent.as_posix() for path in cassette_folders(config)]
    assert found == [".", "start", "start/tests", "start/a"]


@pytest.mark.parametrize(
    ("text", "year"), [("0", 1970), ("1767225600", 2026), ("", None), ("-1", None), ("now", None)]
)
def test_the_clock_of_a_recording(
    monkeypatch: pytest.MonkeyPatch, text: str, year: int | None
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", text)
    assert clock() == (None if year is None else datetime(year, 1, 1, tzinfo=UTC))


@pytest.mark.parametrize(
    "ini",
    [
        {"todeval_mask": ["("]},
        {"todeval_match": ["odd"]},
        {"todeval_redact": ["odd: x"]},
        {"todeval_shared": [""]},
        {"todeval_ignore": [""]},
    ],
)
def test_lines_on_cassettes_that_cannot_be_read(ini: dict[str, list[str]]) -> None:
    with pytest.raises(UsageError, match=next(iter(ini))):
        check_cassette_options(Config(**ini))  # type: ignore[arg-type]


def test_a_run_has_one_redactor_and_scanners_know_what_it_keeps() -> None:
    config: Any = Config(todeval_redact=["keep: order_id"])
    check_cassette_options(config)
    assert redactor_of(config) is redactor_of(config)
    assert redactor_of(config).rules.kept == {"orderid"}
    assert scanner_of(config).kept == redactor_of(config).rules.kept


@pytest.mark.parametrize(
    ("worker", "calls", "cost"),
    [
        (None, 7, 1.0),
        ({NUMBER: 0, "workercount": 1}, 7, 1.0),
        ({NUMBER: 0, "workercount": 2}, 4, 0.5),
        ({NUMBER: 1, "workercount": 2}, 3, 0.5),
        ({NUMBER: 2, "workercount": 2}, 0, None),
    ],
)
def test_a_budget_is_split_over_the_processes(
    monkeypatch: pytest.MonkeyPatch, worker: dict[str, int] | None, calls: int, cost: float | None
) -> None:
    config: Any = Config()
    if worker is not None:
        config.workerinput = worker
    for settings, found in (
        (Settings(max_calls=7, max_cost=1.0), (calls, cost)),
        (Settings(max_calls=7), (calls, None)),
        (Settings(max_cost=1.0), (0 if cost is None else None, cost)),
    ):
        made = budget._make(config, settings)
        assert made is not None
        assert (made.max_calls, made.max_cost) == found
        several = worker is not None and worker["workercount"] > 1
        assert ("split over 2 processes" in made._split) is several
        assert made._split.endswith("replaces a crashed one") is (calls == 0)
    assert budget._make(config, Settings()) is None
    monkeypatch.setattr(Settings, "of", lambda _: Settings(max_calls=7))
    assert budget.budget_of(config) is budget.budget_of(config)
