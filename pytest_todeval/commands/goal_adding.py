"""`todeval goals add`: a goal that broke the bot becomes an entry of a goal file."""

import json
from pathlib import Path
from typing import Any

from pytest_todeval.commands.output import say, write_output
from pytest_todeval.errors import UsageError
from pytest_todeval.start.drafts.goal_text import require_goals, with_goals, yaml_of
from pytest_todeval.worlds.files.reading import goal_of, load_goal_file


def add_goal(file: Path, text: str, database: str | None) -> int:
    """Append the goal to the file, or begin one. Raises UsageError and InvalidFile."""
    entry = _entry(text)
    if file.exists():
        if any(each.id == entry["id"] for each in load_goal_file(file).goals):
            say([f"{entry['id']} is in {file} already"])
            return 0
        whole = with_goals(file, [entry])
    else:
        named = f"database: {database}\n" if database else ""
        whole = f"{named}goals:\n{yaml_of([entry], '')}"
        require_goals(whole)
    write_output("FILE", file, whole)
    say([f'{entry["id"]} added to {file}: @pytest.mark.goals("{file.name}") plays it'])
    return 0


def _entry(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError as error:
        raise UsageError(
            f"goals add: the goal is no JSON ({error}): paste the whole line"
        ) from None
    return {**found, "id": goal_of(found, "pinned", "goals add").id}
