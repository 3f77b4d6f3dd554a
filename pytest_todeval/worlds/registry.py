"""Worlds by name: the built-in ones, those of installed packages, and files of one's own.

A package offers a world through an entry point in the group `pytest_todeval.worlds`: its name is
the world's, its object a subclass of `World`.
"""

import inspect
import warnings
from collections.abc import Callable, Mapping
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pytest_todeval.errors import TodevalError, UsageError, known_names
from pytest_todeval.worlds.goal_set import GoalSet
from pytest_todeval.worlds.world import World

__all__ = ["GROUP", "load", "names"]

GROUP = "pytest_todeval.worlds"
FILE_ENDINGS = (".yaml", ".yml", ".json")
BUILT_IN = {
    name: EntryPoint(name, f"pytest_todeval.worlds.{name}.world:{world}", GROUP)
    for name, world in (
        ("multiwoz", "MultiwozWorld"),
        ("demo", "DemoWorld"),
        ("tau_bench", "TauBenchWorld"),
        ("tau2", "Tau2World"),
    )
}


def load(
    source: str | Path,
    *,
    split: str | None = None,
    settings: Mapping[str, str | Path | None] = MappingProxyType({}),
    beside: Path | None = None,
    **options: Any,
) -> GoalSet:
    """Load a goal set by name (`demo`, `tau2/retail`), or a goal file (`.yaml`, `.yml`, `.json`).

    `split` and `options` are the world's own, see its `load`; `settings` are the run's options by
    name (`data`, `tau-home`, ...), of which a world takes what it needs; `beside` is the folder
    that a file's relative path starts from (default: the working directory). Raises UsageError on
    an unknown goal set, file, split or option, DataMissing, and InvalidFile.
    """
    name = str(source)
    asked = {key: value for key, value in {"split": split, **options}.items() if value is not None}
    entry, domain = _entry(name)
    if entry is None:
        return _load_file(name, beside or Path.cwd(), asked, settings)
    world = _world(entry)
    known = {keyword: settings.get(option) for keyword, option in world.settings.items()}
    if world.domains:
        known["domain"] = domain
    return _guarded(entry, lambda: _called(name, world(**known).load, asked))


def names() -> tuple[str, ...]:
    """The goal sets that can be loaded by name, built-in ones first."""
    found: list[str] = []
    for entry in (*BUILT_IN.values(), *dict(sorted(_installed().items())).values()):
        try:
            domains = _world(entry).domains
        except UsageError:  # a broken package: told when somebody asks for it
            domains = ()
        found.extend([f"{entry.name}/{domain}" for domain in domains] or [entry.name])
    return tuple(found)


def _entry(name: str) -> tuple[EntryPoint | None, str]:
    """What offers the world of a goal set, and the domain asked for; None for a file."""
    if name.lower().endswith(FILE_ENDINGS):
        return None, ""
    world, _, domain = name.partition("/")
    entry = BUILT_IN.get(world) or _installed().get(world)
    if entry is not None and bool(domain) == bool(_world(entry).domains):
        return entry, domain
    raise UsageError(
        f"unknown goal set {name!r}: {known_names(name, names())}, or a path to a goal file "
        f"({', '.join(FILE_ENDINGS)})"
    )


def _load_file(
    name: str, folder: Path, asked: dict[str, Any], settings: Mapping[str, str | Path | None]
) -> GoalSet:
    from pytest_todeval.worlds.files.world import FileWorld

    path = folder / Path(name).expanduser()
    if not path.is_file():
        raise UsageError(f"no goal file {path}; relative paths start beside the test file")
    return _called(name, FileWorld(path, settings.get("data")).load, asked)


def _installed() -> dict[str, EntryPoint]:
    """Entry points by name; a name taken twice, or built in, goes to the first, with a warning."""
    found: dict[str, EntryPoint] = {}
    for entry in entry_points(group=GROUP):
        if entry.name in BUILT_IN or entry.name in found:
            message = f"world {entry.name!r} of {_package(entry)} is hidden by one of that name"
            warnings.warn(message, stacklevel=2)
        else:
            found[entry.name] = entry
    return found


def _world(entry: EntryPoint) -> type[World]:
    try:
        found = entry.load()
    except Exception as error:
        raise UsageError(
            f"world {entry.name!r} of {_package(entry)} cannot be loaded from {entry.value}: "
            f"{type(error).__name__}: {error}; update or remove that package"
        ) from error
    if not (isinstance(found, type) and issubclass(found, World)):
        kind = found.__name__ if isinstance(found, type) else type(found).__name__
        raise UsageError(
            f"world {entry.name!r} of {_package(entry)}: {entry.value} is {kind!r}, expected a "
            "subclass of pytest_todeval.World; update or remove that package"
        )
    return found


def _guarded(entry: EntryPoint, loading: Callable[[], Any]) -> GoalSet:
    """What a package loads; its own errors become ones that name the package."""
    try:
        found = loading()
    except TodevalError:
        raise
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        raise UsageError(f"world {entry.name!r} of {_package(entry)}: {what}") from error
    if not isinstance(found, GoalSet):
        raise UsageError(
            f"world {entry.name!r} of {_package(entry)}: its `load` returned "
            f"{type(found).__name__}, expected a GoalSet"
        )
    return found


def _package(entry: EntryPoint) -> str:
    return f"package {entry.dist.name}" if entry.dist else "an installed package"


def _called(name: str, loader: Callable[..., GoalSet], asked: dict[str, Any]) -> GoalSet:
    """Call a loader with the options asked for. Raises UsageError on one that it does not take."""
    parameters = inspect.signature(loader).parameters
    if not any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        for option in asked:
            if option not in parameters:
                hint = known_names(option, parameters) if parameters else "it takes none"
                raise UsageError(f"goal set {name!r} takes no option {option!r}: {hint}")
    return loader(**asked)
