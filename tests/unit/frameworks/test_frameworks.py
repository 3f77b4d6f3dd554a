"""Bots of agent frameworks report their calls, hand-offs and tokens; each asks a scripted model."""

from collections.abc import Sequence
from typing import Any

import pytest

from pytest_todeval import Dialogue, Goal, Outcome, handoff, run_dialogue
from pytest_todeval.simulation.frameworks.parts import arguments_of, framework, text_of
from pytest_todeval.simulation.scripted import ScriptedUser
from pytest_todeval.testing import Answer, StandInServer

pytestmark = pytest.mark.filterwarnings("default")


def play(bot: Any, *lines: str) -> Dialogue:
    return run_dialogue(Goal("one", "frameworks", ()), ScriptedUser(lines), bot)


def replies(dialogue: Dialogue) -> list[str]:
    assert dialogue.fault is None, dialogue.detail
    return [turn.system for turn in dialogue.turns]


CALLS: Sequence[Any] = (
    Answer(tool_calls=[("seat_of", {"number": "LL0EZ6"})]),
    "It is 12A.",
    "You are welcome.",
)


def test_agents_hand_over_and_go_on() -> None:
    agents = pytest.importorskip("agents")
    import openai

    from pytest_todeval.frameworks import AgentsSystem

    @agents.function_tool  # type: ignore[untyped-decorator,unused-ignore]
    def seat_of(number: str) -> str:
        return "12A"

    script = [Answer(tool_calls=[("transfer_to_seats", {})]), *CALLS]
    with StandInServer.script(script) as server:
        client = openai.AsyncOpenAI(base_url=server.base_url, api_key="none")
        model = agents.OpenAIChatCompletionsModel("any", client)
        seats = agents.Agent(name="Seats", model=model, tools=[seat_of])
        desk = agents.Agent(name="Desk", model=model, handoffs=[seats])
        dialogue = play(AgentsSystem(desk), "My seat? LL0EZ6", "Thanks")
        assert not server.failures
    assert replies(dialogue) == ["It is 12A.", "You are welcome."]
    calls = dialogue.tool_calls
    assert calls.called_in_order(handoff("Seats"), "seat_of")
    assert calls.called("seat_of", number="LL0EZ6").calls[0].result == "12A"
    assert dialogue.turns[0].usage is not None
    assert dialogue.turns[0].usage.prompt_tokens > 0


def test_pydantic_ai_keeps_its_history() -> None:
    pytest.importorskip("pydantic_ai")
    from pydantic_ai import Agent  # type: ignore[import-not-found,unused-ignore]
    from pydantic_ai.models.openai import (  # type: ignore[import-not-found,unused-ignore]
        OpenAIChatModel,
    )
    from pydantic_ai.providers.openai import (  # type: ignore[import-not-found,unused-ignore]
        OpenAIProvider,
    )

    from pytest_todeval.frameworks import PydanticAISystem

    with StandInServer.script([*CALLS]) as server:
        provider = OpenAIProvider(base_url=server.base_url, api_key="none")
        agent = Agent(OpenAIChatModel("any", provider=provider))

        @agent.tool_plain  # type: ignore[untyped-decorator,unused-ignore]
        def seat_of(number: str) -> str:
            return "12A"

        dialogue = play(PydanticAISystem(agent), "My seat? LL0EZ6", "Thanks")
        assert not server.failures
        assert len(server.requests[-1].messages) == 5
    assert replies(dialogue) == ["It is 12A.", "You are welcome."]
    assert dialogue.tool_calls.called("seat_of", number="LL0EZ6").calls[0].result == "12A"


def test_a_model_that_is_not_reached_is_not_the_bots_failure() -> None:
    pytest.importorskip("pydantic_ai")
    from pydantic_ai import Agent
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    from pytest_todeval.frameworks import PydanticAISystem

    provider = OpenAIProvider(base_url="http://127.0.0.1:9/v1", api_key="none")
    dialogue = play(PydanticAISystem(Agent(OpenAIChatModel("any", provider=provider))), "Hi")
    assert dialogue.fault is Outcome.INFRASTRUCTURE


@pytest.mark.parametrize("keeps", [False, True], ids=["no checkpointer", "checkpointer"])
def test_a_graph_has_the_history_once(keeps: bool) -> None:
    pytest.importorskip("langchain.agents")
    openai_models = pytest.importorskip("langchain_openai")
    from langchain.agents import create_agent  # type: ignore[import-not-found,unused-ignore]
    from langgraph.checkpoint.memory import (  # type: ignore[import-not-found,unused-ignore]
        InMemorySaver,
    )

    from pytest_todeval.frameworks import LangGraphSystem

    def seat_of(number: str) -> str:
        """The seat of a booking."""
        return "12A"

    with StandInServer.script([*CALLS]) as server:
        model = openai_models.ChatOpenAI(model="any", base_url=server.base_url, api_key="none")
        graph = create_agent(model, [seat_of], checkpointer=InMemorySaver() if keeps else None)
        dialogue = play(LangGraphSystem(graph), "My seat? LL0EZ6", "Thanks")
        assert [len(request.messages) for request in server.requests] == [1, 3, 5]
    assert replies(dialogue) == ["It is 12A.", "You are welcome."]
    assert dialogue.tool_calls.called("seat_of", number="LL0EZ6").calls[0].result == "12A"
    assert not dialogue.turns[1].tool_calls


def test_what_a_graph_asks_is_its_reply_and_the_answer_resumes_it() -> None:
    pytest.importorskip("langchain.agents")
    openai_models = pytest.importorskip("langchain_openai")
    from langchain.agents import create_agent
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.types import interrupt  # type: ignore[import-not-found,unused-ignore]

    from pytest_todeval.frameworks import LangGraphSystem

    def book(day: str) -> str:
        """Book a day."""
        return "booked" if interrupt(f"Book {day}?") == "yes" else "left"

    script: list[Any] = [Answer(tool_calls=[("book", {"day": "friday"})]), "Done."]
    with StandInServer.script(script) as server:
        model = openai_models.ChatOpenAI(model="any", base_url=server.base_url, api_key="none")
        graph = create_agent(model, [book], checkpointer=InMemorySaver())
        dialogue = play(LangGraphSystem(graph), "Friday, please", "yes")
    assert replies(dialogue) == ["Book friday?", "Done."]
    assert [len(turn.tool_calls) for turn in dialogue.turns] == [0, 1]
    assert dialogue.tool_calls[0].result == "booked"


def test_an_agent_of_the_kit_hands_over() -> None:
    pytest.importorskip("google.adk")
    from google.adk import Agent  # type: ignore[import-not-found,unused-ignore]
    from google.adk.models import BaseLlm, LlmResponse  # type: ignore[import-not-found,unused-ignore]
    from google.genai.types import (  # type: ignore[import-not-found,unused-ignore]
        Content,
        FunctionCall,
        Part,
    )

    from pytest_todeval.frameworks import AdkSystem

    class ScriptedLlm(BaseLlm):  # type: ignore[misc,unused-ignore]
        script: list[Any]

        async def generate_content_async(self, llm_request: Any, stream: bool = False) -> Any:
            yield LlmResponse(content=Content(role="model", parts=[self.script.pop(0)]))

    def seat_of(number: str) -> dict[str, str]:
        """The seat of a booking."""
        return {"seat": "12A"}

    def call(name: str, **arguments: str) -> Any:
        return Part(function_call=FunctionCall(name=name, args=arguments, id=name))

    told = [call("seat_of", number="LL0EZ6"), Part(text="It is 12A."), Part(text="Bye.")]
    seats = Agent(name="seats", model=ScriptedLlm(model="b", script=told), tools=[seat_of])
    over = [call("transfer_to_agent", agent_name="seats")]
    desk = Agent(name="desk", model=ScriptedLlm(model="a", script=over), sub_agents=[seats])
    dialogue = play(AdkSystem(desk), "My seat? LL0EZ6", "Thanks")
    assert replies(dialogue) == ["It is 12A.", "Bye."]
    assert dialogue.tool_calls.called_in_order(handoff("seats"), "seat_of")
    assert dialogue.tool_calls[1].result == {"seat": "12A"}


def test_a_framework_that_is_not_there_is_named_with_its_package() -> None:
    with pytest.raises(Exception, match="pip install no-such-framework"):
        framework("no_such_framework", "no-such-framework")


def test_a_structured_output_needs_a_text() -> None:
    class Advice:
        def __init__(self) -> None:
            self.advice = "Wait."

    with pytest.raises(Exception, match=r"lambda output: output\.advice"):
        text_of(Advice(), None, "PydanticAISystem")
    assert text_of(Advice(), lambda output: output.advice, "PydanticAISystem") == "Wait."


def test_arguments_that_are_no_object_are_kept_as_text() -> None:
    assert arguments_of("{") == {"arguments": "{"}
    assert arguments_of('{"day": 1}') == {"day": 1}
    assert arguments_of("[1]") == {}
