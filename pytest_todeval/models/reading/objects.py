"""JSON objects in a reply: bare, in a code fence or with text around them.

Python's spelling (`'...'`, `True`, `None`) and commas before a bracket's end are understood by
rewriting tokens; nothing is evaluated. The work grows with the length of the text, no faster.
"""

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NoReturn

from pytest_todeval.models.reading.answer_text import answer_text
from pytest_todeval.models.reading.reader import Unreadable

OBJECT = "\ufffc"
"""Stands for each character of an object in the text around it."""

DEPTH = 32
"""Of brackets in brackets; no answer that is asked for has more than a few."""

# A string runs to its closing quote or to the end of the text, so that each character is looked at
# once. A single quote opens one only where a value can begin: elsewhere it is an apostrophe.
_STRING = (
    r'"(?:[^"\\]|\\(?s:.)|\\\Z)*+(?:"|\Z)'
    r"|(?<=[\s{\[,:(])'(?:[^'\\]|\\(?s:.)|\\\Z)*+(?:'|\Z)"
)
_BRACKET = re.compile(rf"{_STRING}|[{{}}\[\]]")
_TOKEN = re.compile(rf"(?P<string>{_STRING})|\b(?P<name>True|False|None)\b|,(?=\s*+[}}\]])")
_ESCAPE = re.compile(
    r"\\(?:x(?P<byte>[0-9a-fA-F]{2})|U(?P<code>[0-9a-fA-F]{8})|(?P<any>(?s:.)))" r'|"'
)
_CLOSES = {"{": "}", "[": "]"}
_NAMES = {"True": "true", "False": "false", "None": "null"}
_QUOTES = frozenset("\"'\u201c\u201d")


def find_object(text: str) -> dict[str, object]:
    """Returns the JSON object in a reply.

    Raises Unreadable if there is none, one that is broken, or several that differ.
    """
    found, _ = find_objects(text)
    if not found:
        raise Unreadable("there is no JSON object in the answer")
    if len(found) > 1:
        raise Unreadable(f"there are {len(found)} different JSON objects in the answer")
    return found[0]


def find_objects(text: str) -> tuple[list[dict[str, object]], str]:
    """Returns the different JSON objects in a reply, and the text around them, at the same places.

    Raises Unreadable if one is broken: an object within it, or one beside it, might be no more
    than a part of the answer. Braces without any quote (`{name}`) are text.
    """
    text = answer_text(text).replace(OBJECT, " ")
    found: dict[str, dict[str, object]] = {}
    around, done = [], 0
    for start, end in _spans(text):
        value = _load(text[start:end])
        if value is not None:
            found.setdefault(*value)
            around += [text[done:start], OBJECT * (end - start)]
            done = end
    return list(found.values()), "".join([*around, text[done:]])


def _spans(text: str) -> Iterator[tuple[int, int]]:
    start = text.find("{")
    while start >= 0:
        end = _end(text, start)
        yield start, end
        start = text.find("{", end)


def _end(text: str, start: int) -> int:
    expected: list[str] = []
    for match in _BRACKET.finditer(text, start):
        token = match.group()
        if token in _CLOSES:
            expected.append(_CLOSES[token])
            if len(expected) > DEPTH:
                raise Unreadable(f"more than {DEPTH} brackets in brackets")
        elif token in _CLOSES.values() and token != expected.pop():
            raise Unreadable(f"a bracket in the answer is closed by {token!r}")
        if not expected:
            return match.end()
    raise Unreadable("a brace in the answer is never closed")


def _load(span: str) -> tuple[str, dict[str, object]] | None:
    """Its canonical text and the object; None for braces in a text: no quote, thus no key."""
    if span.strip("{} \t\r\n") and not _QUOTES & set(span):
        return None
    try:
        value = json.loads(
            _TOKEN.sub(_as_json, span),
            strict=False,
            object_pairs_hook=_object,
            parse_constant=not_json,
            parse_float=_finite,
        )
        return _canonical(value), value
    except (ValueError, RecursionError):
        raise Unreadable("what stands in braces is not a JSON object") from None


def _as_json(token: re.Match[str]) -> str:
    if token["string"]:
        return '"' + _ESCAPE.sub(_as_json_escape, token["string"][1:-1]) + '"'
    return _NAMES[token["name"]] if token["name"] else ""


def _as_json_escape(found: re.Match[str]) -> str:
    if found["byte"]:
        return f"\\u00{found['byte']}"
    if found["code"]:
        return chr(int(found["code"], 16))
    if found["any"]:
        return "'" if found["any"] == "'" else found.group()
    return '\\"'


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs) and any(_canonical(value[key]) != _canonical(v) for key, v in pairs):
        raise ValueError("a key has two values")
    return value


def _canonical(value: object) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=False)
    text.encode()  # half a surrogate pair, written as an escape, could not be stored
    return text


def not_json(name: str) -> NoReturn:
    """Raises ValueError for `NaN` and its like, which Python would read."""
    raise ValueError(f"{name} is not JSON")


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError(f"{digits} is too large")
    return value


_WRAPPING = re.compile(r"```[a-z]{0,10}|</?[a-z_]{1,20}>", re.IGNORECASE)
REASONS = ("reason", "justification", "explanation", "rationale", "reasoning")


def folded(value: Mapping[str, object]) -> dict[str, object]:
    """Returns the object with its keys in lower case. Raises Unreadable if two keys become one."""
    result: dict[str, object] = {}
    for key, each in value.items():
        if result.setdefault(fold(key), each) is not each:
            raise Unreadable(f"the key {key!r} is there twice")
    return result


def fold(key: str) -> str:
    """Returns a key or a word as it is compared."""
    return " ".join(key.casefold().split())


def find_answer(text: str, keys: Iterable[str]) -> tuple[dict[str, object] | None, str]:
    """Returns the object that has one of the keys, folded, or None; and the text around all
    objects, at the same places as in `answer_text`.

    Objects with none of them are material that the model quotes. Raises Unreadable if it is not
    certain that the object is the answer: there are others, or words before it and behind it, as
    when a judge tells of an object that the bot wrote.
    """
    wanted = {fold(key) for key in keys}
    found, around = find_objects(text)
    answers = [each for each in map(folded, found) if wanted & each.keys()]
    if len(answers) > 1:
        raise Unreadable(f"there are {len(answers)} different answers in it")
    if answers and (len(found) > 1 or _within_words(around)):
        raise Unreadable("the JSON object in the answer might be a quotation")
    return (answers[0] if answers else None), around


def _within_words(around: str) -> bool:
    words = _WRAPPING.sub(" ", around)
    before, after = words[: words.index(OBJECT)], words[words.rindex(OBJECT) :]
    return any(map(str.isalnum, before)) and any(map(str.isalnum, after))


def reason_in(value: Mapping[str, object]) -> str:
    """Returns the reason given in a folded object; empty if none is."""
    for key in REASONS:
        reason = value.get(key)
        if isinstance(reason, str):
            return reason.strip()
    return ""
