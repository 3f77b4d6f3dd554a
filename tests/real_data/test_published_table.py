"""The example that reproduces printed tables from released data, on what of it is at hand."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import PROJECT


def tables(data: Path) -> dict[str, list[list[str]]]:
    """The rows of each table that the example prints, by the table's heading."""
    script = PROJECT / "examples" / "published_table" / "published_table.py"
    done = subprocess.run(
        [sys.executable, str(script), "--data", str(data)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = {}
    for part in done.stdout.strip().split("\n\n"):
        heading, *rows = part.splitlines()
        found[heading] = [re.split(r"\s{2,}", row) for row in rows]
    return found


@pytest.fixture(scope="module")
def printed(shared_data: Path) -> dict[str, list[list[str]]]:
    return tables(shared_data)


def test_autotods_numbers_are_the_printed_ones(printed: dict[str, list[list[str]]]) -> None:
    _, *rows = printed["clem:todd, table 7: AutoTOD with GPT-3.5."]
    assert len(rows) == 8
    for _, printed_rate, published, _ in rows:
        assert abs(float(published.partition(" of ")[0]) - float(printed_rate)) <= 0.0051
    assert rows[0] == ["inform by domain", "0.63", "0.6250 of 184", "0.6413 of 184"]


def test_replies_of_td_evals_judge_are_all_read(printed: dict[str, list[list[str]]]) -> None:
    heading = "TD-Eval: GPT-4o's stored replies, by dimension. The paper prints no mean of these"
    _, *rows = next(rows for name, rows in printed.items() if name.startswith(heading))
    found = {row[0]: row[1:] for row in rows}
    assert found["multiwoz_autotod: backend_consistency"] == ["475", "4.7768", "4.8234 of 402"]
    assert found["tau_airline_mistral_large: backend_consistency"] == [
        "148",
        "3.9662",
        "4.2619 of 84",
    ]


def test_llm_user_agents_tables_are_the_printed_ones(
    shared_data: Path, printed: dict[str, list[list[str]]]
) -> None:
    if not (shared_data / "llm_user_agents").exists():
        pytest.skip(f"{shared_data / 'llm_user_agents'} is not there")
    _, *completed = printed["LLM user agents, table 4: tasks that the bot completed, by GPT-4."]
    assert [row[1] for row in completed] == [row[2] for row in completed]
    assert len(completed) == 9
    name = "LLM user agents, table 1: how much of its goal the user raised, by GPT-4."
    _, *covered = printed[name]
    differ = [row[0] for row in covered if not same(row[1], row[2].partition(" =")[0])]
    assert differ == ["ua_gpt3_verbose_tod_gpt4"], "the paper repeats its first row there"


def same(printed: str, found: str) -> bool:
    """Sums may differ by a hundredth: the paper cuts off, others round."""
    (one, count), (other, number) = printed.split("/"), found.split("/")
    return count == number and abs(float(one) - float(other)) < 0.011


def test_what_is_not_there_is_skipped_and_said(tmp_path: Path) -> None:
    for rows in tables(tmp_path).values():
        ((told,),) = rows
        assert told.startswith(f"skipped: {tmp_path}")
        assert told.endswith("is not there")
