"""Goal sets by name: the built-in ones, those of installed packages, and files of one's own.

A package offers a goal set through an entry point in the group `pytest_todeval.goals`: its name is
the goal set's, its object a callable that takes keyword options (`split`, `data` where it has a
use for them, and any of its own) and returns a `GoalSet`.
"""

import inspect
import warnings
from collections.abc import Callable, Mapping
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pytest_todeval.errors import TodevalError, UsageError, known_names
from pytest_todeval.goals.goal_set import GoalSet
from pytest_todeval.goals.multiwoz import load_goal_set
from pytest_todeval.goals.store import DEMO, find_multiwoz
from pytest_todeval.goals.tau_homes import find_tau2, find_tau_bench

__all__ = ["GROUP", "GoalSet", "load", "names"]

GROUP = "pytest_todeval.goals"
FILE_ENDINGS = (".yaml", ".yml", ".json")

Loader = Callable[..., GoalSet]
Homes = Mapping[str, str | Path | None]
"""`tau_bench` and `tau2`, each with its folder; left out or None where it is to be found."""


def load(
    source: str | Path,
    *,
    split: str | None = None,
    data: str | Path | None = None,
    beside: Path | None = None,
    homes: Homes | None = None,
    **options: Any,
) -> GoalSet:
    """Load a goal set by name, or a goal file (`.yaml`, `.yml`, `.json`).

    `split` is the goal set's own (`multiwoz` and `demo`: `test`, the default, `val`, `train`);
    `data` the place of downloaded data, for goal sets that need it; `beside` the folder that a
    file's relative path starts from (default: the working directory); `homes` says where the
    checkouts or installations of `tau_bench` and `tau2` are (default: see `goals.tau_homes`).
    Raises UsageError on an unknown goal set, file, split or option, DataMissing, and InvalidFile.
    """
    given = {"split": split, **options}
    name = str(source)
    loader = _loader(name, beside or Path.cwd())
    asked = {option: value for option, value in given.items() if value is not None}
    return loader(**_accepted(name, loader, asked, {"data": data, "homes": homes or {}}))


def names() -> tuple[str, ...]:
    """The goal sets that can be loaded by name, built-in ones first."""
    return (*BUILT_IN, *sorted(set(_installed()) - set(BUILT_IN)))


def _multiwoz(split: str = "test", data: str | Path | None = None) -> GoalSet:
    return load_goal_set(find_multiwoz(data), split)


def _demo(split: str = "test") -> GoalSet:
    return load_goal_set(DEMO, split, source="demo")


def _service_desk() -> GoalSet:
    from pytest_todeval.goals.service_desk import load_service_desk

    return load_service_desk()


def _tau_bench(domain: str) -> Loader:
    def load_tasks(split: str = "test", homes: Homes = MappingProxyType({})) -> GoalSet:
        from pytest_todeval.goals.tau_bench import load_tau_bench_tasks

        return load_tau_bench_tasks(find_tau_bench(homes.get("tau_bench")), domain, split)

    return load_tasks


def _tau2(domain: str) -> Loader:
    def load_tasks(split: str = "base", homes: Homes = MappingProxyType({})) -> GoalSet:
        from pytest_todeval.goals.tau2 import load_tau2_tasks

        return load_tau2_tasks(find_tau2(homes.get("tau2")), domain, split)

    return load_tasks


FAMILIES: dict[str, tuple[Callable[[str], Loader], tuple[str, ...]]] = {
    "tau_bench": (_tau_bench, ("retail", "airline")),
    "tau2": (_tau2, ("airline", "retail", "telecom", "mock", "banking_knowledge")),
}
"""`FAMILY/DOMAIN`: what loads any domain of a checkout, and the published ones."""

BUILT_IN: dict[str, Loader] = {
    "multiwoz": _multiwoz,
    "demo": _demo,
    "service_desk": _service_desk,
    **{f"{name}/{d}": of(d) for name, (of, domains) in FAMILIES.items() for d in domains},
}


def _loader(name: str, folder: Path) -> Loader:
    if name in BUILT_IN:
        return BUILT_IN[name]
    installed = _installed()
    if name in installed:
        return _load_entry(installed[name])
    family, _, domain = name.partition("/")
    if family in FAMILIES and domain and not name.lower().endswith(FILE_ENDINGS):
        return FAMILIES[family][0](domain)
    if name.lower().endswith(FILE_ENDINGS):
        return _file_loader(folder / Path(name).expanduser())
    raise UsageError(
        f"unknown goal set {name!r}: {known_names(name, names())}, or a path to a goal file "
        f"({', '.join(FILE_ENDINGS)})"
    )


def _file_loader(path: Path) -> Loader:
    if not path.is_file():
        raise UsageError(f"no goal file {path}; relative paths start beside the test file")

    def load_file(data: str | Path | None = None) -> GoalSet:
        from pytest_todeval.goals.files import load_goal_file

        return load_goal_file(path, data=data)

    return load_file


def _installed() -> dict[str, EntryPoint]:
    """Entry points by name; a name taken twice, or built in, goes to the first, with a warning."""
    found: dict[str, EntryPoint] = {}
    for entry in entry_points(group=GROUP):
        if entry.name in BUILT_IN or entry.name in found:
            message = f"goal set {entry.name!r} of {_package(entry)} is hidden by one of that name"
            warnings.warn(message, stacklevel=2)
        else:
            found[entry.name] = entry
    return found


def _load_entry(entry: EntryPoint) -> Loader:
    try:
        loader = entry.load()
        if not callable(loader):
            raise TypeError(f"it is a {type(loader).__name__}, expected a callable")
    except Exception as error:
        raise UsageError(
            f"goal set {entry.name!r} of {_package(entry)} cannot be loaded from {entry.value}: "
            f"{type(error).__name__}: {error}; update or remove that package"
        ) from error
    return _guarded(entry, loader)


def _guarded(entry: EntryPoint, loader: Loader) -> Loader:
    """The loader of a package, whose own errors become ones that name the package."""

    def guarded(**options: Any) -> GoalSet:
        try:
            found = loader(**options)
        except TodevalError:
            raise
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
            raise UsageError(f"goal set {entry.name!r} of {_package(entry)}: {what}") from error
        if not isinstance(found, GoalSet):
            raise UsageError(
                f"goal set {entry.name!r} of {_package(entry)}: got {type(found).__name__}, "
                "expected its loader to return a GoalSet"
            )
        return found

    guarded.__wrapped__ = loader  # type: ignore[attr-defined]  # for its signature
    return guarded


def _package(entry: EntryPoint) -> str:
    return f"package {entry.dist.name}" if entry.dist else "an installed package"


def _accepted(
    name: str, loader: Loader, asked: dict[str, Any], settings: dict[str, Any]
) -> dict[str, Any]:
    """The options to call a loader with. `settings` are the run's: left out where unused."""
    parameters = inspect.signature(loader).parameters
    if any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        return {**asked, "data": settings["data"]}
    known = [parameter for parameter in parameters if parameter not in settings]
    for option in asked:
        if option not in known:
            raise UsageError(
                f"goal set {name!r} takes no option {option!r}: {known_names(option, known)}"
            )
    return {**asked, **{k: value for k, value in settings.items() if k in parameters}}
