"""How far a user's goal has come, over a whole dialogue (strategy `state_tracking`)."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pytest_todeval.core.goal import Goal
from pytest_todeval.simulation.llm_user.reply import Draft
from pytest_todeval.simulation.llm_user.tracker import Tracker

MOST_IDLE = 6
"""Turns in a row that change nothing before the user gives up."""


@dataclass
class Progress:
    """The tracked state; a broken one leaves the last good one as it was."""

    tracker: Tracker
    idle: int = 0
    notes: list[str] = field(default_factory=list)
    """Updates that were ignored, and states that could not be read."""

    @classmethod
    def of(cls, goal: Goal) -> "Progress":
        """Returns nothing done yet."""
        return cls(Tracker.of(goal))

    @property
    def values(self) -> dict[str, str]:
        """For the prompt."""
        return {"state": self.tracker.shown(), "idle": str(self.idle)}

    @property
    def stalled(self) -> bool:
        """Says whether nothing has moved for so long that a person would leave."""
        return self.idle >= MOST_IDLE

    @property
    def standstill(self) -> str:
        """Says why the user gives up."""
        return f"nothing came of {self.idle} turns; still open: {self._told(self.tracker)}"

    def left_open(self, state: Mapping[str, object] | None) -> str:
        """Says why a user must not leave now; empty if nothing is open, given its latest state."""
        tracker = self.tracker if state is None else self.tracker.after(state)[0]
        if not tracker.open:
            return ""
        return (
            f"ends the conversation while these parts of the goal are open: {self._told(tracker)}; "
            "go on with them, or mark as failed what the chatbot did not do"
        )

    def settled(self, state: Mapping[str, object] | None) -> bool:
        """Says whether nothing was open before the latest state, nor is with it."""
        return not self.tracker.open and not self.left_open(state)

    def take(self, draft: Draft) -> None:
        """Follow what the model tracked in a draft that is sent."""
        if draft.state is None:
            self.notes.append(f"the user {draft.state_fault}")
            return
        after, ignored = self.tracker.after(draft.state)
        self.notes += ignored
        self.idle = 0 if after != self.tracker else self.idle + 1
        self.tracker = after

    @staticmethod
    def _told(tracker: Tracker) -> str:
        return ", ".join(tracker.open) or "nothing"
