"""Secrets that were seen where secrets travel: they are recognised wherever else they turn up."""

import json
import os
import re
import threading
from base64 import b64encode
from collections.abc import Iterator, Mapping
from urllib.parse import quote, quote_plus

from pytest_todeval.recording.redaction.placeholder import PLACEHOLDER
from pytest_todeval.recording.redaction.spans import places

SECRET_NAMES = re.compile("KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|_PASS$|_PWD$", re.IGNORECASE)
LEAST_LENGTH = 8
MOST = 500
"""Secrets that are remembered at a time; the environment's are not counted."""
LONGEST = 8192
RUN = re.compile(r"[A-Za-z0-9+/_=-]")

_DECLARED: dict[str, None] = {}


def declare_secret(value: str) -> None:
    """Has it taken out wherever this process redacts: a person gave it as a credential."""
    _DECLARED.update(dict.fromkeys(sorted(guises(value))))


def of_environment(environ: Mapping[str, str] | None = None) -> Iterator[tuple[str, str]]:
    """Returns the name and the value of each variable that holds a secret, by its name."""
    for name, value in sorted((os.environ if environ is None else environ).items()):
        if SECRET_NAMES.search(name) and len(value.strip()) >= LEAST_LENGTH:
            yield name, value.strip()


def guises(value: str) -> set[str]:
    """Returns a value in each form in which texts hold it: plain, escaped, percent-encoded."""
    once = json.dumps(value)[1:-1]
    plain = json.dumps(value, ensure_ascii=False)[1:-1]
    twice = {json.dumps(once)[1:-1], json.dumps(plain, ensure_ascii=False)[1:-1]}
    return {value, once, plain, quote(value), quote(value, safe=""), quote_plus(value)} | twice


def in_base64(value: bytes) -> set[str]:
    """What every base64 text that contains the value contains, at each of three alignments."""
    found = set()
    for before in range(3):
        start = (before * 8 + 5) // 6
        end = (before + len(value)) * 8 // 6
        found.add(b64encode(bytes(before) + value).decode()[start:end])
    return found


def is_memorable(value: str) -> bool:
    """Says whether a value is one that a sentence holds only where the secret itself stands."""
    if not LEAST_LENGTH <= len(value) <= LONGEST:
        return False
    return any(map(str.isdigit, value)) and any(map(str.isalpha, value))


class SecretMemory:
    """The secrets known so far, of this process. Threads may ask and tell at once."""

    def __init__(self, environ: Mapping[str, str] | None = None) -> None:
        self._lock = threading.Lock()
        self._given: tuple[str, ...] = ()
        self._within: tuple[str, ...] = ()
        for _, value in of_environment(environ):
            if is_memorable(value):
                self._given += tuple(sorted(guises(value)))
                self._within += tuple(sorted(in_base64(value.encode("utf-8", "replace"))))
        self._seen: dict[str, None] = {}
        self._added = 0

    @property
    def version(self) -> int:
        return self._added + len(_DECLARED)

    def add(self, value: str) -> None:
        """Remember a secret; not one that could be a word of a dialogue."""
        value = value.strip()
        if value in self._seen or PLACEHOLDER in value or not is_memorable(value):
            return
        with self._lock:
            seen = {**self._seen, **dict.fromkeys(sorted(guises(value)))}
            self._seen = dict(list(seen.items())[-MOST:])
            self._added += 1

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Returns where in a text they stand."""
        for value in (*self._given, *self._seen, *_DECLARED):
            yield from places(text, value)
        for piece in self._within:
            for start, end in places(text, piece):
                yield _run(text, start, end)

    def spans_in_bytes(self, body: bytes) -> Iterator[tuple[int, int]]:
        """Returns where among bytes stand those that no ASCII text can hold."""
        for value in (*self._given, *self._seen, *_DECLARED):
            if not value.isascii():
                yield from places(body, value.encode("utf-8", "replace"))


def _run(text: str, start: int, end: int) -> tuple[int, int]:
    """Returns all of the base64 around a piece of it."""
    while start > 0 and RUN.match(text[start - 1]):
        start -= 1
    while end < len(text) and RUN.match(text[end]):
        end += 1
    return start, end
