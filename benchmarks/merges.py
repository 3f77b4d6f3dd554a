"""Merges of seeded faults into `examples/ci`: do the pull request and the main branch answer alike?

    python benchmarks/merges.py [--faults 60] [--from 0]     # 10 minutes of a CPU

Faults of `tests/faulty_bots` are branches: those of a change to prompt, model or gateway, then
those of the catalogue, of the kinds that success and booking are about. Each pull request is played
by the workflow's own commands, and so is the main branch after the merge. They answer alike if both
are refused, or both pass.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(1, str(Path(__file__).parents[1]))  # the tests are no package that is installed

from pytest_todeval.systems import RuleSystem
from tests.faulty_bots import merged
from tests.faulty_bots.catalogue import faults
from tests.faulty_bots.seeded import same
from tests.support.workflows import GitHubRun
from tests.test_gated_merges import BOT, EXAMPLE, WORKFLOW, repository

KINDS = ("state", "values", "denials", "understanding", "order", "service")
Codes = tuple[int, int]
"""Of the pull request, and of the main branch after the merge."""


def chosen(number: int) -> list[tuple[str, str]]:
    """Module and name of so many faults; of the catalogue, as far apart as can be."""
    every = [
        (fault.bot.__module__.rpartition(".")[2], fault.name)
        for fault in faults()
        if fault.ground == "demo"
        and fault.kind in KINDS
        and fault.stamp is same
        and issubclass(fault.bot, RuleSystem)
    ]
    changes = [("merged", name) for name in merged.__all__][:number]
    number = min(number - len(changes), len(every))
    return [*changes, *(every[place * len(every) // number] for place in range(number))]


def answers(bot: tuple[str, str]) -> Codes:
    """The exit codes of the jobs that decide."""
    module, name = bot
    with TemporaryDirectory() as folder:
        place = Path(folder)
        bare = repository(place, EXAMPLE, "fault", BOT.format(module=module, name=name))
        return _code(place / "request", bare, "pull_request"), _code(place / "main", bare, "push")


def _code(place: Path, bare: Path, event: str) -> int:
    programs = place / "programs"
    programs.mkdir(parents=True)
    (programs / "pip").write_text("#!/bin/sh\n")  # all is installed: a second less for each job
    (programs / "pip").chmod(0o755)
    run = GitHubRun(place, bare, "main")
    run.play(WORKFLOW, event)
    return next((cell.code for cells in run.jobs.values() for cell in cells if cell.code), 0)


def lines(bots: Sequence[tuple[str, str]]) -> Iterator[str]:
    """A line for each fault, and what they come to."""
    codes: Counter[Codes] = Counter()
    with ProcessPoolExecutor(1) as pool:
        for (_, name), (request, main_branch) in zip(bots, pool.map(answers, bots), strict=True):
            codes[request, main_branch] += 1
            unlike = "" if bool(request) == bool(main_branch) else "   not alike"
            yield f"{request:3} {main_branch:3}  {name}{unlike}"
    alike = sum(times for (request, after), times in codes.items() if bool(request) == bool(after))
    yield f"alike: {alike} of {len(bots)}; refused: {sum(codes.values()) - codes[0, 0]}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--faults", type=int, default=60)
    parser.add_argument("--from", type=int, default=0, dest="first", metavar="N")
    options = parser.parse_args()
    for line in lines(chosen(options.faults)[options.first :]):
        print(line, flush=True)


if __name__ == "__main__":
    main()
