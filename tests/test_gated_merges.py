"""`examples/ci`, cloned: merges of a fault, of a change of words and of a small loss are gated.

The bots of the branches were written for other tests. What docs/gates.md shows is what the gate
says here; after a change: `python -m tests.test_gated_merges` writes it anew.
"""

import shutil
import sys
import tempfile
from pathlib import Path

import pytest

from pytest_todeval.runs.reports.history.store import kept_runs
from pytest_todeval.runs.reports.results import write_results
from tests.conftest import PROJECT
from tests.support.page_world import entry_of, run_of
from tests.support.workflows import GitHubRun, GitLabRun, git

pytestmark = pytest.mark.thorough

EXAMPLE = PROJECT / "examples" / "ci"
WORKFLOW = EXAMPLE / ".github" / "workflows" / "dialogues.yml"
DOCUMENT = PROJECT / "docs" / "gates.md"
BRANCHES = {
    "mutant": ("open2_state", "MixesUpTheClocks", 10),
    "refactoring": ("open_variants", "SpeaksFriendly", 0),
    "small-loss": ("open2_state", "SearchesNearTheFirst", 10),
}
"""By branch: the module of its bot, the bot, and the gate's exit code."""
ONE_MORE = """\
- id: monday-late
  message: You want a table for 2 people on monday at 21:45.
  domains:
    table:
      book: {day: monday, time: "21:45", people: "2"}
"""
SHOWN = ("|  | before", "| success | ")
BOT = '''"""Another bot."""

from tests.faulty_bots.{module} import {name}

__all__ = ["TownBot"]


class TownBot({name}):
    """Serves the town, too."""
'''


def repository(place: Path, example: Path, branch: str = "", bot: str = "") -> Path:
    """A bare repository with the example on its branch `main`, and a merge of another into it.

    `bot`: the file `bot.py` of the branch.
    """
    work, bare = place / "work", place / "repository.git"
    shutil.copytree(example, work, ignore=shutil.ignore_patterns("__pycache__", ".pytest_cache"))
    git(work, "init", "-q", "--initial-branch", "main")
    git(work, "add", "--all")
    git(work, "commit", "-q", "-m", "The bot, its tests and its baseline")
    if branch:
        git(work, "switch", "-q", "--create", branch)
        (work / "bot.py").write_text(bot)
        git(work, "commit", "-q", "-a", "-m", branch)
        git(work, "switch", "-q", "main")
        git(work, "merge", "-q", "--no-ff", "-m", f"Merge {branch}", branch)
    git(place, "clone", "-q", "--bare", str(work), str(bare))
    return bare


def merged(place: Path, branch: str) -> Path:
    """The example's repository after a merge of one of the branches."""
    module, name, _ = BRANCHES[branch]
    return repository(place, EXAMPLE, branch, BOT.format(module=module, name=name))


def gated(place: Path, branch: str) -> GitHubRun:
    """What the workflow does with a merge on the main branch."""
    run = GitHubRun(place, merged(place, branch), "main")
    run.play(WORKFLOW, "push")
    return run


def told(branch: str, summary: str) -> str:
    """What docs/gates.md shows of a merge: the first line, and one value beside the baseline."""
    first, *lines = summary.splitlines()
    head, value = (next(each for each in lines if each.startswith(start)) for start in SHOWN)
    table = "\n".join([head, f"|{' --- |' * (head.count('|') - 1)}", value])
    return f"<!-- merge: {branch} -->\n{first}\n\n{table}\n<!-- end -->"


@pytest.mark.parametrize("branch", BRANCHES)
def test_a_merge_is_gated_by_its_merged_shards(branch: str, tmp_path: Path) -> None:
    run = gated(tmp_path, branch)

    assert [job.code for job in run.jobs["play"]] == [0, 0, 0], run.jobs["play"][0].text
    (gate,) = run.jobs["gate"]
    assert gate.code == BRANCHES[branch][2], gate.text
    assert "record" not in run.jobs
    assert "decide" not in run.jobs
    assert ("::error file=test_bot.py,line=" in gate.text) == bool(BRANCHES[branch][2])
    assert [job.code for job in run.jobs["publish"]] == [0], run.jobs["publish"][0].text
    assert told(branch, gate.summary) in DOCUMENT.read_text(), (
        "docs/gates.md shows another output: python -m tests.test_gated_merges"
    )


@pytest.mark.parametrize(("branch", "code"), [("mutant", 10), ("refactoring", 0)])
def test_a_pull_request_is_decided_by_one_run(branch: str, code: int, tmp_path: Path) -> None:
    run = GitHubRun(tmp_path, merged(tmp_path, branch), "main")
    run.play(WORKFLOW, "pull_request")

    assert list(run.jobs) == ["decide"]
    (job,) = run.jobs["decide"]
    assert job.code == code, job.text
    assert "dialogues: " in job.summary
    assert (run.place / "artifacts" / "dialogue-report" / "dialogue-report.html").exists()
    assert (run.place / "gh.txt").read_text().startswith("gh pr comment 7 --edit-last")


def test_each_push_is_published_with_the_runs_before_it(tmp_path: Path) -> None:
    bare = repository(tmp_path, EXAMPLE)
    for number in (1, 2):
        place = tmp_path / f"push{number}"
        run = GitHubRun(place, bare, "main")
        (place / "artifacts" / "results").mkdir(parents=True)
        kept = place / "artifacts" / "results" / "results.json"
        entries = [entry_of(f"D{n}", wrong="x" * (n < number)) for n in range(8)]
        for entry in entries:
            entry["metrics"]["success"] = entry["metrics"]["booking"]
        write_results(kept, run_of(*entries))
        run.play(WORKFLOW, "push", only="publish")

        (job,) = run.jobs["publish"]
        assert job.code == 0, job.text
        git(place, "clone", "-q", "--branch", "gh-pages", str(bare), "site")
        site = place / "site"
        assert {path.name for path in site.iterdir()} == {
            *(".git", "badge.svg", "history.sqlite", "index.html")
        }
        assert f">{8 - number} of 8 passed</text>" in (site / "badge.svg").read_text()
        assert git(site, "log", "--format=%s") == "Published\n"
        assert len(kept_runs(site / "history.sqlite")) == number


def test_the_nights_recording_is_pushed_and_replayed_in_shards(tmp_path: Path) -> None:
    """With the bot of `examples/chat_bot`, which asks a model."""
    example = tmp_path / "example"
    shutil.copytree(EXAMPLE, example)
    for name in ("bot.py", "test_bot.py", "baseline.json"):
        (example / name).unlink()
    shutil.copytree(PROJECT / "examples" / "chat_bot", example, dirs_exist_ok=True)
    with (example / "goals.yaml").open("a") as goals:
        goals.write(ONE_MORE)  # a goal for each shard
    bare = repository(tmp_path, example)

    (tmp_path / "night").mkdir()
    night = GitHubRun(tmp_path / "night", bare, "main")
    night.play(WORKFLOW, "schedule")
    (tmp_path / "day").mkdir()
    day = GitHubRun(tmp_path / "day", bare, "recorded-7")
    day.play(WORKFLOW, "push")

    (job,) = night.jobs["record"]
    assert job.code == 0, job.text
    assert (tmp_path / "night" / "gh.txt").read_text() == "gh pr create --fill\n"
    assert len(list((day.place / "play1" / "cassettes").rglob("*.jsonl"))) == 3
    assert [each.code for each in day.jobs["play"]] == [0, 0, 0], day.jobs["play"][0].text
    (gate,) = day.jobs["gate"]
    assert gate.code == 11, gate.text  # too few goals to show anything
    assert "undecided, which counts as failed" in gate.summary


def test_gitlabs_pipeline_does_the_same(tmp_path: Path) -> None:
    run = GitLabRun(tmp_path, merged(tmp_path, "mutant"), "main")
    run.play(EXAMPLE / ".gitlab-ci.yml")

    assert [job.code for job in run.jobs["play"]] == [0, 0, 0], run.jobs["play"][0].text
    (gate,) = run.jobs["gate"]
    assert gate.code == 10, gate.text
    (pages,) = run.jobs["pages"]
    assert pages.code == 0, pages.text
    assert {path.name for path in (pages.folder / "public").iterdir()} == {
        *("badge.svg", "index.html")
    }


def main() -> None:
    """Write into docs/gates.md what the gate says of each merge."""
    text = DOCUMENT.read_text()
    for branch in BRANCHES:
        with tempfile.TemporaryDirectory() as place:
            (gate,) = gated(Path(place), branch).jobs["gate"]
        before, start, rest = text.partition(f"<!-- merge: {branch} -->")
        assert start, f"{DOCUMENT.name} has no place for {branch}"
        text = before + told(branch, gate.summary) + rest.partition("<!-- end -->")[2]
        sys.stdout.write(f"{branch}: exit code {gate.code}\n")
    DOCUMENT.write_text(text)


if __name__ == "__main__":
    main()
