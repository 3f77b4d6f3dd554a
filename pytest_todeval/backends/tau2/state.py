"""The state of both databases: tau2's hashes, and what was changed, value by value."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pytest_todeval.backends.tau2.environment import Environment

__all__ = ["Changes", "changes", "differences", "hashes", "record_tables"]

Path = tuple[str, ...]
"""`agent` or `user`, then keys and list positions: table, record, field, ..."""


Changes = Mapping[Path, str]
"""Values that differ from the databases on file, as JSON; `nothing` where one is gone."""


def hashes(environment: Environment) -> tuple[str | None, str | None]:
    """tau2's own hash of the agent's database, and of the user's where there is one."""
    return environment.get_db_hash(), environment.get_user_db_hash()


def record_tables(environment: Environment) -> Mapping[str, Any]:
    """Both databases as plain data."""
    tables = {"agent": environment.tools.db.model_dump()}
    if environment.user_tools is not None:
        tables["user"] = environment.user_tools.db.model_dump()
    return tables


def changes(environment: Environment, pristine: Mapping[str, Any]) -> Changes:
    """What an environment's databases hold other than `pristine`, as `record_tables` gave it."""
    return dict(_changed(pristine, record_tables(environment), ()))


def differences(gold: Changes, got: Changes) -> tuple[str, ...]:
    """What differs, one text per value: `orders/#W1/status: expected "open", got "closed"`."""
    return tuple(
        f"{_place(path)}: expected {_short(gold.get(path, UNCHANGED))}, "
        f"got {_short(got.get(path, UNCHANGED))}"
        for path in sorted(gold.keys() | got.keys())
        if gold.get(path) != got.get(path)
    )


NOTHING = "nothing"
UNCHANGED = "what it was"
ABSENT = object()


def _changed(before: Any, now: Any, path: Path) -> Iterator[tuple[Path, str]]:
    if before == now:
        return
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        parts: Iterator[Any] = iter(dict.fromkeys((*before, *now)))
        for key in parts:
            yield from _changed(
                before.get(key, ABSENT), now.get(key, ABSENT), (*path, _key_text(key))
            )
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for place, (old, new) in enumerate(zip(before, now, strict=True)):
            yield from _changed(old, new, (*path, str(place)))
    else:
        yield path, NOTHING if now is ABSENT else json.dumps(now, sort_keys=True, default=str)


def _key_text(key: Any) -> str:
    return str(getattr(key, "value", key))


def _place(path: Path) -> str:
    side, *keys = path
    return ("the user's " if side == "user" else "") + "/".join(keys)


def _short(value: str) -> str:
    return value if len(value) <= 120 else value[:117] + "..."
