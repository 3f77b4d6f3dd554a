"""The shapes of secrets in a text: keys of services by their prefixes, and what says what it is."""

import binascii
import re
from base64 import b64decode
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass

from pytest_todeval.recording.redaction.names import is_random, is_secret_value, plain_name
from pytest_todeval.recording.redaction.placeholder import PLACEHOLDER, without_tokens

__all__ = ["KEYS", "SHAPES", "Shape", "found_in"]

# A key starts where a word starts; `\n`, `\t` and `\u00e9` before it are escapes, not words.
START = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrtbf])|(?<=\\u[0-9A-Fa-f]{4})|(?<=%[0-9A-Fa-f]{2}))"
SAFE = r"(?!" + PLACEHOLDER + ")"


LONGEST_NAME = 40
BEFORE = re.compile(r"(?:(?:api|access|client|private|account|shared|secret) )?[\w.-]*$", re.I)
"""The beginning of a name, as far as it stands before its last word."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What a kind of secret looks like."""

    name: str
    hints: tuple[str, ...]
    """In lower case; one of them stands in each, and is found fast. Without any, it is sought."""
    pattern: re.Pattern[str]
    """Its group `secret`, if it has one, is the secret; else all of it is."""
    check: Callable[[re.Match[str]], bool] | None = None
    """Whether what matches is one."""

    def spans(self, text: str, kept: Collection[str] = ()) -> Iterator[tuple[int, int]]:
        """Where in a text they stand; not what stands under a name that is `kept`."""
        groups = self.pattern.groupindex
        group = "secret" if "secret" in groups else 0
        for match in self.pattern.finditer(text):
            if match[group] == PLACEHOLDER or (self.check and not self.check(match)):
                continue
            if not kept or plain_name(_name(match)) not in kept:
                yield match.span(group)


def found_in(
    text: str, shapes: Iterable[Shape], kept: Collection[str] = ()
) -> Iterator[tuple[Shape, tuple[int, int]]]:
    """The secrets of a text and where they stand, shape by shape."""
    low = text.lower()
    for shape in shapes:
        if not shape.hints or any(hint in low for hint in shape.hints):
            for span in shape.spans(text, kept):
                yield shape, span


def _key(name: str, prefix: str, rest: str, *, start: str = START) -> Shape:
    """A key that starts with a prefix."""
    return Shape(name, (prefix.lower(),), re.compile(start + re.escape(prefix) + rest))


def _shape(
    name: str, hints: str, pattern: str, check: Callable[[re.Match[str]], bool] | None = None
) -> Shape:
    """`hints`: with `|` between them."""
    return Shape(name, tuple(hints.split("|")) if hints else (), re.compile(pattern), check)


def _is_basic(match: re.Match[str]) -> bool:
    """Whether it is base64 of `user:password`."""
    text = match["secret"]
    try:
        plain = b64decode(text + "=" * (-len(text) % 4)).decode()
    except (binascii.Error, ValueError):
        return False
    return ":" in plain and plain.isprintable() and not plain.endswith(f":{PLACEHOLDER}")


def _name(match: re.Match[str]) -> str:
    """The name before a value; empty for what has none."""
    groups = match.re.groupindex
    if "name" in groups:
        return match["name"]
    if "end" not in groups:
        return ""
    start = match.start("end")
    before = BEFORE.search(match.string[max(0, start - LONGEST_NAME) : start])
    return (before[0] if before else "") + match["end"]


def _is_named(match: re.Match[str]) -> bool:
    """Whether `name: value` or `name=value` in a text gives a credential away.

    A word alone may be one of a sentence about credentials.
    """
    value = without_tokens(match["secret"])
    if not is_secret_value(_name(match), value, parameter=False, given=False):
        return False
    return any(map(str.isdigit, value)) or len(value) >= 20 or is_random(value)


def _is_drawn(match: re.Match[str]) -> bool:
    return is_random(match["secret"])


HEX32 = r"[0-9a-f]{32}(?![0-9A-Za-z])"
LONG = r"[A-Za-z0-9_-]{16,}"
B64 = r"[A-Za-z0-9+/_-]"

KEYS = (
    # Language models and what is used beside them
    # `sk-` also ends words (task-..., disk-...), the others nothing that is written
    _key("an API key (sk-...)", "sk-", LONG),
    _shape(
        "an API key (sk-...)",
        "sk-",
        r"sk-(?:proj|ant|svcacct|admin|or)-(?=[A-Za-z_-]{0,100}[0-9])[A-Za-z0-9_-]{16,}",
    ),
    _key("a Groq key", "gsk_", r"[A-Za-z0-9]{20,}", start=""),
    _key("an xAI key", "xai-", r"[A-Za-z0-9]{20,}"),
    _key("a Cerebras key", "csk-", r"[A-Za-z0-9]{20,}"),
    _key("a Perplexity key", "pplx-", r"[A-Za-z0-9]{20,}"),
    _key("a Replicate token", "r8_", r"[A-Za-z0-9]{20,}"),
    _key("a Fireworks key", "fw_", r"(?=[A-Za-z]{0,30}[0-9])[A-Za-z0-9]{20,}"),
    _key("an NVIDIA key", "nvapi-", r"[A-Za-z0-9_-]{20,}"),
    _key("a Jina key", "jina_", r"[A-Za-z0-9_-]{20,}"),
    _key("a Voyage key", "pa-", r"(?=[A-Za-z_-]{0,40}[0-9])[A-Za-z0-9_-]{40,}"),
    _key("a LangSmith key", "lsv2_", r"(?:pt|sk)_[A-Za-z0-9_]{20,}"),
    _key("a Pinecone key", "pcsk_", r"[A-Za-z0-9_]{20,}"),
    _key("a Tavily key", "tvly-", LONG),
    _key("a Hugging Face token", "hf_", r"[A-Za-z0-9]{20,}", start=""),
    _key("a Hugging Face token", "api_org_", r"[A-Za-z]{30,}"),
    # Clouds
    _shape(
        "an AWS access key id",
        "a",
        r"(?<![A-Za-z0-9+/])(?:AKIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}(?![A-Za-z0-9+/])",
    ),
    _shape("an AWS access key id", "akia", r"AKIA[A-Z0-9]{16}"),
    _shape("a temporary AWS access key id", "asia", r"ASIA[A-Z0-9]{16}"),
    _key("an Amazon Bedrock key", "ABSK", r"[A-Za-z0-9+/]{40,}={0,2}"),
    _key("an Amazon Bedrock key", "bedrock-api-key-", r"[A-Za-z0-9+/=]{16,}"),
    _shape("an Azure key", "jqqj9", r"(?<![A-Za-z0-9])[A-Za-z0-9]{52}JQQJ9[A-Za-z0-9]{27}"),
    _shape("an Azure client secret", "q~", r"[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}"),
    _shape("an Azure storage key", "==", r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{86}=="),
    _key("a Google API key", "AIza", r"[A-Za-z0-9_-]{30,}", start=""),
    _key("a Google access token", "ya29.", LONG, start=""),
    _key("a Google client secret", "GOCSPX-", LONG),
    _shape("a Google refresh token", "1//", START + r"1//0[A-Za-z0-9_-]{30,}"),
    _key("an Alibaba key id", "LTAI", r"[A-Za-z0-9]{17,}"),
    _shape("an IBM Cloud key", "cloudant", r"https?://[\w-]+:(?P<secret>[0-9a-z]{24,64})@"),
    _shape("a DigitalOcean token", "_v1_", r"do[opr]_v1_[a-f0-9]{64}"),
    _key("a Cloudflare key", "v1.0-", r"[a-f0-9]{24}-[a-f0-9]{146}"),
    _key("a Databricks token", "dapi", r"[a-f0-9]{32}"),
    _key("a Heroku key", "HRKU-", LONG),
    _key("a Fly.io token", "fo1_", r"[A-Za-z0-9_-]{40,}"),
    _key("a Fly.io token", "fm2_", r"[A-Za-z0-9+/]{60,}={0,2}"),
    _key("a PlanetScale secret", "pscale_", r"(?:tkn|oauth|pw)_[\w=.-]{32,64}"),
    _key("an OpenShift token", "sha256~", r"[\w-]{43}"),
    _shape("a Vault token", "hv", r"(?<![A-Za-z0-9])hv[sbr]\.[A-Za-z0-9_-]{24,}"),
    _key("a Doppler token", "dp.", r"(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9_.-]{40,}"),
    _key("a Pulumi token", "pul-", r"[a-f0-9]{40}"),
    # Code and packages
    _shape("a GitHub token", "gh", r"gh[opsur]_[A-Za-z0-9]{20,}"),
    _key("a GitHub token", "github_pat_", r"[A-Za-z0-9_]{20,}", start=""),
    _shape(
        "a GitLab token",
        "gl",
        r"(?:glpat|gldt|glft|glsoat|glrt|glcbt|glptt|glimt|glagent|gloas|glffct)-" + LONG,
    ),
    _key("a GitLab token", "GR1348941", r"[A-Za-z0-9_-]{20,}"),
    _key("a Bitbucket token", "ATBB", r"[A-Za-z0-9_=-]{24,}"),
    _key("an Atlassian token", "ATATT3", r"[A-Za-z0-9_=-]{50,}"),
    _key("an npm token", "npm_", r"[A-Za-z0-9]{36}"),
    _key("a PyPI token", "pypi-", r"[A-Za-z0-9_-]{50,}"),
    _key("a RubyGems key", "rubygems_", r"[a-f0-9]{48}"),
    _key("an Artifactory key", "AKCp", r"[A-Za-z0-9]{40,}"),
    _key("an Artifactory token", "cmVmd", r"[A-Za-z0-9]{59}"),
    _key("a Sourcegraph token", "sgp_", r"[A-Za-z0-9_]{40,}"),
    _shape("a SonarQube token", "sq", START + r"sq[apu]_[a-z0-9]{40}"),
    _key("a Postman key", "PMAK-", r"[a-f0-9]{24}-[a-f0-9]{34}"),
    _key("a Prefect key", "pnu_", r"[A-Za-z0-9]{36}"),
    _key("a ReadMe key", "rdme_", r"[a-z0-9]{70}"),
    _key("a Clojars token", "CLOJARS_", r"[a-z0-9]{60}"),
    _key("an Octopus key", "API-", r"[A-Z0-9]{26}(?![A-Z0-9])"),
    # Talking and mailing
    _shape("a Slack token", "xox", r"xox[a-z](?:\.xox[bp])?-[A-Za-z0-9-]{10,}"),
    _key("a Slack token", "xapp-", r"[0-9]-[A-Za-z0-9]+-[0-9]+-[A-Za-z0-9]{16,}"),
    _shape(
        "a Slack webhook",
        "/services/t",
        r"/services/T[A-Z0-9]{6,}/B[A-Z0-9]{6,}/(?P<secret>[A-Za-z0-9]{16,})",
    ),
    _shape(
        "a Slack webhook",
        "hooks.slack.com/",
        r"hooks\.slack\.com/(?:workflows|triggers)/(?P<secret>[A-Za-z0-9/]{20,})",
    ),
    _shape(
        "a Teams webhook",
        "/incomingwebhook/",
        r"/IncomingWebhook/(?P<secret>[a-z0-9]{32}/[a-f0-9-]{36})",
    ),
    _shape(
        "a Discord webhook",
        "/webhooks/",
        r"/webhooks/[0-9]{15,21}/(?P<secret>[A-Za-z0-9_-]{40,})",
    ),
    _shape(
        "a Discord token",
        ".",
        r"(?<![A-Za-z0-9_.-])[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}"
        r"(?![A-Za-z0-9_.-])",
    ),
    _shape(
        "a Telegram bot's token",
        ":a",
        r"(?<![0-9])[0-9]{5,16}:A[A-Za-z0-9_-]{34}(?![A-Za-z0-9_-])",
    ),
    _shape("a Twilio id or key", "", r"(?<![A-Za-z0-9])(?:SK|AC)[0-9a-fA-F]{32}(?![0-9A-Za-z])"),
    _key("a SendGrid key", "SG.", r"[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,64}"),
    _shape("a Mailchimp key", "-us", r"(?<![0-9a-z])[0-9a-f]{32}-us[0-9]{1,2}(?![0-9a-z])"),
    _shape("a Mailgun key", "key-", START + r"(?:pub)?key-" + HEX32),
    _key("a Brevo key", "xkeysib-", r"[a-f0-9]{64}-[A-Za-z0-9]{16}"),
    # Money and shops
    _shape("a Stripe key", "k_", r"[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,}"),
    _key("a Stripe webhook secret", "whsec_", r"[A-Za-z0-9+/=]{24,}"),
    _shape("a Square token", "sq0", START + r"sq0[a-z]{3}-[A-Za-z0-9_-]{22,}"),
    _key("a Square token", "EAAA", r"[A-Za-z0-9_-]{56,60}(?![A-Za-z0-9_-])"),
    _shape("a Shopify token", "shp", START + r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
    _shape("a Facebook token", "eaa", START + r"EAA[MC][A-Za-z0-9]{60,}"),
    _shape("an EasyPost key", "ez", START + r"EZ[AT]K[A-Za-z0-9]{54}"),
    _shape("a Duffel token", "duffel_", r"duffel_(?:test|live)_[A-Za-z0-9_=-]{40,}"),
    _shape("a Shippo token", "shippo_", r"shippo_(?:live|test)_[a-fA-F0-9]{40}"),
    # Work and watching
    _key("a Notion token", "ntn_", r"[A-Za-z0-9]{40,}"),
    _key("a Linear key", "lin_api_", r"[A-Za-z0-9]{40}"),
    _key("a Figma token", "figd_", r"[A-Za-z0-9_-]{40,}"),
    _shape("an Airtable token", "pat", START + r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}"),
    _key("a Typeform token", "tfp_", r"[A-Za-z0-9_.=-]{40,}"),
    _shape("a Grafana token", "gl", START + r"gl(?:c|sa)_[A-Za-z0-9+/_=]{32,}"),
    _shape("a Sentry token", "sntry", r"sntry[su]_[A-Za-z0-9+/=_]{40,}"),
    _shape("a New Relic key", "nr", START + r"NR(?:AK|JS|II|AA)-[A-Za-z0-9-]{19,32}"),
    _key("a Dynatrace token", "dt0c01.", r"[A-Za-z0-9]{24}\.[A-Za-z0-9]{64}"),
    _shape("a PostHog key", "ph", START + r"phx_[A-Za-z0-9]{40,}"),
    _shape("a MaxMind key", "_mmk", r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk"),
    _shape("a Yandex key", "aqvn", START + r"AQVN[A-Za-z0-9_-]{35,38}"),
    _key("a 1Password token", "ops_", r"eyJ[A-Za-z0-9+/]{100,}"),
    _key("a 1Password key", "A3-", r"[A-Z0-9]{6}-[A-Z0-9]{6,11}(?:-[A-Z0-9]{5,6}){2,4}"),
    _key("an Adobe client secret", "p8e-", r"[a-z0-9]{32}"),
    _key("a ClickHouse key", "4b1d", r"[A-Za-z0-9]{38}(?![A-Za-z0-9])"),
    _shape("a Flutterwave key", "flw", r"FLW(?:PUBK|SECK)_TEST-[a-h0-9]{12,32}"),
    _key("a Frame.io token", "fio-u-", r"[A-Za-z0-9_=-]{64}"),
    _key("a Freemius key", "sk_", r"[!-~]{29}(?=[\"'])"),
    _shape(
        "a Harness key",
        "at.",
        START + r"[ps]at\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9]{24}\.[a-zA-Z0-9]{20}",
    ),
    _shape("a Terraform token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}"),
    _key("an Infracost key", "ico-", r"[A-Za-z0-9]{32}"),
    _shape("an Intra42 secret", "s-s4t2", r"s-s4t2(?:ud|af)-[a-f0-9]{64}"),
    _shape("a Grafana key", "eyjrijoi", r"eyJrIjoi[A-Za-z0-9+/]{70,400}={0,3}"),
    _shape("a JSON web token in base64", "zx", r"ZXlK[A-Za-z0-9+/_-]{60,}={0,2}"),
    Shape("a Facebook token", ("|",), re.compile(r"(?<![0-9])[0-9]{15,16}\|[A-Za-z0-9_-]{27,40}")),
    _shape(
        "an Authress key",
        ".acc",
        r"(?:sc|ext|scauth|authress)_[a-z0-9]{5,30}\.[a-z0-9]{4,6}\.acc[_-][a-z0-9-]{10,32}\.[A-Za-z0-9+/_=-]{30,120}",
    ),
    _key("a Scalingo token", "tk-us-", r"[\w-]{48}"),
    _shape("a SettleMint token", "sm_", START + r"sm_[aps]at_[A-Za-z0-9]{16}"),
    _shape("a GitLab session", "_gitlab_session", r"_gitlab_session=(?P<secret>[0-9a-z]{32})"),
    _key("a Vault token", "s.", r"(?=[A-Za-z]{0,23}[0-9])[A-Za-z0-9]{24}(?![A-Za-z0-9])"),
    _key("a Fly.io token", "fm1", r"[ar]_[A-Za-z0-9+/]{60,}={0,3}"),
    _key("an age key", "AGE-SECRET-KEY-1", r"[A-Z0-9]{58}"),
)

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
SAID = (
    _shape(
        "a private key",
        "private key",
        r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
        r"(?P<secret>(?:[^-]|-(?!----)){16,16384})",
        lambda match: match["secret"].strip("\\nr \n\r") != PLACEHOLDER,
    ),
    _shape(
        "a bearer token",
        "bearer",
        r"(?i:bearer)(?:\s|%20|\+|\\[nrt]){1,8}"
        r"(?P<secret>(?=[A-Za-z._~+/-]{0,400}[0-9])[A-Za-z0-9._~+/-]{16,}=*)",
    ),
    _shape(
        "basic authentication",
        "basic",
        r"(?i:basic)(?:\s|%20|\+){1,4}(?P<secret>[A-Za-z0-9+/]{6,}={0,2})",
        _is_basic,
    ),
    _shape(
        "a JSON web token",
        "eyj",
        r"(?:(?<![A-Za-z0-9_-])|(?<=\\[nrtbf]))"
        r"eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\." + SAFE + r"[A-Za-z0-9_-]*",
    ),
    _shape(
        "a password in a URL",
        "://",
        r"://[^\s/:@\"'\\<>?#]{0,100}:(?P<secret>[^\s/@\"'\\<>{}]{1,200})@",
    ),
    _shape(
        "a credential with its name",
        "key|token|secret|passw|passphrase|pwd|authorization|sig|assertion",
        r"(?i)(?P<end>key|token|secret|password|passwd|passphrase|pwd|authorization|signature|sig"
        r"|assertion)(?:\\*[\"'])?\s{0,3}(?::|=>?)\s{0,3}(?:\\*[\"'])?"
        r"(?P<secret>[^\s\"'\\&;,<>{}()\[\]]{6,}(?<![.!?:]))",
        _is_named,
    ),
    _shape(
        "a credential with its provider's name",
        PROVIDERS,
        r"(?i)(?:" + PROVIDERS + r")[\w. -]{0,20}[\"'\s\\]{0,3}(?:=>|[:=>,]|\|\||\?=){1,4}"
        r"[\"'`\s=\\]{0,5}(?P<secret>[A-Za-z0-9_=.~+/:-]{16,100})",
        _is_drawn,
    ),
    _shape(
        "user and password of curl",
        "curl",
        r"\bcurl\b[^\r\n]{0,400}?\s(?:-u|--user)[ =]{0,5}[\"']?[^\s:\"']{0,100}:"
        r"(?P<secret>[^\s\"']{3,200})",
    ),
    _shape(
        "a credential in an element of XML",
        "</",
        r"(?i)<(?P<name>[a-z:_-]{3,60})>(?P<secret>[^<>\s]{6,4096})</",
        _is_named,
    ),
)
SHAPES = (*KEYS, *SAID)
"""All that is known, in the order in which it is looked for."""
