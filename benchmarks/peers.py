"""The dialogues of many_at_once.py by other projects: wall time, CPU and memory, each in one run.

    python benchmarks/peers.py --environments DIR [--dialogues 40] [--runs 3] [--only NAME ...]

Each project is installed into an environment of its own below DIR, if it is not there yet. The work
is the same for each: 8 turns of a model as user and one as bot, then 8 calls of a judge, 40 at once
at most. A project plays and judges by its own means where it has them; what it has none for is done
by the openai client. The number of calls shows who left some out.
"""

import argparse
import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import urllib.request
import venv
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

AT_ONCE, TURNS = 40, 8
SCENARIO = "You look for a hotel in the north of town."


class Model:
    """A model as a bot's own code asks it, 40 calls at once at most."""

    def __init__(self) -> None:
        from openai import AsyncOpenAI

        self._client = AsyncOpenAI(base_url=os.environ["URL"], api_key="none", max_retries=0)
        self._room = asyncio.Semaphore(AT_ONCE)

    async def says(self, messages: list[Any], model: str = "m") -> str:
        """What the model says."""
        async with self._room:
            made = await self._client.chat.completions.create(model=model, messages=messages)
        return made.choices[0].message.content or ""


async def judged(by: Model, turns: list[dict[str, str]]) -> float:
    """A score for each turn, asked at once; their least."""
    asked = (by.says(turns[: 2 * number], "judge") for number in range(1, TURNS + 1))
    return min(map(len, await asyncio.gather(*asked)))


def pydantic_evals(dialogues: int) -> None:
    """A task per dialogue, which plays it, and an evaluator, which judges."""
    from pydantic_evals import Case, Dataset  # type: ignore[import-not-found]
    from pydantic_evals.evaluators import Evaluator  # type: ignore[import-not-found]

    by = Model()

    class Judge(Evaluator):  # type: ignore[misc]
        async def evaluate(self, ctx: Any) -> float:
            return await judged(by, ctx.output)

    async def play(scenario: str) -> list[dict[str, str]]:
        turns: list[dict[str, str]] = []
        for _ in range(TURNS):
            asked = [{"role": "system", "content": scenario}, *turns]
            turns.append({"role": "user", "content": await by.says(asked)})
            turns.append({"role": "assistant", "content": await by.says(turns, "bot")})
        await by.says([{"role": "system", "content": scenario}, *turns])  # the user ends it
        return turns

    cases = [Case(name=f"g{number}", inputs=SCENARIO) for number in range(dialogues)]
    data = Dataset(name="hotels", cases=cases, evaluators=[Judge()])
    report = asyncio.run(data.evaluate(play, max_concurrency=AT_ONCE, progress=False))
    if report.failures or any(case.evaluator_failures for case in report.cases):
        raise SystemExit("not all dialogues were played and judged")


def deepeval(dialogues: int) -> None:
    """Its simulator plays the user; what judges is the client."""
    from deepeval.dataset import ConversationalGolden  # type: ignore[import-not-found]
    from deepeval.models import DeepEvalBaseLLM  # type: ignore[import-not-found]
    from deepeval.simulator import ConversationSimulator  # type: ignore[import-not-found]
    from deepeval.test_case import Turn  # type: ignore[import-not-found]

    by = Model()

    class User(DeepEvalBaseLLM):  # type: ignore[misc]
        def load_model(self) -> Any:
            return by

        def get_model_name(self) -> str:
            return "m"

        def generate(self, prompt: str, schema: Any) -> Any:
            raise NotImplementedError

        async def a_generate(self, prompt: str, schema: Any) -> Any:
            words = await by.says([{"role": "user", "content": prompt}])
            return schema(simulated_input=words)

    async def answer(input: str, turns: list[Any]) -> Any:
        history = [{"role": each.role, "content": each.content} for each in turns]
        asked = [*history, {"role": "user", "content": input}]
        return Turn(role="assistant", content=await by.says(asked, "bot"))

    goldens = [ConversationalGolden(scenario=SCENARIO) for _ in range(dialogues)]
    simulator = ConversationSimulator(
        model_callback=answer, simulator_model=User(), max_concurrent=AT_ONCE
    )
    cases = simulator.simulate(goldens, max_user_simulations=TURNS)

    async def judge() -> None:
        judges = Model()

        async def one(case: Any) -> None:
            await judged(judges, [{"role": t.role, "content": t.content} for t in case.turns])

        await asyncio.gather(*map(one, cases))

    asyncio.run(judge())


PEERS: dict[str, Callable[[int], None]] = {"pydantic-evals": pydantic_evals, "deepeval": deepeval}


def environment(folder: Path, name: str) -> str:
    """The Python of a peer's environment, made if it is not there."""
    python = folder.resolve() / name / "bin" / "python"
    if not python.exists():
        venv.create(folder / name, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "-q", name, "openai"], check=True)
    return str(python)


def hits(url: str) -> int:
    """How many calls the server has answered."""
    with urllib.request.urlopen(url.removesuffix("/v1") + "/hits") as counted:
        return int(counted.read())


def compare(environments: Path, dialogues: int, runs: int, names: list[str]) -> None:
    """Run the bare client and all peers in turn, and print medians."""
    from many_at_once import Took, measured

    here = Path(__file__).parent
    bare = [sys.executable, str(here / "many_at_once.py")]
    pythons = {name: environment(environments, name) for name in names}
    serving = subprocess.Popen([*bare, "--serve", "0.3"], stdout=subprocess.PIPE, text=True)
    assert serving.stdout is not None
    url = f"http://127.0.0.1:{serving.stdout.readline().strip()}/v1"
    number = f"--dialogues={dialogues}"
    commands = {"bare asyncio": [*bare, "--bare", url, number]}
    for name, python in pythons.items():
        commands[name] = [python, __file__, "--play", name, number]
    took: dict[str, list[Took]] = {name: [] for name in commands}
    calls = dict.fromkeys(commands, 0)
    told = {**os.environ, "URL": url, "DEEPEVAL_TELEMETRY_OPT_OUT": "1"}
    told.pop("PYTHONDONTWRITEBYTECODE", None)
    try:
        with tempfile.TemporaryDirectory() as folder:
            for turn in range(runs + 1):
                for name, command in commands.items():
                    before = hits(url)
                    spent = measured(command, told, Path(folder))
                    calls[name] = hits(url) - before
                    if turn:
                        took[name].append(spent)
    finally:
        serving.terminate()
        serving.wait()
    least = Took(*map(statistics.median, zip(*took["bare asyncio"], strict=True)))
    for name, all_of in took.items():
        of = Took(*map(statistics.median, zip(*all_of, strict=True)))
        print(
            f"{name:14} {of.wall:6.1f} s ({of.wall / least.wall:.2f})  CPU {of.cpu:6.1f} s "
            f"({of.cpu / least.cpu:.2f})  {of.megabytes:5.0f} MB  {calls[name]} calls"
        )


def main() -> None:
    """Print a table: for each peer, medians, and ratios to a bare client."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--environments", type=Path, help="where those of the peers are, or go")
    parser.add_argument("--dialogues", type=int, default=40)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", nargs="*", choices=PEERS, default=list(PEERS))
    parser.add_argument("--play", choices=PEERS, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.play:
        print(f"{args.play} {version(args.play)}")
        PEERS[args.play](args.dialogues)
    elif args.environments is None:
        parser.error("--environments: expected a folder for the environments of the peers")
    else:
        compare(args.environments, args.dialogues, args.runs, args.only)


if __name__ == "__main__":
    main()
