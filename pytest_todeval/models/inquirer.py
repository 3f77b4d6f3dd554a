"""Asks an endpoint, one part of a request at a time, and insists if it is out of order."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from pytest_todeval.errors import ModelUnavailable
from pytest_todeval.models.completion import Completion, read_completion
from pytest_todeval.models.connections import OUT_OF_ORDER
from pytest_todeval.models.endpoint import Endpoint, Failed
from pytest_todeval.models.failure import owned
from pytest_todeval.models.refusal import EndpointError
from pytest_todeval.models.settings import ModelSettings

Asked = TypeVar("Asked")

GREET = "Greet me in one sentence. (If you are to write JSON: in JSON.)"
ASKED = 3
"""How often a question is put if the endpoint is out of order: it may be for a moment."""
OTHER_TIMES = (401, 402, 403, 408, 409, 429)
"""Statuses that say nothing about what was asked for."""


@dataclass(frozen=True, slots=True)
class NotAnswered:
    """A question without an answer that can be used."""

    status: int
    """0 if no answer came in time: an answer without end, of a model that was not stopped."""
    said: str
    """By the endpoint, without the key."""


class Inquirer:
    """Asks one model, one part of a request at a time beside the model and the messages."""

    def __init__(self, settings: ModelSettings) -> None:
        # Each part is asked for by itself: nothing is left out, and little is tried again.
        bare = replace(settings, profile=None, unsupported=(), retries=min(settings.retries, 1))
        found = Endpoint(settings).url
        self.endpoint = Endpoint(replace(bare, base_url=found))
        self.speed = 0.0
        """Tokens a second of the longest answer so far."""
        self._longest = 0

    def plain(self, text: str) -> Completion:
        """Returns the answer to the text alone. Raises ModelUnavailable and ModelRejected."""
        answer = self.ask(text)
        if isinstance(answer, NotAnswered):
            raise ModelUnavailable(f"{self.endpoint}: {answer.said}")
        return answer

    def ask(
        self, text: str, parts: Mapping[str, Any] | None = None, *, role: str = ""
    ) -> Completion | NotAnswered:
        """The answer, or how it was refused; raises if that has nothing to do with the parts."""
        body = self._body(text, role, parts or {})
        try:
            sent, took = self._insisting(lambda: self.endpoint.post(body))
            answer = read_completion(sent.value)
        except Failed as failed:
            return self._refused(failed, body, plain=not (parts or role))
        except ModelUnavailable as error:
            if not (parts or role):
                raise
            return NotAnswered(200, self.endpoint.without_key(str(error)))
        tokens = answer.spent.completion_tokens
        speed = tokens / max(took - sent.waited, 1e-6)
        if tokens >= self._longest:  # the first answer of all waits for imports, too
            self.speed = max(speed, self.speed if tokens == self._longest else 0.0)
            self._longest = tokens
        return answer

    def streams(self) -> bool | NotAnswered:
        """Says whether an answer comes event by event."""
        body = {**self._body(GREET, "", {}), "stream": True}
        try:
            (content, _), _ = self._insisting(lambda: self.endpoint.read(body))
        except Failed as failed:
            return self._refused(failed, body, plain=False)
        return content.lstrip().startswith(b"data:")

    def _insisting(self, ask: Callable[[], Asked]) -> tuple[Asked, float]:
        """What is answered, and the seconds that it took: faults that may pass are asked again.

        Raises Failed.
        """
        for left in reversed(range(ASKED)):
            started = time.perf_counter()
            try:
                return ask(), time.perf_counter() - started
            except Failed as failed:
                if not left or not _may_pass(failed):
                    raise
        raise AssertionError("the last time it is raised")

    def _body(self, text: str, role: str, parts: Mapping[str, Any]) -> dict[str, Any]:
        said = [{"role": role, "content": "Be brief."}] if role else []
        messages = [*said, {"role": "user", "content": text}]
        return {"model": self.endpoint.settings.model, "messages": messages, **parts}

    def _refused(self, failed: Failed, body: Mapping[str, Any], *, plain: bool) -> NotAnswered:
        import openai

        error = failed.error
        if isinstance(error, openai.APITimeoutError):
            return NotAnswered(0, f"none within {self.endpoint.settings.timeout:g} s")
        if (
            plain
            or not isinstance(error, openai.APIStatusError)
            or error.status_code in OTHER_TIMES
        ):
            raise owned(failed, self.endpoint, body)
        said = EndpointError.of(error.status_code, error.body).said or str(error)
        return NotAnswered(error.status_code, self.endpoint.without_key(said))


def _may_pass(failed: Failed) -> bool:
    """Says whether it is a fault of the endpoint that says nothing of the request."""
    import openai

    error = failed.error
    if not isinstance(error, openai.APIStatusError) or error.status_code < OUT_OF_ORDER:
        return False
    return error.response.headers.get("x-should-retry") != "false"
