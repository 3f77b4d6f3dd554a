"""What the wheel says of itself: addresses of the checkout, and a README that works elsewhere."""

import os
import re
import runpy
import shutil
import subprocess
import sys
from email import message_from_string
from email.message import Message
from importlib.metadata import version
from pathlib import Path

import pytest
import yaml

import pytest_todeval
from tests.conftest import NO_OTHERS, PROJECT

HOOK = runpy.run_path(str(PROJECT / "hatch_build.py"))
BUILT = ("pyproject.toml", "README.md", "hatch_build.py", "LICENSE", "CITATION.cff")
ORIGIN = "git@github.com:somebody/pytest-todeval.git"


@pytest.mark.parametrize(
    ("address", "repository"),
    [
        ("https://github.com/somebody/pytest-todeval.git", "somebody/pytest-todeval"),
        (ORIGIN, "somebody/pytest-todeval"),
        ("ssh://git@github.com/somebody/pytest-todeval", "somebody/pytest-todeval"),
        ("https://key@github.com/somebody/pytest-todeval", ""),
        ("https://git.example/somebody/pytest-todeval", ""),
        ("/srv/checkouts/pytest-todeval", ""),
        ("", ""),
    ],
)
def test_the_repository_is_read_from_the_origin(address: str, repository: str) -> None:
    assert HOOK["repository_of"](address) == repository


def test_without_a_repository_links_are_words() -> None:
    text = (
        "![A page](docs/images/page.png) Read [goals](docs/goals.md) and [it](https://x.example)."
    )
    assert HOOK["with_absolute_links"](text, "", "0.1.0") == (
        " Read goals and [it](https://x.example)."
    )


def built(folder: Path, kind: str) -> Message:
    """The metadata of the wheel or sdist that hatchling builds in a folder."""
    code = f"from hatchling.build import build_{kind}; print(build_{kind}('dist'))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True
    )
    made = folder / "dist" / done.stdout.split()[-1]
    if kind == "wheel":
        shutil.unpack_archive(made, folder / "dist", "zip")
    else:
        shutil.unpack_archive(made, folder / "dist", "gztar", filter="data")
    (path,) = [*(folder / "dist").glob("*/METADATA"), *(folder / "dist").glob("*/PKG-INFO")]
    return message_from_string(path.read_text("utf-8"))


@pytest.mark.thorough
def test_wheel_and_sdist_name_the_project_and_its_pages(tmp_path: Path) -> None:
    for name in BUILT:
        shutil.copy(PROJECT / name, tmp_path)
    shutil.copytree(PROJECT / "pytest_todeval", tmp_path / "pytest_todeval")
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    subprocess.run(["git", "-C", str(tmp_path), "remote", "add", "origin", ORIGIN], check=True)
    sdist = built(tmp_path, "sdist")
    unpacked = tmp_path / "dist" / f"pytest_todeval-{sdist['Version']}"
    wheel = built(unpacked, "wheel")

    source = "https://github.com/somebody/pytest-todeval"
    for metadata in (sdist, wheel):
        assert metadata.get_all("Project-URL") == [
            "Documentation, https://somebody.github.io/pytest-todeval/",
            f"Source, {source}",
            f"Changelog, {source}/blob/v{pytest_todeval.__version__}/CHANGELOG.md",
            f"Issues, {source}/issues",
        ]
        targets = re.findall(r"\]\(([^)#]+)", str(metadata.get_payload()))
        assert len(targets) > 5
        assert [target for target in targets if not target.startswith("https://")] == []


def test_the_versions_agree() -> None:
    assert pytest_todeval.__version__ == version("pytest-todeval")
    assert f"\n## {pytest_todeval.__version__}" in (PROJECT / "CHANGELOG.md").read_text("utf-8")
    assert f"\nversion: {pytest_todeval.__version__}" in (PROJECT / "CITATION.cff").read_text()


def test_the_workflow_runs_scripts_that_are_there_and_pins_its_actions() -> None:
    text = (PROJECT / ".github" / "workflows" / "ci.yml").read_text("utf-8")
    jobs = yaml.safe_load(text)["jobs"]
    steps = [step for job in jobs.values() for step in job["steps"]]
    scripts = re.findall(r"\.ci/\w+", " ".join(step.get("run", "") for step in steps))
    assert sorted(set(scripts)) == sorted(
        f".ci/{path.name}" for path in (PROJECT / ".ci").iterdir()
    )
    used = [step["uses"] for step in steps if "uses" in step]
    assert [use for use in used if not re.fullmatch(r"[\w-]+/[\w-]+@(v\d+|release/v1)", use)] == []
    needed = {name for job in jobs.values() for name in job.get("needs", ())}
    assert needed <= jobs.keys()


@pytest.mark.thorough
def test_a_zipped_package_says_that_it_cannot_run_so(tmp_path: Path) -> None:
    zipped = shutil.make_archive(str(tmp_path / "all"), "zip", PROJECT, "pytest_todeval")
    test = 'import pytest\n\n\n@pytest.mark.goals("demo")\ndef test_it(dialogue):\n    pass\n'
    (tmp_path / "test_it.py").write_text(test, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    run = {**os.environ, "PYTHONPATH": zipped, "PYTEST_ADDOPTS": NO_OTHERS}
    done = subprocess.run(
        command, cwd=tmp_path, env=run, capture_output=True, text=True, check=False
    )
    assert f"pytest-todeval runs from a zip ({zipped}), where its goals," in done.stdout
    assert "Traceback" not in done.stdout
