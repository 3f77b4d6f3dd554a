"""Whose fault it is if a model's endpoint gives no answer, and what to do about it."""

import os
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from pytest_todeval.errors import ModelRejected, ModelUnavailable, TodevalError
from pytest_todeval.models.endpoint import DEFAULT_URL, Endpoint, Failed
from pytest_todeval.models.refusal import (
    REFUSED,
    TOO_LONG,
    EndpointError,
    names_sent,
    refused_part,
)
from pytest_todeval.models.settings import OPTIONAL
from pytest_todeval.trust import line_to_trust

if TYPE_CHECKING:
    import openai

NO_SUCH_MODEL = re.compile(
    r"model_not_found|not a valid model|invalid model\b|\bno models? (is |are )?loaded"
    r"|\bmodel\b.{0,80}(does not exist|not found|not exist)",
    re.I,
)
BAD_KEY = re.compile(
    r"invalid_api_key|api[ _]key\b.{0,40}\b(not valid|invalid|incorrect)"
    r"|no_db_connection|no connected db",  # LiteLLM's proxy, where it looks for unknown keys
    re.I,
)
OTHER_NAME = "or name the variable that holds it with `key` in the models file"
CLIENT = "check --todeval-base-url (or base_url in the models file)"
MODEL = "check --todeval-model (or model in the models file)"


def owned(failed: Failed, endpoint: Endpoint, body: Mapping[str, object]) -> TodevalError:
    """Returns the error of ours that says what happened, who must act, and how.

    `body` is the request that failed.
    """
    import openai

    error = failed.error
    tried = "tried once" if failed.tries <= 1 else f"tried {failed.tries} times"
    for cause in _chain(error):
        if isinstance(cause, TodevalError):  # a cassette that lacks the call, a blocked network
            return cause
    if isinstance(error, openai.APIStatusError):
        return _status(error, endpoint, tried, _way_out(body))
    if isinstance(error, openai.APITimeoutError):
        return ModelUnavailable(
            f"{endpoint}: no answer within {endpoint.settings.timeout:g} s, {tried}. "
            "Try again later, or allow more with `timeout` in the models file"
        )
    why = ": ".join(dict.fromkeys(_said(each) for each in _chain(error)))
    return ModelUnavailable(
        f"{endpoint}: not reached, {tried}: {endpoint.without_key(why)}. Is it "
        f"running? Else {CLIENT}{_no_key(endpoint)}"
    )


def refused_parameter(failed: Failed, body: Mapping[str, object]) -> str | None:
    """Returns the part of the request that an endpoint does not take; None if it is not that."""
    import openai

    error = failed.error
    if not isinstance(error, openai.APIStatusError):
        return None
    return refused_part(EndpointError.of(error.status_code, error.body), names_sent(body))


def _way_out(body: Mapping[str, object]) -> str:
    """Returns the setting that helps if a parameter was refused in words that nobody knows."""
    names = [name for name in OPTIONAL if name in body]
    if not names:
        return ""
    return (
        f". If it does not take one of {', '.join(names)}, name that under `unsupported` in the "
        "models file; `todeval models check` tells which"
    )


def _status(
    error: "openai.APIStatusError", endpoint: Endpoint, tried: str, way_out: str
) -> TodevalError:
    told_by = EndpointError.of(error.status_code, error.body)
    status, said = told_by.status, told_by.said or error.message
    told = f"{endpoint}: status {status}: {endpoint.without_key(said)!r}"
    clues = f"{told_by.code} {said}"
    refused = status in REFUSED
    if status in (401, 403) or (refused and BAD_KEY.search(clues)):
        return ModelUnavailable(f"{told}. {_about_key(endpoint)}")
    if status == 404 or (refused and NO_SUCH_MODEL.search(clues)):
        return ModelUnavailable(f"{told}. No such model or no such address: {MODEL}, {CLIENT}")
    if status == 413 or (refused and TOO_LONG.search(clues)):
        return ModelRejected(
            f"{told}. The messages are too long for the model: shorten them, or name a model that "
            "takes more with --todeval-model"
        )
    if refused:
        return ModelRejected(
            f"{told}. The endpoint does not take the request as it stands{way_out}"
        )
    out_of_order = status >= 500
    return ModelUnavailable(
        f"{told}. {_advice(status, clues, endpoint, tried)}{way_out if out_of_order else ''}"
    )


def _advice(status: int, clues: str, endpoint: Endpoint, tried: str) -> str:
    if status == 402 or "insufficient_quota" in clues:
        return f"The account of the key in {endpoint.settings.key} has no credit left: top it up"
    if status == 429:
        return (
            f"Too many requests ({tried}): ask less at once with `per_minute` or `concurrency` in "
            "the models file, or later"
        )
    if status in (408, 409) or status >= 500:
        return f"The endpoint is out of order ({tried}): try again later"
    return f"The address serves no chat completions: {CLIENT}"


def _about_key(endpoint: Endpoint) -> str:
    name = endpoint.settings.key
    if endpoint.withholds and os.environ.get(name):
        return (
            f"The key in {name} was not sent, since a file of the project alone says where: if you "
            f"trust the address, export {line_to_trust(endpoint.url, name)}"
        )
    if endpoint.key is None:
        return f"No key: set the environment variable {name}, {OTHER_NAME}"
    return (
        f"The key in the environment variable {name} was refused: it is wrong, or may not use this "
        f"model. Set another, {OTHER_NAME}"
    )


def _no_key(endpoint: Endpoint) -> str:
    """Returns what a call to OpenAI lacks besides; other servers may do without a key."""
    if endpoint.key is not None or endpoint.url != DEFAULT_URL:
        return ""
    return f". And there is no key: set the environment variable {endpoint.settings.key}"


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".removesuffix(": ")


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Returns the error and what led to it."""
    seen: set[int] = set()
    found: BaseException | None = error
    while found is not None and id(found) not in seen:
        seen.add(id(found))
        yield found
        found = found.__cause__ or found.__context__
