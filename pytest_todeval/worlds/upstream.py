"""How a benchmark itself plays, counts and scores, for runs that are compared with its own."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.core.verdict import Verdict

if TYPE_CHECKING:
    from pytest_todeval.models.settings import ModelSettings
    from pytest_todeval.simulation.user import UserSimulator
    from pytest_todeval.worlds.world import SentenceJudge

SCORED = "scored"
"""What a run asks for that has the benchmark's code compute rewards, too, beside `counted`."""

NOT_THE_BOTS = (Outcome.SIMULATOR_FAULT, Outcome.INFRASTRUCTURE)
"""Faults that say nothing of a bot here, and count against it in most benchmarks."""


class OwnWays(Protocol):
    """A benchmark's own ways, from its code on this machine."""

    @property
    def users(self) -> Sequence[str]:
        """Returns the names of its own users, the usual one first."""
        ...

    def user(
        self, name: str, goal: Goal, settings: "ModelSettings", backend: Any, trial: int
    ) -> "UserSimulator":
        """Returns one of its own users, asked with its own prompts and parameters.

        Raises DataMissing or InvalidFile if its code does not hold them.
        """
        ...

    def counted(self, dialogue: Dialogue) -> Dialogue:
        """Returns the dialogue with the fault that the benchmark would count it by."""
        ...

    def verdicts(
        self, dialogue: Dialogue, backend: Any, judge: "SentenceJudge | None"
    ) -> Mapping[str, Verdict]:
        """Returns the reward of a dialogue so counted, and its parts."""
        ...

    def scored(self, dialogue: Dialogue, backend: Any) -> Mapping[str, Verdict]:
        """The reward that the benchmark's own code computes, and what it tells of its parts.

        Raises DataMissing, with what to install, if that code cannot be run.
        """
        ...


def as_failure(dialogue: Dialogue) -> Dialogue:
    """The dialogue, its fault the bot's if it was somebody else's that benchmarks do not know."""
    if dialogue.fault not in NOT_THE_BOTS:
        return dialogue
    detail = f"{dialogue.detail} (here {dialogue.fault}; upstream it counts as reward 0)"
    return replace(dialogue, fault=Outcome.FAILED, detail=detail)


def with_reasons(theirs: Mapping[str, Verdict], ours: Mapping[str, Verdict]) -> dict[str, Verdict]:
    """The verdicts of a benchmark's code, which says little, with reasons and turns found here."""
    found = dict(theirs)
    for name in theirs.keys() & ours.keys():
        here = ours[name]
        reason = f"{theirs[name].reason}; found here: {here.reason}"
        found[name] = replace(theirs[name], reason=reason, turns=here.turns)
    return found


def as_upstream(verdicts: Mapping[str, Verdict], how: str) -> dict[str, Verdict]:
    """The verdicts with a metric set of their own: no number of theirs is compared with others."""
    return {
        name: replace(each, metric_set=f"{each.metric_set} {how}")
        for name, each in verdicts.items()
    }
