"""How a turn's state is shown to a judge."""

import json

from pytest_todeval.judge.llm_judge.state_step import Step
from pytest_todeval.metrics.state_tracking.belief import TurnState

CAFE = "Caf\N{LATIN SMALL LETTER E WITH ACUTE}"
STATE = TurnState({"restaurant-name": CAFE}, {"restaurant-area": "north"})


def shown(fenced: str) -> object:
    return json.loads(fenced[fenced.index("{") : fenced.rindex("}") + 1])


def test_what_is_new_and_what_was_taken_out_are_shown_in_the_letters_of_the_dialogue() -> None:
    step = Step(1, {}, {}, STATE)
    assert shown(step.text) == {
        "new or changed": {"restaurant-name": CAFE},
        "taken out": {"restaurant-area": "north"},
    }
    assert shown(step.label) == {"restaurant-name": CAFE}
    assert CAFE in step.text
    assert CAFE in step.label


def test_a_state_that_is_not_known_is_not_shown() -> None:
    step = Step(1, {}, {}, None, "the bot reports none")
    assert step.text == ""
    assert shown(step.label) == {}
