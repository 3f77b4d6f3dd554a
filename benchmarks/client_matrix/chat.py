"""openai's clients, and those that are built as they are."""

from collections.abc import Callable, Iterator
from typing import Any

from client_matrix.asking import OVER, Ask, Client, Stream, lib

__all__ = ["CLIENTS"]


def chunk_text(chunk: Any) -> str:
    choice = chunk.choices[0] if chunk.choices else None
    if choice is None:
        return "usage"
    return OVER if choice.finish_reason else choice.delta.content or ""


def line_text(line: str | bytes) -> str:
    text = line.decode() if isinstance(line, bytes) else line
    return OVER if "[DONE]" in text else text


def said(answer: Any) -> str:
    return str(answer.choices[0].message.content)


def made(make: Callable[[Ask], Any]) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """`plain` and `stream` of clients that are built as openai's."""

    def plain(ask: Ask) -> str:
        return said(make(ask).chat.completions.create(**ask.body))

    def stream(ask: Ask) -> Stream:
        answer = make(ask).chat.completions.create(**ask.body, stream=True)
        return Stream(map(chunk_text, answer), answer.close)

    return plain, stream


def made_async(make: Callable[[Ask], Any]) -> tuple[Callable[..., Any], Callable[..., Any]]:
    async def plain(ask: Ask) -> str:
        return said(await make(ask).chat.completions.create(**ask.body))

    async def stream(ask: Ask) -> Stream:
        answer = await make(ask).chat.completions.create(**ask.body, stream=True)
        return Stream((chunk_text(chunk) async for chunk in answer), answer.close)

    return plain, stream


def no_close() -> None:
    """Of a client that has nothing to close: the reading just ends."""


async def no_close_async() -> None:
    """The same, asynchronously."""


def openai_like(module: str, name: str, prefix: str = "/v1") -> Callable[[Ask], Any]:
    def make(ask: Ask) -> Any:
        url = ask.url + prefix
        kind = getattr(lib(module), name)
        return kind(api_key="none", base_url=url, max_retries=0, timeout=ask.timeout)

    return make


make_openai = openai_like("openai", "OpenAI")
make_async_openai = openai_like("openai", "AsyncOpenAI")


def responses_plain(ask: Ask) -> str:
    answer = make_openai(ask).responses.create(model="stand-in", input=ask.text)
    return str(answer.output_text)


def response_text(event: Any) -> str:
    return OVER if event.type == "response.completed" else getattr(event, "delta", event.type)


def responses_stream(ask: Ask) -> Stream:
    answer = make_openai(ask).responses.create(model="stand-in", input=ask.text, stream=True)
    return Stream(map(response_text, answer), answer.close)


async def responses_stream_async(ask: Ask) -> Stream:
    client = make_async_openai(ask)
    answer = await client.responses.create(model="stand-in", input=ask.text, stream=True)
    return Stream((response_text(event) async for event in answer), answer.close)


def openai_manager(ask: Ask) -> Stream:
    """`client.chat.completions.stream()`, a context manager."""

    def parts() -> Iterator[str]:
        with make_openai(ask).chat.completions.stream(**ask.body) as answer:
            for event in answer:
                yield OVER if event.type == "content.done" else getattr(event, "delta", event.type)

    found = parts()
    return Stream(found, found.close)


def openai_raw(ask: Ask) -> Stream:
    """`with_streaming_response`, whose lines are read."""

    def parts() -> Iterator[str]:
        asking = make_openai(ask).chat.completions.with_streaming_response
        with asking.create(**ask.body, stream=True) as answer:
            yield from map(line_text, answer.iter_lines())

    found = parts()
    return Stream(found, found.close)


CLIENTS = {
    "openai": Client("openai", *made(make_openai)),
    "openai, stream()": Client("openai", None, openai_manager),
    "openai, raw": Client("openai", None, openai_raw),
    "openai, responses": Client("openai", responses_plain, responses_stream),
    "openai async": Client("openai", *made_async(make_async_openai), True),
    "openai async, responses": Client("openai", None, responses_stream_async, True),
    "together": Client("together", *made(openai_like("together", "Together"))),
    "together async": Client(
        "together", *made_async(openai_like("together", "AsyncTogether")), True
    ),
    "groq": Client("groq", *made(openai_like("groq", "Groq", ""))),
    "groq async": Client("groq", *made_async(openai_like("groq", "AsyncGroq", "")), True),
}
