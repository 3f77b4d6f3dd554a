"""What the stand-in answers: a text, a tool call, a refusal, or something that goes wrong."""

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal, get_args

from pytest_todeval.errors import UsageError

Finish = Literal["stop", "length", "tool_calls", "content_filter"]


class Broken(StrEnum):
    """What goes wrong below the protocol."""

    MALFORMED = "malformed"
    """Status 200 and a body (a streamed event) that is not JSON."""
    EMPTY = "empty"
    """Status 200 and no body (a stream without events)."""
    CUT = "cut"
    """The connection ends in the middle of the body (of the stream)."""
    RESET = "reset"
    """The connection is reset before any answer."""
    HANG = "hang"
    """No answer, until the client or the server leaves."""


@dataclass(frozen=True, slots=True)
class Status:
    """An answer with an error status, its body in the shape of OpenAI's errors."""

    status: int
    """400 to 599."""
    message: str = ""
    """Default: the status in words."""
    type: str = ""
    """Default: `invalid_request_error`, from 500 on `server_error`, for 429 `requests`."""
    code: str | None = None
    """E.g. `context_length_exceeded`. Default: `invalid_api_key` for 401, `rate_limit_exceeded`
    for 429, else null."""
    retry_after: float | None = None
    """Seconds, sent as the header `retry-after`."""
    body: str | None = None
    """Sent as it is, as text/html, in place of the JSON: what a gateway answers."""

    def __post_init__(self) -> None:
        status: object = self.status
        if not isinstance(status, int) or not 400 <= status <= 599:
            raise UsageError(f"Status({status!r}): expected a number from 400 to 599")
        if self.retry_after is not None:
            _check_seconds("Status(retry_after=...)", self.retry_after)


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer (with `n` choices: one choice). Raises UsageError if its parts do not fit.

    `Answer()` is an answer without content, `Answer("")` one with empty content.
    """

    text: str | Mapping[str, Any] | None = None
    """A mapping is sent as JSON text: structured output."""
    tool_calls: Sequence[tuple[str, Mapping[str, Any] | str]] = ()
    """Name and arguments of each; arguments given as text are sent as they are, JSON or not."""
    refusal: str | None = None
    finish: Finish | None = None
    """Default: `tool_calls` if there are some, `length` if the request's limit cut the text,
    else `stop`."""
    usage: Mapping[str, Any] | None = None
    """Sent in place of the count, with `total_tokens` added; an empty one: no usage is sent."""
    chunks: Sequence[str] = ()
    """The pieces in which the text is streamed; may stand in place of `text`. Default: a piece for
    each token."""
    delay: float = 0.0
    """Seconds before the first byte."""
    pause: float = 0.0
    """Seconds before each further event of a stream."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Sent besides the usual ones, e.g. `x-request-id`."""
    error: Status | Broken | None = None
    """What goes wrong; of the rest only what still gets through is sent."""

    def __post_init__(self) -> None:
        _check_text("text", self.text, str | Mapping)
        _check_text("refusal", self.refusal, str)
        _check_error(self.error)
        _check_seconds("Answer(delay=...)", self.delay)
        _check_seconds("Answer(pause=...)", self.pause)
        if self.finish is not None and self.finish not in get_args(Finish):
            known = ", ".join(get_args(Finish))
            raise UsageError(f"Answer(finish={self.finish!r}): expected one of {known}")
        _check_list("tool_calls", self.tool_calls)
        _check_list("chunks", self.chunks)
        for call in self.tool_calls:
            _check_call(call)
        for name, value in self.headers.items():
            _check_header(name, value)
        # Here, where the test that wrote it still stands in the traceback.
        for part in (self.text, self.usage, *(arguments for _, arguments in self.tool_calls)):
            if isinstance(part, Mapping):
                _json(part)
        if self.chunks and self.text is not None and "".join(self.chunks) != self.content:
            raise UsageError(
                f"Answer: the chunks say {''.join(self.chunks)!r:.80}, the text says "
                f"{self.content!r:.80}; give one of them, or the same in both"
            )

    @property
    def content(self) -> str | None:
        """Returns the text as sent; None if the answer has none."""
        if self.text is None:
            return "".join(self.chunks) if self.chunks else None
        return self.text if isinstance(self.text, str) else _json(self.text)

    @property
    def calls(self) -> tuple[tuple[str, str], ...]:
        """Name and arguments of each tool call, the arguments as text."""
        return tuple((name, a if isinstance(a, str) else _json(a)) for name, a in self.tool_calls)


Answerable = str | Mapping[str, Any] | Answer | Sequence[str | Mapping[str, Any] | Answer]
"""What a function or a script answers: text, a mapping (sent as JSON), an Answer, or a list of
these, one for each of the `n` choices asked for."""


def as_answers(value: object, n: int) -> tuple[Answer, ...]:
    """Returns one answer per choice; one given for all is the same for each. Raises UsageError."""
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        if len(value) != n:
            raise UsageError(f"got a list of {len(value)} answers, the request has n={n}")
        return tuple(_as_answer(item) for item in value)
    return (_as_answer(value),) * n


def _as_answer(value: object) -> Answer:
    if isinstance(value, Answer):
        return value
    if isinstance(value, str | Mapping):
        return Answer(value)
    close = getattr(value, "close", None)
    if hasattr(value, "__await__") and close is not None:
        close()  # else Python warns of a coroutine that nobody awaited
        raise UsageError("the answer is a coroutine: write the answer function with a plain `def`")
    raise UsageError(
        f"the answer is {type(value).__name__} {value!r:.80}, expected text, a mapping (sent as "
        "JSON), an Answer, or a list with one of these for each choice"
    )


def _check_text(name: str, value: object, kind: Any) -> None:
    if value is not None and not isinstance(value, kind):
        known = " or ".join(each.__name__ for each in getattr(kind, "__args__", (kind,)))
        raise UsageError(
            f"Answer({name}=...) is {type(value).__name__} {value!r:.60}, expected {known}"
        )


def _check_list(name: str, value: object) -> None:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise UsageError(f"Answer({name}=...) is {type(value).__name__}, expected a list")


def _check_header(name: str, value: str) -> None:
    if not re.fullmatch(r"[\w!#$%&'*+.^`|~-]+", name, re.ASCII) or not re.fullmatch(
        r"[\t\x20-\x7e\xa0-\xff]*", value
    ):
        raise UsageError(
            f"Answer(headers=...): {name!r:.60}: {value!r:.60} cannot be sent; expected a header's "
            "name without spaces, and a value on one line"
        )


def _check_error(error: object) -> None:
    if error is not None and not isinstance(error, Status | Broken):
        raise UsageError(
            f"Answer(error={error!r:.60}): expected a Status, e.g. Status(429, retry_after=1), or "
            f"one of {', '.join(f'Broken.{kind.name}' for kind in Broken)}"
        )


def _check_call(call: object) -> None:
    match call:
        case (str(), str() | Mapping()):
            return
    raise UsageError(
        f"Answer(tool_calls=...): got {call!r:.80}, expected a name with its arguments, e.g. "
        '("find_hotel", {"area": "north"})'
    )


def _check_seconds(name: str, value: object) -> None:
    if not isinstance(value, int | float) or not (value >= 0 and math.isfinite(value)):
        raise UsageError(f"{name}: got {value!r:.60}, expected seconds, 0 or more")


def _json(value: Mapping[str, Any]) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, default=_as_dict)
    except (TypeError, ValueError, RecursionError) as error:
        raise UsageError(f"the answer cannot be written as JSON ({error}): {value!r:.80}") from None


def _as_dict(value: object) -> dict[str, Any]:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} {value!r:.60}")
