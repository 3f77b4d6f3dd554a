"""What the sheet shows on which people rate: words and questions, no score."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pytest_todeval.models.prompt import Prompts
from pytest_todeval.research.annotation.items import RatedItem
from pytest_todeval.runs.reports.schema import DialogueEntry, Noun

FORMAT = "todeval annotation 1"
LONGEST_RESULT = 2000


def sheet(
    dialogues: Sequence[tuple[DialogueEntry, tuple[RatedItem, ...]]], prompts: Prompts
) -> Mapping[str, Any]:
    """These dialogues, in this order; each rater's browser shuffles them anew.

    It says nothing of bot, goal, verdicts or scores. What the judge was told of a question, by a
    document of `prompts`, is told to people, too. The fields are those of `frontend/src/sheet.tsx`.
    """
    questions = {item.question for _, items in dialogues for item in items}
    return {
        "format": FORMAT,
        "guides": {name: text for name in sorted(questions) if (text := _guide(name, prompts))},
        "dialogues": [_shown(entry, items) for entry, items in dialogues],
    }


def _guide(question: str, prompts: Prompts) -> str:
    """Returns the note of a question's document, if it has one."""
    names = prompts.names()
    for name in (f"turn_{question}", f"dialogue_{question}", question):
        if name in names:
            notes = [text for role, text in prompts.get(name).messages if role == "note"]
            return "\n\n".join(notes)
    return ""


def _shown(entry: DialogueEntry, items: Sequence[RatedItem]) -> Mapping[str, Any]:
    return {
        "turns": [
            {
                "user": turn["user"],
                "bot": turn["system"],
                "calls": list(_calls(turn["tool_calls"])),
            }
            for turn in entry["turns"]
        ],
        "items": [
            {"id": i.id, "turn": i.turn, "question": i.question, "scale": i.scale} for i in items
        ],
    }


def _calls(calls: Sequence[Noun]) -> Iterator[str]:
    for call in calls:
        asked = json.dumps(call["arguments"], ensure_ascii=False)
        got = json.dumps(call["result"], ensure_ascii=False) if not call["error"] else call["error"]
        cut = got if len(got) <= LONGEST_RESULT else f"{got[:LONGEST_RESULT]} ..."
        yield f"{call['name']} {asked}\n{cut}"
