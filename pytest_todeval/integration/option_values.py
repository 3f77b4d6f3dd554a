"""The value of one option: from the command line, else the ini file, checked."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pytest_todeval.errors import UsageError, known_names

START = "todeval_start"
"""What a worker on another machine is told: where pytest was started, from the tests' root."""


def ini_name(name: str) -> str:
    """The ini key of an option."""
    return f"todeval_{name.replace('-', '_')}"


def given_value(config: pytest.Config, name: str) -> str | None:
    """What the command line says of an option."""
    # Before the first conftest.py is read, pytest 8.3 holds the options in a namespace apart.
    early = getattr(config.known_args_namespace, ini_name(name), None)
    value: str | None = config.getoption(ini_name(name), early)
    return value


def text_of(config: pytest.Config, name: str) -> str | None:
    """The value of an option, or None: the command line goes before the ini file."""
    value = given_value(config, name) or config.getini(ini_name(name))
    return str(value) if value else None


def start_of(config: pytest.Config) -> Path:
    """Where relative paths of the command line start: on another machine, in the copy there."""
    told: str | None = getattr(config, "workerinput", {}).get(START)
    return config.invocation_params.dir if told is None else config.rootpath / told


def path_of(config: pytest.Config, name: str) -> Path | None:
    """The file or folder that an option names, or None.

    A path given on the command line starts where that was; one in the ini file beside it.
    """
    text = text_of(config, name)
    if text is None:
        return None
    text = os.path.expanduser(text)
    if given_value(config, name) or config.inipath is None:
        return start_of(config) / text
    return config.inipath.parent / text


def path_text(config: pytest.Config, name: str) -> str | None:
    """The path that an option names, as text."""
    path = path_of(config, name)
    return None if path is None else str(path)


def one_of(config: pytest.Config, name: str, known: tuple[str, ...]) -> str | None:
    """The value of an option that takes only what is known. Raises UsageError for any other."""
    value = text_of(config, name)
    if value is not None and value not in known:
        raise UsageError(f"--todeval-{name}: got {value!r}; {known_names(value, known)}")
    return value


def number_above_0(config: pytest.Config, name: str, unit: str) -> float | None:
    """The number that an option gives. Raises UsageError for one that is not above 0."""
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
    """The whole number that an option gives. Raises UsageError for one below 1."""
    text = text_of(config, name)
    if text is None:
        return None
    if not text.isdecimal() or int(text) < 1:
        raise UsageError(f"--todeval-{name}: got {text!r}, expected a whole number from 1 up")
    return int(text)


@contextmanager
def naming_option(option: str) -> Iterator[None]:
    """Say in errors which option has the wrong value."""
    try:
        yield
    except UsageError as error:
        raise UsageError(f"--todeval-{option}: {error}") from None
