"""Kill -9 whole pytest runs while they record; check that no answer is lost, no refusal replayed.

Each suite is run, killed at a random instant and run again until all is recorded, then replayed
offline; every second one is spread over two processes, of which sometimes only one is killed.
"""

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.support.recording_kills import Chain, served


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="start no suite later")
    parser.add_argument("--each", type=int, default=20, help="kills of one suite, at most")
    given = parser.parse_args()
    found: Counter[str] = Counter()
    kills = suites = answers = heard = 0
    end = time.monotonic() + given.seconds
    while kills < given.kills and time.monotonic() < end:
        seed = given.seed * 1000 + suites
        with tempfile.TemporaryDirectory() as folder, served(seed) as model:
            chain = Chain(Path(folder), model, random.Random(seed), 2 * ((given.seed + suites) % 2))
            kills += chain.play(min(given.each, given.kills - kills))
            found += chain.found
            answers += len(model.asked)
            heard += len(chain.heard())
        suites += 1
        left = ", ".join(f"{what} {count}" for what, count in sorted(found.items()))
        print(
            f"{kills} kills in {suites} suites: nothing lost, no refusal replayed; {left}; "
            f"{answers} answers given, {heard} heard, played ones among them",
            flush=True,
        )


if __name__ == "__main__":
    main()
