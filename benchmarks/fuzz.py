"""Damaged files for each parser: none may end in a traceback, take 2 s, or take 500 MB.

    python benchmarks/fuzz.py [--seconds 600] [--only results ...] [--seed 0]

Each parser gets a sound file, damaged at random: bytes changed, cut, repeated, nested deeply, and
pieces of other kinds of files put in. The status is 1 if any of them does what it may not.
"""

import argparse
import io
import json
import random
import resource
import sys
import tempfile
import time
import traceback
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from pytest_todeval.errors import TodevalError

LONGEST, MOST = 2.0, 500 << 20
PIECES = (
    *(b"\x00", b"\xff\xfe", b"\xed\xa0\x80", b"\x1b[2J", b"\xe2\x80\xae", b"\n::error::x\n"),
    *(b"1e308", b"-1", b"1" + b"0" * 400, b"NaN", b"null", b"[]", b"{}", b'""', b"true", b"1e999"),
    *(b"[" * 2_000, b'{"a":' * 2_000, b"&a [*a,*a]", b"!!python/object:os.system x", b"<<: *a"),
    *(b"a*" * 50, b"(a*)(a*)\\1", b"../../etc/passwd", b"a" * 20_000, b"\r\n", b": ", b"- "),
)
GOALS = b"""
- id: g1
  message: You want a hotel.
  domains:
    hotel: {inform: {area: north}, request: [phone], book: {day: monday}}
"""
RULES = b"""
rules:
  - name: polite
    forbids: "(damn|hell)"
    says: no oaths
"""
MODELS = (
    b"user: {model: a, temperature: 0.7}\njudge:\n  - {model: b, base_url: http://a/v1, key: KEY}\n"
)
RATINGS = b"item,rater1,judge\na,1,2\nb,3,3\nc,2,2\n"
ENTRY = {"test": "t", "goal": "g", "trial": 0, "outcome": "passed", "stop_reason": "user_done"}


def _results() -> bytes:
    turns = [{"index": 1, "user": "hi", "system": "hello", "tool_calls": [], "latency_s": 0.1}]
    entry = {**ENTRY, "detail": "", "turns": turns, "verdicts": {}, "metrics": {}, "scores": {}}
    found = {"schema": 1, "environment": {"settings": {}}, "dialogues": [entry], "summary": {}}
    return json.dumps(found).encode()


def _cassette() -> bytes:
    lines = [
        {"todeval_cassette": 1, "test": "t", "recorded": "2025-03-01T12:00:00+00:00", "seed": 7},
        {"call": 1, "lane": "system", "turn": 1, "request": {"method": "GET", "url": "http://a/"}},
        {"end": 1},
    ]
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def _zip() -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("test.json", json.dumps({"a.json": {"goal": {"hotel": {}}, "log": []}}))
    return data.getvalue()


def _read_goals(path: Path) -> object:
    from pytest_todeval.worlds.files.reading import load_goal_file

    return load_goal_file(path)


def _read_rules(path: Path) -> object:
    from pytest_todeval.rules import load_rules

    return load_rules(path)


def _read_results(path: Path) -> object:
    from pytest_todeval.reports.report import report_lines
    from pytest_todeval.reports.results import read_results

    return list(report_lines(read_results(path)))


def _read_cassette(path: Path) -> object:
    from pytest_todeval.recording.store import read_cassette

    return read_cassette(path)


def _read_models(path: Path) -> object:
    from pytest_todeval.llm.models_file import read_models

    return read_models(path)


def _read_zip(path: Path) -> object:
    from pytest_todeval.cli import main

    return main(["goals", "check", "multiwoz", "--data", str(path)])


def _read_ratings(path: Path) -> object:
    from pytest_todeval.cli import main

    return main(["agreement", str(path), "--scale", "1-5"])


def _read_trajectories(path: Path) -> object:
    from pytest_todeval.cli import main

    return main(["score", str(path), "--format", "transcripts"])


PARSERS: dict[str, tuple[str, bytes, Callable[[Path], object]]] = {
    "goals": ("g.yaml", GOALS, _read_goals),
    "rules": ("r.yaml", RULES, _read_rules),
    "results": ("r.json", _results(), _read_results),
    "cassettes": ("c.todeval.jsonl", _cassette(), _read_cassette),
    "models": ("m.yaml", MODELS, _read_models),
    "ratings": ("a.csv", RATINGS, _read_ratings),
    "zip": ("d.zip", _zip(), _read_zip),
    "trajectories": ("t.json", b'[{"task_id": 1, "reward": 1.0, "traj": []}]', _read_trajectories),
}


def damaged(sound: bytes, draw: random.Random) -> bytes:
    """The file, damaged in one to four places."""
    data = bytearray(sound)
    for _ in range(draw.randint(1, 4)):
        place = draw.randrange(len(data) + 1)
        end = min(len(data), place + draw.choice((0, 1, 5, 50)))
        match draw.randrange(4):
            case 0:
                data[place:end] = draw.choice(PIECES)
            case 1:
                data[place:end] = draw.randbytes(draw.randint(0, 4))
            case 2:
                data[place:place] = data[place:end] * draw.choice((2, 100))
            case 3:
                del data[place:end]
    return bytes(data)


def findings(name: str, seconds: float, seed: int) -> Iterator[str]:
    """What a parser did that it may not; the last line counts the files."""
    file, sound, read = PARSERS[name]
    draw, count, slowest = random.Random(f"{name} {seed}"), 0, 0.0
    with tempfile.TemporaryDirectory() as folder:
        path, end = Path(folder) / file, time.monotonic() + seconds
        while time.monotonic() < end:
            path.write_bytes(damaged(sound, draw))
            count, start = count + 1, time.process_time()
            try:
                read(path)
            except TodevalError:
                pass
            except (Exception, SystemExit):
                yield f"{name}: {traceback.format_exc().strip().splitlines()[-1]:.200}"
            taken = time.process_time() - start
            slowest = max(slowest, taken)
            if taken > LONGEST:
                yield f"{name}: a file took {taken:.1f} s"
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
    if peak > MOST:
        yield f"{name}: {peak >> 20} MB of memory"
    yield f"{name}: {count} files in {seconds:.0f} s, slowest {slowest:.2f} s, {peak >> 20} MB"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--only", nargs="+", choices=PARSERS, default=list(PARSERS))
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    wrong = 0
    for name in args.only:
        lines = dict.fromkeys(_quietly(findings(name, args.seconds, args.seed)))
        wrong += len(lines) - 1
        print("\n".join(lines), flush=True)
    return 1 if wrong else 0


def _quietly(lines: Iterator[str]) -> Iterator[str]:
    out, err = sys.stdout, sys.stderr
    sys.stdout = sys.stderr = io.StringIO()
    try:
        yield from lines
    finally:
        sys.stdout, sys.stderr = out, err


if __name__ == "__main__":
    raise SystemExit(main())
