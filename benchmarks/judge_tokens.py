"""What the turn judge takes: calls, tokens, and how much of the prompts a provider's cache serves.

    python benchmarks/judge_tokens.py [--replies ../shared/data/judge_replies] [--limit 50]

Without `--replies`, dialogues of the demo world are played by RuleSystem and AgendaUser; with it,
the real ones of its `*_judged_by_gpt4o.json` files are read. The judge is a stand-in server: what
is counted is what would be sent. Each file is judged with three calls a turn and with one
(`fused`), and, for comparison, by prompts in the order of the paper's figures: instructions of the
dimension first, the dialogue after them (`paper order`).

Tokens are those of tiktoken's o200k_base where it is installed and has its table, else the
stand-in's: words and punctuation marks, somewhat fewer than a model counts. The JSON schema of the
answer counts as the beginning of the prompt, where OpenAI puts it.

- shared: the longest common beginning with any earlier call of the same dialogue;
- cached: what OpenAI's documented rule serves of it, 128 tokens at a time from 1024 on;
- at once: the same where the calls after the first run eight at a time, and only the first and
  those of earlier eights can serve.
"""

import argparse
import json
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pytest_todeval.backends.multiwoz import MultiwozBackend, MultiwozDatabase
from pytest_todeval.core.dialogue import Dialogue, ToolCall, Turn
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.evaluate.judge.llm_judge.dimensions import DIMENSIONS, score_turns
from pytest_todeval.evaluate.judge.llm_judge.panel import Panel
from pytest_todeval.evaluate.judge.question import ModelBench
from pytest_todeval.goals import store
from pytest_todeval.models.client import ChatClient
from pytest_todeval.models.fake_server.completion import pieces
from pytest_todeval.models.prompt import Prompts
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.nlu.multiwoz_slots import MULTIWOZ_SLOTS
from pytest_todeval.simulation.agenda import AgendaUser
from pytest_todeval.simulation.loop import run_dialogue
from pytest_todeval.systems import RuleSystem
from pytest_todeval.testing import ChatRequest, StandInServer
from pytest_todeval.worlds import registry

Tokens = Sequence[Hashable]
Tokenizer = Callable[[str], Tokens]

PAPER_ORDER = """---
version: 1
source: TD-Eval, figures 10 to 12
---
# system
{{fence_note}}
# user
{{dimension}}

{{policy}}

{{slots}}

{{history}}

{{user}}

{{tools}}

{{response}}
"""
REASON = (
    "The reply answers what the user asked and names the restaurant that the look-up returned. It "
    "leaves out the phone number, which the user had asked for in the turn before."
)
LEAST, STEP, AT_ONCE = 1024, 128, 8


def main() -> None:
    """Print one table per set of dialogues."""
    options = _options()
    name, tokenizer = _tokenizer()
    print(f"tokens: {name}")
    for title, dialogues in _dialogues(options.replies):
        _report(title, list(dialogues)[: options.limit], tokenizer)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--replies", type=Path)
    parser.add_argument("--limit", type=int, default=50)
    return parser.parse_args()


def _tokenizer() -> tuple[str, Tokenizer]:
    try:
        encoding = import_module("tiktoken").get_encoding("o200k_base")
    except (ImportError, OSError):
        return "counted as the stand-in server does (tiktoken is not at hand)", pieces
    return "tiktoken o200k_base", partial(encoding.encode, disallowed_special=())


def _report(title: str, dialogues: Sequence[Dialogue], tokenizer: Tokenizer) -> None:
    turns = sum(len(dialogue.turns) for dialogue in dialogues)
    print(f"\n{title}: {len(dialogues)} dialogues, {turns} turns")
    print(f"{'':<12}{'calls/dialogue':>16}{'prompt/turn':>13}{'answer/turn':>13}", end="")
    print(f"{'shared':>9}{'cached':>9}{'at once':>9}{'uncached/turn':>15}")
    with TemporaryDirectory() as folder:
        Path(folder, "turn_separate.md").write_text(PAPER_ORDER, encoding="utf-8")
        ways = {
            "separate": partial(_asked, fused=False),
            "fused": partial(_asked, fused=True),
            "paper order": partial(_asked, fused=False, folder=folder),
        }
        for way, asked in ways.items():
            calls = [_counted(asked(dialogue), tokenizer) for dialogue in dialogues]
            print(f"{way:<12}{_line(calls, turns)}")


@dataclass(frozen=True)
class Call:
    """One call, in tokens."""

    prompt: int
    answer: int
    shared: int
    at_once: int
    """Shared with the first call or one of an earlier eight."""


def _line(dialogues: Sequence[Sequence[Call]], turns: int) -> str:
    calls = [call for dialogue in dialogues for call in dialogue]
    prompt, cached = sum(c.prompt for c in calls), sum(_served(c.shared) for c in calls)
    shares = (sum(c.shared for c in calls), cached, sum(_served(c.at_once) for c in calls))
    counts = f"{len(calls) / len(dialogues):>16.1f}{prompt / turns:>13.0f}"
    answers = f"{sum(c.answer for c in calls) / turns:>13.0f}"
    served = "".join(f"{100 * share / prompt:>8.1f}%" for share in shares)
    return f"{counts}{answers}{served}{(prompt - cached) / turns:>15.0f}"


def _served(shared: int) -> int:
    """What a cache serves that starts at `LEAST` tokens and goes on by `STEP`."""
    return 0 if shared < LEAST else LEAST + (shared - LEAST) // STEP * STEP


def _counted(requests: Sequence[ChatRequest], tokenizer: Tokenizer) -> list[Call]:
    prompts = [tokenizer(_as_read(request)) for request in requests]
    return [
        Call(
            len(prompt),
            len(tokenizer(json.dumps(_answer(request)))),
            _longest(prompt, prompts[:at]),
            _longest(prompt, prompts[: _ended_before(at)]),
        )
        for at, (request, prompt) in enumerate(zip(requests, prompts, strict=True))
    ]


def _ended_before(at: int) -> int:
    """How many calls have ended when that one starts: none, the first, or whole eights too."""
    return 0 if at == 0 else 1 + (at - 1) // AT_ONCE * AT_ONCE


def _as_read(request: ChatRequest) -> str:
    messages = (f"{message['role']}\n{message['content']}" for message in request.messages)
    return "\n".join([json.dumps(request.schema), *messages])


def _longest(prompt: Tokens, others: Iterable[Tokens]) -> int:
    return max((_common(prompt, other) for other in others), default=0)


def _common(one: Tokens, other: Tokens) -> int:
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle - 1)
    return low


def _asked(dialogue: Dialogue, *, fused: bool, folder: str | None = None) -> list[ChatRequest]:
    """The calls in the order in which the judge makes them."""
    with StandInServer(_answer) as server:
        settings = ModelSettings("judge", base_url=server.base_url, concurrency=1)
        score_turns(ModelBench(Panel([ChatClient(settings)]), Prompts(folder), fused), dialogue)
        return list(server.requests)


def _answer(request: ChatRequest) -> Mapping[str, Any]:
    one = {"reason": REASON, "score": 4}
    fused = all(f"`{name}`" in request.messages[0]["content"] for name in DIMENSIONS)
    return dict.fromkeys(DIMENSIONS, one) if fused else one


def _dialogues(replies: Path | None) -> Iterator[tuple[str, Iterable[Dialogue]]]:
    if replies is None:
        yield "demo world", _played()
        return
    for path in sorted(replies.glob("*_judged_by_gpt4o.json")):
        stored = json.loads(path.read_text(encoding="utf-8"))["dialogues"]
        yield path.stem, (_dialogue(name, turns) for name, turns in stored.items() if turns)


def _played() -> Iterator[Dialogue]:
    demo = registry.load("demo")
    database = MultiwozDatabase.load(store.DEMO)
    for goal in demo.goals:
        user = AgendaUser(goal, database.vocabulary())
        yield run_dialogue(goal, user, RuleSystem, MultiwozBackend(database, goal))


def _dialogue(name: str, stored: Sequence[Mapping[str, Any]]) -> Dialogue:
    turns = tuple(
        Turn(
            at,
            turn["user"].removeprefix("Customer: "),
            turn["response"].removeprefix("Agent: "),
            tuple(_calls(turn["db"])),
        )
        for at, turn in enumerate(stored, 1)
    )
    called = " ".join(call.name for turn in turns for call in turn.tool_calls)
    domains = tuple(DomainGoal(domain) for domain in MULTIWOZ_SLOTS if domain in called)
    return Dialogue(Goal(name, "stored", domains), turns)


def _calls(stored: Any) -> Iterator[ToolCall]:
    """MultiWOZ's steps are a list, tau-bench's lists by number."""
    steps = (
        [step for part in stored.values() for step in part] if isinstance(stored, dict) else stored
    )
    for step in steps:
        if "api_name" in step:
            arguments = step["api_input"]
            known = arguments if isinstance(arguments, dict) else {"input": arguments}
            yield ToolCall(step["api_name"], known, step.get("api_result"))
        elif "name" in step:
            yield ToolCall(step["name"], {"input": step["args"]}, step.get("output"))


if __name__ == "__main__":
    main()
