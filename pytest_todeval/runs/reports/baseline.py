"""A small results file to keep beside the code: what later runs are held against, without words."""

from collections.abc import Sequence
from typing import Any, cast

from pytest_todeval.runs.reports.answer_summary import rule_values
from pytest_todeval.runs.reports.comparison.values import seconds_per_turn
from pytest_todeval.runs.reports.results import results
from pytest_todeval.runs.reports.schema import DialogueEntry, Noun, Results

KEPT = (
    *("test", "goal", "trial", "outcome", "bot", "user", "metrics", "stop_reason"),
    "quarantined",
    "chance",
)
EMPTY: dict[str, Any] = {
    "verdicts": {},
    "turns": [],
    "usage": {"prompt_tokens": 0, "completion_tokens": 0, "cost": 0.0},
    "fault": None,
    "detail": "",
    "last_words": "",
    "bookings": [],
}


NO_TURNS = "a baseline keeps no turns and no goals; name the run's results file"


def is_baseline(entries: Sequence[DialogueEntry]) -> bool:
    """Says whether nothing is left of these dialogues but what they came to."""
    return bool(entries) and not any(entry["turns"] or "goal_record" in entry for entry in entries)


def baseline_of(found: Results) -> Results:
    """Returns the run with no more than a comparison needs: outcomes, verdicts, scores, rules."""
    return results([_kept(entry) for entry in found["dialogues"]], found["environment"])


def _kept(entry: DialogueEntry) -> DialogueEntry:
    whole = cast("dict[str, Any]", entry)
    return cast(
        "DialogueEntry",
        {
            **{name: whole[name] for name in KEPT if name in whole},
            **EMPTY,
            **_seconds(entry),
            "scores": {
                name: [one] for name, each in entry["scores"].items() if (one := _mean(each))
            },
            "rules": {
                name: [{"value": value} for value in rule_values(each)]
                for name, each in entry["rules"].items()
            },
        },
    )


def _seconds(entry: DialogueEntry) -> dict[str, float]:
    """What the bot took for an answer on average: times of replayed rules are too short to keep."""
    mean = round(seconds_per_turn(entry) or 0.0, 2)
    return {"seconds_per_turn": mean} if mean else {}


def _mean(scores: list[Noun]) -> Noun | None:
    """Returns one score in place of those of the turns."""
    given = [score["value"] for score in scores if score["value"] is not None]
    if not given:
        return None
    kept = {key: scores[0][key] for key in ("scale", "definition")}
    mean = sum(given) / len(given)
    return {"value": mean, "reason": "", "turn": None, "unscored": None, **kept}
