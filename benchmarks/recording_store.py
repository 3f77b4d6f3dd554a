"""Size and speed of cassettes beside vcrpy's YAML, for the same calls, in one run.

Calls of about 4 KB in growing dialogues of three roles; times are the best of several runs.
"""

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from pytest_todeval.recording.call import Call
from pytest_todeval.recording.key import call_key
from pytest_todeval.recording.store import read_cassette, write_cassette
from pytest_todeval.recording.vcr_yaml import write_vcr_yaml
from tests.support.recorded_calls import HEADER, dialogue


def best(action: Callable[[], object], repeats: int = 5) -> float:
    """Milliseconds of the fastest run."""
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        action()
        times.append(time.perf_counter() - started)
    return min(times) * 1000


def many_calls(count: int) -> list[Call]:
    calls: list[Call] = []
    while len(calls) < count:
        calls += dialogue(8, name=str(len(calls)), words=45)
    return calls[:count]


def load_yaml(path: Path) -> object:
    persister = import_module("vcr.persisters.filesystem").FilesystemPersister
    return persister.load_cassette(path, import_module("vcr.serializers.yamlserializer"))


def compare(title: str, calls: list[Call], folder: Path, yaml_runs: int) -> None:
    ours, theirs = folder / "a.todeval.jsonl", folder / "a.yaml"
    write = best(lambda: write_cassette(ours, HEADER, calls), 3)
    write_vcr_yaml(theirs, calls, base_url="http://127.0.0.1:8000")
    load, load_theirs = (
        best(lambda: read_cassette(ours)),
        best(lambda: load_yaml(theirs), yaml_runs),
    )
    sizes = ours.stat().st_size, theirs.stat().st_size
    per_thousand = 1000 / len(calls)
    mean = statistics.mean(len(call.request.body) for call in calls)
    print(f"{title}: {len(calls)} calls, request bodies of {mean / 1024:.1f} KB on average")
    kb, kb_theirs = (size / 1024 for size in sizes)
    print(f"  size  {kb:8.0f} KB  vcrpy {kb_theirs:8.0f} KB  1/{kb_theirs / kb:.1f}")
    lines = [len(path.read_bytes().splitlines()) for path in (ours, theirs)]
    print(f"  lines {lines[0]:8d}     vcrpy {lines[1]:8d}")
    print(
        f"  load  {load:8.1f} ms  vcrpy {load_theirs:8.1f} ms  1/{load_theirs / load:.1f}"
        f"  ({load * per_thousand:.1f} ms per 1000 calls)"
    )
    print(f"  write {write:8.1f} ms  (scanned, fsync)")


def keys(calls: list[Call]) -> None:
    times = [best(lambda call=call: call_key(call.request), 3) for call in calls[:300]]  # type: ignore[misc]
    print(
        f"key: median {statistics.median(times):.3f} ms, worst of {len(times)} {max(times):.3f} ms"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--turns", type=int, default=20)
    parser.add_argument("--yaml-runs", type=int, default=1)
    given = parser.parse_args()
    import_module("vcr")  # takes long, and is no part of loading
    with tempfile.TemporaryDirectory() as name:
        compare("one growing dialogue", dialogue(given.turns), Path(name), given.yaml_runs)
        calls = many_calls(given.calls)
        compare("many dialogues", calls, Path(name), given.yaml_runs)
        keys(calls)


if __name__ == "__main__":
    main()
