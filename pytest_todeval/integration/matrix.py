"""The marker `matrix`: every goal of a test is played by each system with each user.

After clem:todd (Chalamalasetti et al. 2025, tables 2 and 3). It is two of pytest's own
parametrizations: `tod_system`, and `todeval_user` with the marks of each user.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from pytest_todeval.errors import TodevalError, UsageError, known_names
from pytest_todeval.integration.case import parameters_of

LONGEST_NAME = 60
USER, SYSTEM = "todeval_user", "tod_system"


class MatrixUser(NamedTuple):
    """One of a matrix's users."""

    name: str
    how: Mapping[str, Any]
    """Keywords of the marker `todeval`."""
    make: Callable[..., Any] | None = None
    """What makes the user of a goal, if it is one of the suite's own."""


class Matrix(NamedTuple):
    """What the marker says."""

    systems: Mapping[str, Any]
    users: Mapping[str, MatrixUser]


def spread(metafunc: pytest.Metafunc) -> None:
    """Parametrize a test with the systems and users of its matrix. Errors stop the collection."""
    try:
        matrix = matrix_of(metafunc.definition)
        asked = [name for name, each in ((SYSTEM, matrix.systems), (USER, matrix.users)) if each]
        lacking = [name for name in asked if name not in metafunc.fixturenames]
        if lacking:
            raise UsageError(
                f"{metafunc.definition.nodeid} is marked `matrix` but does not use "
                f"{' and '.join(lacking)}: ask for `dialogue`; a fixture `user_simulator` of your "
                f"own is to ask for `{USER}`"
            )
    except TodevalError as error:
        raise pytest.Collector.CollectError(str(error)) from None
    if matrix.systems:
        systems = [pytest.param(each, id=name) for name, each in matrix.systems.items()]
        metafunc.parametrize(SYSTEM, systems)
    if matrix.users:
        users = [
            pytest.param(user, id=user.name, marks=[pytest.mark.todeval(**user.how)])
            for user in matrix.users.values()
        ]
        metafunc.parametrize(USER, users, indirect=True)


def system_called(item: pytest.Item) -> str | None:
    """Returns what the matrix of a test calls its system; None if none does."""
    given = parameters_of(item)
    if SYSTEM not in given or item.get_closest_marker("matrix") is None:
        return None
    found = matrix_of(item).systems.items()
    return next((name for name, system in found if system is given[SYSTEM]), None)


def user_called(item: pytest.Item) -> str | None:
    """Returns what the matrix of a test calls its user; None if none does."""
    user = parameters_of(item).get(USER)
    return user.name if isinstance(user, MatrixUser) else None


def matrix_of(node: pytest.Item) -> Matrix:
    """Returns the nearest marker's. Raises UsageError if it says nothing that can be played."""
    mark = node.get_closest_marker("matrix")
    known = ("systems", "users")
    wrong = [name for name in (mark.kwargs if mark else ()) if name not in known]
    if mark is None or mark.args or wrong:
        told = f"{known_names(wrong[0], known)}" if wrong else "expected keywords"
        what = f"no argument {wrong[0]!r}" if wrong else "got arguments without a name"
        raise _wrong(f"{what}: {told}. It takes: matrix(systems=None, users=None)")
    systems, users = (mark.kwargs.get(name) for name in known)
    if systems is None and users is None:
        raise _wrong("got neither systems nor users; it takes: matrix(systems=None, users=None)")
    found = dict(_named("systems", systems))
    meant = dict(_named("users", users))
    return Matrix(found, {name: _user(name, each) for name, each in meant.items()})


def _named(what: str, given: object) -> Iterator[tuple[str, Any]]:
    """Returns what is given, by the name of each: a mapping says them, of a list they follow."""
    if given is None:
        return
    if isinstance(given, Mapping):
        pairs: Sequence[tuple[Any, Any]] = list(given.items())
    elif isinstance(given, list | tuple):
        pairs = [(_name_of(each), each) for each in given]
    else:
        raise _wrong(f"{what}: got {given!r:.60}, expected a list, or a mapping of names to {what}")
    if not pairs:
        empty = "mapping" if isinstance(given, Mapping) else "list"
        raise _wrong(f"{what}: got an empty {empty}, which nobody could play; leave it out")
    seen: set[str] = set()
    for name, each in pairs:
        if not isinstance(name, str) or not name.strip():
            raise _wrong(f"{what}: got the name {name!r:.60}, expected text")
        if name in seen:
            example = f"{what}={{'one': ..., 'other': ...}}"
            raise _wrong(f"two {what} are called {name!r}; give them names: {example}")
        seen.add(name)
        yield name[:LONGEST_NAME], each


def _name_of(player: object) -> str:
    if isinstance(player, Mapping):
        return " ".join(map(str, player.values()))[:LONGEST_NAME]
    if isinstance(player, str):
        return player
    return str(getattr(player, "__name__", type(player).__name__))


def _user(name: str, given: object) -> MatrixUser:
    """Returns a user as the matrix says it: by name or style, by keywords, or made of a goal."""
    from pytest_todeval.play.settings import PlaySettings
    from pytest_todeval.simulation.agenda.styles import STYLES

    if callable(given):
        return MatrixUser(name, {}, given)
    if isinstance(given, Mapping):
        how = dict(given)
    elif isinstance(given, str):
        how = {"user": "agenda", "user_style": given} if given in STYLES else {"user": given}
    else:
        raise _wrong(
            f"users: got {given!r:.60}, expected the name of a user or of an agenda style, a "
            "mapping of keywords of the marker `todeval`, or a function goal -> user"
        )
    try:
        PlaySettings(**how)
    except TypeError as error:
        raise _wrong(f"users: {name}: {error}; expected keywords of the marker `todeval`") from None
    except UsageError as error:
        raise UsageError(str(error).replace("marker todeval", "marker matrix")) from None
    return MatrixUser(name, how)


def _wrong(what: str) -> UsageError:
    return UsageError(f"marker matrix: {what}")
