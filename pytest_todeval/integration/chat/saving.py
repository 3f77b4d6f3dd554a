"""A dialogue kept as a scripted test with its cassette, or as a goal."""

import json
import os
import shutil
from pathlib import Path

import pytest

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.errors import UsageError
from pytest_todeval.integration.case import PLAYED, case_of
from pytest_todeval.runs.reports.results_file import replace_text

TEST = '''\
"""A dialogue that a person had with the bot."""

import pytest

from pytest_todeval import Dialogue, Judge, ScriptedUser


@pytest.fixture
def user_simulator() -> ScriptedUser:
    return ScriptedUser(
        [
{lines}
        ]
    )


@pytest.mark.goals({source}, ids=[{id}])
def {name}(dialogue: Dialogue, judge: Judge) -> None:
    assert judge.approves(dialogue)
'''


def save_test(dialogue: Dialogue, path: Path, item: pytest.Function) -> list[str]:
    """Writes a test that says the same words, and the cassette beside it.

    Raises UsageError if the file is there, or is no test file.
    """
    if path.exists():
        raise UsageError(f"{path}: is there already; name another file")
    if not (path.name.startswith("test_") and path.suffix == ".py"):
        raise UsageError(f"{path}: expected a name that pytest collects, such as test_chat.py")
    name = path.stem
    lines = "\n".join(f"            {_quoted(turn.user)}," for turn in dialogue.turns)
    source = _quoted(_source(item, path))
    text = TEST.format(lines=lines, source=source, id=_quoted(dialogue.goal.id), name=name)
    _write(path, text)
    told = [f"{path}: {len(dialogue.turns)} turns; pytest {path}"]
    if (cassette := _cassette(item, path, name, dialogue.goal.name)) is not None:
        told.append(f"{cassette}: its calls, for replay")
    return told


def save_goal(dialogue: Dialogue, path: Path, item: pytest.Function) -> list[str]:
    """Adds the goal that the dialogue shows to a goal file.

    Raises UsageError if the dialogue shows no deed.
    """
    from pytest_todeval.start.drafts.from_dialogue import goal_shown
    from pytest_todeval.start.drafts.goal_text import with_goals

    entry = goal_shown(dialogue, dialogue.goal.name)
    if entry is None:
        raise UsageError(
            "the dialogue shows no deed of the bot, so no goal; `todeval goals new` drafts one "
            "from a sentence"
        )
    _write(path, with_goals(path, [entry]))
    return [f"{path}: {entry['id']}"]


def _source(item: pytest.Function, path: Path) -> str:
    """Returns how the goal set is called beside the new test."""
    case = case_of(item)
    assert case is not None
    marker = item.get_closest_marker("goals")
    given = str(marker.args[0]) if marker is not None and marker.args else case.goal_set.name
    beside = item.path.parent / given
    if beside.is_file():
        return Path(os.path.relpath(beside, path.resolve().parent)).as_posix()
    return given


def _cassette(item: pytest.Function, path: Path, name: str, goal: str) -> Path | None:
    """The recorded calls, moved to where those of the new test lie; None if there were none."""
    from pytest_todeval.recording.location import cassette_of

    played = item.stash[PLAYED].tape
    if played is None:
        return None
    played.finish(keep=True)
    if not played.path.exists():
        return None
    file = Path(os.path.relpath(path.resolve(), item.config.rootpath)).as_posix()
    file = Path(os.path.relpath(path.resolve(), item.config.rootpath)).as_posix()
    nodeid = f"{file}::{name}[{goal}]"
    to = cassette_of(path.resolve(), nodeid, root=item.config.rootpath, given=None)
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(played.path, to)
    return to


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_text(path, text)
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror or error}") from None
