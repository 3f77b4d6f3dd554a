"""GPT-4o's replies as TD-Eval's judge: every one gives the number that it holds."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from pytest_todeval.models.reading.score import ScoreReader

PROJECT = Path(__file__).resolve().parents[2]
MEANS = {
    ("multiwoz", "conv_consistency"): (475, 4.4821),
    ("multiwoz", "backend_consistency"): (475, 4.7768),
    ("multiwoz", "policy_completeness"): (475, 4.5116),
    ("tau", "conv_consistency"): (148, 4.4932),
    ("tau", "backend_consistency"): (148, 3.9662),
    ("tau", "policy_completeness"): (148, 4.0676),
}
"""File and dimension -> replies and mean, counted with a plain search for the digit."""


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "judge_replies_benchmark", PROJECT / "benchmarks" / "judge_replies.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_every_reply_gives_the_number_it_holds(benchmark: ModuleType, shared_data: Path) -> None:
    found = list(benchmark.replies(shared_data / "judge_replies"))
    assert len(found) == 1869
    assert [reply.text for reply in found if reply.value is None] == []
    assert [reply.text for reply in found if reply.value != reply.digit] == []


def test_counts_and_means(benchmark: ModuleType, shared_data: Path) -> None:
    groups: dict[tuple[str, str], list[float]] = {}
    for reply in benchmark.replies(shared_data / "judge_replies"):
        groups.setdefault((reply.file.split("_")[0], reply.dimension), []).append(reply.value)
    means = {
        key: (len(values), round(sum(values) / len(values), 4)) for key, values in groups.items()
    }
    assert means == MEANS


def test_the_reason_is_the_justification(benchmark: ModuleType, shared_data: Path) -> None:
    for reply in benchmark.replies(shared_data / "judge_replies"):
        assert ScoreReader().read(reply.text).reason == reply.justification.strip("* \t\r\n")


def test_other_lines_between_the_headings_change_nothing(
    benchmark: ModuleType, shared_data: Path
) -> None:
    for reply in benchmark.replies(shared_data / "judge_replies"):
        for text in (
            f"**{reply.score}**\n\n**Justification:**{reply.justification}",
            f"**{reply.score}\nJustification:**{reply.justification}",
            f"{reply.score} Justification:{reply.justification}",
            f"Justification:{reply.justification}\n{reply.score}",
        ):
            assert ScoreReader().read(text).value == reply.digit
