"""Addresses: which hosts, ports and unix sockets may really be called."""

import ipaddress
from dataclasses import dataclass
from urllib.parse import urlsplit

from pytest_todeval.errors import UsageError

DEFAULT_PORTS = {"http": 80, "https": 443}
EXPECTED = "expected HOST:PORT, HOST, a URL or the path of a unix socket"


@dataclass(frozen=True, slots=True)
class Address:
    """A host with a port (None: any), or a unix socket, whose path stands for the host."""

    host: str
    port: int | None = None

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port is None else f"{host}:{self.port}"

    @classmethod
    def parse(cls, text: str) -> "Address":
        """From `localhost:8000`, `[::1]:80`, `db.local`, a URL, or `/run/db.sock`.

        Raises UsageError if it is none of these.
        """
        if text.startswith("/"):
            return cls(text)
        try:
            parts = urlsplit(text if "://" in text else f"//{text}")
            host, port = parts.hostname, parts.port
        except ValueError as error:
            raise UsageError(f"address {text!r} cannot be read ({error}); {EXPECTED}") from None
        if not host or parts.username is not None:
            raise UsageError(f"address {text!r} names no host; {EXPECTED}")
        return cls(host, port or DEFAULT_PORTS.get(parts.scheme))

    def covers(self, host: str, port: int | None) -> bool:
        if self.port is not None and port is not None and self.port != port:
            return False
        if self.host == host.lower().strip("[]"):
            return True
        return self.host == "localhost" and is_loopback(host)


def is_loopback(host: str) -> bool:
    """Says whether the host is this machine, under any of its names for itself."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]").partition("%")[0]).is_loopback
    except ValueError:
        return False
