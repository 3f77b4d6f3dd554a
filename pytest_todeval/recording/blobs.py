"""Blobs: large bodies, each in a file of its own beside the cassettes, named by its hash.

So speech and pictures make no cassette long, and stand once however many calls send them.
"""

import re
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

from pytest_todeval.recording.cassette_text import MAX_BYTES
from pytest_todeval.recording.files import replace_file

FOLDER = "blobs"
LEAST_BINARY, LEAST_TEXT = 16 << 10, 1 << 20
"""Bytes from which on a body is a blob."""
NAME = re.compile(r"[0-9a-f]{32}")
REFERENCE = re.compile(rb'"file": ?"([0-9a-f]{32})","size"')
"""In the line of a call; within a string its quotes would be escaped."""


def is_blob(body: bytes) -> bool:
    """Says whether a body goes to a file of its own."""
    if len(body) < LEAST_BINARY:
        return False
    return len(body) >= LEAST_TEXT or not _is_text(body)


def _is_text(body: bytes) -> bool:
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return True


def name_of(body: bytes) -> str:
    return blake2b(body, digest_size=16).hexdigest()


def place(cassette: Path, name: str) -> Path:
    """Returns where a blob of a cassette is."""
    return cassette.parent / FOLDER / name


def write_blob(cassette: Path, name: str, body: bytes) -> None:
    """Brings a blob to the disk, if it is not there. Raises UsageError."""
    path = place(cassette, name)
    if not path.exists() or path.stat().st_size != len(body):
        replace_file(path, [body])


def read_blob(cassette: Path, packed: Mapping[str, Any]) -> bytes:
    """Returns the body that `{"file": NAME, "size": BYTES}` stands for. Raises ValueError."""
    name, size = packed["file"], packed.get("size")
    if not isinstance(name, str) or NAME.fullmatch(name) is None or type(size) is not int:
        raise ValueError("a blob is named by 32 hexadecimal digits and `size`")
    path = place(cassette, name)
    try:
        # What is asked first, so that no other file of that name is read at length.
        found = path.stat().st_size
        body = path.read_bytes() if found == size <= MAX_BYTES else b""
    except OSError as error:
        raise ValueError(f"its blob {path} cannot be read: {error.strerror}") from error
    if found != size or name_of(body) != name:
        raise ValueError(f"its blob {path} is not the one that was recorded")
    return body


def blobs_named_in(cassette: Path) -> Iterator[str]:
    """Returns the names of the blobs that a cassette or a journal refers to, as its text stands."""
    yield from (name.decode() for name in REFERENCE.findall(cassette.read_bytes()))
