"""What a request to the gateway asks for: of which upstream, in which dialogue."""

from collections.abc import Mapping
from dataclasses import dataclass
from email.message import Message
from urllib.parse import quote, unquote, urljoin, urlsplit

from pytest_todeval.errors import TodevalError, known_names
from pytest_todeval.recording.gateway.upstreams import RESERVED, STDIO, Upstream

DIALOGUE_HEADER = "x-todeval-dialogue"
"""The header in which a bot may name the dialogue that it works for, percent-encoded."""
PORT_HEADER = "x-todeval-port"
"""The header in which `todeval mcp` says where it brought a server to that speaks stdio."""


class GatewayRefused(TodevalError):
    """A request that the gateway cannot bring to an upstream; its dialogue is no pass."""


@dataclass(frozen=True, slots=True)
class GatewayRequest:
    """A request to `/NAME/REST` or `/dialogue/ID/NAME/REST`, where ID is percent-encoded."""

    method: str
    dialogue: str | None
    """The dialogue that it names, by path or header."""
    name: str
    """The upstream's."""
    target: str
    """Path and query, as the upstream is asked for them."""
    port: str = ""
    """Of the server that the client itself has brought, on this machine."""

    @classmethod
    def of(cls, method: str, target: str, headers: Message) -> "GatewayRequest":
        header = headers.get(DIALOGUE_HEADER)
        dialogue = None if header is None else unquote(header)
        if target.startswith(f"/{RESERVED}/"):
            named, _, rest = target.removeprefix(f"/{RESERVED}/").partition("/")
            dialogue, target = unquote(named), f"/{rest}"
        name, slash, rest = target.removeprefix("/").partition("/")
        if not slash:
            name, question, query = name.partition("?")
            rest = question + query
        return cls(method, dialogue, name, f"/{rest}", headers.get(PORT_HEADER, ""))

    def __str__(self) -> str:
        return f"{self.method} /{self.name}{self.target.partition('?')[0]}"

    def upstream(self, upstreams: Mapping[str, Upstream]) -> Upstream:
        """Whom it is for. Raises GatewayRefused if that is unknown."""
        if self.name == STDIO and self.port.isascii() and self.port.isdecimal():
            return Upstream(STDIO, "", f"http://127.0.0.1:{self.port}")
        found = upstreams.get(self.name)
        if found is None:
            raise GatewayRefused(
                f"the gateway was asked for {self}, but has no provider {self.name!r}. "
                f"{known_names(self.name, upstreams)}. Add it to the ini file: "
                "`todeval_gateway = NAME = URL`"
            )
        return found

    def require_place_in(self, upstream: Upstream) -> None:
        """Raises GatewayRefused for a method that the provider does not know, and for a path
        outside of its address.
        """
        if not upstream.takes(self.method):
            raise GatewayRefused(
                f"the gateway was asked for {self}, but {upstream.name} knows no {self.method}"
            )
        path = unquote(self.target.partition("?")[0])
        inside = not upstream.path or path == upstream.path or path.startswith(f"{upstream.path}/")
        if not inside or ".." in path.replace("\\", "/").split("/"):
            raise GatewayRefused(
                f"the gateway was asked for {self}, which is not below {upstream.name}'s address "
                f"{upstream.url}"
            )

    def moved(self, location: str, upstream: Upstream, upstreams: Mapping[str, Upstream]) -> str:
        """Returns the address in a redirect, such that the client asks the gateway for it, too.

        From the slash after the gateway's port. Raises GatewayRefused for one of no upstream.
        """
        absolute = urljoin(upstream.origin + self.target, location)
        parts = urlsplit(absolute)
        origin = f"{parts.scheme}://{parts.netloc}".lower()
        for found in (upstream, *upstreams.values()):
            if found.origin == origin:
                return f"{prefix_of(self.dialogue)}/{found.name}{absolute[len(origin) :]}"
        raise GatewayRefused(
            f"{upstream.name} redirects {self} to {origin}, which the gateway does not know: "
            f"add it to the ini file, `todeval_gateway = NAME = {origin}`"
        )


def prefix_of(dialogue: str | None) -> str:
    """Returns what the paths of calls in a dialogue begin with."""
    return "" if dialogue is None else f"/{RESERVED}/{quote(dialogue, safe='')}"
