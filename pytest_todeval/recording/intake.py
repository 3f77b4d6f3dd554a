"""What is read of an answer that comes part by part, and how its reading ended."""

from collections.abc import Callable, Iterable

from pytest_todeval.recording.call import Response
from pytest_todeval.recording.transport import (
    CANCELLED,
    STOPPED,
    Recording,
    response_of,
    tell_answer,
)

OVER = b"data: [DONE]"
"""The last event of a stream of chat completions: behind it nothing is lost."""


class Intake:
    """The parts of one answer as its reader gets them; tells the recording how it ended, once.

    `body_of` makes of what came over the wire the body, and whether that is whole; without it the
    parts are the body, and `content-length` says whether they are whole.
    """

    def __init__(
        self,
        recording: Recording,
        status: int,
        headers: Iterable[tuple[str, str]],
        *,
        encoded: bool = True,
        body_of: Callable[[bytes], tuple[bytes, bool]] | None = None,
    ) -> None:
        self._recording, self._status, self._headers = recording, status, list(headers)
        self._encoded, self._body_of = encoded, body_of or self._plain
        self._parts: list[bytes] = []
        self._ended = False
        self.reading = False
        """Whether its reader waits for the next part."""
        recording.began(self)

    @property
    def headers(self) -> list[tuple[str, str]]:
        return self._headers

    def add(self, part: bytes) -> None:
        self._parts.append(part)

    def ended(self) -> None:
        self._tell(None)

    def broke(self, error: Exception) -> None:
        self._tell(error)

    def stopped(self) -> None:
        """The reader had enough, or is gone."""
        self._tell(STOPPED)

    def cancelled(self) -> None:
        """The reader was cancelled while it waited for the next part."""
        self._tell(CANCELLED)

    def read(self) -> bytes:
        """Returns what has come so far, as it came."""
        return b"".join(self._parts)

    def _tell(self, cut: Exception | str | None) -> None:
        if self._ended:
            return
        self._ended, self.reading = True, False
        body, whole = self._body_of(self.read())
        self._parts.clear()

        def response() -> Response:
            made = self._response(body, cut)
            ended = cut == STOPPED and (whole or made.body.rstrip().endswith(OVER))
            return self._response(body, None) if ended else made

        tell_answer(self._recording, response)

    def _response(self, body: bytes, cut: Exception | str | None) -> Response:
        return response_of(self._status, self._headers, body, cut=cut, encoded=self._encoded)

    def _plain(self, data: bytes) -> tuple[bytes, bool]:
        sizes = [value for name, value in self._headers if name.lower() == "content-length"]
        return data, bool(sizes) and str(len(data)) == sizes[0].strip()
