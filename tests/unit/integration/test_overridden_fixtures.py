"""Fixtures that a conftest.py overrides: what a test asks for by way of the overridden one."""

from types import SimpleNamespace
from typing import Any

import pytest

from pytest_todeval.integration.collection import _follow_overrides

PLUGIN = {"dialogue": ["request", "goal", "tape"], "tape": ["request", "goal"], "goal": []}


@pytest.mark.parametrize(
    ("own", "asked", "followed"),
    [
        ({"dialogue": ["request", "dialogue"]}, ["request"], ["goal", "tape"]),
        (
            {"dialogue": ["dialogue"], "tape": ["tape", "disk"]},
            [],
            ["request", "goal", "tape", "disk"],
        ),
        ({"dialogue": ["goal"]}, ["goal"], []),
        ({"backend": []}, ["request", "goal", "tape"], []),
    ],
    ids=["asks-for-it", "twice", "replaces-it", "another"],
)
def test_what_overridden_fixtures_ask_for(
    own: dict[str, list[str]], asked: list[str], followed: list[str]
) -> None:
    """`asked`: what pytest before 9 finds by itself."""

    def definitions(name: str, node: Any) -> list[Any]:
        found = [each[name] for each in (PLUGIN, own) if name in each]
        return [SimpleNamespace(argnames=names) for names in found]

    manager = SimpleNamespace(getfixturedefs=definitions)
    node: Any = SimpleNamespace(session=SimpleNamespace(_fixturemanager=manager))
    names = ["dialogue", *asked]
    _follow_overrides(node, names)
    assert names == ["dialogue", *asked, *followed]
