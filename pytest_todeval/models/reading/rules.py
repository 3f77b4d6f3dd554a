"""Whether each of several rules was kept, with reasons."""

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pytest_todeval.models.reading.answer_text import answer_text, said
from pytest_todeval.models.reading.grade import is_not_applicable
from pytest_todeval.models.reading.objects import find_answer, fold, folded, reason_in
from pytest_todeval.models.reading.reader import TEXT, Unreadable, strict, titled

VALUES = {"1": 1, "0": 0, "-1": -1, "1.0": 1, "0.0": 0, "-1.0": -1}
_TAG = re.compile(
    r"<(?P<kind>score|reason)(?P<number>\d{1,3})>(?P<value>[^<]{0,4000})</(?P=kind)(?P=number)>",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class RuleReply:
    """How a rule fared."""

    value: int
    """1: complied with. 0: broken. -1: not applicable."""
    reason: str


@dataclass(frozen=True)
class RulesReader:
    """Reads `{"ID": {"reason": ..., "score": 1 | 0 | -1}, ...}`, and AutoEval-ToD's `<score1>` and
    `<reason1>` (appendix F), numbered from 1 in the order of `ids`.

    All of the rules, or none: a rule that was left out, or one that was never asked about, makes
    the reply Unreadable, since the numbers of the others may have slipped.
    """

    ids: tuple[str, ...]

    @property
    def schema(self) -> Mapping[str, Any]:
        rule = strict({"reason": TEXT, "score": {"type": "integer", "enum": [1, 0, -1]}})
        return titled("rules", dict.fromkeys(self.ids, rule))

    @property
    def expected(self) -> str:
        ids = ", ".join(f'"{each}"' for each in self.ids)
        return (
            f'Answer with one JSON object with the keys {ids}, each an object with "reason", a '
            'text, and "score": 1 complied with, 0 broken, -1 not applicable.'
        )

    def read(self, text: str) -> dict[str, RuleReply]:
        """Returns the rules by id, in the order of `ids`. Raises Unreadable."""
        answer, around = find_answer(text, self.ids)
        tags = _tags(said(around), answer_text(text))
        if answer is None:
            return self._tagged(tags)
        if tags:
            raise Unreadable("the answer has both a JSON object and tags")
        return self._listed(answer)

    def _listed(self, answer: Mapping[str, object]) -> dict[str, RuleReply]:
        strange = answer.keys() - {fold(each) for each in self.ids}
        if strange:
            raise Unreadable(f"there is no rule {min(strange)[:80]!r}")
        return {each: _rule(each, answer.get(fold(each))) for each in self.ids}

    def _tagged(self, tags: Mapping[tuple[str, int], str]) -> dict[str, RuleReply]:
        numbers = {number for kind, number in tags if kind == "score"}
        if not tags or numbers != set(range(1, len(self.ids) + 1)):
            raise Unreadable(f"it gives {len(numbers)} of the {len(self.ids)} rules a score")
        return {
            each: RuleReply(_value(each, tags["score", n]), tags.get(("reason", n), ""))
            for n, each in enumerate(self.ids, 1)
        }


def _tags(spoken: str, text: str) -> dict[tuple[str, int], str]:
    found: dict[tuple[str, int], set[str]] = defaultdict(set)
    for match in _TAG.finditer(spoken):
        found[match["kind"].lower(), int(match["number"])].add(text[slice(*match.span("value"))])
    for (kind, number), values in found.items():
        if len(values) > 1:
            raise Unreadable(f"<{kind}{number}> is there with different contents")
    return {key: values.pop().strip() for key, values in found.items()}


def _rule(name: str, given: object) -> RuleReply:
    if not isinstance(given, dict):
        raise Unreadable(f"{name}: expected an object with a reason and a score")
    inner = folded(given)
    return RuleReply(_value(name, inner.get("score")), reason_in(inner))


def _value(name: str, given: object) -> int:
    number = isinstance(given, str | int | float) and not isinstance(given, bool)
    word = said(str(given)[:40]).strip() if number else ""
    if word in VALUES:
        return VALUES[word]
    if is_not_applicable(word):
        return -1
    raise Unreadable(f"{name}: the score is {str(given)[:40]!r}, expected 1, 0 or -1")
