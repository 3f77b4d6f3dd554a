"""Keys and tokens of services, by their prefixes and forms."""

import re
from dataclasses import replace

from pytest_todeval.recording.redaction.shape import START, Shape, shape


def _key(name: str, prefix: str, rest: str, *, start: str = START) -> Shape:
    """A key that starts with a prefix: that comes first in the pattern, and is found fast."""
    first = re.escape(prefix)
    behind = f"(?<={start}{first})" if start else ""
    return Shape(name, (prefix.lower(),), re.compile(first + behind + rest))


HEX32 = r"[0-9a-f]{32}(?![0-9A-Za-z])"
LONG = r"[A-Za-z0-9_-]{16,}"

_KEYS = (
    # Language models and what is used beside them
    # `sk-` also ends words (task-..., disk-...), the others nothing that is written
    _key("an API key (sk-...)", "sk-", LONG),
    shape(
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
    shape(
        "an AWS access key id",
        "akia|abia|acca|a3t",
        r"(?<![A-Za-z0-9+/])(?:AKIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}(?![A-Za-z0-9+/])",
    ),
    shape("an AWS access key id", "akia", r"AKIA[A-Z0-9]{16}"),
    shape("a temporary AWS access key id", "asia", r"ASIA[A-Z0-9]{16}"),
    _key("an Amazon Bedrock key", "ABSK", r"[A-Za-z0-9+/]{40,}={0,2}"),
    _key("an Amazon Bedrock key", "bedrock-api-key-", r"[A-Za-z0-9+/=]{16,}"),
    shape("an Azure key", "jqqj9", r"(?<![A-Za-z0-9])[A-Za-z0-9]{52}JQQJ9[A-Za-z0-9]{27}"),
    shape("an Azure client secret", "q~", r"[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}"),
    shape("an Azure storage key", "==", r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{86}=="),
    _key("a Google API key", "AIza", r"[A-Za-z0-9_-]{30,}", start=""),
    _key("a Google access token", "ya29.", LONG, start=""),
    _key("a Google client secret", "GOCSPX-", LONG),
    shape("a Google refresh token", "1//", START + r"1//0[A-Za-z0-9_-]{30,}"),
    _key("an Alibaba key id", "LTAI", r"[A-Za-z0-9]{17,}"),
    shape("an IBM Cloud key", "cloudant", r"https?://[\w-]+:(?P<secret>[0-9a-z]{24,64})@"),
    shape("a DigitalOcean token", "_v1_", r"do[opr]_v1_[a-f0-9]{64}"),
    _key("a Cloudflare key", "v1.0-", r"[a-f0-9]{24}-[a-f0-9]{146}"),
    _key("a Databricks token", "dapi", r"[a-f0-9]{32}"),
    _key("a Heroku key", "HRKU-", LONG),
    _key("a Fly.io token", "fo1_", r"[A-Za-z0-9_-]{40,}"),
    _key("a Fly.io token", "fm2_", r"[A-Za-z0-9+/]{60,}={0,2}"),
    _key("a PlanetScale secret", "pscale_", r"(?:tkn|oauth|pw)_[\w=.-]{32,64}"),
    _key("an OpenShift token", "sha256~", r"[\w-]{43}"),
    shape("a Vault token", "hv", r"(?<![A-Za-z0-9])hv[sbr]\.[A-Za-z0-9_-]{24,}"),
    _key("a Doppler token", "dp.", r"(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9_.-]{40,}"),
    _key("a Pulumi token", "pul-", r"[a-f0-9]{40}"),
    # Code and packages
    shape("a GitHub token", "gh", r"gh[opsur]_[A-Za-z0-9]{20,}"),
    _key("a GitHub token", "github_pat_", r"[A-Za-z0-9_]{20,}", start=""),
    shape(
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
    shape("a SonarQube token", "sq", START + r"sq[apu]_[a-z0-9]{40}"),
    _key("a Postman key", "PMAK-", r"[a-f0-9]{24}-[a-f0-9]{34}"),
    _key("a Prefect key", "pnu_", r"[A-Za-z0-9]{36}"),
    _key("a ReadMe key", "rdme_", r"[a-z0-9]{70}"),
    _key("a Clojars token", "CLOJARS_", r"[a-z0-9]{60}"),
    _key("an Octopus key", "API-", r"[A-Z0-9]{26}(?![A-Z0-9])"),
    # Talking and mailing
    shape("a Slack token", "xox", r"xox[a-z](?:\.xox[bp])?-[A-Za-z0-9-]{10,}"),
    _key("a Slack token", "xapp-", r"[0-9]-[A-Za-z0-9]+-[0-9]+-[A-Za-z0-9]{16,}"),
    shape(
        "a Slack webhook",
        "/services/t",
        r"/services/T[A-Z0-9]{6,}/B[A-Z0-9]{6,}/(?P<secret>[A-Za-z0-9]{16,})",
    ),
    shape(
        "a Slack webhook",
        "hooks.slack.com/",
        r"hooks\.slack\.com/(?:workflows|triggers)/(?P<secret>[A-Za-z0-9/]{20,})",
    ),
    shape(
        "a Teams webhook",
        "/incomingwebhook/",
        r"/IncomingWebhook/(?P<secret>[a-z0-9]{32}/[a-f0-9-]{36})",
    ),
    shape(
        "a Discord webhook",
        "/webhooks/",
        r"/webhooks/[0-9]{15,21}/(?P<secret>[A-Za-z0-9_-]{40,})",
    ),
    shape(
        "a Discord token",
        ".",
        r"(?<![A-Za-z0-9_.-])[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}"
        r"(?![A-Za-z0-9_.-])",
    ),
    shape(
        "a Telegram bot's token",
        ":a",
        r"(?<![0-9])[0-9]{5,16}:A[A-Za-z0-9_-]{34}(?![A-Za-z0-9_-])",
    ),
    shape(
        "a Twilio id or key", "sk|ac", r"(?<![A-Za-z0-9])(?:SK|AC)[0-9a-fA-F]{32}(?![0-9A-Za-z])"
    ),
    _key("a SendGrid key", "SG.", r"[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,64}"),
    shape("a Mailchimp key", "-us", r"(?<![0-9a-z])[0-9a-f]{32}-us[0-9]{1,2}(?![0-9a-z])"),
    shape("a Mailgun key", "key-", START + r"(?:pub)?key-" + HEX32),
    _key("a Brevo key", "xkeysib-", r"[a-f0-9]{64}-[A-Za-z0-9]{16}"),
    # Money and shops
    shape("a Stripe key", "k_", r"[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,}"),
    _key("a Stripe webhook secret", "whsec_", r"[A-Za-z0-9+/=]{24,}"),
    shape("a Square token", "sq0", START + r"sq0[a-z]{3}-[A-Za-z0-9_-]{22,}"),
    _key("a Square token", "EAAA", r"[A-Za-z0-9_-]{56,60}(?![A-Za-z0-9_-])"),
    shape("a Shopify token", "shp", START + r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
    shape("a Facebook token", "eaa", START + r"EAA[MC][A-Za-z0-9]{60,}"),
    shape("an EasyPost key", "ez", START + r"EZ[AT]K[A-Za-z0-9]{54}"),
    shape("a Duffel token", "duffel_", r"duffel_(?:test|live)_[A-Za-z0-9_=-]{40,}"),
    shape("a Shippo token", "shippo_", r"shippo_(?:live|test)_[a-fA-F0-9]{40}"),
    # Work and watching
    _key("a Notion token", "ntn_", r"[A-Za-z0-9]{40,}"),
    _key("a Linear key", "lin_api_", r"[A-Za-z0-9]{40}"),
    _key("a Figma token", "figd_", r"[A-Za-z0-9_-]{40,}"),
    _key("an Airtable token", "pat", r"[A-Za-z0-9]{14}\.[a-f0-9]{64}"),
    _key("a Typeform token", "tfp_", r"[A-Za-z0-9_.=-]{40,}"),
    shape("a Grafana token", "gl", START + r"gl(?:c|sa)_[A-Za-z0-9+/_=]{32,}"),
    shape("a Sentry token", "sntry", r"sntry[su]_[A-Za-z0-9+/=_]{40,}"),
    shape("a New Relic key", "nr", START + r"NR(?:AK|JS|II|AA)-[A-Za-z0-9-]{19,32}"),
    _key("a Dynatrace token", "dt0c01.", r"[A-Za-z0-9]{24}\.[A-Za-z0-9]{64}"),
    shape("a PostHog key", "ph", START + r"phx_[A-Za-z0-9]{40,}"),
    shape("a MaxMind key", "_mmk", r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk"),
    shape("a Yandex key", "aqvn", START + r"AQVN[A-Za-z0-9_-]{35,38}"),
    _key("a 1Password token", "ops_", r"eyJ[A-Za-z0-9+/]{100,}"),
    _key("a 1Password key", "A3-", r"[A-Z0-9]{6}-[A-Z0-9]{6,11}(?:-[A-Z0-9]{5,6}){2,4}"),
    _key("an Adobe client secret", "p8e-", r"[a-z0-9]{32}"),
    _key("a ClickHouse key", "4b1d", r"[A-Za-z0-9]{38}(?![A-Za-z0-9])"),
    shape("a Flutterwave key", "flw", r"FLW(?:PUBK|SECK)_TEST-[a-h0-9]{12,32}"),
    _key("a Frame.io token", "fio-u-", r"[A-Za-z0-9_=-]{64}"),
    _key("a Freemius key", "sk_", r"[!-~]{29}(?=[\"'])"),
    shape(
        "a Harness key",
        "pat.|sat.",
        START + r"[ps]at\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9]{24}\.[a-zA-Z0-9]{20}",
    ),
    shape("a Terraform token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}"),
    _key("an Infracost key", "ico-", r"[A-Za-z0-9]{32}"),
    shape("an Intra42 secret", "s-s4t2", r"s-s4t2(?:ud|af)-[a-f0-9]{64}"),
    shape("a Grafana key", "eyjrijoi", r"eyJrIjoi[A-Za-z0-9+/]{70,400}={0,3}"),
    shape("a JSON web token in base64", "zx", r"ZXlK[A-Za-z0-9+/_-]{60,}={0,2}"),
    Shape("a Facebook token", ("|",), re.compile(r"(?<![0-9])[0-9]{15,16}\|[A-Za-z0-9_-]{27,40}")),
    shape(
        "an Authress key",
        ".acc",
        r"(?:sc|ext|scauth|authress)_[a-z0-9]{5,30}\.[a-z0-9]{4,6}\.acc[_-][a-z0-9-]{10,32}\.[A-Za-z0-9+/_=-]{30,120}",
    ),
    _key("a Scalingo token", "tk-us-", r"[\w-]{48}"),
    shape("a SettleMint token", "sm_", START + r"sm_[aps]at_[A-Za-z0-9]{16}"),
    shape("a GitLab session", "_gitlab_session", r"_gitlab_session=(?P<secret>[0-9a-z]{32})"),
    _key("a Vault token", "s.", r"(?=[A-Za-z]{0,23}[0-9])[A-Za-z0-9]{24}(?![A-Za-z0-9])"),
    _key("a Fly.io token", "fm1", r"[ar]_[A-Za-z0-9+/]{60,}={0,3}"),
    _key("an age key", "AGE-SECRET-KEY-1", r"[A-Z0-9]{58}"),
)
KEYS = tuple(replace(each, is_long=True) for each in _KEYS)
