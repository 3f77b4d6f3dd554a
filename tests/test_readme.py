"""The README's example runs and prints what the README shows; its commands name real files."""

import re
import subprocess
import sys
from pathlib import Path

from tests.conftest import NO_OTHERS, PROJECT
from tests.test_start_pages import shown_in_order

README = (PROJECT / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(language: str) -> list[str]:
    return [text for kind, text in BLOCK.findall(README) if kind == language]


def test_the_example_prints_what_the_readme_shows(tmp_path: Path) -> None:
    for text in blocks("python")[:2]:
        name = re.match(r"# (\w+\.py)", text)
        assert name is not None
        # The shown output counts lines from the file's own first line.
        (tmp_path / name[1]).write_text(text, encoding="utf-8")
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:randomly"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={
            "PATH": "",
            "COLUMNS": "100",
            "NO_COLOR": "1",
            "HOME": str(tmp_path),
            "PYTEST_ADDOPTS": NO_OTHERS,
        },
    )
    shown = re.sub(r"(?<=in )[\d.]+s", "...", blocks("text")[0])  # seconds
    assert shown_in_order(shown.splitlines(), result.stdout) == "", result.stdout


def test_commands_name_files_that_exist() -> None:
    named = re.findall(r"(?:examples|benchmarks|docs|tests)/[\w./]+\w", README)
    assert len(named) >= 8
    assert [name for name in named if not (PROJECT / name).exists()] == []


def test_there_are_two_set_up_commands() -> None:
    (commands,) = blocks("bash")
    assert len(commands.splitlines()) == 2
