"""The one chat client: asks a model, and says whose fault a failure is."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pytest_todeval.core.lane import Lane, here
from pytest_todeval.errors import ModelRejected, ModelUnavailable
from pytest_todeval.models.completion import Completion, read_completion
from pytest_todeval.models.endpoint import Endpoint, Failed, Sent
from pytest_todeval.models.failure import owned, refused_parameter
from pytest_todeval.models.refusal import EndpointError, names_sent, refused_part
from pytest_todeval.models.run_models import as_in_run
from pytest_todeval.models.settings import CAPS, DEVELOPER, NULL_CONTENT, OPTIONAL, ModelSettings
from pytest_todeval.models.usage import book, note

OTHER_CAP = dict(zip(CAPS, reversed(CAPS), strict=True))
SLACK = 8
"""Tokens by which an answer may be longer than its cap: some servers count what ends it."""

LETTERS = 8
"""More letters than any token has on average: in English text it is four."""

NO_COMPLETION = (
    "Is --todeval-base-url (or base_url in the models file) the address of a chat-completions API? "
    "If so, try again"
)


@dataclass(frozen=True, slots=True)
class _Accepted:
    sent: Sent
    body: Mapping[str, Any]
    """What was sent."""
    dropped: Sequence[str]
    known: set[str]
    """What is not known to the endpoint, as learned so far."""


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
        self._unknown: set[str] = set()

    @classmethod
    def of(cls, model: "str | ModelSettings | ChatClient", *, cold: bool = False) -> "ChatClient":
        """Returns a client of a model's name or settings; one that is given stays as it is.

        `cold`: at temperature 0, as the papers play, unless the settings say more.
        """
        if isinstance(model, ChatClient):
            return model
        settings = ModelSettings(model) if isinstance(model, str) else model
        cold = cold and settings.temperature is None and "temperature" not in settings.unsupported
        return cls(replace(settings, temperature=0.0) if cold else settings)

    def __repr__(self) -> str:
        return f"<ChatClient {self.settings.model}>"

    @property
    def asked(self) -> ModelSettings:
        """Returns the settings, with what the run says of the lane for all that they leave open."""
        return as_in_run(self.settings)

    @property
    def endpoint(self) -> Endpoint:
        """Returns where the model is asked from here."""
        return Endpoint(self.asked)

    @property
    def model(self) -> str:
        """Returns the name of the model asked."""
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
        """Has the model continue the messages.

        `tools` are JSON schemas as chat-completions APIs take them; `schema` is the JSON schema
        that the answer shall fit (its `title` names it). `seed` and `temperature` win over the
        settings.

        Raises ModelUnavailable if the model could not be asked (after the retries),
        ModelRejected if the endpoint does not take the request as it stands.
        """
        body = self._body(messages, tools, schema, seed, temperature)
        started = time.perf_counter()
        taken = self._sent(body)
        latency = max(0.0, time.perf_counter() - started - taken.sent.waited)
        try:
            completion = read_completion(taken.sent.value, latency=latency)
        except ModelUnavailable as error:
            raise ModelUnavailable(
                f"{self.endpoint}: {self.endpoint.without_key(str(error))}. {NO_COMPLETION}"
            ) from None
        note(self.model, completion.spent)
        ignored = self._notice_cap(taken, completion)
        self._notice_tools(taken, completion)
        return replace(completion, dropped=(*taken.dropped, *ignored))

    def _body(
        self,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]],
        schema: Mapping[str, Any] | None,
        seed: int | None,
        temperature: float | None,
    ) -> dict[str, Any]:
        asked = self.asked
        body: dict[str, Any] = {"model": asked.model, "messages": [dict(m) for m in messages]}
        options = {
            "temperature": asked.temperature if temperature is None else temperature,
            "top_p": asked.top_p,
            "seed": asked.seed if seed is None else seed,
            asked.token_cap or CAPS[0]: asked.max_tokens,
            "tools": [dict(tool) for tool in tools] or None,
            "tool_choice": asked.tool_choice if tools else None,
            "response_format": None if schema is None else _format(schema),
        }
        return body | {name: value for name, value in options.items() if value is not None}

    def _sent(self, body: Mapping[str, Any]) -> _Accepted:
        """Returns what came back for the body, or for what the endpoint takes of it."""
        known = self._learned()
        unknown = {*self.asked.unsupported, *known}
        while True:
            less = _without(body, unknown)
            sent, refused = self._posted(less)
            if sent is None:
                unknown.add(refused)
                continue
            known |= unknown  # only now is it sure that it was these
            asked = (name for name in OPTIONAL if name in body)
            dropped = [n for n in asked if {n, OTHER_CAP.get(n)}.isdisjoint(less)]
            return _Accepted(sent, less, dropped, known)

    def _posted(self, body: Mapping[str, Any]) -> tuple[Sent, str] | tuple[None, str]:
        """Returns what came back, or the part of the request that the endpoint refuses."""
        try:
            sent = self.endpoint.post(body)
        except Failed as failed:
            refused = refused_parameter(failed, body)
            if refused is None:
                raise owned(failed, self.endpoint, body) from None
            return None, refused
        except (ValueError, TypeError) as error:  # halves of characters, what JSON cannot say
            raise ModelRejected(
                f"{self.endpoint}: the request cannot be written as JSON: "
                f"{self.endpoint.without_key(str(error))}"
            ) from None
        refused = _refused_within(sent.value, body)
        return (sent, "") if refused is None else (None, refused)

    def _notice_cap(self, taken: _Accepted, completion: Completion) -> tuple[str, ...]:
        """Returns the name of the cap, if the answer is longer than it allows; else nothing."""
        name = next((name for name in CAPS if name in taken.body), None)
        most, took = self.asked.max_tokens, completion.spent.completion_tokens
        if name is None or most is None or took <= most + SLACK:
            return ()
        taken.known.add(name)
        other = OTHER_CAP[name]
        advice = (
            f"{self.endpoint}: an answer had more tokens than `{name}`, which was {most}: the "
            f"endpoint ignores it. Write `token_cap: {other}`, or the endpoint's `profile`, in the "
            "models file; `todeval models check` tells which it knows"
        )
        book().advice[advice] = None
        return (name,)

    def _notice_tools(self, taken: _Accepted, completion: Completion) -> None:
        """Says so, if the prompt is too short to hold the tools that were sent."""
        tools, tokens = taken.body.get("tools"), completion.spent.prompt_tokens
        if not tools or not tokens or completion.tool_calls:
            return
        if tokens * LETTERS >= _letters(tools) + _letters(taken.body["messages"]):
            return
        way = "look whether its chat format knows tools"
        if "tool_choice" not in taken.body:
            way = "write `tool_choice: auto`, or the endpoint's `profile`, in the models file"
        advice = (
            f"{self.endpoint}: {len(tools)} tools were sent, but the prompt had too few tokens to "
            f"hold them: the endpoint does not show the model its tools. Try this: {way}"
        )
        book().advice[advice] = None

    def _learned(self) -> set[str]:
        """Returns where it is kept what the endpoint does not know."""
        place = here()
        if place is None:
            return self._unknown
        return set() if place.lane is Lane.JUDGE else book().learned((self.asked, place.lane))


def _without(body: Mapping[str, Any], unknown: set[str]) -> dict[str, Any]:
    """Returns the request without what is not known, or with the other names of it."""
    renamed = {
        OTHER_CAP[name] if name in unknown and name in OTHER_CAP else name: value
        for name, value in body.items()
    }
    less = {name: value for name, value in renamed.items() if name not in unknown}
    if DEVELOPER in unknown:
        said = less["messages"]
        less["messages"] = [
            {**each, "role": "system"} if each.get("role") == DEVELOPER else each for each in said
        ]
    if NULL_CONTENT in unknown:
        said = less["messages"]
        less["messages"] = [{**each, "content": each.get("content") or ""} for each in said]
    return less


def _letters(value: object) -> int:
    """Returns the letters and digits of all texts in a part of a request."""
    if isinstance(value, str):
        return sum(map(str.isalnum, value))
    if isinstance(value, dict):
        return sum(map(_letters, value.values()))
    return sum(map(_letters, value)) if isinstance(value, list) else 0


def _refused_within(value: object, body: Mapping[str, Any]) -> str | None:
    """The part that an error in the body of a status 200 refuses, as some gateways answer."""
    if not isinstance(value, dict) or not value.get("error"):
        return None
    return refused_part(EndpointError.of(200, value), names_sent(body))


def _format(schema: Mapping[str, Any]) -> dict[str, Any]:
    named = {"name": str(schema.get("title", "answer")), "schema": dict(schema), "strict": True}
    return {"type": "json_schema", "json_schema": named}
