"""The corpus Inform and Success: each rule of the definition, on data made for it."""

from typing import Any

import pytest

from pytest_todeval.core.verdict import Verdict
from pytest_todeval.research.offline.corpus.active import State, active_domains
from pytest_todeval.research.offline.corpus.database import VenueDatabase, similar
from pytest_todeval.research.offline.corpus.goals import corpus_goal
from pytest_todeval.research.offline.corpus.inform_success import CorpusTurn, inform_success
from pytest_todeval.research.offline.corpus.values import (
    concepts,
    minutes,
    normalise_slot,
    normalise_value,
)
from tests.support.corpus_world import HOTEL_GOAL, HOTELS, TRAIN_GOAL, TRAINS

DATABASE = VenueDatabase({"hotel": HOTELS, "train": TRAINS})
NORTH = {"hotel": {"area": "north"}}
NORTH_4 = {"hotel": {"area": "north", "stars": "4"}}


def score(
    goal: dict[str, Any], *turns: tuple[str, State], booked: str = "", active: str = ""
) -> dict[str, Verdict]:
    domain = active or next(iter(goal))
    seen = [CorpusTurn(text, state, [domain], frozenset({booked})) for text, state in turns]
    return inform_success(corpus_goal(goal), seen, DATABASE)


def test_goal_asks_for_what_has_a_placeholder() -> None:
    goal = corpus_goal({"hotel": HOTEL_GOAL, "train": TRAIN_GOAL, "taxi": {}, "message": []})
    assert list(goal) == ["hotel", "train"]
    assert goal["hotel"].requested == {"PHONE", "REFERENCE"}
    assert goal["train"].requested == {"TRAINID"}
    assert goal["train"].constraints == {"departure": "ely", "leave": "10:00"}


def test_success_needs_inform_and_every_request() -> None:
    goal = {"hotel": HOTEL_GOAL}
    offer = ("[value_name] , phone [hotel_phone]", NORTH_4)
    reference = ("[value_reference]", NORTH_4)
    assert score(goal, offer, reference, booked="hotel")["success"]
    without = score(goal, offer, booked="hotel")
    assert without["inform"]
    assert not without["success"]
    assert without["success"].reason == "hotel: never given: REFERENCE"


def test_a_reference_counts_only_where_the_corpus_booked() -> None:
    turns = [("[value_name] [value_phone] [value_reference]", NORTH_4)]
    assert score({"hotel": HOTEL_GOAL}, *turns, booked="hotel")["success"]
    assert not score({"hotel": HOTEL_GOAL}, *turns)["success"]


def test_inform_fails_where_the_state_lets_in_other_venues() -> None:
    verdict = score({"hotel": HOTEL_GOAL}, ("[value_name]", NORTH))["inform"]
    assert not verdict
    assert verdict.turns == (1,)
    assert "one of 2 by its state, of which 1 do not meet the goal" in verdict.reason


def test_the_last_offer_counts_but_a_wider_one_does_not_replace_it() -> None:
    goal = {"hotel": HOTEL_GOAL}
    south = {"hotel": {"area": "south"}}
    assert not score(goal, ("[value_name]", NORTH_4), ("[value_name]", south))["inform"]
    assert score(goal, ("[value_name]", south), ("[value_name]", NORTH_4))["inform"]
    assert score(goal, ("[value_name]", NORTH_4), ("[value_name]", NORTH))["inform"]


def test_inform_fails_without_an_offer_or_with_an_empty_one() -> None:
    goal = {"hotel": HOTEL_GOAL}
    assert score(goal, ("what area ?", NORTH_4))["inform"].reason == "hotel: no turn offers a hotel"
    empty = score(goal, ("[value_name]", {"hotel": {"area": "west"}}))["inform"]
    assert not empty
    assert "matches nothing" in empty.reason


def test_an_offer_in_another_domain_is_none() -> None:
    assert not score({"hotel": HOTEL_GOAL}, ("[value_name]", NORTH_4), active="train")["inform"]


def test_a_named_venue_and_a_taxi_count_as_informed() -> None:
    assert score({"hotel": {"info": {"name": "x"}}}, ("hello", {}))["inform"]
    taxi = score({"taxi": {"info": {"leaveAt": "10:00"}, "reqt": ["phone"]}}, ("[phone]", {}))
    assert taxi["inform"]
    assert taxi["success"]


def test_a_train_never_offered_counts_unless_its_id_is_asked_for() -> None:
    booking = {"info": TRAIN_GOAL["info"], "book": {"people": "1"}}
    assert score({"train": booking}, ("hello", {}))["inform"]
    assert not score({"train": TRAIN_GOAL}, ("hello", {}))["inform"]
    early = {"train": {"departure": "ely"}}
    assert not score({"train": booking}, ("[value_id]", early))["inform"]


def test_no_domain_succeeds_unless_all_inform() -> None:
    goal = {"hotel": HOTEL_GOAL, "taxi": {"info": {}, "reqt": ["phone"]}}
    turns = [CorpusTurn("[phone]", {}, ["taxi"], frozenset())]
    verdicts = inform_success(corpus_goal(goal), turns, DATABASE)
    assert verdicts["inform/taxi"]
    assert not verdicts["success/taxi"]


def test_a_question_mark_in_a_row_matches_anything() -> None:
    assert DATABASE.query("hotel", {"parking": "yes"}) == {"1", "2"}
    assert DATABASE.query("hotel", {"parking": "free"}) == {"1", "2"}


def test_queries_pass_over_what_constrains_nothing() -> None:
    assert DATABASE.query("hotel", {"stars": "dontcare", "people": "2"}) == {"1", "2", "3"}
    assert DATABASE.query("taxi", {}) == frozenset()


def test_trains_leave_after_and_arrive_before() -> None:
    assert DATABASE.query("train", {"leave": "10:00"}) == {"TR02"}
    assert DATABASE.query("train", {"arrive": "09:30"}) == {"TR01"}
    assert DATABASE.query("train", {"leave": "whenever"}) == {"TR01", "TR02"}


def test_names_match_though_misspelt() -> None:
    assert DATABASE.query("hotel", {"name": "the river hotel"}) == {"1"}
    assert similar("huntingdon marriott hotel", "huntingdon marriot hotel")
    assert not similar("spanish", "danish")
    assert not similar("river hotel", "park hotel")
    assert similar("abcdefghij", "abcdefxhij"), "nine letters of ten: the threshold itself"
    # Of two that are as long, the stored one is looked for in the other.
    assert similar("aabbbbaaba", "aabbbbbaaa")
    assert not similar("aabbbbbaaa", "aabbbbaaba")


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("[value_name] and [hotel_phone]", {"NAME", "PHONE"}),
        ("[NAME]s [address] [value_postcode]", {"NAME", "ADDRESS", "POST"}),
        ("[train_id] [train_reference]", {"TRAINID", "REFERENCE"}),
        ("[hotel_id] [value_car] name phone [[", set()),
    ],
)
def test_placeholders_in_any_style(said: str, meant: set[str]) -> None:
    assert concepts(said) == meant


@pytest.mark.parametrize(
    ("slot", "value", "spelt"),
    [
        ("arrive", "9 : 15", "09:15"),
        ("leave", "after 1345", "13:45"),
        ("leave", "5:45pm", "17:45"),
        ("leave", "8", "08:00"),
        ("leave", "", "00:00"),
        ("leave", "half past", "half past"),
        ("leave", "tea time pm", "tea time"),
        ("leave", "9 a.m.", "09:00"),
        ("food", " Portugese", "portuguese"),
        ("name", " Cafe & Bar", "cafe and bar"),
        ("type", "guest house", "guesthouse"),
        ("internet", "free", "yes"),
        ("area", "North", "North"),
    ],
)
def test_values_as_the_databases_spell_them(slot: str, value: str, spelt: str) -> None:
    assert normalise_value(slot, value) == spelt


def test_slots_and_times() -> None:
    assert [normalise_slot(s) for s in ("arriveBy", "leave at", "Area")] == [
        "arrive",
        "leave",
        "area",
    ]
    assert [minutes(t) for t in ("09:30", "21:00 airport", "9:30", "")] == [570, 1260, 0, 0]


def test_active_domain_follows_the_changes_of_the_state() -> None:
    hotel, train = {"area": "north"}, {"departure": "ely", "leave": "10:00"}
    states: list[State] = [
        {},
        {"hotel": hotel},
        {"hotel": hotel},
        {"hotel": hotel, "train": train},
        {"hotel": {**hotel, "stars": "4"}, "train": {**train, "day": "friday"}},
        {"hotel": {**hotel, "stars": "4"}, "train": {**train, "day": "friday"}},
    ]
    assert active_domains(states) == [
        (),
        ("hotel",),
        ("hotel",),
        ("train",),
        ("train",),
        ("hotel",),
    ]


def test_hostile_responses_and_values_cost_little_and_match_nothing() -> None:
    long = "[" * 100_000 + "[value_name" * 10_000
    assert concepts(long) == frozenset()
    assert not DATABASE.query("hotel", {"name": "river " * 50_000, "area": "\ud800"})
    assert normalise_value("leave", "9" * 100_000 + "pm")
