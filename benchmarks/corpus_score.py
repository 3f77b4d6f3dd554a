"""Seconds and totals of `todeval score --format mwzeval` for each prediction file of a folder.

    python benchmarks/corpus_score.py PREDICTIONS --data MULTIWOZ [--expected FILE]

Each file is scored in a process of its own, start-up included; with `--expected FILE` (per system
`{"dialogues": {id: [inform, success]}}`) it also counts the dialogues that differ.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any


def main() -> None:
    """Print one line per file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("predictions", type=Path)
    parser.add_argument("--data", required=True)
    parser.add_argument("--expected", type=Path)
    args = parser.parse_args()
    expected = json.loads(args.expected.read_text()) if args.expected else {}
    print(f"{'system':<14}{'dialogues':>10}{'inform':>8}{'success':>9}{'differ':>8}{'seconds':>9}")
    for file in sorted(args.predictions.glob("*.json")):
        found, seconds = score(file, args.data)
        known = expected.get(file.stem)
        print(
            line(file.stem, found, differing(found, known["dialogues"]) if known else "-", seconds)
        )


def line(system: str, found: dict[str, Any], differ: object, seconds: float) -> str:
    """One row of the table."""
    inform, success = (found["summary"]["metrics"][name]["rate"] for name in ("inform", "success"))
    rates = f"{100 * inform:>8.1f}{100 * success:>9.1f}"
    return f"{system:<14}{found['summary']['dialogues']:>10}{rates}{differ!s:>8}{seconds:>9.2f}"


def score(file: Path, data: str) -> tuple[dict[str, Any], float]:
    """The results of one file and how long the command took."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "results.json"
        command = ["-m", "pytest_todeval.cli", "score", str(file), "--format", "mwzeval"]
        options = ["--data", data, "--json", str(out)]
        start = time.perf_counter()
        subprocess.run([sys.executable, *command, *options], check=True, stdout=subprocess.DEVNULL)
        return json.loads(out.read_text()), time.perf_counter() - start


def differing(found: dict[str, Any], expected: dict[str, list[int]]) -> int:
    """How many dialogues have another inform or success than expected, or are missing."""
    scores = {
        entry["goal"].partition("/")[2].lower(): [
            int(entry["metrics"]["inform"]),
            int(entry["metrics"]["success"]),
        ]
        for entry in found["dialogues"]
    }
    return sum(scores.get(id) != score for id, score in expected.items())


if __name__ == "__main__":
    main()
