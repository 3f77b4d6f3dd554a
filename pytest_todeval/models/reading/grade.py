"""Numbers on a scale as models write them: `4`, `4.5`, `4/5`, `5 (Very Good)`, `Very Good (5)`."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pytest_todeval.models.reading.answer_text import said
from pytest_todeval.models.reading.objects import fold
from pytest_todeval.models.reading.reader import NOT_APPLICABLE, Unreadable

LABELS: Mapping[str, int] = {"very bad": 1, "bad": 2, "fair": 3, "good": 4, "very good": 5}
"""TD-Eval's words for its scale from 1 to 5 (section 3.1)."""

LONGEST = 80
_NUMBER = r"\d{1,4}(?:\.\d{1,4})?"
_OUT_OF = rf"(?: ?(?:/|(?:out )?of) ?(?P<top>{_NUMBER}))?"
_NUMBER_FIRST = re.compile(
    rf"[\[(]{{0,2}}(?P<number>{_NUMBER})[\])]{{0,2}}{_OUT_OF}(?P<label>\D{{0,40}})",
    re.IGNORECASE,
)
_LABEL_FIRST = re.compile(
    rf"(?P<label>\D{{1,40}}?)(?: ?[(\[]|[:=,]? | ?[-\u2013\u2014] )"
    rf"(?P<number>{_NUMBER}){_OUT_OF}[)\]]?",
    re.IGNORECASE,
)
_EDGES = " ()[]-\u2013\u2014:,;.|"
_ENDS = frozenset(" )],:;.|")
_NOT_APPLICABLE = frozenset({NOT_APPLICABLE, "n/a", "na", "not_applicable", "n.a"})


def is_not_applicable(text: str) -> bool:
    """Says whether these words say that there is nothing to judge."""
    return fold(text).strip(_EDGES) in _NOT_APPLICABLE


def numbers_in(text: str) -> set[float]:
    """Returns all numbers of few digits in a text (as `said`)."""
    return {float(found) for found in re.findall(rf"(?<!\d){_NUMBER}(?!\d)", text)}


@dataclass(frozen=True)
class Grades:
    """The numbers of a scale, ends included, and the words that stand for some of them."""

    scale: tuple[int, int]
    not_applicable: bool

    @property
    def labels(self) -> Mapping[str, int]:
        """TD-Eval's words are for its own scale, and for no other."""
        return LABELS if self.scale == (1, 5) else {}

    @property
    def expected(self) -> str:
        """Returns what may be given."""
        low, high = self.scale
        words = f', or "{NOT_APPLICABLE}"' if self.not_applicable else ""
        return f"a number from {low} to {high}{words}"

    def of_json(self, value: object) -> float | None:
        """The number that a JSON value gives; None for `not applicable`. Raises Unreadable."""
        if isinstance(value, str):
            return self.of_text(said(value))
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.unreadable(value)
        return self._on_scale(value)

    def of_text(self, text: str) -> float | None:
        """Returns the number that these words give, all of them; None for `not applicable`.

        Raises Unreadable if a word is left over, or a number contradicts its label.
        """
        words = " ".join(text.split()).rstrip(".,;|")
        if len(words) > LONGEST:
            raise self.unreadable(text)
        if is_not_applicable(words):
            if not self.not_applicable:
                raise self.unreadable(text)
            return None
        match = _NUMBER_FIRST.fullmatch(words) or _LABEL_FIRST.fullmatch(words)
        if match is None:
            return self._by_label(words)
        value = self._on_scale(float(match["number"]))
        if match["top"] is not None and float(match["top"]) != self.scale[1]:
            raise self.unreadable(text)
        label = match["label"].strip(_EDGES)
        if not label and set(match["label"]) - _ENDS:  # `4-` is less than 4
            raise self.unreadable(text)
        return self._unless_contradicted(value, label)

    def mentions(self, text: str) -> Iterator[float]:
        """The numbers of all `score: N` and `score: LABEL` in a text (as `said`), scale apart.

        Labels that begin alike are tried from the longest.
        """
        labels = sorted(self.labels, key=len, reverse=True)
        words = "|".join(
            [r"-?\d{1,9}(?:\.\d{1,9})?", *(rf"{re.escape(label)}\b" for label in labels)]
        )
        for found in re.finditer(
            rf"\b(?:score|rating)[ \t]*[:=][ \t]*({words})", text, re.IGNORECASE
        ):
            label = fold(found[1])
            yield float(self.labels[label]) if label in self.labels else float(label)

    def unreadable(self, got: object) -> Unreadable:
        """Returns the error for a value that is none."""
        return Unreadable(f"the score is {str(got)[:LONGEST]!r}, expected {self.expected}")

    def _on_scale(self, value: float) -> float:
        if not self.scale[0] <= value <= self.scale[1]:
            raise self.unreadable("too large a number" if abs(value) > 1e9 else value)
        return float(value)

    def _by_label(self, words: str) -> float:
        label = fold(words).strip(_EDGES)
        if label not in self.labels:
            raise self.unreadable(words)
        return float(self.labels[label])

    def _unless_contradicted(self, value: float, label: str) -> float:
        # 4.5 lies as near to "good" as to "very good", and contradicts neither.
        if label and abs(self._by_label(label) - value) > 0.5:
            raise Unreadable(f"the score {value:g} contradicts its label {label!r}")
        return value
