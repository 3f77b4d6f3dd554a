"""One case: a goal, its trial, and what its dialogue came to; kept on the pytest item."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import Goal

if TYPE_CHECKING:
    from pytest_todeval.goals.registry import GoalSet

__all__ = ["PLAYED", "Case", "Played", "case_of"]


@dataclass(frozen=True, slots=True)
class Case:
    """What one parametrized test plays."""

    goal: Goal
    goal_set: "GoalSet"
    trial: int = 0


@dataclass(slots=True)
class Played:
    """What came of a case: the dialogue and what the judge was asked about it."""

    dialogue: Dialogue
    by: str = ""
    """Who talked to whom, e.g. `AgendaUser with HotelBot`."""
    scores: dict[str, Any] = field(default_factory=dict)
    rules: dict[str, Any] = field(default_factory=dict)


PLAYED = pytest.StashKey[Played]()


def case_of(item: pytest.Item) -> Case | None:
    """The case of a test, or None for a test that is not ours."""
    callspec = getattr(item, "callspec", None)
    value = callspec.params.get("goal") if callspec is not None else None
    return value if isinstance(value, Case) else None
