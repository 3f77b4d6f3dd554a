"""Clients of providers that are built in ways of their own."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

from client_matrix.asking import OVER, Ask, Client, Stream, lib
from client_matrix.chat import chunk_text, no_close, no_close_async, said

__all__ = ["CLIENTS"]


def make_anthropic(ask: Ask, kind: str = "Anthropic") -> Any:
    made = getattr(lib("anthropic"), kind)
    return made(api_key="none", base_url=ask.url, max_retries=0, timeout=ask.timeout)


def anthropic_plain(ask: Ask) -> str:
    return str(make_anthropic(ask).messages.create(**ask.body, max_tokens=9).content[0].text)


async def anthropic_plain_async(ask: Ask) -> str:
    client = make_anthropic(ask, "AsyncAnthropic")
    return str((await client.messages.create(**ask.body, max_tokens=9)).content[0].text)


def anthropic_text(event: Any) -> str:
    if event.type == "message_delta":
        return OVER
    return getattr(getattr(event, "delta", None), "text", None) or event.type


def anthropic_stream(ask: Ask) -> Stream:
    answer = make_anthropic(ask).messages.create(**ask.body, max_tokens=9, stream=True)
    return Stream(map(anthropic_text, answer), answer.close)


async def anthropic_stream_async(ask: Ask) -> Stream:
    client = make_anthropic(ask, "AsyncAnthropic")
    answer = await client.messages.create(**ask.body, max_tokens=9, stream=True)
    return Stream((anthropic_text(event) async for event in answer), answer.close)


def make_genai(ask: Ask) -> Any:
    options = {"base_url": ask.url, "timeout": int(ask.timeout * 1000)}
    return lib("google.genai").Client(api_key="none", http_options=options)


def genai_plain(ask: Ask) -> str:
    client = make_genai(ask)
    return str(client.models.generate_content(model="m", contents=ask.text).text)


async def genai_plain_async(ask: Ask) -> str:
    client = make_genai(ask)
    return str((await client.aio.models.generate_content(model="m", contents=ask.text)).text)


def genai_text(chunk: Any) -> str:
    return OVER if chunk.candidates[0].finish_reason else chunk.text


def genai_stream(ask: Ask) -> Stream:
    client = make_genai(ask)
    answer = client.models.generate_content_stream(model="m", contents=ask.text)

    def parts() -> Iterator[str]:
        assert client  # else its streams are closed with it
        yield from map(genai_text, answer)

    return Stream(parts(), getattr(answer, "close", no_close))


async def genai_stream_async(ask: Ask) -> Stream:
    client = make_genai(ask)
    answer = await client.aio.models.generate_content_stream(model="m", contents=ask.text)

    async def parts() -> AsyncIterator[str]:
        assert client
        async for chunk in answer:
            yield genai_text(chunk)

    return Stream(parts(), getattr(answer, "aclose", no_close_async))


def make_mistral(ask: Ask) -> Any:
    limit = int(ask.timeout * 1000)
    return lib("mistralai.client").Mistral(api_key="none", server_url=ask.url, timeout_ms=limit)


def mistral_plain(ask: Ask) -> str:
    return said(make_mistral(ask).chat.complete(**ask.body))


async def mistral_plain_async(ask: Ask) -> str:
    return said(await make_mistral(ask).chat.complete_async(**ask.body))


def mistral_stream(ask: Ask) -> Stream:
    answer = make_mistral(ask).chat.stream(**ask.body)
    return Stream((chunk_text(event.data) for event in answer), answer.response.close)


async def mistral_stream_async(ask: Ask) -> Stream:
    answer = await make_mistral(ask).chat.stream_async(**ask.body)
    return Stream((chunk_text(event.data) async for event in answer), answer.response.aclose)


def make_cohere(ask: Ask, kind: str = "ClientV2") -> Any:
    made = getattr(lib("cohere"), kind)
    return made("none", base_url=ask.url, timeout=ask.timeout, max_retries=0)


def cohere_text(event: Any) -> str:
    if event.type == "message-end":
        return OVER
    return str(event.delta.message.content.text) if event.type == "content-delta" else event.type


def cohere_plain(ask: Ask) -> str:
    return str(make_cohere(ask).chat(**ask.body).message.content[0].text)


async def cohere_plain_async(ask: Ask) -> str:
    return str((await make_cohere(ask, "AsyncClientV2").chat(**ask.body)).message.content[0].text)


def cohere_stream(ask: Ask) -> Stream:
    answer = make_cohere(ask).chat_stream(**ask.body)
    return Stream(map(cohere_text, answer), answer.close)


async def cohere_stream_async(ask: Ask) -> Stream:
    answer = make_cohere(ask, "AsyncClientV2").chat_stream(**ask.body)
    return Stream((cohere_text(event) async for event in answer), answer.aclose)


def make_ollama(ask: Ask, kind: str = "Client") -> Any:
    return getattr(lib("ollama"), kind)(host=ask.url, timeout=ask.timeout)


def ollama_text(chunk: Any) -> str:
    return OVER if chunk.done else str(chunk.message.content)


def ollama_plain(ask: Ask) -> str:
    return str(make_ollama(ask).chat(**ask.body).message.content)


async def ollama_plain_async(ask: Ask) -> str:
    return str((await make_ollama(ask, "AsyncClient").chat(**ask.body)).message.content)


def ollama_stream(ask: Ask) -> Stream:
    answer = make_ollama(ask).chat(**ask.body, stream=True)
    return Stream(map(ollama_text, answer), answer.close)


async def ollama_stream_async(ask: Ask) -> Stream:
    answer = await make_ollama(ask, "AsyncClient").chat(**ask.body, stream=True)
    return Stream((ollama_text(chunk) async for chunk in answer), answer.aclose)


def make_hub(ask: Ask, kind: str = "InferenceClient") -> Any:
    made = getattr(lib("huggingface_hub"), kind)
    return made(base_url=ask.url + "/v1", api_key="none", timeout=ask.timeout)


def hub_plain(ask: Ask) -> str:
    return said(make_hub(ask).chat_completion(ask.messages))


async def hub_plain_async(ask: Ask) -> str:
    return said(await make_hub(ask, "AsyncInferenceClient").chat_completion(ask.messages))


def hub_stream(ask: Ask) -> Stream:
    client = make_hub(ask)
    answer = client.chat_completion(ask.messages, stream=True)

    def parts() -> Iterator[str]:
        assert client  # else its streams are closed with it
        yield from map(chunk_text, answer)

    return Stream(parts(), getattr(answer, "close", no_close))


async def hub_stream_async(ask: Ask) -> Stream:
    client = make_hub(ask, "AsyncInferenceClient")
    answer = await client.chat_completion(ask.messages, stream=True)

    async def parts() -> AsyncIterator[str]:
        assert client
        async for chunk in answer:
            yield chunk_text(chunk)

    return Stream(parts(), answer.aclose)


def make_bedrock(ask: Ask) -> Any:
    limits = {"read_timeout": ask.timeout, "retries": {"max_attempts": 0}}
    return lib("boto3").client(
        "bedrock-runtime",
        endpoint_url=ask.url,
        region_name="eu-west-1",
        aws_access_key_id="none",
        aws_secret_access_key="none",
        config=lib("botocore.config").Config(**limits),
    )


def converse(ask: Ask) -> dict[str, Any]:
    return {"modelId": "m", "messages": [{"role": "user", "content": [{"text": ask.text}]}]}


def bedrock_plain(ask: Ask) -> str:
    answer = make_bedrock(ask).converse(**converse(ask))
    return str(answer["output"]["message"]["content"][0]["text"])


def bedrock_text(event: dict[str, Any]) -> str:
    if "messageStop" in event:
        return OVER
    return str(event.get("contentBlockDelta", {}).get("delta", {}).get("text", list(event)))


def bedrock_stream(ask: Ask) -> Stream:
    answer = make_bedrock(ask).converse_stream(**converse(ask))["stream"]
    return Stream(map(bedrock_text, answer), answer.close)


CLIENTS = {
    "anthropic": Client("anthropic", anthropic_plain, anthropic_stream),
    "anthropic async": Client("anthropic", anthropic_plain_async, anthropic_stream_async, True),
    "google-genai": Client("google.genai", genai_plain, genai_stream, package="google-genai"),
    "google-genai async": Client(
        "google.genai", genai_plain_async, genai_stream_async, True, package="google-genai"
    ),
    "mistralai": Client("mistralai.client", mistral_plain, mistral_stream),
    "mistralai async": Client("mistralai.client", mistral_plain_async, mistral_stream_async, True),
    "cohere": Client("cohere", cohere_plain, cohere_stream),
    "cohere async": Client("cohere", cohere_plain_async, cohere_stream_async, True),
    "ollama": Client("ollama", ollama_plain, ollama_stream),
    "ollama async": Client("ollama", ollama_plain_async, ollama_stream_async, True),
    "huggingface_hub": Client("huggingface_hub", hub_plain, hub_stream),
    "huggingface_hub async": Client("huggingface_hub", hub_plain_async, hub_stream_async, True),
    "boto3": Client("boto3", bedrock_plain, bedrock_stream),
}
