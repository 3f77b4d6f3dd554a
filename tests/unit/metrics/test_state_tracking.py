"""Belief states, turn states, running lists, and the comparison with labels."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.score import Score
from pytest_todeval.errors import JudgeFault, UsageError
from pytest_todeval.evaluate.metrics.state_tracking.belief import (
    TurnState,
    key_of,
    pairs_of,
    turn_state,
)
from pytest_todeval.evaluate.metrics.state_tracking.labels import labelled
from pytest_todeval.evaluate.metrics.state_tracking.report import StateReport, TurnResult
from pytest_todeval.evaluate.metrics.state_tracking.running import Running
from pytest_todeval.evaluate.metrics.state_tracking.schema import StateSchema
from tests.support.dialogue_world import dialogue, goal, restaurant_goal, said

State = Mapping[str, Any]


def kept(*states: State | None) -> Dialogue:
    """A dialogue of a bot that wrote these states down."""
    return dialogue(restaurant_goal(), *(said("hello", "yes", state=state) for state in states))


def by_turn(report: StateReport, name: str) -> list[float | None]:
    return [score.value for score in report.scores[name]]


def test_a_state_in_each_form_the_field_has() -> None:
    nested = {"hotel": {"area": "north", "book stay": 2}, "train": {"leaveat": "09:00"}}
    corpus = {
        "hotel": {
            "semi": {"area": "north", "name": "not mentioned"},
            "book": {"stay": "2", "people": "", "booked": [{"name": "x"}]},
        },
        "train": {
            "semi": {"leaveAt": "09:00"},
            "book": {"ticket": "3", "people": "", "booked": []},
        },
    }
    flat = {"Hotel-area": "north", "hotel-bookstay": "2", "train-leave at": "09:00"}
    wanted = {"hotel-area": "north", "hotel-stay": "2", "train-leaveAt": "09:00"}
    assert pairs_of(nested) == pairs_of(corpus) == pairs_of(flat) == wanted


@pytest.mark.parametrize("empty", ["", "none", "None", "not mentioned", " ", None, [], "?"])
def test_what_is_empty_is_not_there(empty: object) -> None:
    assert pairs_of({"hotel": {"area": empty, "stars": "4"}}) == {"hotel-stars": "4"}


@pytest.mark.parametrize("said", ["dontcare", "don't care", "do n't care", "any", "Dont care"])
def test_every_wording_of_no_preference_is_one_value(said: str) -> None:
    assert pairs_of({"hotel": {"area": said}}) == {"hotel-area": "dontcare"}


def test_no_preference_for_a_name() -> None:
    assert pairs_of({"hotel": {"name": "do n't care"}}) == {"hotel-name": "dontcare"}
    assert pairs_of({"hotel": {"name": "any"}}) == {"hotel-name": "any"}


def test_values_of_other_types() -> None:
    state = {"h": {"a": True, "b": False, "c": 4, "d": 2.0, "e": ["x", "y", "x"], "f": {"z": 1}}}
    assert list(pairs_of(state).values()) == ["yes", "no", "4", "2", "x|y", "(dict)"]


def test_a_domain_with_a_hyphen() -> None:
    assert key_of("pizza-delivery", "size") == "pizza delivery-size"


def test_a_turn_state_is_what_is_new_or_changed() -> None:
    before = pairs_of({"hotel": {"area": "centre", "stars": "4", "day": "friday"}})
    now = pairs_of({"hotel": {"area": "center", "stars": "3", "people": "2"}})
    changed = turn_state(before, now)
    assert changed.updated == {"hotel-people": "2", "hotel-stars": "3"}
    assert changed.removed == {"hotel-day": "friday"}


GOOD = {"restaurant": {"food": "italian", "area": "centre"}}
LABELS = ({"restaurant": {"food": "italian"}}, GOOD, GOOD)


def test_the_labels_themselves_are_right() -> None:
    report = labelled(kept(*LABELS), LABELS, "exact")
    assert all(by_turn(report, name) == [1, 1, 1] for name in report.scores)
    assert report.turn_state_accuracy >= 1
    assert report.joint_goal_accuracy >= 1
    assert list(report.scores) == [
        "turn_state_accuracy", "joint_goal_accuracy", "slot_accuracy", "slot_f1",
    ]  # fmt: skip


def test_a_slip_counts_once_for_the_turn_and_on_for_the_state() -> None:
    wrong = {"restaurant": {"food": "indian"}}
    report = labelled(
        kept(wrong, {"restaurant": {"food": "indian", "area": "centre"}}, GOOD), LABELS
    )
    assert by_turn(report, "turn_state_accuracy") == [0, 1, 0]
    assert by_turn(report, "joint_goal_accuracy") == [0, 0, 1]
    first = report.turns[0]
    assert first.missed == {"restaurant-food": "italian"}
    assert first.incorrect == {"restaurant-food": "indian"}
    assert report.turns[1].joint_incorrect == {"restaurant-food": "indian"}
    assert "missed restaurant-food: italian" in first.scores[0].reason


def test_slot_accuracy_and_f1_are_those_of_trade() -> None:
    schema = {"restaurant": ["food", "area", "people", "day"]}
    state = {"restaurant": {"food": "indian", "people": "2"}}
    report = labelled(kept(state), [GOOD], schema=schema)
    # food is wrong, area missed, people made up, day right; no pair of the state is right
    assert by_turn(report, "slot_accuracy") == [0.25]
    assert by_turn(report, "slot_f1") == [0]
    half = labelled(kept({"restaurant": {"food": "italian"}}), [GOOD], schema=schema)
    assert by_turn(half, "slot_accuracy") == [0.75]
    assert by_turn(half, "slot_f1") == [pytest.approx(2 / 3)]
    empty = labelled(kept({}), [{}], schema=schema)
    assert by_turn(empty, "slot_f1") == [1]


def test_matching_by_the_letter_or_by_meaning() -> None:
    state = {"restaurant": {"area": "Center", "time": "6:30 pm", "name": "copper kettle"}}
    label = {"restaurant": {"area": "centre", "time": "18:30", "name": "the copper kettle"}}
    assert labelled(kept(state), [label]).joint_goal_accuracy >= 1
    exact = labelled(kept(state), [label], "exact")
    assert exact.turns[0].joint_missed == pairs_of(label)


def test_exact_is_case_blind() -> None:
    report = labelled(kept({"hotel": {"area": " NORTH"}}), [{"hotel": {"area": "north"}}], "exact")
    assert report.joint_goal_accuracy >= 1


def test_a_label_may_accept_several_values() -> None:
    label = [{"hotel": {"type": ["guesthouse", "hotel"]}}]
    assert labelled(kept({"hotel": {"type": "hotel"}}), label, "exact").joint_goal_accuracy >= 1
    other = labelled(kept({"hotel": {"type": "hostel"}}), label, "exact")
    assert by_turn(other, "joint_goal_accuracy") == [0]
    both = labelled(kept({"hotel": {"type": ["hotel", "hostel"]}}), label, "exact")
    assert by_turn(both, "joint_goal_accuracy") == [0]


def test_no_preference_is_a_value() -> None:
    label = [{"hotel": {"area": "dontcare"}}]
    assert by_turn(labelled(kept({}), label), "joint_goal_accuracy") == [0]
    assert by_turn(labelled(kept({"hotel": {"area": "any"}}), label), "turn_state_accuracy") == [1]


def test_what_was_dropped_is_missed_and_what_was_kept_too_long_incorrect() -> None:
    dropped = labelled(kept(GOOD, {"restaurant": {"food": "italian"}}), [GOOD, GOOD])
    assert dropped.turns[1].missed == {"restaurant-area": "centre"}
    assert dropped.turns[1].removed == {"restaurant-area": "centre"}
    stale = labelled(kept(GOOD, GOOD), [GOOD, {"restaurant": {"food": "italian"}}])
    assert stale.turns[1].incorrect == {"restaurant-area": "centre"}
    assert by_turn(stale, "turn_state_accuracy") == by_turn(stale, "joint_goal_accuracy") == [1, 0]


def test_a_turn_without_a_state_is_unscored() -> None:
    report = labelled(kept(LABELS[0], None, GOOD), LABELS)
    assert by_turn(report, "turn_state_accuracy") == [1, None, None]
    assert by_turn(report, "joint_goal_accuracy") == [1, None, 1]
    with pytest.raises(JudgeFault, match="turn 2 is unscored: the bot reported no state"):
        assert report.joint_goal_accuracy >= 1


@pytest.mark.parametrize("states", [(), (None, None)])
def test_nothing_to_judge_is_no_score(states: Sequence[State | None]) -> None:
    with pytest.raises(JudgeFault):
        labelled(kept(*states), [{}] * len(states))


def test_wrong_use_is_said() -> None:
    with pytest.raises(UsageError, match="got 1 labels for 2 turns"):
        labelled(kept(GOOD, GOOD), [GOOD])
    with pytest.raises(UsageError, match="expected one of exact, normalised"):
        labelled(kept(GOOD), [GOOD], "fuzzy")
    with pytest.raises(UsageError, match="expected its slots"):
        StateSchema.of({"hotel": "area"})
    with pytest.raises(UsageError, match="gives no slot_f2"):
        labelled(kept(GOOD), [GOOD])._series("slot_f2")


class TestSchema:
    def test_it_has_a_line_for_each_slot_and_keeps_what_it_knows(self) -> None:
        schema = StateSchema.of({"pub": {"check-in": [], "area": ["north", "south"]}})
        assert StateSchema.of(schema) is schema
        assert schema.text == "pub-area: north, south\npub-check-in"
        assert schema.find("pubbook check-in") == ("pub-check-in",)
        assert schema.find("pub-book-check-book-in") == ()

    SCHEMA = StateSchema.of(
        {
            "hotel": {"price range": ["cheap", "moderate"], "book stay": []},
            "train": {"leaveAt": [], "day": []},
            "taxi": ["leaveAt"],
        }
    )

    @pytest.mark.parametrize(
        ("name", "meant"),
        [
            ("hotel-pricerange", ("hotel-pricerange",)),
            ("Hotel-Price Range", ("hotel-pricerange",)),
            ("hotel_book_stay", ("hotel-stay",)),
            ("hotel-bookstay", ("hotel-stay",)),
            ("train-leave at", ("train-leaveAt",)),
            ("leaveat", ("taxi-leaveAt", "train-leaveAt")),
            ("day", ("train-day",)),
            ("hotel-phone", ()),
            ("", ()),
        ],
    )
    def test_slots_are_found_in_any_spelling(self, name: str, meant: tuple[str, ...]) -> None:
        assert self.SCHEMA.find(name) == meant

    def test_values_of_a_categorical_slot_are_to_the_letter(self) -> None:
        admits = self.SCHEMA.admits
        assert admits("hotel-pricerange", "Cheap")
        assert admits("hotel-pricerange", "dontcare")
        assert not admits("hotel-pricerange", "high")
        assert not admits("hotel-pricerange", "inexpensive")
        assert admits("hotel-stay", "anything at all")

    def test_a_published_goal_has_the_schema_of_its_corpus(self) -> None:
        part = DomainGoal("hotel", inform={"area": "north"})
        published = StateSchema.for_dialogue(dialogue(Goal("1", "m", (part,), published=True)))
        assert not published.admits("hotel-area", "harbour")
        assert "train-leaveAt" in published.slots
        assert "hotel-phone" not in published.slots

    def test_a_goal_of_ones_own_has_its_slots_and_the_bots(self) -> None:
        part = DomainGoal(
            "hotel", inform={"area": "harbour"}, book={"stay": "2"}, request=("phone",)
        )
        own = dialogue(goal(part), said("", "", state={"spa": {"hour": "09:00"}}))
        schema = StateSchema.for_dialogue(own)
        assert list(schema.slots) == ["hotel-area", "hotel-stay", "spa-hour"]
        assert schema.admits("hotel-area", "old town")

    def test_what_a_bot_reports_beyond_the_goals_changes_no_definition(self) -> None:
        goals = [goal(DomainGoal("hotel", book={"stay": "2"})), goal(DomainGoal("spa", {"a": "b"}))]
        base = StateSchema.of_goals(goals)
        silent, more = (
            dialogue(goals[0]),
            dialogue(goals[1], said("", "", state={"pub": {"x": "y"}})),
        )
        schemas = [StateSchema.for_dialogue(each, base) for each in (silent, more)]
        assert [list(each.slots) for each in schemas] == [
            ["hotel-stay", "spa-a"],
            ["hotel-stay", "pub-x", "spa-a"],
        ]
        assert schemas[0].definition == schemas[1].definition == base.definition
        assert StateSchema.of({"pub": ["x"]}).definition != base.definition


class TestRunning:
    def test_a_missed_pair_stays_until_it_is_there(self) -> None:
        running = Running()
        running.update(TurnState({}, {}), {"hotel-area": "north"}, {}, {})
        running.update(TurnState({"hotel-stars": "4"}, {}), {}, {}, {})
        assert running.missed == {"hotel-area": "north"}
        assert running.is_counted("hotel-area", "the North")
        running.update(TurnState({"hotel-area": "north"}, {}), {}, {}, {})
        assert not running.missed
        assert not running.incorrect

    def test_an_incorrect_pair_leaves_when_corrected_removed_or_confirmed(self) -> None:
        wrong = {"hotel-area": "south"}
        for turn, confirmed in (
            (TurnState({"hotel-area": "north"}, {}), {}),
            (TurnState({}, {"hotel-area": "south"}), {}),
            (TurnState({}, {}), wrong),
        ):
            running = Running()
            running.update(TurnState(wrong, {}), {}, wrong, {})
            assert running.incorrect == wrong
            running.update(turn, {}, {}, confirmed)
            assert not running.incorrect

    def test_a_wrong_value_in_place_of_a_missed_one_keeps_both_until_the_right_one(self) -> None:
        running = Running()
        running.update(TurnState({}, {}), {"hotel-area": "north"}, {}, {})
        running.update(TurnState({"hotel-area": "south"}, {}), {}, {"hotel-area": "south"}, {})
        assert running.missed
        assert running.incorrect
        running.update(TurnState({"hotel-area": "north"}, {}), {}, {}, {})
        assert not running.missed
        assert not running.incorrect

    def test_a_pair_that_comes_back_is_judged_anew(self) -> None:
        running = Running()
        for value in ("north", "south", "north"):
            running.update(TurnState({"hotel-area": value}, {}), {}, {}, {})
            assert not running.missed
            assert not running.incorrect

    def test_what_was_judged_correct_is_repeated_until_the_slot_changes(self) -> None:
        north, south = (
            TurnState({"hotel-area": "north"}, {}),
            TurnState({"hotel-area": "south"}, {}),
        )
        first, every = Running(), Running(all_pairs=True)
        assert first.repeated(north) == {}
        for running in (first, every):
            running.update(north, {}, {}, {})
            assert running.repeated(TurnState({"hotel-area": "North", "hotel-stars": "4"}, {})) == {
                "hotel-area": "North"
            }
            assert running.repeated(south) == {}
            running.update(south, {}, {}, {})
        assert (first.repeated(north), every.repeated(north)) == ({}, north.updated)
        first.update(TurnState({}, {"hotel-area": "south"}), {}, {}, {})
        every.update(TurnState({}, {"hotel-area": "south"}), {}, {}, {})
        assert (first.repeated(south), every.repeated(south)) == ({}, south.updated)
        first.update(south, {}, {}, {})
        first.update(TurnState({}, {}), {}, {"hotel-area": "south"}, {})
        assert first.repeated(south) == {}

    def test_only_the_value_that_is_confirmed_is_no_longer_incorrect(self) -> None:
        running = Running()
        wrong = {"hotel-area": "south", "hotel-stars": "4"}
        running.update(TurnState(wrong, {}), {"hotel-day": "monday"}, wrong, {})
        running.update(TurnState({}, {}), {}, {}, {"hotel-area": "north", "hotel-day": "monday"})
        assert running.incorrect == wrong
        assert running.missed == {"hotel-day": "monday"}
        assert not running.is_counted("hotel-day", "friday")


def test_whether_a_turn_has_scores_says_nothing_of_them() -> None:
    result = TurnResult(1, (Score("turn_state_accuracy", 0, "wrong", 1, (0, 1)),))
    assert [score.value for score in result.scores] == [0]
    with pytest.raises(UsageError, match="1 results are neither true nor false"):
        bool(result.scores)


# trackers that report turn states


def predicted(*states: State | None) -> Dialogue:
    """A dialogue of a bot that reports what each turn adds or changes."""
    turns = [replace(said("hello", "yes"), turn_state=state) for state in states]
    return dialogue(restaurant_goal(), *turns)


NORTH: State = {"hotel": {"area": "north"}}
NORTH_4: State = {"hotel": {"area": "north", "stars": "4"}}


def test_turn_states_add_up_to_the_state_that_labels_are_of() -> None:
    report = labelled(predicted(NORTH, {"hotel": {"stars": "4"}}, {}), [NORTH, NORTH_4, NORTH_4])
    assert by_turn(report, "turn_state_accuracy") == [1, 1, 1]
    assert by_turn(report, "joint_goal_accuracy") == [1, 1, 1]


def test_a_turn_state_that_repeats_is_wrong_and_the_state_is_not() -> None:
    report = labelled(predicted(NORTH, NORTH_4), [NORTH, NORTH_4])
    assert by_turn(report, "turn_state_accuracy") == [1, 0]
    assert by_turn(report, "joint_goal_accuracy") == [1, 1]


def test_an_empty_value_of_a_turn_state_takes_the_pair_out() -> None:
    report = labelled(predicted(NORTH_4, {"hotel": {"stars": "none"}}), [NORTH_4, NORTH])
    assert by_turn(report, "turn_state_accuracy") == [1, 1]
    assert by_turn(report, "joint_goal_accuracy") == [1, 1]


def test_after_a_silent_turn_the_sum_of_turn_states_is_not_known() -> None:
    report = labelled(predicted(NORTH, None, {"hotel": {"stars": "4"}}), [NORTH, NORTH, NORTH_4])
    assert by_turn(report, "turn_state_accuracy") == [1, None, 1]
    assert by_turn(report, "joint_goal_accuracy") == [1, None, None]


def test_a_whole_state_beside_a_turn_state_is_the_whole() -> None:
    both = replace(said("hello", "yes", state=NORTH_4), turn_state={"hotel": {"stars": "4"}})
    report = labelled(
        dialogue(restaurant_goal(), said("a", "b", state=NORTH), both), [NORTH, NORTH_4]
    )
    assert by_turn(report, "turn_state_accuracy") == [1, 1]
    assert by_turn(report, "joint_goal_accuracy") == [1, 1]


def test_multiwozs_states_have_the_thirty_slots_of_trade() -> None:
    """Wu et al. 2019: five domains. Hospital's department was a thirty-first."""
    hotel = Goal("M", "multiwoz", (DomainGoal("hotel"),), published=True)
    hospital = Goal("H", "multiwoz", (DomainGoal("hospital", {"department": "x"}),), published=True)
    both = Goal("B", "multiwoz", (*hotel.domains, *hospital.domains), published=True)
    assert len(StateSchema.for_dialogue(Dialogue(hotel)).slots) == 30
    assert len(StateSchema.for_dialogue(Dialogue(both)).slots) == 31
    assert list(StateSchema.for_dialogue(Dialogue(hospital)).slots) == ["hospital-department"]
