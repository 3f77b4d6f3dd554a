"""How much room a run takes in its results file."""

import json

from tests.plugin.conftest import RULE_SYSTEM, Suite, run

TEST = """
import pytest

@pytest.mark.goals("demo", booking=True, limit=8, seed=1)
def test_books(dialogue, judge):
    assert judge.rules(dialogue, "common")
"""


def test_a_dialogue_of_five_turns_takes_no_more_than_12_kilobytes(suite: Suite) -> None:
    made = suite(TEST, RULE_SYSTEM)
    assert run(made, "-p", "no:xdist", "--todeval-json=r.json").ret == 0
    entries = json.loads((made.path / "r.json").read_bytes())["dialogues"]
    sizes = [
        len(json.dumps(each, ensure_ascii=False).encode())
        for each in entries
        if len(each["turns"]) == 5
    ]
    assert sizes
    assert max(sizes) <= 12_000
