"""Train the second opinion (`evidence.opinion`) and measure it on authors that it has not seen.

    python benchmarks/train_opinion.py             # writes the package's weights.json
    python benchmarks/train_opinion.py --measure   # trained without each author, tried on him

Needs scikit-learn, which the package does not. It learns from the sentences in `tests/hearing`;
never from `apart2.yaml` to `apart4.yaml`, which nobody has looked at, nor `misleading_apart.yaml`.
The same files give the same weights: the fit has no chance in it.

Three fits make one model: logistic regressions on signs of words and of letters (each sign scaled
by how unevenly it is spread, Wang and Manning 2012, "Baselines and Bigrams"), and one on what these
two and the rules say. The rules were written beside the batteries, so that they are hardly wrong
there, and `misleading*.yaml` to mislead a model like this one; the third fit therefore uses only
the authors in `tests/hearing/voices`, who knew nothing of either, each heard by the first two
without having learned from him.
"""

import argparse
import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from pytest_todeval.commands.hear_check import findings_of
from pytest_todeval.core.claim import Act
from pytest_todeval.evidence import listen
from pytest_todeval.evidence.check.check_file import read_check
from pytest_todeval.evidence.check.comparing import HeardItem
from pytest_todeval.evidence.names.lexicon import lexicon
from pytest_todeval.evidence.opinion import signs
from pytest_todeval.evidence.opinion.second_opinion import FILE, LEAST, SURE, Marking
from pytest_todeval.evidence.text.speech import asks_to_book
from pytest_todeval.language.names import same_name
from pytest_todeval.language.text import plain

HEARING = Path(__file__).resolve().parent.parent / "tests" / "hearing"
ACTS = {"turn": (Act.BOOKED, Act.BOOKING_FAILED), "name": (Act.OFFER, Act.NO_OFFER)}
KINDS = {"words": 10.0, "letters": 30.0}
"""Kinds of signs -> the inverse of the weight of the penalty on large weights."""
KEPT = {"words": 5000, "letters": 4000}
"""Signs that a model keeps for each act: those that move the most probability."""
EVEN = 0.25
"""How far a sign's scale is drawn towards that of all signs."""
SCALE = 50
"""Weights are stored as whole numbers of fiftieths."""
FOLDS = 4
"""How many times authors are left out."""
SEEN = 2
"""Examples in which a sign must stand."""

Odds = Mapping[str, float]
"""Kind of signs -> the logarithm of the odds that it gives."""


class Example(NamedTuple):
    """Signs of a turn, or of a name in one, and which acts it claims."""

    signs: signs.Signs
    claimed: Set[Act]


@dataclass(frozen=True)
class Author:
    """All examples of one file."""

    name: str
    examples: Mapping[str, Sequence[Example]]
    """By what they are of: `turn`, `name`."""
    stranger: bool
    """Whether he wrote for his own part: neither beside the rules nor to mislead a model."""


@dataclass(frozen=True)
class Table:
    """Weights of one kind of signs for one act."""

    bias: float
    weights: Mapping[str, float]

    def odds(self, found: Set[str]) -> float:
        """Above 0 if the claim is likelier made than not."""
        known = [self.weights[sign] for sign in found if sign in self.weights]
        return self.bias + sum(known) / math.sqrt(len(known) or 1)


@dataclass(frozen=True)
class Judgement:
    """What the tables and the rules count for, for one act."""

    bias: float
    kinds: Mapping[str, float]
    rules: Mapping[str, float]

    def odds(self, by_kind: Odds, heard: Set[str]) -> float:
        """Above 0 if the claim is likelier made than not."""
        by_tables = sum(self.kinds[kind] * odds for kind, odds in by_kind.items())
        return self.bias + by_tables + sum(self.rules.get(sign, 0.0) for sign in heard)


def authors() -> Iterator[Author]:
    """Who is learned from."""
    for path in sorted((HEARING / "voices").glob("*.yaml")):
        yield Author(path.stem, examples(path), stranger=True)
    more = (HEARING / f"{name}.yaml" for name in ("apart", "pairs", "plain"))
    misleading = sorted(HEARING.glob("misleading[0-9].yaml"))
    for path in (*sorted(HEARING.glob("open*.yaml")), *more, *misleading):
        yield Author(path.stem, examples(path), stranger=False)


def examples(path: Path) -> Mapping[str, Sequence[Example]]:
    """Those of whole turns, and those of names, with what the rules alone hear."""
    file = read_check(path)
    with mock.patch.object(listen, "weighed", lambda claims, *_, **__: tuple(claims)):
        findings = findings_of(file, path)
    found: dict[str, list[Example]] = {"turn": [], "name": []}
    for finding in findings:
        marking = Marking(finding.wording.text, lexicon(file.vocabulary))
        found["turn"].append(_of_turn(finding, marking))
        found["name"] += _of_names(finding, marking)
    return found


def _of_turn(finding: HeardItem, marking: Marking) -> Example:
    wording = finding.wording
    user = plain(wording.user)
    told = signs.of_turn(marking.words(), finding.heard, user, wanted=asks_to_book(user))
    return Example(told, {claim.act for claim in wording.hears if claim.holds})


def _of_names(finding: HeardItem, marking: Marking) -> Iterator[Example]:
    heard = [each for each in finding.heard if each.act in signs.OF_NAMES and each.value]
    wished = [each for each in finding.wording.hears if each.act in signs.OF_NAMES and each.value]
    said = (entry.value for _, _, entry in marking.names)
    for name in dict.fromkeys([*said, *(each.value or "" for each in (*heard, *wished))]):
        of_it = [each for each in heard if each.value == name]
        told = signs.of_name(marking.words(name), of_it, plain(finding.wording.user))
        if told.words:
            mine = (each for each in wished if each.value and same_name(each.value, name))
            yield Example(told, {each.act for each in mine if each.holds})


def table(found: Sequence[Example], act: Act, kind: str, kept: Iterable[str] = ()) -> Table:
    """Fitted to the examples with as many claims as others in weight; `kept`: its signs."""
    claimed = [act in example.claimed for example in found]
    told = [getattr(example.signs, kind) for example in found]
    counts = Counter(sign for each in told for sign in each)
    known = sorted(kept) or sorted(sign for sign, count in counts.items() if count >= SEEN)
    bias, weights = _fitted(told, claimed, known, KINDS[kind])
    return Table(bias, dict(zip(known, weights, strict=True)))


def best(found: Sequence[Example], act: Act, kind: str) -> list[str]:
    """The signs that move the most probability."""
    weights = table(found, act, kind).weights
    counts = Counter(sign for example in found for sign in getattr(example.signs, kind))
    moved = {sign: abs(weight) * math.sqrt(counts[sign]) for sign, weight in weights.items()}
    return sorted(moved, key=lambda sign: (-moved[sign], sign))[: KEPT[kind]]


def _fitted(
    found: Sequence[Set[str]], claimed: Sequence[bool], known: Sequence[str], strength: float
) -> tuple[float, list[float]]:
    import numpy as np
    from scipy.sparse import csr_matrix, diags
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
    scale = _unevenness(matrix > 0, np.array(claimed))
    model = LogisticRegression(
        C=strength,
        class_weight="balanced",
        solver="liblinear",
        intercept_scaling=10,
        tol=1e-3,
        max_iter=300,
    )
    model.fit(matrix @ diags(scale), claimed)
    return float(model.intercept_[0]), [float(each) for each in model.coef_[0] * scale]


def _unevenness(stands: Any, claimed: Any) -> Any:
    """How much oftener a sign stands among claims than among others, or less often."""
    import numpy as np

    shares = []
    for group in (stands[claimed], stands[~claimed]):
        counts = 1 + np.asarray(group.sum(axis=0)).ravel()
        shares.append(counts / counts.sum())
    ratio = np.abs(np.log(shares[0] / shares[1]))
    return ratio * (1 - EVEN) + ratio.mean() * EVEN


def odds_of(example: Example, tables: Mapping[str, Table]) -> Odds:
    """What each table says of it."""
    return {kind: each.odds(getattr(example.signs, kind)) for kind, each in tables.items()}


def judgement(cases: Sequence[tuple[Odds, Example]], act: Act) -> Judgement:
    """Fitted to authors whom neither tables nor rules knew."""
    from sklearn.linear_model import LogisticRegression

    rules = sorted({sign for _, example in cases for sign in example.signs.rules})
    rows = [
        [*odds.values(), *(float(sign in example.signs.rules) for sign in rules)]
        for odds, example in cases
    ]
    claimed = [act in example.claimed for _, example in cases]
    model = LogisticRegression(C=1.0, max_iter=1000).fit(rows, claimed)
    weights = [float(each) for each in model.coef_[0]]
    kinds = dict(zip(KINDS, weights, strict=False))
    heard = dict(zip(rules, weights[len(KINDS) :], strict=True))
    return Judgement(float(model.intercept_[0]), kinds, heard)


def by_strangers(
    group: Sequence[Author], of: str, act: Act
) -> dict[str, list[tuple[Odds, Example]]]:
    """The examples of each stranger, heard by tables without him.

    A few authors are left out at a time.
    """
    strangers = [author for author in group if author.stranger]
    found = {}
    for fold in range(FOLDS):
        left_out = strangers[fold::FOLDS]
        others = [each for one in group if one not in left_out for each in one.examples[of]]
        tables = {kind: table(others, act, kind) for kind in KINDS}
        for author in left_out:
            found[author.name] = [(odds_of(each, tables), each) for each in author.examples[of]]
    return found


def stored(group: Sequence[Author]) -> str:
    """The models as the package reads them."""
    return json.dumps(
        {of: _believer(group, of, acts) for of, acts in ACTS.items()},
        ensure_ascii=False,
        separators=(",", ":"),
    )


def _believer(group: Sequence[Author], of: str, acts: Sequence[Act]) -> dict[str, Any]:
    learned = [each for author in group for each in author.examples[of]]
    judged = {
        act: judgement(
            [case for each in by_strangers(group, of, act).values() for case in each], act
        )
        for act in acts
    }
    bias = {act: judged[act].bias for act in acts}
    tables: dict[str, dict[str, list[int]]] = {}
    for kind in KINDS:
        kept = {sign for act in acts for sign in best(learned, act, kind)}
        fitted = {act: table(learned, act, kind, kept) for act in acts}
        for act in acts:
            bias[act] += judged[act].kinds[kind] * fitted[act].bias
        tables[kind] = _rows({act: (fitted[act].weights, judged[act].kinds[kind]) for act in acts})
    tables["rules"] = _rows({act: (judged[act].rules, 1.0) for act in acts})
    return {
        "acts": [act.value for act in acts],
        "bias": [round(bias[act], 4) for act in acts],
        **tables,
        "scale": SCALE,
    }


def _rows(weights: Mapping[Act, tuple[Mapping[str, float], float]]) -> dict[str, list[int]]:
    """Sign -> its weight for each act, times what the table counts for; those of no weight go."""
    every = sorted({sign for found, _ in weights.values() for sign in found})
    rows = {
        sign: [round(found.get(sign, 0.0) * share * SCALE) for found, share in weights.values()]
        for sign in every
    }
    return {sign: row for sign, row in rows.items() if any(row)}


class Tried(NamedTuple):
    """A claim that an unknown author may make."""

    odds: float
    """Logarithm of the odds that the model gives it."""
    heard: bool
    """Whether the rules hear it without doubt."""
    claimed: bool


def measure(group: Sequence[Author]) -> None:
    """What is wrong and missed with unknown authors, by the rules alone and with the model."""
    whole: dict[Act, list[Tried]] = {}
    for of, acts in ACTS.items():
        for act in acts:
            cases = by_strangers(group, of, act)
            for name, mine in cases.items():
                others = [case for other, each in cases.items() if other != name for case in each]
                judged = judgement(others, act)
                tried = [
                    Tried(
                        judged.odds(odds, example.signs.rules),
                        f"{act} {'asserted'}" in example.signs.rules,
                        act in example.claimed,
                    )
                    for odds, example in mine
                ]
                print(f"{act:<15} {name:<10} {_rates(tried, act)}", flush=True)
                whole.setdefault(act, []).extend(tried)
    for act, tried in whole.items():
        print(f"{act:<15} all        {_rates(tried, act)}")
        for least in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95):
            print(f"  from {least:.2f} on: {_rate(tried, [_odds(least) <= t.odds for t in tried])}")


def _rates(tried: Sequence[Tried], act: Act) -> str:
    least, sure = _odds(LEAST[act]), _odds(SURE.get(act, 1.0))
    alone = _rate(tried, [each.heard for each in tried])
    both = _rate(tried, [each.odds >= (least if each.heard else sure) for each in tried])
    return f"rules alone, wrong / missed: {alone}; with the model: {both}"


def _odds(probability: float) -> float:
    kept = min(max(probability, 1e-6), 1 - 1e-6)
    return math.log(kept / (1 - kept))


def _rate(tried: Sequence[Tried], said: Sequence[bool]) -> str:
    heard = [each for each, is_said in zip(tried, said, strict=True) if is_said]
    wrong = sum(not each.claimed for each in heard)
    claimed = sum(each.claimed for each in tried)
    missed = claimed - (len(heard) - wrong)
    return (
        f"{wrong}/{len(heard)} = {100 * wrong / max(len(heard), 1):.1f} %"
        f" / {missed}/{claimed} = {100 * missed / max(claimed, 1):.1f} %"
    )


def main(argv: Sequence[str] | None = None) -> None:
    """Write the weights, or measure what they are worth."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--measure", action="store_true", help="write nothing")
    arguments = parser.parse_args(argv)
    group = list(authors())
    if arguments.measure:
        measure(group)
    else:
        FILE.write_text(stored(group) + "\n", encoding="utf-8")
        print(f"{FILE}: {FILE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
