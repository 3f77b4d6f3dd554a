"""The benchmarks' own users, over made-up checkouts whose code has their shape and other words."""

import json
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.core.dialogue import Turn
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.errors import DataMissing, InvalidFile, SimulatorFault
from pytest_todeval.models.fake_server.model import Entry
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.models.usage import ledger
from pytest_todeval.simulation.user import Utterance
from pytest_todeval.testing import Answer, StandInServer
from pytest_todeval.worlds.tau2.user import Tau2User, own_guidelines
from pytest_todeval.worlds.tau_bench.upstream import TauBenchUpstream
from tests.support.tau_world import MARK

USERS = '''
class LLMUserSimulationEnv:
    def build_system_prompt(self, instruction):
        instruction_display = (
            ("\\nTask: " + instruction + "\\n") if instruction is not None else ""
        )
        return f"""Play a caller.{instruction_display}- One line."""

    def reset(self, instruction=None):
        self.messages = [
            {"role": "system", "content": self.build_system_prompt(instruction=instruction)},
            {"role": "user", "content": "Good day!"},
        ]


class ReactUserSimulationEnv(LLMUserSimulationEnv):
    def build_system_prompt(self, instruction):
        instruction_display = ""
        return f"""Think, then play a caller.{instruction_display}"""


class VerifyUserSimulationEnv(LLMUserSimulationEnv):
    def __init__(self, model, provider, max_attempts: int = 2):
        pass


class ReflectionUserSimulationEnv(LLMUserSimulationEnv):
    def __init__(self, model, provider, max_attempts: int = 2):
        pass


def map_role_label(role):
    if role == "user":
        return "Caller"
    elif role == "assistant":
        return "Clerk"
    else:
        return role.capitalize()


def verify(model, provider, response, messages):
    transcript = "\\n".join([])
    prompt = f"""Good?
{transcript}
> {response}"""


def reflect(model, provider, response, messages):
    prompt = f"""Better than this, please.
{transcript}
> {response}"""
'''
GOAL = Goal("test-0", "tau_bench/retail", (), ("x",), raw={"instruction": "You want a lamp."})
SYSTEM = "Play a caller.\nTask: You want a lamp.\n- One line."


@pytest.fixture
def tau_bench(tmp_path: Path) -> Path:
    folder = tmp_path / "tau_bench" / "envs"
    folder.mkdir(parents=True)
    (folder / "user.py").write_text(MARK + USERS, encoding="utf-8")
    return tmp_path


def talk(
    home: Path, name: str, answers: Sequence[Entry], bot: Sequence[str] = ()
) -> tuple[list[Utterance], list[list[tuple[str, str]]]]:
    """What the user says, and the messages of each request to its model."""
    with StandInServer.script(answers) as server:
        settings = ModelSettings("m", server.base_url, retries=0)
        user = TauBenchUpstream(home, "retail").user(name, GOAL, settings, None, 0)
        said = [user.respond(None)]
        for number, text in enumerate(bot, 1):
            said.append(user.respond(Turn(number, said[-1].text, text)))
        requests = [
            [(m["role"], m["content"]) for m in request.messages] for request in server.requests
        ]
        assert [set(request.body) for request in server.requests] == [
            {"model", "messages"} for _ in requests
        ]
    return said, requests


def test_the_prompt_is_the_checkouts_and_its_code_is_not_run(tau_bench: Path) -> None:
    with ledger() as asked:
        said, requests = talk(
            tau_bench, "tau_bench", ["Hi. ###STOP###", "Bye ###STOP###"], ["Which lamp?"]
        )
    opened = [("system", SYSTEM), ("user", "Good day!")]
    assert requests == [
        opened,
        [*opened, ("assistant", "Hi. ###STOP###"), ("user", "Which lamp?")],
    ]
    assert [each.stop for each in said] == [None, StopReason.USER_DONE], "the first never ends it"
    assert said[1].text == "Bye ###STOP###"
    assert asked.prompts["tau_bench"].startswith("tau-bench's own ")
    assert not list(tau_bench.rglob("executed"))


@pytest.mark.parametrize(
    ("wrote", "says"),
    [
        ("Thought: hm.\nUser Response: Hi.", "hm.\nUser Response: Hi."),
        ("User Response:\n Hi. ", "Hi."),
        ("Thought: enough\nUser Response: ###STOP###", "###STOP###"),
    ],
)
def test_react_lets_the_thought_out_as_there(tau_bench: Path, wrote: str, says: str) -> None:
    said, requests = talk(tau_bench, "tau_bench_react", [wrote])
    assert said[0].text == says
    assert requests[0][0] == ("system", "Think, then play a caller.\nTask: You want a lamp.\n")


@pytest.mark.parametrize("wrote", ["Hi.", "Thought: a Thought: b"])
def test_where_tau_benchs_run_breaks_the_user_is_at_fault(tau_bench: Path, wrote: str) -> None:
    with pytest.raises(SimulatorFault, match="tau-bench's run breaks there"):
        talk(tau_bench, "tau_bench_react", [wrote])


def test_verify_asks_a_supervisor_and_forgets_what_it_rejected(tau_bench: Path) -> None:
    answers = ["No one", "False.", "No two", "false", "Third", "so TRUE"]
    said, requests = talk(tau_bench, "tau_bench_verify", answers, ["Hm?"])
    assert [each.text for each in said] == ["No two", "Third"]
    ((role, question),) = requests[1]
    assert (role, question.splitlines()[0]) == ("user", "Good?")
    assert "Caller: Good day!" in question
    assert "System: Play a caller." in question
    assert "> Message(content='No one', role='assistant'" in question
    assert requests[4][2:] == [("user", "Hm?")], "the rejected message is not in the history"


def test_reflection_puts_a_better_one_in_its_place(tau_bench: Path) -> None:
    answers = ["First", "false", "Reflection: hm\nResponse: say it well", "Second", "true"]
    said, requests = talk(tau_bench, "tau_bench_reflection", [*answers, "Third", "true"], ["Hm?"])
    assert [each.text for each in said] == ["Second", "Third"]
    assert requests[3][-1] == ("user", "say it well")
    assert requests[2][0][1].startswith("Better than this, please.\n")
    # the drafts are remembered, as there, but not what the supervisor proposed
    assert requests[5][2:] == [("assistant", "First"), ("assistant", "Second"), ("user", "Hm?")]


def test_a_checkout_with_other_code_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "tau_bench" / "envs"
    folder.mkdir(parents=True)
    (folder / "user.py").write_text("class Other: pass\n", encoding="utf-8")
    with pytest.raises(InvalidFile, match=r"user\.py: LLMUserSimulationEnv.build_system_prompt"):
        talk(tmp_path, "tau_bench", [])


# tau2


@pytest.fixture
def tau2(tmp_path: Path) -> Path:
    source, told = tmp_path / "src" / "tau2", tmp_path / "data" / "tau2" / "user_simulator"
    files = {
        "domains/__init__.py": "",
        "config.py": "DEFAULT_LLM_TEMPERATURE_USER = 0.5\nDEFAULT_SEED = 7\n",
        "user/user_simulator.py": 'SYSTEM_PROMPT = """\n{global_user_sim_guidelines_with_persona}\n'
        '<told>\n{instructions}\n</told>\n""".strip()\n',
        "user/user_simulator_base.py": 'STOP = "<end>"\nTRANSFER = "<over>"\n'
        'OUT_OF_SCOPE = "<?>"\n',
        "orchestrator/orchestrator.py": "DEFAULT_FIRST_AGENT_MESSAGE = AssistantMessage(\n"
        '    role="assistant", content="Good day!", cost=0.0\n)\n',
    }
    for name, text in files.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(MARK + text, encoding="utf-8")
    told.mkdir(parents=True)
    for name, text in {"": "Be brief.", "_tools": "Be brief, use tools."}.items():
        (told / f"simulation_guidelines{name}.md").write_text(text, encoding="utf-8")
    return tmp_path


class Phone:
    """A backend whose user has a tool."""

    max_steps = 3

    def __init__(self, tools: int = 1) -> None:
        function = {"name": "look", "parameters": {"type": "object", "properties": {}}}
        self.user_tools = [{"type": "function", "function": function}] * tools
        self.counted_calls = 0

    def call_user(self, name: str, /, **arguments: Any) -> str:
        self.counted_calls += 1
        if name != "look":
            raise ToolRefused(f"Error: Tool '{name}' not found.")
        return "no bars"


def tau2_user(home: Path, server: StandInServer, backend: Any = None, **raw: Any) -> Tau2User:
    goal = Goal("1", "tau2/mock", (), ("x",), raw=raw)
    settings = ModelSettings("m", server.base_url, retries=0)
    guidelines = own_guidelines(home)
    return Tau2User(goal, settings, guidelines, "Cut {x} {instructions}.", backend, 2)


def test_tau2s_user_is_told_the_guidelines_and_asked_with_its_parameters(tau2: Path) -> None:
    with StandInServer.script(["Hi.", "Bye <over>", "I cannot know <?>"]) as server:
        user = tau2_user(tau2, server, SimpleNamespace())
        assert user.respond(None) == Utterance("Hi.")
        done = user.respond(Turn(1, "Hi.", "Which?"))
        out = user.respond(Turn(2, "x", "So?"))
        first, second, _ = (request.body for request in server.requests)
    assert first["messages"] == [
        {"role": "system", "content": "Be brief.\n<told>\nCut {x} {instructions}.\n</told>"},
        {"role": "user", "content": "Good day!"},
    ]
    assert second["messages"][2:] == [
        {"role": "assistant", "content": "Hi."},
        {"role": "user", "content": "Which?"},
    ]
    assert first["temperature"] == 0.5
    assert first["seed"] == own_guidelines(tau2).seed(2) != own_guidelines(tau2).seed(1)
    assert "tools" not in first
    assert (done.stop, out.stop) == (StopReason.USER_DONE, StopReason.SIMULATOR_FAULT)
    assert not list(tau2.rglob("executed"))


def test_tau2s_user_calls_its_tools_before_it_speaks(tau2: Path) -> None:
    calls = Answer("One moment.", tool_calls=[("look", {}), ("brew", {})])
    with StandInServer.script([calls, "No bars."]) as server:
        user = tau2_user(tau2, server, Phone())
        assert user.respond(None).text == "No bars."
        first, second = (request.body for request in server.requests)
    assert first["messages"][0]["content"].startswith("Be brief, use tools.")
    assert first["tool_choice"] == "auto"
    made, *results = second["messages"][2:]
    assert made["content"] == "One moment."
    assert [result["content"] for result in results] == [
        "no bars",
        "Error: Tool 'brew' not found.",
    ]


def test_a_user_that_calls_without_end_comes_to_one(tau2: Path) -> None:
    with StandInServer(lambda request: Answer(None, tool_calls=[("look", {})])) as server:
        left = tau2_user(tau2, server, Phone()).respond(None)
        assert len(server.requests) == Phone.max_steps + 1
    assert left.stop is StopReason.USER_GAVE_UP


def test_arguments_that_are_no_json_are_the_users_fault(tau2: Path) -> None:
    broken = Answer(None, tool_calls=[("look", "{")])
    told = pytest.raises(SimulatorFault, match="tau2's run breaks there")
    with StandInServer.script([broken]) as server, told:
        tau2_user(tau2, server, Phone()).respond(None)


def test_a_tasks_history_is_turned_round(tau2: Path) -> None:
    call = {"id": "c1", "name": "look", "arguments": {"at": 1}, "requestor": "user"}
    agents = {"id": "c2", "name": "find", "arguments": {}, "requestor": "assistant"}
    history = [
        {"role": "assistant", "content": "Hello."},
        {"role": "user", "content": None, "tool_calls": [call]},
        {"role": "tool", "id": "c1", "content": "no bars", "requestor": "user"},
        {"role": "user", "content": "No bars."},
        {"role": "assistant", "content": None, "tool_calls": [agents]},
        {"role": "tool", "id": "c2", "content": "found", "requestor": "assistant"},
        {"role": "assistant", "content": "Restart it."},
    ]
    with StandInServer.script(["Done. <end>"]) as server:
        user = tau2_user(tau2, server, Phone(), initial_state={"message_history": history})
        assert user.respond(Turn(0, "No bars.", "Restart it.")).stop is StopReason.USER_DONE
        (request,) = server.requests
    shown = request.messages[1:]
    assert [(m["role"], m.get("content")) for m in shown] == [
        ("user", "Hello."),
        ("assistant", None),
        ("tool", "no bars"),
        ("assistant", "No bars."),
        ("user", "Restart it."),
    ]
    (made,) = shown[1]["tool_calls"]
    assert json.loads(made["function"]["arguments"]) == {"at": 1}


def test_guidelines_that_are_not_there_are_told(tau2: Path) -> None:
    (tau2 / "data/tau2/user_simulator/simulation_guidelines.md").unlink()
    with pytest.raises(DataMissing, match=r"simulation_guidelines\.md: cannot be read"):
        own_guidelines(tau2)
