"""pass^k and pass@k: how likely all, or any, of k trials of a task succeed; means over the tasks.

Sources: Yao et al. 2024, tau-bench, section 3: the unbiased estimate of pass^k for a task with c
successes in n trials is C(c, k) / C(n, k). Chen et al. 2021, Evaluating large language models
trained on code, section 2.1: that of pass@k is 1 - C(n - c, k) / C(n, k).
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.runs.statistics.mean_interval import mean_interval

DEFINITION = "pass-hat-k 1"
ANY_DEFINITION = "pass-at-k 1"
COUNTED = (Outcome.PASSED, Outcome.FAILED)
CONFIDENCE = 0.95
NO_RESULT = "no result"


@dataclass(frozen=True, slots=True)
class Trial:
    """One trial of a task, and what became of it."""

    task: str
    """The goal's name."""
    success: bool | None
    """None if the metric does not apply to it or is missing."""
    outcome: Outcome
    """Only those that passed or failed say something about the bot."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Trials by task, without those that say nothing about the bot."""

    successes: Mapping[str, tuple[int, int]]
    """By task (n, c): c of n trials succeeded. A task may be left with n = 0."""
    left_out: Mapping[str, int] = field(default_factory=dict)
    """How many trials were not counted, by outcome (`infrastructure`, `simulator_fault`, ...), or
    `no result`."""


@dataclass(frozen=True, slots=True)
class PassK:
    """pass^k or pass@k with its confidence interval, and what it rests on."""

    k: int
    value: float
    """0 to 1."""
    low: float
    high: float
    tasks: int
    """Those with at least k trials."""
    left_out: int
    """Tasks with fewer than k trials, which have no estimate."""
    any_of: bool = False
    """Whether one success among the k trials is enough (pass@k)."""

    @property
    def name(self) -> str:
        return f"pass{'@' if self.any_of else '^'}{self.k}"

    @property
    def definition(self) -> str:
        return ANY_DEFINITION if self.any_of else DEFINITION

    def __str__(self) -> str:
        ragged = f"; {self.left_out} with fewer trials left out" if self.left_out else ""
        return (
            f"{self.name} = {self.value:.3f} ({CONFIDENCE:.0%} interval {self.low:.3f} to "
            f"{self.high:.3f}; {self.tasks} task{'s' * (self.tasks != 1)}{ragged})"
        )


def trial_of(dialogue: Dialogue, metric: str) -> Trial:
    """Returns the dialogue as a trial of its goal that succeeds if the verdict on `metric` passes.

    An undecided one is the judge's fault.
    """
    verdict = dialogue.verdicts.get(metric)
    if verdict is not None and verdict.doubt:
        return Trial(dialogue.goal.name, None, dialogue.fault or Outcome.JUDGE_FAULT)
    success = verdict.passed if verdict is not None and verdict.applicable else None
    outcome = dialogue.fault or (Outcome.PASSED if success else Outcome.FAILED)
    return Trial(dialogue.goal.name, success, outcome)


def tally(trials: Iterable[Trial]) -> Tally:
    """Successes by task, in the order in which the tasks first occur."""
    counts: dict[str, tuple[int, int]] = {}
    left_out: Counter[str] = Counter()
    for trial in trials:
        n, c = counts.setdefault(trial.task, (0, 0))
        if trial.outcome not in COUNTED:
            left_out[trial.outcome.value] += 1
        elif trial.success is None:
            left_out[NO_RESULT] += 1
        else:
            counts[trial.task] = n + 1, c + trial.success
    return Tally(counts, dict(sorted(left_out.items())))


def pass_k(successes: Sequence[tuple[int, int]], k: int, *, any_of: bool = False) -> PassK:
    """pass^k over (n, c) per task, its trials and successes; with `any_of` pass@k.

    Tasks with n < k have no estimate and are left out. The confidence interval (`mean_interval`) is
    for the mean over all tasks that these are a sample of, so both the choice of tasks and the luck
    of the trials are in it.

    There must be a task with k trials.
    """
    estimates = estimates_of(successes, k, any_of=any_of)
    value = math.fsum(estimates) / len(estimates)
    low, high = mean_interval(estimates, CONFIDENCE)
    left_out = len(successes) - len(estimates)
    return PassK(k, value, low, high, len(estimates), left_out, any_of)


def estimates_of(
    successes: Sequence[tuple[int, int]], k: int, *, any_of: bool = False
) -> list[float]:
    """Of each task with at least k trials, how likely all of k succeed; with `any_of` any."""
    tried = [(n, c) for n, c in successes if n >= k]
    if any_of:
        return [1 - math.comb(n - c, k) / math.comb(n, k) for n, c in tried]
    return [math.comb(c, k) / math.comb(n, k) for n, c in tried]


def every_pass_k(successes: Sequence[tuple[int, int]]) -> tuple[PassK, ...]:
    """pass^1, pass^2, ..., then pass@2, ..., for each k that any task has trials for.

    pass@1 is pass^1. Empty without trials.
    """
    every = range(1, max((n for n, _ in successes), default=0) + 1)
    any_of = (pass_k(successes, k, any_of=True) for k in every[1:])
    return (*(pass_k(successes, k) for k in every), *any_of)
