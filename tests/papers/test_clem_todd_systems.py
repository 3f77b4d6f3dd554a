"""clem:todd's systems and game master held to its words: 3.1, 3.3, A.3, templates, figures 13-18.

Expected values are read from the paper itself, if it prints them.
"""

import ast
import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.backends.multiwoz import MultiwozBackend
from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.core.protocol import STRICT_TURNS, Breach, Side
from pytest_todeval.models.fake_server.model import Entry
from pytest_todeval.models.prompt import Prompts
from pytest_todeval.research.systems.modules import INTENTS, NO_DOMAIN
from pytest_todeval.research.systems.system import PaperSystem
from pytest_todeval.simulation.loop import Limits, run_dialogue
from pytest_todeval.simulation.scripted import ScriptedUser
from pytest_todeval.systems import ModularLLMSystem, ModularProgSystem, MonolithicSystem
from pytest_todeval.testing import Answer, ChatRequest, StandInServer
from tests.support.chat_world import DATABASE, DEMO, client_of
from tests.support.papers_prompts import document, written
from tests.support.papers_world import paper, paper_between, text_of
from tests.support.systems_world import rule_model

PROJECT = Path(__file__).resolve().parents[2]
HERE = "tests/papers/test_clem_todd_systems.py"
USERS = "tests/papers/test_clem_todd.py"
SCHEMA = "pytest_todeval/research/systems/call_schema.py"
DOCUMENTS = "pytest_todeval/models/prompts/published"
FIGURES: Mapping[int, tuple[str, str]] = {
    1: ("pytest_todeval/simulation/loop.py", f"{HERE}::test_a_violation_aborts"),
    2: ("pytest_todeval/research/systems/modules.py", f"{HERE}::test_modules_run_in_a_fixed_order"),
    3: ("pytest_todeval/prices.py", f"{USERS}::test_flop_cost"),
    4: ("pytest_todeval/core/protocol.py", f"{HERE}::test_the_invalid_responses_of_figure_4"),
    6: (f"{DOCUMENTS}/user_clem_todd.md", f"{USERS}::test_a71_as_it_is"),
    7: (f"{DOCUMENTS}/monolithic_system.md", f"{HERE}::test_a_template_as_it_is"),
    8: (f"{DOCUMENTS}/modular_manager.md", f"{HERE}::test_a_template_as_it_is"),
    9: (f"{DOCUMENTS}/conversation.md", f"{USERS}::test_a74_as_it_is"),
    10: (f"{DOCUMENTS}/modular_intent.md", f"{HERE}::test_a_template_as_it_is"),
    11: (f"{DOCUMENTS}/modular_slots.md", f"{HERE}::test_a_template_as_it_is"),
    12: (f"{DOCUMENTS}/modular_response.md", f"{HERE}::test_a_template_as_it_is"),
    **dict.fromkeys(range(13, 19), (SCHEMA, f"{HERE}::test_the_schema_of")),
}
"""Each figure: the file that holds it here, and the test that holds it to the paper. Figure 5 is
the web page of a study with people."""


# Where everything is


def test_every_figure_has_a_file_and_a_test() -> None:
    assert sorted(FIGURES) == [number for number in range(1, 19) if number != 5]
    for number, (file, test) in FIGURES.items():
        assert (PROJECT / file).is_file(), number
        module, _, name = test.partition("::")
        tree = ast.parse((PROJECT / module).read_text(encoding="utf-8"))
        names = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
        assert any(each.startswith(name) for each in names), test


def test_the_page_of_methods_tells_where_each_figure_is() -> None:
    page = (PROJECT / "docs" / "methods.md").read_text(encoding="utf-8")
    rows: dict[int, str] = {}
    for first, last, row in re.findall(r"^\| figures? (\d+)(?: to (\d+))?,? (.*)$", page, re.M):
        rows |= dict.fromkeys(range(int(first), int(last or first) + 1), row)
    for number, (file, _) in FIGURES.items():
        assert Path(file).name in rows[number], number
    assert "people" in rows[5]


# 3.1, figure 1: the game master


def play(kind: type[PaperSystem], *script: Entry, protocol: str = "strict") -> Any:
    goal = DEMO.goals[0]
    with StandInServer.script(list(script)) as server:
        bot = kind(client_of(server))
        backend = DEMO.world.backend(goal)
        return run_dialogue(
            goal, ScriptedUser(["A hotel."]), bot, backend, Limits(protocol=protocol)
        )


def called(name: str, /, **arguments: Any) -> Answer:
    return Answer(tool_calls=[(name, arguments)])


def test_a_violation_aborts() -> None:
    """3.1: "Any violation aborts the conversation"."""
    dialogue = play(MonolithicSystem, "Sure, I can help you with that!")
    assert dialogue.stop_reason is StopReason.SYSTEM_VIOLATION
    assert dialogue.fault is Outcome.FAILED
    assert "Sure, I can help you with that!" in dialogue.detail
    assert [violation.side for violation in dialogue.violations] == [Side.SYSTEM]


def test_the_limit_of_turns_is_the_papers() -> None:
    """3.1: "or when the maximum turn limit (15) is reached"."""
    assert f"maximum turn limit ({STRICT_TURNS})" in paper("clem-todd")


@pytest.mark.parametrize(
    ("answer", "breach"),
    [
        (called("find_hotel", area={"value": "north"}), Breach.WRONG_VALUE),
        (called("book_hotel", name="the bellfounder"), Breach.MISSING_ARGUMENT),
        (
            Answer(tool_calls=[("find_hotel", {}), ("followup", {"message": "Hi"})]),
            Breach.SEVERAL_CALLS,
        ),
    ],
)
def test_the_invalid_responses_of_figure_4(answer: Answer, breach: Breach) -> None:
    """A.3: incorrect key-value structures, missing required fields, and several calls at once."""
    dialogue = play(MonolithicSystem, answer)
    assert dialogue.stop_reason is StopReason.SYSTEM_VIOLATION
    assert [violation.kind for violation in dialogue.violations] == [breach]


# 3.3.2, figure 2: the architectures


def modules_of(kind: type[PaperSystem]) -> list[str]:
    """Which module is asked, in the first turn of a goal."""
    asked = []

    def model(request: ChatRequest) -> str | Answer:
        names = [tool["function"]["name"] for tool in request.tools]
        module = "processnextsubsystem" if "processnextsubsystem" in names else names[0]
        asked.append("response" if names == ["followup"] else module)
        return rule_model(request)

    with StandInServer(model) as server:
        bot = kind(client_of(server))(MultiwozBackend(DATABASE))
        bot.respond("I want a cheap hotel in the north.")
    return asked


def test_modules_run_in_a_fixed_order() -> None:
    """Modular-Prog: "executes modules in a fixed order"."""
    assert modules_of(ModularProgSystem) == ["detectintent", "extractslots", "response"]


def test_a_model_chooses_the_next_module() -> None:
    """Modular-LLM: "dynamically selecting the next sub-module based on intermediate outputs"."""
    asked = modules_of(ModularLLMSystem)
    manager = "processnextsubsystem"
    assert [each for each in asked if each != manager] == [
        "detectintent",
        "extractslots",
        "response",
    ]
    assert asked.count(manager) == 5  # three hand-overs, a look-up, the follow-up


def test_the_intents_are_those_of_template_a75() -> None:
    text = paper_between("clem-todd", "AVAILABLE INTENTS:", "AVAILABLE DOMAINS:")
    assert tuple(re.findall(r"^\d\. ([a-z-]+):", text, re.M)) == INTENTS
    assert f'use "{NO_DOMAIN}"' in paper_between("clem-todd", "AVAILABLE DOMAINS:", "Figure 10:")


# The templates, word for word, put in by a folder


TEMPLATES: Mapping[str, tuple[str, str, type[PaperSystem]]] = {
    "monolithic_system": ("ROLE: You are a specialized booking", "Figure 7:", MonolithicSystem),
    "modular_manager": ("ROLE: You are the dialogue manager", "Figure 8:", ModularLLMSystem),
    "modular_intent": ("ROLE: You are an Intent Detection", "Figure 10:", ModularProgSystem),
    "modular_slots": ("ROLE: You are an Slot Extraction", "Figure 11:", ModularProgSystem),
    "modular_response": ("ROLE: You are a Response Generation", "Figure 12:", ModularProgSystem),
}


@pytest.mark.parametrize("name", TEMPLATES)
@pytest.mark.parametrize("published", [False, True])
def test_a_template_as_it_is(name: str, published: bool, tmp_path: Path) -> None:
    start, end, kind = TEMPLATES[name]
    text = paper_between("clem-todd", start, end).replace("\\$", "$")
    place = "" if name in ("monolithic_system", "modular_manager") else "{{input}}"
    assert "$USER_SIMULATOR_UTTERANCE" in text
    text = text.replace("$USER_SIMULATOR_UTTERANCE", place)
    role = "user" if place else "system"
    own = written(tmp_path / "prompts", {name: document("clem:todd", text, role=role)})
    with StandInServer(rule_model) as server:
        bot = kind(client_of(server), prompts=own, published=published)
        bot(MultiwozBackend(DATABASE)).respond("I want a cheap hotel in the north, please.")
    first = " ".join(text.split("{{")[0].split())[:200]
    assert any(first in " ".join(text_of(request).split()) for request in server.requests)
    assert server.failures == ()


@pytest.mark.parametrize("name", TEMPLATES)
def test_the_published_documents_have_the_templates_parts(name: str) -> None:
    """Role, task, rules and the input, in our own words."""
    start, end, _ = TEMPLATES[name]
    theirs = paper_between("clem-todd", start, end)
    prompt = Prompts(published=True).get(name)
    ours = "\n".join(text for _, text in prompt.messages)
    assert prompt.published
    assert prompt.source.startswith("clem:todd, template A.7")
    for part in ("ROLE:", "TASK:"):
        assert part in theirs
        assert part in ours
    sentences = {each.strip() for each in re.split(r"[.\n]", theirs) if len(each.split()) > 9}
    assert not [each for each in sentences if each in ours]


# Figures 13 to 18: the schema


@cache
def figures() -> dict[str, Mapping[str, Any]]:
    """Each call that the figures declare: its parameters."""
    text = paper("clem-todd")
    found = {}
    for block in re.findall(r"```\n(\[\n.*?\n\])\n```", text, re.S):
        for each in json.loads(block, strict=False):
            found[each["function"]["name"]] = each["function"]
    return found


@cache
def declared() -> dict[str, Mapping[str, Any]]:
    """What the system sends as published, on MultiWOZ's backend of the 117 tasks."""
    said = Answer(tool_calls=[("followup", {"message": "Hello."})])
    with StandInServer(lambda request: said) as server:
        system = MonolithicSystem(client_of(server), published=True)
        system(MultiwozBackend(DATABASE)).respond("Hello.")
        tools = server.requests[0].body["tools"]
    return {each["function"]["name"]: each["function"] for each in tools}


def ours(name: str) -> Mapping[str, Any]:
    return declared()[name]


CALLS = (
    "followup",
    *(f"retrievefrom{domain}db" for domain in ("restaurant", "hotel", "train")),
    *(f"validate{domain}booking" for domain in ("restaurant", "hotel", "train")),
)


def theirs(name: str) -> tuple[dict[str, Any], set[str]]:
    """The parameters and the required ones; the figures put some of them a level too deep or too
    high.
    """
    parameters = figures()[name]["parameters"]
    properties = {
        **parameters["properties"],
        **{key: each for key, each in parameters.items() if key in ("leaveat", "arriveby")},
    }
    required = parameters.get("required") or figures()[name].get("required") or ()
    return {k: v for k, v in properties.items() if isinstance(v, dict)}, set(required)


@pytest.mark.parametrize("name", CALLS)
def test_the_schema_of_the_figures(name: str) -> None:
    properties, required = theirs(name)
    declared = ours(name)["parameters"]
    assert set(properties) <= set(declared["properties"])
    assert set(declared["properties"]) - set(properties) <= {"trainid"}
    assert set(declared["required"]) == required
    for key, each in properties.items():
        mine = declared["properties"][key]
        if "enum" in each and key != "type":
            without_a_star = {"0"} if key == "stars" else set()
            assert set(mine["enum"]) == set(each["enum"]) | without_a_star, key
        if "pattern" in each:
            assert mine["pattern"] == each["pattern"]
        if "operator" in each.get("properties", {}):
            operators = each["properties"]["operator"]["enum"]
            assert mine["properties"]["operator"]["enum"] == operators


def test_what_is_declared_are_the_figures_calls_and_no_others() -> None:
    assert sorted(declared()) == sorted(figures()) == sorted(CALLS)
    for name, each in declared().items():
        told = set(re.findall(r"\b(?:find|book)_\w+", json.dumps(each)))
        assert not told, (name, "it speaks of calls that are not declared")


def test_look_ups_return_five_rows() -> None:
    """Figures 13 to 15: "Returns up to 5 matching"."""
    assert "up to 5 matching" in figures()["retrievefromhoteldb"]["description"]
    assert "at most 5 rows" in ours("retrievefromhoteldb")["description"]
