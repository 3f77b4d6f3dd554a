"""The names under which credentials travel: of query parameters, form fields, JSON members."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from pytest_todeval.recording.redaction.placeholder import PLACEHOLDER

# Without separators, in lower case.
SECRET = re.compile(
    r"(?:x|ocpapim|azure|aws|[a-z0-9]{1,24})?(?:apikey|apitoken|apisecret|subscriptionkey"
    r"|accesstoken|authtoken|refreshtoken|idtoken|securitytoken|sessiontoken|bearertoken"
    r"|clientsecret|secretkey|appsecret|consumersecret|webhooksecret|signingsecret|password"
    r"|passwd|passphrase|privatekey|signingkey|encryptionkey|accountkey|sharedaccesskey"
    r"|sharedkey|accesskey|masterkey|licensekey|hapikey|connectionstring|clientassertion)"
    r"|secret|pwd|userkey|appkey|authkey|authorization|proxyauthorization|xauthtoken"
    r"|xsubjecttoken|jwt|codeverifier|devicecode|csrftoken|xcsrftoken|xamzcredential"
    r"|xgoogcredential|[a-z0-9]{1,24}secret|(?:card)?(?:cvv|cvc)2?|otp|onetimepassword|totp"
)
# In a query or a form; in JSON a signature is one of a model's thoughts.
SECRET_PARAMETER = re.compile(
    r"token|usertoken|sig|signature|xamzsignature|xgoogsignature|assertion|samlresponse|cookie"
)
# A credential if the value is one that nobody would think up.
DOUBTFUL = re.compile(
    r"key|code|token|auth|session|sessionid|sid|appid|pass|pin|cookie|credentials?|bearer"
    r"|(?!next|page|continuation|sync|cursor|skip|change)[a-z0-9]{1,24}token"
)
SECRET_HEADER = re.compile(
    r"(?:x-)?(?:auth|subject|access|refresh|session|csrf|api|security)-?(?:token|key)"
    r"|mcp-session-id",
    re.IGNORECASE,
)
RANDOM = re.compile(r"[A-Za-z0-9+/=_.~:%|-]{16,4096}")
HEXADECIMAL = re.compile(r"[0-9a-f-]{16,}|[0-9A-F-]{16,}")
LEAST_ENTROPY = 3.5
"""Bits for each character; words with underscores have about 3.3."""
LEAST_DIGITS = 2
SEPARATORS = re.compile(r"[^a-z0-9]")
LONGEST_NAME = 60
MOST_BESIDE = 8
"""Members of an object that says a name and its value."""
PAIRED = {
    **dict.fromkeys(("name", "key", "parameterkey", "variable", "header", "field"), "name"),
    **dict.fromkeys(("value", "parametervalue", "stringvalue"), "value"),
}


def is_secret_value(name: str, value: str, *, parameter: bool, given: bool) -> bool:
    """Says whether what a name holds is a credential.

    `parameter`: in a query or a form, rather than in JSON. `given`: by the bot; what comes back
    under such a name may also be words about it.
    """
    if not value or value == PLACEHOLDER:
        return False
    kind = _kind(name)
    if kind == "secret" or (parameter and kind == "parameter"):
        return given or not any(map(str.isspace, value))
    return kind != "" and is_random(value)


def is_random(text: str) -> bool:
    """Says whether a text looks like one that a machine drew: a key, a token, not a word."""
    if not RANDOM.fullmatch(text):
        return False
    digits = sum(map(str.isdigit, text))
    if digits < LEAST_DIGITS or digits == len(text):
        return False
    return HEXADECIMAL.fullmatch(text) is not None or _entropy(text) >= LEAST_ENTROPY


def _entropy(text: str) -> float:
    shares = [count / len(text) for count in Counter(text).values()]
    return -sum(share * math.log2(share) for share in shares)


@lru_cache(maxsize=4096)
def plain_name(name: str) -> str:
    """Returns a name without separators, in lower case."""
    return SEPARATORS.sub("", name.lower())


def pair_of(members: Mapping[str, Any]) -> tuple[str, str] | None:
    """The member that says a name, and the one that has its value: `{"name": ..., "value": ...}`.

    So environments, headers and parameters are listed.
    """
    kinds = {PAIRED[low]: name for name in members if (low := plain_name(name)) in PAIRED}
    if len(kinds) < 2 or not isinstance(members[kinds["name"]], str):
        return None
    return kinds["name"], kinds["value"]


def named_texts(value: Any) -> Iterator[tuple[str, str, str]]:
    """The texts that JSON objects in a value hold: each with its path, its name and itself."""
    todo = [("$", value)]
    while todo:
        path, value = todo.pop()
        if isinstance(value, list):
            todo += [(f"{path}[{number}]", item) for number, item in enumerate(value)]
        elif isinstance(value, dict):
            pair = pair_of(value) if 2 <= len(value) <= MOST_BESIDE else None
            for name, item in value.items():
                below = f"{path}.{name[:LONGEST_NAME]}"
                if isinstance(item, str):
                    yield below, name, item
                    if pair is not None and name == pair[1]:
                        yield below, value[pair[0]], item
                else:
                    todo.append((below, item))


@lru_cache(maxsize=4096)
def _kind(name: str) -> str:
    if len(name) > LONGEST_NAME:
        return ""
    plain = plain_name(name)
    if SECRET.fullmatch(plain):
        return "secret"
    if SECRET_PARAMETER.fullmatch(plain):
        return "parameter"
    return "doubtful" if DOUBTFUL.fullmatch(plain) else ""
