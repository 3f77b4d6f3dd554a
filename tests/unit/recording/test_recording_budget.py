"""Budgets: calls and dollars, and what happens if a cost is not known."""

import json
from pathlib import Path

import pytest

from pytest_todeval.core.lane import Lane
from pytest_todeval.errors import InvalidFile, UsageError
from pytest_todeval.prices import Prices
from pytest_todeval.recording.budget import Budget, BudgetSpent
from pytest_todeval.recording.call import Request, Response

PRICES = Prices(Path("p.yaml"), {"m": {"prompt": 2.0, "completion": 10.0}})
USED = {"prompt_tokens": 1_000_000, "completion_tokens": 100_000}


def asking(model: str | None) -> Request:
    body = json.dumps({} if model is None else {"model": model}).encode()
    return Request(Lane.SYSTEM, "POST", "/v1/chat/completions", "", "application/json", body)


def answer(model: str = "m", usage: object = None, status: int = 200) -> Response:
    value = {"model": model} | ({} if usage is None else {"usage": usage})
    return Response(status, (), json.dumps(value).encode(), None)


def test_what_answers_say_is_added_up_until_it_is_spent() -> None:
    budget = Budget(max_cost=5, prices=PRICES)
    for _ in range(2):
        budget.take(asking("m"))
        budget.answered(asking("m"), answer("m", USED))
    assert budget.cost == pytest.approx(6)
    with pytest.raises(BudgetSpent, match=r"2 calls cost 6\.0000 US dollars.*allows 5"):
        budget.take(asking("m"))


def test_the_price_of_the_model_asked_for_holds_where_the_answer_names_a_version() -> None:
    budget = Budget(max_cost=5, prices=PRICES)
    budget.answered(asking("m"), answer("m-2025-01-01", {"input_tokens": 500_000}))
    assert budget.cost == pytest.approx(1)


def test_a_stream_tells_in_one_of_its_last_events() -> None:
    event = b"data: " + answer("m", USED).body + b"\n\n"
    budget = Budget(max_cost=5, prices=PRICES)
    budget.answered(asking("m"), Response(200, (), b"", (b"data: {}\n\n", event, b"data: [DONE]")))
    assert budget.cost == pytest.approx(3)


@pytest.mark.parametrize("prices", [None, PRICES])
def test_a_model_without_a_price_is_refused_before_it_is_called(prices: Prices | None) -> None:
    budget = Budget(max_cost=5, prices=prices)
    with pytest.raises(UsageError, match="'other' has no price") as caught:
        budget.take(asking("other"))
    assert str(caught.value).endswith('"other":\n  prompt: USD\n  completion: USD')
    assert ("p.yaml" if prices else "--todeval-prices=todeval_prices.yaml") in str(caught.value)
    assert budget.calls == 0


def test_without_a_limit_of_cost_no_price_is_asked_for() -> None:
    budget = Budget(max_calls=1)
    budget.take(asking("other"))
    budget.answered(asking("other"), answer("other"))
    with pytest.raises(BudgetSpent, match="as many as --todeval-max-calls allows"):
        budget.take(asking("other"))


@pytest.mark.parametrize(
    "usage", [None, {}, {"prompt_tokens": "many"}, {"prompt_tokens": -1}, {"prompt_tokens": 10**40}]
)
def test_after_an_answer_that_does_not_say_what_it_took_no_call_is_made(usage: object) -> None:
    budget = Budget(max_cost=5, prices=PRICES)
    budget.take(asking("m"))
    with pytest.raises(BudgetSpent, match="'m' does not say how many tokens"):
        budget.answered(asking("m"), answer("m", usage))
    with pytest.raises(BudgetSpent, match=r"no more calls are made.*'m' does not say"):
        budget.take(asking("m"))


def test_failed_calls_and_calls_of_no_model_cost_nothing() -> None:
    budget = Budget(max_cost=5, prices=PRICES)
    budget.answered(asking("m"), answer(status=429))
    budget.take(asking(None))
    budget.answered(asking(None), Response(200, (), b"sunny", None))
    assert (budget.calls, budget.cost) == (1, 0)


def test_prices_are_read(tmp_path: Path) -> None:
    file = tmp_path / "prices.yaml"
    file.write_text("m: {prompt: 0.5, completion: 2}\n")
    assert Prices.read(file).cost("m", {"prompt_tokens": 1000, "completion_tokens": 1000}) == (
        pytest.approx(0.0025)
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", ":1: expected models|prices.yaml: expected models"),
        ("- m\n", ":1: expected models"),
        ("m: 3\n", ":1: got 3, expected"),
        ("a: {prompt: 1, completion: 1}\nm:\n  prompt: 1\n", ":2: no price for the completion"),
        ("m:\n  promt: 1\n", ":2: unknown part 'promt'; did you mean 'prompt'"),
        ("m:\n  prompt: USD\n  completion: 1\n", ":2: got 'USD', expected US dollars"),
        ("m:\n  prompt: 1\n  completion: -1\n", ":3: got -1"),
        ("m:\n  prompt: true\n  completion: 1\n", ":2: got True"),
        ("m:\n  prompt: 1e999\n  completion: 1\n", ":2: got "),
        ("4: {prompt: 1, completion: 1}\n", ":1: the model 4 is not a text"),
        ("m: {prompt: 1\n", "broken YAML"),
    ],
)
def test_a_wrong_file_is_refused_with_its_line(tmp_path: Path, text: str, shown: str) -> None:
    file = tmp_path / "prices.yaml"
    file.write_text(text)
    with pytest.raises(InvalidFile, match=shown):
        Prices.read(file)
