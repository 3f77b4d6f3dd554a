"""Which key goes to which host, and whom a run in CI may call."""

import pytest

from pytest_todeval import trust
from pytest_todeval.errors import UsageError

EVIL = "https://evil.example/v1"


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (trust.VARIABLE, "CI", *trust.ENDPOINTS.values()):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("variable", "url", "goes"),
    [
        ("OPENAI_API_KEY", "https://api.openai.com/v1", True),
        ("OPENAI_API_KEY", "https://API.OpenAI.com./v1", True),
        ("OPENAI_API_KEY", "http://api.openai.com/v1", False),  # without TLS
        ("OPENAI_API_KEY", "https://api.openai.com:8443/v1", False),
        ("OPENAI_API_KEY", "https://api.openai.com.evil.example/v1", False),
        ("OPENAI_API_KEY", "https://evil.example/api.openai.com", False),
        ("OPENAI_API_KEY", EVIL, False),
        ("OPENAI_API_KEY", "http://localhost:11434/v1", False),
        ("OLLAMA_API_KEY", "http://localhost:11434/v1", True),
        ("OLLAMA_API_KEY", "http://127.0.0.1/v1", True),
        ("OLLAMA_API_KEY", "http://localhost.evil.example:11434/v1", False),
        ("OLLAMA_API_KEY", EVIL, False),
        ("GITHUB_TOKEN", "https://api.openai.com/v1", False),
        ("GITHUB_TOKEN", EVIL, False),
        ("AZURE_OPENAI_API_KEY", "https://evil.openai.azure.com/openai/v1", False),
    ],
)
def test_a_key_goes_to_its_provider_alone(variable: str, url: str, goes: bool) -> None:
    assert trust.key_may_go(variable, url) is goes


@pytest.mark.parametrize(
    ("trusted", "variable", "url", "goes"),
    [
        ("evil.example", "OPENAI_API_KEY", EVIL, True),
        ("evil.example", "GITHUB_TOKEN", EVIL, False),
        ("GITHUB_TOKEN@evil.example", "GITHUB_TOKEN", EVIL, True),
        ("GITHUB_TOKEN@evil.example", "OPENAI_API_KEY", EVIL, False),
        ("a.example, CORP_KEY@evil.example:443", "CORP_KEY", EVIL, True),
        ("evil.example:80", "OPENAI_API_KEY", EVIL, False),
        ("http://evil.example", "OPENAI_API_KEY", EVIL, False),
        ("[::1]:8000", "OPENAI_API_KEY", "http://[::1]:8000/v1", True),
    ],
)
def test_the_environment_allows_more(
    trusted: str, variable: str, url: str, goes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(trust.VARIABLE, trusted)
    assert trust.key_may_go(variable, url) is goes


def test_the_providers_own_variable_allows_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZURE_OPENAI_ENDPOINT", "https://ours.openai.azure.com/")
    assert trust.key_may_go("AZURE_OPENAI_API_KEY", "https://ours.openai.azure.com/openai/v1")
    assert not trust.key_may_go("OPENAI_API_KEY", "https://ours.openai.azure.com/openai/v1")
    assert trust.may_be_called("https://ours.openai.azure.com/x")


def test_in_ci_files_may_call_providers_and_trusted_hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    assert trust.may_be_called("https://api.openai.com/v1")
    assert not trust.may_be_called("http://localhost:8000/v1")
    assert not trust.may_be_called(EVIL)
    monkeypatch.setenv(trust.VARIABLE, "localhost, GITHUB_TOKEN@evil.example")
    assert trust.may_be_called("http://localhost:8000/v1")
    assert trust.may_be_called(EVIL)


@pytest.mark.parametrize("url", [EVIL, "http://127.0.0.1:9/v1", "http://[::1]:9/v1"])
@pytest.mark.parametrize("variable", ["", "CORP_KEY"])
def test_the_line_to_set_does_what_it_says(
    url: str, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, _, value = trust.line_to_trust(url, variable).partition("=")
    monkeypatch.setenv(name, value)
    assert trust.may_be_called(url)
    assert trust.key_may_go(variable or "OPENAI_API_KEY", url)


@pytest.mark.parametrize("text", ["a b@host", "@", "*.example", "host:port", "x@", "[::1"])
def test_what_cannot_be_read_is_told(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(trust.VARIABLE, text)
    with pytest.raises(UsageError, match=r"TRUSTED_HOSTS: .* cannot be read; expected HOST"):
        trust.key_may_go("OPENAI_API_KEY", EVIL)


@pytest.mark.parametrize(
    ("value", "ci"), [("true", True), ("1", True), ("false", False), ("0", False), ("", False)]
)
def test_ci_says_so(value: str, ci: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", value)
    assert trust.in_ci() is ci
