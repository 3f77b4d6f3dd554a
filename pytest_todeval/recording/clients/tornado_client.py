"""tornado: through vcrpy's stub, which needs a cassette to ask."""

import functools
import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from pytest_todeval.recording.transport import calling

if TYPE_CHECKING:
    from pytest_todeval.recording.router import Router

__all__ = ["installers"]

CLIENTS = {
    "tornado.simple_httpclient": "SimpleAsyncHTTPClient",
    "tornado.curl_httpclient": "CurlAsyncHTTPClient",
}


def installers(router: "Router") -> Mapping[str, Callable[[], None]]:
    """By module, what gives tornado's clients their adapter once it is imported."""
    return {module: partial(_install, router, module) for module in CLIENTS}


def _install(router: "Router", module: str) -> None:
    from vcr.stubs.tornado_stubs import vcr_fetch_impl  # type: ignore[import-untyped]

    from pytest_todeval.recording.cassette import RoutedCassette

    client = getattr(sys.modules[module], CLIENTS[module])
    client.fetch_impl = vcr_fetch_impl(RoutedCassette(router), _calling(client.fetch_impl))


def _calling(real: Callable[..., None]) -> Callable[..., None]:
    """The stub calls it for a call that is recorded, or that may be made in any mode."""

    @functools.wraps(real)
    def fetch_impl(client: Any, request: Any, callback: Any) -> None:
        with calling():
            real(client, request, callback)

    return fetch_impl
