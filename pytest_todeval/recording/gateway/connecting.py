"""Connections to upstreams, through the proxy that the environment names."""

import http.client
import ssl
from base64 import b64encode
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from pytest_todeval.recording.address import is_loopback
from pytest_todeval.recording.gateway.upstreams import Upstream


def connection_to(upstream: Upstream) -> http.client.HTTPConnection:
    """A connection, not made yet.

    `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` hold, except for this machine itself; certificates
    are those of the system, or of `SSL_CERT_FILE`.
    """
    parts = urlsplit(upstream.url)
    host, port = parts.hostname or "", parts.port
    proxy = None if is_loopback(host) or proxy_bypass(host) else getproxies().get(parts.scheme)
    if proxy is None:
        return _connection(parts.scheme, host, port)
    by = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
    said = {} if by.username is None else {"Proxy-Authorization": _basic(by.username, by.password)}
    connection = _connection(parts.scheme, by.hostname or "", by.port or 80)
    # A tunnel is asked for http, too: so credentials for the proxy never stand beside the bot's.
    connection.set_tunnel(host, port, said)
    return connection


def _connection(scheme: str, host: str, port: int | None) -> http.client.HTTPConnection:
    if scheme == "https":
        return http.client.HTTPSConnection(host, port, context=ssl.create_default_context())
    return http.client.HTTPConnection(host, port)


def _basic(name: str, password: str | None) -> str:
    pair = f"{unquote(name)}:{unquote(password or '')}"
    return "Basic " + b64encode(pair.encode()).decode()
