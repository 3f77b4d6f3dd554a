"""Bots are found by reading a project, and the conftest says how each is used."""

import ast
from pathlib import Path

import pytest

from pytest_todeval.cli import main
from pytest_todeval.start.looking import bots_in
from pytest_todeval.start.project import modules_of, pytest_config
from pytest_todeval.start.tools import tools_in

AGENTS = """
from agents import Agent, function_tool
class Ctx:
    seat: str | None = None
@function_tool
def book_seat(day: str, people: int): ...
billing = Agent[Ctx](name="Billing")
desk = Agent[Ctx](name="Desk", tools=[book_seat], handoffs=[billing])
"""
PYDANTIC = """
from dataclasses import dataclass
from pydantic import BaseModel
from pydantic_ai import Agent
@dataclass
class Deps:
    customer: int
class Out(BaseModel):
    risk: int
    advice: str
agent = Agent("openai:gpt-5", deps_type=Deps, output_type=Out)
"""
GRAPH = """
from langgraph.graph import StateGraph
def build():
    flow = StateGraph(dict)
    return flow.compile()
"""
LANGCHAIN = "from langchain.agents import create_agent\nagent = create_agent('openai:gpt-5', [])\n"
ADK = """
from google.adk.agents import Agent
helper = Agent(name="helper")
root_agent = Agent(name="root", sub_agents=[helper])
"""
FASTAPI = """
from fastapi import APIRouter, FastAPI
from pydantic import BaseModel
class Turn(BaseModel):
    message: str
    conversation_id: str
class Said(BaseModel):
    answer: str
router = APIRouter(prefix="/v1")
@router.post("/chat")
def chat(turn: Turn) -> Said: ...
@router.post("/feedback")
def feedback(stars: int): ...
app = FastAPI()
app.include_router(router)
"""
SESSIONS = """
from fastapi import FastAPI
app = FastAPI()
@app.post("/talks")
def new(): ...
@app.post("/talks/{id}/chat")
def chat(id: str, turn: dict):
    return {"text": turn["text"]}
@app.delete("/talks/{id}")
def end(id: str): ...
"""
FLASK = """
from flask import Flask, jsonify, request
server = Flask(__name__)
@server.route("/ask", methods=["POST"])
def ask():
    asked = request.get_json()
    return jsonify(reply=asked["question"])
"""
FOUND = {
    "agents": (AGENTS, "desk", "AgentsSystem(desk, context=Ctx)"),
    "pydantic": (
        PYDANTIC,
        "agent",
        "PydanticAISystem(agent, deps=deps, text=lambda output: output.advice)",
    ),
    "graph": (GRAPH, "build", "LangGraphSystem(build())"),
    "langchain": (LANGCHAIN, "agent", "LangGraphSystem(agent)"),
    "adk": (ADK, "root_agent", "AdkSystem(root_agent)"),
    "fastapi": (FASTAPI, "app", 'f"{server.url}/v1/chat"'),
    "fastapi-keys": (
        FASTAPI,
        "app",
        'lambda ours: {"message": ours["text"], "conversation_id": ours["session"]}',
    ),
    "fastapi-reply": (FASTAPI, "app", 'lambda theirs: theirs["answer"]'),
    "sessions": (SESSIONS, "app", 'open="POST /talks"'),
    "sessions-end": (SESSIONS, "app", 'close="DELETE /talks/{session}"'),
    "flask": (FLASK, "server", 'todeval_server("flask --app bot:server run")'),
    "flask-keys": (FLASK, "server", '{"question": ours["text"]}'),
    "function": ("def get_response(message): return ''", "get_response", "return get_response"),
    "class": ("class Bot:\n def chat(self, text): return ''", "Bot", "return Bot().chat"),
}


@pytest.mark.parametrize(("source", "name", "line"), FOUND.values(), ids=FOUND)
def test_a_bot_is_found_and_handed_over(source: str, name: str, line: str, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(source)
    first = bots_in(tmp_path)[0]
    assert first.name == name
    text = first.conftest("", [])
    ast.parse(text)
    assert line in text


@pytest.mark.parametrize(
    "source",
    [
        "def respond(",
        "\x00",
        "class A:\n def respond(self): ...",
        "x = 1",
        "def answer(n: int): ...",
    ],
)
def test_what_is_no_bot_is_none(source: str, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(source)
    assert not bots_in(tmp_path)


@pytest.mark.parametrize("folder", [".venv", "node_modules", "tests", "build"])
def test_folders_of_others_are_left_out(folder: str, tmp_path: Path) -> None:
    (tmp_path / folder).mkdir()
    (tmp_path / folder / "bot.py").write_text("def respond(text): return text")
    assert not bots_in(tmp_path)


def test_a_module_is_named_as_it_is_imported(tmp_path: Path) -> None:
    for path in (
        "src/shop/__init__.py",
        "src/shop/bot.py",
        "pkg/__init__.py",
        "pkg/bot.py",
        "a.py",
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("")
    named = {
        each.name: each.folder.relative_to(tmp_path).as_posix() for each in modules_of(tmp_path)
    }
    assert named["shop.bot"] == "src"
    assert named["pkg.bot"] == "."
    assert named["a"] == "."


def test_a_goal_is_drafted_from_a_tool_whose_values_can_be_made_up(tmp_path: Path) -> None:
    source = (
        'SPORTS = ("tennis", "squash")\n'
        "def book_court(self, sport: str, day: str, time: str, people: int, note: str = ''): ...\n"
        "def book_stay(place: str): ...\n"
        "def cancel_booking(reference: str): ...\n"
    )
    (tmp_path / "bot.py").write_text(source)
    wishes = {tool.name: tool.wish for tool in tools_in(modules_of(tmp_path))}
    assert wishes["book_stay"] is None
    assert wishes["cancel_booking"] is None
    assert wishes["book_court"] is not None
    assert wishes["book_court"].values == {
        "sport": "tennis", "day": "friday", "time": "18:30", "people": "2"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "text", "paths"),
    [
        ("pytest.ini", "[pytest]\npythonpath = src", ("src",)),
        ("pyproject.toml", '[tool.pytest.ini_options]\npythonpath = ["src", "."]', ("src", ".")),
        ("setup.cfg", "[tool:pytest]\npythonpath = .", (".",)),
        ("tox.ini", "[pytest]\n", ()),
    ],
)
def test_pytest_is_configured(name: str, text: str, paths: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    found = pytest_config(tmp_path)
    assert (found.path, found.pythonpath) == (tmp_path / name, paths)


def test_a_pyproject_without_the_section_does_not_configure_pytest(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.ruff]\nline-length = 100\n")
    assert pytest_config(tmp_path).path is None


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--bot", "nobody"], "there is no bot 'nobody'"),
        (["--wish", "hello"], "names no deed"),
        (["--tests", "/etc"], "expected a folder in the project"),
        (["--tests", "../elsewhere"], "expected a folder in the project"),
    ],
)
def test_what_cannot_be_is_told_and_nothing_is_written(
    arguments: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["init", str(tmp_path), *arguments]) == 2
    assert told in capsys.readouterr().err
    assert not [*tmp_path.iterdir()]


def test_a_broken_pyproject_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool")
    assert main(["init", str(tmp_path)]) == 2
    assert "pyproject.toml: cannot be read" in capsys.readouterr().err
