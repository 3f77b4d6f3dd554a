"""What a bot handed over, checked to its inside and copied: a bot may change its own later."""

import reprlib
from collections.abc import Mapping, Sequence, Set
from typing import Any

from pytest_todeval.core.dialogue import Reply, ToolCall, Usage
from pytest_todeval.core.dialogue_act import DialogueAct
from pytest_todeval.core.notation import claim_of
from pytest_todeval.errors import SystemContractError

LONGEST_REPLY = 200_000
"""Characters; a long answer of a bot has some thousands."""


def checked(value: object, place: str) -> Reply:
    """Returns the bot's answer as a Reply.

    Raises SystemContractError, naming `place` and what came, for all but text and sound Replies.
    """
    if isinstance(value, str):
        return Reply(_said(value, f"{place}: the bot's answer"))
    if not isinstance(value, Reply):
        hint = "; a dict is not taken: write `Reply(**answer)`" if isinstance(value, dict) else ""
        raise SystemContractError(
            f"{place}: the bot answered with {described(value)}, expected text or a `Reply` "
            f"(`from pytest_todeval import Reply`){hint}"
        )
    _expect(value.text, str, f"{place}: `Reply.text`", "text")
    _said(value.text, f"{place}: `Reply.text`")
    _expect(value.done, bool, f"{place}: `Reply.done`", "True or False")
    calls = checked_items(value.tool_calls, f"{place}: `Reply.tool_calls`")
    return Reply(
        text=value.text,
        tool_calls=tuple(_tool_call(call, f"{place}: {_nth(n)}") for n, call in enumerate(calls)),
        state=_state(value.state, f"{place}: `Reply.state`"),
        retrieved=checked_items(value.retrieved, f"{place}: `Reply.retrieved`"),
        usage=_usage(value.usage, f"{place}: `Reply.usage`"),
        done=value.done,
        acts=None if value.acts is None else checked_acts(value.acts, f"{place}: `Reply.acts`"),
        turn_state=_state(value.turn_state, f"{place}: `Reply.turn_state`"),
        spans=_spans(value.spans, f"{place}: `Reply.spans`"),
    )


def _said(text: str, place: str) -> str:
    """The text, unless it is so long that who reads it would be blamed for the time it takes."""
    if len(text) > LONGEST_REPLY:
        raise SystemContractError(
            f"{place} has {len(text):,} characters, expected at most {LONGEST_REPLY:,}"
        )
    return text


def checked_acts(value: object, place: str) -> tuple[DialogueAct, ...]:
    """Acts that a bot reports, as claims; SystemContractError names the one that is none."""
    claims = []
    for at, told in enumerate(_listed(value, place)):
        try:
            claims.append(claim_of(told))
        except ValueError as error:
            raise SystemContractError(f"{place}[{at}]: {error}") from None
    return tuple(claims)


def checked_tool_call(
    name: object, arguments: object, result: object, error: object, place: str
) -> ToolCall:
    """Returns a tool call a bot reports; SystemContractError if a part has the wrong type."""
    arguments = {} if arguments is None else arguments
    _expect(name, str, f"{place}: the tool's name", "text")
    _expect(arguments, Mapping, f"{place}: `arguments`", "a mapping")
    _expect(error, str | None, f"{place}: `error`", "text or None")
    return ToolCall(
        str(name), _copied(arguments), _copied(result), None if error is None else str(error)
    )


def checked_state(value: object, place: str) -> Mapping[str, Any]:
    """Returns a belief state a bot reports, copied; SystemContractError unless it is a mapping."""
    _expect(value, Mapping, place, "a mapping `{domain: {slot: value}}`")
    copy: Mapping[str, Any] = _copied(value)
    return copy


def _state(value: object, place: str) -> Mapping[str, Any] | None:
    return None if value is None else checked_state(value, place)


def checked_items(value: object, place: str) -> tuple[Any, ...]:
    """A list a bot reports, copied; SystemContractError unless it is a sequence other than text."""
    return tuple(_copied(_listed(value, place)))


def _listed(value: object, place: str) -> Sequence[Any]:
    if not isinstance(value, Sequence) or isinstance(value, str | bytes):
        raise SystemContractError(f"{place} is {described(value)}, expected a list or tuple")
    return value


def reply_from_json(value: object, place: str) -> Reply:
    """A Reply from its plain JSON form, `{"text": ..., "tool_calls": [...], "state": ..., ...}`.

    Keys it does not know are left out. Raises SystemContractError naming the key that is wrong.
    """
    if not isinstance(value, Mapping) or "text" not in value:
        raise SystemContractError(
            f'{place} is {described(value)}, expected an object with "text" (and, if wanted, '
            '"tool_calls", "state", "retrieved", "usage", "done", "acts", '
            '"turn_state", "spans")'
        )
    calls = checked_items(value.get("tool_calls") or (), f"{place}: `tool_calls`")
    spans, usage = checked_items(value.get("spans") or (), f"{place}: `spans`"), value.get("usage")
    reply = Reply(
        text=value["text"],
        tool_calls=tuple(_json_call(call, f"{place}: {_nth(n)}") for n, call in enumerate(calls)),
        state=value.get("state"),
        retrieved=value.get("retrieved") or (),
        usage=None if usage is None else checked_usage(usage, f"{place}: `usage`"),
        done=value.get("done", False),
        acts=value.get("acts"),
        turn_state=value.get("turn_state"),
        spans=tuple(checked_span(each, f"{place}: `spans[{n}]`") for n, each in enumerate(spans)),
    )
    return checked(reply, place)


def described(value: object) -> str:
    """What came, for a message: its type and enough of it to recognise; the same in every run."""
    if value is None:
        return "None"
    if isinstance(value, type):
        return f"the class {value.__name__}"
    kind = type(value).__name__
    if type(value) in (str, int, float, bool):
        return f"{kind} {reprlib.repr(value)}"
    if type(value) is dict:
        keys = ", ".join(reprlib.repr(key) for key in list(value)[:6] if type(key) is str)
        return f"dict with the keys {keys}" if keys else "dict"
    return kind


def _tool_call(value: object, place: str) -> ToolCall:
    if not isinstance(value, ToolCall):
        raise SystemContractError(f"{place} is {described(value)}, expected a `ToolCall`")
    return checked_tool_call(value.name, value.arguments, value.result, value.error, place)


def _json_call(value: object, place: str) -> ToolCall:
    if not isinstance(value, Mapping) or "name" not in value:
        raise SystemContractError(
            f'{place} is {described(value)}, expected an object with "name" (and "arguments", '
            '"result" or "error")'
        )
    get = value.get
    return checked_tool_call(value["name"], get("arguments"), get("result"), get("error"), place)


def checked_usage(value: object, place: str) -> Usage:
    """Usage as an object of its fields; SystemContractError names the one that is wrong."""
    _expect(value, Mapping, place, "an object")
    known = ("prompt_tokens", "completion_tokens", "cost")
    given: dict[str, Any] = dict(value)  # type: ignore[call-overload]
    told = {key: given[key] for key in known if key in given}
    usage = Usage(**told, model=given.get("model") or "")
    _usage(usage, place)
    return usage


def checked_span(value: object, place: str) -> tuple[str, float]:
    """Returns a named part of a turn and its seconds, `{"name": ..., "seconds": ...}`.

    SystemContractError names what is wrong.
    """
    _expect(value, Mapping, place, 'an object with "name" and "seconds"')
    given: dict[str, Any] = dict(value)  # type: ignore[call-overload]
    return _span((given.get("name"), given.get("seconds")), place)


def _spans(value: object, place: str) -> tuple[tuple[str, float], ...]:
    spans = checked_items(value, place)
    return tuple(_span(span, f"{place}[{n}]") for n, span in enumerate(spans))


def _span(value: object, place: str) -> tuple[str, float]:
    pair = value if isinstance(value, Sequence) and not isinstance(value, str) else ()
    if len(pair) != 2:
        raise SystemContractError(f"{place} is {described(value)}, expected a name and seconds")
    name, seconds = pair
    _expect(name, str, f"{place}: the name", "text")
    number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if not number or not 0 <= seconds < float("inf"):
        raise SystemContractError(f"{place}: the seconds are {described(seconds)}, expected >= 0")
    return str(name), float(seconds)


def _usage(value: object, place: str) -> Usage | None:
    if value is None:
        return None
    if not isinstance(value, Usage):
        raise SystemContractError(f"{place} is {described(value)}, expected a `Usage`")
    for name in ("prompt_tokens", "completion_tokens", "cost"):
        number = getattr(value, name)
        wanted = int | float if name == "cost" else int
        _expect(number, wanted, f"{place}.{name}", "a number")
        if isinstance(number, bool) or not 0 <= number < float("inf"):
            raise SystemContractError(f"{place}.{name} is {number!r}, expected a number >= 0")
    _expect(value.model, str, f"{place}.model", "a model's name")
    return value


def _expect(value: object, kind: Any, place: str, wanted: str) -> None:
    if not isinstance(value, kind):
        raise SystemContractError(f"{place} is {described(value)}, expected {wanted}")


def _nth(index: int) -> str:
    return f"`tool_calls[{index}]`"


def _copied(value: Any) -> Any:
    """Containers anew, all else as it is; shared and circular structure stays as it was."""
    return _copy(value, {})


def _copy(value: Any, seen: dict[int, tuple[Any, Any]]) -> Any:
    if id(value) in seen:
        return seen[id(value)][1]
    if isinstance(value, Mapping):
        copy: dict[Any, Any] = {}
        seen[id(value)] = (value, copy)  # keeps `value` alive, so that its id stays its own
        copy.update((key, _copy(item, seen)) for key, item in value.items())
        return copy
    if isinstance(value, list | tuple | Set):
        items: list[Any] = []
        seen[id(value)] = (value, items)
        items.extend(_copy(item, seen) for item in value)
        return items
    return value
