"""`todeval report`: all that a results file says, as tables."""

import json
from pathlib import Path

import pytest

from pytest_todeval.cli import main
from pytest_todeval.core.dialogue import Turn, Usage
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.core.score import Score
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.runs.reports.results import Results, write_results
from pytest_todeval.runs.reports.table import percent
from pytest_todeval.runs.reports.terminal import summary_lines
from tests.conftest import Todeval
from tests.unit.reports.test_summary_figures import DIMENSIONS, entry, file, kept, solved, turns


def a_file() -> Results:
    """Two goal sets; five dialogues over one domain and over two."""
    booked, missed = Verdict("booking", True, "so"), Verdict("booking", False, "so")
    return file(
        *(
            entry(
                name,
                domains=domains,
                source=source,
                played=turns(1.0, 3.0, spans=[("search", 0.5)]),
                verdicts=[verdict],
                metrics={"goal_completion": solved(verdict.passed, turn)},
                scores={
                    each: [Score(each, 4 + verdict.passed, "so", n) for n in (1, 2)]
                    for each in DIMENSIONS
                },
                outcome=Outcome.PASSED if verdict.passed else Outcome.FAILED,
                keywords={"goal_coverage": [{"keyword": "k", "turn": 1, "speaker": "user"}]},
                **kept(1, int(verdict.passed)),
            )
            for name, domains, source, verdict, turn in (
                ("a", ["hotel"], "demo", booked, 1),
                ("b", ["train"], "demo", missed, 2),
                ("c", ["hotel", "train"], "demo", booked, 2),
                ("d", ["hotel"], "own", booked, 2),
            )
        )
    )


@pytest.fixture
def report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> list[list[str]]:
    write_results(tmp_path / "r.json", a_file())
    assert main(["report", str(tmp_path / "r.json"), "--composite", "ours = 1 booking"]) == 0
    return [line.split() for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize(
    "row",
    [
        "4 dialogues: 3 passed, 1 failed",
        "booking 75.0 % 3 of 4",
        "policy_compliance 4.75 4 8 0 0",
        "2 4.75 4.75 4.75",
        "polite 87.5 % 7 1 0 0",
        "goal_completion 3 of 4 1.67",
        "resolved by turn goal_completion done",
        "1 25.0 % 0.0 %",
        "2 75.0 % 75.0 %",
        "a turn of the bot 8 1.000 3.000 3.000",
        "search 8 0.500 0.500 0.500",
        "seconds of the bot 4.000",
        "goal_coverage 4 of 4",
        "by the user 4",
        "overall, the mean of TD-Eval's three dimensions: 4.75 by turn",
        "ours 0.750 (1 booking)",
        "adherence by domain hotel train",
        "polite 100.0 % 75.0 %",
    ],
)
def test_each_figure_has_its_row(report: list[list[str]], row: str) -> None:
    assert row.split() in report


def test_means_are_of_sets_and_of_combinations_of_equally_many_domains(
    report: list[list[str]],
) -> None:
    """TD-Eval, table 3; clem:todd, table 13: parts count alike, however many dialogues they have.

    Of one domain: hotel 2 of 2, train 0 of 1, so (1 + 0) / 2; of the sets: 2 of 3 and 1 of 1.
    """
    found = [line for line in report if line[:1] == ["mean"]]
    booking = {" ".join(line[: line.index("%") - 1]): line[line.index("%") - 1] for line in found}
    assert booking == {"mean of the sets": "83.3", "mean of 1 domain": "50.0"}


def test_users_have_a_spread(tmp_path: Path, todeval: Todeval) -> None:
    """clem:todd, table 2, the first column: 1.00 at most, 0.42 at least, so 0.58."""
    hits = {"small": (5, 12), "middle": (9, 12), "large": (12, 12)}
    played = [
        entry(
            f"{user}{n}",
            verdicts=[Verdict("booking", n < booked, "so")],
            outcome=Outcome.PASSED if n < booked else Outcome.FAILED,
            user=user,
        )
        for user, (booked, total) in hits.items()
        for n in range(total)
    ]
    write_results(tmp_path / "r.json", file(*played))
    rows = [line.split() for line in todeval("report", tmp_path / "r.json").out.splitlines()]
    assert next(row for row in rows if row[:1] == ["spread"])[1:3] == ["58.3", "%"]


def test_what_a_file_does_not_say_has_no_table(tmp_path: Path, todeval: Todeval) -> None:
    write_results(tmp_path / "r.json", file())
    assert todeval("report", tmp_path / "r.json").out == "0 dialogues\n"


def test_a_wrong_composite_and_a_wrong_file_are_told(tmp_path: Path, todeval: Todeval) -> None:
    write_results(tmp_path / "r.json", file())
    printed = todeval("report", tmp_path / "r.json", "--composite", "ours", code=2).err
    assert "got 'ours', expected `NAME = WEIGHT METRIC" in printed
    assert main(["report", str(tmp_path / "no.json")]) == 2


def test_names_from_a_file_do_not_reach_the_terminal_as_they_are(
    tmp_path: Path, todeval: Todeval
) -> None:
    hostile = entry("a", scores={"x\x1b[2J\ny": [Score("x", 1, "so", 1)]})
    write_results(tmp_path / "r.json", file(hostile))
    assert "\x1b" not in todeval("report", tmp_path / "r.json").out


def test_nearly_all_is_not_all() -> None:
    assert [percent(each) for each in (1.0, 0.9999, 0.5)] == ["100.0 %", "99.9 %", "50.0 %"]


def test_the_summary_of_a_run_tells_the_worst_statements_and_rules_only() -> None:
    sentences = {f"holds: It is {n}.": Verdict("x", n > 0, "so") for n in range(8)}
    scores = {f"Does it say {n}?": [Score("x", 1 + n % 5, "so", 1)] for n in range(8)}
    found = file(entry("a", metrics=sentences, scores=scores, **kept(1, 0, 1)))
    lines = [line.strip() for line in summary_lines(found, ["X"])]
    assert any(line.startswith("holds: It is 0.") for line in lines)
    assert sum(line.startswith("holds:") for line in lines) == 5
    assert sum(line.startswith("Does it say") for line in lines) == 5
    assert "and 3 more statements (`todeval report` on the results file shows all)" in lines
    assert "rules: 0 of 1 always kept; broken: polite (66.7 % of 3 turns)" in lines


def test_scores_with_cut_offs_share_a_line_in_the_order_of_these() -> None:
    scores = {
        f"hit_rate@{k}": [Score("h", k >= 3, "so", 1, (0, 1)), Score("h", 1, "so", 2, (0, 1))]
        for k in (1, 10, 3)
    }
    lines = [line.strip() for line in summary_lines(file(entry("a", scores=scores)), ["X"])]
    assert "hit_rate@1 0.50, @3 1.00, @10 1.00, of 2" in lines
    assert sum("hit_rate" in line for line in lines) == 1


def test_usage_is_told_by_lane(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    played = [Turn(1, "a", "b", usage=Usage(1200, 34, 0.5))]
    write_results(tmp_path / "r.json", file(entry("a", played=played)))
    main(["report", str(tmp_path / "r.json")])
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["system", "1,200", "34", "0.5000", "-"] in rows


def test_a_matrix_has_three_forms_and_options_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def told(*options: str, status: int = 0) -> str:
        assert main(["report", str(tmp_path / "r.json"), *options]) == status
        printed = capsys.readouterr()
        return printed.out + printed.err

    write_results(tmp_path / "r.json", a_file())
    for option in (("--metric", "booking"), ("--format", "json")):
        assert "--metric and --format json are of a matrix: add --matrix" in told(*option, status=2)
    assert "do not say which bot talked to which user" in told("--matrix", status=2)
    verdicts = [Verdict(name, True, "so") for name in ("booking", "success")]
    met = {**entry("a", verdicts=verdicts), "bot": "ours", "user": "agenda"}
    write_results(tmp_path / "r.json", {**a_file(), "dialogues": [met]})  # type: ignore[list-item]
    text, markdown = told("--matrix"), told("--matrix", "--format", "markdown")
    assert text == told("--matrix", "--format", "text")
    assert [line.split()[0] for line in text.split("\n\n")] == ["success", "booking"]
    assert markdown.startswith("| success |")
    told_json = told("--matrix", "--format", "json", "--metric", "success")
    assert told_json.startswith("[\n {\n")
    assert [each["metric"] for each in json.loads(told_json)] == ["success"]
