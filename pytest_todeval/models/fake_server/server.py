"""The stand-in model server, as tests use it."""

from collections.abc import Mapping, Sequence
from typing import Self

from pytest_todeval.errors import UsageError
from pytest_todeval.models.fake_server.handler import StandInHandler
from pytest_todeval.models.fake_server.listener import StandInListener
from pytest_todeval.models.fake_server.model import AnswerFunction, Entry, Model, matching, script
from pytest_todeval.models.fake_server.request import ChatRequest


class StandInServer:
    """A real HTTP server on this machine that speaks the chat-completions protocol.

        with StandInServer(lambda request: "Which area?") as server:
            client = openai.OpenAI(base_url=server.base_url, api_key="none")

    `answer` takes a ChatRequest and returns text, a mapping (sent as JSON), an `Answer`, or, for a
    request with `n`, a list of one per choice. It is called by many threads at once. If it
    raises, or returns something else, the client gets status 500 with the reason and the advice not
    to retry, and the exception is kept in `failures`.

    Answers name the model `stand-in`; their ids follow from request and answer, their time stamp is
    fixed: the same conversation gives the same bytes. Tokens are counted plainly: a word or a
    punctuation mark each. With `gzip`, answers are compressed for clients that accept it.

    Serves inside `with` or `async with`, or between `start` and `close`.
    """

    def __init__(self, answer: AnswerFunction, *, gzip: bool = False) -> None:
        self._model = Model(answer)
        self._gzip = gzip
        self._listener: StandInListener | None = None

    @classmethod
    def script(cls, answers: Sequence[Entry], *, gzip: bool = False) -> Self:
        """Answers the first request with the first entry, and so on; entries may be functions.

        A request after the last entry is a failure.
        """
        return cls(script(answers), gzip=gzip)

    @classmethod
    def matching(cls, answers: Mapping[str, Entry], *, gzip: bool = False) -> Self:
        """Answer with the first entry whose key, a regular expression, is in the last user message.

        Upper and lower case are the same; entries may be functions; a request that no key fits is
        a failure, so that `""` as the last key answers all the rest.
        """
        return cls(matching(answers), gzip=gzip)

    @property
    def base_url(self) -> str:
        """Returns what a client takes as its base URL, e.g. `http://127.0.0.1:40211/v1`."""
        if self._listener is None:
            raise UsageError("this StandInServer is not running: use it in a `with` statement")
        return f"http://127.0.0.1:{self._listener.port}/v1"

    @property
    def requests(self) -> tuple[ChatRequest, ...]:
        """Returns the requests for chat completions that could be read, in the order of arrival."""
        return tuple(self._model.requests)

    @property
    def hits(self) -> int:
        """Returns how many HTTP requests came, of any kind."""
        return self._model.hits

    @property
    def failures(self) -> tuple[BaseException, ...]:
        """Returns what the answer function raised; a test asserts that it is empty."""
        return tuple(self._model.failures)

    def start(self) -> Self:
        """Listens on a free port; UsageError if it already does."""
        if self._listener is not None:
            raise UsageError(f"this StandInServer already runs at {self.base_url}")
        self._listener = StandInListener(StandInHandler, self._model, gzip=self._gzip)
        self._listener.start()
        return self

    def close(self) -> None:
        """Closes the port and all connections; what was asked stays readable."""
        listener, self._listener = self._listener, None
        if listener is not None:
            listener.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self.start()

    async def __aexit__(self, *_: object) -> None:
        import asyncio

        await asyncio.to_thread(self.close)
