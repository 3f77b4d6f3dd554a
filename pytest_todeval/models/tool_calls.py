"""The tool calls that a model asks for, read: whatever it wrote, nothing raises."""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from pytest_todeval.models.completion import Completion, RequestedCall
from pytest_todeval.models.reading.objects import not_json

CUT = ("length", "content_filter")
"""The finish reasons of an answer that ends before its end."""
LONGEST = 20_000
"""Characters of arguments that are read; no booking takes more."""
SHOWN = 200
NOT_IN_NAMES = re.compile(r"[^a-zA-Z0-9_-]")


@dataclass(frozen=True, slots=True)
class ReadCall:
    """A tool call, as far as it could be read."""

    id: str
    name: str
    arguments: Mapping[str, Any]
    """Empty if they could not be read."""
    text: str
    """The arguments as they are sent back to the model: as they came, or `{}`.

    Some endpoints reject a conversation whose calls hold anything else than a JSON object.
    """
    wrong: str = ""
    """Why it must not be run."""

    @property
    def identity(self) -> tuple[str, str]:
        """Equal for calls that ask for the same."""
        arguments = json.dumps(self.arguments, sort_keys=True, allow_nan=False)
        return self.name, f"{arguments} {self.wrong}"


def read_calls(completion: Completion, made: int) -> list[ReadCall]:
    """The calls of an answer, in order; `made` calls were made in the dialogue before.

    The last call of an answer that was cut off is never run, even if it can be read. Ids that
    come twice are replaced: each call is answered by its id.
    """
    calls: list[ReadCall] = []
    last = len(completion.tool_calls) - 1
    for index, asked in enumerate(completion.tool_calls):
        own = _own_id(asked.id, {call.id for call in calls}, made + index + 1)
        cut = completion.finish in CUT and index == last
        calls.append(_read(asked, own, cut))
    return calls


def assistant_message(text: str, calls: Sequence[ReadCall]) -> dict[str, Any]:
    """Returns the answer as it is sent back with the results of its calls."""
    sent = [
        {
            "id": call.id,
            "type": "function",
            # Endpoints reject a name that none of their tools could have, too.
            "function": {
                "name": NOT_IN_NAMES.sub("_", call.name)[:64] or "_",
                "arguments": call.text,
            },
        }
        for call in calls
    ]
    return {"role": "assistant", "content": text or None, "tool_calls": sent}


def _own_id(given: str, taken: Collection[str], number: int) -> str:
    if given not in taken:
        return given
    return next(name for name in map("call_{}".format, count(number)) if name not in taken)


def _read(asked: RequestedCall, own: str, cut: bool) -> ReadCall:
    if cut:
        return ReadCall(own, asked.name, {}, "{}", "the call was cut off before its end")
    try:
        arguments = _arguments(asked.arguments or "{}")
    except (ValueError, RecursionError) as error:
        came = f"{asked.arguments!r:.{SHOWN}}"
        wrong = f"the arguments must be a JSON object: {error} (got {came})"
        return ReadCall(own, asked.name, {}, "{}", wrong)
    return ReadCall(own, asked.name, arguments, asked.arguments or "{}")


def _arguments(text: str) -> dict[str, Any]:
    if len(text) > LONGEST:
        raise ValueError(f"it is longer than {LONGEST} characters")
    value = json.loads(text, parse_constant=not_json)
    if not isinstance(value, dict):
        raise ValueError(f"it is {type(value).__name__}")
    # Refuses what JSON cannot carry though Python reads it: 1e999, half a surrogate pair.
    json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    return value
