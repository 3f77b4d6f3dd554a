"""Adapters: how the calls of each HTTP client come to the router, and what it answers goes back.

They replace methods, not classes, and do so for good: vcrpy swaps the classes of `http.client` and
swaps them back, for all threads, while it makes a connection, so that calls made meanwhile in other
threads slip through. From vcrpy come the responses of aiohttp.
"""

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_todeval.recording.router import Router

__all__ = ["install"]


def install(router: "Router") -> None:
    """Gives each HTTP client its adapter, those not imported yet when they are."""
    from pytest_todeval.recording.clients import http_client, tornado_client, urllib3_future
    from pytest_todeval.recording.imports import when_imported

    when_imported(
        {
            **http_client.installers(router),
            "httpx": partial(_install, "httpx_clients", router, "httpx"),
            "httpx2": partial(_install, "httpx_clients", router, "httpx2"),
            "aiohttp": partial(_install, "aiohttp_client", router),
            **tornado_client.installers(router),
            **urllib3_future.installers(router),
        }
    )


def _install(adapter: str, router: "Router", *module: str) -> None:
    """The adapter's own module imports the client, and is imported no earlier."""
    import_module(f"{__name__}.{adapter}").install(router, *module)
