"""Which model plays a role, and how it is asked."""

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from pytest_todeval.errors import UsageError, known_names
from pytest_todeval.models.profiles import PROFILES

CAPS = ("max_completion_tokens", "max_tokens")
"""The names under which endpoints know the cap on the tokens of an answer, the usual one first."""

OPTIONAL = (
    *("response_format", "seed", "temperature", "top_p"),
    *CAPS,
    "tool_choice",
)
"""Parameters of a request without which a call still makes sense."""
DEVELOPER = "developer"
"""The role of messages that older endpoints know as `system`."""
NULL_CONTENT = "null_content"
"""The content of a message that only calls tools; if it is not taken, an empty text is sent."""
LEFT_OUT = (*OPTIONAL, DEVELOPER, NULL_CONTENT)
"""What `unsupported` may name."""
DEFAULT_KEY = "OPENAI_API_KEY"
NAME_OF_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]{0,79}")


@dataclass(frozen=True)
class ModelSettings:
    """A model on an OpenAI-compatible endpoint, and how it is asked.

    Raises UsageError for values that cannot be meant; it never shows a key.
    """

    model: str
    base_url: str | None = None
    """Default: what the run says of the lane, else where the profile's endpoint usually is, else
    OPENAI_BASE_URL, else OpenAI's own."""
    key: str = DEFAULT_KEY
    """The name of the environment variable that holds the key; never the key itself."""
    temperature: float | None = None
    """0 or more; None leaves it to the endpoint."""
    top_p: float | None = None
    """The share of the likeliest words that are drawn from, above 0 and up to 1; None leaves it to
    the endpoint, which mostly takes 1."""
    seed: int | None = None
    timeout: float = 60.0
    """Seconds for one answer."""
    retries: int = 3
    """How often a call is made again after 408, 409, 429, 5xx or a broken connection."""
    per_minute: int | None = None
    """At most this many real calls a minute to the endpoint's model, of one process."""
    concurrency: int | None = None
    """At most this many real calls at once to the endpoint's model, of one process. By default 8,
    or as many as dialogues are played at once."""
    max_tokens: int | None = None
    """Of an answer."""
    unsupported: tuple[str, ...] = ()
    """Parameters (of `OPTIONAL`) that the endpoint does not know, `developer` if it does not know
    that role, `null_content` if messages that only call tools need a text. They are left out anyway
    once it has refused them; named here, they need not be refused first, and are left out if its
    refusal cannot be read."""
    token_cap: str | None = None
    """The name that `max_tokens` is sent under: `max_completion_tokens` or `max_tokens`. None: the
    first, and the other once the endpoint has refused or ignored it."""
    tool_choice: str | None = None
    """`auto`: sent with tools, for servers that else show the model none. None: not sent."""
    profile: str | None = None
    """The make of the endpoint (a name of `PROFILES`), which sets what is left open here: address,
    key, token_cap, tool_choice and unsupported."""
    of_files: frozenset[str] = field(default=frozenset(), compare=False, repr=False)
    """Which of `base_url` and `key` a file of the project says: a stranger may have written it."""

    def __post_init__(self) -> None:
        if not isinstance(self.model, str) or not self.model.strip():
            raise UsageError(f"model is {self.model!r:.80}, expected the name of a model")
        for name, (sound, expected) in FIELDS.items():
            value = getattr(self, name)
            if not sound(value):
                got = "not shown, for it may hold a key" if name in SECRETS else repr(value)[:80]
                raise UsageError(f"{name} of model {self.model} is {got}; expected {expected}")
        object.__setattr__(self, "unsupported", self._known(self.unsupported))
        if self.profile is not None:
            self._fill(self.profile)

    def _fill(self, name: str) -> None:
        """Set what is left open to what the profile says; the address is the endpoint's to find."""
        profile = PROFILES[name]
        filled = {
            "key": profile.key if self.key == DEFAULT_KEY else self.key,
            "token_cap": self.token_cap or profile.token_cap,
            "tool_choice": self.tool_choice or profile.tool_choice,
            "unsupported": tuple(dict.fromkeys((*self.unsupported, *profile.unsupported))),
        }
        for setting, value in filled.items():
            object.__setattr__(self, setting, value)

    def _known(self, names: Iterable[str]) -> tuple[str, ...]:
        for name in (found := tuple(names)):
            if name not in LEFT_OUT:
                raise UsageError(
                    f"unsupported of model {self.model}: {name!r:.60} is not an optional parameter "
                    f"of a call; {known_names(str(name), LEFT_OUT)}"
                )
        return found


def _number(value: Any, least: float, most: float = math.inf) -> bool:
    sound = isinstance(value, int | float) and not isinstance(value, bool)
    return sound and least <= value <= most and math.isfinite(value)


def _whole(value: object, least: float = -math.inf) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def _url(value: object) -> bool:
    if value is None:
        return True
    try:
        parts = urlsplit(value) if isinstance(value, str) else None
        return (
            parts is not None
            and parts.scheme in ("http", "https")
            and bool(parts.hostname)
            and "@" not in parts.netloc
        )
    except ValueError:
        return False


def _key(value: object) -> bool:
    return isinstance(value, str) and NAME_OF_VARIABLE.fullmatch(value) is not None


def _names(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(name, str) for name in value)


SECRETS = ("key", "base_url")
"""Fields into which secrets are written by mistake."""
FIELDS: dict[str, tuple[Callable[[object], bool], str]] = {
    "base_url": (_url, "an address such as https://api.openai.com/v1, without user and password"),
    "key": (
        _key,
        f"the name of the environment variable that holds the key, such as {DEFAULT_KEY}, in "
        "capitals: never the key itself",
    ),
    "temperature": (lambda value: value is None or _number(value, 0), "a number, 0 or more"),
    "top_p": (
        lambda value: value is None or (_number(value, 0, 1) and value != 0),
        "a number above 0, up to 1",
    ),
    "seed": (lambda value: value is None or _whole(value), "a whole number"),
    "timeout": (lambda value: _number(value, 0) and value != 0, "seconds, more than 0"),
    "retries": (lambda value: _whole(value, 0), "a whole number, 0 or more"),
    "per_minute": (lambda value: value is None or _whole(value, 1), "a whole number above 0"),
    "concurrency": (lambda value: value is None or _whole(value, 1), "a whole number above 0"),
    "max_tokens": (lambda value: value is None or _whole(value, 1), "a whole number above 0"),
    "unsupported": (_names, f"a list of names from {', '.join(LEFT_OUT)}"),
    "token_cap": (lambda value: value is None or value in CAPS, " or ".join(CAPS)),
    "profile": (
        lambda value: value is None or (isinstance(value, str) and value in PROFILES),
        f"one of {', '.join(PROFILES)}",
    ),
    "tool_choice": (lambda value: value in (None, "auto"), "auto, or nothing"),
}
