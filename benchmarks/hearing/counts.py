"""What is heard wrongly, and what is missed, in the open batteries: counts by kind of claim.

python -m benchmarks.hearing.counts     # write them anew, after a change of the ear; read the diff
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from pytest_todeval.commands.hear_check import findings_of
from pytest_todeval.nlu.check.check_file import read_check
from pytest_todeval.nlu.check.comparing import ClaimCount, by_act

HERE = Path(__file__).parent
KEPT = HERE / "counts.json"
OPEN = (*(f"open{number}" for number in ("", *range(2, 10))), "apart", "plain")


@cache
def counts_of(name: str) -> Mapping[str, ClaimCount]:
    """Of a battery, by kind of claim."""
    path = HERE / f"{name}.yaml"
    return by_act(findings_of(read_check(path), path))


def short(name: str) -> dict[str, list[int]]:
    """By kind of claim, how many are wrong and how many missed."""
    return {act: [count.wrong, count.missed] for act, count in sorted(counts_of(name).items())}


def kept() -> dict[str, dict[str, list[int]]]:
    """The counts as they were written."""
    found: dict[str, dict[str, list[int]]] = json.loads(KEPT.read_text(encoding="utf-8"))
    return found


if __name__ == "__main__":
    lines = ",\n".join(f' "{name}": {json.dumps(short(name))}' for name in OPEN)
    KEPT.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
