"""Frameworks for bots."""

from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any

from client_matrix.asking import OVER, Ask, Client, Stream, lib
from client_matrix.chat import chunk_text, make_async_openai, no_close, said

__all__ = ["CLIENTS"]


def litellm_options(ask: Ask) -> dict[str, Any]:
    more = {"api_base": ask.url + "/v1", "api_key": "none", "max_retries": 0}
    return {**ask.body, **more, "model": "openai/stand-in", "timeout": ask.timeout}


def litellm_plain(ask: Ask) -> str:
    return said(lib("litellm").completion(**litellm_options(ask)))


async def litellm_plain_async(ask: Ask) -> str:
    return said(await lib("litellm").acompletion(**litellm_options(ask)))


def litellm_stream(ask: Ask) -> Stream:
    answer = lib("litellm").completion(**litellm_options(ask), stream=True)
    return Stream(map(chunk_text, answer), answer.completion_stream.close)


async def litellm_stream_async(ask: Ask) -> Stream:
    answer = await lib("litellm").acompletion(**litellm_options(ask), stream=True)
    close = getattr(answer, "aclose", None) or answer.completion_stream.close
    return Stream((chunk_text(chunk) async for chunk in answer), close)


def make_langchain(ask: Ask) -> Any:
    options = {"base_url": ask.url + "/v1", "api_key": "none", "timeout": ask.timeout}
    return lib("langchain_openai").ChatOpenAI(model="stand-in", max_retries=0, **options)


def langchain_text(chunk: Any) -> str:
    return OVER if chunk.response_metadata.get("finish_reason") else str(chunk.content)


def langchain_plain(ask: Ask) -> str:
    return str(make_langchain(ask).invoke(ask.text).content)


async def langchain_plain_async(ask: Ask) -> str:
    return str((await make_langchain(ask).ainvoke(ask.text)).content)


def langchain_stream(ask: Ask) -> Stream:
    answer = make_langchain(ask).stream(ask.text)
    return Stream(map(langchain_text, answer), answer.close)


async def langchain_stream_async(ask: Ask) -> Stream:
    answer = make_langchain(ask).astream(ask.text)
    return Stream((langchain_text(chunk) async for chunk in answer), answer.aclose)


def last_word(text: str) -> str:
    return OVER if text.endswith("end") else text


def make_pydantic_ai(ask: Ask) -> Any:
    provider = lib("pydantic_ai.providers.openai").OpenAIProvider
    model = lib("pydantic_ai.models.openai").OpenAIChatModel
    return lib("pydantic_ai").Agent(
        model("stand-in", provider=provider(openai_client=make_async_openai(ask)))
    )


def pydantic_ai_plain(ask: Ask) -> str:
    return str(make_pydantic_ai(ask).run_sync(ask.text).output)


async def pydantic_ai_plain_async(ask: Ask) -> str:
    return str((await make_pydantic_ai(ask).run(ask.text)).output)


async def pydantic_ai_stream(ask: Ask) -> Stream:
    async def parts() -> AsyncIterator[str]:
        async with make_pydantic_ai(ask).run_stream(ask.text) as answer:
            async for text in answer.stream_text(delta=True, debounce_by=None):
                yield last_word(text)

    found = parts()
    return Stream(found, found.aclose)


def make_agents(ask: Ask) -> Any:
    agents = lib("agents")
    agents.set_tracing_disabled(True)
    model = agents.OpenAIChatCompletionsModel("stand-in", make_async_openai(ask))
    return agents.Agent("bot", model=model)


async def agents_plain(ask: Ask) -> str:
    return str((await lib("agents").Runner.run(make_agents(ask), ask.text)).final_output)


async def agents_stream(ask: Ask) -> Stream:
    answer = lib("agents").Runner.run_streamed(make_agents(ask), ask.text)

    async def parts() -> AsyncIterator[str]:
        async for event in answer.stream_events():
            yield last_word(str(getattr(getattr(event, "data", None), "delta", event.type)))

    async def close() -> None:
        answer.cancel()

    return Stream(parts(), close)


def make_instructor(ask: Ask, kind: str) -> Any:
    instructor = lib("instructor")
    return instructor.from_openai(
        getattr(lib("openai"), kind)(
            api_key="none", base_url=ask.url + "/v1", max_retries=0, timeout=ask.timeout
        ),
        mode=instructor.Mode.JSON,
    )


def fields() -> Any:
    return lib("pydantic").create_model("Fields", said=(str, ...))


def in_json(ask: Ask) -> dict[str, Any]:
    return {"model": "json", "messages": ask.messages, "max_retries": 0, "response_model": fields()}


def instructor_plain(ask: Ask) -> str:
    return str(make_instructor(ask, "OpenAI").chat.completions.create(**in_json(ask)).said)


async def instructor_plain_async(ask: Ask) -> str:
    client = make_instructor(ask, "AsyncOpenAI")
    return str((await client.chat.completions.create(**in_json(ask))).said)


def partial_text(part: Any) -> str:
    return last_word(str(part.said))


def instructor_stream(ask: Ask) -> Stream:
    answer = make_instructor(ask, "OpenAI").chat.completions.create_partial(**in_json(ask))
    return Stream(map(partial_text, answer), getattr(answer, "close", no_close))


async def instructor_stream_async(ask: Ask) -> Stream:
    answer = make_instructor(ask, "AsyncOpenAI").chat.completions.create_partial(**in_json(ask))
    return Stream((partial_text(part) async for part in answer), answer.aclose)


def make_dspy(ask: Ask, engine: str) -> Any:
    options = {"api_base": ask.url + "/v1", "api_key": "none", "timeout": ask.timeout}
    return lib("dspy").LM("openai/fields", cache=False, num_retries=0, engine=engine, **options)


def dspy_plain(ask: Ask, engine: str = "lm15") -> str:
    return str(make_dspy(ask, engine)(ask.text))


async def dspy_plain_async(ask: Ask, engine: str = "lm15") -> str:
    return str(await make_dspy(ask, engine).acall(ask.text))


async def dspy_stream(ask: Ask, engine: str = "lm15") -> Stream:
    dspy = lib("dspy")
    program = dspy.streamify(dspy.Predict("question -> answer"))

    async def parts() -> AsyncIterator[str]:
        with dspy.context(lm=make_dspy(ask, engine)):
            async for part in program(question=ask.text):
                choices = getattr(part, "choices", None)
                text = chunk_text(part) if choices else str(getattr(part, "answer", part))
                yield text

    found = parts()
    return Stream(found, found.aclose)


def make_smolagents(ask: Ask) -> Any:
    options = {"max_retries": 0, "timeout": ask.timeout}
    return lib("smolagents").OpenAIServerModel(
        "stand-in", ask.url + "/v1", "none", client_kwargs=options, retry=False
    )


def smolagents_plain(ask: Ask) -> str:
    return str(make_smolagents(ask).generate(ask.messages).content)


def smolagents_stream(ask: Ask) -> Stream:
    answer = make_smolagents(ask).generate_stream(ask.messages)
    return Stream((last_word(str(delta.content)) for delta in answer), answer.close)


def make_haystack(ask: Ask) -> Any:
    secret = lib("haystack.utils").Secret.from_token("none")
    options = {"api_base_url": ask.url + "/v1", "timeout": ask.timeout, "max_retries": 0}
    generator = lib("haystack.components.generators.chat").OpenAIChatGenerator
    return generator(api_key=secret, model="stand-in", **options)


def haystack_message(ask: Ask) -> list[Any]:
    return [lib("haystack.dataclasses").ChatMessage.from_user(ask.text)]


def haystack_plain(ask: Ask) -> str:
    return str(make_haystack(ask).run(haystack_message(ask))["replies"][0].text)


async def haystack_plain_async(ask: Ask) -> str:
    return str((await make_haystack(ask).run_async(haystack_message(ask)))["replies"][0].text)


def haystack_stream(ask: Ask, take: Callable[[str], None]) -> None:
    def heard(chunk: Any) -> None:
        take(chunk.content)

    make_haystack(ask).run(haystack_message(ask), heard)


async def haystack_stream_async(ask: Ask, take: Callable[[str], None]) -> None:
    async def heard(chunk: Any) -> None:
        take(chunk.content)

    await make_haystack(ask).run_async(haystack_message(ask), heard)


def make_semantic_kernel(ask: Ask) -> tuple[Any, Any, Any]:
    kernel = lib("semantic_kernel.connectors.ai.open_ai")
    history = lib("semantic_kernel.contents").ChatHistory()
    history.add_user_message(ask.text)
    service = kernel.OpenAIChatCompletion("stand-in", async_client=make_async_openai(ask))
    return service, history, kernel.OpenAIChatPromptExecutionSettings()


async def semantic_kernel_plain(ask: Ask) -> str:
    service, history, settings = make_semantic_kernel(ask)
    return str(await service.get_chat_message_content(history, settings))


async def semantic_kernel_stream(ask: Ask) -> Stream:
    service, history, settings = make_semantic_kernel(ask)
    answer = service.get_streaming_chat_message_contents(history, settings)
    return Stream((last_word(str(parts[0])) async for parts in answer), answer.aclose)


def make_autogen(ask: Ask) -> Any:
    client = lib("autogen_ext.models.openai").OpenAIChatCompletionClient
    options = {"base_url": ask.url + "/v1", "api_key": "none", "max_retries": 0}
    return client(model="gpt-4o", timeout=ask.timeout, **options)


def autogen_message(ask: Ask) -> list[Any]:
    return [lib("autogen_core.models").UserMessage(content=ask.text, source="user")]


async def autogen_plain(ask: Ask) -> str:
    return str((await make_autogen(ask).create(autogen_message(ask))).content)


async def autogen_stream(ask: Ask) -> Stream:
    answer = make_autogen(ask).create_stream(autogen_message(ask))
    return Stream((last_word(str(part)) async for part in answer), answer.aclose)


def make_assistant(ask: Ask) -> Any:
    agents = lib("autogen_agentchat.agents")
    return agents.AssistantAgent("bot", make_autogen(ask), model_client_stream=True)


async def assistant_stream(ask: Ask) -> Stream:
    answer = make_assistant(ask).run_stream(task=ask.text)
    texts = (last_word(str(getattr(part, "content", "result"))) async for part in answer)
    return Stream(texts, answer.aclose)


CLIENTS = {
    "litellm": Client("litellm", litellm_plain, litellm_stream),
    "litellm async": Client("litellm", litellm_plain_async, litellm_stream_async, True),
    "langchain-openai": Client("langchain_openai", langchain_plain, langchain_stream),
    "langchain-openai async": Client(
        "langchain_openai", langchain_plain_async, langchain_stream_async, True
    ),
    "pydantic-ai": Client("pydantic_ai", pydantic_ai_plain, package="pydantic-ai-slim"),
    "pydantic-ai async": Client(
        "pydantic_ai", pydantic_ai_plain_async, pydantic_ai_stream, True, package="pydantic-ai-slim"
    ),
    "openai-agents": Client("agents", agents_plain, agents_stream, True, package="openai-agents"),
    "instructor": Client("instructor", instructor_plain, instructor_stream),
    "instructor async": Client("instructor", instructor_plain_async, instructor_stream_async, True),
    "dspy": Client("dspy", dspy_plain),
    "dspy async": Client("dspy", dspy_plain_async, dspy_stream, True),
    "dspy, litellm": Client("dspy litellm", partial(dspy_plain, engine="litellm")),
    "dspy async, litellm": Client(
        "dspy litellm",
        partial(dspy_plain_async, engine="litellm"),
        partial(dspy_stream, engine="litellm"),
        True,
    ),
    "smolagents": Client("smolagents openai", smolagents_plain, smolagents_stream),
    "haystack": Client("haystack", haystack_plain, haystack_stream, False, True, "haystack-ai"),
    "haystack async": Client(
        "haystack", haystack_plain_async, haystack_stream_async, True, True, "haystack-ai"
    ),
    "semantic-kernel": Client(
        "semantic_kernel", semantic_kernel_plain, semantic_kernel_stream, True
    ),
    "autogen-ext": Client("autogen_ext.models.openai", autogen_plain, autogen_stream, True),
    "autogen-agentchat": Client("autogen_agentchat", None, assistant_stream, True),
}
