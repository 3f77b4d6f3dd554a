"""Which of two dialogues is better by what was computed of them, without a judge."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

Preferred = Literal["this", "other", "tie"]


def preferred(
    this: Mapping[str, Any], other: Mapping[str, Any], names: Sequence[str]
) -> Preferred | None:
    """By the first of these verdicts and scores that differs, of two entries of results files.

    Scores go by their mean over the turns; more is better. A tie if none differs, None if no name
    has a value in both.
    """
    compared = False
    for name in names:
        values = _value(this, name), _value(other, name)
        if values[0] is None or values[1] is None:
            continue
        compared = True
        if values[0] != values[1]:
            return "this" if values[0] > values[1] else "other"
    return "tie" if compared else None


def _value(entry: Mapping[str, Any], name: str) -> float | None:
    value = entry["metrics"].get(name)
    if value is not None:
        return float(value)
    scores = [each["value"] for each in entry["scores"].get(name, ())]
    given = [score for score in scores if score is not None]
    return sum(given) / len(given) if given else None
