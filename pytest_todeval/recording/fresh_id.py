"""What is another in each run in a dialogue's id: by it no call differs, and with it none is kept.

A bot's server needs an id that it has never seen; a cassette needs the same bytes in each run. So a
dialogue's id ends in `~TOKEN`, its session's in `-TOKEN`, and what is looked up and kept is without
it.
"""

import re
from dataclasses import replace

from pytest_todeval.recording.bodies import inflated
from pytest_todeval.recording.call import RaisedError, Request, Response

NOWHERE = "(?!)"


class FreshId:
    """The token of one dialogue; an empty one stands nowhere."""

    def __init__(self, token: str = "") -> None:
        self.token = token
        pattern = f"(?:~|%7[Ee]|-)?{re.escape(token)}" if token else NOWHERE
        self._text, self._bytes = re.compile(pattern), re.compile(pattern.encode())

    def request(self, request: Request) -> Request:
        """Returns the request without it; itself if it is nowhere in it."""
        body = inflated(request.body)
        found = replace(request, path=self.text(request.path), query=self.text(request.query))
        if (kept := self._without(body)) != body:
            found = replace(found, body=kept)
        return request if found == request else found

    def outcome(self, outcome: Response | RaisedError) -> Response | RaisedError:
        if isinstance(outcome, RaisedError):
            return RaisedError(outcome.kind, self.text(outcome.message))
        headers = tuple((name, self.text(value)) for name, value in outcome.headers)
        if outcome.events is None:
            return replace(outcome, headers=headers, body=self._without(outcome.body))
        events = tuple(map(self._without, outcome.events))
        return replace(outcome, headers=headers, body=b"".join(events), events=events)

    def text(self, text: str) -> str:
        return self._text.sub("", text)

    def _without(self, data: bytes) -> bytes:
        return self._bytes.sub(b"", data)
