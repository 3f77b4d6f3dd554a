"""Modes: what happens to a call, by lane."""

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeVar

from pytest_todeval.core.lane import Lane
from pytest_todeval.errors import UsageError, known_names

Named = TypeVar("Named", bound=StrEnum)


class Mode(StrEnum):
    """What happens to a call of a lane."""

    REPLAY = "replay"
    """It is answered from the cassette; the network is blocked."""
    MISSING = "missing"
    """It is answered from the cassette if that knows it, else really made and recorded."""
    REWRITE = "rewrite"
    """It is really made and recorded; what was recorded before is dropped."""
    LIVE = "live"
    """It is really made and not recorded."""
    ACCEPT = "accept"
    """As replay; what the cassette does not know is answered by the recorded call in its place."""

    @property
    def plays(self) -> bool:
        """Says whether calls are answered from the cassette."""
        return self in (Mode.REPLAY, Mode.MISSING, Mode.ACCEPT)

    @property
    def offline(self) -> bool:
        """Says whether nothing is really called."""
        return self in (Mode.REPLAY, Mode.ACCEPT)

    @property
    def records(self) -> bool:
        """Says whether calls that are really made are kept."""
        return self in (Mode.MISSING, Mode.REWRITE)


def modes_from(text: str) -> Mapping[Lane, Mode]:
    """Returns the mode of each lane, from `rewrite` (all lanes) or `judge:rewrite,user:missing`.

    Lanes that are not named replay. Raises UsageError naming what is neither a lane nor a mode.
    """
    if ":" not in text:
        return dict.fromkeys(Lane, _named(Mode, text))
    modes = dict.fromkeys(Lane, Mode.REPLAY)
    for part in text.split(","):
        lane, colon, mode = part.strip().partition(":")
        if not colon:
            raise UsageError(
                f"record mode {text!r}: got {part.strip()!r}, expected LANE:MODE, "
                "e.g. judge:rewrite"
            )
        modes[_named(Lane, lane.strip(), "record mode: unknown lane")] = _named(Mode, mode)
    return modes


def _named(kind: type[Named], text: str, what: str = "unknown record mode") -> Named:
    try:
        return kind(text.strip().lower())
    except ValueError:
        raise UsageError(f"{what} {text!r}; {known_names(text, map(str, kind))}") from None
