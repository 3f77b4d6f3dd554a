"""Train the second opinion (`evidence.opinion`) and measure it on authors that it has not seen.

    python benchmarks/train_opinion.py             # writes the package's weights.json
    python benchmarks/train_opinion.py --measure   # trained without each author, tried on him

Needs scikit-learn, which the package does not. It learns from `tests/hearing/open*.yaml` and
`pairs.yaml`; never from `apart.yaml`, nor from `apart2.yaml`, which is held out. The same files
give the same weights: the fit has no chance in it.

The rules were written beside `open*.yaml`, so that they are hardly wrong there; `--measure` says
what becomes of the rules' right and wrong claims in each file all the same. Most is to be learned
from `pairs`, which the rules do not know.
"""

import argparse
import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_todeval.commands.hear_check import findings_of
from pytest_todeval.core.claim import Act
from pytest_todeval.evidence.check.check_file import read_check
from pytest_todeval.evidence.check.comparing import HeardItem
from pytest_todeval.evidence.names.lexicon import NAME, lexicon
from pytest_todeval.evidence.opinion import signs
from pytest_todeval.evidence.opinion.second_opinion import (
    DOUBT,
    FILE,
    LEAST,
    LinearModel,
    Marking,
)
from pytest_todeval.evidence.text.speech import asks_to_book
from pytest_todeval.language.names import same_name
from pytest_todeval.language.text import plain
from pytest_todeval.language.vocabulary import Vocabulary

HEARING = Path(__file__).resolve().parent.parent / "tests" / "hearing"
TURN = (Act.BOOKED, Act.BOOKING_FAILED)
NAMED = (Act.OFFER, Act.NO_OFFER)
STRENGTH = 10.0
"""Inverse of the weight of the penalty on large weights."""
KEPT = 4000
"""Signs that a model keeps: those that move the most probability."""
SCALE = 50
"""Weights are stored as whole numbers of fiftieths."""
RULES_ALONE = ("", DOUBT)
"""Doubts of claims of which the rules are sure, whatever the model thought of them."""
SEEN = 2
"""Examples in which a sign must stand."""


@dataclass(frozen=True)
class Example:
    """Signs of a turn, or of a name in one, and which acts it claims."""

    signs: frozenset[str]
    claimed: frozenset[Act]
    heard: Mapping[Act, bool]
    """Acts that the rules heard without doubt, and whether rightly."""


def batteries() -> list[Path]:
    """The files to learn from, one for each author."""
    return [*sorted(HEARING.glob("open*.yaml")), HEARING / "pairs.yaml"]


def examples(path: Path) -> tuple[list[Example], list[Example]]:
    """Those of whole turns, and those of names."""
    file = read_check(path)
    turns, names = [], []
    for finding in findings_of(file, path):
        known = lexicon(file.vocabulary)
        marking = Marking(finding.wording.text, known)
        turns.append(_of_turn(finding, marking))
        names += list(_of_names(finding, marking, file.vocabulary))
    return turns, names


def _of_turn(finding: HeardItem, marking: Marking) -> Example:
    wording = finding.wording
    claimed = {claim.act for claim in wording.hears if claim.holds}
    heard = {c.act for c in finding.heard if c.holds and c.doubt in RULES_ALONE}
    found = signs.of_turn(marking.words(), wanted=asks_to_book(plain(wording.user)))
    return Example(
        frozenset(found), frozenset(claimed), {act: act in claimed for act in TURN if act in heard}
    )


def _of_names(finding: HeardItem, marking: Marking, vocabulary: Vocabulary) -> Iterator[Example]:
    wording = finding.wording
    heard = [c for c in finding.heard if c.act in NAMED and c.holds and c.value]
    wished = [c for c in wording.hears if c.act in NAMED and c.holds and c.value]
    matches = lexicon(vocabulary).matches(marking.text)
    said = [entry.value for _, _, entry in matches if entry.slot == NAME]
    for name in dict.fromkeys([*said, *(c.value for c in (*heard, *wished) if c.value)]):
        found = signs.of_name(marking.words(name))
        claimed = {c.act for c in wished if c.value and same_name(c.value, name)}
        by_rules = {c.act for c in heard if c.value == name and c.doubt in RULES_ALONE}
        if found:
            yield Example(
                frozenset(found), frozenset(claimed), {act: act in claimed for act in by_rules}
            )


def fit(found: Sequence[Example], act: Act, *, kept: int = KEPT) -> LinearModel:
    """Logistic regression with as many claims as others in weight; only the best signs stay."""
    counts = Counter(sign for example in found for sign in example.signs)
    known = sorted(sign for sign, count in counts.items() if count >= SEEN)
    bias, weights = _fitted(found, act, known)
    moved = {s: abs(w) * math.sqrt(counts[s]) for s, w in zip(known, weights, strict=True)}
    best = sorted(sorted(moved), key=lambda sign: -moved[sign])[:kept]
    bias, weights = _fitted(found, act, sorted(best))
    return LinearModel(bias, dict(zip(sorted(best), weights, strict=True)))


def _fitted(found: Sequence[Example], act: Act, known: Sequence[str]) -> tuple[float, list[float]]:
    from scipy.sparse import csr_matrix
    from sklearn.linear_model import LogisticRegression

    places = {sign: place for place, sign in enumerate(known)}
    data: list[float] = []
    columns: list[int] = []
    starts = [0]
    for example in found:
        mine = sorted(places[sign] for sign in example.signs if sign in places)
        columns += mine
        data += [1 / math.sqrt(len(mine) or 1)] * len(mine)
        starts.append(len(columns))
    matrix = csr_matrix((data, columns, starts), shape=(len(found), len(known)))
    model = LogisticRegression(C=STRENGTH, class_weight="balanced", max_iter=3000)
    model.fit(matrix, [act in example.claimed for example in found])
    return float(model.intercept_[0]), [float(weight) for weight in model.coef_[0]]


def trained(files: Iterable[tuple[list[Example], list[Example]]]) -> dict[Act, LinearModel]:
    """A model for each act."""
    turns: list[Example] = []
    names: list[Example] = []
    for of_turns, of_names in files:
        turns += of_turns
        names += of_names
    return {act: fit(turns if act in TURN else names, act) for act in (*TURN, *NAMED)}


def stored(models: Mapping[Act, LinearModel]) -> str:
    """The models as the package reads them."""
    whole: dict[str, Any] = {}
    for act, model in models.items():
        weights = {sign: round(weight * SCALE) for sign, weight in model.weights.items()}
        whole[act.value] = {
            "bias": round(model.bias, 4),
            "scale": SCALE,
            "weights": {sign: weight for sign, weight in weights.items() if weight},
        }
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":")) + "\n"


def measure(files: Mapping[str, tuple[list[Example], list[Example]]]) -> None:
    """For each author: how many right and wrong claims of the rules become doubtful."""
    print(f"{'author':<8} {'act':<15} wrong claims, doubtful of them; right ones, doubtful of them")
    for name, (turns, names) in files.items():
        models = trained(each for other, each in files.items() if other != name)
        for act, model in models.items():
            counts = Counter(
                (example.heard[act], model.probability(example.signs) < LEAST[act.value])
                for example in (turns if act in TURN else names)
                if act in example.heard
            )
            wrong, right = counts[False, True], counts[True, True]
            print(
                f"{name:<8} {act.value:<15} {wrong + counts[False, False]:4} {wrong:4}"
                f" {right + counts[True, False]:6} {right:4}",
                flush=True,
            )


def main(argv: Sequence[str] | None = None) -> None:
    """Write the weights, or measure what they are worth."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--measure", action="store_true", help="write nothing")
    arguments = parser.parse_args(argv)
    files = {path.stem: examples(path) for path in batteries()}
    if arguments.measure:
        measure(files)
    else:
        FILE.write_text(stored(trained(files.values())), encoding="utf-8")
        print(f"{FILE}: {FILE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
