"""Secrets: what may stand in a cassette, and the scan that refuses to write what must not."""

import os
import re
from base64 import b64decode
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any
from urllib.parse import parse_qsl, quote

from pytest_todeval.recording.redaction.excerpt import printed
from pytest_todeval.recording.redaction.keys import KEYS
from pytest_todeval.recording.redaction.memory import guises, in_base64, of_environment
from pytest_todeval.recording.redaction.names import (
    LONGEST_NAME,
    is_secret_value,
    named_texts,
    plain_name,
)
from pytest_todeval.recording.redaction.personal import EMAIL
from pytest_todeval.recording.redaction.placeholder import PLACEHOLDER, REMOVED, without_tokens
from pytest_todeval.recording.redaction.shape import Shapes
from pytest_todeval.recording.redaction.shapes import SHAPES
from pytest_todeval.recording.redaction.stream import put_together

KEPT_HEADERS = re.compile(
    r"content-type|etag|last-modified|link|location|retry-after(-\w+)?|x-should-retry|x-todeval-cut"
)
IN_LINK = re.compile(r"<([^<>]*)>")
COOKIE = re.compile(r"[^=;\s]{1,200}=" + PLACEHOLDER)
USER = re.compile(r"^((?:[A-Za-z][A-Za-z0-9+.-]*:)?[/\\]{2})[^/\\]*@")
KEYS_ALONE = Shapes(KEYS)


def kept_headers(headers: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """The response headers that may stand in a cassette, names in lower case; the rest is dropped.

    An allow-list: `content-type`, `location` and `link` (without credentials), `etag`,
    `last-modified`, `retry-after`, `retry-after-ms`, `x-should-retry`, our own `x-todeval-cut`, and
    those that the redactor gave a placeholder.
    """
    low = ((name.lower(), value) for name, value in headers)
    return tuple(
        (name, _without_credentials(name, value))
        for name, value in low
        if KEPT_HEADERS.fullmatch(name) or _is_placeholder(value)
    )


def _is_placeholder(value: str) -> bool:
    """Says whether it is nothing else, or a cookie's name and nothing else."""
    return value == PLACEHOLDER or COOKIE.fullmatch(value) is not None


def kept_query(query: str, kept: Collection[str] = ()) -> str:
    """Returns the query without the values of credentials: they identify no call and are not kept.

    Names that are `kept` (as `names.plain_name` has them) hold none.
    """
    return "&".join(_without_credential(part, kept) for part in query.split("&"))


def _without_credential(part: str, kept: Collection[str]) -> str:
    for name, value in parse_qsl(part, keep_blank_values=True):
        if plain_name(name) not in kept and is_credential(name, value):
            return f"{quote(name)}={REMOVED}"
    return part


def _without_credentials(name: str, value: str) -> str:
    if name == "link":
        return IN_LINK.sub(lambda found: f"<{_kept_location(found[1])}>", value)
    return _kept_location(value) if name == "location" else value


def _kept_location(url: str) -> str:
    """Where a redirect leads, without user, password, fragment and credentials of the query."""
    place, mark, query = url.partition("#")[0].partition("?")
    place = USER.sub(r"\1", place)
    return place + mark + (kept_query(query) if query else "")


def is_credential(name: str, value: str) -> bool:
    """Says whether a parameter of a query is there to let the caller in."""
    if is_secret_value(name, value or REMOVED, parameter=True, given=True):
        return True
    return any(value[start:end] == value for _, (start, end) in KEYS_ALONE.found_in(value))


class Scanner:
    """Looks for secrets in what is about to be written; knows the keys of this environment.

    `emails` makes e-mail addresses secrets, too. Names that are `kept` (`names.plain_name`) hold
    no secret.
    """

    def __init__(
        self,
        environ: Mapping[str, str] | None = None,
        *,
        emails: bool = False,
        kept: Collection[str] = (),
    ) -> None:
        self.environ = os.environ if environ is None else environ
        self.shapes = Shapes((*SHAPES, EMAIL)) if emails else SHAPES
        self.kept = kept
        self._clean: set[str] = set()

    @cached_property
    def values(self) -> tuple[tuple[str, str], ...]:
        """Returns each secret of the environment, in each guise it travels in, and what it is."""
        return tuple(
            (guise, f"the value of the environment variable {name}")
            for name, value in of_environment(self.environ)
            for guise in sorted(guises(value) | in_base64(value.encode("utf-8", "replace")))
        )

    def find(self, text: str) -> str | None:
        """Returns what kind of secret stands in a text; None if there is none."""
        for value, name in self.values:
            if value in text:
                return name
        return next((shape.name for shape, _ in self.shapes.found_in(text, self.kept)), None)

    def find_in(self, name: str, body: bytes) -> str | None:
        """What kind of secret stands in a blob; None if there is none. Asked again, it knows."""
        if name in self._clean:
            return None
        try:
            found = self.find(body.decode())
        except UnicodeDecodeError:
            beyond = ((value.encode("utf-8", "replace"), what) for value, what in self.values)
            found = self.find(printed(body).text) or next(
                (what for value, what in beyond if not value.isascii() and value in body), None
            )
        if found is None:
            self._clean.add(name)
        return found

    def place(self, value: Any, text: str) -> tuple[str, str] | None:
        """Where in a JSON value a secret stands, as a path, and what kind; None if there is none.

        `text` is its JSON. Looks into base64, and into the texts that the events of a stream add up
        to.
        """
        if not self._is_suspicious(value, text):
            return None
        for path, text in _strings(value, "$"):
            found = self.find(text)
            if found:
                return self._shown(path), found
        return next(self._named(value), ("$", "a secret"))

    def _named(self, value: Any) -> Iterator[tuple[str, str]]:
        """Members of JSON objects whose names say that they hold credentials."""
        for path, name, text in named_texts(value):
            if plain_name(name) not in self.kept and is_secret_value(
                name, without_tokens(text), parameter=False, given=False
            ):
                yield path, "a credential with its name"

    def _shown(self, path: str) -> str:
        """Returns the path; its names are as little to be trusted as its values."""
        return "a name" if self.find(path) else path

    def _is_suspicious(self, value: Any, text: str) -> bool:
        """Says whether it needs a closer look, which takes longer."""
        if self.find(text) is not None or any(self.find(each) for each in _hidden(value)):
            return True
        return next(self._named(value), None) is not None


def _strings(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Returns each string and name of a JSON value with its path; then what none of them shows."""
    yield from _plain_strings(value, path)
    for text in _hidden(value):
        yield f"{path}.response (decoded or put together)", text


def _plain_strings(value: Any, path: str) -> Iterator[tuple[str, str]]:
    todo = [(path, value)]
    while todo:
        path, value = todo.pop()
        if isinstance(value, str):
            yield path, value
        elif isinstance(value, dict):
            for name, item in value.items():
                yield f"{path} (a name)", name
                todo.append((f"{path}.{name[:LONGEST_NAME]}", item))
        elif isinstance(value, list):
            todo.extend((f"{path}[{number}]", item) for number, item in enumerate(value))


def _hidden(value: Any) -> Iterator[str]:
    """Texts that no single string shows: binary bodies, and streamed texts, event by event."""
    if not isinstance(value, dict):
        return
    for part in (value.get("request"), value.get("response")):
        if isinstance(part, dict):
            yield from _decoded(part)
            if isinstance(part.get("events"), list):
                yield from put_together(part["events"])
                for event in part["events"]:
                    yield from _decoded(event) if isinstance(event, dict) else ()


def _decoded(part: Mapping[str, Any]) -> Iterator[str]:
    if isinstance(part.get("base64"), str):
        yield printed(b64decode(part["base64"])).text
