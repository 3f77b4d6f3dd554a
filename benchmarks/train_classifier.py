"""Train the second opinion (`evidence.opinion`), and measure it with each source left out.

    python benchmarks/train_classifier.py --corpora FOLDER --data ../shared/data/multiwoz
    python benchmarks/train_classifier.py --corpora FOLDER --data ... --measure

The first writes the package's weights.bin. Needs scikit-learn, which the package does not. It
learns from corpora of people's dialogues (see `corpora.py`; NOTICE beside the weights has their
licences; of MultiWOZ the validation part) and from the sentences in `hearing` that are not
held out. Each source counts alike, however large. `--measure` prints how what the rules hear fares
in the source that was left out: sure and right, doubted and right, wrong among the sure, by the
probability under which it is doubted.
"""

import argparse
import json
import math
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import corpora  # noqa: E402

from pytest_todeval.commands.hear_check import findings_of  # noqa: E402
from pytest_todeval.core.dialogue_act import Act, DialogueAct  # noqa: E402
from pytest_todeval.facts import listen  # noqa: E402
from pytest_todeval.nlu.check.check_file import read_check  # noqa: E402
from pytest_todeval.nlu.classifier.classifier import (  # noqa: E402
    ACTS,
    FILE,
    PLACES,
    signs_of,
)
from pytest_todeval.nlu.text.plain import plain  # noqa: E402

HEARING = HERE / "hearing"
HELD_OUT = ("apart2", "apart3", "apart4", "misleading_apart")
STRENGTH = 20.0
"""The inverse of the weight of the penalty on large weights."""
WEIGHT_OF_A_SOURCE = 3000.0
EVERY = 3
"""Each so manieth dialogue of the largest corpus."""


class Example(NamedTuple):
    """A turn."""

    source: str
    signs: list[int]
    heard: frozenset[Act]
    """What the rules are sure of."""
    numbered: bool
    """Whether it tells a reference number."""
    claimed: dict[Act, bool]
    """Whether it tells of a booking or a refusal, as far as that is annotated."""


def examples(folder: Path, data: Path) -> Iterator[Example]:
    """All that is learned from, with what the rules alone hear."""
    with mock.patch.object(listen, "weighed", lambda claims, *_, **__: tuple(claims)):
        for name, turns in sources(folder, data):
            for turn in turns:
                yield _of_corpus(name, turn)
        for path in (*sorted(HEARING.glob("*.yaml")), *sorted(HEARING.glob("voices/*.yaml"))):
            source = "held out" if path.stem in HELD_OUT else "benchmarks/hearing"
            for finding in findings_of(read_check(path), path):
                said = {claim.act for claim in finding.wording.hears if claim.holds}
                wording = finding.wording
                claimed = {act: act in said for act in ACTS}
                yield _example(source, wording.text, wording.user, finding.heard, claimed)


def sources(folder: Path, data: Path) -> Iterator[tuple[str, Iterator[corpora.Heard]]]:
    """The corpora by name."""
    yield "sgd", corpora.read_sgd(folder / "sgd/train", EVERY, visible=False)
    yield "taskmaster", corpora.read_coffee(folder / "taskmaster/TM-4-2024", 1)
    yield "multiwoz", corpora.read_multiwoz(data, 1, "val")


def _of_corpus(source: str, turn: corpora.Heard) -> Example:
    gold = turn.gold
    claimed = {}
    if gold.kinds & {"booked", "done"}:
        claimed[Act.BOOKED] = bool(gold.flags & {"booked", "done"})
    if "failed" in gold.kinds or source == "taskmaster":
        claimed[Act.BOOKING_FAILED] = "failed" in gold.flags
    return _example(source, turn.text, turn.user, turn.claims, claimed)


def _example(
    source: str, text: str, user: str, heard: Sequence[DialogueAct], claimed: dict[Act, bool]
) -> Example:
    firm = frozenset(c.act for c in heard if c.holds and not c.doubt)
    numbered = Act.REFERENCE in firm
    return Example(source, signs_of(text, plain(user)), firm, numbered, claimed)


def fitted(group: Sequence[Example], act: Act) -> tuple[float, list[float]]:
    """The bias and the weights by place."""
    from sklearn.linear_model import LogisticRegression

    known = [each for each in group if act in each.claimed]
    counts = {name: sum(e.source == name for e in known) for name in {e.source for e in known}}
    model = LogisticRegression(C=STRENGTH, solver="liblinear", max_iter=200, random_state=0)
    model.fit(
        matrix(known),
        [each.claimed[act] for each in known],
        sample_weight=[WEIGHT_OF_A_SOURCE / counts[each.source] for each in known],
    )
    return float(model.intercept_[0]), [float(each) for each in model.coef_[0]]


def matrix(group: Sequence[Example]) -> Any:
    """A row for each example."""
    from scipy.sparse import csr_matrix

    data: list[float] = []
    columns: list[int] = []
    starts = [0]
    for each in group:
        columns += each.signs
        data += [1 / math.sqrt(len(each.signs) or 1)] * len(each.signs)
        starts.append(len(columns))
    return csr_matrix((data, columns, starts), shape=(len(group), PLACES))


def stored(group: Sequence[Example]) -> bytes:
    """The weights as the package reads them: numbers of a byte, as far as they reach."""
    head, tables = {}, b""
    for act in ACTS:
        bias, weights = fitted(group, act)
        scale = 127 / max(map(abs, weights))
        head[act] = (round(bias, 4), round(scale, 4))
        tables += bytes(round(each * scale) % 256 for each in weights)
    return json.dumps(head).encode() + b"\n" + tables


def measure(every: Sequence[Example]) -> None:
    """What becomes of what the rules hear, with each source left out."""
    for act in ACTS:
        for left_out in dict.fromkeys(each.source for each in every):
            tried = [e for e in every if e.source == left_out and act in e.claimed]
            bias, weights = fitted(
                [e for e in every if e.source not in (left_out, "held out")], act
            )
            odds = matrix(tried) @ weights + bias
            claimed = max(sum(each.claimed[act] for each in tried), 1)
            print(f"{act} in {left_out}: {claimed} claimed")
            for least in (0.0, 0.05, 0.1, 0.2, 0.3, 0.5):
                bound = math.log(max(least, 1e-9) / (1 - least))
                firm = [
                    (each, (act is Act.BOOKED and each.numbered) or odd >= bound)
                    for each, odd in zip(tried, odds, strict=True)
                    if act in each.heard
                ]
                sure = [each for each, believed in firm if believed]
                right = sum(each.claimed[act] for each in sure)
                doubted = sum(each.claimed[act] for each, believed in firm if not believed)
                print(
                    f"  doubted under {least:.2f}: sure {100 * right / claimed:.1f} %, doubted "
                    f"{100 * doubted / claimed:.1f} %, wrong among the sure "
                    f"{100 * (len(sure) - right) / max(len(sure), 1):.1f} %",
                    flush=True,
                )


def main(argv: Sequence[str] | None = None) -> None:
    """Write the weights, or measure what they are worth."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--corpora", type=Path, required=True, help="folder of corpora")
    parser.add_argument("--data", type=Path, required=True, help="MultiWOZ: val.json.zip, db/")
    parser.add_argument("--measure", action="store_true", help="write nothing")
    arguments = parser.parse_args(argv)
    every = list(examples(arguments.corpora, arguments.data))
    if arguments.measure:
        measure(every)
    else:
        FILE.write_bytes(stored([each for each in every if each.source != "held out"]))
        print(f"{FILE}: {FILE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
