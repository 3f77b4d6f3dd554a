"""What a failing assertion shows: the reason, the turn, the dialogue."""

from pytest_todeval.core.assertable import YesNo
from pytest_todeval.core.bound import SIGNS
from pytest_todeval.core.score import Score, ScoreSeries


def explain_comparison(op: str, left: object, right: object) -> list[str] | None:
    """Lines for `series >= bound`: each turn that breaks it, with score and reason.

    And for `verdict is True`, which no verdict passes.
    """
    if op == "is" and isinstance(left, YesNo) and isinstance(right, bool):
        meant = "the verdict alone, such as `assert dialogue.booking`"
        meant = meant if right else "`not`, such as `assert not dialogue.booking`"
        return [
            f"{left!r} is {right}",
            f"a verdict is never the object {right} itself: write {meant}",
        ]
    if op not in SIGNS or not isinstance(right, (int, float)):
        return None
    if isinstance(left, Score):
        return [f"{left.name} {op} {right:g}: it is {left.value}, {left.reason}"]
    if not isinstance(left, ScoreSeries):
        return None
    broken = left.breaking(SIGNS[op], right)
    turns = ", ".join(str(score.turn) for score in broken)
    lines = [f"{left.name} {op} {right:g} in every turn: not in turn {turns}"]
    for score in broken:
        lines.append(f"turn {score.turn}: {score.value:g}, {score.reason}")
        lines += [f"  {each.by}: {each.value}, {each.reason}" for each in score.samples]
    return lines
