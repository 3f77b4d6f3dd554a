"""Three bots talk to three users each: which books, and does it depend on who talks to it?

    pytest examples/compare_bots --todeval-json results.json
    todeval report results.json --matrix --metric booking

The first bot works by rules, the others are clem:todd's systems over a model. Their cassettes were
recorded with a stand-in that answers by rules, so that this runs offline: its numbers say nothing
of the systems. For those, record with a model of yours:

    pytest examples/compare_bots --todeval-record=rewrite --todeval-base-url=http://localhost:11434/v1
"""

import pytest

from pytest_todeval import Dialogue
from pytest_todeval.systems import ModularProgSystem, MonolithicSystem, RuleSystem

MODEL = "qwen2.5:32b"


@pytest.mark.goals("demo", exactly=["hotel"], booking=True, limit=1, seed=1)
@pytest.mark.matrix(
    systems={
        "rules": RuleSystem,
        "monolithic": MonolithicSystem(MODEL),
        "modular": ModularProgSystem(MODEL),
    },
    users=["agenda", "terse", {"user_style": "chatty"}],
)
def test_books(dialogue: Dialogue) -> None:
    assert dialogue.booking
