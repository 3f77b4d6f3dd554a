"""Adapters: how the calls of each HTTP client come to the router, and what it answers goes back.

They replace methods, not classes, and do so for good: vcrpy swaps the classes of `http.client` and
swaps them back, for all threads, while it makes a connection, so that calls made meanwhile in other
threads slip through. From vcrpy come the responses of aiohttp and all of tornado.
"""

from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_todeval.recording.router import Router

__all__ = ["install"]


def install(router: "Router") -> None:
    """Give each HTTP client on this machine its adapter."""
    from pytest_todeval.recording.clients import http_client

    http_client.install(router)
    for module in ("httpx", "httpx2"):
        if find_spec(module):
            from pytest_todeval.recording.clients import httpx_clients

            httpx_clients.install(router, module)
    if find_spec("aiohttp"):
        from pytest_todeval.recording.clients import aiohttp_client

        aiohttp_client.install(router)
    if find_spec("tornado"):
        from pytest_todeval.recording.clients import tornado_client

        tornado_client.install(router)
