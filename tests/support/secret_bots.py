"""Bots that hold secrets, and services that answer only to these: planted wherever secrets travel.

Each bot is recorded with one secret and replayed with another one, or with a word in its place.
"""

import base64
import gzip
import json
import random
import string
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import parse_qs, quote, urlencode

from pytest_todeval.recording.bodies import split_events
from pytest_todeval.recording.call import Request, Response
from pytest_todeval.recording.redaction.memory import guises, in_base64

__all__ = ["BOTS", "SecretBot", "Service", "traces"]

JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
LETTERS = string.ascii_letters + string.digits
HEX = "0123456789abcdef"


def drawn(seed: str, count: int, letters: str = LETTERS) -> str:
    chance = random.Random(seed)
    while True:
        text = "".join(chance.choices(letters, k=count))
        if sum(map(str.isdigit, text)) >= 2 and not text.isdigit():
            return text


def token(seed: str) -> str:
    """A JSON web token that does not expire soon."""
    parts = ({"alg": "RS256"}, {"sub": drawn(seed, 8), "exp": 1800000000, "aud": "bot"})
    texts = [base64.urlsafe_b64encode(json.dumps(part).encode()).decode() for part in parts]
    return ".".join((*(text.rstrip("=") for text in texts), drawn(seed, 43)))


def basic(seed: str) -> str:
    return base64.b64encode(f"bot:{drawn(seed, 12)}".encode()).decode()


# Put together here, so that scanners of this repository do not stumble over the file.
SHAPES: Mapping[str, Callable[[str], str]] = {
    "openai": lambda s: "sk-" + "proj-" + drawn(s, 40),
    "anthropic": lambda s: "sk-" + "ant-api03-" + drawn(s, 40),
    "openrouter": lambda s: "sk-" + "or-v1-" + drawn(s, 64, HEX),
    "xai": lambda s: "xai" + "-" + drawn(s, 40),
    "groq": lambda s: "gsk" + "_" + drawn(s, 40),
    "huggingface": lambda s: "hf" + "_" + drawn(s, 34),
    "langsmith": lambda s: "lsv2" + "_pt_" + drawn(s, 32, HEX),
    "pinecone": lambda s: "pcsk" + "_" + drawn(s, 40),
    "tavily": lambda s: "tvly" + "-" + drawn(s, 32),
    "replicate": lambda s: "r8" + "_" + drawn(s, 37),
    "aws id": lambda s: "AKIA" + drawn(s, 16, string.ascii_uppercase + "234567"),
    "bedrock": lambda s: "ABSK" + drawn(s, 120),
    "azure": lambda s: drawn(s, 52) + "JQQJ9" + drawn(s, 27),
    "entra": lambda s: drawn(s, 3) + "8Q~" + drawn(s, 34),
    "storage": lambda s: drawn(s, 86) + "==",
    "google": lambda s: "AIza" + drawn(s, 35),
    "google secret": lambda s: "GOCSPX" + "-" + drawn(s, 28),
    "google token": lambda s: "ya29" + "." + drawn(s, 60),
    "github": lambda s: "ghp" + "_" + drawn(s, 36),
    "gitlab": lambda s: "glpat" + "-" + drawn(s, 20),
    "slack": lambda s: "xoxb" + "-1234567890-" + drawn(s, 24),
    "slack app": lambda s: "xapp" + "-1-A01-1234-" + drawn(s, 32, HEX),
    "sendgrid": lambda s: "SG" + "." + drawn(s, 22) + "." + drawn(s + "b", 43),
    "twilio": lambda s: "SK" + drawn(s, 32, HEX),
    "stripe": lambda s: "sk" + "_live_" + drawn(s, 24),
    "mailchimp": lambda s: drawn(s, 32, HEX) + "-us21",
    "npm": lambda s: "npm" + "_" + drawn(s, 36),
    "databricks": lambda s: "dapi" + drawn(s, 32, HEX),
    "vault": lambda s: "hvs" + "." + drawn(s, 90),
    "telegram": lambda s: "123456789:A" + drawn(s, 34),
    "jwt": token,
}


class Service(Protocol):
    """What a bot calls: method, path, query, content type, body -> what came back."""

    def __call__(self, method: str, path: str, query: str, kind: str, body: bytes) -> Response: ...


@dataclass(frozen=True)
class SecretBot:
    """A bot that talks to a service."""

    secret: Callable[[str], str]
    """Its secret, by a seed."""
    asks: Callable[[Service, str], Any]
    """What it does; what it returns is its answer, without the secret."""
    answers: Callable[[Request, str], Response]
    """What the service answers who knows the secret; raises for anybody else."""
    environment: str = ""
    """The variable in which it has its secret."""
    dummy: str = ""
    """What it has in place of a secret when it is replayed; another secret if empty."""


class Refused(Exception):
    """The service does not know the caller."""


def traces(secret: str) -> Iterator[bytes]:
    """All that would give a secret away in a file."""
    for text in guises(secret) | in_base64(secret.encode()):
        yield text.encode()


def answered(value: Any, kind: str = JSON, headers: Mapping[str, str] | None = None) -> Response:
    body = value if isinstance(value, bytes) else json.dumps(value).encode()
    pairs = (("content-type", kind), *(headers or {}).items())
    events = split_events(body) if kind == "text/event-stream" else None
    return Response(200, pairs, body, events)


def the(value: bytes | str, secret: str) -> None:
    """The service looks for the secret."""
    if (value.decode("latin-1") if isinstance(value, bytes) else value).find(secret) < 0:
        raise Refused(value)


Sent = Callable[[str], tuple[str, str, str, bytes]]
"""Of a secret: path, query, content type, body."""


def sending(make: Sent, secret: Callable[[str], str], **others: Any) -> SecretBot:
    """A bot that sends its secret somewhere."""

    def asks(service: Service, mine: str) -> Any:
        return json.loads(service("POST", *make(mine)).body)["said"]

    def answers(request: Request, right: str) -> Response:
        plain = (request.path, request.query, request.body)
        if request.body[:2] == b"\x1f\x8b":
            plain = (request.path, request.query, gzip.decompress(request.body))
        sent = make(right)
        expected = (sent[0], sent[1], sent[3])
        if expected[2][:2] == b"\x1f\x8b":
            expected = (*expected[:2], gzip.decompress(expected[2]))
        if plain != expected:
            raise Refused(plain)
        return answered({"said": "welcome"})

    return SecretBot(secret, asks, answers, **others)


def js(value: Callable[[str], Any], path: str = "/login") -> Sent:
    return lambda secret: (path, "", JSON, json.dumps(value(secret)).encode())


def query(name: str) -> Sent:
    return lambda secret: ("/search", urlencode({"q": "hotel", name: secret}), "", b"")


def form(name: str, **fields: str) -> Sent:
    return lambda secret: ("/token", "", FORM, urlencode({**fields, name: secret}).encode())


def multipart(disposition: str) -> Sent:
    def made(secret: str) -> tuple[str, str, str, bytes]:
        head = f"Content-Disposition: form-data; {disposition}"
        body = f"--b1\r\n{head}\r\n\r\n%s\r\n--b1--\r\n" % secret
        return "/upload", "", "multipart/form-data; boundary=b1", body.encode()

    return made


def text(template: str, kind: str = "text/plain") -> Sent:
    return lambda secret: ("/notes", "", kind, template.format(secret).encode())


def said(template: str) -> Sent:
    """In a prompt."""

    def asked(secret: str) -> Any:
        return {"model": "m", "messages": [{"role": "user", "content": template.format(secret)}]}

    return js(asked, "/v1/chat/completions")


def password(seed: str) -> str:
    return f"Pa55 wörd/{drawn(seed, 6)}"


def opaque(seed: str) -> str:
    return drawn(seed, 32)


def short(seed: str) -> str:
    return drawn(seed, 9)


SENDING: Mapping[str, SecretBot] = {
    **{f"query key= ({n})": sending(query("key"), SHAPES[n]) for n in ("google", "azure")},
    "query api_key=": sending(query("api_key"), short, dummy="none"),
    "query key= of no shape": sending(query("key"), opaque, dummy="none"),
    "query code= (a function's)": sending(query("code"), opaque, dummy="local"),
    "query appid=": sending(query("appid"), lambda s: drawn(s, 32, HEX)),
    "query hapikey=": sending(query("hapikey"), lambda s: drawn(s, 36, HEX), dummy="x"),
    "query user_key=": sending(query("user_key"), opaque),
    "query access_key=": sending(query("access_key"), opaque),
    "query pwd=": sending(query("pwd"), password),
    "query session=": sending(query("session"), opaque, dummy="s"),
    "query auth=": sending(query("auth"), opaque),
    "query X-Amz-Signature=": sending(query("X-Amz-Signature"), lambda s: drawn(s, 64, HEX)),
    "query sig= (shared access)": sending(query("sig"), lambda s: drawn(s, 43) + "="),
    "form client_secret": sending(
        form("client_secret", grant_type="client_credentials", client_id="bot"), opaque
    ),
    "form client_secret of the environment": sending(
        form("client_secret", grant_type="client_credentials"),
        opaque,
        environment="OAUTH_CLIENT_SECRET",
        dummy="none",
    ),
    "form password": sending(form("password", username="bot"), password),
    "form code": sending(form("code", grant_type="authorization_code"), opaque),
    "form refresh_token": sending(form("refresh_token", grant_type="refresh_token"), opaque),
    "form assertion": sending(form("assertion", grant_type="jwt-bearer"), token),
    "json api_key": sending(js(lambda s: {"api_key": s, "q": "hotel"}), short, dummy="none"),
    "json apiKey, nested": sending(js(lambda s: {"a": [{"b": {"apiKey": s}}]}), opaque),
    "json password": sending(js(lambda s: {"user": "bot", "password": s}), password),
    "json passwords of two": sending(
        js(lambda s: [{"password": s}, {"password": s + "2"}]), password
    ),
    "json client_secret": sending(js(lambda s: {"client_secret": s}), lambda s: drawn(s, 6)),
    "json secretAccessKey": sending(
        js(lambda s: {"accessKeyId": "a", "secretAccessKey": s}), lambda s: drawn(s, 40)
    ),
    "json Authorization": sending(js(lambda s: {"headers": {"Authorization": s}}), basic),
    "json in a json text": sending(
        js(lambda s: {"arguments": json.dumps({"password": s, "user": "bot"})}), password
    ),
    "json as a name": sending(js(lambda s: {"owners": {s: 1}}), SHAPES["github"]),
    "json without a content type": sending(
        lambda s: ("/login", "", "", json.dumps({"password": s}).encode()), password
    ),
    "json, compressed": sending(
        lambda s: ("/login", "", JSON, gzip.compress(json.dumps({"api_key": s}).encode())), opaque
    ),
    "url with a password": sending(
        js(lambda s: {"proxy": f"https://bot:{s}@proxy.example:8080/a"}), lambda s: drawn(s, 11)
    ),
    "database's url": sending(
        js(lambda s: {"db": f"postgresql://bot:{s}@db.example/hotels"}), opaque
    ),
    "connection string": sending(
        js(lambda s: {"to": f"Endpoint=sb://x;SharedAccessKeyName=n;SharedAccessKey={s}"}),
        lambda s: drawn(s, 43) + "=",
    ),
    "storage's connection string": sending(
        js(lambda s: {"to": f"AccountName=n;AccountKey={s};EndpointSuffix=x"}), SHAPES["storage"]
    ),
    "multipart field": sending(multipart('name="password"'), password),
    "multipart file": sending(
        multipart('name="file"; filename="a.env"'), lambda s: "OPENAI=" + SHAPES["openai"](s)
    ),
    "path of a bot's API": sending(
        lambda s: (f"/bot{s}/sendMessage", "", JSON, b'{"text":"hi"}'), SHAPES["telegram"]
    ),
    "path of a webhook": sending(
        lambda s: (f"/services/T01ABCDEF/B01ABCDEF/{s}", "", JSON, b'{"text":"hi"}'),
        lambda s: drawn(s, 24),
    ),
    "text": sending(text("the key is {0}, keep it"), SHAPES["anthropic"]),
    "xml": sending(
        text("<a><Password>{0}</Password></a>", "text/xml"), lambda s: "Pw1" + drawn(s, 9)
    ),
    "private key": sending(
        said("-----BEGIN PRIVATE KEY-----\n{0}\n-----END PRIVATE KEY-----"),
        lambda s: drawn(s, 64),
    ),
    "env, in an unknown place": sending(
        js(lambda s: {"x": s}), opaque, environment="HOTEL_TOKEN", dummy="local"
    ),
    "env, in a sentence": sending(said("I am {0}."), opaque, environment="HOTEL_API_KEY"),
    "env, in base64": sending(
        js(lambda s: {"x": base64.b64encode(f"me:{s}".encode()).decode()}),
        opaque,
        environment="DB_PASS",
    ),
    "curl in a prompt": sending(
        said("curl -H 'Authorization: Bearer {0}' https://x.example"), opaque
    ),
    "basic in a prompt": sending(said("Authorization: Basic {0}"), basic),
    "cookie in a prompt": sending(said("Cookie: access_token={0}; a=b"), opaque),
    **{f"{n}, in a prompt": sending(said("use {0} now"), SHAPES[n]) for n in SHAPES},
}


def coming(
    came: Callable[[str], Response],
    found: Callable[[Response], str],
    sent: Sent,
    secret: Callable[[str], str] = opaque,
) -> SecretBot:
    """A bot that is given a token, and sends it on."""

    def asks(service: Service, mine: str) -> Any:
        given = found(service("POST", "/oauth/token", "", JSON, b'{"grant":"x"}'))
        return json.loads(service("POST", *sent(given)).body)["said"]

    def answers(request: Request, right: str) -> Response:
        if request.path == "/oauth/token":
            return came(right)
        the(quote(request.path) + "?" + str(parse_qs(request.query)), "")
        path, asked, _, body = sent(right)
        if (request.path, request.query, request.body) != (path, asked, body):
            raise Refused(request)
        return answered({"said": f"your token {right} is fine"})

    return SecretBot(secret, asks, answers)


def field(name: str) -> Callable[[Response], str]:
    return lambda response: str(json.loads(response.body)[name])


def events(values: list[Any]) -> Response:
    body = b"".join(b"data: %b\n\n" % json.dumps(value).encode() for value in values)
    return answered(body + b"data: [DONE]\n\n", "text/event-stream")


def delta(part: str, index: int = 0) -> dict[str, Any]:
    return {"choices": [{"index": index, "delta": {"content": part}}]}


def streamed(response: Response) -> str:
    parts = [json.loads(event[6:]) for event in response.events or () if b"[DONE]" not in event]
    texts = [c["delta"]["content"] for part in parts for c in part["choices"] if c["index"] == 0]
    return "".join(texts).removeprefix("your key: ").removesuffix(".")


def claims(response: Response) -> str:
    """A client that reads what it is given: an expired or garbled token is refused."""
    given = str(json.loads(response.body)["id_token"])
    part = given.split(".")[1]
    value = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    assert value["aud"] == "bot"
    assert value["exp"] > 1700000000
    return given


ON = js(lambda s: {"messages": [{"role": "user", "content": f"token {s}"}]}, "/v1/chat/completions")
COMING: Mapping[str, SecretBot] = {
    "access_token, sent on in a body": coming(
        lambda s: answered({"access_token": s, "expires_in": 3600}),
        field("access_token"),
        js(lambda s: {"session": {"opened": s}}),
    ),
    "access_token, sent on in a query": coming(
        lambda s: answered({"access_token": s}), field("access_token"), query("t")
    ),
    "access_token, sent on in a path": coming(
        lambda s: answered({"access_token": s}),
        field("access_token"),
        lambda s: (f"/sessions/{s}/say", "", JSON, b"{}"),
    ),
    "access_token, sent on in a prompt": coming(
        lambda s: answered({"access_token": s}), field("access_token"), ON
    ),
    "access_token, sent on in a form": coming(
        lambda s: answered({"access_token": s}), field("access_token"), form("t")
    ),
    "access_token in a form": coming(
        lambda s: answered(urlencode({"access_token": s, "scope": "x"}).encode(), FORM),
        lambda response: parse_qs(response.body.decode())["access_token"][0],
        ON,
    ),
    "id_token, read by the client": coming(
        lambda s: answered({"id_token": s}), claims, js(lambda s: {"x": s}), token
    ),
    "token in a header": coming(
        lambda s: answered({}, headers={"x-subject-token": s}),
        lambda response: dict(response.headers)["x-subject-token"],
        ON,
    ),
    "credentials in XML": coming(
        lambda s: answered(f"<a><SecretAccessKey>{s}</SecretAccessKey></a>".encode(), "text/xml"),
        lambda response: response.body.decode().split("Key>")[1].partition("<")[0],
        ON,
        lambda s: drawn(s, 40),
    ),
    "in an answer's words": coming(
        lambda s: answered({"text": f"Your key: {s}."}),
        lambda response: str(json.loads(response.body)["text"])[10:-1],
        ON,
        SHAPES["openai"],
    ),
    "in an answer's json text": coming(
        lambda s: answered({"text": json.dumps({"refresh_token": s})}),
        lambda response: str(json.loads(json.loads(response.body)["text"])["refresh_token"]),
        ON,
    ),
    "in the pieces of a stream": coming(
        lambda s: events([delta("your key: " + s[:5]), delta(s[5:9]), delta(s[9:] + ".")]),
        streamed,
        ON,
        SHAPES["github"],
    ),
    "in one of two streams": coming(
        lambda s: events(
            [delta("your key: " + s[:5]), delta("no", 1), delta(s[5:]), delta(" key", 1)]
        ),
        streamed,
        ON,
        SHAPES["slack"],
    ),
    "in a stream of plain text": coming(
        lambda s: answered(f"data: {s[:9]}\n\ndata: {s[9:]}\n\n".encode(), "text/event-stream"),
        lambda response: response.body.decode().replace("data: ", "").replace("\n", ""),
        ON,
        SHAPES["gitlab"],
    ),
    "in bytes": coming(
        lambda s: answered(b"\xff\x00" + s.encode() + b"\xfe", "application/octet-stream"),
        lambda response: "",
        lambda s: ("/more", "", JSON, b"{}"),
        SHAPES["stripe"],
    ),
}
BOTS: Mapping[str, SecretBot] = {**SENDING, **COMING}
