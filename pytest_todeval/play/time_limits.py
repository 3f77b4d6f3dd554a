"""How many seconds a turn and a dialogue may take, and which setting says so."""

from collections.abc import Iterable
from dataclasses import dataclass

from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.play.settings import PlaySettings
from pytest_todeval.simulation.limits import Limits

TURNS = 10
"""How many slow turns a dialogue may have by default."""
MARGIN = 5.0
"""Seconds a turn may take besides its model's answer."""


@dataclass(frozen=True)
class TimeLimits:
    """What a run's options say of seconds; None for the defaults."""

    turn: float | None = None
    dialogue: float | None = None

    def of(self, turns: int, how: PlaySettings, models: Iterable[ModelSettings]) -> Limits:
        """The limits of a dialogue: as its test says, else the options, else as `models` need.

        `models` are those that may be asked in a turn: it may take as long as one answer of theirs,
        and at least 30 seconds; a dialogue as long as ten such turns, and at least 300.
        """
        usual = Limits()
        turn, turn_by = _first("turn", how.turn_timeout, self.turn)
        if turn is None:
            slowest = max(models, key=lambda model: model.timeout, default=None)
            turn, turn_by = usual.turn_timeout, ""
            if slowest is not None and slowest.timeout + MARGIN > turn:
                turn = slowest.timeout + MARGIN
                turn_by = f"follows the `timeout` of model {slowest.model}"
        dialogue, dialogue_by = _first("dialogue", how.dialogue_timeout, self.dialogue)
        if dialogue is None:
            dialogue, dialogue_by = max(usual.dialogue_timeout, TURNS * turn), ""
        return Limits(turns, turn, dialogue, turn_by, dialogue_by, how.protocol or "")


DEFAULT = TimeLimits()
"""Of a run whose options say nothing."""


def _first(
    what: str, in_marker: float | None, in_options: float | None
) -> tuple[float | None, str]:
    if in_marker is not None:
        return in_marker, f"comes from the marker todeval({what}_timeout={in_marker:g})"
    if in_options is not None:
        return in_options, f"comes from --todeval-{what}-timeout={in_options:g}"
    return None, ""
