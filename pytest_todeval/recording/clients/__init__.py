"""Adapters: how the calls of each HTTP client come to the router, and what it answers goes back.

They replace methods, not classes, and do so for good: vcrpy swaps the classes of `http.client` and
swaps them back, for all threads, while it makes a connection, so that calls made meanwhile in other
threads slip through. From vcrpy come the responses of aiohttp.
"""

from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_todeval.recording.router import Router

__all__ = ["install"]


def install(router: "Router") -> None:
    """Give each HTTP client its adapter, those not imported yet when they are."""
    from pytest_todeval.recording.clients import http_client, tornado_client, urllib3_future
    from pytest_todeval.recording.imports import when_imported

    when_imported(
        {
            **http_client.installers(router),
            "httpx": partial(_install_httpx, router, "httpx"),
            "httpx2": partial(_install_httpx, router, "httpx2"),
            "aiohttp": partial(_install_aiohttp, router),
            **tornado_client.installers(router),
            **urllib3_future.installers(router),
        }
    )


def _install_httpx(router: "Router", module: str) -> None:
    from pytest_todeval.recording.clients import httpx_clients

    httpx_clients.install(router, module)


def _install_aiohttp(router: "Router") -> None:
    from pytest_todeval.recording.clients import aiohttp_client

    aiohttp_client.install(router)
