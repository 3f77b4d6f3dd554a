"""The sheet on which people rate, and an arena's standings: pages of the report's front end."""

import json
from pathlib import Path

import pytest

from pytest_todeval.cli import main
from pytest_todeval.runs.reports.results import write_results
from tests.support.browser import Browser
from tests.support.page_world import entry_of, run_of

HOSTILE = "</script><img src=x onerror=owned=1> {{data}} \u202e"
STATUS = "return document.querySelector('.rating [role=status]').innerText"
ASKED = "return document.querySelector('fieldset.now legend')?.innerText ?? ''"


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("rated") / "results.json"
    entries = [entry_of(f"D{n}", replies=(HOSTILE, "Booked."), bot="Ours") for n in range(3)]
    write_results(path, run_of(*entries))
    return path


@pytest.fixture(scope="module")
def sheet(results: Path) -> str:
    path = results.with_name("sheet.html")
    assert main(["annotate", str(results), "--sheet", str(path)]) == 0
    return path.as_uri()


def begin(window: Browser, sheet: str, name: str) -> None:
    window.open(sheet)
    window.run("document.getElementById('rater').focus()")
    window.press(*name, "Enter")
    window.run("document.activeElement.blur()")
    window.wait("return document.querySelector('fieldset.now') !== null")


def test_people_rate_by_keys_and_save_what_the_command_reads(
    window: Browser, sheet: str, results: Path
) -> None:
    begin(window, sheet, "Ann")
    assert window.run(STATUS) == "dialogue 1 of 3, 0 of 6 ratings"
    assert window.run("return document.querySelectorAll('.chat > li').length") == 1
    window.press("4")
    window.wait("return document.querySelectorAll('.chat > li').length === 2")
    assert window.run(ASKED) == "policy compliance, turn 2"
    window.press("n")
    window.wait(f"return (() => {{ {STATUS} }})().includes('2 of 6 ratings, not saved yet')")
    window.run(
        "window.saved = null; const made = URL.createObjectURL; URL.createObjectURL = (blob) => {"
        " blob.text().then((text) => { window.saved = text }); return made(blob) };"
        "HTMLAnchorElement.prototype.click = () => {};"
        "[...document.querySelectorAll('button')].find(e => e.innerText.startsWith('Save')).click()"
    )
    window.wait("return window.saved !== null")
    saved = json.loads(window.run("return window.saved"))
    assert (saved["rater"], list(saved["answers"].values())) == ("Ann", [4, "n/a"])
    answers, ratings = results.with_name("ann.json"), results.with_name("ratings.csv")
    answers.write_text(json.dumps(saved), encoding="utf-8")
    command = ["annotate", results, "--answers", answers, "--ratings", ratings]
    assert main(list(map(str, command))) == 0
    assert window.run("return window.owned") is None
    assert window.errors() == []


def test_a_rater_finds_the_answers_again_and_another_has_another_order(
    window: Browser, sheet: str
) -> None:
    begin(window, sheet, "Bea")
    window.press("5")
    window.wait(f"return (() => {{ {STATUS} }})().includes('1 of 6')")
    window.run("window.onbeforeunload = null")
    begin(window, sheet, "Bea")
    window.wait(f"return (() => {{ {STATUS} }})() === 'dialogue 1 of 3, 1 of 6 ratings'")
    begin(window, sheet, "Cid")
    assert window.run(STATUS) == "dialogue 1 of 3, 0 of 6 ratings"


def test_the_standings_can_be_read_and_taken_along(window: Browser, tmp_path: Path) -> None:
    for name, wrong in (("old", 4), ("new", 1)):
        entries = [entry_of(f"D{n}", wrong="wrong" * (n < wrong)) for n in range(6)]
        write_results(tmp_path / f"{name}.json", run_of(*entries))
    page = tmp_path / "arena.html"
    files = [str(tmp_path / f"{name}.json") for name in ("old", "new")]
    assert main(["arena", *files, "--prefer", "booking", "--html", str(page)]) == 0
    window.open(page.as_uri())
    bots = "return [...document.querySelectorAll('tbody th')].map(e => e.innerText)"
    assert window.run(bots) == ["new", "old"]
    window.wait("return document.querySelector('.plot [role=img]') !== null")
    window.run("[...document.querySelectorAll('button')].find(e => e.innerText=='tables').click()")
    window.wait("return document.querySelector('textarea')?.value.startsWith('| bot | rating |')")
    assert window.errors() == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_nobody_is_kept_from_rating(window: Browser, sheet: str, dark: bool) -> None:
    for width in (1400, 400):
        window.look(width=width, dark=dark)
        begin(window, sheet, "Eve")
        assert (width, window.kept_out()) == (width, [])
    window.look(width=1400, dark=False)
