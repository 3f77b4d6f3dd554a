"""The fields of forms, as bytes."""

import re
from collections.abc import Iterator

FORM = "application/x-www-form-urlencoded"
_BOUNDARY = re.compile(r'boundary=(?:"([^"]{1,200})"|([^;\s]{1,200}))', re.IGNORECASE)
_NAME = re.compile(rb'content-disposition:[^\r\n]*?[; ]name="?([^"\r\n;]{1,200})', re.IGNORECASE)


def multipart_parts(kind: str, body: bytes) -> Iterator[tuple[str | None, bytes]]:
    """The pieces that a multipart body is put together of.

    The content of each field with the field's name, what lies between them without one.
    """
    found = _BOUNDARY.search(kind)
    if found is None:
        yield None, body
        return
    mark = b"--" + (found[1] or found[2]).encode("utf-8", "replace")
    first, *parts = body.split(mark)
    yield None, first
    for part in parts:
        head, blank, content = part.partition(b"\r\n\r\n")
        name = _NAME.search(head)
        yield None, mark + head + blank
        if not blank:
            continue
        end = content[-2:] if content.endswith(b"\r\n") else b""
        yield (name[1].decode("utf-8", "replace") if name else ""), content.removesuffix(end)
        yield None, end
