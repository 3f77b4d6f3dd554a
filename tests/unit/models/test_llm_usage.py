"""What calls took, in tokens, seconds and dollars: per call, lane and dialogue."""

import json
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from pathlib import Path

import pytest

from pytest_todeval.core.lane import Lane, Place, in_lane
from pytest_todeval.errors import InvalidFile, UsageError
from pytest_todeval.models.client import ChatClient
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.models.usage import (
    Ledger,
    ModelCall,
    Spent,
    ledger,
    note,
    plain_totals,
)
from pytest_todeval.prices import Prices
from pytest_todeval.testing import Answer, StandInServer

MILLION = 1_000_000
PRICES = Prices(
    None,
    {
        "m": {"prompt": 2.0, "completion": 10.0, "cached": 0.5},
        "plain": {"prompt": 2.0, "completion": 10.0},
        "open": {"prompt": 1.0, "completion": 1.0, "parameters": 32 * 10**9},
        "local": {"parameters": 7 * 10**9},
    },
)


def call(model: str, lane: Lane | None = Lane.JUDGE, spent: Spent | None = None) -> ModelCall:
    place = None if lane is None else Place("demo/1#0", lane, 1)
    return ModelCall(model, place, spent or Spent(MILLION, MILLION // 10, 0, 1.5))


def test_cached_tokens_are_a_part_of_the_prompt_and_have_their_own_price() -> None:
    spent = Spent(MILLION, 0, cached_tokens=MILLION // 4)
    assert call("m", spent=spent).dollars(PRICES) == pytest.approx(0.75 * 2 + 0.25 * 0.5)
    assert call("plain", spent=spent).dollars(PRICES) == pytest.approx(2)


@pytest.mark.parametrize("details", ["prompt_tokens_details", "input_tokens_details"])
def test_both_apis_say_what_was_cached(details: str) -> None:
    prompt = details.removesuffix("_details")
    used = {prompt: MILLION, details: {"cached_tokens": MILLION}}
    assert PRICES.cost("m", used) == pytest.approx(0.5)
    assert PRICES.cost("m", used | {details: None}) == pytest.approx(2)
    assert PRICES.cost("m", used | {details: {"cached_tokens": "all"}}) == pytest.approx(2)
    assert PRICES.cost("m", used | {details: {"cached_tokens": 2 * MILLION}}) == pytest.approx(0.5)


def test_the_cost_by_computation_is_the_papers() -> None:
    # 2 x 32e9 operations for each of 1.1 million tokens are 70.4 PetaFLOP.
    assert call("open").flop_dollars(PRICES) == pytest.approx(70.4 * 0.05)
    assert call("m").flop_dollars(PRICES) is None
    cheaper = Prices(None, PRICES.by_model, dollars_per_petaflop=0.0018)
    assert call("open").flop_dollars(cheaper) == pytest.approx(70.4 * 0.0018)


def test_an_hour_of_an_a100_does_not_make_the_papers_price() -> None:
    petaflop_per_hour = 312e12 * 3600 / 1e15
    assert 2 / petaflop_per_hour == pytest.approx(0.0018, rel=0.02)
    assert Prices().dollars_per_petaflop / (2 / petaflop_per_hour) > 25


def test_totals_by_lane() -> None:
    calls = [call("m"), call("open"), call("m", Lane.USER), call("m", None)]
    found = plain_totals(calls, PRICES)
    assert list(found) == ["user", "judge", "none"]
    assert found["judge"] == {
        "calls": 2,
        "prompt_tokens": 2 * MILLION,
        "completion_tokens": 200_000,
        "cached_tokens": 0,
        "seconds": 3,
        "dollars": pytest.approx(3 + 1.1),
        "flop_dollars": None,  # for one of the two is not known
        "models": ["m", "open"],
    }


def test_what_is_not_known_is_no_zero() -> None:
    found = plain_totals([call("local"), call("local", Lane.USER), call("m", Lane.USER)], PRICES)
    judge, user = found["judge"], found["user"]
    assert judge["dollars"] is None
    assert judge["flop_dollars"] == pytest.approx(2 * 7e9 * 1.1e6 / 1e15 * 0.05)
    assert (user["dollars"], user["flop_dollars"]) == (None, None)
    assert plain_totals([], PRICES) == {}


def test_the_plain_form_is_json_and_the_same_every_time() -> None:
    plain = plain_totals([call("open"), call("m", None)], PRICES)
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    assert list(plain) == ["judge", "none"]
    assert plain["judge"] == {
        "calls": 1,
        "prompt_tokens": MILLION,
        "completion_tokens": 100_000,
        "cached_tokens": 0,
        "seconds": 1.5,
        "dollars": pytest.approx(1.1),
        "flop_dollars": pytest.approx(3.52),
        "models": ["open"],
    }


def test_more_cached_than_asked_is_not_believed() -> None:
    usage = {"prompt_tokens": 5, "prompt_tokens_details": {"cached_tokens": 9}}
    assert Spent.of(usage, 0.5) == Spent(5, 0, 5, 0.5)
    assert Spent.of({"prompt_tokens": 10**40, "completion_tokens": True}, 0) == Spent()


def test_a_ledger_takes_the_calls_of_all_threads_of_its_body() -> None:
    with ledger() as opened, in_lane("demo/1#0", Lane.JUDGE, 2), ThreadPoolExecutor(8) as pool:
        for _ in range(200):
            pool.submit(copy_context().run, note, "m", Spent(1, 1))
    assert len(opened.calls) == 200
    assert {made.place for made in opened.calls} == {Place("demo/1#0", Lane.JUDGE, 2)}
    note("m", Spent(1, 1))
    assert len(opened.calls) == 200


def test_ledgers_do_not_mix() -> None:
    def played(number: int) -> Ledger:
        with ledger() as opened:
            for _ in range(number):
                note("m", Spent(number))
        return opened

    with ThreadPoolExecutor(4) as pool:
        for number, opened in enumerate(pool.map(played, range(20))):
            assert [made.spent.prompt_tokens for made in opened.calls] == [number] * number


def test_a_call_is_entered_with_its_model_and_place_and_a_failed_one_is_not() -> None:
    usage = {"prompt_tokens": 3, "completion_tokens": 1}
    with StandInServer.script([Answer("Hi.", usage=usage), Answer("Hi.", usage={})]) as server:
        client = ChatClient(ModelSettings("m", server.base_url, retries=0))
        with ledger() as opened:
            with in_lane("demo/1#0", Lane.USER, 4):
                client.complete([{"role": "user", "content": "Hello"}])
            client.complete([{"role": "user", "content": "Hello"}])
            with pytest.raises(Exception, match="status 500"):
                client.complete([{"role": "user", "content": "Hello"}])
    first, second = opened.calls
    assert (first.model, first.place) == ("m", Place("demo/1#0", Lane.USER, 4))
    assert (first.spent.prompt_tokens, first.spent.completion_tokens) == (3, 1)
    assert first.spent.latency > 0
    assert (second.place, second.spent.prompt_tokens) == (None, 0)


def test_prices_with_all_that_they_may_say(tmp_path: Path) -> None:
    file = tmp_path / "prices.yaml"
    file.write_text(
        "dollars_per_petaflop: 0.0045\n"
        "m: {prompt: 2, completion: 8, cached: 0.5, parameters: 7000000000}\n"
        "local: {parameters: 7000000000}\n"
    )
    prices = Prices.read(file)
    assert prices.dollars_per_petaflop == 0.0045
    assert prices.flop_cost("local", MILLION) == pytest.approx(14 * 0.0045)
    assert (prices.has_price("m"), prices.has_price("local"), prices.has_price("x")) == (
        True,
        False,
        False,
    )
    with pytest.raises(UsageError, match="'local' has no price"):
        prices.require("local")
    assert Prices.read(_with(file, "m: {prompt: 1, completion: 1}")).dollars_per_petaflop == 0.05


def _with(file: Path, text: str) -> Path:
    file.write_text(text)
    return file


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("m: {prompt: 1, completion: 1}\ndollars_per_petaflop: x\n", ":2: got 'x', expected US"),
        ("dollars_per_petaflop: -1\n", ":1: got -1"),
        (
            "m:\n  prompt: 1\n  completion: 1\n  parameters: 7\n",
            r":4: got 7, expected their number",
        ),
        ("m:\n  parameters: 7b\n", ":2: got '7b'"),
        ("m:\n  prompt: 1\n  completion: 1\n  cached: free\n", ":4: got 'free'"),
        ("m:\n  parameters: 7000000000\n  cached: 1\n", ":1: no price for the prompt"),
        ("m: {}\n", ":1: no price for the prompt"),
    ],
)
def test_wrong_prices_are_refused_with_their_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(InvalidFile, match=said):
        Prices.read(_with(tmp_path / "prices.yaml", text))
