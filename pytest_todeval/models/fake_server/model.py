"""What stands behind the server: asks the test's function, and keeps what was asked."""

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pytest_todeval.errors import UsageError
from pytest_todeval.models.fake_server.answer import Answer, Answerable, as_answers
from pytest_todeval.models.fake_server.request import ChatRequest, read_body

AnswerFunction = Callable[[ChatRequest], Answerable]
Entry = Answerable | AnswerFunction


class AnswerFailed(Exception):
    """The test's function raised, or answered with what is no answer."""


class Model:
    """Thread-safe; the function is called by as many threads at once as there are requests."""

    def __init__(self, answer: AnswerFunction) -> None:
        if not callable(answer):
            raise UsageError(
                f"StandInServer takes a function of the request, got {type(answer).__name__}: "
                'write StandInServer(lambda request: "Hello") or StandInServer.script(["Hello"])'
            )
        self._answer = answer
        self._lock = threading.Lock()
        self.requests: list[ChatRequest] = []
        self.failures: list[BaseException] = []
        """Threads only ever append, which is atomic."""
        self.hits = 0

    def count_hit(self) -> None:
        with self._lock:
            self.hits += 1

    def read(self, data: bytes, headers: Mapping[str, str]) -> ChatRequest:
        """Returns the request, recorded. Raises Rejected."""
        body = read_body(data)
        with self._lock:
            request = ChatRequest(len(self.requests) + 1, body, headers)
            self.requests.append(request)
        return request

    def answer(self, request: ChatRequest) -> tuple[Answer, ...]:
        """Returns one answer per choice. Raises AnswerFailed, keeping what was raised."""
        try:
            return as_answers(self._answer(request), request.n)
        except BaseException as error:  # pytest.fail() in the function raises no Exception
            self.failures.append(error)
            raise AnswerFailed(
                f"The stand-in's answer failed at request {request.number} "
                f"(last user message {request.last_user!r:.80}): {_described(error)}"
            ) from None


def script(entries: Sequence[Entry]) -> AnswerFunction:
    """Returns the entries in order, one for each request; functions are called with it."""
    if isinstance(entries, str) or not isinstance(entries, Sequence):
        raise UsageError(
            f"StandInServer.script takes a list, got {type(entries).__name__} {entries!r:.60}"
        )
    said = tuple(entries)

    def answer(request: ChatRequest) -> Answerable:
        if request.number > len(said):
            raise UsageError(
                f"the script ended after answer {len(said)}, and this is request {request.number}: "
                "add an answer"
            )
        return _said(said[request.number - 1], request)

    return answer


def matching(answers: Mapping[str, Entry]) -> AnswerFunction:
    """The first entry whose pattern is found in the last user message, upper or lower case."""
    import re

    try:
        table = [(re.compile(pattern, re.IGNORECASE), entry) for pattern, entry in answers.items()]
    except (re.error, AttributeError, TypeError) as error:
        raise UsageError(
            f"StandInServer.matching takes a mapping from regular expressions to answers: {error}"
        ) from None

    def answer(request: ChatRequest) -> Answerable:
        for pattern, entry in table:
            if pattern.search(request.last_user):
                return _said(entry, request)
        raise UsageError(
            f"no pattern matches {request.last_user!r:.200}; add an entry for '', which always does"
        )

    return answer


def _said(entry: Any, request: ChatRequest) -> Answerable:
    answer: Answerable = entry(request) if callable(entry) else entry
    return answer


def _described(error: BaseException) -> str:
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:  # a `__str__` that raises
        return type(error).__name__
