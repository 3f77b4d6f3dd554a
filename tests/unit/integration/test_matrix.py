"""What the marker `matrix` says, and what it cannot say."""

from types import SimpleNamespace
from typing import Any

import pytest

from pytest_todeval.errors import UsageError
from pytest_todeval.integration.matrix import matrix_of


class Bot:
    """A bot."""


def make(goal: object) -> object:
    """A user of a goal."""
    return goal


def of(mark: pytest.MarkDecorator) -> Any:
    node: Any = SimpleNamespace(get_closest_marker=lambda name: mark.mark)
    return matrix_of(node)


def test_lists_are_named_by_what_is_in_them() -> None:
    users = ["agenda", "terse", {"user": "clem_todd", "user_model": "qwen"}, make]
    found = of(pytest.mark.matrix(systems=[Bot, make, "http://localhost/chat"], users=users))
    assert list(found.systems) == ["Bot", "make", "http://localhost/chat"]
    assert list(found.users) == ["agenda", "terse", "clem_todd qwen", "make"]
    assert found.users["agenda"].how == {"user": "agenda"}
    assert found.users["terse"].how == {"user": "agenda", "user_style": "terse"}
    assert found.users["make"].make is make


def test_mappings_say_the_names() -> None:
    found = of(pytest.mark.matrix(systems={"ours": Bot}, users={"short": "terse"}))
    assert list(found.systems.items()) == [("ours", Bot)]
    assert found.users["short"].how["user_style"] == "terse"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "got neither systems nor users"),
        ({"systems": []}, "systems: got an empty list"),
        ({"systems": {}}, "systems: got an empty mapping"),
        ({"systems": Bot}, "systems: got <class .*expected a list"),
        ({"systems": {"": Bot}}, "got the name ''"),
        ({"systems": [Bot, Bot]}, "two systems are called 'Bot'"),
        ({"users": ["agenda", "agenda"]}, "two users are called 'agenda'"),
        ({"users": ["agent"]}, "no user 'agent'.*did you mean 'agenda'"),
        ({"users": [{"style": "terse"}]}, "unexpected keyword argument 'style'.*marker `todeval`"),
        ({"users": [{"user": "agent"}]}, "marker matrix: no user 'agent'"),
        ({"users": [3]}, "users: got 3, expected"),
        ({"bots": [Bot]}, "no argument 'bots'.*matrix\\(systems=None, users=None\\)"),
    ],
)
def test_what_nobody_could_play_is_refused(given: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        of(pytest.mark.matrix(**given))


def test_arguments_have_names() -> None:
    with pytest.raises(UsageError, match="without a name"):
        of(pytest.mark.matrix([Bot], ["agenda"]))
