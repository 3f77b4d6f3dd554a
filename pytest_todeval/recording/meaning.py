"""What a request means: the one form that all requests of its meaning share.

The chat protocols write the same in many ways: a default given or left out, a text or a list of one
text, a call's id drawn anew in each run. None of that makes another question.
"""

import json
import re
import unicodedata
from collections.abc import Collection, Mapping
from typing import Any

from pytest_todeval.recording.bodies import UNREADABLE, parse
from pytest_todeval.recording.json_path import JsonPlace
from pytest_todeval.recording.matching import Matching
from pytest_todeval.recording.rpc import RPC, said_by

MESSAGE_LISTS = frozenset({"messages", "input", "contents"})
MASKED = "\N{OBJECT REPLACEMENT CHARACTER}"
BY_PLACE = MASKED + "id "

ENDPOINT = re.compile(
    r"(?P<before>/.*?)?/(?P<name>chat/completions|responses|messages|completions|embeddings)/?"
)
PREFIX = re.compile(r"(?:/(?:api|openai|inference|compatible-mode|v[0-9]+(?:alpha|beta)?))*")

DEFAULTS: Mapping[str, tuple[Any, ...]] = {
    "stream": (False,),
    "n": (1,),
    "stop": ([], ""),
    "stop_sequences": ([],),
    "logprobs": (False,),
    "top_logprobs": (0,),
    "logit_bias": ({},),
    "presence_penalty": (0,),
    "frequency_penalty": (0,),
    "tools": ([],),
    "functions": ([],),
    "tool_choice": ("auto", {"type": "auto"}),
    "function_call": ("auto",),
    "parallel_tool_calls": (True,),
    "response_format": ({"type": "text"},),
    "text": ({"format": {"type": "text"}},),
    "modalities": (["text"],),
    "truncation": ("disabled",),
    "background": (False,),
    "include": ([],),
}
"""What a request means without these members; to say so makes no other request."""
ASIDE = frozenset(
    {
        "user",
        "metadata",
        "safety_identifier",
        "prompt_cache_key",
        "prompt_cache_retention",
        "store",
        "service_tier",
    }
)
"""Said to the provider, not to the model."""
TEXT_TYPES = frozenset({"text", "input_text", "output_text"})
LINKS = frozenset({"tool_call_id", "tool_use_id", "call_id"})
OWN_IDS = (None, "message", "function_call", "function_call_output")
"""Types of items whose ids nothing refers to; that of another may stand for what it is."""
UNTOLD: Mapping[str, tuple[Any, ...]] = {
    "content": ("", []),
    "tool_calls": ([],),
    "annotations": ([],),
    "logprobs": ([],),
    "name": ("",),
    "type": ("message", "function"),
    "status": ("completed",),
    "is_error": (False,),
}
"""Members of messages, parts and tool calls that say nothing."""


def endpoint_of(path: str, members: Collection[str]) -> tuple[str, str]:
    """The chat protocol of a path, and the path without the prefix of a gateway or a version.

    JSON-RPC's messages, which MCP's are, are known by what they say, whatever the path.

    No protocol, and the path as it is, for other services.
    """
    if RPC in members:
        return RPC, path
    found = ENDPOINT.fullmatch(path)
    if found is None or MESSAGE_LISTS.isdisjoint(members):
        return "", path
    name, before = found["name"], found["before"] or ""
    return name, (f"/{name}" if PREFIX.fullmatch(before) else path)


def are_messages(name: str, value: object) -> bool:
    """Whether a member of a body is a dialogue's history, whose items are worth a line each."""
    return (
        name in MESSAGE_LISTS
        and isinstance(value, list)
        and all(isinstance(item, dict | str) for item in value)
    )


class RequestMeaning:
    """Values of one request in the form that counts.

    `links` are the ids met so far that count by their place only: to which call a result belongs is
    what they say, whatever they are.
    """

    def __init__(self, endpoint: str, matching: Matching) -> None:
        self._endpoint, self._matching = endpoint, matching
        self.links: dict[str, int] = {}

    def member(self, name: str, value: Any, place: JsonPlace) -> Any:
        """Returns a member of a body; None if it says nothing."""
        if place.found or value is None:
            return None
        value = _pruned(value, place)
        if not self._endpoint:
            return self.value(value)
        if self._endpoint == RPC:
            value = said_by(name, value)
            return None if value is None else self.value(value)
        if name in ASIDE or _is_one_of(value, DEFAULTS.get(name, ())):
            return None
        value = listed(name, value, self._endpoint)
        if are_messages(name, value):
            return [self.message(item) for item in value]
        if name in ("system", "instructions"):
            return self._content(value, tool=False)
        if name in ("tools", "functions"):
            return self.value(_without_caching(value))
        return self.value(value)

    def message(self, value: Any) -> Any:
        """Returns one message of a history, or an item of it."""
        if not self._endpoint or not isinstance(value, dict):
            return self.value(value)
        return self._told(value, tool=value.get("role") in ("tool", "function"))

    def text(self, text: str) -> str:
        """A text: composed (NFC), with the ends of lines of Unix, masked, ids by their place."""
        if not text.isascii():
            text = unicodedata.normalize("NFC", text)
        if "\r" in text:
            text = text.replace("\r\n", "\n")
        for mask in self._matching.masks:
            text = mask.sub(MASKED, text)
        for pattern in self._matching.ids:
            text = pattern.sub(lambda match: self._link(match[0]), text)
        return text

    def value(self, value: Any) -> Any:
        kind = type(value)
        if kind is str:
            return self.text(value)
        if kind is dict:
            return {
                name if name.isascii() else self.text(name): (
                    self._arguments(item)
                    if name == "arguments" and type(item) is str
                    else self.value(item)
                )
                for name, item in value.items()
                if item is not None
            }
        if kind is list:
            return [self.value(item) for item in value]
        return self._number(value) if kind in (int, float) else value

    def _number(self, value: float) -> Any:
        if self._matching.masks:
            text = json.dumps(value)
            if any(mask.fullmatch(text) for mask in self._matching.masks):
                return MASKED
        return int(value) if type(value) is float and value.is_integer() else value

    def _told(self, value: dict[str, Any], *, tool: bool) -> dict[str, Any]:
        """Returns a message, one of its parts, or a call of a tool."""
        kind = value.get("type")
        tool = tool or kind in ("tool_result", "function_call_output")
        found: dict[str, Any] = {}
        for name, item in value.items():
            if self._says_nothing(name, item, value):
                continue
            if name in LINKS and isinstance(item, str):
                found[name] = self._link(item)
            elif name == "id" and (kind == "tool_use" or "function" in value):
                found[name] = self._link(str(item))
            elif name in ("content", "output"):
                content = self._content(item, tool=tool)
                found.update({} if content in ("", []) else {name: content})
            elif name == "tool_calls" and isinstance(item, list):
                found[name] = [self._part(each, tool=False) for each in item]
            elif name == "arguments" and isinstance(item, str):
                found[name] = self._arguments(item)
            else:
                found[name if name.isascii() else self.text(name)] = self.value(item)
        return found

    @staticmethod
    def _says_nothing(name: str, item: Any, holder: dict[str, Any]) -> bool:
        """Says whether a member makes no other message, part or call of a tool."""
        if item is None or name == "cache_control" or _is_one_of(item, UNTOLD.get(name, ())):
            return True
        called = "function" in holder
        own = holder.get("type") in OWN_IDS and not called
        return (name == "index" and called) or (name == "id" and own)

    def _part(self, value: Any, *, tool: bool) -> Any:
        return self._told(value, tool=tool) if isinstance(value, dict) else self.value(value)

    def _content(self, value: Any, *, tool: bool) -> Any:
        """What a message says: a text, however it is wrapped; a tool's JSON by its meaning."""
        if isinstance(value, list):
            if len(value) != 1 or not _is_text(value[0]):
                return [self._wrapped(item) or self._part(item, tool=tool) for item in value]
            value = value[0]["text"]
        if isinstance(value, str):
            if tool and value.lstrip()[:1] in ("{", "["):
                plain = parse("application/json", value.encode("utf-8", "surrogatepass"))
                if plain is not UNREADABLE:
                    return {"json": self.value(plain)}
            return self.text(value)
        return self.value(value)

    def _wrapped(self, value: Any) -> Any:
        return {"type": "text", "text": self.text(value["text"])} if _is_text(value) else None

    def _arguments(self, text: str) -> Any:
        """Returns the arguments of a tool call: JSON in a string, spaced as the model pleased."""
        value = parse("application/json", text.encode("utf-8", "surrogatepass"))
        return self.text(text) if value is UNREADABLE else self.value(value)

    def _link(self, text: str) -> str:
        return f"{BY_PLACE}{self.links.setdefault(text, len(self.links)) + 1}"


def listed(name: str, value: Any, endpoint: str) -> Any:
    """Returns a member that may be one text or a list, as the list."""
    if not endpoint or not isinstance(value, str):
        return value
    if name == "input":
        return [{"role": "user", "content": value}] if endpoint == "responses" else [value]
    return [value] if name == "stop" else value


def _is_text(value: Any) -> bool:
    """Says whether a part of a message is a text and nothing else."""
    if not isinstance(value, dict) or value.get("type") not in TEXT_TYPES:
        return False
    if not isinstance(value.get("text"), str):
        return False
    silent = {"type", "text", "cache_control"}
    return all(
        name in silent or item is None or _is_one_of(item, UNTOLD.get(name, ()))
        for name, item in value.items()
    )


def _is_one_of(value: Any, known: tuple[Any, ...]) -> bool:
    """Says whether it equals one of these; true is not 1 here."""
    if isinstance(value, bool):
        return any(value is each for each in known)
    return any(value == each and not isinstance(each, bool) for each in known)


def _pruned(value: Any, place: JsonPlace) -> Any:
    """Returns the value without what paths from here lead to."""
    if not place:
        return value
    if isinstance(value, dict):
        below = ((name, item, place.at(name)) for name, item in value.items())
        return {name: _pruned(item, after) for name, item, after in below if not after.found}
    if isinstance(value, list):
        items = ((item, place.at(number)) for number, item in enumerate(value))
        return [_pruned(item, after) for item, after in items if not after.found]
    return value


def _without_caching(value: Any) -> Any:
    """Tools without what says which of them the provider shall cache, and `strict: false`."""
    if isinstance(value, list):
        return [_without_caching(item) for item in value]
    if not isinstance(value, dict):
        return value
    function = value.get("function")
    kept = {n: v for n, v in value.items() if n != "cache_control" and (n, v) != ("strict", False)}
    return {**kept, "function": _without_caching(function)} if isinstance(function, dict) else kept
