"""What stands in a cassette in place of a secret: the same for every secret, in every run."""

import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

PLACEHOLDER = "todeval-redacted"
"""Safe in URLs, forms, headers and JSON, and of no shape that a secret has."""

REMOVED = "removed"
"""In a query, since the first cassettes."""

TOKEN = re.compile(r"eyJ[A-Za-z0-9_-]{0,8192}\.eyJ[A-Za-z0-9_-]{0,8192}\." + PLACEHOLDER)
"""A JSON web token whose signature is the placeholder."""

KEPT_CLAIMS = frozenset({"iss", "aud", "azp", "appid", "nonce", "ver", "typ", "scp", "scope"})
FAR = 4102444800
"""The year 2100, in seconds since 1970: a replayed token has not expired."""


def token_like(token: str) -> str:
    """Returns a JSON web token that a client can read and nobody can use.

    It says for whom it is, and is valid until 2100; what else it said of anybody is gone.
    """
    claims = _claims(token)
    kept = {name: _claim(name, value) for name, value in claims.items()}
    return f"{_part({'alg': 'none', 'typ': 'JWT'})}.{_part(kept)}.{PLACEHOLDER}"


def without_tokens(text: str) -> str:
    """Returns the text with the plain placeholder in place of what `token_like` made."""
    return TOKEN.sub(PLACEHOLDER, text) if PLACEHOLDER in text else text


def _claims(token: str) -> dict[str, Any]:
    part = token.split(".")[1]
    try:
        value = json.loads(urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _claim(name: str, value: object) -> object:
    if name == "exp":
        return FAR
    if name in KEPT_CLAIMS or (type(value) in (int, float, bool) and name in ("iat", "nbf")):
        return value
    return PLACEHOLDER


def _part(value: dict[str, Any]) -> str:
    text = json.dumps(value, separators=(",", ":"), sort_keys=True)
    return urlsafe_b64encode(text.encode()).decode().rstrip("=")
