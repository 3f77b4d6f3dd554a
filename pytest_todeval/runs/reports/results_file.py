"""The results file on disk: written whole or not at all, checked when read."""

import json
import os
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, cast

from pytest_todeval.core.documents.faults import fault_of
from pytest_todeval.core.documents.writing import unwritable
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.errors import InvalidFile, UsageError
from pytest_todeval.runs.reports.schema import SCHEMA, DialogueEntry, Results

if TYPE_CHECKING:
    from pydantic import TypeAdapter

SHOWN_ERRORS = 3
SHOWN = 40
"""Characters of a value in a message."""


LARGEST, DIGITS = 1e15, 16
"""Numbers of results stay below, so that their sums and squares are numbers, too."""


def write_results(path: Path, results: Results) -> None:
    """Writes the file atomically: a reader sees the old file or the new one, never a part.

    Raises UsageError if the place cannot be written to.
    """
    text = _written(results)
    if wrong := unwritable(path):
        raise UsageError(f"cannot write the results to {path}: {wrong}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_text(path, text)
    except OSError as error:
        raise UsageError(f"cannot write the results to {path}: {error}") from error


def _written(results: Results) -> str:
    """JSON with a line per dialogue: five times faster than indented, and diffs stay readable."""
    parts = [f"{_json(key)}: {_value(value)}" for key, value in results.items()]
    return "{\n " + ",\n ".join(parts) + "\n}\n"


def _value(value: object) -> str:
    if not isinstance(value, list) or not value:
        return _json(value)
    return "[\n  " + ",\n  ".join(map(_json, value)) + "\n ]"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def replace_text(path: Path, text: str) -> None:
    """Writes a file whole, in place of what has its name: a link there is replaced, not followed.

    Raises OSError.
    """
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        # mkstemp makes it private to its owner; a results file is as readable as any other
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def read_results(path: Path) -> Results:
    """Reads and check a results file.

    Raises InvalidFile if it is not JSON, of another schema, or lacks something; names the place.
    """
    text = _text(path)
    if not text.strip():
        raise InvalidFile(f"{path}: not a results file: it is empty")
    try:
        data = json.loads(text, parse_constant=_refuse_constant, parse_float=_float, parse_int=_int)
    except RecursionError:
        raise InvalidFile(f"{path}: not a results file: nested too deeply") from None
    except ValueError as error:
        whole = text.rstrip().endswith("}") or not text.lstrip().startswith("{")
        cut = "" if whole else "it is cut off; play the run again, or take a whole copy: "
        raise InvalidFile(f"{path}: not a results file: {cut}{error}") from error
    _check_schema(path, data)
    _check_shape(path, text)
    _take_old_names(data)
    for number, entry in enumerate(data["dialogues"]):
        _check_entry(f"{path}: dialogues.{number}", entry)
    return cast("Results", data)


def _float(text: str) -> float:
    value = float(text)
    if abs(value) > LARGEST:
        raise ValueError(f"the number {text:.40} is larger than any result ({LARGEST:.0e})")
    return value


def _int(text: str) -> int:
    if len(text) > DIGITS:
        raise ValueError(f"the number {text:.40} is larger than any result ({LARGEST:.0e})")
    return int(text)


def _take_old_names(results: Results) -> None:
    """Older files call trivial goals `toothless`."""
    for record in (results["environment"]["settings"], *results["dialogues"]):
        if "toothless" in record:
            named = cast("dict[str, Any]", record)
            named["trivial"] = named.pop("toothless")


def require_entry(entry: DialogueEntry) -> None:
    """Raises InvalidFile, or another ValueError, if this is no dialogue of a results file."""
    from pydantic import TypeAdapter

    TypeAdapter(DialogueEntry).validate_json(json.dumps(entry), strict=True)
    _check_entry("entry", entry)


def _check_entry(place: str, entry: DialogueEntry) -> None:
    """Its nouns are those of the core, with all their fields, whoever reads them next."""
    from pytest_todeval.runs.reports.nouns import fill_in
    from pytest_todeval.runs.reports.stored import stored

    if entry["outcome"] not in set(Outcome):
        raise InvalidFile(
            f"{place}.outcome is {entry['outcome']!r}; expected one of {', '.join(Outcome)}"
        )
    try:
        stored(entry)
    except InvalidFile as error:
        raise InvalidFile(f"{place}: {error}") from None
    fill_in(entry)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise UsageError(f"no results file at {path}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidFile(f"{path}: cannot be read as a results file: {error}") from error


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _check_schema(path: Path, data: object) -> None:
    found = data.get("schema") if isinstance(data, dict) else None
    if found is None:
        raise InvalidFile(
            f'{path}: not a results file: expected an object with "schema": {SCHEMA}, '
            f"got {'an object' if isinstance(data, dict) else 'something else'} without it"
        )
    if found != SCHEMA:
        newer = isinstance(found, int) and found > SCHEMA
        what_next = (
            "a later version of pytest-todeval wrote it: upgrade with "
            "`pip install --upgrade pytest-todeval`"
            if newer
            else "read it with the version of pytest-todeval that wrote it"
        )
        raise InvalidFile(
            f"{path}: schema {found!r:.{SHOWN}}; this version reads schema {SCHEMA}; {what_next}"
        )


@cache
def _shape() -> "TypeAdapter[Results]":
    from pydantic import TypeAdapter

    return TypeAdapter(Results)


def _check_shape(path: Path, text: str) -> None:
    from pydantic import ValidationError

    try:
        _shape().validate_json(text, strict=True)
    except ValidationError as error:
        problems = error.errors(include_url=False)
        shown = [
            f"  {'.'.join(map(str, problem['loc']))}: {fault_of(problem)}"
            for problem in problems[:SHOWN_ERRORS]
        ]
        if len(problems) > SHOWN_ERRORS:
            shown.append(f"  and {len(problems) - SHOWN_ERRORS} more")
        raise InvalidFile("\n".join([f"{path}: not a valid results file:", *shown])) from error
