"""What a client library is as bots use it."""

import importlib
import importlib.util
import platform
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

__all__ = ["CHAT", "OVER", "Ask", "Client", "Stream", "lib"]

OVER = "<over>"
"""What a stream gives when the model has said why it ended, or `[DONE]`."""
CHAT = "/v1/chat/completions"


@dataclass(frozen=True)
class Ask:
    """What is asked, where, and how many seconds the client waits."""

    url: str
    text: str
    timeout: float

    @property
    def body(self) -> dict[str, Any]:
        return {"model": "stand-in", "messages": self.messages}

    @property
    def messages(self) -> list[dict[str, str]]:
        return [{"role": "user", "content": self.text}]


@dataclass(frozen=True)
class Stream:
    """The parts of an answer, and what closes it."""

    parts: Any
    close: Callable[[], Any]


@dataclass(frozen=True)
class Client:
    """A library as bots use it.

    `plain` returns the answer; `stream` a Stream, or with `pushes`, calls its second argument with
    each part. With `is_async` both are coroutine functions. `needs` are modules, `package` names
    the version.
    """

    needs: str
    plain: Callable[..., Any] | None = None
    stream: Callable[..., Any] | None = None
    is_async: bool = False
    pushes: bool = False
    package: str = ""

    @property
    def version(self) -> str:
        if not self.needs:
            return f"Python {platform.python_version()}"
        return version(self.package or self.needs.split()[0].partition(".")[0])

    @property
    def there(self) -> bool:
        return all(map(_found, self.needs.split()))

    @property
    def ways(self) -> list[str]:
        found = ["plain", "late"] if self.plain else []
        if self.stream and self.pushes:
            found += ["stream", "exception", "time-out"]
        elif self.stream:
            found += ["stream", "break", "close", "exception", "time-out"]
        return [*found, "cancel"] if self.stream and self.is_async else found


def _found(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def lib(module: str) -> Any:
    return importlib.import_module(module)
