"""Worlds by name: the built-in ones, those of installed packages, and files of one's own.

A package offers a world through an entry point in the group `pytest_todeval.worlds`: its name is
the world's, its object a subclass of `World`.
"""

import inspect
from collections import Counter
from collections.abc import Callable, Mapping
from importlib.metadata import EntryPoint
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pytest_todeval.core.goal import Goal
from pytest_todeval.errors import TodevalError, UsageError, known_names
from pytest_todeval.extensions import ExtensionPoint
from pytest_todeval.goals.made_up.asked import MadeUp
from pytest_todeval.worlds.goal_set import GoalSet
from pytest_todeval.worlds.world import World

WORLDS: ExtensionPoint[type[World]] = ExtensionPoint(
    group="pytest_todeval.worlds",
    noun="world",
    expected="a subclass of pytest_todeval.World",
    accepts=lambda found: isinstance(found, type) and issubclass(found, World),
)
FILE_ENDINGS = (".yaml", ".yml", ".json")
BUILT_IN = {
    name: EntryPoint(name, f"pytest_todeval.worlds.{name}.world:{world}", WORLDS.group)
    for name, world in (
        ("multiwoz", "MultiwozWorld"),
        ("demo", "DemoWorld"),
        ("tau_bench", "TauBenchWorld"),
        ("tau2", "Tau2World"),
    )
}


def load(
    source: str | Path | MadeUp,
    *,
    split: str | None = None,
    settings: Mapping[str, str | Path | None] = MappingProxyType({}),
    beside: Path | None = None,
    **options: Any,
) -> GoalSet:
    """Loads a goal set by name (`demo`, `tau2/retail`), or a goal file (`.yaml`, `.yml`, `.json`);
    or make goals up over one (`synthetic("demo", 50)`).

    `split` and `options` are the world's own, see its `load`; `settings` are the run's options by
    name (`data`, `tau-home`, ...), of which a world takes what it needs; `beside` is the folder
    that a file's relative path starts from (default: the working directory).

    Raises UsageError on an unknown goal set, file, split or option, and if a package's world is
    broken; DataMissing, and InvalidFile.
    """
    if isinstance(source, MadeUp):
        from pytest_todeval.worlds.made_up import made_up

        base = load(source.source, split=split, settings=settings, beside=beside, **options)
        return made_up(source, base)
    name = str(source)
    asked = {key: value for key, value in {"split": split, **options}.items() if value is not None}
    entry, domain = _entry(name)
    if entry is None:
        return _load_file(name, beside or Path.cwd(), asked, settings)
    kind = WORLDS.load(entry)
    known = {keyword: settings.get(option) for keyword, option in kind.settings.items()}
    if kind.domains:
        known["domain"] = domain
    world = _guarded(entry, f"{kind.__name__}({', '.join(known)})", lambda: kind(**known))
    _check_options(name, world.load, asked)
    found = _guarded(entry, f"{kind.__name__}.load", lambda: world.load(**asked))
    return _sound(entry, name, kind.__name__, found)


def names() -> tuple[str, ...]:
    """Returns the goal sets that can be loaded by name, built-in ones first."""
    found: list[str] = []
    for entry in (*BUILT_IN.values(), *WORLDS.offers(BUILT_IN).values()):
        try:
            domains = WORLDS.load(entry).domains
        except UsageError:  # a broken package: told when somebody asks for it
            domains = ()
        found.extend([f"{entry.name}/{domain}" for domain in domains] or [entry.name])
    return tuple(found)


def _entry(name: str) -> tuple[EntryPoint | None, str]:
    """Returns what offers the world of a goal set, and the domain asked for; None for a file."""
    if name.lower().endswith(FILE_ENDINGS):
        return None, ""
    world, _, domain = name.partition("/")
    entry = BUILT_IN.get(world) or WORLDS.offers(BUILT_IN).get(world)
    if entry is not None and bool(domain) == bool(WORLDS.load(entry).domains):
        return entry, domain
    raise UsageError(
        f"unknown goal set {name!r}: {known_names(name, names())}, or a path to a goal file "
        f"({', '.join(FILE_ENDINGS)}); a set of another package is known once that is installed"
    )


def _load_file(
    name: str,
    folder: Path,
    asked: dict[str, Any],
    settings: Mapping[str, str | Path | None],
) -> GoalSet:
    from pytest_todeval.worlds.files.world import FileWorld

    path = folder / Path(name).expanduser()
    if not path.is_file():
        raise UsageError(f"no goal file {path}; relative paths start beside the test file")
    world = FileWorld(path, settings.get("data"))
    _check_options(name, world.load, asked)
    return world.load(**asked)


def _check_options(name: str, loader: Callable[..., GoalSet], asked: Mapping[str, Any]) -> None:
    """Raises UsageError if the loader does not take one of the options asked for."""
    parameters = inspect.signature(loader).parameters
    if any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        return
    for option in asked:
        if option not in parameters:
            hint = known_names(option, parameters) if parameters else "it takes none"
            raise UsageError(f"goal set {name!r} takes no option {option!r}: {hint}")


def _guarded(entry: EntryPoint, what: str, call: Callable[[], Any]) -> Any:
    """What a package's code returns. Raises UsageError, which names the package, if it raises."""
    try:
        return call()
    except TodevalError:
        raise
    except Exception as error:
        from pytest_todeval.simulation.faults import raised_line

        told = f"{what} raised {raised_line(error)}; correct it there, or update that package"
        raise WORLDS.broken(entry, told) from error


def _sound(entry: EntryPoint, name: str, kind: str, found: object) -> GoalSet:
    """Returns what a world loaded, if tests can be made of it. Raises UsageError if not."""
    if not isinstance(found, GoalSet):
        told = f"returned {type(found).__name__}, expected a pytest_todeval.GoalSet"
    elif found.name != name:
        told = f"returned the goal set {found.name!r}, expected the name {name!r}"
    elif not isinstance(found.world, World):
        told = f"returned a goal set whose `world` is {found.world!r:.60}, expected `self`"
    elif wrong := _wrong_with(found.goals, name):
        told = wrong
    else:
        return found
    raise WORLDS.broken(entry, f"{kind}.load {told}; correct it there, or update that package")


def _wrong_with(goals: tuple[Goal, ...], name: str) -> str:
    """Returns what a world's goals lack, if anything."""
    if not goals:
        return "returned no goal, expected at least one"
    for at, goal in enumerate(goals):
        if not isinstance(goal, Goal):
            return f"returned {type(goal).__name__} as goal {at}, expected a pytest_todeval.Goal"
        if not goal.id:
            return f"returned goal {at} without an id"
        if goal.source != name:
            told = f"goal {at} ({goal.id!r}) has the source {goal.source!r}"
            return f"returned goals of another set: {told}, expected {name!r}"
    repeated = [id for id, count in Counter(goal.id for goal in goals).items() if count > 1]
    if repeated:
        places = [str(at) for at, goal in enumerate(goals) if goal.id == repeated[0]]
        both = " and ".join(places[:2])
        return f"returned goals {both} with one id, {repeated[0]!r}: ids are unique"
    return ""
