"""tau2's own ways: its user, its counting of faults, its code for rewards."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.errors import JudgeFault, SimulatorFault
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.worlds.tau2.domain import domain_of
from pytest_todeval.worlds.tau2.reward import tau2_rewards
from pytest_todeval.worlds.tau2.user import Tau2User, own_guidelines
from pytest_todeval.worlds.upstream import as_failure, with_reasons
from pytest_todeval.worlds.world import SentenceJudge

BREAKS = (StopReason.SYSTEM_ERROR, StopReason.EMPTY_REPLY, StopReason.BAD_REPLY)
"""What raises in a run of tau2's, which then is left out as an error of the infrastructure."""


@dataclass(frozen=True)
class Tau2Upstream:
    """Those of a domain of the checkout at `home`."""

    home: Path
    domain: str

    users: ClassVar[Sequence[str]] = (Tau2User.name,)

    def user(
        self, name: str, goal: Goal, settings: ModelSettings, backend: Any, trial: int
    ) -> Tau2User:
        """tau2's `user_simulator`. Raises DataMissing, InvalidFile, UsageError, OracleFault."""
        task = domain_of(self.home, self.domain).task(goal.raw)
        guidelines = own_guidelines(self.home)
        return Tau2User(goal, settings, guidelines, str(task.user_scenario), backend, trial)

    def counted(self, dialogue: Dialogue) -> Dialogue:
        """Returns a user out of scope has ended the dialogue; one that took too long has reward 0.

        What raises in a run of tau2's, in agent, user or network, is left out.
        """
        token = own_guidelines(self.home).out_of_scope
        if dialogue.stop_reason is StopReason.SIMULATOR_FAULT and token in dialogue.last_words:
            return replace(dialogue, stop_reason=StopReason.USER_DONE, fault=None)
        if dialogue.stop_reason is StopReason.DIALOGUE_TIMEOUT:
            return as_failure(dialogue)
        if dialogue.stop_reason in BREAKS:
            detail = f"{dialogue.detail} (upstream such a run is left out)"
            return replace(dialogue, fault=Outcome.INFRASTRUCTURE, detail=detail)
        if dialogue.fault is Outcome.SIMULATOR_FAULT:
            return replace(dialogue, fault=Outcome.INFRASTRUCTURE)
        return dialogue

    def verdicts(
        self, dialogue: Dialogue, backend: Any, judge: SentenceJudge | None
    ) -> Mapping[str, Verdict]:
        """Ours, which are equal to tau2's; ten failed calls are reward 0, whosever they are."""
        try:
            return tau2_rewards(dialogue, backend, dialogue.goal.raw, judge)
        except SimulatorFault as fault:
            why = f"{fault}; upstream it counts as reward 0"
            return {"reward": Verdict("reward", False, why, metric_set="tau2", value=0.0)}

    def scored(self, dialogue: Dialogue, backend: Any) -> Mapping[str, Verdict]:
        """By tau2's own evaluators, of what they evaluate: a dialogue that tau2 ended is 0."""
        from pytest_todeval.worlds.tau2.own_reward import own_rewards

        try:
            ours = dict(self.verdicts(dialogue, backend, None))
        except JudgeFault:  # it hangs on sentences, which tau2 has its own model read
            ours = {}
        if set(ours) == {"reward"} and not ours["reward"]:
            return ours
        theirs = own_rewards(self.home, self.domain, dialogue, dialogue.goal.raw)
        return with_reasons(theirs, ours)
