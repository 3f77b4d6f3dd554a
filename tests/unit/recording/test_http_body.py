"""Bodies of requests that come to a server of ours: each end that they may have."""

import io
from email.message import Message

import pytest

from pytest_todeval.http_body import BodyTooLarge, Gone, UnreadableBody, body_of


def body(data: bytes, most: int = 10, /, **headers: str | list[str]) -> tuple[bytes, bytes]:
    """The body, and what is left of the stream behind it."""
    message = Message()
    for name, values in headers.items():
        for value in [values] if isinstance(values, str) else values:
            message[name.replace("_", "-")] = value
    stream = io.BytesIO(data)
    return body_of(stream, message, most), stream.read()


def test_a_body_is_as_long_as_its_header_says() -> None:
    assert body(b"abc") == (b"", b"abc")
    assert body(b"abcd", Content_Length=" 3 ") == (b"abc", b"d")
    assert body(b"abcd", Content_Length=["3", "3"]) == (b"abc", b"d")
    assert body(b"a" * 10, Content_Length="10") == (b"a" * 10, b"")
    with pytest.raises(BodyTooLarge):
        body(b"a" * 11, Content_Length="11")
    with pytest.raises(Gone):
        body(b"ab", Content_Length="3")
    for wrong in (["3", "4"], "-1", "", "3x", "1" * 13):
        with pytest.raises(UnreadableBody, match="Content-Length: expected one number"):
            body(b"abcd", Content_Length=wrong)


@pytest.mark.parametrize("coding", ["chunked", " Chunked "])
def test_chunks_are_put_together(coding: str) -> None:
    data = b"3;x=1\r\nabc\r\nA\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\nnext"
    assert body(data, 13, Transfer_Encoding=coding) == (b"abc0123456789", b"next")
    assert body(b"0\n\n", Transfer_Encoding=coding) == (b"", b"")
    with pytest.raises(BodyTooLarge):
        body(data, 12, Transfer_Encoding=coding)


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"x\r\n", UnreadableBody),
        (b"3\r\nabcd\r\n0\r\n\r\n", UnreadableBody),
        (b"3" + b" " * 4096 + b"\r\n", UnreadableBody),
        (b"3" + b" " * 4093 + b"\r\nabc", Gone),
        (b"1" * 13 + b"\r\n", UnreadableBody),
        (b"", Gone),
        (b"3\r\nab", Gone),
        (b"0\r\n", Gone),
    ],
)
def test_chunks_without_an_end(data: bytes, error: type[Exception]) -> None:
    with pytest.raises(error) as raised:
        body(data, Transfer_Encoding="chunked")
    assert type(raised.value) is error


def test_what_says_its_length_twice_is_refused() -> None:
    with pytest.raises(UnreadableBody, match="expected `chunked`, and no Content-Length"):
        body(b"0\r\n\r\n", Transfer_Encoding="chunked", Content_Length="5")
    with pytest.raises(UnreadableBody, match="expected `chunked`"):
        body(b"0\r\n\r\n", Transfer_Encoding="gzip")
