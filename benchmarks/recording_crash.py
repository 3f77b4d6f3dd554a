"""Kill -9 a process that records, at random instants, and check that no finished call is lost."""

import argparse
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.support.recording_crash import goes_on, kill_at_random


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    chance = random.Random(given.seed)
    found: Counter[str] = Counter()
    recovered = 0
    for number in range(given.kills):
        with tempfile.TemporaryDirectory() as folder:
            cassette = Path(folder) / "cassettes" / f"{number}.todeval.jsonl"
            found[kill_at_random(cassette, chance)] += 1
            recovered += goes_on(cassette)
    left = ", ".join(f"{what} {count}" for what, count in sorted(found.items()))
    print(f"{given.kills} kills: nothing lost; left behind: {left}; {recovered} calls gone on from")


if __name__ == "__main__":
    main()
