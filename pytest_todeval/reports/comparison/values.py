"""What a dialogue is worth, in numbers by name, for comparing runs: more is better in each."""

from pytest_todeval.core.outcome import Outcome
from pytest_todeval.reports.answer_summary import rule_values
from pytest_todeval.reports.schema import DialogueEntry

__all__ = ["PASSED", "Worth", "counts", "worth_of"]

PASSED = "passed"
"""The test's outcome: 1 if it passed."""
COUNTED = (Outcome.PASSED, Outcome.FAILED)

Worth = tuple[float, float]
"""A value, and the width of its scale."""


def counts(entry: DialogueEntry) -> bool:
    """Whether the dialogue counts for or against its bot.

    What others spoiled does not, nor does a goal in quarantine.
    """
    return entry["outcome"] in COUNTED and "quarantined" not in entry


def worth_of(entry: DialogueEntry) -> dict[str, Worth]:
    """By name: `passed`, verdicts, rewards, mean scores, and the share of turns that keep a rule.

    A metric that is a number beyond 0 to 1 has no known scale, and is left out.
    """
    found = {PASSED: (float(entry["outcome"] == Outcome.PASSED), 1.0)}
    for name, value in entry["metrics"].items():
        if value is not None and 0 <= value <= 1:
            found[name] = (float(value), 1.0)
    for name, scores in entry["scores"].items():
        given = [score["value"] for score in scores if score["value"] is not None]
        if given:
            low, high = scores[0]["scale"]
            found[name] = (sum(given) / len(given), high - low)
    for name, results in entry["rules"].items():
        applied = [value for value in rule_values(results) if value in (0, 1)]
        if applied:
            found[f"rules.{name}"] = (sum(applied) / len(applied), 1.0)
    return found
