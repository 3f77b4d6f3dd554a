"""Each HTTP client, each kind of call, each crowd: what was recorded is what is replayed."""

import asyncio
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.core.lane import Lane, in_lane
from pytest_todeval.recording.mode import Mode
from pytest_todeval.recording.tape import Tape
from tests.support.recording_world import ASYNC, SYNC, Server, refused_url, served
from tests.support.threads import run_together

CROWDS = {"twenty": (1, 20), "eight-dialogues": (8, 3)}
ERRORS = ("timeout", "reset", "crowded", "broken", "refused")
LOST = refused_url()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with served() as server:
        yield server


def prompts(kind: str, client: str, dialogue: int, count: int) -> list[str]:
    if kind == "errors":
        count = max(count, len(ERRORS))
        words = [ERRORS[i % len(ERRORS)] for i in range(count)]
    else:
        words = ["wait"] * count
    return [f"{word} {client} {kind} {count} of {dialogue} {i}" for i, word in enumerate(words)]


def ask_all(client: str, kind: str, url: str, dialogue: str, asked: Sequence[str]) -> list[Any]:
    """All of them at once, in a dialogue of its own."""

    def address(prompt: str) -> str:
        return LOST if prompt.startswith("refused") else url

    with in_lane(dialogue, Lane.SYSTEM, 1):
        if client in SYNC:
            ask = SYNC[client]
            with ThreadPoolExecutor(len(asked)) as pool:
                return list(pool.map(lambda p: ask(address(p), kind, p), asked))
        ask_async = ASYNC[client]

        async def gathered() -> list[Any]:
            return await asyncio.gather(*(ask_async(address(p), kind, p) for p in asked))

        return asyncio.run(gathered())


def run_through(
    folder: Path, client: str, kind: str, url: str, crowd: tuple[int, int], mode: Mode
) -> tuple[list[list[Any]], list[Tape]]:
    dialogues, count = crowd
    answers: list[list[Any]] = [[] for _ in range(dialogues)]
    with ExitStack() as stack:
        tapes = [
            stack.enter_context(
                Tape(
                    folder / f"{i}.todeval.jsonl",
                    test=f"test_it[{i}]",
                    dialogue=f"d{i}",
                    modes=dict.fromkeys(Lane, mode),
                )
            )
            for i in range(dialogues)
        ]

        def converse(i: int) -> None:
            asked = prompts(kind, client, i, count)
            answers[i] = ask_all(client, kind, url, f"d{i}", asked)

        run_together(threading.Thread(target=converse, args=(i,)) for i in range(dialogues))
        for tape in tapes:
            tape.finish(keep=True)
    return answers, tapes


@pytest.mark.parametrize(
    ("kind", "crowd"),
    [
        ("plain", "twenty"),
        ("stream", "eight-dialogues"),
        ("tools", "twenty"),
        ("errors", "eight-dialogues"),
        pytest.param("plain", "eight-dialogues", marks=pytest.mark.thorough),
        pytest.param("stream", "twenty", marks=pytest.mark.thorough),
        pytest.param("tools", "eight-dialogues", marks=pytest.mark.thorough),
        pytest.param("errors", "twenty", marks=pytest.mark.thorough),
    ],
)
@pytest.mark.parametrize("client", [*SYNC, *ASYNC])
def test_replay_is_what_was_recorded(
    server: Server, tmp_path: Path, client: str, kind: str, crowd: str
) -> None:
    how = client, kind, server.url, CROWDS[crowd]
    recorded, _ = run_through(tmp_path, *how, Mode.REWRITE)
    hits = server.hits
    replayed, tapes = run_through(tmp_path, *how, Mode.REPLAY)
    assert replayed == recorded
    assert server.hits == hits
    for tape, answers in zip(tapes, recorded, strict=True):
        assert not tape.misses
        assert not tape.unused()
        assert not tape.refusals
        assert tape.calls[Lane.SYSTEM].played == len(answers)
    if kind != "errors":
        assert not [a for answers in recorded for a in answers if "raised" in str(a)]


@pytest.mark.parametrize("kind", ["plain", "stream"])
@pytest.mark.parametrize("client", [*SYNC, *ASYNC])
def test_host_port_and_tls_do_not_matter(
    server: Server, tmp_path: Path, client: str, kind: str
) -> None:
    """Recorded from one server, replayed as if from another that does not exist."""
    recorded, _ = run_through(tmp_path, client, kind, server.url, (1, 2), Mode.REWRITE)
    elsewhere = "https://model.test"
    replayed, tapes = run_through(tmp_path, client, kind, elsewhere, (1, 2), Mode.REPLAY)
    assert replayed == recorded
    assert not tapes[0].refusals


@pytest.mark.parametrize("client", [*SYNC, *ASYNC])
def test_a_miss_reaches_the_client_and_is_kept_if_it_is_caught(
    server: Server, tmp_path: Path, client: str
) -> None:
    hits = server.hits
    answers, tapes = run_through(tmp_path, client, "plain", server.url, (1, 1), Mode.REPLAY)
    assert "raised" in answers[0][0]
    assert [str(miss.where) for miss in tapes[0].misses] == [
        "dialogue: d0 · lane system · turn 1 · call 1"
    ]
    assert server.hits == hits
