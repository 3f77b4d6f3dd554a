"""Processes that a dialogue starts: their clients find the gateway in the environment."""

import functools
import os
import subprocess
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Self

from pytest_todeval.core.lane import Lane, here

PLACE_OF_ENV = 10
"""Of `env` among the arguments of `subprocess.Popen`."""


class Children:
    """Inside `with`: what `subprocess` starts in a dialogue gets the gateway's variables.

    Not those that the caller set to a value of its own. `variables` gives them for a dialogue.
    """

    _installed: ClassVar[bool] = False
    _open: ClassVar["list[Children]"] = []

    def __init__(self, variables: Callable[[str], Mapping[str, str]]) -> None:
        self._variables = variables

    def __enter__(self) -> Self:
        if not Children._installed:
            Children._installed = True
            _wrap(subprocess.Popen)
        self._open.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        self._open.remove(self)

    @classmethod
    def given(cls, env: Mapping[str, str] | None) -> Mapping[str, str] | None:
        """The environment of a process that the code now running starts with `env`."""
        place = here()
        if not cls._open or place is None or place.lane is not Lane.SYSTEM:
            return env
        own = dict(os.environ if env is None else env)
        for name, value in cls._open[-1]._variables(place.dialogue).items():
            if name not in own or own[name] == os.environ.get(name):
                own[name] = value
        return own


def _wrap(popen: Any) -> None:
    real = popen.__init__

    @functools.wraps(real)
    def start(self: Any, *arguments: Any, **options: Any) -> None:
        if len(arguments) <= PLACE_OF_ENV:
            options["env"] = Children.given(options.get("env"))
        real(self, *arguments, **options)

    popen.__init__ = start
