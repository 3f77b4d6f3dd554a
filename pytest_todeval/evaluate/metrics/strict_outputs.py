"""Judges outputs of a task strictly: as a whole word, and with no other figure beside the right
one.

Published rewards look for an output anywhere in a reply, so that "210" tells "10", and a bot that
reads out 0 to 9999 tells every number. Strictly, an output that is a number is told by a figure of
that value, and by no guess beside it: a figure of the same kind (money, a percentage, a plain
number) that nothing the bot has seen holds, and that is no sum or difference of what it has seen.
Nor does "10 or 12" tell a number.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from itertools import combinations
from typing import Any

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.failure import Failure, FailureKind
from pytest_todeval.core.verdict import Verdict

OUTPUTS = ("reward_outputs", "reward_communicate")
"""The parts of a reward that are about what was told: tau-bench's and tau2's."""
MAX_TEXT = 200_000
"""Characters of a reply or a result that are read."""
MOST_SUMMED = 400
"""Figures that sums and differences are made of."""
LEAST_SUMMED = 1000
"""A plain number below this may be the sum of nearly anything, and so is none."""

_FIGURE = re.compile(
    r"(?<![\w.#:/-])(?P<money>[$\u00a3\u20ac]\s?)?-?(?P<number>\d+(?:\.\d+)?)(?P<percent>\s?%)?"
    r"(?![\w#/]|[:.]\d|-\w)"
)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_LIST_MARK = re.compile(r"^\s*\d{1,3}[.)]\s", re.M)
_NUMBER = re.compile(r"[$\u00a3\u20ac]?-?\d+(?:\.\d+)?")
_SEEN = re.compile(r"\d+(?:\.\d+)?")
_OTHERWISE = re.compile(r"\s*,?\s*(?:or|or maybe|or perhaps|and/or)\s+(?:maybe |perhaps )?\Z")


@dataclass(frozen=True)
class _Figure:
    value: Decimal
    kind: str
    """`money`, `percent` or `plain`."""
    turn: int
    start: int
    end: int


def strict_rewards(
    dialogue: Dialogue, wanted: Sequence[str], verdicts: Mapping[str, Verdict]
) -> dict[str, Verdict]:
    """Returns the verdicts of a reward, with the `wanted` outputs judged strictly.

    What fails as published fails strictly, too. All of the reward's verdicts get a metric set of
    their own: strict numbers are not comparable with published ones.
    """
    found = {
        name: replace(each, metric_set=f"{each.metric_set} strict")
        if name.startswith("reward")
        else each
        for name, each in verdicts.items()
    }
    for name in OUTPUTS:
        part = found.get(name)
        if part is None or not (part.applicable and part.passed):
            continue
        found[name] = told = _strictly(dialogue, wanted, part)
        if not told.passed and "reward" in found:
            reward = found["reward"]
            reason = told.reason if reward.passed else f"{reward.reason}; {told.reason}"
            unsaid = Failure(FailureKind.MISSING_OUTPUT, told.reason, min(told.turns, default=None))
            found["reward"] = replace(
                reward,
                passed=False,
                reason=reason,
                turns=told.turns,
                value=0.0,
                failures=(*reward.failures, unsaid),
            )
    return found


def _strictly(dialogue: Dialogue, wanted: Sequence[str], told: Verdict) -> Verdict:
    turns = (*dialogue.goal.opening, *dialogue.turns)
    replies = {turn.index: _plain(turn.system) for turn in turns}
    figures = [figure for turn, text in replies.items() for figure in _figures(turn, text)]
    outputs = [_plain(output).strip() for output in wanted]
    right = {_value(output) for output in outputs} - {None}
    for output in outputs:
        value = _value(output)
        if value is None:
            wrong = _not_said(output, replies)
        else:
            wrong = _not_told(value, figures, replies) or _contradicted(
                value, figures, right, dialogue
            )
        if wrong:
            return replace(told, passed=False, reason=wrong[0], turns=wrong[1])
    return told


Wrong = tuple[str, tuple[int, ...]] | None
"""What is wrong with the telling of an output, and the turns that show it."""


def _plain(text: str) -> str:
    return _THOUSANDS.sub("", text[:MAX_TEXT].lower())


def _value(output: str) -> Decimal | None:
    return Decimal(output.lstrip("$\u00a3\u20ac")) if _NUMBER.fullmatch(output) else None


def _figures(turn: int, text: str) -> Iterator[_Figure]:
    marks = {match.start() for match in _LIST_MARK.finditer(text)}
    for found in _FIGURE.finditer(text):
        line = text.rfind("\n", 0, found.start()) + 1
        if line in marks and not text[line : found.start()].strip():
            continue
        kind = "money" if found["money"] else "percent" if found["percent"] else "plain"
        yield _Figure(Decimal(found["number"]), kind, turn, found.start(), found.end())


def _not_said(output: str, replies: dict[int, str]) -> Wrong:
    word = re.compile(rf"(?<!\w){re.escape(output)}(?!\w)")
    if any(word.search(text) for text in replies.values()):
        return None
    return f"never said as a word of its own: {output!r:.80}", ()


def _not_told(value: Decimal, figures: Sequence[_Figure], replies: dict[int, str]) -> Wrong:
    mine = [figure for figure in figures if figure.value == abs(value)]
    if not mine:
        return f"never told as a number of its own: {value}", ()
    if all(_one_of_several(figure, figures, replies[figure.turn]) for figure in mine):
        return f"told {value} only as one of several: a choice tells none", (mine[0].turn,)
    return None


def _one_of_several(figure: _Figure, figures: Sequence[_Figure], text: str) -> bool:
    """Says whether the output stands in a choice: "this or that"."""
    same = [other for other in figures if other.turn == figure.turn and other != figure]
    between = (sorted([(figure.start, figure.end), (o.start, o.end)]) for o in same)
    return any(_OTHERWISE.fullmatch(text[one[1] : other[0]]) for one, other in between)


def _contradicted(
    value: Decimal, figures: Sequence[_Figure], right: set[Any], dialogue: Dialogue
) -> Wrong:
    kinds = {figure.kind for figure in figures if figure.value == abs(value)}
    known = _Known(dialogue)
    for figure in figures:
        if figure.kind in kinds and figure.value not in right and not known.holds(figure):
            told = f"told {value}, but also {figure.value} (turn {figure.turn}), which"
            return f"{told} nothing that the bot has seen holds", (figure.turn,)
    return None


class _Known:
    """The numbers that user and tools have given, and those that follow from them."""

    def __init__(self, dialogue: Dialogue) -> None:
        self._seen: set[Decimal] = set()
        for turn in (*dialogue.goal.opening, *dialogue.turns):
            self._read(turn.as_meant)
            for call in turn.tool_calls:
                self._read(str(call.arguments))
                self._read(call.result if isinstance(call.result, str) else str(call.result))
                self._seen.update(map(Decimal, _counts(call.result)))

    def holds(self, figure: _Figure) -> bool:
        """Says whether a number is known; small plain numbers are not, since they are the sum of
        nearly anything.
        """
        if figure.value in self._seen:
            return True
        sums = figure.kind == "money" or figure.value >= LEAST_SUMMED
        return sums and figure.value in self._sums

    @cached_property
    def _sums(self) -> set[Decimal]:
        some = sorted(self._seen)[-MOST_SUMMED:]
        pairs = list(combinations(some, 2))
        found = {one + other for one, other in pairs} | {other - one for one, other in pairs}
        return found | {each * times for each in some for times in range(2, 10)}

    def _read(self, text: str) -> None:
        found = _SEEN.findall(_THOUSANDS.sub("", text[:MAX_TEXT]))
        self._seen.update(Decimal(number) for number in found if len(number) < 30)


def _counts(result: Any) -> Iterator[int]:
    """Returns the counts of everything in a result."""
    if isinstance(result, str):
        try:
            result = json.loads(result[:MAX_TEXT])
        except (ValueError, RecursionError):
            return
    left = [result]
    while left:
        each = left.pop()
        if isinstance(each, dict | list):
            yield len(each)
            left += each.values() if isinstance(each, dict) else each
