"""tau-bench's own ways: its users, its counting of faults, its code for rewards."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.evaluate.metrics.reward import rewards
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.worlds.tau_bench.user import OWN_USERS, TauBenchUser, own_prompts
from pytest_todeval.worlds.upstream import as_failure, with_reasons
from pytest_todeval.worlds.world import SentenceJudge


@dataclass(frozen=True)
class TauBenchUpstream:
    """Those of a domain of the checkout in the folder `home`."""

    home: Path
    domain: str

    users: ClassVar[Sequence[str]] = tuple(OWN_USERS)

    def user(
        self, name: str, goal: Goal, settings: ModelSettings, backend: Any, trial: int
    ) -> TauBenchUser:
        """Returns the user of one of tau-bench's strategies. Raises DataMissing, InvalidFile."""
        return OWN_USERS[name](goal, settings, own_prompts(self.home))

    def counted(self, dialogue: Dialogue) -> Dialogue:
        """Whatever raises in a run of tau-bench's, in user, agent or network, is reward 0."""
        return as_failure(dialogue)

    def verdicts(
        self, dialogue: Dialogue, backend: Any, judge: SentenceJudge | None
    ) -> Mapping[str, Verdict]:
        """Ours, which are equal to tau-bench's."""
        return rewards(dialogue, backend)

    def scored(self, dialogue: Dialogue, backend: Any) -> Mapping[str, Verdict]:
        """By tau-bench's own `Env`. Raises DataMissing if it cannot be run."""
        from pytest_todeval.worlds.tau_bench.own_reward import own_rewards

        theirs = own_rewards(self.home, self.domain, dialogue)
        return with_reasons(theirs, rewards(dialogue, backend))
