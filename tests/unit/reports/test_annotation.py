"""People rate what a judge rated: the sheet, and their answers read back."""

import csv
import io
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.cli import main
from pytest_todeval.core.dialogue import Dialogue, ToolCall, Turn
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.core.score import Score
from pytest_todeval.research.annotation.items import RatedItem, items_of_all, sampled
from pytest_todeval.research.annotation.saved import ratings_csv
from pytest_todeval.runs.reports.results import (
    dialogue_entry,
    environment,
    read_results,
    results,
    write_results,
)
from tests.support.page_world import block

HOSTILE = '</script><script>alert("x")</script> {{data}} \u2028 <!--'
"""What a bot could say to break a page."""
QUESTIONS = ("policy_compliance", "tone")


def written(folder: Path, said: str = "The Rose House.", dialogues: int = 3) -> Path:
    """A results file: a judge scored two turns of each dialogue in two questions."""
    entries = []
    for number in range(dialogues):
        goal = Goal(f"SECRET{number}", "demo", (DomainGoal("hotel", {"area": "north"}),))
        look_up = ToolCall("find_hotel", {"area": "north"}, {"count": 1, "name": said})
        turns = (
            Turn(1, "A hotel in the north?", said, tool_calls=(look_up,)),
            Turn(2, "Is it cheap?", f"It is, {said} {number}"),
        )
        scores = {name: [Score(name, 4, "hidden reason", n) for n in (1, 2)] for name in QUESTIONS}
        entries.append(
            dialogue_entry(
                Dialogue(goal, turns),
                test="t",
                outcome=Outcome.FAILED,
                scores={**scores, "whole": [Score("whole", 1, "hidden reason", None, (0, 1))]},
                bot="HiddenBot",
            )
        )
    path = folder / "results.json"
    write_results(path, results(entries, environment()))
    return path


def annotate(*arguments: object) -> int:
    return main(["annotate", *map(str, arguments)])


def page(folder: Path, *options: object, said: str = "The Rose House.") -> str:
    assert annotate(written(folder, said), "--sheet", folder / "s.html", *options) == 0
    return (folder / "s.html").read_text(encoding="utf-8")


def data_of(html: str) -> dict[str, Any]:
    found: dict[str, Any] = block(html, "sheet")
    return found


def test_the_sheet_shows_the_words_and_hides_what_was_found(tmp_path: Path) -> None:
    html = page(tmp_path)

    data = data_of(html)
    assert [len(one["items"]) for one in data["dialogues"]] == [5, 5, 5]
    turn = data["dialogues"][0]["turns"][0]
    assert (turn["user"], turn["bot"]) == ("A hotel in the north?", "The Rose House.")
    assert turn["calls"][0].startswith('find_hotel {"area": "north"}')
    assert not re.search("SECRET|HiddenBot|hidden reason|failed", json.dumps(data))
    assert "keep to the bot's policy" in data["guides"]["policy_compliance"]
    assert "tone" not in data["guides"]


def test_no_words_of_a_bot_end_the_script_they_stand_in(tmp_path: Path) -> None:
    html = page(tmp_path, said=HOSTILE)

    assert html.count("</script>") == page(tmp_path).count("</script>") == 2
    assert data_of(html)["dialogues"][0]["turns"][0]["bot"] == HOSTILE


def test_a_sample_hangs_on_the_seed_alone(tmp_path: Path) -> None:
    def chosen(seed: int) -> list[str]:
        dialogues = items_of_all(read_results(written(tmp_path, dialogues=9))["dialogues"])
        return [items[0].id for _, items in sampled(dialogues, 4, seed)]

    assert chosen(1) == chosen(1)
    assert len({tuple(chosen(seed)) for seed in range(5)}) > 1


def test_only_the_questions_that_are_asked_for(tmp_path: Path) -> None:
    data = data_of(page(tmp_path, "--ask", "tone", "--dialogues", 2))

    assert [len(one["items"]) for one in data["dialogues"]] == [2, 2]


def saved(
    folder: Path, rater: str, answers: Mapping[str, object], name: str = "", **more: object
) -> Path:
    path = folder / f"ratings-{name or rater}.json"
    content = {"format": "todeval annotation 1", "rater": rater, "answers": answers, **more}
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def test_answers_become_a_table_that_agreement_reads(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    items = [item for one in data_of(page(tmp_path))["dialogues"] for item in one["items"]]
    tone = [item["id"] for item in items if item["question"] == "tone"]
    whole = [item["id"] for item in items if item["question"] == "whole"]
    ann = saved(tmp_path, "ann", {**dict.fromkeys(tone, 4), tone[0]: "n/a", whole[0]: 0})
    bob = saved(tmp_path, "bob", {tone[1]: 2})

    code = annotate(
        tmp_path / "results.json", "--answers", ann, bob, "--ratings", tmp_path / "r.csv"
    )

    assert code == 0
    rows = [line.split(",") for line in (tmp_path / "r.csv").read_text().splitlines()]
    assert rows[0] == ["dialogue", "turn", "dimension", "ann", "bob", "judge"]
    assert len(rows) == 1 + 15
    tones = [row[3:] for row in rows if row[2] == "tone"]
    assert sorted(tones) == sorted([["", "", "4"], ["4", "2", "4"], *[["4", "", "4"]] * 4])
    assert [row[1:] for row in rows if row[3] == "0"] == [["", "whole", "0", "", "1"]]
    capsys.readouterr()
    assert main(["agreement", str(tmp_path / "r.csv"), "--scale", "0-5", "--judge", "judge"]) == 0
    assert "judge against ann, bob" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("nonsense", "not valid JSON|JSON"),
        ("[]", "expected a file that the sheet saved"),
        ('{"format": "other", "rater": "a", "answers": {}}', "format"),
        ('{"format": "todeval annotation 1", "rater": "", "answers": {}}', "rater"),
        ('{"format": "todeval annotation 1", "rater": "judge", "answers": {}}', "another name"),
        ('{"format": "todeval annotation 1", "rater": "a", "answers": {"x": 1}}', "none of the"),
        ('{"format": "todeval annotation 1", "rater": "a", "answers": {"x": true}}', "answers.x"),
        (
            '{"format": "todeval annotation 1", "rater": "a", "answers": {"x": "five"}}',
            "answers.x: got 'five'; expected a whole number or 'n/a'",
        ),
        ('{"format": "todeval annotation 1", "rater": "=cmd()"}', "'=cmd.*as a formula"),
        (
            '{"format": "todeval annotation 1", "rater": "a", "more": 1}',
            "more: there is no such",
        ),
        ('{"format": "todeval annotation 1"}', "rater: it is missing"),
    ],
)
def test_what_the_sheet_did_not_save(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str, told: str
) -> None:
    answers = tmp_path / "a.json"
    answers.write_text(content, encoding="utf-8")

    code = annotate(written(tmp_path), "--answers", answers, "--ratings", tmp_path / "r.csv")

    assert code == 2
    assert re.search(rf"a\.json.*({told})", capsys.readouterr().err, re.DOTALL)
    assert not (tmp_path / "r.csv").exists()


def test_no_cell_is_a_formula(tmp_path: Path) -> None:
    """Names of tests and scores come from the file; a spreadsheet runs what begins so."""
    names = ("=1+1", "+1", "-1", "@a", "\t=1", "plain")
    items = [RatedItem(f"i{n}", name, 1, name, (1, 2), 1.0) for n, name in enumerate(names)]

    rows = list(csv.reader(io.StringIO(ratings_csv(items, {"ann": {}}))))[1:]

    assert [row[0] for row in rows] == [*(f"'{name}" for name in names[:-1]), "plain"]
    assert [row[2] for row in rows] == [row[0] for row in rows]


def test_a_grade_off_the_scale_and_two_files_that_differ(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = data_of(page(tmp_path))["dialogues"][0]["items"][0]["id"]
    off = saved(tmp_path, "ann", {first: 9})
    one, other = saved(tmp_path, "bob", {first: 3}), saved(tmp_path, "bob", {first: 4}, "later")
    to = ["--ratings", tmp_path / "r.csv"]

    assert annotate(tmp_path / "results.json", "--answers", off, *to) == 2
    assert annotate(tmp_path / "results.json", "--answers", one, other, *to) == 2

    told = capsys.readouterr().err
    assert "got 9, expected one of 1, 2, 3, 4, 5" in told
    assert "bob rated the item" in told


def test_answers_to_other_words_are_refused(tmp_path: Path) -> None:
    first = data_of(page(tmp_path))["dialogues"][0]["items"][0]["id"]
    ann = saved(tmp_path, "ann", {first: 3})

    changed = written(tmp_path, said="The Lark House.")

    assert annotate(changed, "--answers", ann, "--ratings", tmp_path / "r.csv") == 2


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ([], "expected either `--sheet"),
        (["--sheet", "s.html", "--answers", "a.json"], "expected either"),
        (["--answers", "a.json"], "expected either"),
        (["--sheet", "s.html", "--dialogues", "0"], "--dialogues: got 0"),
        (["--sheet", "s.html", "--ask", "tune"], "got 'tune'; did you mean 'tone'"),
        (["--sheet", "results.json/s.html"], "cannot be written"),
    ],
)
def test_options_that_do_not_go_together(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    options: list[str],
    told: str,
) -> None:
    monkeypatch.chdir(tmp_path)

    assert annotate(written(tmp_path), *options) == 2

    assert told in capsys.readouterr().err


def test_a_file_without_scores_has_nothing_to_rate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entry = dialogue_entry(
        Dialogue(Goal("G", "demo", ()), (Turn(1, "Hi.", "Hello."),)),
        test="t",
        outcome=Outcome.PASSED,
    )
    write_results(tmp_path / "r.json", results([entry], environment()))

    assert annotate(tmp_path / "r.json", "--sheet", tmp_path / "s.html") == 2

    assert "no scores" in capsys.readouterr().err
