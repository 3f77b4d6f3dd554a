"""Each page of the tutorial works from an empty folder, and prints what it shows."""

import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from tests.conftest import NO_OTHERS, PROJECT

PAGES = sorted((PROJECT / "docs" / "start").glob("*.md"))
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"# ([\w./-]+\.\w+)\n")
pytestmark = pytest.mark.thorough


def run(command: str, folder: Path) -> str:
    tools = {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    plain = {"NO_COLOR": "1", "COLUMNS": "200", "PYTHONDONTWRITEBYTECODE": "1"}
    others = {"PYTEST_ADDOPTS": f"{NO_OTHERS} -p no:cacheprovider"}
    done = subprocess.run(
        command, shell=True, cwd=folder, capture_output=True, text=True, check=False, timeout=120,
        env={**os.environ, **tools, **plain, **others},
    )  # fmt: skip
    return done.stdout + done.stderr


def essence(text: str) -> str:
    """Without what differs by width: runs of blanks and of `=`."""
    return re.sub(r"=+", "=", re.sub(r"\s+", " ", text))


def shown_in_order(wanted: list[str], printed: str) -> str:
    """The first wanted line that the output does not have after the one before it, if any."""
    lines = [essence(line) for line in printed.splitlines()]
    at = 0
    for line in (line for line in wanted if line.strip(". ")):
        pattern = ".*".join(re.escape(essence(part)) for part in line.strip().split("..."))
        hits = [number for number in range(at, len(lines)) if re.search(pattern, lines[number])]
        if not hits:
            return line
        at = hits[0] + 1
    return ""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_page_works_from_an_empty_folder(page: Path, tmp_path: Path) -> None:
    commands = 0
    for language, text in BLOCK.findall(page.read_text(encoding="utf-8")):
        if language == "console":
            for step in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
                command, *wanted = step.splitlines()
                printed = run(command, tmp_path)
                assert shown_in_order(wanted, printed) == "", f"$ {command}\n{printed}"
                commands += 1
        elif name := NAMED.match(text):
            path = tmp_path / name[1]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    assert commands


def test_each_page_ends_in_the_next_and_the_index_has_them_in_this_order() -> None:
    index = (PROJECT / "docs" / "index.md").read_text(encoding="utf-8")
    road = re.findall(r"^start/(\w+)$", index, re.MULTILINE)
    assert sorted(road) == [page.stem for page in PAGES]
    for here, there in pairwise(road):
        text = (PROJECT / "docs" / "start" / f"{here}.md").read_text(encoding="utf-8")
        assert re.search(rf"^Next: \[.*\]\({there}\.md\)\.$", text, re.MULTILINE), here


@pytest.mark.parametrize(
    ("wanted", "missing"), [(["a ... c"], ""), (["c", "a"], "a"), (["..."], ""), (["d"], "d")]
)
def test_what_is_shown_is_compared(wanted: list[str], missing: str) -> None:
    assert shown_in_order(wanted, "a  b c\nc\n") == missing
