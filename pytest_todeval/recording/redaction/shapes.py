"""The shapes of secrets in a text: keys of services, and what says itself what it is."""

import binascii
import re
from base64 import b64decode

from pytest_todeval.recording.redaction.keys import KEYS
from pytest_todeval.recording.redaction.names import is_random, is_secret_value
from pytest_todeval.recording.redaction.placeholder import PLACEHOLDER, without_tokens
from pytest_todeval.recording.redaction.shape import Shapes, name_of, shape

SAFE = r"(?!" + PLACEHOLDER + ")"


def _is_basic(match: re.Match[str]) -> bool:
    """Says whether it is base64 of `user:password`."""
    text = match["secret"]
    try:
        plain = b64decode(text + "=" * (-len(text) % 4)).decode()
    except (binascii.Error, ValueError):
        return False
    return ":" in plain and plain.isprintable() and not plain.endswith(f":{PLACEHOLDER}")


def _is_named(match: re.Match[str]) -> bool:
    """Says whether `name: value` or `name=value` in a text gives a credential away.

    A word alone may be one of a sentence about credentials.
    """
    value = without_tokens(match["secret"])
    if not is_secret_value(name_of(match), value, parameter=False, given=False):
        return False
    return any(map(str.isdigit, value)) or len(value) >= 20 or is_random(value)


PROVIDERS = (
    "adafruit|adobe|airtable|algolia|alibaba|asana|atlassian|confluence|jira|aws|azure|"
    "beamer|bitbucket|bittrex|meraki|cloudant|cloudflare|codecov|cohere|co_api|coinbase|"
    "confluent|contentful|datadog|dnkey|discord|droneci|dropbox|etsy|facebook|fastly|"
    "finicity|finnhub|flickr|freshbooks|gitter|gocardless|google|heroku|hubspot|ibm|"
    "intercom|bintray|jfrog|artifactory|kraken|kucoin|launchdarkly|linear|linkedin|linked_in|linked-in|lob|"
    "looker|mailchimp|mailgun|mapbox|mattermost|messagebird|netlify|newrelic|new_relic|new-relic|nytimes|"
    "okta|openai|plaid|private_ai|private-ai|rapidapi|sendbird|sentry|snyk|softlayer|sonar|"
    "squarespace|sumo|telegr|travis|twilio|twitch|twitter|typeform|yandex|zendesk"
)


def _is_mixed(match: re.Match[str]) -> bool:
    """Whether capitals, small letters and digits stand side by side: not so in a hash or a path."""
    text = match["secret"]
    return all(any(map(kind, text)) for kind in (str.isupper, str.islower, str.isdigit))


_PAIRED = r"(?<![A-Za-z0-9/+=])(?P<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])"
SAID = (
    shape(
        "the secret of an AWS access key",
        "akia|asia",
        r"A[KS]IA[A-Z0-9]{16}(?![A-Z0-9])[\s\S]{1,200}?" + _PAIRED,
        _is_mixed,
    ),
    shape(
        "the secret of an AWS access key",
        "akia|asia",
        _PAIRED + r"(?=[\s\S]{1,200}?A[KS]IA[A-Z0-9]{16}(?![A-Z0-9]))",
        _is_mixed,
    ),
    shape(
        "a private key",
        "private key",
        r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
        r"(?P<secret>(?:[^-]|-(?!----)){16,16384})",
        lambda match: match["secret"].strip("\\nr \n\r") != PLACEHOLDER,
    ),
    shape(
        "a bearer token",
        "bearer",
        r"(?i:bearer)(?:\s|%20|\+|\\[nrt]){1,8}"
        r"(?P<secret>(?=[A-Za-z._~+/-]{0,400}[0-9])[A-Za-z0-9._~+/-]{16,}=*)",
    ),
    shape(
        "basic authentication",
        "basic",
        r"(?i:basic)(?:\s|%20|\+){1,4}(?P<secret>[A-Za-z0-9+/]{6,}={0,2})",
        _is_basic,
    ),
    shape(
        "a JSON web token",
        "eyj",
        r"(?:(?<![A-Za-z0-9_-])|(?<=\\[nrtbf]))"
        r"eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\." + SAFE + r"[A-Za-z0-9_-]*",
    ),
    shape(
        "a password in a URL",
        "://",
        r"://[^\s/:@\"'\\<>?#]{0,100}:(?P<secret>[^\s/@\"'\\<>{}]{1,200})@",
    ),
    shape(
        "a credential with its name",
        "key|token|secret|passw|passphrase|pwd|authorization|sig|assertion",
        r"(?i)(?P<end>key|token|secret|password|passwd|passphrase|pwd|authorization|signature|sig"
        r"|assertion)(?:\\*[\"'])?\s{0,3}(?::|=>?)\s{0,3}(?:\\*[\"'])?"
        r"(?P<secret>[^\s\"'\\&;,<>{}()\[\]]{6,}(?<![.!?:]))",
        _is_named,
    ),
    shape(
        "a credential in a list of names and values",
        "value",
        r"(?i)\bname(?:\\*[\"'])?\s{0,3}[:=]\s{0,3}(?:\\*[\"'])?(?P<name>[A-Za-z][\w.-]{2,59})"
        r"(?:\\*[\"'])?(?:\\n|[\s,;]){1,40}(?:\\*[\"'])?value(?:\\*[\"'])?\s{0,3}[:=]\s{0,3}"
        r"(?:\\*[\"'])?(?P<secret>[^\s\"'\\&;,<>{}()\[\]]{6,})",
        _is_named,
    ),
    shape(
        "a credential with its provider's name",
        PROVIDERS,
        r"(?i)(?:" + PROVIDERS + r")[\w. -]{0,20}[\"'\s\\]{0,3}(?:=>|[:=>,]|\|\||\?=){1,4}"
        r"[\"'`\s=\\]{0,5}(?P<secret>[A-Za-z0-9_=.~+/:-]{16,100})",
        lambda match: is_random(match["secret"]),
    ),
    shape(
        "user and password of curl",
        "curl",
        r"\bcurl\b[^\r\n]{0,400}?\s(?:-u|--user)[ =]{0,5}[\"']?[^\s:\"']{0,100}:"
        r"(?P<secret>[^\s\"']{3,200})",
    ),
    shape(
        "a credential in an element of XML",
        "</",
        r"(?i)<(?P<name>[a-z:_-]{3,60})>(?P<secret>[^<>\s]{6,4096})</",
        _is_named,
    ),
)
SHAPES = Shapes((*KEYS, *SAID))
"""All that is known, in the order in which it is looked for."""
