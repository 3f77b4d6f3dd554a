"""Hit-Rate@k and MRR@k against ranx on random rankings.

    python benchmarks/retrieval_rates.py                     # writes the rankings and our rates
    python benchmarks/retrieval_rates.py --compare FILE      # in an environment with ranx

ranx brings numba and pandas, so it is asked in an environment of its own: the first command prints
where it wrote, the second reads that file and needs ranx alone.
"""

import argparse
import json
import random
from pathlib import Path
from tempfile import gettempdir
from typing import Any

CUTOFFS = (1, 3, 5, 10, 20)


def write(path: Path, queries: int, seed: int) -> None:
    """Random rankings with one to three relevant items each, some of them not retrieved."""
    from pytest_todeval.core.dialogue import Dialogue, Turn
    from pytest_todeval.core.goal import Goal
    from pytest_todeval.evaluate.metrics.retrieval import retrieval, retrieval_rates

    rng = random.Random(seed)
    rankings, reports = [], []
    for _ in range(queries):
        items = [f"item{number}" for number in range(60)]
        rng.shuffle(items)
        relevant = rng.sample(items, rng.randint(1, 3))
        ranked = items[: rng.randint(1, 40)]
        rankings.append({"ranked": ranked, "relevant": relevant})
        turn = Turn(1, "u", "s", retrieved=tuple(ranked))
        reports.append(retrieval(Dialogue(Goal("g", "s", ()), (turn,)), relevant))
    rates = retrieval_rates(reports)
    ours = {f"hit_rate@{k}": rates.hit_rate[k] for k in CUTOFFS}
    ours |= {f"mrr@{k}": rates.mrr[k] for k in CUTOFFS}
    path.write_text(json.dumps({"rankings": rankings, "ours": ours}), encoding="utf-8")
    print(f"{queries} rankings, seed {seed}: {path}")


def compare(path: Path) -> float:
    """The greatest difference to ranx, over all rates; prints each."""
    from ranx import Qrels, Run, evaluate  # type: ignore[import-not-found,unused-ignore]

    told: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    named = {f"q{number}": each for number, each in enumerate(told["rankings"])}
    qrels = Qrels({name: dict.fromkeys(each["relevant"], 1) for name, each in named.items()})
    run = Run(
        {
            name: {item: 100.0 - rank for rank, item in enumerate(each["ranked"])}
            for name, each in named.items()
        }
    )
    theirs = evaluate(qrels, run, list(told["ours"]))
    for name, value in told["ours"].items():
        print(f"{name:12} {value:.6f} {theirs[name]:.6f}")
    greatest: float = max(abs(value - theirs[name]) for name, value in told["ours"].items())
    return greatest


def main() -> None:
    """Read the command line and do the one or the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compare", type=Path, metavar="FILE")
    parser.add_argument("--queries", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if args.compare:
        print(f"greatest difference: {compare(args.compare):.1e}")
    else:
        write(Path(gettempdir()) / "todeval_rankings.json", args.queries, args.seed)


if __name__ == "__main__":
    main()
