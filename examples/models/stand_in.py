"""What the model of this example says, in each of its three roles: a stand-in for a real one."""

import json
import re
from collections.abc import Mapping
from typing import Any

from pytest_todeval.testing import Answer, ChatRequest

JOBS = re.compile(r"tune-up|new tyre")
DAYS = re.compile(r"monday|tuesday|wednesday|thursday|friday", re.IGNORECASE)


def answer(request: ChatRequest) -> Answer:
    """The judge is asked for JSON, the bot is offered tools; else it is the user that speaks."""
    if request.schema is not None:
        return Answer(content_with(request.schema))
    if request.tools:
        return bot(request)
    return Answer(user(request))


def user(request: ChatRequest) -> str:
    wishes = str(request.messages[0]["content"])
    job, day = JOBS.findall(wishes)[0], DAYS.findall(wishes)[0]
    heard = request.last_user
    if "reference number is" in heard:
        token = re.findall(r"<[A-Z_ ]{5,40}>|###[A-Z]+###", wishes)[0]
        return f"Thought: I have the reference number.\nResponse: {token}"
    if "Which day" in heard:
        return f"Thought: It asks for the day.\nResponse: {day.capitalize()} would suit me."
    return f"Thought: I start with the job.\nResponse: Hello, my bicycle needs a {job}."


def bot(request: ChatRequest) -> Answer:
    said = " ".join(str(m["content"]) for m in request.messages if m["role"] == "user")
    job, days = JOBS.findall(said)[0], DAYS.findall(said)
    last = request.messages[-1]
    if last["role"] == "user":
        if days:
            return Answer(tool_calls=[("book_job", {"job": job, "day": days[-1].lower()})])
        return Answer(tool_calls=[("free_days", {"job": job})])
    found = json.loads(str(last["content"]))
    if "reference" in found:
        return Answer(f"Your {job} is booked. The reference number is {found['reference']}.")
    return Answer(f"We have time on {' and '.join(found['days'])}. Which day suits you?")


def content_with(schema: Mapping[str, Any]) -> Any:
    """An answer of the shape asked for, by a judge who has nothing to object to."""
    if "enum" in schema:
        numbers = [value for value in schema["enum"] if isinstance(value, int)]
        return max(numbers) if numbers else schema["enum"][0]
    if "anyOf" in schema:
        return content_with(schema["anyOf"][0])
    if schema.get("type") == "object":
        return {name: content_with(part) for name, part in schema["properties"].items()}
    return "Nothing speaks against it."
