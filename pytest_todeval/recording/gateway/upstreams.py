"""Upstreams: the providers whose place the gateway takes, and where they really are."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from pytest_todeval.errors import UsageError
from pytest_todeval.recording.address import is_loopback
from pytest_todeval.trust import in_ci, line_to_trust, may_be_called

KNOWN = {
    "openai": ("OPENAI_BASE_URL", "https://api.openai.com/v1"),
    "anthropic": ("ANTHROPIC_BASE_URL", "https://api.anthropic.com"),
    "google": ("GOOGLE_GEMINI_BASE_URL", "https://generativelanguage.googleapis.com"),
    "mistral": ("MISTRAL_BASE_URL", "https://api.mistral.ai"),
    "groq": ("GROQ_BASE_URL", "https://api.groq.com"),
    "cohere": ("CO_API_URL", "https://api.cohere.com"),
    "together": ("TOGETHER_BASE_URL", "https://api.together.ai"),
    "openrouter": ("OPENROUTER_BASE_URL", "https://openrouter.ai/api/v1"),
    "azure": ("AZURE_OPENAI_ENDPOINT", ""),
}
"""By name: the variable that clients read, and their own default; empty if they have none."""

METHODS = ("GET", "HEAD", "POST")
MORE_METHODS = {
    **dict.fromkeys(("openai", "azure", "anthropic", "groq", "openrouter"), ("DELETE",)),
    **dict.fromkeys(("google", "mistral", "cohere", "together"), ("DELETE", "PATCH", "PUT")),
}
"""By known name, what its API takes besides; servers of one's own take what they like."""
RESERVED = "dialogue"
"""The segment that names a dialogue."""
STDIO, BACKEND = "stdio", "backend"
"""The segments of servers that `todeval mcp` starts, and of the backend of the dialogue's goal."""
OURS = frozenset({RESERVED, STDIO, BACKEND})
"""No upstream can be called that."""
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")
EXPECTED = "expected `NAME = URL`, e.g. `vllm = http://localhost:8000/v1`"


@dataclass(frozen=True, slots=True)
class Upstream:
    """A provider."""

    name: str
    """The segment of the gateway's paths that stands for it."""
    variable: str
    """The environment variable that holds the address for a bot's client."""
    url: str
    """Where that client would ask without the gateway."""

    @property
    def origin(self) -> str:
        """Scheme, host and port of `url`."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc}".lower()

    @property
    def path(self) -> str:
        """Returns the path of `url`, without a slash at its end."""
        return urlsplit(self.url).path.rstrip("/")

    def takes(self, method: str) -> bool:
        """Says whether its API knows requests of this method."""
        return self.name not in KNOWN or method in (*METHODS, *MORE_METHODS[self.name])


def upstreams_from(lines: Iterable[str], environ: Mapping[str, str]) -> dict[str, Upstream]:
    """Returns the upstreams by name: the known ones, and those of `NAME = URL` lines.

    A variable that is set in `environ` says where its upstream is; then a line; then the default.
    Raises UsageError for a line or a variable that cannot be read.
    """
    urls = {name: url for name, (_, url) in KNOWN.items()}
    for line in lines:
        name, equals, url = (part.strip() for part in line.partition("="))
        if not equals or not _NAME.fullmatch(name) or name in OURS:
            raise UsageError(f"todeval_gateway: {line!r} cannot be read; {EXPECTED}")
        urls[name] = _checked(url, f"todeval_gateway: {line!r}")
    found = {}
    for name, default in urls.items():
        usual = f"{name.upper().replace('-', '_')}_BASE_URL"
        variable = KNOWN[name][0] if name in KNOWN else usual
        set_url = environ.get(variable, "")
        url = _checked(set_url, f"the variable {variable}") if set_url else default
        if url:
            found[name] = Upstream(name, variable, url)
    return found


def places(lines: Iterable[str], environ: Mapping[str, str]) -> list[str]:
    """Returns where lines lead the calls of bots, which send keys of their own: a line for each."""
    found = upstreams_from(lines, environ)
    named = sorted({line.partition("=")[0].strip() for line in lines})
    return [
        f"gateway: {name} at {found[name].origin} "
        f"({found[name].variable if environ.get(found[name].variable) else 'todeval_gateway'}), "
        "key from the bot"
        for name in named
    ]


def require_trust(upstreams: Mapping[str, Upstream], lines: Iterable[str]) -> None:
    """Raises UsageError if a line, of a file of the project, leads calls where nobody else wants.

    In CI that is any address; elsewhere it is one of another host for a known provider, whose key
    the bot sends along.
    """
    for name in (line.partition("=")[0].strip() for line in lines):
        url = upstreams[name].url
        host = urlsplit(url).hostname or ""
        harmless = not in_ci() and (name not in KNOWN or is_loopback(host))
        if not harmless and not may_be_called(url):
            raise UsageError(
                f"todeval_gateway: a file of the project alone leads the calls for {name} to "
                f"{host}. If you trust it: export {line_to_trust(url)}"
            )


def _checked(url: str, where: str) -> str:
    try:
        parts = urlsplit(url)
        port, host = parts.port, parts.hostname
    except ValueError as error:
        raise UsageError(f"{where}: the URL cannot be read ({error}); {EXPECTED}") from None
    if parts.scheme not in ("http", "https") or not host or port == 0 or parts.query:
        raise UsageError(f"{where}: not the http or https URL of an endpoint; {EXPECTED}")
    if parts.username is not None:
        raise UsageError(f"{where}: the URL holds a name or password, which belong into a header")
    return url
