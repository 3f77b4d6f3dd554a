"""Where bots and users run: coroutines on the event loop, plain functions in a thread."""

import asyncio
import contextvars
import functools
import inspect
import sys
import threading
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from queue import SimpleQueue
from types import FrameType
from typing import Any, TypeVar

from pytest_todeval.core.deadline import Deadline

T = TypeVar("T")
STANDS = 0.05
"""Seconds between two looks at a deadline that stands still."""


class Raised(Exception):
    """Carries what the called code raised; asyncio gives some exceptions a meaning of its own."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(error)
        self.error = error


class TimedOut(Exception):
    """The time allowed is over; what was called may still be running, and is no longer awaited."""


async def within(deadline: Deadline, coroutine: Coroutine[Any, Any, T]) -> T:
    """Returns the coroutine's result, or TimedOut once the deadline has come."""
    loop, timer = asyncio.get_running_loop(), asyncio.timeout(None)
    handle: asyncio.TimerHandle | None = None

    def look() -> None:
        nonlocal handle
        left = deadline.remaining()
        if left > 0:
            handle = loop.call_later(max(left, STANDS) if deadline.stands else left, look)
        elif not timer.expired():
            timer.reschedule(loop.time())

    try:
        async with timer:
            look()
            return await coroutine
    except TimeoutError:
        raise TimedOut from None
    finally:
        if handle is not None:
            handle.cancel()


class Worker:
    """Calls the code of one dialogue, plain functions always in the same thread.

    The thread is a daemon: one that hangs must not keep the interpreter from exiting, which the
    threads of `asyncio.to_thread` would. It starts with the first plain function.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._busy = 0

    @property
    def idle(self) -> bool:
        """Says whether a call would start at once (a call that hangs keeps the thread)."""
        return not self._busy

    @property
    def frame(self) -> FrameType | None:
        """Returns where the thread is now, if it is at work."""
        if self._thread is None or self._thread.ident is None or self.idle:
            return None
        return sys._current_frames().get(self._thread.ident)

    async def call(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """The result of `function`, awaited if it is awaitable; Raised with what it raises."""
        call = functools.partial(function, *args, **kwargs)
        result = _created(call) if _is_async(function) else await self._in_thread(call)
        return await _detached(result) if inspect.isawaitable(result) else result

    def close(self) -> None:
        """Lets the thread end once it has nothing more to do."""
        self._jobs.put(None)

    def _in_thread(self, function: Callable[[], Any]) -> "asyncio.Future[Any]":
        loop, context = asyncio.get_running_loop(), contextvars.copy_context()
        future: asyncio.Future[Any] = loop.create_future()

        def job() -> None:
            value, error = None, None
            try:
                value = context.run(function)
            except BaseException as raised:
                error = raised
            self._busy -= 1
            with suppress(RuntimeError):  # the loop was closed meanwhile
                loop.call_soon_threadsafe(_deliver, future, value, error)

        self._busy += 1
        self._jobs.put(job)
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name=self._name, daemon=True)
            self._thread.start()
        return future

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()
            del job  # or it would hold on to the bot's answer until the next turn


def _is_async(function: Callable[..., Any]) -> bool:
    if inspect.iscoroutinefunction(function):
        return True
    if inspect.isroutine(function) or inspect.isclass(function):
        return False
    return inspect.iscoroutinefunction(getattr(function, "__call__", None))  # noqa: B004


def _created(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except BaseException as error:
        raise Raised(error) from None


async def _detached(awaitable: Awaitable[Any]) -> Any:
    """The result of `awaitable` in a task of its own, which may ignore that it is cancelled."""
    task = asyncio.ensure_future(_caught(awaitable))
    try:
        await asyncio.wait({task})
    finally:
        task.cancel()
    if task.cancelled():
        raise Raised(asyncio.CancelledError())
    value, error = task.result()
    if error is not None:
        raise Raised(error)
    return value


async def _caught(awaitable: Awaitable[Any]) -> tuple[Any, BaseException | None]:
    # As values: SystemExit and KeyboardInterrupt raised in a task would end the event loop.
    try:
        return await awaitable, None
    except asyncio.CancelledError:
        raise
    except BaseException as error:
        return None, error


def _deliver(future: "asyncio.Future[Any]", value: object, error: BaseException | None) -> None:
    if future.done():  # came too late: nobody waits any more
        if inspect.iscoroutine(value):
            value.close()
    elif error is not None:
        future.set_exception(Raised(error))
    else:
        future.set_result(value)
