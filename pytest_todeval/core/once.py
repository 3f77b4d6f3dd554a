"""Values that are made once and kept."""

from collections.abc import Callable
from concurrent.futures import Future
from typing import Generic, TypeVar

T = TypeVar("T")


class Once(Generic[T]):
    """Values by key. Each is made once, by the thread that asks first; others wait for it.

    If making one raises, that is raised for all who wait, and the next who asks makes it anew.
    """

    def __init__(self) -> None:
        self._made: dict[str, Future[T]] = {}

    def get(self, key: str, make: Callable[[], T]) -> T:
        """Returns the value of the key, made now if nobody has."""
        own: Future[T] = Future()
        known = self._made.setdefault(key, own)
        if known is not own:
            return known.result()
        try:
            own.set_result(make())
        except BaseException as error:
            del self._made[key]
            own.set_exception(error)
        return own.result()

    def __reduce__(self) -> "tuple[type[Once[T]], tuple[()]]":
        """Returns a copy, in this process or in another, starts empty."""
        return (Once, ())
