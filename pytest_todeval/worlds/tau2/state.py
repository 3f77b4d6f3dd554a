"""The state of both databases: tau2's hashes, and what was changed, value by value."""

import inspect
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from pytest_todeval.worlds.tau2.environment import Database, Environment
from pytest_todeval.worlds.tau2.shared import SharedDatabase

Path = tuple[str, ...]
"""`agent` or `user`, then keys and list positions: table, record, field, ..."""


Changes = Mapping[Path, str]
"""Values that differ from the databases on file, as JSON; `nothing` if one is gone."""

PARAMETERS = {"agent": "db", "user": "user_db"}
"""Of `get_environment`."""

Hashes = tuple[str | None, str | None]
"""tau2's own, of the agent's database and of the user's if there is one."""


def joined(hashes: Hashes) -> str:
    """Returns both as one text: the agent's, `+` the user's if there is one."""
    return "+".join(digest for digest in hashes if digest)


def their_hashes(environment: Environment) -> Hashes:
    """Returns what tau2 computes, which takes the time of rendering all records."""
    return environment.get_db_hash(), environment.get_user_db_hash()


class SharedState:
    """Both databases as they are on file, as a fresh `environment` of tau2's holds them."""

    def __init__(self, environment: Environment) -> None:
        self._on_file = environment
        self._shared = {
            side: SharedDatabase(database) for side, database in _databases(environment).items()
        }

    def views(self) -> dict[str, Database]:
        """Databases of one dialogue, by the names that tau2's `get_environment` has for them."""
        return {PARAMETERS[side]: shared.view() for side, shared in self._shared.items()}

    def can_be_shared(self, make: Callable[..., Environment]) -> bool:
        """Says whether `make` takes databases, and makes of views the state it makes of its files.

        The hashes are compared with tau2's: whatever it computes otherwise is left to it.
        """
        views = self.views()
        try:
            if not views.keys() <= inspect.signature(make).parameters.keys():
                return False
            made = make(**views)
            ours = self._hash("agent", made), self._hash("user", made)
            return (
                _ids(_databases(made).values()) == _ids(views.values())
                and len(set(_ids(_databases(self._on_file).values()))) == len(views)
                and ours == their_hashes(self._on_file)
            )
        except Exception:  # it is the checkout's code that runs here, in a way it may not foresee
            return False

    def hashes(self, environment: Environment) -> Hashes:
        """As `their_hashes`, but of views only records that were given out are rendered."""
        agent, user = self._hash("agent", environment), self._hash("user", environment)
        return agent or environment.get_db_hash(), user or environment.get_user_db_hash()

    def changes(self, environment: Environment) -> Changes:
        """Returns what an environment's databases hold other than those on file."""
        found: dict[Path, str] = {}
        for side, database in _databases(environment).items():
            before, now = self._shared[side].before_and_now(database)
            found.update(_changed(before, now, (side,)))
        return found

    def _hash(self, side: str, environment: Environment) -> str | None:
        database = _databases(environment).get(side)
        return None if database is None else self._shared[side].hexdigest(database)


def _ids(databases: Iterable[Database]) -> list[int]:
    return [id(database) for database in databases]


def _databases(environment: Environment) -> dict[str, Database]:
    kits = {"agent": environment.tools, "user": environment.user_tools}
    return {side: kit.db for side, kit in kits.items() if kit is not None and kit.db is not None}


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
            at = (*path, str(getattr(key, "value", key)))
            yield from _changed(before.get(key, ABSENT), now.get(key, ABSENT), at)
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for place, (old, new) in enumerate(zip(before, now, strict=True)):
            yield from _changed(old, new, (*path, str(place)))
    else:
        yield path, NOTHING if now is ABSENT else json.dumps(now, sort_keys=True, default=str)


def _place(path: Path) -> str:
    side, *keys = path
    return ("the user's " if side == "user" else "") + "/".join(keys)


def _short(value: str) -> str:
    return value if len(value) <= 120 else value[:117] + "..."
