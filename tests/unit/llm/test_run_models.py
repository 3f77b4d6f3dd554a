"""One meaning of address, key and model, whoever asks; and profiles of well-known endpoints."""

from typing import Any

import pytest

from pytest_todeval.core.lane import Lane, in_lane
from pytest_todeval.errors import ModelUnavailable, UsageError
from pytest_todeval.llm.client import ChatClient
from pytest_todeval.llm.endpoint import Endpoint
from pytest_todeval.llm.profiles import PROFILES
from pytest_todeval.llm.run_models import RunModels, as_in_run, run_models
from pytest_todeval.llm.settings import ModelSettings
from pytest_todeval.testing import StandInServer

ASKED = [{"role": "user", "content": "Hello?"}]
TOOL = {"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}
BY_LANE = RunModels(
    {Lane.SYSTEM: [ModelSettings("m", "http://file/v1", key="FILE_KEY", temperature=0)]},
    {Lane.USER: "http://user/v1", Lane.SYSTEM: "http://system/v1"},
)


@pytest.mark.parametrize(
    ("lane", "settings", "expected"),
    [
        (Lane.USER, ModelSettings("m"), ModelSettings("m", "http://user/v1")),
        (Lane.JUDGE, ModelSettings("m"), ModelSettings("m")),
        (Lane.USER, ModelSettings("m", "http://own/v1"), ModelSettings("m", "http://own/v1")),
        (
            Lane.SYSTEM,
            ModelSettings("m"),
            ModelSettings("m", "http://file/v1", key="FILE_KEY", temperature=0),
        ),
        (Lane.SYSTEM, ModelSettings("n"), ModelSettings("n", "http://system/v1")),
        (
            Lane.SYSTEM,
            ModelSettings("m", seed=1),
            ModelSettings("m", "http://system/v1", seed=1),
        ),
    ],
)
def test_a_run_says_what_settings_leave_open(
    lane: Lane, settings: ModelSettings, expected: ModelSettings
) -> None:
    with run_models(BY_LANE):
        assert as_in_run(settings) == settings  # no dialogue is being played
        with in_lane("demo/1#0", lane):
            assert as_in_run(settings) == expected
    with in_lane("demo/1#0", lane):
        assert as_in_run(settings) == settings


def test_a_client_asks_where_the_run_says() -> None:
    with StandInServer(lambda request: "Hi.") as server:
        run = RunModels({}, {Lane.SYSTEM: server.base_url})
        with run_models(run), in_lane("demo/1#0", Lane.SYSTEM):
            assert ChatClient("m").complete(ASKED).text == "Hi."
        assert server.hits == 1


def test_an_address_that_is_none_is_refused_with_the_option() -> None:
    with pytest.raises(UsageError, match="--todeval-base-url: base_url"):
        RunModels({}, {Lane.USER: "localhost:1"})


@pytest.mark.parametrize("name", PROFILES)
def test_a_profile_sets_what_is_left_open(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    profile = PROFILES[name]
    asked = ModelSettings("m", profile=name)
    assert (asked.key, asked.token_cap) == (profile.key, profile.token_cap)
    assert asked.tool_choice == profile.tool_choice
    assert set(profile.unsupported) <= set(asked.unsupported)
    if profile.base_url:
        assert Endpoint(asked).url == profile.base_url
    own: dict[str, Any] = {"key": "OWN_KEY", "token_cap": "max_completion_tokens"}
    mine = ModelSettings("m", "http://own/v1", profile=name, unsupported=("top_p",), **own)
    assert (mine.key, mine.token_cap) == ("OWN_KEY", "max_completion_tokens")
    assert mine.unsupported[0] == "top_p"
    assert Endpoint(mine).url == "http://own/v1"


def test_no_key_goes_to_an_address_that_a_profile_does_not_have() -> None:
    with pytest.raises(ModelUnavailable, match=r"azure.*write it as `base_url`"):
        ChatClient(ModelSettings("m", profile="azure")).complete(ASKED)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("profile", "Ollama"),
        ("token_cap", "max"),
        ("tool_choice", "required"),
        *(("profile", []), ("token_cap", []), ("tool_choice", {})),
    ],
)
def test_settings_of_endpoints_that_cannot_be_meant(field: str, value: object) -> None:
    options: dict[str, Any] = {"model": "m", field: value}
    with pytest.raises(UsageError, match=field):
        ModelSettings(**options)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("llama-cpp-python", {"max_tokens": 5, "tool_choice": "auto", "seed": 1}),
        ("ollama", {"max_tokens": 5, "seed": 1}),
        ("anthropic", {"max_tokens": 5}),
        ("openai", {"max_completion_tokens": 5, "seed": 1}),
    ],
)
def test_what_profiles_send(name: str, expected: dict[str, Any]) -> None:
    with StandInServer(lambda request: "Hi.") as server:
        asked = ModelSettings("m", server.base_url, profile=name, seed=1, max_tokens=5)
        ChatClient(asked).complete(ASKED, tools=[TOOL])
        [request] = server.requests
    body = dict(request.body)
    for known in ("model", "messages", "tools"):
        del body[known]
    assert body == expected


def test_tool_choice_is_sent_with_tools_only() -> None:
    with StandInServer(lambda request: "Hi.") as server:
        asking = ChatClient(ModelSettings("m", server.base_url, tool_choice="auto"))
        asking.complete(ASKED)
        asking.complete(ASKED, tools=[TOOL])
        assert ["tool_choice" in request.body for request in server.requests] == [False, True]
