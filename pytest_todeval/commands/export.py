"""Write a run in the format of another project's results, for that project's own tools."""

import argparse
from pathlib import Path

from pytest_todeval.commands.exported import as_tau2, as_tau_bench, exported_runs
from pytest_todeval.commands.output import check_output, say, write_json
from pytest_todeval.errors import UsageError
from pytest_todeval.reports.results import read_results

FORMATS = ("tau-bench", "tau2")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `todeval export`."""
    parser.add_argument("file", type=Path, metavar="RESULTS", help="a results file")
    parser.add_argument(
        "--format",
        required=True,
        choices=FORMATS,
        help="tau-bench: a list of trajectories, as its `run.py` writes them; tau2: simulations, "
        "as `tau2 run` writes them",
    )
    parser.add_argument(
        "-o", "--output", required=True, type=Path, metavar="OUT", help="the file to write"
    )
    for project in ("tau-bench", "tau2-bench"):
        option = f"--{project.removesuffix('-bench')}-home"
        parser.add_argument(
            option, type=Path, metavar="DIR", help=f"your checkout of {project}, for its tasks"
        )


def run(args: argparse.Namespace) -> int:
    """Write the file and say what is in it.

    Raises UsageError if the run cannot be told in the format, InvalidFile if the file of results
    is misshapen, DataMissing if tasks of a benchmark are needed that are not there.
    """
    check_output("-o", args.output, [args.file])
    results = read_results(args.file)
    if results["dialogues"] and not any(entry["turns"] for entry in results["dialogues"]):
        raise UsageError(
            f"{args.file} holds no words: a baseline keeps none. Export the results file of the run"
        )
    homes = {"tau-home": args.tau_home, "tau2-home": args.tau2_home}
    runs = exported_runs(results, homes)
    exported = as_tau2(runs, results) if args.format == "tau2" else as_tau_bench(runs)
    write_json("-o", args.output, exported)
    left = sum(run.reward is None for run in runs)
    told = {
        "tau-bench": "are written as runs that broke, which tau-bench counts as reward 0",
        "tau2": "are written as errors of the infrastructure, which tau2 leaves out",
    }
    say([f"{len(runs)} dialogues of {len({r.goal.name for r in runs})} tasks"])
    say([f"{left} that say nothing of the bot {told[args.format]}"] if left else [])
    say([f"{args.format}: {args.output}"])
    return 0
