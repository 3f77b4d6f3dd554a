"""What a bot's server is asked for: URLs and templates, with places for the ids of a dialogue."""

import re
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import quote, urlsplit

from pytest_todeval.errors import UsageError, known_names
from pytest_todeval.simulation.reply import described

PLACES = ("dialogue_id", "goal_id", "session")
EXAMPLES = {"open": "POST /sessions", "close": "DELETE /sessions/{session}"}
_PLACE = re.compile(r"\{([^{}]*)\}")
_TEMPLATE = re.compile(r"(GET|POST|PUT|PATCH|DELETE) (/\S*)")


class HttpTarget(NamedTuple):
    """A method and a URL, which may hold `{session}` and the like."""

    method: str
    url: str

    @property
    def has_body(self) -> bool:
        """Says whether a body is sent."""
        return self.method in ("POST", "PUT", "PATCH")

    def at(self, ids: Mapping[str, str]) -> str:
        """Returns the URL with the ids, percent-encoded."""
        return _PLACE.sub(lambda found: quote(ids[found[1]], safe=""), self.url)

    def __str__(self) -> str:
        url = without_query(self.url)
        return url if self.method == "POST" else f"{self.method} {url}"


def target_of(template: str, url: str, name: str) -> HttpTarget:
    """Returns what `open` or `close` asks for, on the server of `url`. Raises UsageError."""
    found = _TEMPLATE.fullmatch(template)
    if found is None:
        raise UsageError(
            f"HttpSystem({name}={template!r}): expected a method and a path on the bot's server, "
            f"such as {EXAMPLES[name]!r}, or a function"
        )
    _check_places(template, f"HttpSystem({name}={template!r})")
    parts = urlsplit(url)
    return HttpTarget(found[1], f"{parts.scheme}://{parts.netloc}{found[2]}")


def with_ids(header: str, ids: Mapping[str, str]) -> str:
    """The value of a header with the ids that it names; what no header can hold is quoted."""

    def held(found: re.Match[str]) -> str:
        value = ids.get(found[1], found[0])
        return value if value.isascii() and value.isprintable() else quote(value, safe="")

    return _PLACE.sub(held, header)


def host_of(url: str) -> str:
    """Returns the host of a bot's URL. Raises UsageError for one that is none."""
    expected = "expected one like `http://localhost:8000/chat`"
    if not isinstance(url, str):
        raise UsageError(f"the bot's URL is {described(url)}; {expected}")
    try:
        parts = urlsplit(url)
        port, host = parts.port, parts.hostname
    except ValueError as error:
        raise UsageError(f"the bot's URL cannot be read ({error}); {expected}") from None
    if parts.scheme not in ("http", "https") or not host or port == 0:
        raise UsageError(f"the bot's URL is {without_query(url)!r}; {expected}")
    if parts.username or parts.password:
        raise UsageError(
            f"the bot's URL holds a name or password for {host}; pass it in a header instead: "
            'HttpSystem(url, headers={"Authorization": "Bearer ${NAME_OF_A_VARIABLE}"})'
        )
    _check_places(url, "the bot's URL")
    return host


def without_query(url: str) -> str:
    """For messages: a query may hold a key."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _check_places(text: str, what: str) -> None:
    for name in _PLACE.findall(text):
        if name not in PLACES:
            raise UsageError(f"{what} has {{{name}}}; {known_names(name, PLACES)}")
