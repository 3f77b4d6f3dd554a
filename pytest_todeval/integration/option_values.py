"""The value of one option: from the command line, else the ini file, checked."""

import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pytest_todeval.errors import UsageError, known_names

START = "todeval_start"
"""What a worker on another machine is told: where pytest was started, from the tests' root."""


TOLD_TO_MODELS = ("policy", "prompts", "examples")
"""Options that name files whose text models get."""
SAID = "todeval_said"
"""What a worker is told: the words of the command line, for those of the ini file are not there."""


def ini_name(name: str) -> str:
    """Returns the ini key of an option."""
    return f"todeval_{name.replace('-', '_')}"


def given_value(config: pytest.Config, name: str) -> str | None:
    """Returns what the command line says of an option."""
    # Before the first conftest.py is read, pytest 8.3 holds the options in a namespace apart.
    early = getattr(config.known_args_namespace, ini_name(name), None)
    value: str | None = config.getoption(ini_name(name), early)
    return value


def text_of(config: pytest.Config, name: str) -> str | None:
    """Returns the value of an option, or None: the command line goes before the ini file."""
    value = given_value(config, name) or config.getini(ini_name(name))
    return str(value) if value else None


def said_by_person(config: pytest.Config, name: str) -> bool:
    """Whether the command line or PYTEST_ADDOPTS says an option, rather than a file of the project.

    The ini file's `addopts` are a file's.
    """
    option, ini = f"--todeval-{name}", f"{ini_name(name)}="
    told = (f"{option}=", ini, f"-o{ini}")
    return any(word == option or word.startswith(told) for word in said_words(config))


def said_words(config: pytest.Config) -> list[str]:
    """What stands on the command line and in PYTEST_ADDOPTS: in a worker, of the controller."""
    told: list[str] | None = getattr(config, "workerinput", {}).get(SAID)
    if told is not None:
        return told
    own = shlex.split(os.environ.get("PYTEST_ADDOPTS", ""))
    return [str(word) for word in (*config.invocation_params.args, *own)]


def start_of(config: pytest.Config) -> Path:
    """Where relative paths of the command line start: on another machine, in the copy there."""
    told: str | None = getattr(config, "workerinput", {}).get(START)
    return config.invocation_params.dir if told is None else config.rootpath / told


def path_of(config: pytest.Config, name: str) -> Path | None:
    """Returns the file or folder that an option names, or None.

    A path given on the command line starts where that was; one in the ini file beside it.
    """
    text = text_of(config, name)
    if text is None:
        return None
    text = os.path.expanduser(text)
    if given_value(config, name) or config.inipath is None:
        place = start_of(config) / text
    else:
        place = config.inipath.parent / text
    if not said_by_person(config, name):
        require_inside(config, name, place)
    return place


def require_inside(config: pytest.Config, name: str, place: Path) -> None:
    """Raises UsageError for a place that a file of the project alone says, outside the project.

    In CI that is refused; elsewhere for what models are told, unless nothing is really asked.
    """
    from pytest_todeval.trust import in_ci, project_of

    replays = (text_of(config, "record") or "replay") == "replay"
    if not in_ci() and (replays or name not in TOLD_TO_MODELS):
        return
    project = project_of(config.rootpath) or config.rootpath
    if not place.resolve().is_relative_to(project.resolve()):
        raise UsageError(
            f"{ini_name(name)}: {place} lies outside the project, and the ini file alone asks for "
            f"it. If you want it read, say it yourself: --todeval-{name}={place}"
        )


def path_text(config: pytest.Config, name: str) -> str | None:
    """Returns the path that an option names, as text."""
    path = path_of(config, name)
    return None if path is None else str(path)


def one_of(config: pytest.Config, name: str, known: tuple[str, ...]) -> str | None:
    """The value of an option that takes only what is known. Raises UsageError for any other."""
    value = text_of(config, name)
    if value is not None and value not in known:
        raise UsageError(f"--todeval-{name}: got {value!r}; {known_names(value, known)}")
    return value


def number_above_0(config: pytest.Config, name: str, unit: str) -> float | None:
    """Returns the number that an option gives. Raises UsageError for one that is not above 0."""
    text = text_of(config, name)
    if text is None:
        return None
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise UsageError(f"--todeval-{name}: got {text!r}, expected {unit}, more than 0")
    return value


def positive_int(config: pytest.Config, name: str) -> int | None:
    """Returns the whole number that an option gives. Raises UsageError for one below 1."""
    text = text_of(config, name)
    if text is None:
        return None
    if not text.isdecimal() or int(text) < 1:
        raise UsageError(f"--todeval-{name}: got {text!r}, expected a whole number from 1 up")
    return int(text)


@contextmanager
def naming_option(option: str) -> Iterator[None]:
    """Says in errors which option has the wrong value."""
    try:
        yield
    except UsageError as error:
        raise UsageError(f"--todeval-{option}: {error}") from None
