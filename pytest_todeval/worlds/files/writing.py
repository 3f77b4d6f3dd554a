"""Goals as a goal file, as `reading` takes it."""

import json
import os
from pathlib import Path

from pytest_todeval.errors import UsageError
from pytest_todeval.goals.entry import goal_entry
from pytest_todeval.goals.store import DEMO
from pytest_todeval.worlds.goal_set import GoalSet


def goal_file_text(goals: GoalSet, *, beside: Path | None, title: str, as_json: bool) -> str:
    """Returns the goals of a set as YAML, under a comment with the title, or as JSON.

    Its database is named from where the file is to lie: the folder of `beside`, else the working
    directory. Raises UsageError if no goal file can name the world's database.
    """
    content = {"database": _database(goals, beside), "goals": [goal_entry(g) for g in goals.goals]}
    if as_json:
        return json.dumps(content, ensure_ascii=False, indent=1) + "\n"
    import yaml

    text = yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=110)
    return f"# {title}\n{text}"


def _database(goals: GoalSet, beside: Path | None) -> str:
    place = getattr(goals.world, "database", None)
    if not isinstance(place, Path):
        raise UsageError(
            f"{goals.name}: its world has no database that a goal file could name; use the goals "
            "in a marker instead: @pytest.mark.goals(synthetic(...))"
        )
    if place == DEMO:
        return "demo"
    if goals.name.rpartition("/")[2] == "multiwoz":
        return "multiwoz"
    start = Path.cwd() if beside is None else beside.resolve().parent
    return Path(os.path.relpath(place.resolve(), start)).as_posix()
