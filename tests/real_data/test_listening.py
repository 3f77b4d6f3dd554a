"""Listening measured on MultiWOZ's real system turns, with the definitions of the benchmark."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

PROJECT = Path(__file__).resolve().parents[2]
LEAST_F1 = 0.85
SAMPLE = 150


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "multiwoz_turns_benchmark", PROJECT / "benchmarks" / "multiwoz_turns.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_first_validation_dialogues_are_understood(
    benchmark: ModuleType, shared_data: Path
) -> None:
    data = shared_data / "multiwoz"
    dialogues = benchmark.read_dialogues(data, "val")
    sample = {name: dialogues[name] for name in sorted(dialogues)[:SAMPLE]}
    result = benchmark.measure(sample, benchmark.read_vocabulary(data))
    assert result.micro.gold > 1500
    assert result.micro.f1 >= LEAST_F1
    assert {kind: counts.f1 for kind, counts in result.totals.items() if counts.f1 < 0.75} == {}


@pytest.mark.thorough
def test_the_whole_test_split_is_understood(benchmark: ModuleType, shared_data: Path) -> None:
    data = shared_data / "multiwoz"
    result = benchmark.measure(
        benchmark.read_dialogues(data, "test"), benchmark.read_vocabulary(data)
    )
    assert result.compared + result.unannotated == 7372
    assert result.micro.f1 >= LEAST_F1


def test_a_deaf_listener_would_fail(benchmark: ModuleType, shared_data: Path) -> None:
    empty = benchmark.Vocabulary()
    dialogues = benchmark.read_dialogues(shared_data / "multiwoz", "val")
    sample = {name: dialogues[name] for name in sorted(dialogues)[:40]}
    assert benchmark.measure(sample, empty).micro.f1 < LEAST_F1
