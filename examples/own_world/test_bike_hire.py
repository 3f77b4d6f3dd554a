"""Every goal of the installed world becomes a test, as for any benchmark."""

import pytest

from pytest_todeval import Dialogue, Judge


@pytest.mark.goals("bike_hire")
def test_does_what_the_rider_wants(dialogue: Dialogue, judge: Judge) -> None:
    assert dialogue.reward  # the tables end as they should, and the rider was told what matters
    assert dialogue.verdicts["lock_code"]
    assert judge.rules(dialogue, "rules.yaml")


@pytest.mark.goals("bike_hire", split="refusal")
def test_hires_nothing_out_that_it_must_refuse(dialogue: Dialogue) -> None:
    assert not [call for call in dialogue.tool_calls if call.name == "hire_bike"]
