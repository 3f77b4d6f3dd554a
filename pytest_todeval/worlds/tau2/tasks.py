"""The tasks of tau2, read as JSON from the user's checkout; nothing of it is imported."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from pytest_todeval.core.goal import Goal
from pytest_todeval.errors import DataMissing, InvalidFile, UsageError, known_names
from pytest_todeval.goals.checkout import checkout_fingerprint
from pytest_todeval.goals.literals import plain
from pytest_todeval.worlds.tau2.history import opening_of

KIND = "tau2"
DOMAINS = "data/tau2/domains"
BASE = "base"
SPLITS = "split_tasks.json"
TASKS = "tasks.json"
FINGERPRINTED = ("*db.json", "*db.toml", "*.md", SPLITS)
SHARED = ("environment", "data_model", "utils")
"""The code that every domain's environment runs on."""
MAX_BYTES = 100_000_000
"""Of a file; the largest published one, telecom's 2285 tasks, has some 13 MB."""
MAX_FILES = 10_000
MAX_ID = 300
"""Characters; telecom's longest has 215."""
INSTRUCTIONS = {
    "domain": "Domain",
    "reason_for_call": "Reason for call",
    "known_info": "Known info",
    "unknown_info": "Unknown info",
    "task_instructions": "Task instructions",
}
"""The fields of a user's instructions in the order in which tau2's own user reads them."""


def load_tau2_tasks(home: Path, domain: str, split: str = BASE) -> tuple[tuple[Goal, ...], str]:
    """The goals of a split (`base`, and the others that the domain has), and their fingerprint.

    `home` is the folder that holds `data/tau2`. A goal's id is tau2's own, `raw` the task as it
    stands in its file, `opening` its message history, and `message` what tau2 tells its user: a
    line for the persona and each part of the instructions. Raises UsageError on an unknown domain
    or split, DataMissing if the checkout lacks the file of tasks, InvalidFile on one that cannot
    be used.
    """
    name = f"{KIND}/{domain}"
    folder = _domain_folder(home, domain)
    wanted = _wanted(folder, name, split)
    files = _task_files(folder, split)
    goals = tuple(_chosen(name, files, wanted))
    source = home / "src" / "tau2"
    code = [file for part in (f"domains/{domain}", *SHARED) for file in source.glob(f"{part}/*.py")]
    data = [file for pattern in FINGERPRINTED for file in folder.glob(pattern)]
    files_told = [*data, *files, *code]
    return goals, checkout_fingerprint(home, files_told, len(goals), KIND)


def _domain_folder(home: Path, domain: str) -> Path:
    found = (home / DOMAINS).glob("*/policy.md"), (home / DOMAINS).glob("*/tasks*")
    known = {file.parent.name: file.parent for files in found for file in files}
    if domain not in known:
        hint = known_names(domain, sorted(known))
        raise UsageError(f"no domain {domain!r} of tau2 in {home}: {hint}")
    return known[domain]


def _wanted(folder: Path, name: str, split: str) -> frozenset[str] | None:
    """Returns the ids of the split; None for all tasks, if the domain has no splits."""
    path = folder / SPLITS
    splits = _json(path) if path.exists() else {BASE: None}
    if not isinstance(splits, dict):
        raise InvalidFile(f"{path}: found {type(splits).__name__}, expected splits and their ids")
    if split not in splits:
        raise UsageError(f"{name} has no split {split!r}: {known_names(str(split), splits)}")
    ids = splits[split]
    if ids is None and not path.exists():
        return None
    if not (isinstance(ids, list) and ids and all(isinstance(id, str) for id in ids)):
        raise InvalidFile(f"{path}: {split}: expected a list of the ids of its tasks")
    return frozenset(ids)


def _task_files(folder: Path, split: str) -> list[Path]:
    """Returns the files that tau2 reads: one of all tasks, or one per task in a folder.

    A checkout may lack telecom's large file and still have that of a split by itself.
    """
    single = sorted((folder / "tasks").glob("task_*.json"))
    if single:
        return single[:MAX_FILES]
    for path in (folder / TASKS, folder / f"tasks_{split}.json"):
        if path.exists():
            return [path]
    raise DataMissing(
        f"{folder / TASKS}: no such file: this checkout of tau2-bench is incomplete. Get all of it "
        "with\n    git clone https://github.com/sierra-research/tau2-bench"
    )


def _chosen(source: str, files: list[Path], wanted: frozenset[str] | None) -> Iterator[Goal]:
    """Returns the wanted tasks in the order of the file, each once; all of them must be there."""
    seen: set[str] = set()
    for where, task in _tasks(files):
        id = _id(where, task)
        if id in seen:
            raise InvalidFile(f"{where}: the id {id!r} is taken by a task before it")
        seen.add(id)
        if wanted is None or id in wanted:
            yield task_goal(source, where, task)
    lost = sorted((wanted or frozenset()) - seen)
    if lost or not seen:
        what = f"no task {lost[0]!r}, which {SPLITS} names" if lost else "no tasks"
        raise InvalidFile(f"{files[0]}: found {what}; {len(seen)} tasks are there")


def _tasks(files: list[Path]) -> Iterator[tuple[str, object]]:
    """Returns each task with the place where it stands."""
    for path in files:
        value = _json(path)
        if not isinstance(value, list):
            yield str(path), value
            continue
        yield from ((f"{path}: task {place}", task) for place, task in enumerate(value))


def _json(path: Path) -> object:
    if not path.is_file():
        raise InvalidFile(f"{path}: not a file, expected JSON")
    try:
        with path.open("rb") as file:
            text = file.read(MAX_BYTES + 1)
        if len(text) > MAX_BYTES:
            raise ValueError(f"larger than {MAX_BYTES:,} bytes")
        value: object = json.loads(text)
    except (OSError, ValueError, RecursionError) as error:
        raise InvalidFile(f"{path}: cannot be read as JSON: {error}") from error
    return value


def _id(where: str, task: object) -> str:
    id = task.get("id") if isinstance(task, dict) else None
    if not isinstance(id, str):
        raise InvalidFile(f"{where}: expected an object with an `id`")
    if not (id.isprintable() and 0 < len(id) <= MAX_ID) or "/" in id or "::" in id:
        raise InvalidFile(
            f"{where}: id: found {id[:60]!a}, expected at most {MAX_ID} printable characters "
            "without `/` and `::`"
        )
    return id


def task_goal(source: str, where: str, task: object) -> Goal:
    """A task's JSON as a goal of `source`. Raises InvalidFile, with `where`, if it is none."""
    id = _id(where, task)
    raw = plain(task, where)
    assert isinstance(raw, dict)  # as `_id` found
    for field in ("initial_state", "evaluation_criteria"):
        if not isinstance(raw.get(field), (dict, type(None))):
            raise InvalidFile(f"{where}: {field}: expected an object, or null")
    message = tuple(_message(raw.get("user_scenario"), f"{where}: user_scenario"))
    history = (raw.get("initial_state") or {}).get("message_history")
    opening = opening_of(history, f"{where}: initial_state.message_history")
    return Goal(id, source, (), message, opening=opening, raw=raw, published=True)


def _message(scenario: object, where: str) -> Iterator[str]:
    if not isinstance(scenario, dict):
        raise InvalidFile(f"{where}: expected an object")
    persona = _text(scenario, "persona", where)
    if persona:
        yield f"Persona: {persona}"
    instructions = scenario.get("instructions")
    if isinstance(instructions, dict):
        yield from _lines(instructions, f"{where}.instructions")
    elif isinstance(instructions, str) and instructions.strip():
        yield instructions.strip()
    else:
        raise InvalidFile(f"{where}.instructions: missing or empty, expected text or its parts")


def _lines(instructions: Mapping[str, object], where: str) -> Iterator[str]:
    texts = {field: _text(instructions, field, where) for field in INSTRUCTIONS}
    if not texts["reason_for_call"] and not texts["task_instructions"]:
        raise InvalidFile(f"{where}: expected `reason_for_call` and `task_instructions`")
    yield from (f"{INSTRUCTIONS[field]}: {text}" for field, text in texts.items() if text)


def _text(record: Mapping[str, object], field: str, where: str) -> str:
    text = record.get(field)
    if not isinstance(text, (str, type(None))):
        raise InvalidFile(f"{where}.{field}: expected text, or null")
    return (text or "").strip()
