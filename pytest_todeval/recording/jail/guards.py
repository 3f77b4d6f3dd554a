"""Without the kernel: what is known to connect past Python's sockets asks the router, too.

Processes cannot be held back this way; those that a dialogue starts are named in the summary.
"""

import functools
import os
import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pytest_todeval.core.lane import here
from pytest_todeval.recording.address import DEFAULT_PORTS
from pytest_todeval.recording.imports import when_imported

if TYPE_CHECKING:
    from pytest_todeval.recording.router import Router

PROCESSES = frozenset({"subprocess.Popen", "os.posix_spawn", "os.system", "os.exec", "os.fork"})
CONNECTS = frozenset({"connect", "sendto", "sendmsg"})
_INSTALLED: list["Router"] = []


def install(router: "Router") -> None:
    """Once for each process."""
    if _INSTALLED:
        return
    _INSTALLED.append(router)
    sys.addaudithook(partial(_audited, router))
    when_imported(
        {
            "pycurl": partial(_guard_pycurl, router),
            "curl_cffi.curl": partial(_guard_curl_cffi, router),
            "curl_cffi.aio": partial(_guard_curl_cffi_async, router),
            "grpc._channel": partial(_guard_grpc, router, "grpc._channel"),
            "grpc.aio._channel": partial(_guard_grpc, router, "grpc.aio._channel"),
            "uvloop": partial(_guard_uvloop, router),
        }
    )


def _audited(router: "Router", event: str, arguments: tuple[Any, ...]) -> None:
    if router.idle or here() is None:
        return
    if event == "ctypes.dlsym" and arguments[1] in CONNECTS:
        router.watch.started(f"{arguments[1]}(), called by ctypes")
    if event not in PROCESSES:
        return
    program = arguments[0] if arguments and event != "os.fork" else "a copy of this process"
    router.watch.started(os.fsdecode(program) if isinstance(program, bytes) else str(program))


def _asking(
    router: "Router", client: str, real: Callable[..., Any], url_of: Callable[..., str]
) -> Callable[..., Any]:
    """`real`, once the router let it."""

    @functools.wraps(real)
    def guarded(*arguments: Any, **options: Any) -> Any:
        if not router.idle:
            router.check(f"{client} was to call", *_address(url_of(*arguments, **options)))
        return real(*arguments, **options)

    return guarded


def _address(url: str) -> tuple[str, int | None]:
    """Of what can be read of a URL or of gRPC's `dns:///host:port`."""
    rest = url.removeprefix("dns:").lstrip("/") if url.startswith("dns:") else url
    try:
        parts = urlsplit(rest if "://" in rest else f"//{rest}")
        return parts.hostname or rest, parts.port or DEFAULT_PORTS.get(parts.scheme)
    except ValueError:
        return rest, None


def _guard_pycurl(router: "Router") -> None:
    module: Any = sys.modules["pycurl"]

    class Curl(module.Curl):  # type: ignore[misc]
        """pycurl's, which is written in C."""

        perform = _asking(router, "pycurl", module.Curl.perform, _url_of_curl)

        def setopt(self, option: int, value: Any = None) -> Any:
            if option == module.URL:
                self._todeval_url = os.fsdecode(value)
            return super().setopt(option, value)

    class CurlMulti(module.CurlMulti):  # type: ignore[misc]
        """pycurl's, which is written in C."""

        add_handle = _asking(
            router, "pycurl", module.CurlMulti.add_handle, lambda _, curl: _url_of_curl(curl)
        )

    module.Curl, module.CurlMulti = Curl, CurlMulti


def _guard_curl_cffi(router: "Router") -> None:
    module: Any = sys.modules["curl_cffi.curl"]
    real_setopt, url_option = module.Curl.setopt, module.CurlOpt.URL

    @functools.wraps(real_setopt)
    def setopt(self: Any, option: Any, value: Any) -> Any:
        if option == url_option:
            self._todeval_url = os.fsdecode(value)
        return real_setopt(self, option, value)

    module.Curl.setopt = setopt
    module.Curl.perform = _asking(router, "curl_cffi", module.Curl.perform, _url_of_curl)


def _guard_curl_cffi_async(router: "Router") -> None:
    owner: Any = sys.modules["curl_cffi.aio"].AsyncCurl
    owner.add_handle = _asking(
        router, "curl_cffi", owner.add_handle, lambda _, curl, *__: _url_of_curl(curl)
    )


def _url_of_curl(curl: Any, *_: object, **__: object) -> str:
    return str(getattr(curl, "_todeval_url", "an address that could not be read"))


def _guard_grpc(router: "Router", module: str) -> None:
    """Channels are made anywhere; what is called on them is called in a dialogue."""
    for owner in vars(sys.modules[module]).values():
        name = getattr(owner, "__name__", "")
        if isinstance(owner, type) and name.endswith("MultiCallable"):
            for method in ("__call__", "with_call", "future"):
                if method in vars(owner):
                    real = vars(owner)[method]
                    setattr(owner, method, _asking(router, "gRPC", real, _target_of_grpc))


def _target_of_grpc(callable_: Any, *_: object, **__: object) -> str:
    target = getattr(getattr(callable_, "_channel", None), "target", None)
    found = target() if callable(target) else b"an address that could not be read"
    return os.fsdecode(found)


def _guard_uvloop(router: "Router") -> None:
    owner: Any = sys.modules["uvloop"].Loop

    def host_of(options: Mapping[str, Any], arguments: tuple[Any, ...]) -> str:
        given = [*arguments, None, None, None]
        host, port = options.get("host", given[2]), options.get("port", given[3])
        return f"[{host}]:{port}" if ":" in str(host) else f"{host}:{port}"

    real = owner.create_connection

    @functools.wraps(real)
    async def create_connection(*arguments: Any, **options: Any) -> Any:
        if not router.idle and options.get("sock") is None:
            router.check("uvloop was to connect to", *_address(host_of(options, arguments)))
        return await real(*arguments, **options)

    owner.create_connection = create_connection
