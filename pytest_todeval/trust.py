"""Who may ask for what: a key goes to its provider, or where the person who runs the tests says.

Files of a repository have no say in it, for a stranger may have changed them (SECURITY.md): what
says so is the environment and the command line.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from urllib.parse import urlsplit

from pytest_todeval.errors import UsageError

VARIABLE = "TODEVAL_TRUSTED_HOSTS"
EXPECTED = "expected HOST or HOST:PORT, or KEY_VARIABLE@HOST, with commas between them"
LOOPBACK = ("http://localhost", "http://127.0.0.1", "http://[::1]")
PROVIDERS: Mapping[str, tuple[str, ...]] = {
    "OPENAI_API_KEY": ("https://api.openai.com", "https://eu.api.openai.com"),
    "AZURE_OPENAI_API_KEY": (),
    "ANTHROPIC_API_KEY": ("https://api.anthropic.com",),
    "GEMINI_API_KEY": ("https://generativelanguage.googleapis.com",),
    "GOOGLE_API_KEY": ("https://generativelanguage.googleapis.com",),
    "MISTRAL_API_KEY": ("https://api.mistral.ai",),
    "GROQ_API_KEY": ("https://api.groq.com",),
    "CO_API_KEY": ("https://api.cohere.com",),
    "TOGETHER_API_KEY": ("https://api.together.ai", "https://api.together.xyz"),
    "OPENROUTER_API_KEY": ("https://openrouter.ai",),
    "DEEPSEEK_API_KEY": ("https://api.deepseek.com",),
    "OLLAMA_API_KEY": (*LOOPBACK, "https://ollama.com"),
    "VLLM_API_KEY": LOOPBACK,
    "LLAMA_API_KEY": LOOPBACK,
    "LMSTUDIO_API_KEY": LOOPBACK,
    "LITELLM_API_KEY": LOOPBACK,
}
"""By the variable of a key, where its provider is; customers of Azure have addresses of their own,
which the environment has to name. Servers of one's own listen on this machine, on any port."""
ENDPOINTS: Mapping[str, str] = {
    "OPENAI_API_KEY": "OPENAI_BASE_URL",
    "AZURE_OPENAI_API_KEY": "AZURE_OPENAI_ENDPOINT",
    "ANTHROPIC_API_KEY": "ANTHROPIC_BASE_URL",
    "GEMINI_API_KEY": "GOOGLE_GEMINI_BASE_URL",
    "MISTRAL_API_KEY": "MISTRAL_BASE_URL",
    "GROQ_API_KEY": "GROQ_BASE_URL",
    "CO_API_KEY": "CO_API_URL",
    "TOGETHER_API_KEY": "TOGETHER_BASE_URL",
    "OPENROUTER_API_KEY": "OPENROUTER_BASE_URL",
}
"""By the variable of a key, the one by which the environment says where its provider is."""


@dataclass(frozen=True, slots=True)
class _TrustedHost:
    variable: str
    """Of a key; empty for the keys of all providers that are known."""
    host: str
    port: int | None

    def covers(self, url: str) -> bool:
        host, port = _place(url)
        return (self.host, self.port or port) == (host, port)


def may_be_called(url: str) -> bool:
    """Says whether a run in CI may call an address that a file of the project names.

    Raises UsageError if TODEVAL_TRUSTED_HOSTS cannot be read.
    """
    providers = {each for variable in PROVIDERS for each in PROVIDERS[variable]}
    own = {_origin(said) for each in ENDPOINTS.values() if (said := os.environ.get(each))}
    return _origin(url) in (providers - set(LOOPBACK)) | own or any(
        entry.covers(url) for entry in _entries(os.environ.get(VARIABLE, ""))
    )


def key_may_go(variable: str, url: str) -> bool:
    """Whether the key in a variable may be sent to an address, though a file names one of the two.

    Raises UsageError likewise.
    """
    at, said = _origin(url), os.environ.get(ENDPOINTS.get(variable, ""), "")
    here = at.rpartition(":")[0] if urlsplit(url).port else at
    if at in PROVIDERS.get(variable, ()) or (said and at == _origin(said)):
        return True
    if here in LOOPBACK and here in PROVIDERS.get(variable, ()):
        return True
    return any(
        entry.covers(url)
        and (variable == entry.variable if entry.variable else variable in PROVIDERS)
        for entry in _entries(os.environ.get(VARIABLE, ""))
    )


def line_to_trust(url: str, variable: str = "") -> str:
    """Returns what the person sets to trust an address, or to have a key sent there."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2].lower()
    return f"{VARIABLE}={variable}@{host}" if variable else f"{VARIABLE}={host}"


def in_ci() -> bool:
    """Says whether the run is one of a CI, where nobody looks on and files may be a stranger's."""
    return os.environ.get("CI", "").lower() not in ("", "0", "false")


def leads_out(place: Path, beside: Path) -> bool:
    """Says whether a run in CI is led out of the project by what stands in the folder `beside`.

    That may be a path in a file there, or a link. A project is a checkout, with all in it.
    """
    return in_ci() and not _lies_in(place, project_of(beside))


def project_of(folder: Path) -> Path | None:
    """Returns the checkout that a folder is in; None if it is in none."""
    here = folder.absolute()
    return next((each for each in (here, *here.parents) if (each / ".git").exists()), None)


def _lies_in(place: Path, project: Path | None) -> bool:
    try:
        return project is None or place.resolve().is_relative_to(project.resolve())
    except (OSError, RuntimeError, ValueError):  # a name that is too long, a circle of links
        return False


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}".lower().rstrip(".")


def _place(url: str) -> tuple[str, int | None]:
    parts = urlsplit(url if "://" in url else f"//{url}")
    usual = {"http": 80, "https": 443}.get(parts.scheme)
    return (parts.hostname or "").rstrip("."), parts.port or usual


@lru_cache(maxsize=8)
def _entries(text: str) -> tuple[_TrustedHost, ...]:
    return tuple(_entry(part.strip()) for part in text.split(",") if part.strip())


def _entry(text: str) -> _TrustedHost:
    variable, at, place = text.rpartition("@")
    try:
        parts = urlsplit(place if "://" in place else f"//{place}")
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host or "*" in host or (at and not variable.isidentifier()):
        raise UsageError(f"{VARIABLE}: {text!r:.80} cannot be read; {EXPECTED}")
    if port is None and parts.scheme in ("http", "https"):
        port = {"http": 80, "https": 443}[parts.scheme]
    return _TrustedHost(variable, host.rstrip("."), port)
