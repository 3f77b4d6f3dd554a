"""Threads: what a dialogue starts belongs to it; plain threads do not inherit a context."""

import contextvars
import functools
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from pytest_todeval.core.lane import here

if TYPE_CHECKING:
    from pytest_todeval.recording.router import Router


def install(router: "Router") -> None:
    """Has threads and the jobs of thread pools run in the context of who starts them."""
    _wrap_start(router)
    _wrap_submit(router)


def _wrap_start(router: "Router") -> None:
    real = threading.Thread.start

    @functools.wraps(real)
    def start(self: threading.Thread) -> None:
        if not router.idle and here() is not None:
            # On the instance, since subclasses have a `run` of their own.
            run = functools.partial(contextvars.copy_context().run, self.run)
            self.run = run  # type: ignore[method-assign]
        real(self)

    threading.Thread.start = start  # type: ignore[method-assign]


def _wrap_submit(router: "Router") -> None:
    """Also if no dialogue submits: the pool's thread may have been started by one."""
    real: Callable[..., Future[Any]] = ThreadPoolExecutor.submit

    @functools.wraps(real)
    def submit(
        self: ThreadPoolExecutor, function: Callable[..., Any], /, *arguments: Any, **options: Any
    ) -> Future[Any]:
        if router.idle:
            return real(self, function, *arguments, **options)
        run = contextvars.copy_context().run
        return real(self, run, function, *arguments, **options)

    ThreadPoolExecutor.submit = submit  # type: ignore[method-assign, assignment]
