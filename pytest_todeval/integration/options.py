"""What a user can set: options (command line over ini file) and the markers' signatures."""

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
}


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

    @classmethod
    def of(cls, config: "pytest.Config") -> "Settings":
        """Read them from pytest's configuration. Raises UsageError naming the wrong value."""
        return cls(
            data=_text(config, "data"),
            limit=_positive(config, "limit"),
            trials=_positive(config, "trials"),
            json=_text(config, "json"),
        )

    def given(self) -> dict[str, str]:
        """The settings that differ from their default, as text."""
        return {name: str(value) for name, value in self._asdict().items() if value is not None}


def add_options(parser: "pytest.Parser") -> None:
    """Declare the options and their ini twins."""
    group = parser.getgroup("todeval", "dialogue regression tests (pytest-todeval)")
    for name, text in OPTIONS.items():
        group.addoption(
            f"--todeval-{name}", dest=f"todeval_{name}", metavar=name.upper(), help=text
        )
        parser.addini(f"todeval_{name}", text, default="")


def _text(config: "pytest.Config", name: str) -> str | None:
    value = config.getoption(f"todeval_{name}") or config.getini(f"todeval_{name}")
    return str(value) if value else None


def _positive(config: "pytest.Config", name: str) -> int | None:
    text = _text(config, name)
    if text is None:
        return None
    if not text.isdecimal() or int(text) < 1:
        raise UsageError(f"--todeval-{name}: got {text!r}, expected a whole number from 1 up")
    return int(text)
