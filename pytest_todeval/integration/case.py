"""One case: a goal, its trial, and what its dialogue came to; kept on the pytest item.

No dataclasses here: these few classes load in every pytest run, and each would cost a millisecond.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

if TYPE_CHECKING:
    from pytest_todeval.core.dialogue import Dialogue
    from pytest_todeval.core.goal import Goal
    from pytest_todeval.core.outcome import Outcome
    from pytest_todeval.llm.usage import Ledger
    from pytest_todeval.recording.tape import Tape
    from pytest_todeval.reports.schema import DriftEntry
    from pytest_todeval.worlds.goal_set import GoalSet

__all__ = ["EXCLUDED", "LEFT_OUT", "PAYLOAD", "PLAYED", "Case", "Played", "case_of"]


class Case(NamedTuple):
    """What one parametrized test plays."""

    goal: "Goal"
    goal_set: "GoalSet"
    trial: int = 0


class Played:
    """What came of a case: the dialogue and what the judge was asked about it."""

    def __init__(
        self,
        dialogue: "Dialogue",
        by: str = "",
        tape: "Tape | None" = None,
        asked: "Ledger | None" = None,
    ) -> None:
        self.dialogue = dialogue
        self.tape = tape
        """The calls of the dialogue; None where none was played."""
        self.asked = asked
        """What our own users, judges and chat bots asked of models; None where none was played."""
        self.by = by
        """Who talked to whom, e.g. `AgendaUser with HotelBot`."""
        self.trivial = ""
        """Why a bot that does nothing passes the goal; empty if it does not."""
        self.outcome: Outcome | None = None
        """Whose the result is, once the test has asserted."""
        self.scores: dict[str, Any] = {}
        self.rules: dict[str, Any] = {}
        self.metrics: dict[str, Any] = {}
        """Verdicts and numbers that the judge gave, beside the dialogue's own."""
        self.drift: list[DriftEntry] | None = None
        """Where the bot's answers to the recorded user drifted; None with another user."""


PLAYED = pytest.StashKey[Played]()

PAYLOAD = "todeval"
"""The attribute of a test report that carries a dialogue between processes, as plain JSON."""

EXCLUDED = pytest.StashKey[str]()
"""The goal of a test that is skipped because a bot passes it by doing nothing."""

LEFT_OUT = "todeval_excluded"
"""The attribute of a test report that carries the name of such a goal."""


def case_of(item: pytest.Item) -> Case | None:
    """The case of a test, or None for a test that is not ours."""
    callspec = getattr(item, "callspec", None)
    value = callspec.params.get("goal") if callspec is not None else None
    return value if isinstance(value, Case) else None
