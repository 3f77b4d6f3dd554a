"""Damaged files for each parser: none may end in a traceback, take 2 s, or take 500 MB.

    python benchmarks/fuzz.py [--seconds 600] [--only results ...] [--seed 0] [--keep FOLDER]

Each parser gets sound files, which it has to read, and then the same damaged. Half of them have
one value replaced: every kind of place in the file, however deep, gets every value of another type
or size in turn. The others are damaged at random, in their values (left out, doubled, nested
deeply, taken from elsewhere in the file) or in their bytes. What is read goes on to commands that
use it. The status is 1 if any of them does what it may not; `--keep` has those files.
"""

import argparse
import contextlib
import csv
import datetime
import io
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import zipfile
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from pytest_todeval.errors import TodevalError

PROJECT = Path(__file__).resolve().parent.parent
LONGEST, MOST, HANGS, OVER = 2.0, 500 << 20, 60, 3 << 30
"""Seconds of the processor and bytes; seconds by the clock and bytes where a file is given up."""
PIECES = (
    *(b"\x00", b"\xff\xfe", b"\xed\xa0\x80", b"\x1b[2J", b"\xe2\x80\xae", b"\n::error::x\n"),
    *(b"1e308", b"-1", b"1" + b"0" * 400, b"NaN", b"null", b"[]", b"{}", b'""', b"true", b"1e999"),
    *(b"[" * 2_000, b'{"a":' * 2_000, b"&a [*a,*a]", b"!!python/object:os.system x", b"<<: *a"),
    *(b"a*" * 50, b"(a*)(a*)\\1", b"../../etc/passwd", b"a" * 20_000, b"\r\n", b": ", b"- "),
)
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 3, 10**15, 10**40, 1e308, -0.5, float("nan"), float("inf")),
    *("", " ", "a", "1", "-1", "1e400", "\0", "\ud800", "\u202e", "a" * 100_000, "a\n" * 2_000),
    *("../../etc/passwd", "(a*)*b", "a*a*b", "{" * 500, "[" * 500, "http://[", "0" * 5_000),
    *([], {}, [[]], {"": ""}, [None], ["a"] * 2_000, {str(n): n for n in range(500)}, {1: 2}),
    *(1e-300, 5e-324, -0.0, -1e308, -(10**400), "NaN", [float("nan")], {"a": [{"b": -1e300}]}),
    *(b"a", {"a", "b"}, datetime.date(2026, 1, 1), [True, 1, "a", None, 0.5, []], "\U0010ffff"),
    *(json.loads("[" * 300 + "]" * 300), json.loads('{"a":' * 300 + "1" + "}" * 300)),
)
GOALS = """
- id: g1
  message: You want a hotel in the north for 2 nights, with its phone number.
  domains:
    hotel: {inform: {area: north, stars: "4"}, request: [phone], book: {day: monday, stay: "2"}}
  opening: [{user: Hello, system: "Hello, how can I help?"}]
- id: g2
  message: You want a taxi at 17:30.
  domains: {taxi: {inform: {leave: "17:30"}, request: [phone]}}
"""
RATINGS = b"item,dialogue,rater1,rater2,judge\na,x,1,1,2\nb,x,3,2,3\nc,y,2,2,2\nd,y,5,4,5\n"
MODELS = """
user: {model: a, temperature: 0.7, seed: 3, unsupported: [seed]}
judge:
  - {model: b, base_url: "http://a/v1", key: KEY, timeout: 5, retries: 1, per_minute: 60}
  - {model: c, profile: ollama}
"""
TRANSCRIPT = {
    "id": "call-17",
    "goal": {"id": "g", "message": "A hotel.", "domains": {"hotel": {"inform": {"area": "north"}}}},
    "trial": 0,
    "last_words": "Bye.",
    "bot": "b",
    "turns": [
        {
            "user": "A cheap hotel for 2 people on monday?",
            "system": "Mill House, reference ABC12345, tel. 01223 555 123.",
            "tool_calls": [
                {"name": "book", "arguments": {"day": "monday"}, "result": {"ok": [1, "a"]}},
                {"name": "find", "arguments": {}, "error": "none"},
            ],
            "state": {"hotel": {"pricerange": "cheap"}},
            "label": {"hotel": {"pricerange": "cheap"}},
            "retrieved": ["a", "b"],
            "latency_s": 0.5,
            "usage": {"prompt_tokens": 3, "completion_tokens": 4, "cost": 0.1, "model": "m"},
        }
    ],
}
MULTIWOZ = {
    "a.json": {
        "goal": {
            "hotel": {"info": {"area": "north"}, "reqt": ["phone"], "book": {"day": "friday"}},
            "message": ["You want a hotel"],
        },
        "log": [{"text": "hi", "metadata": {}}, {"text": "yes", "metadata": {"hotel": {}}}],
    }
}


Change = Callable[[Any], Any]
SUITE = """
import pytest
from pytest_todeval import Reply, ToolCall, synthetic
from pytest_todeval.systems import RuleSystem

@pytest.fixture
def tod_system(request, backend):
    found = Reply("It is in the north.", (ToolCall("find", {"a": "b"}, {"c": [1, "d"]}),))
    return (lambda text: found) if "fails" in request.node.name else RuleSystem(backend)

@pytest.mark.goals(synthetic("demo", 1, seed=1))
@pytest.mark.trials(2)
@pytest.mark.parametrize("bot", ["fails", "books"])
def test_it(dialogue, judge, bot):
    judge.turns(dialogue), judge.rules(dialogue, "common"), judge.coverage(dialogue)
    assert dialogue.success
"""
"""Whose results have all that results files have."""


class Parser(NamedTuple):
    """Of one kind of file."""

    file: str
    sound: Callable[[], list[bytes]]
    rewritten: Callable[[bytes, "Change"], bytes]
    """A sound file with its values as the function returns them."""
    read: Callable[[Path], object]


def _texts(*texts: str) -> Callable[[], list[bytes]]:
    return lambda: [text.encode() for text in texts]


def _files(pattern: str) -> Callable[[], list[bytes]]:
    return lambda: [path.read_bytes() for path in sorted(PROJECT.glob(pattern))]


def _zips() -> list[bytes]:
    return [_zipped(json.dumps(MULTIWOZ).encode(), zipfile.ZIP_DEFLATED)]


def _zipped(content: bytes, method: int) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", method) as archive:
        archive.writestr("test.json", content)
    return data.getvalue()


def _trajectories() -> list[bytes]:
    from pytest_todeval.worlds.service_desk.domain import load_service_desk

    tasks = load_service_desk()[0]
    said = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]
    call = {"function": {"name": "find_customer", "arguments": '{"email": "a@b.c"}'}, "id": "1"}
    asked = {"role": "assistant", "content": None, "tool_calls": [call]}
    told = {"role": "tool", "name": "find_customer", "tool_call_id": "1", "content": "{}"}
    traj = [*said, asked, told, said[1]]
    runs = [
        {"task_id": number, "reward": 1.0, "info": {}, "traj": traj, "trial": 0}
        for number in range(min(3, len(tasks)))
    ]
    return [json.dumps(runs).encode()]


def _runs() -> list[bytes]:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "test_it.py").write_text(SUITE)
        command = [sys.executable, "-m", "pytest", "-q", "-n0", "--todeval-json=r.json"]
        subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, check=False)
        return [(Path(folder) / "r.json").read_bytes()]


def _goals(path: Path) -> object:
    from pytest_todeval.worlds.files.reading import load_goal_file

    found = load_goal_file(path)
    return found, _command("goals", "check", str(path))


READERS = (
    *("report A", "report A B", "report A --matrix --format markdown", "report A --format github"),
    *("report A --format markdown", "report A --failures B", "report A --composite x=success*2"),
    *("report A B --html NEW --gate success_>=_0.5", "hear A", "hear A --json"),
    *(
        "compare B A --force",
        "compare A B --force --markdown",
        "gate A pass^2_>=_0.5 turns.p90_<=_9",
    ),
    *("gate A success_>=_0.5 faults_<=_0.1 flaky_<=_0.1 cost_<=_1 --baseline B --markdown",),
    *("gate B policy_compliance_>=_4 latency_<=_1 rules.x_==_0 --baseline A",),
    *("baseline update A NEW", "history add NEW A --branch a --version b", "merge A B --json NEW"),
    *("export A --format tau2 -o NEW", "arena A B --prefer success policy_compliance"),
    *("annotate A --sheet NEW", "judge A --ask turns,coverage --json NEW"),
)
"""Commands over a results file; `_` is a blank."""


def _rules(path: Path) -> object:
    from pytest_todeval.evaluate.rules.patterns import search
    from pytest_todeval.rules import load_rules

    found = load_rules(path)
    for pattern in path.read_text(errors="replace").split('"')[1::2]:
        with contextlib.suppress(ValueError):
            search(pattern, "a" * 2_000 + "!")
    return found


def _results(path: Path) -> object:
    """By three of the commands, together with the sound file or with itself."""
    from pytest_todeval.runs.reports.results import read_results

    sound, new = path.with_name("sound.json"), path.with_name("new")
    if not sound.exists():
        sound.write_bytes(path.read_bytes())
    read_results(path)
    names = {"A": path, "B": random.choice((sound, path)), "NEW": new}
    for line in random.sample(READERS, 3):
        new.unlink(missing_ok=True)
        command, *words = (str(names.get(word, word)) for word in line.split())
        with contextlib.suppress(TodevalError):
            _command(command, *(word.replace("_", " ") for word in words))
    return None


def _cassette(path: Path) -> object:
    from pytest_todeval.recording.store import read_cassette

    found = read_cassette(path)
    _command("cassettes", "list", str(path.parent))
    _command("cassettes", "show", str(path))
    return found, _command("cassettes", "verify", str(path.parent))


def _models(path: Path) -> object:
    from pytest_todeval.models.models_file import read_models

    return read_models(path)


def _ratings(path: Path) -> object:
    """Its figures are resampled 2,000 times, a tenth of a second: of each tenth file."""
    from pytest_todeval.research.agreement.ratings_file import read_ratings, scale_of

    if random.random() < 0.1:
        return _command("agreement", str(path), "--scale", "1-5", "--judge", "judge")
    return read_ratings(path, []).ratings(scale_of("1-5"), None)


def _zip(path: Path) -> object:
    return _command("goals", "check", "multiwoz", "--data", str(path))


def _trajectory(path: Path) -> object:
    return _command("score", str(path), "--format", "tau-bench", "--domain", "service_desk")


def _transcript(path: Path) -> object:
    return _command("score", str(path), "--format", "transcripts")


def _command(name: str, *words: str) -> int:
    """Run a command of `todeval`: `cli` imports and declares it, which takes longer."""
    said, (run, options) = io.StringIO(), _known(name)
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
        return int(run(options.parse_args(words)))


@cache
def _known(name: str) -> tuple[Callable[[argparse.Namespace], int], argparse.ArgumentParser]:
    module = import_module(f"pytest_todeval.commands.{name}")
    options = argparse.ArgumentParser()
    module.add_arguments(options)
    return module.run, options


def _in_json(data: bytes, change: Change) -> bytes:
    return _json(change(json.loads(data)))


def _json(value: Any) -> bytes:
    return json.dumps(value, default=str).encode()


def _in_lines(data: bytes, change: Change) -> bytes:
    lines = change([json.loads(line) for line in data.splitlines()])
    return b"".join(_json(line) + b"\n" for line in (lines if isinstance(lines, list) else [lines]))


def _in_yaml(data: bytes, change: Change) -> bytes:
    changed = change(yaml.safe_load(data))
    try:
        return yaml.safe_dump(changed, allow_unicode=True).encode("utf-8", "surrogatepass")
    except (yaml.YAMLError, RecursionError, TypeError):
        return _json(changed)


def _in_csv(data: bytes, change: Change) -> bytes:
    rows = change(list(csv.reader(io.StringIO(data.decode()))))
    out = io.StringIO()
    for row in rows if isinstance(rows, list) else [rows]:
        cells = row if isinstance(row, list) else [row]
        csv.writer(out).writerow([str(cell).replace("\0", "") for cell in cells])
    return out.getvalue().encode("utf-8", "surrogatepass")


def _in_zip(data: bytes, change: Change) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        content = archive.read("test.json")
    changed = _in_json(content, change)
    method = random.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA))
    return _zipped(changed * random.choice((1, 1, 1, 50)), method)


def _changed(value: Any, draw: random.Random) -> Any:
    """The same with one to three places in it changed."""
    root = [deepcopy(value)]
    for _ in range(draw.randint(1, 3)):
        kinds = list(_kinds(root).values())
        # As often near the top as anywhere else.
        holder, key = draw.choice(draw.choice(kinds if draw.random() < 0.7 else kinds[:20]))
        match draw.randrange(6):
            case 0 | 1:
                holder[key] = deepcopy(draw.choice(VALUES))
            case 2:
                other, its = draw.choice(draw.choice(kinds))
                holder[key] = deepcopy(other[its])
            case 3 if holder is not root:
                del holder[key]
            case 4 if isinstance(holder, dict):
                name = draw.choice((f"{key}x", "", "id", "\x1b[2J", "a" * 9_000))
                holder[name] = deepcopy(holder[key])
            case _:
                for _ in range(draw.choice((1, 3, 60))):
                    holder[key] = [holder[key]] if draw.random() < 0.5 else {"a": holder[key]}
    return root[0]


Kind = tuple[str, ...]
"""The last two names that lead to a place, as below other names the same keys come again."""


def _kinds(root: list[Any]) -> dict[Kind, list[tuple[Any, Any]]]:
    """Each place in it by its kind: who holds the value, and under what."""
    found: dict[Kind, list[tuple[Any, Any]]] = {}
    todo: list[tuple[Kind, Any, Any]] = [((), root, 0)]
    for kind, holder, key in todo:
        found.setdefault(kind[-2:], []).append((holder, key))
        value = holder[key]
        if isinstance(value, dict):
            todo += [((*kind, str(name)), value, name) for name in value]
        elif isinstance(value, list):
            todo += [((*kind, "*"), value, place) for place in range(len(value))]
    return found


class Replacing:
    """Each kind of place in the sound files with each of the values, in any order."""

    def __init__(self, parser: Parser, sound: list[bytes], draw: random.Random) -> None:
        self._parser, self._sound, self._draw = parser, sound, draw
        files: dict[Kind, int] = {}
        for number, each in enumerate(sound):
            parser.rewritten(each, partial(self._note, files, number))
        self._left = [(*each, value) for each in files.items() for value in range(len(VALUES))]
        self.all = len(self._left)
        draw.shuffle(self._left)

    def _note(self, files: dict[Kind, int], number: int, value: Any) -> Any:
        files.update(dict.fromkeys(_kinds([value]), number))
        return value

    @property
    def done(self) -> int:
        return self.all - len(self._left)

    def next(self) -> bytes | None:
        """None once all are through."""
        if not self._left:
            return None
        kind, number, value = self._left.pop()
        return self._parser.rewritten(
            self._sound[number], lambda root: self._replaced([root], kind, VALUES[value])
        )

    def _replaced(self, root: list[Any], kind: Kind, value: Any) -> Any:
        holder, key = self._draw.choice(_kinds(root)[kind])
        holder[key] = deepcopy(value)
        return root[0]


PARSERS = {
    "goals": Parser("g.yaml", _texts(GOALS), _in_yaml, _goals),
    "rules": Parser(
        "r.yaml", _files("pytest_todeval/evaluate/rules/sets/*.yaml"), _in_yaml, _rules
    ),
    "results": Parser("r.json", _runs, _in_json, _results),
    "cassettes": Parser(
        "c.todeval.jsonl", _files("examples/**/*.todeval.jsonl"), _in_lines, _cassette
    ),
    "models": Parser("m.yaml", _texts(MODELS), _in_yaml, _models),
    "ratings": Parser("a.csv", lambda: [RATINGS], _in_csv, _ratings),
    "zip": Parser("d.zip", _zips, _in_zip, _zip),
    "trajectories": Parser("t.json", _trajectories, _in_json, _trajectory),
    "transcripts": Parser("t.jsonl", _texts(json.dumps(TRANSCRIPT)), _in_json, _transcript),
}


def damaged(sound: bytes, draw: random.Random) -> bytes:
    """The file with its bytes damaged in one to four places."""
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


def findings(name: str, seconds: float, seed: int, keep: Path | None) -> Iterator[str]:
    """What a parser did that it may not; the last line counts the files."""
    parser, draw = PARSERS[name], random.Random(f"{name} {seed}")
    count, read, slowest, sound = 0, 0, 0.0, parser.sound()
    random.seed(seed)
    resource.setrlimit(resource.RLIMIT_AS, (OVER, OVER))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / parser.file
        for each in sound:
            path.write_bytes(each)
            parser.read(path)
        replacing, end = Replacing(parser, sound, draw), time.process_time() + seconds
        while time.process_time() < end:
            data = (replacing.next() if count % 2 else None) or _damaged(parser, sound, draw)
            path.write_bytes(data)
            count, start = count + 1, time.process_time()
            wrong = _wrong(parser, path)
            taken = time.process_time() - start
            read, slowest = read + (wrong is None), max(slowest, taken)
            if taken > LONGEST:
                wrong = wrong or f"a file took {taken:.1f} s"
            if wrong:
                yield f"{name}: {wrong:.200}"
            if wrong and keep:
                keep.mkdir(parents=True, exist_ok=True)
                (keep / f"{count}-{parser.file}").write_bytes(data)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
    if peak > MOST:
        yield f"{name}: {peak >> 20} MB of memory"
    yield (
        f"{name}: {count} files, {read} of them read, {replacing.done} of {replacing.all} values "
        f"at places, in {seconds:.0f} s of CPU, slowest {slowest:.2f} s, {peak >> 20} MB"
    )


def _damaged(parser: Parser, sound: list[bytes], draw: random.Random) -> bytes:
    each = draw.choice(sound)
    if draw.random() < 0.5:
        return damaged(each, draw)
    return parser.rewritten(each, lambda value: _changed(value, draw))


def _wrong(parser: Parser, path: Path) -> str | None:
    """What it may not do; "" if the file is refused, None if it is read."""
    signal.alarm(HANGS)
    try:
        parser.read(path)
    except TodevalError:
        return ""
    except (Exception, SystemExit):
        last = traceback.extract_tb(sys.exc_info()[2])[-1]
        said = traceback.format_exc().strip().splitlines()[-1]
        return f"{Path(last.filename).name}:{last.lineno} {said}"
    finally:
        signal.alarm(0)
    return None


def _hangs(*_: object) -> None:
    raise TimeoutError(f"a file was not read after {HANGS} s")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--only", nargs="+", choices=PARSERS, default=list(PARSERS))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path)
    args = parser.parse_args()
    signal.signal(signal.SIGALRM, _hangs)
    wrong = 0
    for name in args.only:
        # Each in a process of its own, for the memory that it takes.
        pid = os.fork()
        if not pid:
            lines = dict.fromkeys(findings(name, args.seconds, args.seed, args.keep))
            print("\n".join(lines), flush=True)
            os._exit(len(lines) > 1)
        wrong |= os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
