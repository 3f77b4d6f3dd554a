"""The summary of a run, by outcome, metric, score and model."""

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import cast

from pytest_todeval.core.outcome import Outcome
from pytest_todeval.runs.reports.answer_lines import answer_lines
from pytest_todeval.runs.reports.players import claimed_lines, players_lines
from pytest_todeval.runs.reports.quarantines import quarantine_lines
from pytest_todeval.runs.reports.rate_lines import rate_lines, score_lines
from pytest_todeval.runs.reports.schema import JSON, DialogueEntry, Results, says_of_bot
from pytest_todeval.runs.reports.sequential.stopped import stopped_lines
from pytest_todeval.runs.reports.table import counted, listed, named, one_line
from pytest_todeval.runs.reports.trials import pass_k_lines, trial_lines

OTHER_GOAL = "the goal is not the one that the recorded user was recorded for"
"""The note of a dialogue whose user said what it once said for another goal."""

_LISTED, _LISTED_IDLE = 10, 5


def summary_lines(results: Results, played_by: Iterable[str]) -> list[str]:
    """Lines for the terminal from a results file's content; `played_by` names who played."""
    dialogues = results["dialogues"]
    summary = results["summary"]
    outcomes = ", ".join(f"{n} {name}" for name, n in summary["outcomes"].items() if n)
    played = f"{counted(len(dialogues), 'dialogue')} ({'; '.join(played_by)}): {outcomes}"
    return [
        played if dialogues else "no dialogue was played",
        *stopped_lines(results["environment"]),
        *rate_lines(summary["metrics"]),
        *pass_k_lines(dialogues),
        *trial_lines(summary.get("flips")),
        *quarantine_lines(summary),
        *score_lines(summary.get("scores", {})),
        *answer_lines(summary),
        *players_lines(summary),
        *claimed_lines(summary),
        *model_lines(dialogues),
        *_faults(dialogues),
        *other_goal_lines(dialogues),
        *unasked_lines(dialogues),
        *undecided_lines(dialogues),
        *ear_lines(dialogues),
    ]


def model_lines(dialogues: Iterable[DialogueEntry]) -> Iterator[str]:
    """If models were asked, a line per lane: who, how often, tokens and US dollars."""
    by_lane: dict[str, list[Mapping[str, JSON]]] = {}
    for entry in dialogues:
        for lane, calls in entry.get("calls", {}).items():
            by_lane.setdefault(lane, []).append(cast("Mapping[str, JSON]", calls))
    for lane, found in sorted(by_lane.items()):
        yield f"  {lane}: {_spent(found)}"


def _spent(calls: Sequence[Mapping[str, JSON]]) -> str:
    models = [told for each in calls if isinstance(told := each.get("models"), list)]
    names = sorted({str(name) for told in models for name in told})
    total = {
        what: sum(_number(each.get(what)) for each in calls)
        for what in ("calls", "prompt_tokens", "completion_tokens", "cached_tokens")
    }
    cached = f" ({total['cached_tokens']:,.0f} cached)" if total["cached_tokens"] else ""
    return ", ".join(
        [
            ", ".join(names) or "no model named",
            f"{total['calls']:,.0f} call{'' if total['calls'] == 1 else 's'}",
            f"{total['prompt_tokens']:,.0f}{cached} + {total['completion_tokens']:,.0f} tokens",
            *_dollars(calls, "dollars", ""),
            *_dollars(calls, "flop_dollars", " by FLOPs"),
        ]
    )


def _dollars(calls: Sequence[Mapping[str, JSON]], what: str, by: str) -> Iterator[str]:
    """Returns nothing if any call has no price: a partial sum would mislead."""
    known = [each.get(what) for each in calls]
    if None not in known:
        yield f"${math.fsum(map(_number, known)):.4f}{by}"


def _number(value: JSON) -> float:
    return value if isinstance(value, int | float) else 0.0


def other_goal_lines(dialogues: Iterable[DialogueEntry]) -> Iterator[str]:
    """Where the recorded user spoke for another goal, a line for each of the first tests."""
    tests = sorted(entry["test"] for entry in dialogues if OTHER_GOAL in entry.get("notes", ()))
    rest = "  and {} more tests whose user was recorded for another goal"
    yield from listed(list(map(_other_goal, tests)), _LISTED, rest)


def ear_lines(dialogues: Iterable[DialogueEntry]) -> Iterator[str]:
    """A line on what only one of the two ears heard, if a model and the rules both listened."""
    from pytest_todeval.facts.model.two_ears import DISAGREE

    notes = ([n for n in entry.get("notes", ()) if n.startswith(DISAGREE)] for entry in dialogues)
    counts = [len(found) for found in notes if found]
    if counts:
        told = f"{counted(sum(counts), 'disagreement')} between the two ears"
        where = f"in {counted(len(counts), 'dialogue')}"
        yield f"  {told} {where}; settle them with `hearing:` examples, docs/hearing.md"


def unasked_lines(dialogues: Iterable[DialogueEntry]) -> Iterator[str]:
    """The verdicts that failed over what the user never asked for, which count in no rate."""
    found: dict[str, list[DialogueEntry]] = {}
    for entry in dialogues:
        for name, verdict in entry["verdicts"].items():
            if not verdict.get("applicable", True) and not verdict["passed"]:
                found.setdefault(name, []).append(entry)
    for count in sorted({len(each) for each in found.values()}):
        names = [name for name, each in found.items() if len(each) == count]
        first = found[names[0]][0]
        why = f"{first['goal']}: {first['verdicts'][names[0]]['reason']}"
        where = counted(count, "dialogue")
        yield f"  not applicable in {where}: {', '.join(names)}, first {one_line(why)}"


def undecided_lines(dialogues: Iterable[DialogueEntry]) -> Iterator[str]:
    """The verdicts that hang on words which may be misheard, with the first doubt of each metric.

    They count neither as passed nor as failed.
    """
    doubts: dict[str, list[str]] = {}
    for entry in dialogues:
        for name, verdict in entry["verdicts"].items():
            if verdict.get("doubt"):
                doubts.setdefault(name, []).append(f"{entry['goal']}: {verdict['doubt']}")
    for name, found in sorted(doubts.items()):
        yield f"  {name} undecided in {counted(len(found), 'dialogue')}, first {one_line(found[0])}"


def _other_goal(test: str) -> str:
    from pytest_todeval.recording.words import in_shell
    from pytest_todeval.shown import in_line

    what = f"the goal of test {test} is not the one its user was recorded for"
    anew = f"record it anew without the recorded user: pytest {in_shell(test)}"
    return f"  {in_line(f'{what}; {anew}')} --todeval-record=rewrite"


def again_lines(attempts: int) -> Iterator[str]:
    """Returns a line if tests were run again: which of their attempts counts."""
    if attempts:
        yield (
            f"  {counted(attempts, 'attempt')} of tests that were run again left out: of each test "
            "the first that passed or failed counts"
        )


def drift_lines(drift: Iterable[str]) -> Iterator[str]:
    """Where answers to the recorded user drifted, a line for each of the first dialogues."""
    lines = sorted(drift, key=lambda line: line.partition(" in test ")[2])
    rest = "  and {} more dialogues drifted (--todeval-json has them)"
    yield from listed([f"  {line}" for line in lines], _LISTED, rest)


def unused_lines(unused: Iterable[str]) -> Iterator[str]:
    """Recorded calls that passed replays did not play, a line for each of the first dialogues."""
    lines = sorted(unused, key=lambda line: line.partition("): ")[2])
    rest = "  cassettes: in {} more dialogues recorded calls were not played"
    yield from listed([f"  cassettes: {line}" for line in lines], _LISTED, rest)


def trivial_count(count: int, goals: int) -> str:
    """Returns how many of the goals a bot passes by doing nothing."""
    are = "are" if count > 1 else "is"
    return f"{count or 'none'} of {goals} goals {are} passed by a bot that does nothing"


def trivial_lines(trivial: Collection[str], goals: int) -> Iterator[str]:
    """Returns a line on the goals of a run that a bot passes by doing nothing, if there are any.

    `trivial`: their names; `goals`: how many different goals were played in all.
    """
    if trivial:
        yield f"  {trivial_count(len(trivial), goals)}: {_named(trivial)}"


def excluded_lines(excluded: Collection[str], goals: int) -> Iterator[str]:
    """Returns a line on the goals that were not played because a bot passes them by doing nothing.

    `excluded`: their names; `goals`: how many there were in all, these included.
    """
    if excluded:
        were = "were" if len(excluded) > 1 else "was"
        why = "passed by a bot that does nothing, --todeval-trivial=exclude"
        count = f"{len(excluded)} of {goals} goals {were} not played ({why})"
        yield f"  {count}: {_named(excluded)}"


def idle_rule_lines(idle: Mapping[str, str]) -> Iterator[str]:
    """Returns a line on the rules that could apply to no dialogue of a run, with why."""
    if idle:
        told = [f"{name} ({why})" for name, why in sorted(idle.items())]
        yield f"  rules that cannot apply in this run: {named(told, _LISTED_IDLE)}"


def different_data_lines(goal_sets: Mapping[str, Collection[str]]) -> Iterator[str]:
    """A line for each goal set that stands for different data in one run, by fingerprint."""
    for name, prints in sorted(goal_sets.items()):
        if len(prints) > 1:
            told = ", ".join(sorted(prints))
            why = "several splits or files of that name, or it changed meanwhile"
            yield f"  {name} is different data in this run ({told}): {why}"


def _named(goals: Collection[str]) -> str:
    """Returns the first of the names, in order, and how many more there are."""
    return named(sorted(goals, key=_in_order), _LISTED)


def _in_order(name: str) -> list[tuple[int, str]]:
    """Numbers within a name by their size: `test-9` before `test-10`."""
    parts = re.findall(r"[0-9]+|[^0-9]+", name)
    return [(len(part) if part.isdecimal() else 0, part) for part in parts]


def _faults(dialogues: list[DialogueEntry]) -> Iterator[str]:
    """Returns the dialogues that say nothing about the bot, with their reason: never silent."""
    faults = [d for d in dialogues if not says_of_bot(d)]
    for entry in faults[:_LISTED]:
        why = entry.get("raised") or (entry["detail"] or entry["stop_reason"]).splitlines()[0]
        if entry["outcome"] == Outcome.TEST_ERROR:
            why = f"the test itself raised {why}"
        yield f"  {entry['outcome']}: {entry['goal']}: {why}"
    if len(faults) > _LISTED:
        rest = ", ".join(entry["goal"] for entry in faults[_LISTED:])
        yield f"  and {len(faults) - _LISTED} more: {rest}"
