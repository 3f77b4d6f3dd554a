"""tornado: through vcrpy's stub, which needs a cassette to ask."""

import importlib
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_todeval.recording.router import Router

__all__ = ["install"]

CLIENTS = (
    ("tornado.simple_httpclient", "SimpleAsyncHTTPClient", ""),
    ("tornado.curl_httpclient", "CurlAsyncHTTPClient", "pycurl"),
)


def install(router: "Router") -> None:
    """Give tornado's clients their adapter."""
    from vcr.stubs.tornado_stubs import vcr_fetch_impl  # type: ignore[import-untyped]

    from pytest_todeval.recording.cassette import RoutedCassette

    for module, name, needs in CLIENTS:
        if not needs or find_spec(needs):
            client = getattr(importlib.import_module(module), name)
            client.fetch_impl = vcr_fetch_impl(RoutedCassette(router), client.fetch_impl)
