"""One meaning of address, key and model, whoever asks; and profiles of well-known endpoints."""

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.core.lane import Lane, in_lane
from pytest_todeval.errors import ModelUnavailable, UsageError
from pytest_todeval.models.client import ChatClient
from pytest_todeval.models.endpoint import Endpoint
from pytest_todeval.models.profiles import PROFILES
from pytest_todeval.models.run_models import RunModels, as_in_run, run_models, where_asked
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.play.cast import Cast
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


OPTION, FILE, OWN, ENVIRONMENT = (f"http://{name}/v1" for name in ("option", "file", "own", "env"))


@pytest.mark.parametrize("lane", [Lane.USER, Lane.SYSTEM, Lane.JUDGE, Lane.EAR])
@pytest.mark.parametrize(
    ("own", "option", "file", "profile", "environment", "wins"),
    [
        (OWN, OPTION, FILE, "ollama", ENVIRONMENT, OWN),
        (None, OPTION, FILE, "ollama", ENVIRONMENT, OPTION),
        (None, None, FILE, "ollama", ENVIRONMENT, FILE),
        (None, None, None, "ollama", ENVIRONMENT, PROFILES["ollama"].base_url),
        (None, None, None, None, ENVIRONMENT, ENVIRONMENT),
        (None, None, None, None, None, "https://api.openai.com/v1"),
    ],
    ids=["code", "option", "file", "profile", "environment", "default"],
)
def test_who_says_the_address_is_the_same_for_all_lanes(
    lane: Lane,
    own: str | None,
    option: str | None,
    file: str | None,
    profile: str | None,
    environment: str | None,
    wins: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    if environment is not None:
        monkeypatch.setenv("OPENAI_BASE_URL", environment)
    said = {"model": "m", "base_url": file, "profile": profile, "key": "FILE_KEY"}
    told = {name: value for name, value in said.items() if value is not None}
    models = tmp_path / "models.yaml"
    models.write_text(json.dumps({lane.value: told}))
    cast = Cast(models_file=models, base_url=option)
    in_code = ModelSettings("m") if own is None else ModelSettings("m", own)
    with run_models(cast.run_models), in_lane("demo/1#0", lane):
        assert ChatClient(in_code).endpoint.url == wins
        assert ChatClient("m").endpoint.url == (wins if own is None else option)
        assert ChatClient("m").asked.key == "FILE_KEY"
        assert ChatClient(cast.models[lane][0]).endpoint.url == ChatClient("m").endpoint.url
        assert ChatClient("other").model == "other"  # the name in the code stays


def test_who_is_asked_where_and_what_says_so_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", ENVIRONMENT)
    plain, moved = ModelSettings("m"), ModelSettings("m", OPTION, key="OWN_KEY")
    panel = (ModelSettings("n", f"{FILE}?key=s3cret"), ModelSettings("q", profile="ollama"))
    found = where_asked(
        {Lane.USER: (plain,), Lane.SYSTEM: (plain,), Lane.EAR: (moved,), Lane.JUDGE: panel},
        {Lane.EAR: OPTION},
    )
    assert found == [
        "user, system: model m at http://env/v1 (OPENAI_BASE_URL), key from OPENAI_API_KEY",
        "ear: model m at http://option/v1 (--todeval-base-url), key from OWN_KEY",
        "judge: model n at http://file/v1 (models file), key from OPENAI_API_KEY",
        "judge: model q at http://localhost:11434/v1 (profile ollama), key from OLLAMA_API_KEY",
    ]


def test_one_without_an_address_is_not_told_before_it_is_asked() -> None:
    assert where_asked({Lane.USER: (ModelSettings("m", profile="azure"),)}, {}) == []


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
