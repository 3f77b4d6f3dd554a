"""Which calls are the process's, not a dialogue's, and which are nobody's: telemetry."""

import fnmatch
import re
from collections.abc import Iterable
from dataclasses import dataclass

from pytest_todeval.errors import UsageError
from pytest_todeval.recording.bodies import parse
from pytest_todeval.recording.call import Request, Response
from pytest_todeval.recording.secrets import kept_query

EXPECTED = (
    "expected [METHOD] HOST, [METHOD] /PATH or [METHOD] HOST/PATH, each with `*` for any text"
)
METHOD = re.compile(r"[A-Z]+")

TOKENS = re.compile(r"(?:^|/)(?:oauth2?|tokens?|sts)(?:$|[/:])", re.IGNORECASE)
"""Paths at which a client gets its token."""
LOGINS = re.compile(
    r"(?:^|/)(?:auth|authenticate|authorize|login|log-in|signin|sign-in|sessions?)(?:$|[/:])",
    re.IGNORECASE,
)
"""Paths at which it may, or at which a dialogue's user is signed in."""
LISTS = re.compile(
    r"(?:^|/)(?:v[0-9]+[a-z]*/models(?:/|$)|models$|\.well-known/|computeMetadata/|jwks|api/tags$"
    r"|latest/meta-data/|latest/dynamic/|api/(?:version$|agent-harnesses$|whoami|models/)"
    r"|[^/]+/[^/]+/resolve/)|model_prices[^/]*\.json$|\.tiktoken$",
    re.IGNORECASE,
)
"""Model lists, prices, key sets, metadata of machines, files of models."""
MODELS = re.compile(
    r":(?:generateContent|streamGenerateContent)$|/model/[^/]+/(?:converse|invoke)[a-z-]*$"
    r"|/deployments/[^/]+/(?:chat/completions|completions|embeddings)$"
)
"""Paths that name the model they ask."""
ASKED = frozenset({"messages", "input", "prompt"})
"""What bodies that name a model ask it."""


def _glob(text: str) -> re.Pattern[str]:
    return re.compile(fnmatch.translate(text.replace("[", "[[]")))


@dataclass(frozen=True, slots=True)
class CallPattern:
    """A line of `todeval_shared` or `todeval_ignore`."""

    method: str
    """Upper case; empty for any."""
    host: re.Pattern[str] | None
    path: re.Pattern[str] | None

    @classmethod
    def parse(cls, line: str) -> "CallPattern":
        """From `POST /oauth/token`, `*.example.com`, `GET example.com/v1/*`. Raises UsageError."""
        method, _, target = line.strip().rpartition(" ")
        method = method.strip()
        target = target.partition("://")[2] or target
        host, slash, path = target.partition("/")
        if (method and METHOD.fullmatch(method.upper()) is None) or not (host or slash):
            raise UsageError(f"{line!r} does not name a call; {EXPECTED}")
        return cls(
            method.upper(),
            _glob(host.lower()) if host else None,
            _glob(f"/{path}") if slash else None,
        )

    def matches(self, method: str, host: str, path: str) -> bool:
        """Says whether it names this call; `host` with or without a port."""
        if self.method not in ("", method.upper()):
            return False
        if self.path is not None and self.path.match(path) is None:
            return False
        host = host.lower()
        return self.host is None or any(
            self.host.match(form) for form in (host, host.rpartition(":")[0] or host)
        )


@dataclass(frozen=True, slots=True)
class ProcessRules:
    """What a project, and what is commonly known, says of calls."""

    shared: tuple[CallPattern, ...] = ()
    ignored: tuple[CallPattern, ...] = ()

    def ignores(self, method: str, host: str, path: str) -> bool:
        """Says whether a call is answered here, and recorded nowhere."""
        return any(pattern.matches(method, host, path) for pattern in self.ignored)

    def shares(self, method: str, host: str, path: str) -> bool:
        """Says whether a call is the process's, wherever it is made."""
        if any(pattern.matches(method, host, path) for pattern in self.shared):
            return True
        if method.upper() in ("POST", "PUT"):
            return TOKENS.search(path) is not None
        return method.upper() in ("GET", "HEAD") and LISTS.search(path) is not None

    @staticmethod
    def may_share(request: Request) -> bool:
        """Whether a call is the process's if it opens a dialogue: it asks for what is always there.

        A GET without a query, or a login.
        """
        if request.method in ("GET", "HEAD"):
            return not request.body and not kept_query(request.query)
        return request.method == "POST" and LOGINS.search(request.path) is not None


def asks_model(request: Request) -> bool:
    """Says whether a request has a model say, or embed, something: a provider asks money for it."""
    if request.method != "POST":
        return False
    if MODELS.search(request.path):
        return True
    body = parse(request.content_type, request.body)
    return (
        isinstance(body, dict) and isinstance(body.get("model"), str) and not ASKED.isdisjoint(body)
    )


TELEMETRY = tuple(
    map(
        CallPattern.parse,
        (
            "os-api.agno.com/telemetry/*",
            "api.agno.com/*telemetry/*",
            "telemetry.crewai.com",
            "*.posthog.com",
            "*.sentry.io",
            "*.scarf.sh",
            "api.segment.io",
            "api.mixpanel.com",
            "api.amplitude.com",
            "huggingface.co/api/telemetry/*",
            "*.applicationinsights.azure.com",
        ),
    )
)
"""What frameworks tell their makers, with ids that are new in each run."""


def is_telemetry(method: str, host: str, path: str) -> bool:
    """Says whether a call is known to serve its framework's makers alone."""
    return any(pattern.matches(method, host, path) for pattern in TELEMETRY)


def process_rules_from(shared: Iterable[str], ignored: Iterable[str]) -> ProcessRules:
    """What lines of `todeval_shared` and `todeval_ignore` say. Raises UsageError naming a line."""
    ignores = (*_patterns("todeval_ignore", ignored), *TELEMETRY)
    return ProcessRules(_patterns("todeval_shared", shared), ignores)


def ignored_answer(request_type: str) -> Response:
    """Returns the answer to a call that is ignored: all went well, nothing to say."""
    if "protobuf" in request_type:
        return Response(200, (("content-type", request_type),), b"")
    return Response(200, (("content-type", "application/json"),), b"{}")


def _patterns(option: str, lines: Iterable[str]) -> tuple[CallPattern, ...]:
    try:
        return tuple(map(CallPattern.parse, lines))
    except UsageError as error:
        raise UsageError(f"{option}: {error}") from None
