"""What is found does not hang on the order in which Python's hashes put names."""

import subprocess
import sys

import pytest

SEEDS = range(6)
FINDING = """
from pytest_todeval.facts.dialogue import gather
from pytest_todeval.evaluate.rules.finding import View
from pytest_todeval.evaluate.rules.registry import predicates
from tests.support.dialogue_world import backend, dialogue, restaurant_goal, said

played = dialogue(
    restaurant_goal(),
    said("Italian food?", "The Copper Kettle or Saffron Garden. The phone is 01000999999."),
)
evidence = gather(played, backend())
print(predicates()["wrong_value"].function(View(evidence, evidence.turns[-1]), slots=["phone"]))
"""


@pytest.mark.thorough
def test_a_reason_names_the_same_item_under_every_hash_seed() -> None:
    def found(seed: int) -> str:
        ran = subprocess.run(
            [sys.executable, "-c", FINDING],
            env={"PYTHONHASHSEED": str(seed), "PYTHONPATH": "."},
            capture_output=True,
            text=True,
            check=True,
        )
        return ran.stdout

    reasons = {found(seed) for seed in SEEDS}
    assert len(reasons) == 1
    assert "holds=True" in reasons.pop()
