"""The tasks of tau-bench, read from the user's checkout or installation; nothing of it is run."""

from collections.abc import Mapping
from pathlib import Path

from pytest_todeval.core.goal import Goal
from pytest_todeval.errors import InvalidFile, UsageError, known_names
from pytest_todeval.goals.checkout import checkout_fingerprint
from pytest_todeval.goals.literals import Called, plain, read_literals
from pytest_todeval.worlds.tau_bench.domain import domain_folder

KIND = "tau_bench"
CLASSES = ("Task", "Action")
PREFIX = "tasks_"
FINGERPRINTED = ("*.py", "*.md", "tools/*.py", "data/*.py", "data/*.json")


def load_tau_bench_tasks(
    home: Path, domain: str, split: str = "test"
) -> tuple[tuple[Goal, ...], str]:
    """The goals of a split (retail: test, train, dev; airline: test), and their fingerprint.

    `home` is the folder that holds the package `tau_bench`. A goal's id is the split and the task's
    place in it, from 0: `test-17`; `raw` holds the task (`user_id`, `instruction`, `actions` as
    `name` and `kwargs`, `outputs`, and `annotator` if it is told). Actions that fail by design
    are tasks as others are. Raises UsageError on an unknown domain or split, InvalidFile on a file
    that says anything but tasks.
    """
    name = f"{KIND}/{domain}"
    folder = domain_folder(home, domain)
    path = _task_file(folder, name, split)
    tasks = _tasks(path, split)
    goals = tuple(_goal(name, f"{split}-{n}", path, task) for n, task in enumerate(tasks))
    files = [file for pattern in FINGERPRINTED for file in folder.glob(pattern)]
    files.append(folder.parent / "tool.py")  # what all tools are made of
    return goals, checkout_fingerprint(home, files, len(goals), KIND)


def _task_file(folder: Path, name: str, split: str) -> Path:
    known = {file.stem.removeprefix(PREFIX): file for file in folder.glob(f"{PREFIX}*.py")}
    if split not in known:
        hint = known_names(str(split), sorted(known))
        raise UsageError(f"{name} has no split {split!r}: {hint}")
    return known[split]


def _tasks(path: Path, split: str) -> list[object]:
    """Returns the list that tau-bench's environments import, by whichever name the file has it."""
    names = read_literals(path, CLASSES)
    for name in (f"TASKS_{split.upper()}", "TASKS", "tasks"):
        found = names.get(name)
        if isinstance(found, list) and found:
            return found
    raise InvalidFile(
        f"{path}: no tasks, expected a list of Task(...) named TASKS_{split.upper()} or TASKS"
    )


def _goal(source: str, id: str, path: Path, task: object) -> Goal:
    if not (isinstance(task, Called) and task.name == "Task"):
        found = task.name if isinstance(task, Called) else type(task).__name__
        raise InvalidFile(f"{path}: task {id}: found {found}, expected Task(...)")
    where = f"{path}:{task.line}: task {id}"
    raw = plain(task, where)
    assert isinstance(raw, dict)  # as a call's fields are
    _check(raw, where)
    return Goal(id, source, (), (raw["instruction"],), raw=raw, published=True)


def _check(raw: Mapping[str, object], where: str) -> None:
    """What tau-bench's own `Task` checks when it is made."""
    for field in ("user_id", "instruction"):
        _expect(isinstance(raw.get(field), str), where, field, "text")
    outputs, actions = raw.get("outputs"), raw.get("actions")
    are_texts = isinstance(outputs, list) and all(isinstance(o, str) for o in outputs)
    _expect(are_texts, where, "outputs", "a list of texts")
    _expect(isinstance(actions, list), where, "actions", "a list of Action(...)")
    for n, action in enumerate(actions if isinstance(actions, list) else ()):
        good = isinstance(action, dict) and isinstance(action.get("name"), str)
        good = good and isinstance(action.get("kwargs"), dict)
        _expect(good, where, f"actions.{n}", "Action(name=<text>, kwargs=<dict>)")


def _expect(good: bool, where: str, field: str, expected: str) -> None:
    if not good:
        raise InvalidFile(f"{where}: {field}: missing or wrong, expected {expected}")
