"""Sending a request to an endpoint over the openai package, within its limits."""

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pytest_todeval.errors import ModelUnavailable
from pytest_todeval.models.connections import openai_client
from pytest_todeval.models.limits import passage
from pytest_todeval.models.profiles import PROFILES
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.trust import PROVIDERS, key_may_go

if TYPE_CHECKING:
    import openai

DEFAULT_URL = "https://api.openai.com/v1"
NO_KEY = "none"
"""Sent if the environment holds no key: replays and local servers need none."""
SENDABLE = re.compile(r"[!-~]+")
"""Anything else in a header would come back in an error message, key and all."""
RAW = {"X-Stainless-Raw-Response": "true"}
"""With it the openai package hands out what came back as it is."""
SHOWN = 300
MASKED = re.compile(r"\bsk-[\w*.-]{6,}")
"""Keys as endpoints show them, in part."""


@dataclass(frozen=True, slots=True)
class Sent:
    """What came back with status 200."""

    value: object
    """The JSON of the body."""
    waited: float
    """Seconds spent waiting for the limits of calls, before the request was made."""


class Failed(Exception):
    """No answer: what openai raised, after how many tries."""

    def __init__(self, error: "openai.OpenAIError", tries: int) -> None:
        super().__init__(error, tries)
        self.error, self.tries = error, tries


@dataclass(frozen=True)
class Endpoint:
    """Where the model of some settings is asked."""

    settings: ModelSettings

    @property
    def url(self) -> str:
        """The base URL. Raises ModelUnavailable if the profile has none and nobody says it."""
        asked = self.settings
        usual = None if asked.profile is None else PROFILES[asked.profile].base_url
        if usual == "" and asked.base_url is None:
            raise ModelUnavailable(
                f"model {asked.model}: each customer of the profile {asked.profile} has an address "
                "of its own: write it as `base_url` in the models file, or --todeval-base-url"
            )
        return asked.base_url or usual or os.environ.get("OPENAI_BASE_URL") or DEFAULT_URL

    @property
    def key(self) -> str | None:
        """Returns the key, if the environment has one that can be sent, and may be sent there."""
        key = os.environ.get(self.settings.key, "").strip()
        return key if SENDABLE.fullmatch(key) and not self.withholds else None

    @property
    def withholds(self) -> bool:
        """Says whether the key is kept back: a file alone says it, or where it should go."""
        asked = self.settings
        if not asked.of_files or key_may_go(asked.key, self.url):
            return False
        own = "base_url" not in asked.of_files and self.url != DEFAULT_URL
        return not own or asked.key not in PROVIDERS

    def __str__(self) -> str:
        """Returns the model and its address, without what an address may hide."""
        parts = urlsplit(self.url)
        address = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
        return f"model {self.settings.model} at {address}"

    def without_key(self, text: str) -> str:
        """The text, which may be an endpoint's, without the key, and cut to a readable length."""
        text = text if self.key is None else text.replace(self.key, "***")
        return MASKED.sub("***", " ".join(text[: 10 * SHOWN].split()))[:SHOWN]

    def post(self, body: Mapping[str, Any]) -> Sent:
        """Sends a request, again and again as the settings say.

        Raises Failed, ModelUnavailable for an answer that is not JSON, and what lies between us and
        the network (a cassette that lacks the call) may raise.
        """
        content, waited = self.read(body)
        return Sent(self._json(content), waited)

    def read(self, body: Mapping[str, Any]) -> tuple[bytes, float]:
        """The bytes that are answered, and the seconds spent waiting; raises Failed likewise."""
        import openai

        client = self._client()
        with passage(self.url, self.settings) as passed:
            try:
                # as `chat.completions.with_raw_response.create` does, but for reading each value of
                # messages and tools by their types, which takes longer than all else in a replay
                answer: Any = client.post(
                    "/chat/completions",
                    cast_to=object,
                    body=dict(body),
                    options={"headers": RAW},
                )
            except openai.OpenAIError as error:
                raise Failed(error, passed.tries) from error
            return answer.content, passed.waited

    def models(self) -> object:
        """Returns what the endpoint lists as its models, as JSON; None if it lists none."""
        import openai

        with passage(self.url, self.settings):
            try:
                return json.loads(self._client().models.with_raw_response.list().content)
            except (openai.OpenAIError, ValueError, RecursionError):
                return None

    def _client(self) -> "openai.OpenAI":
        asked = self.settings
        return openai_client(self.url, self.key or NO_KEY, asked.timeout, asked.retries)

    def _json(self, content: bytes) -> object:
        try:
            return json.loads(content)
        except (ValueError, RecursionError):
            said = self.without_key(content[: 4 * SHOWN].decode("utf-8", "replace"))
            raise ModelUnavailable(
                f"{self} answered with status 200 and something that is not JSON: {said!r}. Is "
                "--todeval-base-url (or base_url in the models file) the address of a "
                "chat-completions API, which mostly ends in /v1? If so, try again"
            ) from None
