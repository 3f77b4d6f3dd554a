"""A dialogue back from its entry in a results file, to be judged again without simulating."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.core.dialogue_act import DialogueAct
from pytest_todeval.core.documents.faults import fault_of
from pytest_todeval.core.example import Example
from pytest_todeval.core.notation import parse_claim
from pytest_todeval.core.score import Score
from pytest_todeval.errors import InvalidFile
from pytest_todeval.runs.reports.nouns import NAMES

if TYPE_CHECKING:
    from pydantic import TypeAdapter

    from pytest_todeval.runs.reports.schema import DialogueEntry

SHOWN_ERRORS = 3
Plain = Mapping[str, Any]


@dataclass(frozen=True)
class Stored:
    """What an entry holds, as the core's nouns."""

    dialogue: Dialogue
    scores: Mapping[str, tuple[Score, ...]]


def dialogue_of(entry: "DialogueEntry") -> Dialogue:
    """The dialogue that an entry holds: what `dialogue_entry` makes of it is the same entry.

    Without `goal_record` (a file of an older version) its goal is a name without domains: what is
    judged by the goal cannot be judged then. Raises InvalidFile for what is misshapen, or unknown
    to this version.
    """
    return stored(entry).dialogue


def stored(entry: "DialogueEntry") -> Stored:
    """What an entry holds. Raises InvalidFile, which says where in the entry something is wrong."""
    from pydantic import ValidationError

    place = f"{entry['test']} (trial {entry['trial']})"
    try:
        found = _adapter().validate_json(json.dumps([_as_nouns(entry)]), strict=True)[0]
        return replace(found, dialogue=_heard(found.dialogue, entry))
    except ValidationError as error:
        raise InvalidFile(f"{place}: {_told(error)}") from None
    except (TypeError, AttributeError, LookupError, ValueError, RecursionError) as error:
        raise InvalidFile(f"{place}: {type(error).__name__}: {error}") from None


@cache
def _adapter() -> "TypeAdapter[list[Stored]]":
    """Reads nouns by the fields of their classes, under the names that they have in the file."""
    from pydantic import ConfigDict, TypeAdapter

    config = ConfigDict(
        alias_generator=lambda name: NAMES.get(name, name),
        arbitrary_types_allowed=True,
        defer_build=True,
    )
    adapter = TypeAdapter(list[Stored], config=config)
    adapter.rebuild(_types_namespace={"Turn": Turn, "Dialogue": Dialogue, "Score": Score})
    return adapter


def _told(error: Any) -> str:
    """Returns the first mistakes, by their place in the entry."""
    problems = error.errors(include_url=False)
    shown = []
    for problem in problems[:SHOWN_ERRORS]:
        place = ".".join(map(str, problem["loc"][1:])).removeprefix("dialogue.")
        got = "" if problem["type"] == "missing" else f" is {problem['input']!r:.60}"
        shown.append(f"{place}{got}: {fault_of(problem)}")
    rest = len(problems) - SHOWN_ERRORS
    return "; ".join([*shown, *([f"and {rest} more"] if rest > 0 else [])])


def _as_nouns(entry: "DialogueEntry") -> dict[str, Any]:
    """Returns the entry as `Stored` has it; what older files lack is filled in."""
    plain: Plain = entry
    metrics = entry["metrics"]
    source, _, name = entry["goal"].rpartition("/")
    goal = plain.get("goal_record", {"id": name, "source": source, "domains": []})
    told = None if entry["outcome"] in ("passed", "failed") else entry["outcome"]
    dialogue = {
        **entry,
        "goal_record": {
            **{key: value for key, value in goal.items() if key != "hearing"},
            "opening": _turns(goal.get("opening", ())),
        },
        "turns": _turns(entry["turns"]),
        "fault": plain.get("fault", told),
        "bookings": _bookings(plain["bookings"]),
        "last_calls": _calls(plain.get("last_calls", ())),
        "verdicts": {
            name: {
                **found,
                "name": name,
                "passed": _passed(found),
                "value": None if isinstance(metrics.get(name), bool) else metrics.get(name),
            }
            for name, found in entry["verdicts"].items()
        },
    }
    scores = {
        name: [{**score, "name": name} for score in found]
        for name, found in entry["scores"].items()
    }
    return {"dialogue": dialogue, "scores": scores}


def _passed(verdict: Plain) -> object:
    """An undecided one is written as null; one that is refused has passed but for that."""
    if verdict.get("doubt") or verdict.get("refused"):
        return not verdict.get("doubt")
    return verdict["passed"]


def _turns(turns: Sequence[Plain]) -> list[dict[str, Any]]:
    """Returns what was heard is read by itself: it is written in a notation."""
    return [
        {
            **{name: value for name, value in turn.items() if name not in ("heard", "heard_by")},
            "index": index,
            "tool_calls": _calls(turn.get("tool_calls", ())),
            "user_calls": _calls(turn.get("user_calls", ())),
            "state": _mapping(turn.get("state")),
            "turn_state": _mapping(turn.get("turn_state")),
            "spans": [[span["name"], span["seconds"]] for span in turn.get("spans", ())],
            "booked": None if turn.get("booked") is None else _bookings(turn["booked"]),
            "cancelled": _bookings(turn.get("cancelled", ())),
        }
        for index, turn in enumerate(turns, 1)
    ]


def _mapping(said: object) -> Mapping[str, Any] | None:
    return said if isinstance(said, Mapping) else None


def _calls(calls: Sequence[Plain]) -> list[dict[str, Any]]:
    """Returns what a bot handed over for arguments may be anything."""
    return [
        {**call, "arguments": said if isinstance(said := call.get("arguments"), Mapping) else {}}
        for call in calls
    ]


def _bookings(bookings: Sequence[Plain]) -> list[dict[str, Any]]:
    return [
        {**each, "slots": {slot: str(value) for slot, value in each.get("slots", {}).items()}}
        for each in bookings
    ]


def _heard(dialogue: Dialogue, entry: Plain) -> Dialogue:
    """Returns the dialogue with what was heard in its turns, and with what its goal teaches."""
    goal = entry.get("goal_record", {})
    opening = _with_claims(dialogue.goal.opening, goal.get("opening", ()))
    hearing = tuple(
        Example(each["says"], tuple(_parsed(line, "hearing") for line in each["means"]))
        for each in goal.get("hearing", ())
    )
    return replace(
        dialogue,
        goal=replace(dialogue.goal, opening=opening, hearing=hearing),
        turns=_with_claims(dialogue.turns, entry["turns"]),
    )


def _with_claims(turns: Sequence[Turn], entries: Sequence[Plain]) -> tuple[Turn, ...]:
    return tuple(
        replace(
            turn,
            claims=tuple(map(_claim, entry["heard"])) if "heard" in entry else None,
            claims_by=entry.get("heard_by", ""),
        )
        for turn, entry in zip(turns, entries, strict=True)
    )


def _claim(entry: Plain) -> DialogueAct:
    return replace(_parsed(entry["claim"], "heard"), doubt=entry.get("doubt", ""))


def _parsed(line: str, field: str) -> DialogueAct:
    try:
        return parse_claim(line)
    except ValueError as error:
        raise InvalidFile(f"`{field}`: {error}") from None
