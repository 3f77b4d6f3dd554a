"""Train the second opinion (`evidence.opinion`) and measure it on authors that it has not seen.

    python benchmarks/train_opinion.py             # writes the package's weights.json
    python benchmarks/train_opinion.py --measure   # trained without each author, tried on him

Needs scikit-learn, which the package does not. It learns from `tests/hearing/open*.yaml`,
`apart.yaml` and `pairs.yaml`; never from `apart2.yaml`, which nobody has looked at. The same files
give the same weights: the fit has no chance in it.

The rules were written beside all of them but `pairs`, so that they are hardly wrong there;
`--measure` says what becomes of the rules' right and wrong claims, and of what they do not hear,
in each file all the same, and what other thresholds would do.
"""

import argparse
import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from operator import methodcaller
from pathlib import Path
from typing import Any
from unittest import mock

from pytest_todeval.commands.hear_check import findings_of
from pytest_todeval.core.claim import Act
from pytest_todeval.evidence import listen
from pytest_todeval.evidence.check.check_file import read_check
from pytest_todeval.evidence.check.comparing import HeardItem
from pytest_todeval.evidence.names.lexicon import NAME, lexicon
from pytest_todeval.evidence.opinion import signs
from pytest_todeval.evidence.opinion.second_opinion import (
    FEWEST,
    FILE,
    LEAST,
    SURE,
    Believer,
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
STRENGTH = {"words": 10.0, "letters": 30.0}
"""Inverse of the weight of the penalty on large weights."""
KEPT = {"words": 3000, "letters": 4000}
"""Signs that a model keeps: those that move the most probability."""
SCALE = 50
"""Weights are stored as whole numbers of fiftieths."""
SEEN = 2
"""Examples in which a sign must stand."""


@dataclass(frozen=True)
class Example:
    """Signs of a turn, or of a name in one, and which acts it claims."""

    signs: signs.Signs
    claimed: Set[Act]
    heard: Set[Act]
    """Acts that the rules heard without doubt."""
    silent: bool
    """Whether the rules heard nothing of bookings in a turn of some length."""


def batteries() -> list[Path]:
    """The files to learn from, one for each author."""
    more = (HEARING / f"{name}.yaml" for name in ("apart", "pairs", "plain"))
    return [*sorted(HEARING.glob("open*.yaml")), *more]


def examples(path: Path) -> tuple[list[Example], list[Example]]:
    """Those of whole turns, and those of names."""
    file = read_check(path)
    turns, names = [], []
    with mock.patch.object(listen, "weighed", lambda claims, *_, **__: tuple(claims)):
        findings = findings_of(file, path)
    for finding in findings:
        known = lexicon(file.vocabulary)
        marking = Marking(finding.wording.text, known)
        turns.append(_of_turn(finding, marking))
        names += list(_of_names(finding, marking, file.vocabulary))
    return turns, names


def _of_turn(finding: HeardItem, marking: Marking) -> Example:
    wording = finding.wording
    found = signs.of_turn(marking.words(), wanted=asks_to_book(plain(wording.user)))
    claimed = {claim.act for claim in wording.hears if claim.holds}
    heard = {c.act for c in finding.heard if c.holds and not c.doubt}
    silent = not any(claim.act in TURN for claim in finding.heard) and len(found.words) >= FEWEST
    return Example(found, claimed & {*TURN}, heard & {*TURN}, silent)


def _of_names(finding: HeardItem, marking: Marking, vocabulary: Vocabulary) -> Iterator[Example]:
    wording = finding.wording
    heard = [c for c in finding.heard if c.act in NAMED and c.holds and c.value]
    wished = [c for c in wording.hears if c.act in NAMED and c.holds and c.value]
    matches = lexicon(vocabulary).matches(marking.text)
    said = [entry.value for _, _, entry in matches if entry.slot == NAME]
    for name in dict.fromkeys([*said, *(c.value for c in (*heard, *wished) if c.value)]):
        found = signs.of_name(marking.words(name))
        claimed = {c.act for c in wished if c.value and same_name(c.value, name)}
        if found.words:
            by_rules = {c.act for c in heard if c.value == name and not c.doubt}
            yield Example(found, claimed, by_rules, silent=False)


def fit(found: Sequence[Example], act: Act) -> Believer:
    """Logistic regressions with as many claims as others in weight; only the best signs stay."""
    claimed = [act in example.claimed for example in found]
    words = _fit([example.signs.words for example in found], claimed, "words")
    return Believer(words, _fit([example.signs.letters for example in found], claimed, "letters"))


def _fit(found: Sequence[Set[str]], claimed: Sequence[bool], kind: str) -> LinearModel:
    counts = Counter(sign for each in found for sign in each)
    known = sorted(sign for sign, count in counts.items() if count >= SEEN)
    _, weights = _fitted(found, claimed, known, kind)
    moved = {s: abs(w) * math.sqrt(counts[s]) for s, w in zip(known, weights, strict=True)}
    best = sorted(sorted(moved, key=lambda sign: (-moved[sign], sign))[: KEPT[kind]])
    bias, weights = _fitted(found, claimed, best, kind)
    return LinearModel(bias, dict(zip(best, weights, strict=True)))


def _fitted(
    found: Sequence[Set[str]], claimed: Sequence[bool], known: Sequence[str], kind: str
) -> tuple[float, list[float]]:
    from scipy.sparse import csr_matrix
    from sklearn.linear_model import LogisticRegression

    places = {sign: place for place, sign in enumerate(known)}
    data: list[float] = []
    columns: list[int] = []
    starts = [0]
    for each in found:
        mine = sorted(places[sign] for sign in each if sign in places)
        columns += mine
        data += [1 / math.sqrt(len(mine) or 1)] * len(mine)
        starts.append(len(columns))
    matrix = csr_matrix((data, columns, starts), shape=(len(found), len(known)))
    model = LogisticRegression(
        C=STRENGTH[kind],
        class_weight="balanced",
        solver="liblinear",
        intercept_scaling=10,
        tol=1e-3,
        max_iter=300,
    )
    model.fit(matrix, claimed)
    return float(model.intercept_[0]), [float(weight) for weight in model.coef_[0]]


def trained(files: Iterable[tuple[list[Example], list[Example]]]) -> dict[Act, Believer]:
    """A model for each act."""
    turns: list[Example] = []
    names: list[Example] = []
    for of_turns, of_names in files:
        turns += of_turns
        names += of_names
    return {act: fit(turns if act in TURN else names, act) for act in (*TURN, *NAMED)}


def stored(models: Mapping[Act, Believer]) -> str:
    """The models as the package reads them."""
    whole = {
        act.value: {"words": _stored(model.words), "letters": _stored(model.letters)}
        for act, model in models.items()
    }
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":")) + "\n"


def _stored(model: LinearModel) -> dict[str, Any]:
    weights = {sign: round(weight * SCALE) for sign, weight in model.weights.items()}
    kept = {sign: weight for sign, weight in weights.items() if weight}
    return {"bias": round(model.bias, 4), "weights": kept, "scale": SCALE}


@dataclass(frozen=True)
class Tried:
    """A claim that an unknown author may make in a turn."""

    author: str
    act: Act
    odds: float
    """Logarithm of the odds that the model gives it."""
    heard: bool
    claimed: bool
    silent: bool

    def said(self, shift: float) -> bool:
        """Whether it is claimed without doubt, with all thresholds raised by so much."""
        if self.heard:
            return self.odds >= _odds(LEAST[self.act.value]) + shift
        return self.silent and self.odds >= _odds(SURE[self.act.value]) + shift


def _odds(probability: float) -> float:
    kept = min(max(probability, 1e-6), 1 - 1e-6)
    return math.log(kept / (1 - kept))


def measure(files: Mapping[str, tuple[list[Example], list[Example]]]) -> None:
    """For each author what is wrong and missed, by the rules alone and with the model."""
    tried: list[Tried] = []
    for name, (turns, names) in files.items():
        models = trained(each for other, each in files.items() if other != name)
        mine = [
            Tried(
                name,
                act,
                _odds(model.probability(example.signs)),
                act in example.heard,
                act in example.claimed,
                example.silent,
            )
            for act, model in models.items()
            if act is not Act.NO_OFFER
            for example in (turns if act in TURN else names)
        ]
        alone, both = _rates(mine, lambda one: one.heard), _rates(mine, lambda one: one.said(0))
        print(f"{name:<8} rules alone, wrong / missed: {alone}; with the model: {both}", flush=True)
        tried += mine
    for step in range(-4, 9):
        print(f"thresholds {step / 4:+.2f}: {_rates(tried, methodcaller('said', step / 4))}")


def _rates(tried: Sequence[Tried], said: Callable[[Tried], bool]) -> str:
    heard = [one for one in tried if said(one)]
    wrong = sum(not one.claimed for one in heard)
    claimed = [one for one in tried if one.claimed]
    missed = sum(not said(one) for one in claimed)
    return (
        f"{wrong}/{len(heard)} = {100 * wrong / max(len(heard), 1):.1f} %"
        f" / {missed}/{len(claimed)} = {100 * missed / max(len(claimed), 1):.1f} %"
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
