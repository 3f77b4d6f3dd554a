"""Replay beside stock vcrpy and an in-memory transport: a dialogue, matching, a miss report.

    python benchmarks/recording_replay.py [--rounds 5] [--stock-sizes 10 100 1000]

All in one run, so that the ratios hold whatever the machine is doing. Stock vcrpy matches on the
body, which is the only way in which it can tell one prompt from another; at 1000 interactions it
takes more than a second for each request.
"""

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import httpx2
import openai
import vcr  # type: ignore[import-untyped]
from vcr.cassette import Cassette  # type: ignore[import-untyped]
from vcr.matchers import body as match_body  # type: ignore[import-untyped]
from vcr.matchers import method as match_method
from vcr.matchers import uri as match_uri
from vcr.record_mode import RecordMode  # type: ignore[import-untyped]
from vcr.request import Request as VcrRequest  # type: ignore[import-untyped]

from pytest_todeval.core.lane import Lane, in_lane
from pytest_todeval.recording.call import Call, Header, Request, Response
from pytest_todeval.recording.key import call_key
from pytest_todeval.recording.miss import CassetteMiss
from pytest_todeval.recording.mode import modes_from
from pytest_todeval.recording.store import write_cassette
from pytest_todeval.recording.tape import Tape

CALLS = 30
PROMPT = "You help guests to find a hotel. " * 120
URL = "http://model.test/v1"
KIND = "application/json"


def body(number: int, prompt: str = PROMPT) -> dict[str, object]:
    """A request of 4 KB."""
    messages = [
        {"role": "system", "content": prompt},
        {"role": "user", "content": f"number {number} " + f"please book {number * 7919} " * 5},
    ]
    return {"messages": messages, "model": "stand-in"}


def answer(number: int) -> bytes:
    message = {"role": "assistant", "content": f"answer {number} " + "Certainly. " * 40}
    choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
    return json.dumps(
        {
            "id": "c",
            "object": "chat.completion",
            "created": 1,
            "model": "stand-in",
            "choices": choices,
        }
    ).encode()


def request(number: int, prompt: str = PROMPT) -> Request:
    data = json.dumps(body(number, prompt)).encode()
    return Request(Lane.SYSTEM, "POST", "/v1/chat/completions", "", KIND, data)


def cassette(folder: Path, size: int) -> Path:
    path = folder / f"{size}.todeval.jsonl"
    if not path.exists():
        calls = []
        for number in range(size):
            asked = request(number)
            said = Response(200, (("content-type", KIND),), answer(number))
            calls.append(Call(call_key(asked), asked, said, number % 30 + 1, "d"))
        write_cassette(path, Header("t", "2024-01-01T00:00:00+00:00", 0), calls)
    return path


def median_ms(function: Callable[[], object], rounds: int) -> float:
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        function()
        times.append((time.perf_counter() - started) * 1000)
    return statistics.median(times)


def dialogue(client: openai.OpenAI) -> None:
    for number in range(CALLS):
        client.chat.completions.create(**body(number))  # type: ignore[call-overload]


def client_of(http: httpx2.Client) -> openai.OpenAI:
    return openai.OpenAI(api_key="none", base_url=URL, http_client=http)


def open_tape(path: Path) -> Tape:
    return Tape(path, test="t", dialogue="d", modes=modes_from("replay"))


def dialogues(folder: Path, rounds: int) -> None:
    path = cassette(folder, CALLS)
    replies = [answer(number) for number in range(CALLS)]
    served = iter(replies)

    def respond(asked: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, headers={"content-type": KIND}, content=next(served))

    in_memory = client_of(httpx2.Client(transport=httpx2.MockTransport(respond)))
    networked = client_of(httpx2.Client())

    def from_memory() -> None:
        nonlocal served
        served = iter(replies)
        dialogue(in_memory)

    def from_tape() -> None:
        with open_tape(path), in_lane("d", Lane.SYSTEM, 1):
            dialogue(networked)

    stock = vcr.VCR(record_mode="none", match_on=["method", "uri", "body"])
    yaml = folder / "stock.yaml"
    write_stock(yaml)

    def from_stock() -> None:
        with stock.use_cassette(str(yaml)):
            dialogue(networked)

    times: dict[str, list[float]] = {"memory": [], "tape": [], "stock": []}
    from_memory()
    from_tape()
    for _ in range(rounds):  # in turn, so that a busy moment hits all three
        times["memory"].append(median_ms(from_memory, 1))
        times["tape"].append(median_ms(from_tape, 1))
        times["stock"].append(median_ms(from_stock, 1))
    memory, tape, other = (statistics.median(times[name]) for name in times)
    print(f"{CALLS}-call dialogue, loading and replaying, median of {rounds}, with openai:")
    print(f"  in-memory transport {memory:8.1f} ms")
    print(f"  tape                {tape:8.1f} ms   {tape / memory:.2f}x of in-memory")
    print(f"  stock vcrpy + body  {other:8.1f} ms   {other / memory:.2f}x of in-memory")
    in_memory.close()
    networked.close()


def write_stock(path: Path) -> None:
    recording = stock_cassette(path, CALLS, RecordMode.ALL)
    recording._save(force=True)


def stock_cassette(path: Path, size: int, mode: RecordMode) -> Cassette:
    made = Cassette(str(path), record_mode=mode, match_on=(match_method, match_uri, match_body))
    for number in range(size):
        said = {
            "status": {"code": 200, "message": "OK"},
            "headers": {"content-type": [KIND]},
            "body": {"string": answer(number)},
        }
        made.append(stock_request(number), said)
    made.rewound = True
    return made


def stock_request(number: int) -> VcrRequest:
    # As the SDK sends it: compact.
    data = json.dumps(body(number), separators=(",", ":"), ensure_ascii=False).encode()
    return VcrRequest("POST", f"{URL}/chat/completions", data, {"content-type": KIND})


def spread(size: int, samples: int) -> Sequence[int]:
    samples = min(size, samples)
    return [index * size // samples for index in range(samples)]


def matched_ms(tape: Tape, asked: Request) -> float:
    return median_ms(lambda: tape.begin(asked, 1), 1)


def matching(folder: Path, sizes: Sequence[int], stock_sizes: Sequence[int]) -> None:
    print("matching, ms a request (4 KB), median over the cassette:")
    for size in sizes:
        tape = open_tape(cassette(folder, size))
        asked = [request(number) for number in spread(size, 200)]
        times = [matched_ms(tape, one) for one in asked]
        print(f"  tape   {size:5} interactions {statistics.median(times):9.3f}")
    for size in stock_sizes:
        made = stock_cassette(folder / "x.yaml", size, RecordMode.NONE)
        numbers = spread(size, 4)

        def match(number: int, made: Cassette = made) -> None:
            asked = stock_request(number)
            assert made.can_play_response_for(asked)
            made.play_response(asked)

        times = [median_ms(lambda n=n: match(n), 1) for n in numbers]  # type: ignore[misc]
        print(f"  stock  {size:5} interactions {statistics.mean(times):9.3f} (mean)")


def report(folder: Path, size: int, rounds: int) -> None:
    tape = open_tape(cassette(folder, size))
    number = size * 4 // 5
    changed = PROMPT[:2000] + "GUESTS" + PROMPT[2006:]
    times, text = [], ""
    for turn in range(rounds):
        started = time.perf_counter()
        try:
            tape.begin(request(number, changed), turn)
        except CassetteMiss as miss:
            text = str(miss)
        times.append(time.perf_counter() - started)
    print(f"miss report at {size}: {statistics.median(times):.3f} s, {len(text)} characters:")
    print("\n".join(f"  {line}" for line in text.splitlines()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10, 1000, 5000])
    parser.add_argument("--stock-sizes", type=int, nargs="*", default=[10, 100, 1000])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        dialogues(folder, options.rounds)
        matching(folder, options.sizes, options.stock_sizes)
        report(folder, options.sizes[-1], options.rounds)


if __name__ == "__main__":
    main()
