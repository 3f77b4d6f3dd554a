"""Score stored dialogues: prediction files of the field, or dialogues of an LLM bot."""

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path

from pytest_todeval.commands.judge_results import judged_lines, side_by_side
from pytest_todeval.commands.judge_source import add_goal_set_argument, known_goals
from pytest_todeval.commands.output import check_output, say
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.errors import UsageError
from pytest_todeval.goals.store import find_multiwoz
from pytest_todeval.research.offline.autotod import score_dialogues
from pytest_todeval.research.offline.corpus.scoring import score_predictions
from pytest_todeval.research.offline.stored import Scored
from pytest_todeval.research.offline.trajectories.scoring import score_trajectories
from pytest_todeval.research.offline.trajectories.tau2_scoring import score_tau2_results
from pytest_todeval.research.offline.transcripts import read_transcripts, score_transcripts
from pytest_todeval.runs.reports.failures import failure_lines
from pytest_todeval.runs.reports.results import (
    Results,
    dialogue_entry,
    environment,
    results,
    write_results,
)
from pytest_todeval.runs.reports.table import score_table
from pytest_todeval.runs.reports.trials import pass_k_summaries
from pytest_todeval.runs.statistics.pass_k import Tally, every_pass_k, tally, trial_of
from pytest_todeval.worlds import registry
from pytest_todeval.worlds.tau2.world import HOME


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `todeval score`."""
    parser.add_argument("file", type=Path, help="the file to score")
    parser.add_argument(
        "--format",
        required=True,
        choices=sorted(FORMATS),
        help="mwzeval: delexicalised responses to MultiWOZ, as Tomiinek/MultiWOZ_Evaluation takes "
        "them; autotod: dialogues as DaDaMrX/AutoTOD stores them, one JSON object per line; "
        "tau-bench, tau2: trajectories as sierra-research/tau-bench and tau2-bench store them; "
        "transcripts: JSONL as "
        "docs/transcripts.md has it; td-eval, llm-user-agents: the papers' released files",
    )
    add_goal_set_argument(parser)
    parser.add_argument("--data", help="MultiWOZ folder or zip (default: TODEVAL_DATA, the cache)")
    parser.add_argument(
        "--booked",
        type=Path,
        metavar="FILE",
        help="mwzeval: domains booked per turn (default: booked_domains.json beside the data, "
        "else derived from the corpus)",
    )
    parser.add_argument(
        "--bleu",
        type=Path,
        metavar="REFERENCES",
        help='mwzeval: also BLEU against delexicalised references, {"sng0073": ["...", ...]}; '
        "needs pytest-todeval[bleu]",
    )
    parser.add_argument(
        "--domain",
        help="tau-bench: airline, retail or service_desk (required); tau2: if the file does not "
        "name it",
    )
    parser.add_argument("--split", help="of the tasks or goal sets (default: each one's own)")
    parser.add_argument(
        "--tau-home",
        type=Path,
        metavar="DIR",
        help="tau-bench: your checkout of it (default: TAU_BENCH_HOME, an installed tau_bench)",
    )
    parser.add_argument(
        "--tau2-home",
        type=Path,
        metavar="DIR",
        help="tau2: your checkout of tau2-bench (default: TAU2_BENCH_HOME, an installed tau2)",
    )
    parser.add_argument("--json", type=Path, metavar="OUT", help="write a results file")


def run(args: argparse.Namespace) -> int:
    """Scores the file, print a table, write the results file; 0 once that is done.

    Raises TodevalError, with what to do, on wrong options, missing data and broken files.
    """
    if not (args.file.is_file() or (args.format == "tau2" and args.file.is_dir())):
        raise UsageError(f"no file to score at {args.file}")
    _refuse_foreign_options(args)
    check_output("--json", args.json, [args.file])
    scored = FORMATS[args.format](args)
    found = _results(args, scored)
    if args.json:
        write_results(args.json, found)
    lines = [score_table(f"{args.file.name} ({args.format})", found, scored.notes)]
    names = list(dict.fromkeys(name for each in found["dialogues"] for name in each["scores"]))
    lines += judged_lines((), found["dialogues"], names, ())
    lines += side_by_side(found["dialogues"])
    if args.format in OF_TASKS:
        lines += ["", *failure_lines({args.file.stem: found})]
    say("\n".join(lines).rstrip().split("\n"))
    return 0


def _refuse_foreign_options(args: argparse.Namespace) -> None:
    for option in sorted({option for options in OPTIONS.values() for option in options}):
        if getattr(args, option) is not None and option not in OPTIONS[args.format]:
            flag = f"--{option.replace('_', '-')}"
            raise UsageError(f"{flag} cannot be combined with --format {args.format}; leave it out")


def _mwzeval(args: argparse.Namespace) -> Scored:
    data = find_multiwoz(args.data)
    return score_predictions(args.file, data, booked=args.booked, references=args.bleu)


def _tau_bench(args: argparse.Namespace) -> Scored:
    if args.domain is None:
        raise UsageError("--format tau-bench needs --domain: airline, retail or service_desk")
    source = args.domain if args.domain in registry.names() else f"tau_bench/{args.domain}"
    goals = registry.load(source, split=args.split, settings={"tau-home": args.tau_home})
    tools = goals.world.tool_domain()
    if tools is None:
        raise UsageError(f"--domain {args.domain}: its goals are not tasks over tools and tables")
    return _with_pass_k(score_trajectories(args.file, tools, goals))


def _tau2(args: argparse.Namespace) -> Scored:
    home = HOME.find(args.tau2_home)
    return _with_pass_k(score_tau2_results(args.file, home, args.domain, args.split))


def _transcripts(args: argparse.Namespace) -> Scored:
    goals = known_goals(args)
    return score_transcripts(read_transcripts(args.file, args.format, goals), goals)


FORMATS: Mapping[str, Callable[[argparse.Namespace], Scored]] = {
    "mwzeval": _mwzeval,
    "autotod": lambda args: score_dialogues(args.file, find_multiwoz(args.data)),
    "tau-bench": _tau_bench,
    "tau2": _tau2,
    "transcripts": _transcripts,
    "td-eval": _transcripts,
    "llm-user-agents": _transcripts,
}
OF_TASKS = ("tau-bench", "tau2")
"""Formats of tasks with a reward: pass^k and failures by kind are told."""
OF_GOALS = ("goal_set", "split", "data", "tau_home")
OPTIONS: Mapping[str, tuple[str, ...]] = {
    "mwzeval": ("data", "booked", "bleu"),
    "autotod": ("data",),
    "tau-bench": ("domain", "split", "tau_home"),
    "tau2": ("domain", "split", "tau2_home"),
    **dict.fromkeys(("transcripts", "td-eval", "llm-user-agents"), OF_GOALS),
}
"""What each format takes besides the file and the results file."""


def _results(args: argparse.Namespace, scored: Scored) -> Results:
    entries = [
        dialogue_entry(
            dialogue,
            test=f"{args.file.name}[{dialogue.goal.name}]",
            outcome=dialogue.fault or _outcome(dialogue),
            scores=scores,
        )
        for dialogue, scores in zip_longest(scored.dialogues, scored.scores)
    ]
    about = environment(
        goal_sets=scored.data,
        metrics=scored.definitions,
        settings={"format": args.format, "notes": list(scored.notes)},
    )
    found = results(entries, about)
    for name, (value, total) in scored.figures.items():
        found["summary"]["metrics"][name] = {"hits": None, "total": total, "rate": value / 100}
    if args.format in OF_TASKS:
        successes = _trials(scored.dialogues).successes.values()
        found["summary"]["metrics"].update(pass_k_summaries(list(successes)))
    return found


def _outcome(dialogue: Dialogue) -> Outcome:
    """Passed on every metric of the dialogue; those that a paper defines loosely do not count."""
    strict = ("inform", "success", "booking", "reward")
    found = [dialogue.verdicts[name] for name in strict if name in dialogue.verdicts]
    if any(not verdict.passed and not verdict.doubt for verdict in found):
        return Outcome.FAILED
    return Outcome.JUDGE_FAULT if any(verdict.doubt for verdict in found) else Outcome.PASSED


def _with_pass_k(scored: Scored) -> Scored:
    trials = _trials(scored.dialogues)
    successes = list(trials.successes.values())
    found = every_pass_k(successes)
    return replace(
        scored,
        definitions={**scored.definitions, **{each.name: each.definition for each in found}},
        notes=(*scored.notes, *map(str, found), *_left_out(trials)),
    )


def _trials(dialogues: Iterable[Dialogue]) -> Tally:
    return tally(trial_of(dialogue, "reward") for dialogue in dialogues)


def _left_out(trials: Tally) -> Iterator[str]:
    if trials.left_out:
        told = ", ".join(f"{count} {why}" for why, count in trials.left_out.items())
        yield f"trials that say nothing about the bot, left out of pass^k: {told}"
