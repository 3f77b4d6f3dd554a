"""Secrets: what may stand in a cassette, and the scan that refuses to write what must not."""

import json
import os
import re
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import parse_qsl, quote, quote_plus

__all__ = ["Scanner", "is_credential", "kept_headers", "kept_query"]

KEPT_HEADERS = re.compile(r"content-type|location|retry-after(-\w+)?|x-should-retry|x-todeval-cut")
CREDENTIAL_NAMES = re.compile(
    r"(x[-_])?(api|subscription|ocp-apim-subscription)[-_]?key|(access|auth|id|refresh|security)?[-_]?token"
    r"|(client[-_]?)?secret|password|sig|signature|x-(amz|goog)-(signature|credential|security-token)",
    re.IGNORECASE,
)
SECRET_NAMES = re.compile("KEY|TOKEN|SECRET|PASSWORD", re.IGNORECASE)
LEAST_LENGTH = 8
REMOVED = "removed"
USER = re.compile(r"^((?:[A-Za-z][A-Za-z0-9+.-]*:)?[/\\]{2})[^/\\]*@")
DATA = re.compile(r"^data: ?(.*)$", re.MULTILINE)
SHOWN_NAME = 60

# A key starts where a word starts; `\n`, `\t` and `\u00e9` before it are escapes, not words.
START = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrtbf])|(?<=\\u[0-9A-Fa-f]{4}))"


@dataclass(frozen=True, slots=True)
class Shape:
    """What a kind of secret looks like."""

    name: str
    hint: str
    """In lower case; stands in each of them, and is found fast."""
    pattern: re.Pattern[str]


def _shape(name: str, hint: str, pattern: str) -> Shape:
    return Shape(name, hint, re.compile(pattern))


SHAPES = (
    # `sk-` also ends words (task-..., disk-...), the others nothing that is written
    _shape("an API key (sk-...)", "sk-", START + r"sk-[A-Za-z0-9_-]{16,}"),
    _shape(
        "an API key (sk-...)",
        "sk-",
        r"sk-(?:proj|ant|svcacct|admin)-(?=[A-Za-z_-]{0,100}[0-9])[A-Za-z0-9_-]{16,}",
    ),
    _shape("a Stripe key", "k_live_", r"[sr]k_live_[A-Za-z0-9]{16,}"),
    _shape("a Groq key", "gsk_", r"gsk_[A-Za-z0-9]{20,}"),
    _shape("an AWS access key id", "akia", r"AKIA[A-Z0-9]{16}"),
    _shape("a temporary AWS access key id", "asia", r"ASIA[A-Z0-9]{16}"),
    _shape("a GitHub token", "gh", r"gh[opsur]_[A-Za-z0-9]{20,}"),
    _shape("a GitHub token", "github_pat_", r"github_pat_[A-Za-z0-9_]{20,}"),
    _shape("a GitLab token", "glpat-", r"glpat-[A-Za-z0-9_-]{16,}"),
    _shape("a Slack token", "xox", r"xox[a-z]-[A-Za-z0-9-]{10,}"),
    _shape("a Google API key", "aiza", r"AIza[A-Za-z0-9_-]{30,}"),
    _shape("a Google access token", "ya29.", r"ya29\.[A-Za-z0-9_-]{16,}"),
    _shape("a Hugging Face token", "hf_", r"hf_[A-Za-z0-9]{20,}"),
    _shape("a private key", "private key", r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----"),
    _shape(
        "a bearer token",
        "bearer",
        r"(?i:bearer)(?:\s|%20|\+|\\[nrt]){1,8}"
        r"(?=[A-Za-z._~+/-]{0,400}[0-9])[A-Za-z0-9._~+/-]{16,}",
    ),
    _shape(
        "a JSON web token",
        "eyj",
        r"(?:(?<![A-Za-z0-9_-])|(?<=\\[nrtbf]))"
        r"eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*",
    ),
)
EMAIL = Shape(
    "an e-mail address",
    "@",
    re.compile(r"[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}"),
)


def kept_headers(headers: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """The response headers that may stand in a cassette, names in lower case; the rest is dropped.

    An allow-list: `content-type`, `location` (without credentials), `retry-after`,
    `retry-after-ms`, `x-should-retry`, and our own `x-todeval-cut`.
    """
    low = ((name.lower(), value) for name, value in headers)
    return tuple(
        (name, _kept_location(value) if name == "location" else value)
        for name, value in low
        if KEPT_HEADERS.fullmatch(name)
    )


def kept_query(query: str) -> str:
    """The query without the values of credentials: they identify no call and are not kept."""
    parts = query.split("&")
    return "&".join(_without_credential(part) for part in parts)


def _without_credential(part: str) -> str:
    for name, value in parse_qsl(part, keep_blank_values=True):
        if is_credential(name, value):
            return f"{quote(name)}={REMOVED}"
    return part


def _kept_location(url: str) -> str:
    """Where a redirect leads, without user, password, fragment and credentials of the query."""
    place, mark, query = url.partition("#")[0].partition("?")
    place = USER.sub(r"\1", place)
    return place + mark + (kept_query(query) if query else "")


def is_credential(name: str, value: str) -> bool:
    """Whether a parameter of a query is there to let the caller in."""
    return bool(CREDENTIAL_NAMES.fullmatch(name)) or _shaped(value, SHAPES) is not None


class Scanner:
    """Looks for secrets in what is about to be written; knows the keys of this environment.

    `emails` makes e-mail addresses secrets, too.
    """

    def __init__(self, environ: Mapping[str, str] | None = None, *, emails: bool = False) -> None:
        self.environ = os.environ if environ is None else environ
        self.shapes = (*SHAPES, EMAIL) if emails else SHAPES

    @cached_property
    def values(self) -> tuple[tuple[str, str], ...]:
        """Each secret of the environment, in each guise it travels in, and what it is."""
        return tuple(
            (guise, f"the value of the environment variable {name}")
            for name, value in sorted(self.environ.items())
            if SECRET_NAMES.search(name) and len(value.strip()) >= LEAST_LENGTH
            for guise in sorted(_guises(value.strip()))
        )

    def find(self, text: str) -> str | None:
        """What kind of secret stands in a text; None if there is none."""
        for value, name in self.values:
            if value in text:
                return name
        return _shaped(text, self.shapes)

    def place(self, value: Any) -> tuple[str, str] | None:
        """Where in a JSON value a secret stands, as a path, and what kind; None if there is none.

        Looks into base64, and into the texts that the events of a stream add up to.
        """
        for path, text in _strings(value, "$"):
            found = self.find(text)
            if found:
                return self._shown(path), found
        return None

    def _shown(self, path: str) -> str:
        """The path; its names are as little to be trusted as its values."""
        return "a name" if self.find(path) else path

    def suspicious(self, text: str, value: Any) -> bool:
        """Whether a line (its JSON and its value) needs a closer look: `place`."""
        return self.find(text) is not None or any(self.find(each) for each in _hidden(value))


def _shaped(text: str, shapes: Iterable[Shape]) -> str | None:
    low = text.lower()
    for shape in shapes:
        if shape.hint in low and shape.pattern.search(text):
            return shape.name
    return None


def _guises(value: str) -> set[str]:
    once = json.dumps(value)[1:-1]
    plain = json.dumps(value, ensure_ascii=False)[1:-1]
    twice = {json.dumps(once)[1:-1], json.dumps(plain, ensure_ascii=False)[1:-1]}
    quoted = {quote(value), quote(value, safe=""), quote_plus(value)}
    return {value, once, plain} | twice | quoted | _in_base64(value.encode("utf-8", "replace"))


def _in_base64(value: bytes) -> set[str]:
    """What every base64 text that contains the value contains, at each of three alignments."""
    found = set()
    for before in range(3):
        start = (before * 8 + 5) // 6
        end = (before + len(value)) * 8 // 6
        found.add(b64encode(bytes(before) + value).decode()[start:end])
    return found


def _strings(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Each string and name of a JSON value with its path; then what none of them shows."""
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
                todo.append((f"{path}.{name[:SHOWN_NAME]}", item))
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
                yield from _streamed(part["events"])


def _decoded(part: Mapping[str, Any]) -> Iterator[str]:
    if isinstance(part.get("base64"), str):
        yield b64decode(part["base64"]).decode("latin-1")


def _streamed(events: list[Any]) -> Iterator[str]:
    texts: dict[str, list[str]] = {}
    for event in events:
        if isinstance(event, dict):
            yield from _decoded(event)
            for path, text in _plain_strings(event, ""):
                texts.setdefault(path, []).append(text)
            if isinstance(event.get("text"), str):
                texts.setdefault("data", []).extend(DATA.findall(event["text"]))
    yield from ("".join(parts) for parts in texts.values())
