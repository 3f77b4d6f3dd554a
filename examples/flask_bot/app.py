"""A bike workshop's bot behind HTTP, which streams what it says; knows nothing of tests."""

import json
import re
from collections.abc import Iterator
from typing import Any

from flask import Flask, Response, request

REPAIRS = ("brakes", "chain", "gears", "wheel")
QUESTIONS = {
    "repair": f"What is to be repaired: {', '.join(REPAIRS)}?",
    "day": "Which day would you like to bring your bike?",
    "time": "What time would suit you?",
}

app = Flask(__name__)
talks: dict[str, dict[str, str]] = {}


@app.get("/health")
def health() -> str:
    return "ok"


@app.post("/talk")
def talk() -> Response:
    asked = request.get_json()
    known = talks.setdefault(asked["talk"], {})
    return Response(events(*answer(known, asked["says"].lower())), mimetype="text/event-stream")


def answer(known: dict[str, str], text: str) -> tuple[str, list[dict[str, Any]]]:
    """What the bot says, and the calls of its tools."""
    if number := known.get("number"):
        return f"Your reference number is {number}. Is there anything else I can do for you?", []
    heard = {
        "repair": re.search("|".join(REPAIRS), text),
        "day": re.search(r"(?:mon|tues|wednes|thurs|fri|satur|sun)day", text),
        "time": re.search(r"\b\d{1,2}:\d{2}\b", text),
    }
    known |= {slot: found.group() for slot, found in heard.items() if found}
    for slot, question in QUESTIONS.items():
        if slot not in known:
            return question, []
    wanted = dict(known)
    known["number"] = f"BW{100 + len(talks)}"
    call = {
        "name": "book_repair",
        "arguments": wanted,
        "result": {"success": True, "reference": known["number"]},
    }
    text = (
        f"Your repair is booked: the {wanted['repair']} on {wanted['day']} at {wanted['time']}. "
        f"The reference number is {known['number']}."
    )
    return text, [call]


def events(text: str, calls: list[dict[str, Any]]) -> Iterator[str]:
    for word in re.findall(r"\S+\s*", text):
        yield f"data: {json.dumps({'delta': word})}\n\n"
    yield f"data: {json.dumps({'tool_calls': calls})}\n\n"
    yield "data: [DONE]\n\n"
