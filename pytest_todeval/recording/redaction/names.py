"""The names under which credentials travel: of query parameters, form fields, JSON members."""

import math
import re
from collections import Counter
from collections.abc import Iterator
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
    r"|xgoogcredential|[a-z0-9]{1,24}secret"
)
# In a query or a form; in JSON a signature is one of a model's thoughts.
SECRET_PARAMETER = re.compile(
    r"token|usertoken|sig|signature|xamzsignature|xgoogsignature|assertion|samlresponse|cookie"
)
# A credential if the value is one that nobody would think up.
DOUBTFUL = re.compile(
    r"key|code|token|auth|session|sessionid|sid|appid|pass|pin|otp|cookie|credentials?|bearer"
    r"|(?!next|page|continuation|sync|cursor|skip|change)[a-z0-9]{1,24}token"
)
SECRET_HEADER = re.compile(
    r"(?:x-)?(?:auth|subject|access|refresh|session|csrf|api|security)-?(?:token|key)",
    re.IGNORECASE,
)
RANDOM = re.compile(r"[A-Za-z0-9+/=_.~:%|-]{16,4096}")
HEXADECIMAL = re.compile(r"[0-9a-f-]{16,}|[0-9A-F-]{16,}")
LEAST_ENTROPY = 3.5
"""Bits for each character; words with underscores have about 3.3."""
LEAST_DIGITS = 2
LONGEST_NAME = 60


def is_secret_value(name: str, value: str, *, parameter: bool, given: bool) -> bool:
    """Whether what a name holds is a credential.

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
    """Whether a text looks like one that a machine drew: a key, a token, not a word."""
    if not RANDOM.fullmatch(text):
        return False
    digits = sum(map(str.isdigit, text))
    if digits < LEAST_DIGITS or digits == len(text):
        return False
    return HEXADECIMAL.fullmatch(text) is not None or _entropy(text) >= LEAST_ENTROPY


def _entropy(text: str) -> float:
    shares = [count / len(text) for count in Counter(text).values()]
    return -sum(share * math.log2(share) for share in shares)


def plain_name(name: str) -> str:
    """A name without separators, in lower case."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def named_texts(value: Any) -> Iterator[tuple[str, str, str]]:
    """The texts that JSON objects in a value hold: each with its path, its name and itself."""
    todo = [("$", value)]
    while todo:
        path, value = todo.pop()
        if isinstance(value, list):
            todo += [(f"{path}[{number}]", item) for number, item in enumerate(value)]
        elif isinstance(value, dict):
            for name, item in value.items():
                below = f"{path}.{name[:LONGEST_NAME]}"
                if isinstance(item, str):
                    yield below, name, item
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
