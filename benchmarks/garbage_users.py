"""Models that play no user, and clumsy ones that do, by each strategy, with two bots: outcomes.

    python benchmarks/garbage_users.py
    python benchmarks/garbage_users.py --strategies llm react --show failed

Garbage must be `simulator_fault`, whatever the bot; of who is merely clumsy, nothing may be.
"""

import argparse
import sys
from collections import Counter
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from pytest_todeval.simulation.llm_user import STRATEGIES
from tests.support.garbage_world import BOTS, TABLES, outcome, play


def main() -> None:
    """Print how many dialogues came to what, and those that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--strategies", nargs="+", choices=list(STRATEGIES), metavar="NAME")
    parser.add_argument("--show", nargs="+", default=[], metavar="OUTCOME")
    options = parser.parse_args()
    strategies = options.strategies or list(STRATEGIES)
    for table, bot in product(TABLES, BOTS):
        cases = product(table.scripts, strategies)
        played = {case: play(table, *case, bot) for case in cases}
        found = dict(sorted(Counter(map(outcome, played.values())).items()))
        told = f"{len(table.scripts)} {table.expected} users of {table.goal}, {bot}"
        print(f"{told:45} {found}")
        for (name, strategy), dialogue in played.items():
            if outcome(dialogue) in options.show:
                print(f"  {name} | {strategy}: {outcome(dialogue)}: {dialogue.detail:.200}")


if __name__ == "__main__":
    main()
