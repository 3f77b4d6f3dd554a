"""What an assertion on a result means: what it says, or an error with the line to write."""

from abc import abstractmethod
from collections.abc import Callable, ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView
from dataclasses import fields
from functools import update_wrapper
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, cast

from pytest_todeval.errors import UsageError, known_names

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])

SHOWN = 60


def no_attribute(owner: object, name: str, hints: Mapping[str, str] | None = None) -> NoReturn:
    """Raises AttributeError: what was meant, and what there is.

    A property that raises AttributeError itself is asked again, so that its own message is seen.
    """
    __tracebackhide__ = True  # a test shows its own line, not this one
    kind = type(owner)
    told = f"{kind.__name__!r} object has no attribute {name!r}"
    if name.startswith("_"):
        raise AttributeError(told)
    known = getattr(kind, name, None)
    if isinstance(known, property) and known.fget is not None:
        known.fget(owner)
    if hints and name in hints:
        raise AttributeError(f"{told}: {hints[name]}")
    public = (each for each in dir(kind) if not each.startswith("_"))
    raise AttributeError(f"{told}: {known_names(name, public)}")


class Assertable:
    """A result that is more than a yes or no: asking for its truth is an error.

    So is comparing it with anything but a result of its class. The error holds the line to write.
    """

    __slots__ = ()

    @abstractmethod
    def _line(self) -> str:
        """Returns what to assert instead, e.g. `judge.turns(dialogue).policy_compliance >= 4`."""

    def _refuse(self, what: str) -> NoReturn:
        __tracebackhide__ = True  # a test shows its own line, not this one
        raise UsageError(f"{what}: write `assert {self._line()}`")

    def __bool__(self) -> bool:
        __tracebackhide__ = True
        self._refuse(f"{type(self).__name__} is neither true nor false")

    def __eq__(self, other: object) -> bool:
        __tracebackhide__ = True
        if isinstance(other, type(self)):
            return self._compared() == other._compared()
        self._refuse(f"{type(self).__name__} cannot be compared with {other!r:.{SHOWN}}")

    def __hash__(self) -> int:
        return hash(self._compared())

    def __lt__(self, other: Any) -> bool:
        __tracebackhide__ = True
        self._refuse(f"{type(self).__name__} is no number")

    __le__ = __gt__ = __ge__ = __lt__

    def _compared(self) -> tuple[Any, ...]:
        kind: Any = self
        return tuple(getattr(self, each.name) for each in fields(kind) if each.compare)

    if not TYPE_CHECKING:  # else a type checker would let a misspelt name pass

        def __getattr__(self, name: str) -> Any:
            __tracebackhide__ = True
            no_attribute(self, name)


class YesNo(Assertable):
    """A result that is a yes or no: its truth says which, and so does `== True`."""

    __slots__ = ()

    @abstractmethod
    def __bool__(self) -> bool:
        """Says whether it passed. Raises JudgeFault if nobody can tell."""

    def __eq__(self, other: object) -> bool:
        __tracebackhide__ = True
        if isinstance(other, bool):
            return bool(self) is other
        return super().__eq__(other)

    __hash__ = Assertable.__hash__


class _Bound:
    """A method of an object, which asks nothing unless it is called."""

    __slots__ = ("_function", "_owner")

    def __init__(self, function: Callable[..., Any], owner: object) -> None:
        self._function, self._owner = function, owner

    def __call__(self, /, *arguments: Any, **options: Any) -> Any:
        __tracebackhide__ = True
        return self._function(self._owner, *arguments, **options)

    def __bool__(self) -> bool:
        __tracebackhide__ = True
        name = self._function.__name__
        raise UsageError(f"{name} asks nothing unless it is called: write `.{name}(...)`")

    def __repr__(self) -> str:
        return f"<{self._function.__qualname__}, not called>"


class _Question:
    """What `question` makes of a method."""

    def __init__(self, function: Callable[..., Any]) -> None:
        update_wrapper(cast("Any", self), function)
        self._function = function

    def __get__(self, owner: object, kind: type | None = None) -> Any:
        return self._function if owner is None else _Bound(self._function, owner)


def question(function: F) -> F:
    """Returns a method whose own truth is an error: `assert calls.called` would always pass."""
    return cast("F", _Question(function))


class Several(tuple[T, ...]):
    """Several results. Whether there are any says nothing, so that asking it is an error."""

    __slots__ = ()

    def __bool__(self) -> bool:
        __tracebackhide__ = True
        raise UsageError(
            f"{len(self)} results are neither true nor false: ask each of them, or `len(...)` for "
            "how many there are"
        )


class ByName(Mapping[str, T]):
    """Results by name; only they can be asserted, neither the table nor its names."""

    __slots__ = ("_found",)

    def __init__(self, found: Mapping[str, T]) -> None:
        self._found = dict(found.items())

    def __getitem__(self, name: str) -> T:
        if name not in self._found:
            raise KeyError(f"no result {name!r}: {known_names(str(name), self._found)}")
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        return map(_ResultName, self._found)

    def __len__(self) -> int:
        return len(self._found)

    def __repr__(self) -> str:
        return repr(self._found)

    def keys(self) -> KeysView[str]:
        """Returns the names."""
        return self._found.keys()

    def values(self) -> ValuesView[T]:
        """Returns the results."""
        return self._found.values()

    def items(self) -> ItemsView[str, T]:
        """Names and results."""
        return self._found.items()

    def __eq__(self, other: object) -> bool:
        __tracebackhide__ = True
        if isinstance(other, Mapping):
            return self._found == dict(other.items())
        raise UsageError(
            f"results by name cannot be compared with {other!r:.{SHOWN}}: ask for one, "
            f"{_names(self._found)}"
        )

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        __tracebackhide__ = True
        raise UsageError(
            f"results by name are neither true nor false: ask for one, {_names(self._found)}"
        )


class WhichOne(str):
    """A word that says which of several it is: whether it is true is an error to ask."""

    __slots__ = ()

    def __bool__(self) -> bool:
        __tracebackhide__ = True
        raise UsageError(f"{str(self)!r} is neither true nor false: compare it, `== {str(self)!r}`")


class _ResultName(str):
    """The name of a result; `all(results)` would ask for the truth of names, and always pass."""

    __slots__ = ()

    def __bool__(self) -> bool:
        __tracebackhide__ = True
        raise UsageError(
            f"{str(self)!r} is the name of a result, not the result: ask `.values()` of the table"
        )


def _names(found: Iterable[str]) -> str:
    return ", ".join(f"[{name!r}]" for name in found)
