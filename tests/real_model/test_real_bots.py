"""A real model is the bot: with tools, streaming, or told to call; recorded and replayed."""

from typing import Any

from tests.real_model.conftest import Suite

USER = """
import json

import openai
import pytest

from pytest_todeval import ChatSystem, Reply, ScriptedUser

TOOL = {
    "type": "function",
    "function": {
        "name": "find_rooms",
        "description": "Finds hotels in a part of town.",
        "parameters": {
            "type": "object",
            "properties": {"area": {"type": "string", "enum": ["north", "south"]}},
            "required": ["area"],
        },
    },
}


def find_rooms(area: str) -> str:
    "Finds hotels in a part of town."
    return f"Mill House, in the {area}"


@pytest.fixture
def user_simulator():
    return ScriptedUser(["A hotel in the north, please.", "Which one is it?"])
"""
CHAT = """
@pytest.fixture(scope="session")
def tod_system(todeval_models):
    tools = [(TOOL, find_rooms)]
    return ChatSystem(todeval_models["system"][0], "You find hotels.", tools, max_steps=2)
"""
OWN = """
def asked(model, **more):
    client = openai.OpenAI(base_url=model.base_url, api_key="none", max_retries=0)
    with client:
        body = {"model": model.model, "temperature": 0, "max_tokens": 40, **more}
        answer = client.chat.completions.create(**body)
        if not more.get("stream"):
            return answer.choices[0].message
        return "".join(piece.choices[0].delta.content or "" for piece in answer)


@pytest.fixture(scope="session")
def tod_system(todeval_models):
    model = todeval_models["system"][0]

    def respond(text):
        messages = [{"role": "user", "content": text}]
        ANSWER

    return respond
"""
STREAMS = "return asked(model, messages=messages, stream=True) or '(nothing)'"
CALLS = """
        choice = {"type": "function", "function": {"name": "find_rooms"}}
        said = asked(model, messages=messages, tools=[TOOL], tool_choice=choice)
        arguments = json.loads(said.tool_calls[0].function.arguments)
        return f"There is {find_rooms(**arguments)}."
"""
TEST = """
import pytest


@pytest.mark.goals("demo", ids=["DEMO013"])
@pytest.mark.todeval(max_turns=2, unserved="allowed")
def test_answers(dialogue):
    assert len(dialogue.turns) == 2
"""


def told(entry: dict[str, Any]) -> tuple[Any, ...]:
    """What a replay has to repeat."""
    turns = [(turn["system"], turn["tool_calls"], turn["usage"]) for turn in entry["turns"]]
    return entry["outcome"], entry["stop_reason"], entry["detail"], turns


def replays(suite: Suite, name: str, conftest: str) -> dict[str, Any]:
    """The one dialogue with a bot that was recorded and replayed alike."""
    suite.pytester.makeconftest(USER + conftest)
    suite.pytester.makepyfile(test_bot=TEST)
    live, replayed = suite.twice(name)
    assert [*map(told, replayed["dialogues"])] == [*map(told, live["dialogues"])]
    (entry,) = live["dialogues"]
    for turn in entry["turns"]:
        calls = [call["name"] for call in turn["tool_calls"]]
        suite.tell(f"  {entry['outcome']}: {calls} {turn['system']:.90}")
    return dict(entry)


def test_a_chat_system_with_tools_replays(suite: Suite) -> None:
    entry = replays(suite, "ChatSystem with a tool", CHAT)
    assert entry["outcome"] in ("passed", "failed")
    assert entry["turns"][0]["tool_calls"]
    assert not any("not shown" in note for note in entry.get("notes", ()))


def test_a_bot_that_streams_replays(suite: Suite) -> None:
    entry = replays(suite, "bot that streams", OWN.replace("ANSWER", STREAMS))
    assert entry["outcome"] == "passed"
    assert all(turn["system"] for turn in entry["turns"])


def test_a_bot_whose_model_is_told_to_call_replays(suite: Suite) -> None:
    entry = replays(suite, "bot told to call", OWN.replace("ANSWER", CALLS.strip()))
    assert entry["outcome"] == "passed"
    assert "Mill House" in entry["turns"][0]["system"]
