"""Tables of papers, reproduced from the dialogues and judgements that were released with them.

    python examples/published_table/published_table.py --data DATA

DATA is a folder with `multiwoz/` (which `todeval data get multiwoz` downloads) and, of these, what
you have; a table whose data is not there is skipped, saying so:

    autotod/gpt_dialogues_0613.jsonl      github.com/DaDaMrX/AutoTOD, results/
    llm_user_agents/*.jsonl               github.com/TaahaKazi/user-agent, auto_evaluation/UA/
                                          and auto_evaluation/Results/
    judge_replies/*_judged_by_gpt4o.json  github.com/emrecanacikgoz/TD-Eval

Each number stands beside the printed one twice: as published, and by this package's default.
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pytest_todeval import Score
from pytest_todeval.cli import main
from pytest_todeval.research.offline.transcripts import Transcript, read_transcripts
from pytest_todeval.results import read_results

Rows = Iterator[Sequence[object]]

TABLE_7 = {
    "domain": {"inform": 0.63, "success": 0.53, "booking": 0.51, "combine": 0.57},
    "dialogue": {"inform": 0.43, "success": 0.46, "booking": 0.48, "combine": 0.46},
}
"""clem:todd, table 7, GPT-3.5-Turbo."""

TABLE_1 = {
    "ua_gpt3_vanilla_tod_gpt3": "165.71/197",
    "ua_gpt3_thought_tod_gpt3": "157.32/199",
    "ua_gpt3_verbose_tod_gpt3": "160.23/200",
    "ua_gpt3_vanilla_tod_llama3": "176.25/199",
    "ua_gpt3_thought_tod_llama3": "153.68/199",
    "ua_gpt3_verbose_tod_llama3": "165.72/200",
    "gpt_4_vanilla": "154.87/176",
    "ua_gpt3_thought_tod_gpt4": "94.63/123",
    "ua_gpt3_verbose_tod_gpt4": "165.71/197",
}
"""LLM user agents, table 1, by how the names of the released files begin."""

TABLE_4 = {
    "ua_gpt3_vanilla_tod_gpt3": "124/200",
    "ua_gpt3_thought_tod_gpt3": "106/177",
    "ua_gpt3_verbose_tod_gpt3": "112/200",
    "ua_gpt3_vanilla_tod_llama3": "188/200",
    "ua_gpt3_thought_tod_llama3": "159/167",
    "ua_gpt3_verbose_tod_llama3": "179/200",
    "gpt_4_vanilla": "156/176",
    "ua_gpt3_thought_tod_gpt4": "94/107",
    "ua_gpt3_verbose_tod_gpt4": "169/200",
}
"""LLM user agents, table 4."""


def autotod(data: Path) -> Rows:
    """clem:todd, table 7: AutoTOD with GPT-3.5."""
    file = data / "autotod" / "gpt_dialogues_0613.jsonl"
    found = _summed(file, "--format", "autotod", "--data", str(data))
    yield "metric", "printed", "as published", "default"
    for level, row in TABLE_7.items():
        for metric, printed in row.items():
            rates = [_rate(found, f"{prefix}{metric}", level) for prefix in ("autotod_", "")]
            yield f"{metric} by {level}", f"{printed:.2f}", *rates


def _summed(file: Path, *options: str) -> Mapping[str, Any]:
    """The metrics in the summary of what `todeval score` writes."""
    with TemporaryDirectory() as folder, redirect_stdout(StringIO()):
        out = Path(folder) / "results.json"
        if main(["score", str(file), *options, "--json", str(out)]):
            raise SystemExit(f"{file} could not be scored")
        return read_results(out)["summary"]["metrics"]


def _rate(found: Mapping[str, Any], name: str, level: str) -> str:
    """The mean over domains or dialogues, with how many there are."""
    if level == "domain":
        parts = [
            each for key, each in found.items() if key.startswith(f"{name}/") and each["total"]
        ]
    else:
        parts = [found[name]]
    total = sum(each["total"] for each in parts)
    return f"{sum(each['rate'] * each['total'] for each in parts) / total:.4f} of {total}"


def coverage(data: Path) -> Rows:
    """LLM user agents, table 1: how much of its goal the user raised, by GPT-4."""
    yield "file", "printed", "as published", "replies that could be read"
    for name, printed in TABLE_1.items():
        found = _stored(data, f"{name}*_res.jsonl")
        published = [score.value for score in _named(found, "published_goal_coverage")]
        known = [value for value in published if value is not None]
        read = [each.value for each in _named(found, "goal_coverage") if each.value is not None]
        whole = f"{sum(known):.2f}/{len(known)} = {sum(known) / len(known):.3f}"
        yield name, printed, whole, f"{sum(read) / len(read):.3f} of {len(read)}"


def completion(data: Path) -> Rows:
    """LLM user agents, table 4: tasks that the bot completed, by GPT-4."""
    yield "file", "printed", "as published", "dialogues without a turn"
    for name, printed in TABLE_4.items():
        found = _stored(data, f"tod_res_{name}*.jsonl")
        values = [score.value or 0 for score in _named(found, "stored_completion")]
        silent = sum(not each.dialogue.turns for each in found)
        yield name, printed, f"{sum(values):g}/{len(values)}", silent


def _stored(data: Path, pattern: str) -> tuple[Transcript, ...]:
    (file,) = (data / "llm_user_agents").rglob(pattern)
    return read_transcripts(file).found


def _named(found: Iterable[Transcript], name: str) -> list[Score]:
    return [score for each in found for score in each.scores.get(name, ())]


def replies(data: Path) -> Rows:
    """TD-Eval: GPT-4o's stored replies, by dimension. The paper prints no mean of these files."""
    yield "file and dimension", "turns", "as published", "default: turns with a look-up only"
    for file in sorted((data / "judge_replies").glob("*_judged_by_gpt4o.json")):
        found = read_transcripts(file).found
        for name in ("conversation_cohesion", "backend_consistency", "policy_compliance"):
            pairs = [
                (score.value, bool(turn.tool_calls))
                for each in found
                for score, turn in zip(each.scores.get(name, ()), each.dialogue.turns, strict=False)
                if score.value is not None
            ]
            every = [value for value, _ in pairs]
            looked = [v for v, look in pairs if look or name != "backend_consistency"]
            yield (
                f"{file.stem.partition('_judged')[0]}: {name}",
                len(every),
                f"{sum(every) / len(every):.4f}",
                f"{sum(looked) / len(looked):.4f} of {len(looked)}",
            )


TABLES: tuple[tuple[str, Callable[[Path], Rows]], ...] = (
    ("autotod/gpt_dialogues_0613.jsonl", autotod),
    ("llm_user_agents", coverage),
    ("llm_user_agents", completion),
    ("judge_replies", replies),
)


def lines(data: Path) -> Iterator[str]:
    """The tables, as far as their data is there."""
    for needed, table in TABLES:
        yield f"\n{table.__doc__}"
        if not (data / needed).exists():
            yield f"skipped: {data / needed} is not there"
            continue
        rows = [[str(cell) for cell in row] for row in table(data)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            yield "  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip()


def print_tables() -> None:
    """Read the command line, and print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder with the data")
    for line in lines(parser.parse_args().data):
        sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    print_tables()
