"""How a turn's state is shown to a judge."""

import json
from dataclasses import replace

from pytest_todeval.core.dialogue import Turn
from pytest_todeval.evaluate.judge.llm_judge.context import spoken_turn
from pytest_todeval.evaluate.judge.llm_judge.places import NOTHING_SAID
from pytest_todeval.evaluate.judge.llm_judge.state import NOBODY, _steps
from pytest_todeval.evaluate.judge.llm_judge.state_pairs import _Found, _listed, _most
from pytest_todeval.evaluate.judge.llm_judge.state_step import StateStep, as_whole
from pytest_todeval.evaluate.metrics.state_tracking.belief import TurnState
from pytest_todeval.evaluate.metrics.state_tracking.schema import StateSchema
from pytest_todeval.models.fence import fenced
from tests.support.dialogue_world import dialogue, restaurant_goal, said
from tests.support.judging_world import NO_MODEL

CAFE = "Caf\N{LATIN SMALL LETTER E WITH ACUTE}"
STATE = TurnState({"restaurant-name": CAFE}, {"restaurant-area": "north"})


def shown(fenced: str) -> object:
    return json.loads(fenced[fenced.index("{") : fenced.rindex("}") + 1])


def test_what_is_new_and_what_was_taken_out_are_shown_in_the_letters_of_the_dialogue() -> None:
    step = StateStep(1, {}, {}, STATE)
    assert shown(step.text) == {
        "new or changed": {"restaurant-name": CAFE},
        "taken out": {"restaurant-area": "north"},
    }
    assert shown(step.label) == {"restaurant-name": CAFE}
    assert CAFE in step.text
    assert CAFE in step.label


def test_a_state_that_is_not_known_is_not_shown() -> None:
    step = StateStep(1, {}, {}, None, "the bot reports none")
    assert step.text == ""
    assert shown(step.label) == {}


def shown_of(*opening: Turn) -> list[tuple[str, ...]]:
    """History, the bot's last words, and what was said before these, of two turns."""
    state = {"restaurant": {"area": "north"}}
    turns = said("One?", "First.", state=state), said("Two?", "Second.", state=state)
    played = dialogue(replace(restaurant_goal(), opening=opening), *turns)
    steps = _steps(NO_MODEL, played, StateSchema.of({"restaurant": ["area"]}))
    return [
        (each.context["history"], each.context["agent"], each.context["user"], each.earlier)
        for each in steps
    ]


def test_the_bots_last_words_are_shown_apart_from_what_was_said_before() -> None:
    def asked(turn: Turn) -> str:
        return f"Turn {turn.index}\n{fenced('user', turn.user)}"

    def whole(*parts: str) -> str:
        return "\n\n".join(parts)

    first = Turn(1, "One?", "First.")
    users, bot = [fenced("user", text) for text in ("One?", "Two?")], fenced("system", "First.")
    assert shown_of() == [
        (NOTHING_SAID, NOBODY, users[0], NOTHING_SAID),
        (spoken_turn(first), bot, users[1], asked(first)),
    ]
    a, b = Turn(-1, "Hi.", "Hello."), Turn(0, "Well?", "Yes?")
    before = spoken_turn(a), spoken_turn(b)
    assert shown_of(a, b) == [
        (whole(*before), fenced("system", "Yes?"), users[0], whole(before[0], asked(b))),
        (whole(*before, spoken_turn(first)), bot, users[1], whole(*before, asked(first))),
    ]


def test_what_most_answers_say_has_the_reason_of_one_that_says_just_that() -> None:
    north, south = {"area": "north"}, {"area": "south"}
    found = [
        _Found({}, south, {}, {}, "only incorrect"),
        _Found(north, south, {}, {}, "both"),
        _Found(north, {}, {}, {}, "only missed"),
        _Found(north, {}, north, {}, "again"),
    ]
    most = _most(found)
    assert (dict(most.missed), dict(most.incorrect), most.reason) == (north, {}, "only missed")
    assert dict(most.confirmed) == {}
    divided = _most([_Found({}, south, {}, {}, "first"), _Found(north, {}, {}, {}, "second")])
    assert (dict(divided.missed), dict(divided.incorrect), divided.reason) == ({}, {}, "first")
    assert _listed(north, south, north) == (
        "missed area: north; incorrect area: south; held before already area: north"
    )
    assert _listed({}, {}) == "nothing missed, nothing incorrect"


def test_a_turn_of_which_the_state_is_not_known_is_unscored() -> None:
    (result,) = as_whole([(StateStep(2, {}, {}, None, "the bot reports none"), ())], "d")
    (score,) = result.scores
    assert (result.turn, score.value, score.unscored) == (2, None, "the bot reports none")
