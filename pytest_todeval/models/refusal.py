"""Which part of a request an endpoint does not take, as its answer says it, whatever its status."""

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from pytest_todeval.models.settings import DEVELOPER, NULL_CONTENT, OPTIONAL

TOO_LONG = re.compile(
    r"context[_ ](length|window|size)|maximum context|prompt is too long|too many tokens", re.I
)
REFUSED = (400, 422)
"""The statuses that say that a request is not taken as it stands: a part named is the part."""
OTHER_MATTERS = (401, 402, 403, 408, 409, 413, 429)
"""Statuses about the key, the account, the size or the time: never about a part of a request."""
NOT_TAKEN = re.compile(
    r"\bnot (?:yet )?(?:permitted|supported|allowed|implemented|recogni[sz]ed|available|accepted)\b"
    r"|\b(?:unsupported|unknown|unexpected|unrecogni[sz]ed|invalid|validation|no such|must be)\b"
    r"|\bdo(?:es)?(?:n't| not) support|\bonly supports?\b|\binput should be\b|\bextra inputs\b"
    r"|\b(?:literal_error|extra_forbidden)\b",
    re.I,
)
"""How servers say it that answer with another status: llama-cpp-python validates, and answers 500;
gateways put the provider's words into a 404 or a 502."""
OTHER_WORDS = {
    "response_format": r"|\bjson_(?:schema|object)\b|\bstructured outputs?\b|\bresponse format\b",
    NULL_CONTENT: r"|\bcontent\b.{0,60}(?:valid string|\bnull\b|\bNone\b|\brequired\b)",
}
"""What endpoints write in place of a parameter's name."""
LONGEST = 20_000
"""Characters of an answer that are looked at."""


@dataclass(frozen=True, slots=True)
class EndpointError:
    """What an endpoint says in place of an answer."""

    status: int
    """200 if the error stands in the body of an answer, as some gateways write it."""
    said: str
    code: str = ""
    param: str = ""
    """The part that it names as refused, if it names one."""

    @classmethod
    def of(cls, status: int, body: object) -> "EndpointError":
        """From the body: an object with the error under `error` or as it is, or text."""
        inner = body.get("error", body) if isinstance(body, dict) else body
        fields = inner if isinstance(inner, dict) else {}
        said = fields.get("message")
        if not isinstance(said, str) or not said.strip():
            said = str(inner).strip()
        code, param = fields.get("code"), fields.get("param")
        return cls(status, said[:LONGEST], str(code or ""), str(param or ""))


def names_sent(body: Mapping[str, object]) -> frozenset[str]:
    """Returns the parameters of a request, `developer` and `null_content` if a message has them."""
    messages = body.get("messages")
    said = messages if isinstance(messages, list) else []
    sent = [message for message in said if isinstance(message, dict)]
    roles = {message.get("role") for message in sent}
    null = any(message.get("content", "") is None for message in sent)
    return frozenset(body) | ({DEVELOPER} & roles) | ({NULL_CONTENT} if null else set())


def refused_part(error: EndpointError, sent: Collection[str]) -> str | None:
    """Returns the part of those `sent` that the endpoint does not take; None if it is not that.

    Parts are the parameters in `OPTIONAL`, the role `developer`, and `null_content`.
    """
    if error.status in OTHER_MATTERS or TOO_LONG.search(f"{error.code} {error.said}"):
        return None
    if error.status not in REFUSED and not NOT_TAKEN.search(error.said):
        return None
    candidates = [name for name in (*OPTIONAL, DEVELOPER, NULL_CONTENT) if name in sent]
    named = re.match(r"\w*", error.param)
    if named and named[0] in candidates:
        return named[0]
    words = ((name, rf"\b{name}\b{OTHER_WORDS.get(name, '')}") for name in candidates)
    return next((name for name, pattern in words if re.search(pattern, error.said, re.I)), None)


def refuses(status: int, content: bytes, sent: bytes) -> bool:
    """Says whether an answer refuses a part of the request, by the bytes of both."""
    asked, text = json_or_none(sent), content[: 4 * LONGEST].decode("utf-8", "replace")
    error = EndpointError.of(status, json_or_none(text) or text)
    return isinstance(asked, dict) and refused_part(error, names_sent(asked)) is not None


def json_or_none(text: str | bytes) -> object:
    """Returns the value of a JSON text; None if it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
