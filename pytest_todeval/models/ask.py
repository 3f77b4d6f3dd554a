"""Ask until the answer can be read: structured output, then text, then once more, then unscored."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pytest_todeval.core.once import Once
from pytest_todeval.errors import ModelRejected
from pytest_todeval.models.client import ChatClient
from pytest_todeval.models.completion import Completion
from pytest_todeval.models.fence import fenced
from pytest_todeval.models.prompt import Message, Prompts
from pytest_todeval.models.reading.reader import Reader, Unreadable

T = TypeVar("T")

SHOWN = 200
CUT = {"length": "at the limit of tokens", "content_filter": "by the endpoint's filter of contents"}
"""Finish reasons that leave an answer in pieces, and by what."""


@dataclass(frozen=True, slots=True)
class Asked(Generic[T]):
    """What came of a question."""

    value: T | None
    """The answer; None if none could be read."""
    unscored: str | None = None
    """Why there is none."""
    replies: tuple[str, ...] = ()
    """What the model wrote, the last time last."""


def ask(
    client: ChatClient,
    messages: Sequence[Message],
    reader: Reader[T],
    *,
    seed: int | None = None,
    prompts: Prompts | None = None,
    answered: Once[Completion | ModelRejected] | None = None,
) -> Asked[T]:
    """Puts a question to a model, and once more if its answer cannot be read.

    `prompts` hold the document `ask_again`. What stands in `answered` is not asked again. Raises
    ModelUnavailable if the model could not be asked. A request that the endpoint does not take, a
    refusal, an unreadable answer and a reader that breaks are no number, and no error: `unscored`
    says why.
    """
    replies: list[str] = []
    asked = list(messages)
    why = ""
    for _ in range(2):
        completion = _completed(client, asked, reader.schema, seed, answered)
        if isinstance(completion, ModelRejected):
            return Asked(None, str(completion), tuple(replies))
        replies.append(completion.text)
        try:
            return Asked(_read(completion, reader), None, tuple(replies))
        except Unreadable as error:
            why = str(error)
        except Exception as error:  # to ask again would not mend the reader
            broken = f"{type(reader).__name__} broke: {type(error).__name__}: {error}"
            return Asked(None, f"{broken:.{2 * SHOWN}} ({_last(replies)})", tuple(replies))
        asked = [*messages, *_again(prompts or Prompts(), completion.text, why, reader)]
    return Asked(None, f"asked twice, {why} ({_last(replies)})", tuple(replies))


def _completed(
    client: ChatClient,
    messages: Sequence[Message],
    schema: Mapping[str, Any] | None,
    seed: int | None,
    answered: Once[Completion | ModelRejected] | None,
) -> Completion | ModelRejected:
    """Returns what the model answers, or why the endpoint does not take the request."""

    def make() -> Completion | ModelRejected:
        try:
            return client.complete(messages, schema=schema, seed=seed)
        except ModelRejected as error:
            return error

    if answered is None:
        return make()
    request = json.dumps([repr(client.asked), messages, schema, seed], sort_keys=True)
    return answered.get(hashlib.sha256(request.encode()).hexdigest(), make)


def _again(prompts: Prompts, answer: str, why: str, reader: Reader[T]) -> list[Message]:
    # A model repeats what it was shown, so its answer is fenced like the text that it judged.
    return prompts.get("ask_again").render(
        answer=fenced("answer", answer), problem=fenced("problem", why), expected=reader.expected
    )


def _read(completion: Completion, reader: Reader[T]) -> T:
    if completion.refusal:
        raise Unreadable(f"the model refused: {completion.refusal:.{SHOWN}}")
    if completion.finish in CUT:
        raise Unreadable(f"the answer was cut off {CUT[completion.finish]}")
    if not completion.text.strip():
        raise Unreadable(f"the answer is empty (finish reason {completion.finish})")
    return reader.read(completion.text)


def _last(replies: Sequence[str]) -> str:
    return f"reply: {replies[-1]!r:.{SHOWN}}"
