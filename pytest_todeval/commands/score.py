"""Score stored dialogues: prediction files of the field, or dialogues of an LLM bot."""

import argparse
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_todeval.errors import UsageError

if TYPE_CHECKING:
    from pytest_todeval.core.dialogue import Dialogue
    from pytest_todeval.evaluators.stored import Scored
    from pytest_todeval.reports.results import Results

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `todeval score`."""
    parser.add_argument("file", type=Path, help="the file to score")
    parser.add_argument(
        "--format",
        required=True,
        choices=sorted(FORMATS),
        help="mwzeval: delexicalised responses to MultiWOZ, as Tomiinek/MultiWOZ_Evaluation takes "
        "them; autotod: dialogues as DaDaMrX/AutoTOD stores them, one JSON object per line",
    )
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
    parser.add_argument("--json", type=Path, metavar="OUT", help="write a results file")


def run(args: argparse.Namespace) -> int:
    """Score the file, print a table, write the results file; 0 once that is done.

    Raises TodevalError, with what to do, on wrong options, missing data and broken files.
    """
    from pytest_todeval.goals.store import find_multiwoz
    from pytest_todeval.reports.results import write_results
    from pytest_todeval.reports.table import score_table

    if not args.file.is_file():
        raise UsageError(f"no file to score at {args.file}")
    scored = FORMATS[args.format](args, find_multiwoz(args.data))
    found = _results(args, scored)
    if args.json:
        write_results(args.json, found)
    sys.stdout.write(score_table(f"{args.file.name} ({args.format})", found, scored.notes))
    return 0


def _mwzeval(args: argparse.Namespace, data: Path) -> "Scored":
    from pytest_todeval.evaluators.corpus.scoring import score_predictions

    return score_predictions(args.file, data, booked=args.booked, references=args.bleu)


def _autotod(args: argparse.Namespace, data: Path) -> "Scored":
    from pytest_todeval.evaluators.autotod import score_dialogues

    for option in ("booked", "bleu"):
        if getattr(args, option):
            raise UsageError(f"--{option} has no meaning with --format autotod; leave it out")
    return score_dialogues(args.file, data)


FORMATS: Mapping[str, "Callable[[argparse.Namespace, Path], Scored]"] = {
    "mwzeval": _mwzeval,
    "autotod": _autotod,
}


def _results(args: argparse.Namespace, scored: "Scored") -> "Results":
    from pytest_todeval.core.outcome import Outcome
    from pytest_todeval.reports.results import dialogue_entry, environment, results

    entries = [
        dialogue_entry(
            dialogue,
            test=f"{args.file.name}[{dialogue.goal.name}]",
            outcome=dialogue.fault or (Outcome.PASSED if _passes(dialogue) else Outcome.FAILED),
        )
        for dialogue in scored.dialogues
    ]
    about = environment(
        goal_sets=scored.data,
        metrics=scored.definitions,
        settings={"format": args.format, "notes": list(scored.notes)},
    )
    found = results(entries, about)
    for name, (value, total) in scored.figures.items():
        found["summary"]["metrics"][name] = {"hits": None, "total": total, "rate": value / 100}
    return found


def _passes(dialogue: "Dialogue") -> bool:
    """Passed on every metric of the dialogue; those that a paper defines loosely do not count."""
    strict = ("inform", "success", "booking")
    return all(dialogue.verdicts[name] for name in strict if name in dialogue.verdicts)
