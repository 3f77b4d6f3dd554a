"""Tool calls as data: what a bot called, and what a test asserts of it."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any, NamedTuple, get_origin

from pytest_todeval.core.assertable import YesNo, question
from pytest_todeval.errors import NeverDone, UsageError
from pytest_todeval.shown import in_line

SHOWN_VALUE, SHOWN_CALL = 40, 80
"""Characters: pytest cuts the middle out of what is longer than 240."""
HANDOFF = "transfer_to_"
"""How the names of tools begin that hand over to another agent."""
NO_CALLS = "no tool call was reported (docs/bots.md: how a bot reports its calls)"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a tool, with what came back."""

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    result: Any = None
    """Plain JSON; None if the call failed or its result was not reported."""
    error: str | None = None
    """What the tool answered instead of a result (a refusal, a bad argument)."""


def handoff(agent: str, /, **arguments: Any) -> ToolCall:
    """Returns the call that hands over to another agent: of the tool `transfer_to_AGENT`.

    A test asks for it (`called(handoff("Billing agent"))`), a bot reports it. Case, blanks and
    punctuation of the agent's name make no difference.
    """
    return ToolCall(HANDOFF + _agent(agent), arguments)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CallCheck(YesNo):
    """Whether a bot's tool calls are as a test asks; truthy if they are."""

    question: str
    passed: bool
    reason: str
    """The turns of the calls; if there is none, the nearest call and how it differs."""
    calls: "ToolCalls"
    """The calls that were asked for."""

    @property
    def times(self) -> int:
        """Returns how many they are: `assert calls.called("book").times == 1`."""
        return len(self.calls)

    def __bool__(self) -> bool:
        return self.passed

    def __repr__(self) -> str:
        return f"<{self.question}: {'yes' if self.passed else 'NO'}, {self.reason}>"

    def _line(self) -> str:
        return "dialogue.tool_calls.called(...)"


class ToolCalls(tuple[ToolCall, ...]):
    """A bot's tool calls in order: a tuple, with questions to assert.

    `ToolCalls(turn.tool_calls)` are those of one turn.

    A call is asked for by its name, a compiled pattern of the whole name, or a ToolCall with
    arguments; further arguments by their names. Arguments that are not mentioned may be anything.
    An argument is a value, a compiled pattern of the whole text, or a type that pydantic checks
    strictly (`int`, `Literal[...]`, `Annotated[...]`); `schema` is such a type for all of them.
    """

    _turns: Sequence[int]

    def __new__(cls, calls: Iterable[ToolCall] = (), turns: Iterable[int] = ()) -> "ToolCalls":
        made = super().__new__(cls, calls)
        made._turns = tuple(turns)
        return made

    def __repr__(self) -> str:
        made = ", ".join(f"{self._place(n)}: {_text(call)}" for n, call in enumerate(self))
        count = f"{len(self)} tool call{'' if len(self) == 1 else 's'}"
        return f"<{count}: {made}>" if self else f"<{count}>"

    @question
    def called(self, call: "Asked", schema: Any = None, /, **arguments: Any) -> CallCheck:
        """Says whether there is such a call; `.times` says how many there are."""
        __tracebackhide__ = True  # a test shows its own line, not this one
        wanted = _wanted(call, schema, arguments)
        found = self._found(wanted)
        reason = self._places(found) if found else self._nearest(wanted)
        return CallCheck(f"called {wanted}", bool(found), reason, self._pick(found))

    @question
    def never_called(self, call: "Asked", schema: Any = None, /, **arguments: Any) -> CallCheck:
        """Says whether there is no such call, not even one that was refused."""
        __tracebackhide__ = True
        wanted = _wanted(call, schema, arguments)
        found = self._found(wanted)
        first = f": {_text(self[found[0]])}" if found else ""
        reason = f"{self._places(found)}{first}" if found else self._nearest(wanted)
        return CallCheck(f"never called {wanted}", not found, reason, self._pick(found))

    @question
    def called_in_order(self, *calls: "Asked") -> CallCheck:
        """Says whether there are such calls, one after the other; others may stand between them."""
        __tracebackhide__ = True
        if not calls:
            raise UsageError('called_in_order(): expected calls, such as ("find", "book")')
        steps = [_wanted(call) for call in calls]
        question = in_line(f"called in order {', '.join(map(str, steps))}", SHOWN_CALL)
        found: list[int] = []
        for wanted in steps:
            last = found[-1] if found else -1
            places = self._found(wanted)
            later = [n for n in places if n > last]
            if not later:
                why = f"only in {self._places(places)}" if places else self._nearest(wanted)
                done = f"{steps[len(found) - 1]} in {self._place(last)}, then " if found else ""
                reason = f"{done}no {wanted}: {why}"
                return CallCheck(question, False, reason, self._pick(found))
            found.append(later[0])
        return CallCheck(question, True, self._places(found), self._pick(found))

    @question
    def before(self, call: "Asked", schema: Any = None, /, **arguments: Any) -> "ToolCalls":
        """The calls before the first such call. Raises NeverDone, a failure, if there is none."""
        __tracebackhide__ = True
        return self._pick(range(self._first(_wanted(call, schema, arguments))))

    @question
    def after(self, call: "Asked", schema: Any = None, /, **arguments: Any) -> "ToolCalls":
        """The calls after the first such call. Raises NeverDone, a failure, if there is none."""
        __tracebackhide__ = True
        return self._pick(range(self._first(_wanted(call, schema, arguments)) + 1, len(self)))

    @question
    def ignoring(self, *calls: "Asked") -> "ToolCalls":
        """The calls without such calls."""
        __tracebackhide__ = True
        left_out = {n for call in calls for n in self._found(_wanted(call))}
        return self._pick(n for n in range(len(self)) if n not in left_out)

    def _found(self, wanted: "_Wanted") -> list[int]:
        __tracebackhide__ = True
        return [n for n, call in enumerate(self) if wanted.names(call) and not wanted.faults(call)]

    def _first(self, wanted: "_Wanted") -> int:
        __tracebackhide__ = True
        if found := self._found(wanted):
            return found[0]
        raise NeverDone(f"never called {wanted}, so nothing is before or after it: "
                        f"{self._nearest(wanted)}")  # fmt: skip

    def _pick(self, numbers: Iterable[int]) -> "ToolCalls":
        chosen = tuple(numbers)
        turns = [self._turns[n] for n in chosen] if self._turns else ()
        return ToolCalls((self[n] for n in chosen), turns)

    def _place(self, number: int) -> str:
        return f"turn {self._turns[number]}" if self._turns else f"call {number + 1}"

    def _places(self, numbers: Sequence[int]) -> str:
        return in_line(", ".join(map(self._place, numbers)), SHOWN_CALL)

    def _nearest(self, wanted: "_Wanted") -> str:
        """Returns the call that differs least: first by its name, then by its arguments."""
        if not self:
            return NO_CALLS
        number, call = min(enumerate(self), key=lambda each: wanted.distance(each[1]))
        faults = wanted.faults(call) if wanted.names(call) else ["another tool"]
        why = in_line("; ".join(faults), 2 * SHOWN_CALL)
        return f"nearest is {self._place(number)}, {_text(call)}: {why}"


Asked = str | re.Pattern[str] | ToolCall


class _Wanted(NamedTuple):
    """What a test asks for."""

    name: str | re.Pattern[str]
    arguments: Mapping[str, Any]
    schema: Any

    def __str__(self) -> str:
        given = [f"{name}={_shown(value)}" for name, value in self.arguments.items()]
        if self.schema is not None:
            given.append(_shown(self.schema))
        name = self.name if isinstance(self.name, str) else _shown(self.name)
        return in_line(f"{name}({', '.join(given)})" if given else name, SHOWN_CALL)

    def names(self, call: ToolCall) -> bool:
        if isinstance(self.name, re.Pattern):
            return self.name.fullmatch(call.name) is not None
        if self.name.startswith(HANDOFF) and call.name.startswith(HANDOFF):
            return _agent(self.name) == _agent(call.name)
        return self.name == call.name

    def faults(self, call: ToolCall) -> list[str]:
        """Returns how its arguments differ from what is asked for."""
        __tracebackhide__ = True
        found = [
            f"{name} {_fault(value, call.arguments[name])}" if name in call.arguments
            else f"it has no {name}"
            for name, value in self.arguments.items()
            if name not in call.arguments or _fault(value, call.arguments[name])
        ]  # fmt: skip
        if self.schema is not None and (why := _of_type(self.schema, dict(call.arguments))):
            found.append(f"arguments {why}")
        return found

    def distance(self, call: ToolCall) -> tuple[float, int]:
        __tracebackhide__ = True
        name = self.name if isinstance(self.name, str) else self.name.pattern
        alike = SequenceMatcher(None, name[:SHOWN_CALL], call.name[:SHOWN_CALL]).ratio()
        return 0 if self.names(call) else 1 - alike / 2, len(self.faults(call))


def _wanted(call: Asked, schema: Any = None, arguments: Mapping[str, Any] | None = None) -> _Wanted:
    __tracebackhide__ = True
    more = arguments or {}
    if isinstance(call, ToolCall):
        wanted = _Wanted(call.name, {**call.arguments, **more}, schema)
    elif isinstance(call, re.Pattern) or (isinstance(call, str) and call):
        wanted = _Wanted(call, more, schema)
    else:
        raise UsageError(f"got {call!r:.60}, expected a tool's name, a pattern or a ToolCall")
    if schema is not None:
        _adapter(schema)  # what is no type is an error, whatever was called
    for name, value in wanted.arguments.items():
        if _is_type(value):
            _adapter(value)
        elif callable(value):
            raise UsageError(
                f"{name}: got the function {value!r:.60}, expected a value, a pattern or a type: "
                "write `Annotated[int, Field(gt=3)]` for a condition"
            )
    return wanted


def _fault(expected: Any, value: Any) -> str:
    """Returns how a value differs from what is expected; empty if it does not."""
    is_now = f"is {in_line(repr(value), SHOWN_VALUE)}"
    if isinstance(expected, re.Pattern):
        alike = isinstance(value, str) and expected.fullmatch(value) is not None
        return "" if alike else f"{is_now}, not like {_shown(expected)}"
    if _is_type(expected):
        why = _of_type(expected, value)
        return f"{is_now}: {why}" if why else ""
    numbers = isinstance(expected, int | float) and isinstance(value, int | float)
    if numbers and isinstance(expected, bool) is not isinstance(value, bool):
        return f"{is_now}, not {_shown(expected)}"  # for Python, True is 1
    return "" if expected == value else f"{is_now}, not {_shown(expected)}"


def _is_type(expected: Any) -> bool:
    return isinstance(expected, type) or get_origin(expected) is not None


def _adapter(expected: Any) -> Any:
    __tracebackhide__ = True
    from pydantic import PydanticUserError, TypeAdapter

    try:
        if _is_type(expected):
            return TypeAdapter(expected)
    except (PydanticUserError, NameError) as error:
        why = str(error).splitlines()[0]
        raise UsageError(f"pydantic can't check {expected!r:.60}: {why}") from None
    raise UsageError(f"got {expected!r:.60} for all arguments, expected a type, such as a model")


def _of_type(expected: Any, value: Any) -> str:
    """Says why a value is not of a type, as JSON; empty if it is."""
    from pydantic import ValidationError

    try:
        _adapter(expected).validate_json(json.dumps(value, default=str), strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        return f"{place}: {first['msg']}" if place else first["msg"]
    except (TypeError, ValueError, RecursionError):
        return "cannot be written as JSON"
    return ""


def _agent(name: str) -> str:
    return re.sub(r"[\W_]+", "_", name).strip("_").casefold()


def _text(call: ToolCall) -> str:
    given = ", ".join(f"{name}={_shown(value)}" for name, value in call.arguments.items())
    return in_line(f"{call.name}({given})", SHOWN_CALL)


def _shown(value: Any) -> str:
    if isinstance(value, re.Pattern):
        return in_line(f"/{value.pattern}/", SHOWN_VALUE)
    return in_line(value.__name__ if isinstance(value, type) else repr(value), SHOWN_VALUE)
