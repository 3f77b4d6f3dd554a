"""Rasa's REST channel: what is sent, and one reply of the messages that come back."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval import BotServer, HttpSystem, Reply, ToolCall


def request(ours: dict[str, Any]) -> dict[str, str]:
    return {"sender": ours["session"], "message": ours["text"]}


def reply(messages: list[dict[str, Any]]) -> Reply:
    """Texts, with the titles of buttons; what custom actions report is a call each."""
    said = []
    for message in messages:
        buttons = ", ".join(button["title"] for button in message.get("buttons", ()))
        said.append(" ".join(part for part in (message.get("text", ""), buttons) if part))
    reported = [message["custom"] for message in messages if "action" in message.get("custom", ())]
    calls = tuple(ToolCall(each["action"], each["slots"], each["result"]) for each in reported)
    return Reply("\n".join(filter(None, said)), tool_calls=calls)


@pytest.fixture(scope="session")
def tod_system(todeval_server: Callable[..., BotServer]) -> HttpSystem:
    url = os.environ.get("RASA_URL")
    if url is None:  # no Rasa here: a stand-in that speaks its protocol
        url = todeval_server("python stand_in.py", health="/", cwd=Path(__file__).parent).url
    return HttpSystem(f"{url}/webhooks/rest/webhook", request=request, reply=reply)
