"""Stored trajectories of tau-bench and tau2, scored: rewards from replaying them, and pass^k."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.errors import UsageError
from pytest_todeval.offline.stored import Scored
from pytest_todeval.offline.trajectories.scoring import score_trajectories
from pytest_todeval.offline.trajectories.tau2_scoring import score_tau2_results
from pytest_todeval.reports.schema import MetricSummary
from pytest_todeval.reports.trials import pass_k_summaries
from pytest_todeval.statistics.pass_k import Tally, every_pass_k, tally, trial_of
from pytest_todeval.worlds.registry import load, names
from pytest_todeval.worlds.tau2.world import HOME


def score_tau_bench(path: Path, domain: str, *, split: str | None, home: Path | None) -> Scored:
    """Rewards of the file's dialogues, with pass^k and its intervals.

    `domain` is one of tau-bench's, or a goal set of tasks by name; `home` the folder of tau-bench.
    Raises TodevalError, with what to do, on what is unknown, missing or broken.
    """
    source = domain if domain in names() else f"tau_bench/{domain}"
    goals = load(source, split=split, settings={"tau-home": home})
    tools = goals.world.tool_domain()
    if tools is None:
        raise UsageError(f"--domain {domain}: its goals are not tasks over tools and tables")
    return _with_pass_k(score_trajectories(path, tools, goals))


def score_tau2(path: Path, domain: str | None, *, split: str | None, home: Path | None) -> Scored:
    """Rewards of the dialogues of a results file or folder of tau2, by part, and pass^k.

    `domain` is for a file that does not name its own; `home` is tau2's checkout. Raises
    TodevalError, with what to do, on what is unknown, missing or broken.
    """
    return _with_pass_k(score_tau2_results(path, HOME.find(home), domain, split))


def _with_pass_k(scored: Scored) -> Scored:
    trials = _trials(scored.dialogues)
    successes = list(trials.successes.values())
    found = every_pass_k(successes)
    return replace(
        scored,
        definitions={**scored.definitions, **{each.name: each.definition for each in found}},
        notes=(*scored.notes, *map(str, found), *_left_out(trials)),
    )


def pass_k_metrics(dialogues: Iterable[Dialogue]) -> dict[str, MetricSummary]:
    """pass^k and pass@k as the summary of a results file has them; pass^1 of single trials, too."""
    return pass_k_summaries(list(_trials(dialogues).successes.values()))


def _trials(dialogues: Iterable[Dialogue]) -> Tally:
    return tally(trial_of(dialogue, "reward") for dialogue in dialogues)


def _left_out(trials: Tally) -> Iterator[str]:
    if trials.left_out:
        told = ", ".join(f"{count} {why}" for why, count in trials.left_out.items())
        yield f"trials that say nothing about the bot, left out of pass^k: {told}"
