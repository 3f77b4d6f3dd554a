"""What a user can set: options (command line over ini file) and the markers' signatures."""

import re
from typing import TYPE_CHECKING, NamedTuple

from pytest_todeval.errors import UsageError

if TYPE_CHECKING:
    import pytest

__all__ = ["GOAL_MARKERS", "MARKER_LINES", "Settings", "add_options"]

# Each is `--todeval-NAME` on the command line and `todeval_NAME` in the ini file.
OPTIONS = {
    "data": "Folder or zip with MultiWOZ (else TODEVAL_DATA, else the user's cache).",
    "limit": "At most this many goals per test.",
    "trials": "Play each goal this many times.",
    "json": "Write the results file here.",
    "record": "What happens to HTTP calls: replay (default), missing, rewrite or live; or by lane, "
    "e.g. judge:rewrite.",
    "allow": "Addresses (HOST:PORT, comma-separated) really called in replay too.",
    "max-calls": "At most this many real HTTP calls in this process.",
}
MASK_HELP = "Regular expressions, one a line: what they match makes no call differ from another."


GOAL_MARKERS = ("multiwoz", "goals")
"""The markers that make one test per goal."""

MARKER_LINES = (
    "multiwoz(split='test', domains=None, booking=None, limit=None, seed=None, ids=None): "
    "one test per MultiWOZ goal",
    "goals(source, *, split=None, domains=None, booking=None, limit=None, seed=None, ids=None): "
    "one test per goal of a goal set ('demo', 'multiwoz', ...) or of a YAML or JSON file "
    "(a path relative to the test file)",
    "trials(n): play each goal n times",
    "todeval(max_turns=30, turn_timeout=30, dialogue_timeout=300, user_style='plain'): "
    "how the dialogues of this test are played",
)


class Settings(NamedTuple):
    """The effective settings of a run."""

    data: str | None = None
    limit: int | None = None
    trials: int | None = None
    json: str | None = None
    record: str = "replay"
    allow: tuple[str, ...] = ()
    max_calls: int | None = None

    @classmethod
    def of(cls, config: "pytest.Config") -> "Settings":
        """Read them from pytest's configuration. Raises UsageError naming the wrong value."""
        return cls(
            data=_text(config, "data"),
            limit=_positive(config, "limit"),
            trials=_positive(config, "trials"),
            json=_text(config, "json"),
            record=_text(config, "record") or "replay",
            allow=tuple(filter(None, re.split(r"[,\s]+", _text(config, "allow") or ""))),
            max_calls=_positive(config, "max-calls"),
        )

    def given(self) -> dict[str, str]:
        """The settings that differ from their default, as text."""
        given = self._asdict()
        differing = {k: v for k, v in given.items() if v != self._field_defaults[k]}
        return {name: ",".join(v) if name == "allow" else str(v) for name, v in differing.items()}


def add_options(parser: "pytest.Parser") -> None:
    """Declare the options and their ini twins."""
    group = parser.getgroup("todeval", "dialogue regression tests (pytest-todeval)")
    for name, text in OPTIONS.items():
        group.addoption(f"--todeval-{name}", dest=_ini(name), metavar=name.upper(), help=text)
        parser.addini(_ini(name), text, default="")
    parser.addini("todeval_mask", MASK_HELP, type="linelist", default=[])


def _ini(name: str) -> str:
    return f"todeval_{name.replace('-', '_')}"


def _text(config: "pytest.Config", name: str) -> str | None:
    value = config.getoption(_ini(name)) or config.getini(_ini(name))
    return str(value) if value else None


def _positive(config: "pytest.Config", name: str) -> int | None:
    text = _text(config, name)
    if text is None:
        return None
    if not text.isdecimal() or int(text) < 1:
        raise UsageError(f"--todeval-{name}: got {text!r}, expected a whole number from 1 up")
    return int(text)
