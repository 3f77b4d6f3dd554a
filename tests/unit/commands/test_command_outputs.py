"""What a command writes never takes the place of a file that it reads."""

from pathlib import Path

import pytest

from pytest_todeval.cli import main
from tests.conftest import Todeval
from tests.unit.reports.test_annotation import written

RATINGS = "dialogue,turn,ann,judge\nd1,1,4,5\nd1,2,3,3\nd2,1,5,5\n"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two results files and a table of ratings, in the current folder."""
    monkeypatch.chdir(tmp_path)
    for name in ("now.json", "old.json"):
        written(tmp_path).rename(tmp_path / name)
    (tmp_path / "ratings.csv").write_text(RATINGS, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("command", "option", "lost"),
    [
        ("gate now.json faults<=0.5 --json now.json", "--json", "now.json"),
        ("gate now.json --baseline old.json --json old.json", "--json", "old.json"),
        ("compare old.json now.json --json old.json", "--json", "old.json"),
        ("compare old.json now.json --json ./now.json", "--json", "now.json"),
        ("arena old.json now.json --prefer tone --html now.json", "--html", "now.json"),
        ("arena old.json now.json --prefer tone --json old.json", "--json", "old.json"),
        ("annotate now.json --sheet now.json", "--sheet", "now.json"),
        (
            "agreement ratings.csv --scale 1-5 --judge judge --json ratings.csv",
            "--json",
            "ratings.csv",
        ),
    ],
)
def test_a_file_that_is_read_is_not_replaced(
    files: Path, capsys: pytest.CaptureFixture[str], command: str, option: str, lost: str
) -> None:
    before = (files / lost).read_bytes()
    assert main(command.split()) == 2
    assert (files / lost).read_bytes() == before
    said = capsys.readouterr()
    assert f"{option} " in said.err
    assert "would replace a file that is read; name another" in said.err
    assert said.out == "", "nothing is printed before the refusal"


def test_answers_are_not_replaced_by_the_table_of_ratings(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = files / "ratings-ann.json"
    saved.write_text('{"format": "todeval annotation 1", "rater": "ann", "answers": {}}', "utf-8")
    command = f"annotate now.json --answers {saved.name} --ratings {saved.name}"
    assert main(command.split()) == 2
    assert "annotation 1" in saved.read_text("utf-8")
    assert "--ratings ratings-ann.json would replace" in capsys.readouterr().err


def test_a_baseline_takes_no_place_of_a_run_with_its_words(files: Path, todeval: Todeval) -> None:
    before = (files / "now.json").read_bytes()
    for target in ("now.json", "old.json"):
        printed = todeval("baseline", "update", "now.json", target, code=2).err
        assert f"{target} holds a run with its dialogues" in printed
    assert (files / "now.json").read_bytes() == before
    assert main(["baseline", "update", "now.json", "baseline.json"]) == 0
    assert main(["baseline", "update", "old.json", "baseline.json"]) == 0
    assert main(["baseline", "update", "baseline.json", "baseline.json"]) == 0


def test_a_baseline_has_no_words_to_rate(files: Path, todeval: Todeval) -> None:
    todeval("baseline", "update", "now.json", "baseline.json")
    printed = todeval("annotate", "baseline.json", "--sheet", "sheet.html", code=2).err
    assert "holds no words, as a baseline does not" in printed
    assert not (files / "sheet.html").exists()
