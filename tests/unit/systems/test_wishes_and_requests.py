"""What the reference bot takes for a wish is not asked for at the same time."""

from pathlib import Path

import pytest

import pytest_todeval
from pytest_todeval.backends.multiwoz import MultiwozDatabase
from pytest_todeval.simulation.systems.rules.heard_text import Context
from pytest_todeval.simulation.systems.rules.lexicon import BotLexicon
from pytest_todeval.simulation.systems.rules.understanding import understand

DEMO = Path(pytest_todeval.__file__).parent / "worlds" / "demo" / "data"
OFFERED = Context("hotel", offered=("hotel",))


@pytest.mark.parametrize(
    ("context", "text", "expected"),
    [
        (Context(), "I want a hotel with free parking and wifi.", []),
        (OFFERED, "I want a hotel with free parking and wifi.", []),
        (Context("hotel"), "Is there a hotel with free parking?", []),
        (OFFERED, "Does it have free parking?", ["parking"]),
        (OFFERED, "A cheap restaurant in the centre.", []),
    ],
)
def test_a_feature_is_asked_of_what_was_offered_and_wished_of_what_was_not(
    context: Context, text: str, expected: list[str]
) -> None:
    heard = understand(text, BotLexicon.of(MultiwozDatabase.load(DEMO)), context)
    assert [request.slot for request in heard.requests] == expected


@pytest.mark.parametrize("context", [Context(), Context("train")])
def test_a_misspelt_station_is_known_if_trains_are_spoken_of(context: Context) -> None:
    text = "I need a train from Marlwik."
    heard = understand(text, BotLexicon.of(MultiwozDatabase.load(DEMO)), context)
    found = {said.slot: said.value for said in heard.informs}
    assert found == {"departure": "marlwick"}
