"""The one chat client: asks a model, and says whose fault a failure is."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

from pytest_todeval.core.lane import Lane, here
from pytest_todeval.errors import ModelRejected, ModelUnavailable
from pytest_todeval.llm.completion import Completion, RequestedCall, read_completion
from pytest_todeval.llm.endpoint import Endpoint, Failed, Sent
from pytest_todeval.llm.failure import owned, refused_parameter
from pytest_todeval.llm.settings import OPTIONAL, ModelSettings
from pytest_todeval.llm.usage import note, open_ledger

__all__ = ["ChatClient", "Completion", "RequestedCall"]

OLDER = {"max_completion_tokens": "max_tokens"}
"""Parameters under the names that endpoints knew them by before."""

NO_COMPLETION = (
    "Is --todeval-base-url (or base_url in the models file) the address of a chat-completions API? "
    "If so, try again"
)


class ChatClient:
    """Asks one model; one client serves any number of dialogues and threads.

    `settings` may be the name of a model. Parameters that the endpoint turns out not to know are
    left out from then on: outside of dialogues by this client, within one by its user and its bot,
    each for itself, so that a replayed dialogue learns what the recorded one did, whatever ran
    before. A judge asks at the same time what it asks, so there each call learns for itself; the
    settings' `unsupported` saves it that.
    """

    def __init__(self, settings: ModelSettings | str) -> None:
        self.settings = ModelSettings(settings) if isinstance(settings, str) else settings
        self._endpoint = Endpoint(self.settings)
        self._unknown: set[str] = set()

    def __repr__(self) -> str:
        return f"<ChatClient {self.settings.model}>"

    @property
    def model(self) -> str:
        """The name of the model asked."""
        return self.settings.model

    def complete(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        tools: Sequence[Mapping[str, Any]] = (),
        schema: Mapping[str, Any] | None = None,
        seed: int | None = None,
        temperature: float | None = None,
    ) -> Completion:
        """Have the model continue the messages.

        `tools` are JSON schemas as chat-completions APIs take them; `schema` is the JSON schema
        that the answer shall fit (its `title` names it). `seed` and `temperature` win over the
        settings.

        Raises ModelUnavailable if the model could not be asked (after the retries),
        ModelRejected if the endpoint does not take the request as it stands.
        """
        body = self._body(messages, tools, schema, seed, temperature)
        started = time.perf_counter()
        sent, dropped = self._sent(body)
        latency = max(0.0, time.perf_counter() - started - sent.waited)
        try:
            completion = read_completion(sent.value, latency=latency, dropped=dropped)
        except ModelUnavailable as error:
            raise ModelUnavailable(
                f"{self._endpoint}: {self._endpoint.without_key(str(error))}. {NO_COMPLETION}"
            ) from None
        note(self.model, completion.spent)
        return completion

    def _body(
        self,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]],
        schema: Mapping[str, Any] | None,
        seed: int | None,
        temperature: float | None,
    ) -> dict[str, Any]:
        asked = self.settings
        body: dict[str, Any] = {"model": asked.model, "messages": [dict(m) for m in messages]}
        options = {
            "temperature": asked.temperature if temperature is None else temperature,
            "top_p": asked.top_p,
            "seed": asked.seed if seed is None else seed,
            "max_completion_tokens": asked.max_tokens,
            "tools": [dict(tool) for tool in tools] or None,
            "response_format": None if schema is None else _format(schema),
        }
        return body | {name: value for name, value in options.items() if value is not None}

    def _sent(self, body: Mapping[str, Any]) -> tuple[Sent, tuple[str, ...]]:
        """What came back, and the parameters that had to be dropped for it."""
        known = self._learned()
        unknown = {*self.settings.unsupported, *known}
        while True:
            less = _without(body, unknown)
            try:
                sent = self._endpoint.post(less)
            except Failed as failed:
                refused = refused_parameter(failed, frozenset(less))
                if refused is None:
                    raise owned(failed, self._endpoint) from None
                unknown.add(refused)
            except (ValueError, TypeError) as error:  # halves of characters, what JSON cannot say
                raise ModelRejected(
                    f"{self._endpoint}: the request cannot be written as JSON: "
                    f"{self._endpoint.without_key(str(error))}"
                ) from None
            else:
                known |= unknown  # only now is it sure that it was these
                return sent, tuple(
                    name for name in OPTIONAL if name in body and not _has(less, name)
                )

    def _learned(self) -> set[str]:
        """Where it is kept what the endpoint does not know."""
        place = here()
        if place is None:
            return self._unknown
        opened = open_ledger()
        if opened is None or place.lane is Lane.JUDGE:
            return set()
        return opened.learned((self.settings, place.lane))


def _without(body: Mapping[str, Any], unknown: set[str]) -> dict[str, Any]:
    """The request without the parameters that are not known, or with the older names of these."""
    renamed = {
        OLDER[name] if name in unknown and name in OLDER else name: value
        for name, value in body.items()
    }
    return {name: value for name, value in renamed.items() if name not in unknown}


def _has(body: Mapping[str, Any], name: str) -> bool:
    return name in body or OLDER.get(name) in body


def _format(schema: Mapping[str, Any]) -> dict[str, Any]:
    named = {"name": str(schema.get("title", "answer")), "schema": dict(schema), "strict": True}
    return {"type": "json_schema", "json_schema": named}
