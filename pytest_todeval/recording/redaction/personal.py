"""Personal data by its shape: redacted on request only, since bots are asked for phone numbers."""

import re
from collections.abc import Mapping

from pytest_todeval.recording.redaction.shape import Shape

EMAIL = Shape(
    "an e-mail address",
    ("@",),
    re.compile(r"[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}"),
)


def _is_card(match: re.Match[str]) -> bool:
    """Says whether the check digit of a card's number is right (Luhn's formula)."""
    digits = [int(digit) for digit in match[0] if digit.isdigit()]
    doubled = [(2 * digit - 9 if digit > 4 else 2 * digit) for digit in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def _is_iban(match: re.Match[str]) -> bool:
    """Says whether the check digits of an account's number are right (ISO 13616)."""
    plain = match[0].replace(" ", "")
    moved = plain[4:] + plain[:4]
    return int("".join(str(int(c, 36)) for c in moved)) % 97 == 1


PERSONAL: Mapping[str, Shape] = {
    "email": EMAIL,
    "iban": Shape(
        "the number of a bank account",
        (),
        re.compile(r"(?<![A-Za-z0-9])[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]){11,30}(?![A-Za-z0-9])"),
        _is_iban,
    ),
    "card": Shape(
        "the number of a card",
        (),
        re.compile(r"(?<![0-9A-Za-z.-])[0-9](?:[ -]?[0-9]){12,18}(?![0-9A-Za-z])"),
        _is_card,
    ),
    "phone": Shape(
        "a phone number",
        (),
        re.compile(
            r"(?<![0-9A-Za-z.+-])(?:\+|\(?0)[0-9](?:[ ()/.-]{0,2}[0-9]){7,14}(?![0-9A-Za-z])"
        ),
        lambda match: 9 <= sum(map(str.isdigit, match[0])) <= 15,
    ),
    "ssn": Shape(
        "a US social security number",
        ("-",),
        re.compile(r"(?<![0-9-])(?!000|666|9)[0-9]{3}-(?!00)[0-9]{2}-(?!0000)[0-9]{4}(?![0-9-])"),
    ),
    "ip": Shape(
        "an IP address",
        (".",),
        re.compile(
            r"(?<![0-9.])(?!127\.|0\.)(?:(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])(?:\.(?=[0-9])|(?![0-9.]))){4}"
        ),
    ),
}
"""By the word that `todeval_redact` has for it."""
