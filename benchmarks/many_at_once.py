"""Many dialogues at once: wall time, CPU and memory of a live run beside a bare asyncio client.

    python benchmarks/many_at_once.py [--dialogues 40] [--latency 0.3] [--runs 5]

Each dialogue has 8 turns: 9 calls of a model that plays the user, 8 of the bot's, 8 of the judge's,
each answered after `--latency` seconds by a server in a process of its own. The bare client makes
the same calls, in the same order within a dialogue, with as many dialogues and calls at once: 40 at
most. Every command is run `--runs` times in turn, after one that is not counted; medians are shown,
and ratios to the bare client. Bytecode is written, as where pip installs.
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

TURNS = 8
AT_ONCE = 40

CONFTEST = """
import os, pytest
from openai import AsyncOpenAI, OpenAI

class Async:
    def __init__(self):
        self.client = AsyncOpenAI(base_url=os.environ["URL"], api_key="none")

    async def respond(self, text, history):
        messages = [*history, {"role": "user", "content": text}]
        made = await self.client.chat.completions.create(model="bot", messages=messages)
        return made.choices[0].message.content

class Plain:
    def __init__(self):
        self.client = OpenAI(base_url=os.environ["URL"], api_key="none")

    def respond(self, text, history):
        messages = [*history, {"role": "user", "content": text}]
        made = self.client.chat.completions.create(model="bot", messages=messages)
        return made.choices[0].message.content

@pytest.fixture(scope="session")
def tod_system():
    kind = Plain if os.environ["BOT"] == "plain" else Async
    if os.environ["BOT"] == "async":
        bot = kind()  # one client for all dialogues, as a server has it
        return lambda text, history: bot.respond(text, history)
    return kind
"""

SUITE = """
import pytest

@pytest.mark.goals("goals.json")
@pytest.mark.todeval(max_turns=8, unserved="allowed", judge="fused")
def test_it(dialogue, judge):
    assert judge.turns(dialogue).policy_compliance >= 4
"""


class Took(NamedTuple):
    """What a command took."""

    wall: float
    cpu: float
    megabytes: float


async def serve(latency: float) -> None:
    """Answer chat completions until the process ends; the first line printed is the address."""
    from aiohttp import web

    hits = 0

    async def complete(request: web.Request) -> web.Response:
        nonlocal hits
        hits += 1
        asked = await request.json()
        await asyncio.sleep(latency)
        message = {"role": "assistant", "content": answer(asked)}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
        head = {"id": "c", "object": "chat.completion", "created": 1, "model": asked["model"]}
        return web.json_response({**head, "choices": [choice], "usage": usage})

    async def count(_: web.Request) -> web.Response:
        return web.json_response(hits)

    app = web.Application()
    app.add_routes([web.post("/v1/chat/completions", complete), web.get("/hits", count)])
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0, backlog=1000)
    await site.start()
    print(runner.addresses[0][1], flush=True)
    await asyncio.Event().wait()


def answer(asked: dict[str, Any]) -> str:
    """Scores for a judge, else a sentence that ends no dialogue."""
    form = asked.get("response_format", {}).get("json_schema", {}).get("schema")
    if form is not None:
        return json.dumps(filled(form))
    said = len(str(asked["messages"]))
    if asked["model"] == "bot":
        return f"Which day would suit you, and for how many people? We have {said} rooms."
    return f"I look for a hotel in the north, my wish number {said}."


def filled(form: dict[str, Any]) -> Any:
    """The least that fills a JSON schema."""
    if "properties" in form:
        return {name: filled(each) for name, each in form["properties"].items()}
    choices = form.get("anyOf", [form])[0].get("enum")
    return max(choices) if choices else "so" if form.get("type") == "string" else 5


async def bare(url: str, dialogues: int) -> None:
    """The same calls by nothing but the client library."""
    from openai import AsyncOpenAI

    client = AsyncOpenAI(base_url=url, api_key="none", max_retries=0)

    calls, playing = asyncio.Semaphore(AT_ONCE), asyncio.Semaphore(AT_ONCE)

    async def ask(messages: list[dict[str, str]]) -> str:
        async with calls:
            made = await client.chat.completions.create(model="m", messages=messages)  # type: ignore[arg-type]
        return made.choices[0].message.content or ""

    async def dialogue() -> None:
        said: list[dict[str, str]] = []
        async with playing:
            for _ in range(TURNS):
                said.append({"role": "user", "content": await ask([SYSTEM, *said])})
                said.append({"role": "assistant", "content": await ask(said)})
            await ask([SYSTEM, *said])
        await asyncio.gather(*(ask([SYSTEM, *said[: 2 * n]]) for n in range(1, TURNS + 1)))

    await asyncio.gather(*(dialogue() for _ in range(dialogues)))


SYSTEM = {"role": "system", "content": "You play the user of a booking bot. " * 20}


def measured(command: list[str], environment: dict[str, str], folder: Path) -> Took:
    """What a command took as a process, with all it started."""
    with open(folder / "out.txt", "w+") as out:
        began = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=out, stderr=subprocess.STDOUT
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        wall = time.perf_counter() - began
        if process.returncode:
            out.seek(0)
            raise SystemExit(f"{' '.join(command)}\n{out.read()[-3000:]}")
    return Took(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def main() -> None:
    """Print a table: for each way, medians of wall, CPU and memory, and ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--dialogues", type=int, default=40)
    parser.add_argument("--latency", type=float, default=0.3)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--serve", type=float, help=argparse.SUPPRESS)
    parser.add_argument("--bare", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve is not None:
        asyncio.run(serve(args.serve))
    elif args.bare is not None:
        asyncio.run(bare(args.bare, args.dialogues))
    else:
        compare(args.dialogues, args.latency, args.runs)


def compare(dialogues: int, latency: float, runs: int) -> None:
    """Run all ways in turn."""
    own = [sys.executable, __file__]
    serving = subprocess.Popen([*own, "--serve", str(latency)], stdout=subprocess.PIPE, text=True)
    assert serving.stdout is not None
    url = f"http://127.0.0.1:{serving.stdout.readline().strip()}/v1"
    try:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "conftest.py").write_text(CONFTEST)
            (folder / "test_it.py").write_text(SUITE)
            goal = {"message": "You look for a hotel in the north of town.", "solution": "Acorn"}
            goals = [{"id": f"g{n}", **goal} for n in range(dialogues)]
            (folder / "goals.json").write_text(json.dumps({"goals": goals}))
            table(own, url, folder, dialogues, runs)
    finally:
        serving.terminate()
        serving.wait()


def table(own: list[str], url: str, folder: Path, dialogues: int, runs: int) -> None:
    """Measure and print."""
    models = ["--todeval-model=m", f"--todeval-base-url={url}", "--todeval-user=vanilla"]
    pytest = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *models]
    many = f"--todeval-concurrency={min(dialogues, AT_ONCE)}"
    ways: dict[str, tuple[list[str], str]] = {
        "bare asyncio": ([*own, "--bare", url, f"--dialogues={dialogues}"], ""),
        "one process": ([*pytest, "--todeval-record=live", many], "async"),
        "a plain bot": ([*pytest, "--todeval-record=live", many], "plain"),
        "recording": ([*pytest, "--todeval-record=rewrite", many], "async"),
        "-n 2": ([*pytest, "--todeval-record=live", many, "-n2"], "async"),
    }
    took: dict[str, list[Took]] = {way: [] for way in ways}
    environment = {**os.environ, "URL": url}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    for number in range(runs + 1):
        for way, (command, bot) in ways.items():
            spent = measured(command, environment | {"BOT": bot}, folder)
            if number:
                took[way].append(spent)
    least = statistics.median(each.wall for each in took["bare asyncio"])
    own = statistics.median(each.cpu for each in took["bare asyncio"])
    print(f"{dialogues} dialogues, medians of {runs} runs; in brackets: times the bare client")
    for way, all_of in took.items():
        wall, cpu, memory = (statistics.median(column) for column in zip(*all_of, strict=True))
        print(
            f"{way:14} {wall:6.1f} s ({wall / least:.2f})  CPU {cpu:6.1f} s ({cpu / own:.2f})  "
            f"{memory:5.0f} MB"
        )


if __name__ == "__main__":
    main()
