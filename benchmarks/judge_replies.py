"""What the score reader makes of real judges' replies (GPT-4o as TD-Eval's judge).

    python benchmarks/judge_replies.py --data ../shared/data/judge_replies

Prints replies, unreadable ones and the mean per file and dimension, the shapes that the scores are
written in, and in how many a second, different reading of the score's digit agrees.
"""

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pytest_todeval.models.reading.reader import Unreadable
from pytest_todeval.models.reading.score import ScoreReader

PATTERN = "*_judged_by_gpt4o.json"
DIMENSIONS = ("conv_consistency", "backend_consistency", "policy_completeness")


@dataclass(frozen=True)
class Reply:
    """One judge's answer, as the tool that collected it had split it at "Justification:"."""

    file: str
    dimension: str
    score: str
    justification: str

    @property
    def text(self) -> str:
        """The answer as the model wrote it."""
        return f"{self.score}\nJustification:{self.justification}"

    @property
    def digit(self) -> int | None:
        """A second opinion: the only digit of the score's text, None where there is not one."""
        digits = re.findall(r"\d+", self.score)
        return int(digits[0]) if len(digits) == 1 else None

    @property
    def value(self) -> float | None:
        """What the reader reads; None where it is unreadable."""
        try:
            return ScoreReader().read(self.text).value
        except Unreadable:
            return None


def replies(folder: Path) -> Iterator[Reply]:
    """All of the replies in the files of a folder."""
    for path in sorted(folder.glob(PATTERN)):
        dialogues = json.loads(path.read_text(encoding="utf-8"))["dialogues"]
        for turns in dialogues.values():
            for turn in turns:
                for dimension in DIMENSIONS:
                    part = turn["scores"][dimension]
                    yield Reply(path.name, dimension, part["score"], part["justification"])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    found = [(reply, reply.value) for reply in replies(parser.parse_args().data)]
    groups: dict[tuple[str, str], list[float | None]] = {}
    for reply, value in found:
        groups.setdefault((reply.file, reply.dimension), []).append(value)
    for (file, dimension), values in groups.items():
        read = [value for value in values if value is not None]
        mean = sum(read) / len(read) if read else float("nan")
        print(
            f"{file} {dimension}: {len(values)} replies, {len(values) - len(read)} unreadable, "
            f"mean {mean:.4f}"
        )
    shapes = Counter(re.sub(r"\d", "N", reply.score) for reply, _ in found)
    print(f"shapes: {dict(shapes.most_common())}")
    print(f"second reading agrees: {sum(reply.digit == value for reply, value in found)}", end="")
    print(f" of {len(found)}")


if __name__ == "__main__":
    main()
