"""The user's tau2, imported in private: a bot under test may use another, or the same."""

import importlib
import logging
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from types import ModuleType

from pytest_todeval.errors import DataMissing, UsageError
from pytest_todeval.goals.homes import installed

OLDEST = (3, 12)
"""tau2 declares `requires-python >= 3.12`."""
IMPORTING = Lock()
QUIET = logging.getLogger("pytest_todeval.tau2")
QUIET.addHandler(logging.NullHandler())  # else Python shows warnings on stderr if none is set


def source_of(home: Path) -> Path:
    """Returns the folder of the package `tau2`: in the checkout, else if it is installed.

    Raises DataMissing if neither has tau2's domains (another project of that name has none).
    """
    for place in (home / "src" / "tau2", *installed("tau2")):
        if (place / "domains").is_dir():
            return place
    raise DataMissing(
        f"{home} holds tau2's data but not its tools (no folder src/tau2/domains), and no "
        "installed package `tau2` has them. Get them with:\n"
        "  git clone https://github.com/sierra-research/tau2-bench"
    )


def import_in_private(home: Path, names: tuple[str, ...]) -> dict[str, ModuleType]:
    """Imports modules of tau2 and leave `sys.modules` and `os.environ` as they were.

    The package's own `__init__`, which brings litellm and takes seconds, does not run; nor does
    what it reads from a `.env` file stay. What it warns of and logs meanwhile is dropped; what it
    logs later goes to the standard logger `pytest_todeval.tau2` instead of stderr.

    Raises UsageError on a Python that is too old, DataMissing if something is not installed or
    the checkout's code cannot be run.
    """
    if sys.version_info < OLDEST:
        need, have = (".".join(map(str, v[:2])) for v in (OLDEST, sys.version_info))
        raise UsageError(
            f"tau2's tools need Python {need} or newer; this is Python {have}. Its tasks can be "
            f"read here, but to run them, run pytest with Python {need}"
        )
    package = ModuleType("tau2")
    package.__path__ = [str(source_of(home))]
    # litellm, which scoring brings, else fetches a list of prices as soon as it is imported
    at_import = {"TAU2_DATA_DIR": str(home / "data"), "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    quiet = warnings.catch_warnings(action="ignore")  # a test run may make errors of them
    with IMPORTING, quiet, _own_modules(package), _environment(**at_import), _hushed():
        try:
            modules = {name: importlib.import_module(name) for name in names}
        except ImportError as error:
            if _is_tau2(error.name or ""):
                raise not_whole(home, str(error)) from error
            raise DataMissing(
                f"tau2 in {home} cannot be imported: {error}. Install what it needs with:\n"
                f"  pip install -e {home}"
            ) from error
        except Exception as error:  # it is the checkout's code that runs here
            raise not_whole(home, f"{type(error).__name__}: {error}") from error
        _to_standard_log(modules for name, modules in sys.modules.items() if _is_tau2(name))
    return modules


def not_whole(home: Path, why: str) -> DataMissing:
    """Returns the error for a checkout whose code cannot be used."""
    return DataMissing(
        f"tau2 in {home} cannot be imported: {why}. The checkout is incomplete, or not laid "
        "out as tau2 1.0 is; get it with:\n"
        "  git clone https://github.com/sierra-research/tau2-bench"
    )


def _is_tau2(name: str) -> bool:
    return name == "tau2" or name.startswith("tau2.")


def _to_standard_log(modules: Iterator[ModuleType]) -> None:
    for module in modules:
        if "logger" in vars(module):
            vars(module)["logger"] = QUIET


@contextmanager
def _own_modules(package: ModuleType) -> Iterator[None]:
    theirs = {name: sys.modules.pop(name) for name in list(sys.modules) if _is_tau2(name)}
    sys.modules["tau2"] = package
    try:
        yield
    finally:
        for name in [name for name in sys.modules if _is_tau2(name)]:
            del sys.modules[name]
        sys.modules.update(theirs)


@contextmanager
def _hushed() -> Iterator[None]:
    """tau2 logs where its data are while it is imported, before its loggers can be replaced."""
    try:
        log = importlib.import_module("loguru").logger
    except ImportError:  # tau2 needs it, and says so
        yield
        return
    log.disable("tau2")
    try:
        yield
    finally:
        log.enable("tau2")


@contextmanager
def _environment(**variables: str) -> Iterator[None]:
    before = dict(os.environ)
    os.environ.update(variables)
    try:
        yield
    finally:
        for name in os.environ.keys() - before.keys():
            del os.environ[name]
        os.environ.update(before)
