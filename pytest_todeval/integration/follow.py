"""A dialogue followed in the terminal while it is played (`--todeval-show=live`)."""

from typing import TYPE_CHECKING, Any

import pytest

from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.core.transcript import turn_lines
from pytest_todeval.integration.failure_groups import laid_out
from pytest_todeval.integration.settings import Settings
from pytest_todeval.integration.terminal import write_lines
from pytest_todeval.shown import in_terminal

if TYPE_CHECKING:
    from pytest_todeval.simulation.checks import AfterTurn

LIVE = "live"


def require_one_process(config: pytest.Config) -> None:
    """Raises UsageError if several dialogues are played at once: they would be mixed up."""
    if (Settings.of(config).concurrency or 1) > 1:
        raise pytest.UsageError(
            "--todeval-show=live follows one dialogue at a time: leave out --todeval-concurrency"
        )
    if config.getoption("dist", "no") != "no":
        raise pytest.UsageError(
            "--todeval-show=live follows the dialogues of one process: leave out -n, or follow the "
            "run with --todeval-json=results.json and `todeval view results.json`"
        )


def follower(item: pytest.Item, name: str) -> "Follower | None":
    """Returns what follows the dialogue of a test, if that is asked for."""
    if Settings.of(item.config).show != LIVE:
        return None
    found = Follower(item.config)
    found.write([f"{name}:"])
    return found


class Follower:
    """Writes each turn once it is played, whatever captures the output of tests."""

    def __init__(self, config: pytest.Config) -> None:
        self._terminal: Any = config.pluginmanager.get_plugin("terminalreporter")
        self._capture: Any = config.pluginmanager.get_plugin("capturemanager")
        self._written = 0
        """Turns."""

    def after(self, check: "AfterTurn | None") -> "AfterTurn":
        """Returns what to call after each turn, in place of the test's own check."""

        def told(dialogue: Dialogue, turn: Turn) -> Any:
            self._tell(turn)
            return None if check is None else check(dialogue, turn)

        return told

    def end(self, dialogue: Dialogue) -> None:
        """Writes the turn that ended it, if nothing was called after that, and why it ended."""
        for turn in dialogue.turns[self._written :]:
            self._tell(turn)
        why = f" ({dialogue.detail.splitlines()[0]})" if dialogue.detail else ""
        self.write([f"  stopped by {dialogue.stop_reason}{why}"])

    def write(self, lines: list[str]) -> None:
        """Writes them in lines of their own, fit for a terminal."""
        with self._capture.global_and_fixture_disabled():
            self._terminal.ensure_newline()
            write_lines(self._terminal, laid_out(in_terminal("\n".join(lines))).splitlines())
            self._terminal.flush()

    def _tell(self, turn: Turn) -> None:
        self._written += 1
        self.write(list(turn_lines(turn)))
