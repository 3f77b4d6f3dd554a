"""Whatever an endpoint sends: an answer, or an error of ours, and never anything else."""

import json
from collections.abc import Callable
from typing import TypeVar

from hypothesis import given
from hypothesis import strategies as st

from pytest_todeval.errors import ModelRejected, ModelUnavailable, TodevalError, UsageError
from pytest_todeval.models.client import ChatClient
from pytest_todeval.models.completion import Completion, read_completion
from pytest_todeval.models.models_file import by_lane
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.testing import Answer, ChatRequest, StandInServer, Status
from tests.support.examples import examples

T = TypeVar("T")

NAMES = ["choices", "message", "content", "tool_calls", "function", "name", "arguments", "id"]
MORE = ["refusal", "finish_reason", "usage", "prompt_tokens", "prompt_tokens_details", "error"]
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
KEYS = st.sampled_from([*NAMES, *MORE, "cached_tokens", "text"])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=20,
)
MESSAGES = st.fixed_dictionaries(
    {}, optional={"content": VALUES, "refusal": VALUES, "tool_calls": VALUES}
)
CHOICES = st.fixed_dictionaries({"message": MESSAGES | VALUES}, optional={"finish_reason": VALUES})
ANSWERS = st.fixed_dictionaries(
    {"choices": st.lists(CHOICES, max_size=2)}, optional={"usage": VALUES}
)


def tried(call: Callable[[], T], *errors: type[TodevalError]) -> T | TodevalError:
    """What the call returned or raised; errors of other kinds are let out."""
    try:
        return call()
    except errors as error:
        return error


@given(VALUES | ANSWERS)
@examples(300)
def test_json_of_any_shape_is_a_completion_or_none(value: object) -> None:
    found = tried(lambda: read_completion(value), ModelUnavailable)
    if isinstance(found, Exception):
        assert str(found).startswith("status 200, but ")
        assert len(str(found)) < 1000
        return
    found.text.encode()
    assert all(isinstance(text, str) for call in found.tool_calls for text in (call.id, call.name))
    assert 0 <= found.spent.cached_tokens <= found.spent.prompt_tokens


STATUSES = st.integers(400, 599).filter(lambda status: status != 407)
BODIES = st.one_of(st.text(max_size=60), VALUES.map(json.dumps))


@given(STATUSES, BODIES)
@examples(25)
def test_a_status_with_any_body_has_an_owner(status: int, body: str) -> None:
    def refused(request: ChatRequest) -> Answer:
        return Answer(error=Status(status, body=body))

    with StandInServer(refused) as server:
        client = ChatClient(ModelSettings("m", server.base_url, retries=0, seed=1))
        asked = [{"role": "user", "content": "Hello"}]
        found = tried(lambda: client.complete(asked), ModelUnavailable, ModelRejected)
        assert server.hits <= 2
    assert isinstance(found, ModelUnavailable | ModelRejected)
    assert f"status {status}" in str(found)


@given(st.text(alphabet="judgeusrsytm:, .-/4o", max_size=40))
@examples(100)
def test_any_text_names_models_or_is_refused(text: str) -> None:
    found = tried(lambda: by_lane("--todeval-model", text), UsageError)
    if isinstance(found, Exception):
        assert str(found).startswith("--todeval-model=")
        return
    assert all(value and value == value.strip() and value in text for value in found.values())


def test_an_answer_can_be_read_at_all() -> None:
    assert read_completion({"choices": [{"message": {"content": "Hi."}}]}) == Completion("Hi.")
