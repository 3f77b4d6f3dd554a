"""State tracking under any state, label or answer: never an exception, never a wrong number."""

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.evaluate.judge.llm_judge.coverage import CoverageReader
from pytest_todeval.evaluate.judge.llm_judge.panel import PanelAnswer
from pytest_todeval.evaluate.judge.llm_judge.state import INCORRECT, MISSED
from pytest_todeval.evaluate.judge.llm_judge.state_pairs import by_pairs
from pytest_todeval.evaluate.judge.llm_judge.state_step import StateStep
from pytest_todeval.evaluate.metrics.coverage import coverage
from pytest_todeval.evaluate.metrics.state_tracking.belief import pairs_of, turn_state
from pytest_todeval.evaluate.metrics.state_tracking.labels import labelled
from pytest_todeval.evaluate.metrics.state_tracking.schema import StateSchema
from pytest_todeval.models.ask import Asked
from pytest_todeval.models.reading.reader import Unreadable
from pytest_todeval.models.reading.slots import SlotsReader, SlotsReply
from tests.support.dialogue_world import BOOK, dialogue, restaurant_goal, said
from tests.support.examples import examples

FEW = examples(60)
SCHEMA = StateSchema.of({"hotel": {"area": ["north", "south"], "name": []}, "train": ["area"]})
SLOTS = ("hotel-area", "hotel-name", "train-area")
VALUES = st.sampled_from(["north", "South", "dontcare", "the lodge", "12:30", "", "none", "x|y"])
STATES = st.dictionaries(
    st.sampled_from(["hotel", "train"]),
    st.dictionaries(st.sampled_from(["area", "name", "time", "people"]), VALUES, max_size=3),
)
WILD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
PAIRS = st.dictionaries(st.sampled_from([*SLOTS, "hotel_area", "hotel-phone"]), VALUES, max_size=3)


def kept(states: list[Mapping[str, Any]]) -> Dialogue:
    return dialogue(restaurant_goal(), *(said("hello", "yes", state=s) for s in states))


@FEW
@given(st.lists(st.dictionaries(st.text(max_size=8), WILD, max_size=4), min_size=1, max_size=4))
def test_any_states_are_read_and_agree_with_themselves(states: list[Mapping[str, Any]]) -> None:
    for match in ("exact", "normalised"):
        report = labelled(kept(states), states, match)
        assert all(score.value == 1 for series in report.scores.values() for score in series)


@FEW
@given(st.lists(st.tuples(STATES, STATES), min_size=1, max_size=4))
def test_labels_count_what_differs(both: list[tuple[dict[str, Any], dict[str, Any]]]) -> None:
    states, labels = zip(*both, strict=True)
    report = labelled(kept(list(states)), list(labels), "exact")
    for turn, state, label in zip(report.turns, states, labels, strict=True):
        lower = [{k: v.lower() for k, v in pairs_of(each).items()} for each in (state, label)]
        wrong = {k for k in {**lower[0], **lower[1]} if lower[0].get(k) != lower[1].get(k)}
        # "x" of the label "x|y" would do, but no state here has it
        assert {*turn.joint_missed, *turn.joint_incorrect} == wrong
        joint = turn.score("joint_goal_accuracy")
        assert joint is not None
        assert joint.value == (not wrong)


@FEW
@given(STATES, STATES)
def test_a_turn_state_leads_from_one_state_to_the_next(
    one: Mapping[str, Any], other: Mapping[str, Any]
) -> None:
    before, now = pairs_of(one), pairs_of(other)
    changed = turn_state(before, now)
    after = {k: v for k, v in {**before, **changed.updated}.items() if k not in changed.removed}
    assert after.keys() == now.keys()
    assert turn_state(after, now) == turn_state(now, now)


def answer(slots: Mapping[str, str] | None) -> tuple[PanelAnswer[SlotsReply], ...]:
    reply = None if slots is None else SlotsReply(dict(slots), "so it is")
    return (PanelAnswer("m", Asked(reply, None if reply else "cannot be read")),)


TURNS = st.lists(st.tuples(STATES, st.none() | PAIRS, st.none() | PAIRS), min_size=1, max_size=5)


@FEW
@given(TURNS)
def test_the_fold_never_makes_a_number_of_nothing(
    turns: list[tuple[Mapping[str, Any], Mapping[str, str] | None, Mapping[str, str] | None]],
) -> None:
    told = []
    before: dict[str, str] = {}
    for at, (state, incorrect, missed) in enumerate(turns, 1):
        now = {key: value for key, value in pairs_of(state).items() if key in SCHEMA.slots}
        step = StateStep(at, {}, before, turn_state(before, now))
        asked = answer(incorrect) if step.state and step.state.updated else ()
        told.append((step, asked, answer(missed)))
        before = now
    results = by_pairs(told, SCHEMA, "d", by_values=True, all_pairs=False)
    broken = False
    for (_, accuracy, completeness), result in zip(told, results, strict=True):
        first, joint = result.scores
        unread = any(each.asked.value is None for each in (*accuracy, *completeness))
        assert (first.value is None) or not unread
        broken = broken or first.value is None
        assert (joint.value is None) == broken
        assert set(result.incorrect) <= set(result.updated)
        assert set(result.missed) <= set(SCHEMA.slots)
        if first.value is not None:
            assert first.value == (not result.missed and not result.incorrect)
        if joint.value is not None:
            assert joint.value == (not result.joint_missed and not result.joint_incorrect)
            assert {*result.missed} <= {*result.joint_missed}
            assert {*result.incorrect} <= {*result.joint_incorrect}


@FEW
@given(WILD | st.text(max_size=200))
def test_readers_raise_nothing_but_unreadable(reply: object) -> None:
    places = CoverageReader(("K1", "K2"), 3)
    texts = [str(reply), json.dumps(reply), json.dumps({"K1": reply, "K2": {"turn": reply}})]
    for text in texts:
        for reader in (SlotsReader(MISSED), SlotsReader(INCORRECT)):
            with suppress(Unreadable):
                reader.read(text)
        try:
            found = places.read(text)
        except Unreadable:
            continue
        told = [place for place in found.values() if place is not None]
        assert len(told) == len(found)
        assert all(1 <= turn <= 3 and who in ("user", "bot") for turn, who in told)


@FEW
@given(st.lists(st.tuples(st.text(max_size=60), st.text(max_size=60)), min_size=1, max_size=3))
def test_coverage_hears_any_text(talk: list[tuple[str, str]]) -> None:
    turns = [said(user, bot) for user, bot in talk]
    report = coverage(dialogue(restaurant_goal(book=BOOK, request=("phone",)), *turns))
    assert report.score.value is not None
    raised = [word for word in report.keywords if word.raised]
    assert report.score.value == len(raised) / len(report.keywords)
    assert all(word.turn in range(1, len(turns) + 1) for word in raised)
