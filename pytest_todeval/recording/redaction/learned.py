"""Where recorded requests hold placeholders: whatever stands there now, they may answer it."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

from pytest_todeval.recording.bodies import FORM, UNREADABLE, json_bytes, parse
from pytest_todeval.recording.call import Request
from pytest_todeval.recording.redaction.placeholder import PLACEHOLDER, REMOVED

Target = tuple[str, str]
Path = tuple[str | int, ...]


class Learned:
    """The places of placeholders, by method and path.

    A secret may have been known by its looks, or by the environment, when it was recorded; who
    replays may have another in its place, or a word.
    """

    def __init__(self, requests: Iterable[Request]) -> None:
        self._query: dict[Target, set[str]] = {}
        self._form: dict[Target, set[str]] = {}
        self._json: dict[Target, set[Path]] = {}
        for request in requests:
            self._learn(request)

    def applied(self, request: Request) -> Request | None:
        """Returns the request with a placeholder at each of them; None if that changes nothing."""
        target = request.method, request.path
        found = request
        if target in self._query:
            found = replace(found, query=_query(found.query, self._query[target]))
        if target in self._form:
            found = replace(found, body=_form(found.body, self._form[target]))
        if target in self._json:
            value = parse(request.content_type, request.body)
            for path in self._json[target]:
                value = _put(value, path)
            if value is not UNREADABLE:
                found = replace(found, body=json_bytes(value))
        return None if found == request else found

    def _learn(self, request: Request) -> None:
        target = request.method, request.path
        names = {name for name, value in parse_qsl(request.query) if value == REMOVED}
        if names:
            self._query.setdefault(target, set()).update(names)
        if PLACEHOLDER.encode() not in request.body:
            return
        if request.content_type.partition(";")[0].strip().lower() == FORM:
            pairs = parse_qsl(request.body.decode("utf-8", "replace"))
            names = {name for name, value in pairs if value == PLACEHOLDER}
            self._form.setdefault(target, set()).update(names)
            return
        value = parse(request.content_type, request.body)
        if value is not UNREADABLE:
            self._json.setdefault(target, set()).update(_places(value))


def _places(value: Any) -> Iterable[Path]:
    todo: list[tuple[Path, Any]] = [((), value)]
    while todo:
        path, value = todo.pop()
        if value == PLACEHOLDER:
            yield path
        elif isinstance(value, dict):
            todo += [((*path, name), item) for name, item in value.items()]
        elif isinstance(value, list):
            todo += [((*path, number), item) for number, item in enumerate(value)]


def _put(value: Any, path: Path) -> Any:
    """Returns the value with a placeholder at the end of a path, if a text stands there."""
    if not path:
        return PLACEHOLDER if isinstance(value, str) else value
    name, *rest = path
    if isinstance(value, dict) and name in value:
        return {**value, name: _put(value[name], tuple(rest))}
    if isinstance(value, list) and type(name) is int and name < len(value):
        return [*value[:name], _put(value[name], tuple(rest)), *value[name + 1 :]]
    return value


def _query(query: str, names: set[str]) -> str:
    parts = []
    for part in query.split("&"):
        found = next((name for name, _ in parse_qsl(part) if name in names), None)
        parts.append(part if found is None else f"{quote(found)}={REMOVED}")
    return "&".join(parts)


def _form(body: bytes, names: set[str]) -> bytes:
    pairs = parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True)
    kept = [(name, PLACEHOLDER if name in names else value) for name, value in pairs]
    return body if kept == pairs else urlencode(kept).encode()
