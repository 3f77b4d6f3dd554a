"""Entries of a goal file as text, and checked as a goal file is."""

import re
import tempfile
import textwrap
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from pytest_todeval.errors import InvalidFile, UsageError

_FIRST = re.compile(r"^( *)- id:", re.M)


def yaml_of(entries: Sequence[Mapping[str, Any]], comment: str) -> str:
    """Goals as YAML, under a comment."""
    import yaml

    lines = "".join(f"# {line}\n" for line in comment.splitlines())
    return lines + yaml.safe_dump(
        [dict(each) for each in entries], sort_keys=False, allow_unicode=True, width=110
    )


def require_goals(text: str) -> None:
    """Raises InvalidFile, as of a goal file, if the goals in a text are not as they should be."""
    from pytest_todeval.worlds import registry

    with tempfile.TemporaryDirectory(prefix="todeval") as folder:
        path = Path(folder) / "goals.yaml"
        path.write_text(text, encoding="utf-8")
        try:
            registry.load(str(path))
        except InvalidFile as error:
            raise InvalidFile(str(error).replace(f"{path}:", "goal: line ")) from None


def with_goals(path: Path, entries: Sequence[Mapping[str, Any]]) -> str:
    """Returns the text of a goal file with more goals at its end; a new file's, if there is none.

    An id that is taken gets a number. Raises UsageError if goals cannot stand at the file's end,
    InvalidFile if the file is no goal file.
    """
    if not path.exists():
        return yaml_of(entries, "What users of the bot want: each goal is a test.")
    text = path.read_text(encoding="utf-8-sig")
    held = _goals_in(path)
    taken = {str(each.get("id")) for each in held if isinstance(each, dict)}
    added = [{**each, "id": _free(str(each["id"]), taken)} for each in entries]
    indent = next((len(m[1]) for m in _FIRST.finditer(text)), 0)
    more = textwrap.indent(yaml_of(added, ""), " " * indent)
    whole = f"{text.rstrip()}\n{more}"
    if len(_list_of(_loaded(whole))) != len(held) + len(added):
        raise UsageError(f"{path}: its goals do not stand at its end; paste these into it:\n{more}")
    require_goals(whole)
    return whole


def _goals_in(path: Path) -> list[Any]:
    from pytest_todeval.core.documents import read_document

    return _list_of(read_document(path).value)


def _loaded(text: str) -> Any:
    import yaml

    try:
        return yaml.safe_load(text)
    except yaml.YAMLError:
        return None


def _list_of(value: Any) -> list[Any]:
    found = value.get("goals") if isinstance(value, dict) else value
    return found if isinstance(found, list) else []


def _free(id: str, taken: set[str]) -> str:
    found = next(each for at in count(1) if (each := id if at == 1 else f"{id}-{at}") not in taken)
    taken.add(found)
    return found
