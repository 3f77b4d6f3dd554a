"""tornado: through vcrpy's stub, which needs a cassette to ask."""

import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

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
    client.fetch_impl = vcr_fetch_impl(RoutedCassette(router), client.fetch_impl)
