"""What a bot's turns cost: as it says, else by the prices of the model that it names."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Dialogue, Turn, Usage
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.prices import Prices
from pytest_todeval.runs.reports.entry import dialogue_entry, without_words
from pytest_todeval.runs.reports.results import environment, results
from pytest_todeval.runs.reports.results_file import write_results
from pytest_todeval.runs.reports.stored import dialogue_of
from tests.conftest import Todeval

PRICES = """
gpt:
  prompt: 2.5
  completion: 10
  parameters: 32000000000
"""


@pytest.fixture
def prices(tmp_path: Path) -> Prices:
    (tmp_path / "prices.yaml").write_text(PRICES)
    return Prices.read(tmp_path / "prices.yaml")


def used(prices: Prices | None, *usages: Usage | None) -> dict[str, Any]:
    turns = tuple(Turn(n, "a", "b", usage=each) for n, each in enumerate(usages, 1))
    dialogue = Dialogue(Goal("G", "demo", ()), turns)
    entry = dialogue_entry(dialogue, test="t", outcome=Outcome.PASSED, prices=prices)
    assert without_words(entry)["usage"] == entry["usage"]
    assert dialogue_of(entry).turns == turns
    return entry["usage"]


def test_tokens_of_a_model_are_priced_as_clem_todd_does(prices: Prices) -> None:
    found = used(prices, Usage(1000, 200, model="gpt"), None)
    # T = p c_i + r c_o; F = 2 x parameters x tokens, in PetaFLOP, x 0.05 (appendix A.6)
    assert math.isclose(found["dollars"], (1000 * 2.5 + 200 * 10) / 1e6)
    assert math.isclose(found["flop_dollars"], 2 * 32e9 * 1200 / 1e15 * 0.05)
    assert (found["prompt_tokens"], found["completion_tokens"], found["cost"]) == (1000, 200, 0)


def test_what_the_bot_says_itself_wins_and_adds_up(prices: Prices) -> None:
    found = used(prices, Usage(1000, 200, 0.5, "gpt"), Usage(1000, 0, model="gpt"), Usage())
    assert math.isclose(found["dollars"], 0.5 + 0.0025)


@pytest.mark.parametrize(
    "usage", [Usage(10, 5), Usage(10, 5, model="other")], ids=["no model", "no price"]
)
def test_a_sum_with_an_unknown_part_is_none(prices: Prices, usage: Usage) -> None:
    found = used(prices, usage, Usage(10, 5, 0.1, "gpt"))
    assert "dollars" not in found
    assert "flop_dollars" not in found
    assert "dollars" not in used(None, Usage(10, 5, model="gpt"))


def test_a_bot_that_reports_nothing_costs_nothing_that_is_known() -> None:
    assert used(None, None, None) == {"prompt_tokens": 0, "completion_tokens": 0, "cost": 0.0}


@pytest.mark.parametrize("command", ["report", "hear"])
@pytest.mark.parametrize(
    ("damage", "code"),
    [
        ({"usage": {"a": 3}}, 0),
        ({"calls": {"system": {"dollars": "x"}}}, 2),
        ({"calls": {"system": 3}}, 2),
    ],
)
def test_figures_that_are_none_end_in_a_line(
    command: str, damage: dict[str, Any], code: int, tmp_path: Path, todeval: Todeval
) -> None:
    dialogue = Dialogue(Goal("G", "demo", ()), (Turn(1, "a", "b"),))
    entry = dialogue_entry(dialogue, test="t", outcome=Outcome.PASSED)
    file = tmp_path / "r.json"
    write_results(file, results([entry], environment()))
    written = json.loads(file.read_text())
    written["dialogues"][0] |= damage
    file.write_text(json.dumps(written))
    printed = todeval(command, file, code=code)
    assert code == 0 or "not a valid results file" in printed.err
