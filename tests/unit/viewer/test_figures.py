"""Tables and plots of a run as files (`todeval report --figures`)."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pytest_todeval.cli import main
from pytest_todeval.runs.reports.results import write_results
from pytest_todeval.runs.viewer.run_data import Shown, index_of
from pytest_todeval.runs.viewer.tables import latex, markdown, tables_of
from tests.support.browser import NAMES, found_of
from tests.support.page_world import entry_of, mixed_run, run_of

HOSTILE = r"[\input{x}] & * % $1 _a ^~ # </script>"
PNG = b"\x89PNG\r\n"


@pytest.fixture
def results(tmp_path: Path) -> Path:
    path = tmp_path / "results.json"
    more = [entry_of(f"E{n}", bot="Other", wrong="x" * (n < 2)) for n in range(4)]
    write_results(path, run_of(*mixed_run(8)["dialogues"], *more))
    return path


def test_tables_say_what_the_page_says() -> None:
    run = run_of(*mixed_run(8)["dialogues"], entry_of("E", bot="Other"))
    found = dict(tables_of(index_of(Shown(run))))
    assert found["values"][0] == ("value", "mean", "90 % interval", "goals")
    passed = found["values"][1]
    assert passed[:2] == ("passed", "55.6 %")
    assert re.fullmatch(r"\d+\.\d % to \d+\.\d %", passed[2])
    assert [row[-1] for row in found["causes"]] == ["dialogues", "2", "2"]
    assert [row[:3] for row in found["bots"][1:]] == [
        ("OurBot", "8", "50.0 %"),
        ("Other", "1", "100.0 %"),
    ]


def test_no_name_commands_latex_or_breaks_the_table() -> None:
    text = latex([("head", "b"), (HOSTILE, "1"), ("*x", "2")])
    lines = text.splitlines()
    assert [len(re.findall(r"(?<!\\)&", line)) for line in lines] == [0, 0, 1, 0, 1, 1, 0, 0]
    assert r"\input" not in text
    assert not [line for line in lines if line.startswith(("[", "*"))]
    assert not re.search(r"(?<!\\)[%#_]", text)
    assert markdown([("head",), (HOSTILE,)]).count("\n") == 3


def test_each_plot_is_there_in_both_forms(results: Path, tmp_path: Path) -> None:
    if found_of(NAMES) is None:
        pytest.skip("needs Chromium: apt-get install chromium")
    folder = tmp_path / "figures"
    assert main(["report", str(results), str(results), "--figures", str(folder)]) == 0
    drawn = {path.stem for path in folder.glob("*.svg")}
    assert drawn >= {"leaderboard", "paired-differences", "turn-by-dimension", "time-per-dialogue"}
    for name in drawn:
        root = ElementTree.parse(folder / f"{name}.svg").getroot()
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert (folder / f"{name}.png").read_bytes().startswith(PNG)
    legend = (folder / "time-per-dialogue.svg").read_text(encoding="utf-8")
    assert [bot for bot in ("OurBot", "Other") if f">{bot}</text>" in legend] == ["OurBot", "Other"]


def test_without_a_browser_tables_are_written_and_it_says_what_is_missing(
    results: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("CHROME_PATH", str(tmp_path / "none"))
    assert main(["report", str(results), "--figures", str(tmp_path / "figures")]) == 2
    assert "install one, or name it in CHROME_PATH" in capsys.readouterr().err
    assert (tmp_path / "figures" / "values.tex").exists()


@pytest.mark.parametrize(
    ("gate", "colour"), [([], "#b3261e"), (["--gate", "booking >= 0.1"], "#17754a")]
)
def test_a_badge_counts_and_has_the_colour_of_the_verdict(
    results: Path, tmp_path: Path, gate: list[str], colour: str
) -> None:
    path = tmp_path / "badge.svg"
    assert main(["report", str(results), "--badge", str(path), *gate]) == 0
    root = ElementTree.parse(path).getroot()
    assert [each.text for each in root.iter("{http://www.w3.org/2000/svg}text")] == [
        *("dialogues", "6 of 12 passed")
    ]
    assert colour in path.read_text(encoding="utf-8")


def test_a_place_that_is_a_file_is_refused(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", str(results), "--figures", str(results)]) == 2
    assert "cannot be written" in capsys.readouterr().err
