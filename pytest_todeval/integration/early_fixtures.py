"""The fixtures of a test that has not begun: those its dialogue needs, made before pytest would.

A dialogue can be played ahead of its test if each of its fixtures is the plugin's own, is set up
already (session, module, ... scope), or is a plain function of such fixtures. One that is torn down
again (`yield`), patches, or looks at the running test belongs to its own test: that plays alone.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

import pytest

from pytest_todeval.integration.case import parameters_of
from pytest_todeval.integration.plain_errors import plain_errors

OURS = "pytest_todeval.plugin"
HARMLESS = frozenset(
    {"request", "tmp_path", "cache", "subtests", "record_property", "record_xml_attribute"}
)
"""pytest's own fixtures that change nothing another dialogue could notice."""
NEEDED = (
    *("user_simulator", "tod_system", "backend", "todeval_tape", "todeval_session", "after_turn"),
)
"""What a dialogue is played with."""
OUTER = ("module", "class", "package")
"""Scopes between a test and its run: what is set up there ends with its module, class or folder."""


class PlaysAlone(Exception):
    """Why a test's dialogue cannot be played while others are."""


def why_alone(item: pytest.Item, servers: bool) -> str:
    """Says why a test has to be by itself while it is set up and plays; empty if it need not be.

    `servers`: whether bots in other processes name the dialogue in each call, so that several may
    wait for them at once.
    """
    names = getattr(item, "fixturenames", ())
    if "dialogue" not in names:
        return "no dialogue"
    if any(item.iter_markers("skip")) or any(item.iter_markers("skipif")):
        return "skip or skipif"
    for name in names:
        for definition in definitions(item, name):
            if why := _why_by_itself(definition, name):
                return why
        if name in ("todeval_gateway", "todeval_server") and not servers:
            return f"{name}: its calls may not say which dialogue they belong to"
    return ""


def _why_by_itself(definition: Any, name: str) -> str:
    if definition.scope != "function" or definition.func.__module__ == OURS:
        return ""
    if definition.func.__module__.startswith("_pytest."):
        known = name in HARMLESS or _is_parameter(definition)
        return "" if known else f"the fixture {name}"
    if inspect.isgeneratorfunction(definition.func) or inspect.isasyncgenfunction(definition.func):
        return f"the fixture {name} (it has a `yield`)"
    asks = set(inspect.signature(definition.func).parameters) & {"request", "self"}
    return f"the fixture {name} (it asks for `{min(asks)}`)" if asks else ""


def _is_parameter(definition: Any) -> bool:
    return bool(definition.func.__name__ == "get_direct_param_fixture_func")


def definitions(item: pytest.Item, name: str) -> Sequence[Any]:
    """Returns all definitions of a fixture that a test sees, the one it gets last."""
    # The only way to ask pytest which definition of a fixture a test would get.
    return item.session._fixturemanager.getfixturedefs(name, item) or ()


class EarlyFixtures:
    """The values of what a dialogue needs, each made once."""

    def __init__(self, item: pytest.Item, running: pytest.Item) -> None:
        """`running` is the test that pytest runs now: what it has set up can be used."""
        self._item, self._running = item, running
        self.ends = ExitStack()
        """Ends what was begun for them."""
        self.made: dict[str, Any] = {}
        self._ours: Mapping[str, Callable[[], Any]] = {
            "goal": self._goal,
            "backend": lambda: self._play().backend(),
            "todeval_user": lambda: parameters_of(item).get("todeval_user"),
            "user_simulator": self._user,
            "todeval_session": self._session,
            "todeval_tape": self._tape,
            "todeval_cassette": lambda: self.of("todeval_tape"),
            "todeval_now": lambda: self.of("todeval_tape").now,
            "todeval_seed": lambda: self.of("todeval_tape").seed,
            "after_turn": lambda: None,
        }

    def make(self) -> None:
        """Makes all that the dialogue needs. Raises PlaysAlone, and what the fixtures raise."""
        for name in NEEDED:
            self.of(name)

    def of(self, name: str) -> Any:
        """Returns the value of a fixture."""
        if name not in self.made:
            self.made[name] = self._at(name, len(definitions(self._item, name)) - 1)
        return self.made[name]

    def _at(self, name: str, level: int) -> Any:
        """The value that a definition gives: one that overrides may ask for the one below it."""
        known = definitions(self._item, name)
        if level < 0:
            raise PlaysAlone(f"the fixture {name}")
        definition = known[level]
        if definition.func.__module__ == OURS and definition.scope == "function":
            if name not in self._ours:
                raise PlaysAlone(f"the fixture {name}")
            return self._ours[name]()
        if _is_parameter(definition):
            return parameters_of(self._item)[name]
        if definition.scope != "function":
            return self._set_up(definition, name)
        if why := _why_by_itself(definition, name):
            raise PlaysAlone(why)
        wanted = inspect.signature(definition.func).parameters
        given = {
            each: self._at(name, level - 1) if each == name else self.of(each) for each in wanted
        }
        return definition.func(**given)

    def _set_up(self, definition: Any, name: str) -> Any:
        """The value of a fixture of an outer scope, if it is the one that this test will get."""
        held = definition.cached_result
        same = parameters_of(self._item).get(name) is parameters_of(self._running).get(name)
        here = definition.scope not in OUTER or _place(self._item) == _place(self._running)
        if held is None or held[2] is not None or not (same and here):
            raise PlaysAlone(f"the fixture {name} is not set up yet")
        return held[0]

    def _play(self) -> Any:
        from pytest_todeval.integration.resolving import play_of

        return play_of(self._item, self.of("goal"))

    def _goal(self) -> Any:
        from pytest_todeval.integration.resolving import goal_of

        return goal_of(self._item)

    def _user(self) -> Any:
        from pytest_todeval.integration.playing import make_user

        user = self.of("todeval_user")
        if user is not None and user.make is not None:
            return user.make(self.of("goal"))
        return make_user(self._play(), self.of)

    def _session(self) -> Any:
        from pytest_todeval.simulation.session import BotSession

        return BotSession(self.of("goal"), self._play().trial)

    def _tape(self) -> Any:
        from pytest_todeval.integration.recording import opened

        with plain_errors():
            tape = opened(self._item, self.of("goal"), self.of("todeval_session"))
            return self.ends.enter_context(tape)


def _place(item: pytest.Item) -> tuple[object, ...]:
    return (item.path, item.getparent(pytest.Class))
