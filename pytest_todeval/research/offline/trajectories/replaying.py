"""One stored trajectory played again: its calls on a fresh backend, its words as they stand."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.backends.tool_backend import TAU_BENCH_STEPS, ToolBackend
from pytest_todeval.backends.tool_domain import ToolDomain
from pytest_todeval.core.dialogue import Dialogue, ToolCall, Turn
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.core.verdict import CLAIMED, Verdict
from pytest_todeval.evaluate.metrics.reward import rewards
from pytest_todeval.research.offline.trajectories.reading import Trajectory
from pytest_todeval.research.offline.trajectories.steps import SaidStep, Spoken, StoredCall, steps

STOP = "###STOP###"
STORED = "stored_reward"
ENDS_EARLY = "the trajectory ends before the user or a terminating tool ended the dialogue"


@dataclass(frozen=True, slots=True)
class Replayed:
    """A trajectory played again."""

    dialogue: Dialogue
    """With its rewards, and beside them those that the file tells; of a run that broke only these,
    and its fault says so."""
    other_results: tuple[str, ...] = ()
    """Tools that answered otherwise than the file says, once per such call."""
    backend: ToolBackend | None = None
    """tau-bench's, as the calls left it; None for a run that broke."""


def replay(trajectory: Trajectory, goal: Goal, domain: ToolDomain) -> Replayed:
    """Make the calls of a trajectory on a fresh backend and reward what comes of it.

    Only what tau-bench would have played counts: nothing after the user's ###STOP### or a
    terminating tool. Calls whose arguments cannot be read are kept, and not made. Raises
    BackendError if the domain itself is broken.
    """
    stored = {} if trajectory.reward is None else {STORED: as_stored(STORED, trajectory.reward)}
    if trajectory.error:
        return Replayed(_broken(trajectory, goal, stored))
    stage = _Stage(ToolBackend(domain))
    stage.play(trajectory)
    dialogue = stage.dialogue(goal, trajectory.trial)
    found = {**rewards(dialogue, stage.backend), **stored}
    rewarded = replace(dialogue, verdicts=found)
    return Replayed(rewarded, tuple(stage.other_results), stage.backend)


def as_stored(name: str, value: float) -> Verdict:
    """Returns what the file says of a reward, or of a part of it."""
    said = "as the file says"
    return Verdict(name, value == 1, said, basis=CLAIMED, metric_set="stored", value=value)


def _broken(trajectory: Trajectory, goal: Goal, stored: Mapping[str, Verdict]) -> Dialogue:
    """tau-bench gives a run that broke reward 0; whose fault it was, the file does not tell."""
    return Dialogue(
        goal,
        fault=Outcome.INFRASTRUCTURE,
        detail=trajectory.error,
        trial=trajectory.trial,
        verdicts=stored,
    )


@dataclass
class _Stage:
    """A trajectory being played."""

    backend: ToolBackend
    turns: list[Turn] = field(default_factory=list)
    user: str = ""
    calls: list[ToolCall] = field(default_factory=list)
    taken: int = 0
    """Steps of the bot."""
    user_done: bool = False
    other_results: list[str] = field(default_factory=list)

    def play(self, trajectory: Trajectory) -> None:
        for step in steps(trajectory.messages):
            if isinstance(step, SaidStep):
                self.said(step.text)
            elif isinstance(step, Spoken):
                self.taken += 1
                self.end_turn(step.text)
            else:
                self.taken += 1
                self.call(step)
            if self.user_done or self.backend.finished:
                return

    def said(self, text: str) -> None:
        self.user_done = STOP in text and bool(self.taken)  # the first message starts, not ends
        words = text.replace(STOP, "").strip() if self.user_done else text
        self.user = f"{self.user}\n{words}" if self.user else words

    def end_turn(self, reply: str) -> None:
        self.turns.append(Turn(len(self.turns) + 1, self.user, reply, tuple(self.calls)))
        self.user, self.calls = "", []

    def call(self, step: StoredCall) -> None:
        made = self.made(step)
        self.calls.append(made)
        answer = made.result if made.error is None else made.error
        if not step.problem and step.stored not in (None, answer):
            self.other_results.append(step.name)

    def made(self, step: StoredCall) -> ToolCall:
        if step.problem:
            return ToolCall(step.name, error=step.problem)
        arguments: dict[str, Any] = dict(step.arguments)
        with suppress(ToolRefused):  # the trace says so
            self.backend.call(step.name, **arguments)
        return self.backend.trace[-1]

    def dialogue(self, goal: Goal, trial: int) -> Dialogue:
        if self.calls:
            self.end_turn("")
        reason, detail = self.ending()
        return Dialogue(
            goal,
            tuple(self.turns),
            reason,
            detail=detail,
            last_words=self.user,
            backend_known=True,
            trial=trial,
        )

    def ending(self) -> tuple[StopReason, str]:
        if self.user_done:
            return StopReason.USER_DONE, ""
        if self.backend.finished:
            return StopReason.SYSTEM_DONE, f"the bot called {self.backend.trace[-1].name}"
        if self.taken >= TAU_BENCH_STEPS:
            return StopReason.TURN_LIMIT, f"{self.taken} steps of the bot"
        return StopReason.IMPORTED, ENDS_EARLY
