"""Headers of a bot's server, with what the environment holds for them."""

import os
import re
from collections.abc import Mapping

from pytest_todeval.errors import UsageError
from pytest_todeval.recording.redaction.memory import SECRET_NAMES, declare_secret, is_memorable
from pytest_todeval.recording.redaction.names import SECRET_HEADER

VARIABLE = re.compile(r"\$\$\{|\$\{([^}]*)\}?")
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
CREDENTIALS = re.compile(r"(?:proxy-)?authorization|cookie|.*key|.*token|.*secret", re.IGNORECASE)
SCHEME = re.compile(r"(?:Bearer|Basic|Token|ApiKey) +", re.IGNORECASE)
LEAST = 6
"""Characters of a credential that is taken out of messages: a shorter one is part of words."""
HIDDEN = "***"


class BotHeaders:
    """Headers to send; `${NAME}` in a value is the environment variable NAME, `$${` stands for
    `${` itself.

    Raises UsageError for a variable that is missing or empty, and for what no header can hold. The
    credentials among them are known as secrets from then on: no cassette, result or report has
    them.
    """

    def __init__(self, given: Mapping[str, str]) -> None:
        self._secrets: set[str] = set()
        self.sent = {name: self._filled(name, value) for name, value in given.items()}
        """Name and value of each."""
        for secret in self._secrets:
            declare_secret(secret)

    def hidden(self, text: str) -> str:
        """Returns a text without the credentials that were sent, for a message."""
        for secret in sorted(self._secrets, key=len, reverse=True):
            text = text.replace(secret, HIDDEN)
        return text

    def _filled(self, header: str, value: object) -> str:
        if not isinstance(value, str):
            raise UsageError(f"the header {header} is {type(value).__name__}, expected text")
        credential = CREDENTIALS.fullmatch(header) or SECRET_HEADER.fullmatch(header)

        def of_environment(found: re.Match[str]) -> str:
            if found[1] is None:
                return "${"
            held = _held(header, found)
            if credential or SECRET_NAMES.search(found[1]) or is_memorable(held):
                self._keep(held)
            return held

        filled = VARIABLE.sub(of_environment, value)
        if not filled.isprintable() or not filled.isascii():
            names = ", ".join(m[1] for m in VARIABLE.finditer(value) if m[1]) or "its value"
            raise UsageError(
                f"the header {header} cannot be sent: {names} holds a line break or a character "
                "that headers cannot have"
            )
        if credential:
            self._keep(SCHEME.sub("", filled, count=1))
        return filled

    def _keep(self, secret: str) -> None:
        if len(secret.strip()) >= LEAST:
            self._secrets.add(secret.strip())


def _held(header: str, found: re.Match[str]) -> str:
    name = found[1]
    if not NAME.fullmatch(name) or not found[0].endswith("}"):
        raise UsageError(
            f"the header {header} has {found[0]!r}, expected the name of an environment variable, "
            "as in `Bearer ${SHOP_TOKEN}` (for `${` itself write `$${`)"
        )
    value = os.environ.get(name, "")
    if not value:
        state = "is empty" if name in os.environ else "is not set"
        raise UsageError(
            f"the header {header} of the bot takes the environment variable {name}, which {state}: "
            f"set it before pytest starts (`export {name}=...`)"
        )
    return value
