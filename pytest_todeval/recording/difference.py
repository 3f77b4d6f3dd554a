"""The first difference between two requests, word by word."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any

from pytest_todeval.recording.bodies import UNREADABLE, parse, to_json
from pytest_todeval.recording.call import Request
from pytest_todeval.recording.key import call_key, plain_members, request_parts
from pytest_todeval.recording.matching import EXACT, Matching
from pytest_todeval.recording.words import common

WINDOW = 80
"""Words after the first that differs in which the two texts are brought together again."""
SHOWN_WORDS = 12
SHOWN_CHARACTERS = 160
ABSENT: Any = object()
WORDS = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class BodyDifference:
    """Where two requests first differ within one member of their bodies."""

    part: str
    """The member: `messages`, `tools`, `model`, ...; or `method`, `path`, `query`, `body`."""
    where: str
    """E.g. `messages[0] (system) word 217`."""
    recorded: str
    """What stands there, for a person; empty if only the request has something."""
    now: str
    role: str = ""
    """Of the message in which they differ."""
    text: str = ""
    """All of the text now in which they differ."""
    offset: int = 0
    """Where in it they do, in characters."""

    def __str__(self) -> str:
        if not self.recorded:
            return f"{self.where}: new {self.now}"
        if not self.now:
            return f"{self.where}: {self.recorded} is gone"
        return f"{self.where}: {self.recorded} -> {self.now}"


def differences(
    recorded: Request, now: Request, matching: Matching = EXACT
) -> Iterator[BodyDifference]:
    """The first difference in each part of two requests, by the meaning that keys give them."""
    bodies = plain_members(recorded, matching), plain_members(now, matching)
    for part in ("method", "path", "query"):
        before, after = getattr(recorded, part), getattr(now, part)
        if before != after and call_key(recorded, matching) != call_key(
            replace(recorded, **{part: after}), matching
        ):
            yield BodyDifference(part, part, shown(before), shown(after))
    if bodies[0] is not None and bodies[1] is not None:
        yield from _members(bodies[0], bodies[1])
        return
    if request_parts(recorded, matching) == request_parts(now, matching):
        return
    before = parse(recorded.content_type, recorded.body)
    after = parse(now.content_type, now.body)
    if before is UNREADABLE or after is UNREADABLE:
        yield _first(_text(recorded.body), _text(now.body), "body", "body", "")
    else:
        yield _descend(before, after, "body", "body", "")


def shown(value: object) -> str:
    """A value for a person: JSON, short, without characters that a terminal would act on."""
    text = to_json(value)
    if len(text) > SHOWN_CHARACTERS:
        text = f"{text[:SHOWN_CHARACTERS]}..."
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)


def _members(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[BodyDifference]:
    for name in dict.fromkeys((*after, *before)):
        old, new = before.get(name, ABSENT), after.get(name, ABSENT)
        if old != new:
            yield _descend(old, new, name, shown_name(name), "")


def shown_name(name: str) -> str:
    """Returns the name of a member: as it is, or quoted if it is not plain."""
    return name if re.fullmatch(r"[\w.-]{1,60}", name) else shown(name)


def _descend(before: Any, after: Any, part: str, where: str, role: str) -> BodyDifference:
    if isinstance(before, dict) and isinstance(after, dict):
        role = _role(after) or role
        for name in dict.fromkeys((*after, *before)):
            old, new = before.get(name, ABSENT), after.get(name, ABSENT)
            if old != new:
                inner = (
                    where if name == "content" and _role(after) else f"{where}.{shown_name(name)}"
                )
                return _descend(old, new, part, inner, role)
    if isinstance(before, list) and isinstance(after, list):
        for index, (old, new) in enumerate(zip_longest(before, after, fillvalue=ABSENT)):
            if old != new:
                return _descend(old, new, part, _item(where, index, old, new), role)
    if isinstance(before, str) and isinstance(after, str):
        return _first(before, after, part, where, role)
    return _whole(before, after, part, where, role)


def _item(where: str, index: int, before: object, after: object) -> str:
    role = _role(after) or _role(before)
    return f"{where}[{index}]" + (f" ({role})" if role else "")


def _role(value: object) -> str:
    role = value.get("role") if isinstance(value, dict) else None
    return role if isinstance(role, str) and role.isidentifier() else ""


def _whole(before: object, after: object, part: str, where: str, role: str) -> BodyDifference:
    content = after.get("content") if isinstance(after, dict) else after
    return BodyDifference(
        part,
        where,
        "" if before is ABSENT else shown(_brief(before)),
        "" if after is ABSENT else shown(_brief(after)),
        role or _role(after) or _role(before),
        content if isinstance(content, str) else "",
    )


def _brief(value: object) -> object:
    """Of a message its text: the role stands before it already."""
    content = value.get("content") if isinstance(value, dict) and _role(value) else None
    return content if isinstance(content, str) else value


def _first(before: str, after: str, part: str, where: str, role: str) -> BodyDifference:
    """Returns where two texts differ: by words, or by characters if only white space differs."""
    old, new = list(WORDS.finditer(before)), list(WORDS.finditer(after))
    at = common([m[0] for m in old], [m[0] for m in new])
    if at == len(old) == len(new):
        return _by_character(before, after, part, where, role)
    offset = new[at].start() if at < len(new) else len(after)
    gone, come = _spans([m[0] for m in old[at:]], [m[0] for m in new[at:]])
    if max(len(old), len(new)) > 1:
        where = f"{where} word {at + 1}"
    return BodyDifference(part, where, _quoted(gone), _quoted(come), role, after, offset)


def _spans(old: list[str], new: list[str]) -> tuple[list[str], list[str]]:
    """Returns the words that gave way and those that came, up to where the texts agree again."""
    old, new = old[:WINDOW], new[:WINDOW]
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    block = next(block for block in blocks if block.size or block.a == len(old))
    return old[: block.a], new[: block.b]


def _quoted(words: list[str]) -> str:
    if not words:
        return ""
    more = " ..." if len(words) > SHOWN_WORDS else ""
    return shown(" ".join(words[:SHOWN_WORDS]) + more)


def _by_character(before: str, after: str, part: str, where: str, role: str) -> BodyDifference:
    at = common(before, after)
    start = max(0, at - 20)
    old, new = shown(before[start : at + 20]), shown(after[start : at + 20])
    return BodyDifference(
        part, f"{where} character {at + 1} (white space)", old, new, role, after, at
    )


def _text(body: bytes) -> str:
    return body.decode("utf-8", "backslashreplace")
