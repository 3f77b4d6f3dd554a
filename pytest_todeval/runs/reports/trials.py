"""Goals that are played several times: pass^k, pass@k, and which of them flip."""

from collections.abc import Iterable, Iterator, Sequence

from pytest_todeval.core.outcome import Outcome
from pytest_todeval.runs.reports.schema import DialogueEntry, MetricSummary, grouped, says_of_bot
from pytest_todeval.runs.reports.summary_schema import FlipSummary
from pytest_todeval.runs.reports.table import listed
from pytest_todeval.runs.statistics.pass_k import Tally, Trial, every_pass_k, tally

LISTED = 20
"""Goals that flip, by name."""


def is_pass_k(metric: str) -> bool:
    """Says whether it is a number of several trials, e.g. `pass^2`, and none of one dialogue."""
    return metric.startswith(("pass^", "pass@"))


def _tallies(entries: Iterable[DialogueEntry]) -> dict[str, Tally]:
    """Of the tests that play goals several times, trials and successes by goal set.

    A trial succeeds by its reward if there is one, else if the test passed. Goal sets are not
    counted together: what pass^k of airline and retail tasks comes to is a matter of how many of
    each were played.
    """
    entries = list(entries)
    repeated = {_test(entry) for entry in entries if entry["trial"]}
    several = (entry for entry in entries if _test(entry) in repeated)
    by_source = grouped(several, lambda entry: entry["goal"].rpartition("/")[0])
    return {source: tally(map(_trial, found)) for source, found in sorted(by_source.items())}


def _test(entry: DialogueEntry) -> str:
    """Returns the test function: its name without the goal."""
    return entry["test"].partition("[")[0]


def _trial(entry: DialogueEntry) -> Trial:
    outcome = Outcome(entry["outcome"])
    reward = entry["metrics"].get("reward")
    success = outcome is Outcome.PASSED if reward is None else reward == 1
    return Trial(_task(entry), success, outcome)


def _task(entry: DialogueEntry) -> str:
    """Two tests over the same goals assert different things, and other parameters play them."""
    test = entry["test"].replace(f"{entry['goal']}#{entry['trial']}", entry["goal"])
    return f"{test} {entry['goal']}"


def successes_of(entries: Iterable[DialogueEntry]) -> dict[str, list[tuple[int, int]]]:
    """By goal set, the trials and successes of each goal that a test plays several times."""
    return {source: list(found.successes.values()) for source, found in _tallies(entries).items()}


def pass_k_summaries(successes: Sequence[tuple[int, int]]) -> dict[str, MetricSummary]:
    """pass^1, pass^2, ..., pass@2, ... over (n, c) per task, by name."""
    return {
        each.name: {
            "hits": None,
            "total": each.tasks,
            "rate": each.value,
            "interval": [each.low, each.high],
            "left_out": each.left_out,
        }
        for each in every_pass_k(successes)
    }


def pass_k_of(entries: Iterable[DialogueEntry]) -> dict[str, MetricSummary]:
    """Returns the same of a run's dialogues; of several goal sets `pass^1/SET`, each by itself."""
    by_source = _tallies(entries)
    return {
        name if len(by_source) == 1 else f"{name}/{source}": found
        for source, trials in by_source.items()
        for name, found in pass_k_summaries(list(trials.successes.values())).items()
    }


def flips(entries: Iterable[DialogueEntry]) -> list[tuple[str, int, int]]:
    """Returns the goals with several trials that passed or failed: name, passed, played.

    Each test and each bot counts for itself: two tests may ask different things of one goal.
    """
    found = grouped(
        filter(says_of_bot, entries),
        lambda entry: (_task(entry), entry.get("bot", ""), entry.get("user", "")),
    )
    return [
        (each[0]["goal"], sum(e["outcome"] == Outcome.PASSED for e in each), len(each))
        for each in found.values()
        if len({entry["trial"] for entry in each}) > 1
    ]


def flip_summary(entries: Iterable[DialogueEntry]) -> FlipSummary | None:
    """Returns how many goals some trials of which passed and some failed; None without trials."""
    tried = flips(entries)
    flaky = [(goal, passed, played) for goal, passed, played in tried if 0 < passed < played]
    if not tried:
        return None
    return {
        "goals": len(tried),
        "flaky": len(flaky),
        "rate": len(flaky) / len(tried),
        "trials": sorted(flaky),
    }


def pass_k_lines(dialogues: Iterable[DialogueEntry]) -> Iterator[str]:
    """If goals were played several times: how likely all, or any, of k trials succeed.

    Those of each goal set by itself. Trials whose fault is not the bot's are left out, and counted.
    """
    by_source = _tallies(dialogues)
    for source, found in by_source.items():
        of = f"{source}: " if len(by_source) > 1 else ""
        successes = list(found.successes.values())
        yield from (f"  {of}{each}" for each in every_pass_k(successes))
        if found.left_out:
            told = ", ".join(f"{count} {why}" for why, count in found.left_out.items())
            yield f"  {of}left out of pass^k: {told}"


def trial_lines(found: FlipSummary | None) -> Iterator[str]:
    """Returns the flip rate, and the first of the goals that flip with passed/played."""
    if found is not None:
        yield f"  flaky: {found['flaky']} of {found['goals']} goals ({found['rate']:.1%})" + (
            ":" if found["trials"] else ""
        )
        lines = [f"    {goal} {passed}/{played}" for goal, passed, played in found["trials"]]
        yield from listed(lines, LISTED, "    and {} more")
