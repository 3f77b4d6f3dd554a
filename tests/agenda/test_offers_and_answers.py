"""How a turn of the bot is read: refusals, offers, mistakes, what it tells, what it asks."""

from dataclasses import replace

import pytest

from pytest_todeval.core.dialogue_act import Act, DialogueAct, Factuality
from pytest_todeval.core.goal import DomainGoal
from pytest_todeval.nlu.questions.beyond_slots import Ask, UserQuestion
from pytest_todeval.simulation.agenda.memory import UNKNOWN, DomainPart
from tests.agenda.world import (
    BOOKED,
    FAILED,
    FAILING,
    HOTEL,
    NOTHING,
    PHONE,
    ROOM,
    SHALL_I,
    asks,
    found,
    offer,
    reading,
    tells,
    told,
)

NORTH = {"name": "Sea View", "area": "north", "pricerange": "cheap", "phone": "01223111111"}
SOUTH = {"name": "Rose House", "area": "south", "pricerange": "cheap"}
NAMED = DomainGoal("hotel", inform={"name": "Sea View"}, request=("phone",))
TRAIN = DomainGoal("train", inform={"day": "friday"}, request=("price", "duration"))
CONFIRM = UserQuestion(Ask.CONFIRM, sentence="is that right?")
WELCOME = UserQuestion(Ask.WELCOME, sentence="what can i do for you?")
BAFFLING = UserQuestion(Ask.UNKNOWN, sentence="what is your favourite colour?")


# Refusals


def test_a_refusal_of_what_is_to_fail_leads_to_the_alternative() -> None:
    part = told(FAILING)
    answer = reading(part, NOTHING).reaction()
    assert answer.changed == {"food": "british"}
    assert not answer.unforced
    assert not answer.refused
    assert part.refusals == 0


def test_a_refusal_of_the_goals_own_wish_is_counted() -> None:
    part = told(HOTEL)
    for times in (1, 2, 3):
        assert reading(part, NOTHING).reaction().refused
        assert part.refusals == times


def test_what_is_offered_along_with_the_refusal_waits_for_the_alternative() -> None:
    part = told(FAILING)
    answer = reading(part, NOTHING, offer("The Oak"), tells("area", "south")).reaction()
    assert answer.changed == {"food": "british"}
    assert (answer.taken, answer.unforced, answer.wrong) == ("", False, {})
    assert part.venue == ""


def test_a_value_that_is_to_fail_may_be_turned_down_in_any_words() -> None:
    answer = reading(told(FAILING), "Sorry, we are out of catalan food.").reaction()
    assert answer.changed == {"food": "british"}
    kept = reading(told(FAILING), "Unfortunately the centre is crowded.").reaction()
    assert not kept.changed, "the area stays in the alternative"
    assert not reading(told(HOTEL), "Unfortunately the north is crowded.").reaction().refused


def test_what_a_venue_lacks_is_no_refusal_once_there_is_one() -> None:
    part = told(HOTEL, venue="Sea View")
    assert not reading(part, NOTHING).reaction().refused
    booked = told(FAILING, venue="The Oak")
    booked.booked = True
    assert not reading(booked, NOTHING).reaction().changed
    failing = told(FAILING, venue="The Oak")
    assert reading(failing, NOTHING).reaction().changed, "but what is to fail may still do so"


# Offers


def test_an_offer_that_nothing_speaks_against_is_taken() -> None:
    part = told(HOTEL)
    answer = reading(part, offer("Sea View")).reaction()
    assert part.venue == answer.taken == "Sea View"
    assert not answer.had_choice
    assert answer.another is None


def test_the_first_fitting_one_of_several_is_taken() -> None:
    part = told(HOTEL)
    rows = found("hotel", SOUTH, NORTH)
    answer = reading(part, offer("Rose House"), offer("Sea View"), rows).reaction()
    assert part.venue == answer.taken == "Sea View"
    assert answer.had_choice


def test_one_that_does_not_fit_is_turned_down_twice_and_then_taken() -> None:
    part = told(HOTEL)
    rows = found("hotel", SOUTH)
    for _ in range(2):
        answer = reading(part, offer("Rose House"), rows).reaction()
        assert answer.another == {"area": "north"}
        assert part.venue == ""
    answer = reading(part, offer("Rose House"), rows).reaction()
    assert not answer.another
    assert part.venue == answer.taken == "Rose House"


def test_what_the_bot_says_of_an_offer_counts_before_its_rows() -> None:
    part = told(HOTEL)
    said = (offer("Sea View"), tells("area", "south", of="Sea View"))
    assert reading(part, *said, found("hotel", NORTH)).reaction().another == {"area": "north"}
    other = (offer("Sea View"), tells("area", "south", of="Rose House"))
    assert reading(told(HOTEL), *other).reaction().taken == "Sea View"


def test_an_offer_before_all_is_said_is_kept_in_mind_if_it_fits_so_far() -> None:
    part = told(HOTEL, "area", domain_told=False)
    answer = reading(part, offer("Rose House"), offer("Sea View"), found("hotel", SOUTH)).reaction()
    assert (part.venue, part.candidate, answer.taken) == ("", "Sea View", "")
    reading(part, offer("Rose House"), found("hotel", SOUTH)).reaction()
    assert part.candidate == ""
    part.candidate = "Sea View"
    part.told.update(part.inform)
    assert reading(part, asks("stars")).reaction().taken == "", "the bot is still asking"
    assert reading(part, tells("stars", "4")).reaction().taken == "Sea View"


def test_a_candidate_is_not_taken_before_all_is_said() -> None:
    part = told(HOTEL, "area", domain_told=False)
    part.candidate = "Sea View"
    assert reading(part, tells("stars", "4")).reaction().taken == ""
    assert part.venue == ""


def test_a_bot_that_offers_to_book_has_found_something_though_no_name_was_heard() -> None:
    part = told(ROOM)
    reading(part, SHALL_I).reaction()
    assert part.found
    for blocked in (told(ROOM, domain_told=False), told(ROOM)):
        claims = (SHALL_I, NOTHING) if not blocked.untold else (SHALL_I,)
        reading(blocked, *claims).reaction()
        assert not blocked.found
    quiet = told(ROOM)
    reading(quiet, tells("stars", "4")).reaction()
    assert not quiet.found


@pytest.mark.parametrize("claim", [asks("stars"), SHALL_I, tells("stars", "4")])
def test_a_venue_wanted_by_name_is_taken_as_understood_where_the_bot_goes_on(
    claim: DialogueAct,
) -> None:
    part = told(NAMED)
    reading(part, claim).reaction()
    assert part.venue == "Sea View"


def test_a_venue_wanted_by_name_is_not_understood_where_nothing_shows_it() -> None:
    for part, claims in (
        (told(NAMED), ()),
        (told(NAMED), (NOTHING, asks("stars"))),
        (told(NAMED, domain_told=False), (asks("stars"),)),
    ):
        reading(part, *claims).reaction()
        assert part.venue == "", claims
    kept = told(NAMED, venue="The Sea View Hotel")
    reading(kept, asks("stars")).reaction()
    assert kept.venue == "The Sea View Hotel"


def test_another_than_the_one_wanted_by_name_is_turned_down() -> None:
    answer = reading(told(NAMED), offer("Rose House")).reaction()
    assert answer.another == {"name": "Sea View"}
    assert reading(told(NAMED), offer("the sea view")).reaction().taken == "the sea view"


def test_the_venue_named_again_is_no_new_offer() -> None:
    part = told(PHONE, venue="Sea View")
    part.answers["phone"] = "123"
    answer = reading(part, offer("Rose House"), offer("sea view")).reaction()
    assert answer.taken == ""
    assert part.answers == {"phone": "123"}


def test_another_offer_takes_the_place_of_the_first_with_all_that_was_told_of_it() -> None:
    part = told(PHONE, venue="Sea View")
    part.answers["phone"] = "123"
    part.denied["phone"] = 1
    answer = reading(part, offer("Old Mill")).reaction()
    assert part.venue == answer.taken == "Old Mill"
    assert part.answers == {}
    assert not part.denied


def test_what_was_told_before_the_name_of_what_was_found_stays() -> None:
    part = told(PHONE)
    part.found = True
    reading(part, tells("phone", "123")).reaction()
    reading(part, offer("Sea View")).reaction()
    assert (part.venue, part.answers) == ("Sea View", {"phone": "123"})


def test_a_second_offer_that_does_not_fit_matters_only_if_it_is_to_be_booked() -> None:
    rows = found("hotel", SOUTH)
    part = told(ROOM, venue="Sea View")
    answer = reading(part, offer("Rose House"), rows).reaction()
    assert answer.another is None
    assert part.venue == "Sea View"
    answer = reading(part, offer("Rose House"), SHALL_I, rows).reaction()
    assert answer.another == {"area": "north"}


def test_what_is_offered_instead_is_taken_only_after_the_second_refusal_or_if_seen_to_fit() -> None:
    part = told(HOTEL)
    first = reading(part, NOTHING, offer("Old Mill")).reaction()
    assert (first.refused, first.taken, part.venue) == (True, "", "")
    second = reading(part, NOTHING, offer("Old Mill")).reaction()
    assert (second.refused, second.taken) == (False, "Old Mill")
    seen = reading(told(HOTEL), NOTHING, offer("Sea View"), found("hotel", NORTH)).reaction()
    assert (seen.refused, seen.taken) == (False, "Sea View")
    unfit = reading(told(HOTEL), NOTHING, offer("Rose House"), found("hotel", SOUTH)).reaction()
    assert unfit.refused
    assert unfit.another is None


def test_once_it_is_booked_an_offer_changes_nothing() -> None:
    part = told(ROOM, venue="Sea View")
    part.booked = True
    assert reading(part, offer("Old Mill")).reaction().taken == ""
    assert part.venue == "Sea View"


def test_an_offer_that_meets_what_was_to_fail_makes_the_user_change_its_mind() -> None:
    part = told(FAILING)
    answer = reading(part, offer("The Oak")).reaction()
    assert answer.changed == {"food": "british"}
    assert answer.unforced
    assert not part.venue


@pytest.mark.parametrize("claim", [SHALL_I, asks("people")])
def test_a_bot_about_to_book_what_was_to_fail_makes_the_user_change_its_mind(
    claim: DialogueAct,
) -> None:
    booking = replace(FAILING, book={"people": "3"}, wants_booking=True)
    answer = reading(told(booking), claim).reaction()
    assert answer.unforced
    assert not reading(told(booking, domain_told=False), claim).reaction().changed
    assert not reading(told(booking), asks("stars")).reaction().changed


# Trains


def test_the_names_of_trains_are_their_ids() -> None:
    part = told(TRAIN)
    answer = reading(part, offer("TR1010", "train")).reaction()
    assert part.venue == answer.taken == "TR1010"


def test_of_two_rows_with_one_id_one_that_fits_is_enough() -> None:
    rows = found(
        "train", {"trainID": "TR1010", "day": "monday"}, {"trainID": "TR1010", "day": "friday"}
    )
    assert reading(told(TRAIN), offer("TR1010", "train"), rows).reaction().taken == "TR1010"
    only = found("train", {"trainID": "TR1010", "day": "monday"})
    answer = reading(told(TRAIN), offer("TR1010", "train"), only).reaction()
    assert answer.another == {"day": "friday"}


# Mistakes


def test_a_value_said_wrongly_is_corrected_twice_and_a_new_one_again() -> None:
    part = told(HOTEL)
    said = [reading(part, tells("area", "south")).reaction().wrong for _ in range(3)]
    assert said == [{"area": "north"}, {"area": "north"}, {}]
    assert reading(part, tells("area", "west")).reaction().wrong == {"area": "north"}


def test_a_wrong_constraint_drops_the_venue_and_a_wrong_booking_slot_does_not() -> None:
    part = told(ROOM, "people", venue="Sea View")
    reading(part, tells("people", "5")).reaction()
    assert part.venue == "Sea View"
    assert reading(part, tells("area", "south")).reaction().wrong == {"area": "north"}
    assert part.venue == ""


@pytest.mark.parametrize(
    "claims",
    [
        (tells("area", "north"),),
        (tells("area", "south"), tells("area", "north")),
        (tells("area", "south"), asks("area")),
        (tells("area", "south"), FAILED),
        (tells("stars", "4"),),
        (DialogueAct(Act.INFORM, None, "area", "south", factuality=Factuality.DENIED),),
        (offer("Old Mill"), tells("area", "south", of="Rose House")),
    ],
)
def test_no_mistake(claims: tuple[DialogueAct, ...]) -> None:
    assert reading(told(HOTEL), *claims).reaction().wrong == {}


def test_no_mistake_is_seen_where_there_is_nothing_or_all_is_booked() -> None:
    part = told(HOTEL)
    assert reading(part, NOTHING, tells("area", "south")).reaction().wrong == {}
    booked = told(ROOM, venue="Sea View")
    booked.booked = True
    assert reading(booked, tells("area", "south")).reaction().wrong == {}
    untold = told(HOTEL, "area", domain_told=False)
    assert reading(untold, tells("pricerange", "expensive")).reaction().wrong == {}


def test_types_and_features_are_meant_in_many_ways_so_only_rows_tell() -> None:
    part = told(DomainGoal("hotel", inform={"type": "guesthouse", "internet": "yes"}))
    assert reading(part, tells("type", "hotel"), tells("internet", "no")).reaction().wrong == {}


def test_what_the_venues_row_tells_is_the_bots_own_matter_to_say() -> None:
    part = told(HOTEL, venue="Sea View")
    assert reading(part, tells("area", "south"), found("hotel", NORTH)).reaction().wrong == {}
    other = told(DomainGoal("hotel", inform={"day": "friday"}), venue="Sea View")
    wrong = reading(other, tells("day", "monday"), found("hotel", NORTH)).reaction().wrong
    assert wrong == {"day": "friday"}


def test_of_several_offers_the_first_ones_fault_is_named() -> None:
    rows = found("hotel", SOUTH, {**NORTH, "name": "Old Mill", "pricerange": "expensive"})
    answer = reading(told(HOTEL), offer("Old Mill"), offer("Rose House"), rows).reaction()
    assert answer.another == {"pricerange": "cheap"}


def test_a_wrong_value_in_a_question_whether_it_is_right_is_corrected() -> None:
    part = told(ROOM, "people", "day", venue="Sea View")
    asked = UserQuestion(
        Ask.CONFIRM, values=(("day", "sunday"), ("people", "3"), ("colour", "red"))
    )
    answer = reading(part, asked=[asked]).reaction()
    assert answer.wrong == {"day": "friday"}
    for ask in (Ask.GO_AHEAD, Ask.BOOK):
        again = reading(told(ROOM, venue="Sea View"), asked=[replace(asked, ask=ask)]).reaction()
        assert again.wrong == {"day": "friday"}
    open_question = replace(asked, ask=Ask.CHOICE)
    assert reading(told(ROOM), asked=[open_question]).reaction().wrong == {}
    unclear = UserQuestion(Ask.CONFIRM, values=(("name", "rose house"),))
    assert reading(told(NAMED), asked=[unclear]).reaction().wrong == {}


# What the bot tells


def test_an_answer_is_kept_once_there_is_a_venue() -> None:
    part = told(PHONE)
    reading(part, tells("phone", "123")).reaction()
    assert part.answers == {}
    reading(part, offer("Sea View"), tells("phone", "123")).reaction()
    assert part.answers == {"phone": "123"}


def test_only_what_the_goal_requests_is_kept() -> None:
    part = told(PHONE, venue="Sea View")
    reading(part, tells("postcode", "AB1"), tells("phone", "")).reaction()
    assert part.answers == {}


def test_what_is_told_of_a_wish_that_is_to_fail_is_no_answer() -> None:
    part = told(FAILING, venue="The Oak")
    reading(part, tells("phone", "123")).reaction()
    assert part.answers == {}


def test_the_name_offered_answers_a_request_for_the_name() -> None:
    part = told(replace(PHONE, request=("name",)))
    reading(part, offer("Sea View")).reaction()
    assert part.answers == {"name": "Sea View"}
    train = told(replace(TRAIN, request=("trainID",)))
    reading(train, offer("TR1010", "train")).reaction()
    assert train.answers == {"trainID": "TR1010"}


def test_a_request_may_be_answered_under_another_name() -> None:
    part = told(DomainGoal("attraction", inform={"area": "north"}, request=("entrance fee",)),
                venue="Quay Museum")  # fmt: skip
    reading(part, tells("price", "5 pounds")).reaction()
    assert part.answers == {"entrance fee": "5 pounds"}


def test_a_number_that_a_row_contradicts_is_believed_the_second_time() -> None:
    part = told(PHONE, venue="Sea View")
    said = (tells("phone", "01223 999999"), found("hotel", NORTH))
    reading(part, *said).reaction()
    assert part.answers == {}
    assert part.denied["phone"] == 1
    reading(part, *said).reaction()
    assert part.answers == {"phone": "01223 999999"}


def test_a_number_as_in_the_row_or_of_no_row_is_believed_at_once() -> None:
    for rows in (found("hotel", NORTH), found("hotel", SOUTH)):
        part = told(PHONE, venue="Sea View")
        reading(part, tells("phone", "01223111111"), rows).reaction()
        assert part.answers == {"phone": "01223111111"}
    free = told(replace(PHONE, request=("address",)), venue="Sea View")
    row = found("hotel", {"name": "Sea View", "address": "2 Oak Lane"})
    reading(free, tells("address", "1 Mill Road"), row).reaction()
    assert free.answers == {"address": "1 Mill Road"}, "an address has many forms"


def test_a_rows_value_in_the_text_answers_though_the_ear_missed_it() -> None:
    part = told(PHONE, venue="Sea View")
    reading(part, "Call 01223111111.", found("hotel", NORTH)).reaction()
    assert part.answers == {"phone": "01223111111"}
    other = told(PHONE, venue="Rose House")
    reading(other, "Call 01223111111.", found("hotel", NORTH)).reaction()
    assert other.answers == {}


def test_whether_there_is_parking_is_not_read_off_a_row() -> None:
    part = told(replace(PHONE, request=("parking",)), venue="Sea View")
    row = found("hotel", {"name": "Sea View", "parking": "yes"})
    reading(part, "Oh yes indeed.", row).reaction()
    assert part.answers == {}


def test_a_bot_that_does_not_know_is_believed_the_second_time_or_if_its_row_agrees() -> None:
    part = told(PHONE, venue="Sea View")
    part.asking = ("phone",)
    reading(part, "I do not have the phone number.").reaction()
    assert part.answers == {}
    reading(part, "I do not have the phone number.").reaction()
    assert part.answers == {"phone": UNKNOWN}
    sure = told(PHONE, venue="Sea View")
    sure.asking = ("phone",)
    row = found("hotel", {"name": "Sea View", "phone": "?"})
    reading(sure, "I do not have the phone number.", row).reaction()
    assert sure.answers == {"phone": UNKNOWN}


@pytest.mark.parametrize("claims", [(FAILED,), ()])
def test_what_was_not_asked_for_or_failed_is_not_unknown(claims: tuple[DialogueAct, ...]) -> None:
    part = told(PHONE, venue="Sea View")
    part.asking = ("phone",) if claims else ()
    for _ in range(3):
        reading(part, "I do not have that available.", *claims).reaction()
    assert part.answers == {}
    assert not part.denied


# What the bot asks


def test_what_is_asked_is_counted_and_who_the_user_is_answered_as_a_question() -> None:
    part = told(HOTEL)
    answer = reading(part, asks("stars"), asks("phone"), asks("stars")).reaction()
    assert answer.asked == ("stars",)
    assert answer.questions == (UserQuestion(Ask.FACT, "phone"),)
    assert part.asked == {"stars": 1}


def test_a_personal_slot_of_the_goal_is_the_goals() -> None:
    part = told(DomainGoal("pizza", inform={"address": "1 Mill Road"}))
    part.told.clear()
    answer = reading(part, asks("address")).reaction()
    assert answer.asked == ("address",)
    assert answer.questions == ()


def test_a_slot_that_is_a_topic_of_a_question_is_asked_once() -> None:
    question = UserQuestion(Ask.FACT, "phone", sentence="your phone number?")
    answer = reading(told(HOTEL), asks("phone"), asked=[question]).reaction()
    assert answer.asked == ()
    assert answer.questions == (question,)


def test_what_takes_up_the_users_own_question_asks_nothing() -> None:
    part = told(PHONE, venue="Sea View")
    part.asking = ("phone",)
    question = UserQuestion(Ask.FACT, "phone", sentence="the phone ?")
    answer = reading(part, asks("phone"), asked=[question]).reaction()
    assert answer.asked == ()
    assert answer.questions == ()
    choice = replace(question, ask=Ask.CHOICE)
    assert reading(part, asked=[choice]).reaction().questions == (choice,)
    other = UserQuestion(Ask.FACT, "email", sentence="your email ?")
    assert reading(part, asked=[other]).reaction().questions == (other,)
    wanted = told(replace(PHONE, inform={"phone": "555"}), venue="Sea View")
    wanted.asking = ("phone",)
    assert reading(wanted, asked=[question]).reaction().questions == (question,)


def test_what_repeats_the_users_own_words_asks_nothing() -> None:
    part = told(HOTEL)
    assert reading(part, "In the north?", asks("area")).reaction().asked == ()
    assert reading(part, "North or south?", asks("area")).reaction().asked == ("area",)
    assert reading(part, "Which area?", asks("area")).reaction().asked == ("area",)
    untold = told(HOTEL, domain_told=False)
    assert reading(untold, "In the north?", asks("area")).reaction().asked == ("area",)


@pytest.mark.parametrize(
    ("text", "claims", "understood"),
    [
        ("Sorry, I did not get that.", (), False),
        ("Sorry, I did not get that. Which area?", (asks("area"),), True),
        ("Fine.", (), True),
    ],
)
def test_a_bot_that_did_not_understand(
    text: str, claims: tuple[DialogueAct, ...], understood: bool
) -> None:
    part = told(DomainGoal("hotel", inform={"stars": "4"}))
    assert reading(part, text, *claims).reaction().not_understood is not understood


@pytest.mark.parametrize(
    ("claims", "asked", "unclear"),
    [
        ((), (), True),
        ((tells("stars", "4"),), (), True),
        ((DialogueAct(Act.BYE),), (), True),
        ((asks("area"),), (), False),
        ((), (CONFIRM,), False),
        ((), (WELCOME,), True),
        ((), (BAFFLING,), True),
    ],
)
def test_a_question_mark_with_nothing_understood_is_unclear(
    claims: tuple[DialogueAct, ...], asked: tuple[UserQuestion, ...], unclear: bool
) -> None:
    part = told(DomainGoal("pizza", inform={"size": "big"}))
    answer = reading(part, "And so on? ", *claims, asked=asked).reaction()
    assert answer.unclear is unclear
    assert not reading(part, "And so on.", *claims, asked=asked).reaction().unclear


def test_a_question_is_baffling_only_if_nothing_else_is_asked() -> None:
    part = told(DomainGoal("pizza", inform={"size": "big"}))
    assert reading(part, asked=[BAFFLING]).reaction().baffling
    assert not reading(part, asked=[WELCOME]).reaction().baffling
    assert not reading(part, asked=[BAFFLING, CONFIRM]).reaction().baffling
    assert not reading(part, asks("stars"), asked=[BAFFLING]).reaction().baffling
    lost = reading(part, "Sorry, I did not get that.", asked=[BAFFLING]).reaction()
    assert not lost.baffling


def test_numbered_options_count_where_a_number_is_asked_for() -> None:
    listed = "1. Window\n2. Aisle\n"
    part = told(HOTEL, venue="Sea View")
    by_number = reading(part, listed + "Reply with the number of your choice.").reaction()
    assert by_number.numbered == (("1", "Window"), ("2", "Aisle"))
    assert reading(part, listed).reaction().numbered == ()


# Consent


def test_an_offer_to_book_asks_for_consent() -> None:
    assert reading(told(ROOM, venue="Sea View"), SHALL_I).reaction().offers_booking
    assert not reading(told(ROOM, venue="Sea View")).reaction().offers_booking


def test_whether_to_go_ahead_means_the_booking_where_one_can_be_meant() -> None:
    ahead = UserQuestion(Ask.GO_AHEAD, sentence="shall i go ahead?")
    for part in (told(ROOM), told(ROOM, venue="Sea View"), told(PHONE, venue="Sea View")):
        answer = reading(part, asked=[ahead]).reaction()
        assert (answer.offers_booking, answer.confirms) == (True, False)
    searching = reading(told(PHONE), asked=[ahead]).reaction()
    assert (searching.offers_booking, searching.confirms) == (False, True)


def test_whether_it_is_right_wants_a_yes_that_books_nothing() -> None:
    answer = reading(told(ROOM, venue="Sea View"), asked=[CONFIRM]).reaction()
    assert (answer.offers_booking, answer.confirms) == (False, True)
    both = reading(told(ROOM, venue="Sea View"), SHALL_I, asked=[CONFIRM]).reaction()
    assert (both.offers_booking, both.confirms) == (True, False)
    assert not reading(told(ROOM), asked=[WELCOME]).reaction().confirms


def test_a_reply_to_be_typed_is_about_the_booking_that_is_needed() -> None:
    text = "Reply 1 to confirm, 2 to cancel."
    answer = reading(told(ROOM, venue="Sea View"), text).reaction()
    assert answer.reply == ("1", "2")
    assert answer.offers_booking
    assert not reading(told(PHONE, venue="Sea View"), text).reaction().offers_booking
    confirm = reading(told(ROOM, venue="Sea View"), text, asked=[CONFIRM]).reaction()
    assert (confirm.offers_booking, confirm.confirms) == (False, True)


def test_who_is_to_be_booked_for_is_no_offer_to_book() -> None:
    name = UserQuestion(Ask.FACT, "name", sentence="may i have a name for the booking?")
    part = told(ROOM, venue="Sea View")
    assert not reading(part, SHALL_I, asked=[name]).reaction().offers_booking
    assert not reading(part, SHALL_I, asked=[name, WELCOME]).reaction().offers_booking
    plain = replace(name, sentence="and your name?")
    assert reading(part, SHALL_I, asked=[plain]).reaction().offers_booking
    assert reading(part, SHALL_I, asked=[name, CONFIRM]).reaction().offers_booking
    assert reading(part, SHALL_I, asked=[WELCOME]).reaction().offers_booking


# Domains


def test_claims_of_another_domain_are_not_about_this_one() -> None:
    part = told(HOTEL)
    answer = reading(
        part,
        offer("The Oak", "restaurant"),
        DialogueAct(Act.NO_OFFER, "restaurant"),
        asks("food", "restaurant"),
    ).reaction()
    assert part.venue == ""
    assert not answer.refused
    assert answer.asked == ()


def test_only_a_booking_that_is_awaited_is_heard_under_another_domain() -> None:
    assert not reading(told(ROOM), asks("food", "restaurant")).is_understood
    assert not reading(told(HOTEL), replace(BOOKED, domain="train")).is_understood
    assert reading(told(ROOM), replace(FAILED, domain="train")).is_understood


def test_a_booking_awaited_may_be_said_under_another_domain() -> None:
    part = told(ROOM, "people", venue="Sea View")
    reading(part, replace(BOOKED, domain="train")).reaction()
    assert part.booked
    denied = told(ROOM, "people", venue="Sea View")
    denial = DialogueAct(Act.BOOKED, "train", factuality=Factuality.DENIED)
    assert reading(denied, denial).says_booked() is None


def test_the_rows_kept_of_a_name_are_the_last_twenty() -> None:
    part = DomainPart.of(HOTEL)
    for number in range(21):
        reading(part, found("hotel", {"name": "Sea View", "stars": str(number)}))
    seen = reading(part)
    stars = [row["stars"] for row in seen.rows("sea view")]
    assert stars == [str(number) for number in range(20, 0, -1)]
    assert seen.row("Sea View") == {"name": "Sea View", "stars": "20"}
    assert seen.rows("") == []
    assert seen.row("Rose House") is None
    reading(part, found("hotel", {"name": "Sea View", "stars": "20"}))
    assert len(part.rows["sea view"]) == 21, "the same row is kept once"


def test_the_row_seen_in_this_turn_is_the_last() -> None:
    part = DomainPart.of(HOTEL)
    reading(part, found("hotel", {"name": "Sea View", "stars": "3"}))
    reading(part, found("hotel", {"name": "Sea View", "stars": "4"}))
    now = reading(part, found("hotel", {"name": "Sea View", "stars": "3"}))
    assert now.row("Sea View") == {"name": "Sea View", "stars": "3"}


def test_names_are_taken_from_rows_or_the_text_where_the_ear_heard_none() -> None:
    rows = found("hotel", NORTH, SOUTH)
    assert reading(told(HOTEL), "Sea View is nice.", rows).offered() == ["Sea View"]
    denied = DialogueAct(Act.NO_OFFER, None, "name", "Sea View")
    assert reading(told(HOTEL), "Sea View is full.", rows, denied).offered() == []
    assert reading(told(HOTEL), unlisted=["Da Vinci"]).offered() == ["Da Vinci"]
    assert reading(told(HOTEL, venue="Old Mill"), unlisted=["Da Vinci"]).offered() == []
    assert reading(told(TRAIN), unlisted=["Da Vinci"]).offered() == []
    assert reading(told(HOTEL), unlisted=["Da Vinci"]).is_understood
    assert not reading(told(HOTEL)).is_understood


def test_a_turn_is_understood_if_any_claim_of_it_is_about_the_domain() -> None:
    assert reading(told(HOTEL), asks("area")).is_understood
    assert not reading(told(HOTEL), asks("food", "restaurant")).is_understood


def test_a_time_that_leaves_later_or_arrives_earlier_meets_the_wish() -> None:
    part = told(DomainGoal("train", inform={"leaveAt": "10:00"}))
    assert reading(part, tells("leaveAt", "10:15")).reaction().wrong == {}
    assert reading(part, tells("leaveAt", "09:15")).reaction().wrong == {"leaveAt": "10:00"}
    taxi = told(DomainGoal("taxi", inform={"leaveAt": "10:00"}))
    assert reading(taxi, tells("leaveAt", "10:15")).reaction().wrong == {"leaveAt": "10:00"}
