"""uvloop's connections are looked at, too. It may not be installed: here its loop is a class."""

import asyncio
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_todeval.recording.jail import guards


class Loop:
    """The part of uvloop's that connects."""

    async def create_connection(
        self, factory: Any, host: Any = None, port: Any = None, **_: Any
    ) -> str:
        return "connected"


def test_each_connection_is_checked_unless_a_socket_is_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    checked: list[tuple[Any, ...]] = []
    uvloop: Any = SimpleNamespace(Loop=Loop)
    router: Any = SimpleNamespace(idle=False, check=lambda *asked: checked.append(asked))
    monkeypatch.setitem(sys.modules, "uvloop", uvloop)
    monkeypatch.setattr(Loop, "create_connection", Loop.create_connection)
    guards._guard_uvloop(router)

    def connect(*arguments: Any, **options: Any) -> None:
        assert asyncio.run(Loop().create_connection(None, *arguments, **options)) == "connected"

    connect("shop.example", 80)
    connect(host="::1", port=81)
    connect("shop.example", port=82)
    connect(sock=object())
    router.idle = True
    connect("shop.example", 83)
    what = "uvloop was to connect to"
    assert checked == [(what, "shop.example", 80), (what, "::1", 81), (what, "shop.example", 82)]
