"""The package has a budget that only falls: the tables of ARCHITECTURE.md say how much of what.

Who raises a number says why in the same row.
"""

import json
import re
import subprocess
import sys

import pytest

from tests.conftest import PROJECT
from tests.support.measures import lines_by_room, patterns_by_room, tangled

Row = tuple[str, ...]


def rows(heading: str) -> dict[str, Row]:
    """The table behind a heading, by its first column: numbers, and why one was raised."""
    text = (PROJECT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    table = text.split(f"\n### {heading}\n")[1].split("\n#")[0]
    found = [
        tuple(cell.strip(" `") for cell in line.strip("|").split("|"))
        for line in table.splitlines()
        if line.startswith("|")
    ]
    return {name: tuple(cells) for name, *cells in found[2:]}


def number(cell: str) -> int:
    return int(cell.replace(",", "") or 0)


def test_rooms_have_no_more_lines_and_patterns_than_planned() -> None:
    planned = rows("Rooms")
    lines, patterns = lines_by_room(), patterns_by_room()
    assert planned.keys() == lines.keys()
    over = {
        room: f"{lines[room]} lines of {most}, {patterns[room]} patterns of {compiled or 0}"
        for room, (most, compiled, *_) in planned.items()
        if lines[room] > number(most) or patterns[room] > number(compiled)
    }
    assert over == {}, "make it smaller, or raise it in ARCHITECTURE.md and say why"


def test_options_and_tangled_functions_are_no_more_than_planned() -> None:
    planned = rows("The whole")
    reference = (PROJECT / "docs" / "reference.md").read_text(encoding="utf-8")
    options = set(re.findall(r"--todeval-[a-z-]+", reference))  # tests/test_reference.py holds it
    assert len(options) <= number(planned["options"][0]), sorted(options)
    found = tangled()
    assert len(found) <= number(planned["functions of grade D or worse"][0]), found


@pytest.mark.thorough
def test_a_dialogue_walks_through_no_more_than_planned() -> None:
    planned = rows("The whole")
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.dialogue_walk"],
        cwd=PROJECT, capture_output=True, text=True, check=True, timeout=300,
    )  # fmt: skip
    walk = json.loads(done.stdout.splitlines()[-1])
    assert walk["passed"], done.stderr
    assert walk["modules"] <= number(planned["modules that one dialogue walks through"][0]), walk
    assert walk["calls"] <= number(planned["calls of functions in it"][0]), walk
