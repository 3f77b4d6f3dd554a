"""Online inform, success and booking: each verdict with its reason, turn and basis."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Booking, Dialogue, ToolCall
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.evaluate.metrics.task_success import evaluate
from pytest_todeval.facts.dialogue import gather
from tests.support.dialogue_world import (
    BOOK,
    EARLY,
    KETTLE,
    MUSEUM,
    SAFFRON,
    TABLE,
    WILLOW,
    backend,
    booked,
    booking,
    dialogue,
    found,
    goal,
    refused,
    restaurant_goal,
    said,
)

OFFER = said("Italian in the centre?", "The Copper Kettle is nice.", found("restaurant", KETTLE))
WRONG_OFFER = said("Italian?", "How about Saffron Garden?", found("restaurant", SAFFRON))
BOOKS = said(
    "Book it for 4 people on Friday at 18:30.",
    "Booked! The reference number is AB12CD34.",
    booked("restaurant", **TABLE),
)


def inform(played: Dialogue, known: Any = None) -> Verdict:
    return evaluate(played, known)["inform"]


def success(played: Dialogue, known: Any = None) -> Verdict:
    return evaluate(played, known)["success"]


def booking_of(played: Dialogue, known: Any = None) -> Verdict:
    return evaluate(played, known)["booking"]


# inform


def test_offering_what_the_goal_wants_informs() -> None:
    verdict = inform(dialogue(restaurant_goal(), OFFER), backend())
    assert verdict
    assert verdict.basis == "verified"
    assert verdict.turns == (1,)


def test_offering_something_else_names_the_broken_constraint_and_the_turn() -> None:
    verdict = inform(dialogue(restaurant_goal(), OFFER, WRONG_OFFER), backend())
    assert not verdict
    assert verdict.reason == (
        "restaurant: offered saffron garden, whose food is 'indian'; the goal wants 'italian'"
    )
    assert verdict.turns == (2,)


def test_offering_nothing_fails() -> None:
    verdict = inform(dialogue(restaurant_goal(), said("Italian?", "Hello!")), backend())
    assert (verdict.passed, verdict.reason) == (False, "restaurant: the bot offered none")


def test_of_several_offered_the_one_the_user_picks_counts() -> None:
    both = said("Any?", "I have The Copper Kettle and Saffron Garden.")
    picked = dialogue(restaurant_goal(), both, said("The Copper Kettle, please.", "Good choice."))
    left_open = dialogue(restaurant_goal(), both, said("Thanks.", "You are welcome."))
    assert inform(picked, backend())
    assert not inform(left_open, backend())


def test_what_is_booked_counts_more_than_what_is_offered_last() -> None:
    played = dialogue(
        restaurant_goal(book=BOOK),
        BOOKS,
        WRONG_OFFER,
        bookings=[booking("restaurant", **TABLE)],
    )
    assert inform(played, backend())


def test_a_goal_with_a_name_wants_that_name() -> None:
    wanted = restaurant_goal(inform={"name": "the copper kettle"})
    assert inform(dialogue(wanted, OFFER), backend())
    verdict = inform(dialogue(wanted, WRONG_OFFER), backend())
    assert verdict.reason == (
        "restaurant: offered saffron garden, but the goal wants the copper kettle"
    )


def test_an_invented_venue_is_no_offer() -> None:
    played = dialogue(
        restaurant_goal(book=BOOK),
        bookings=[booking("restaurant", **{**TABLE, "name": "the golden dragon"})],
    )
    verdict = inform(played, backend())
    assert not verdict
    assert "the golden dragon, which is no restaurant of the database" in verdict.reason


@pytest.mark.parametrize(("slot", "value"), [("leaveAt", "08:15"), ("arriveBy", "10:00")])
def test_trains_leave_after_and_arrive_before(slot: str, value: str) -> None:
    journey = {"departure": "ashford", "destination": "merton", "day": "monday", slot: value}
    wanted = goal(DomainGoal("train", journey))
    offers = said("A train?", "TR1010 leaves at 09:00.", found("train", EARLY))
    assert inform(dialogue(wanted, offers), backend())


def test_a_train_too_late_fails() -> None:
    wanted = goal(DomainGoal("train", {"day": "monday", "arriveBy": "09:30"}))
    offers = said("A train?", "TR1010 leaves at 09:00.", found("train", EARLY))
    verdict = inform(dialogue(wanted, offers), backend())
    assert "TR1010, whose arriveBy is '09:50'; the goal wants '09:30'" in verdict.reason


def test_a_question_mark_in_a_row_meets_anything() -> None:
    row = {**KETTLE, "area": "?"}
    played = dialogue(restaurant_goal(), said("?", "The Copper Kettle.", found("restaurant", row)))
    assert inform(played)


def test_an_echo_offers_nothing() -> None:
    wanted = restaurant_goal(inform={"name": "the copper kettle"})
    words = "I am looking for The Copper Kettle."
    assert not inform(dialogue(wanted, said(words, words)), backend())


TAXI = DomainGoal("taxi", {"departure": "willow lodge", "leaveAt": "17:00"}, wants_booking=True)


@pytest.mark.parametrize(
    ("slots", "reason"),
    [
        ({"leaveAt": "17:00"}, None),
        ({"leaveAt": "18:00"}, "whose leaveAt is '18:00'; the goal wants '17:00'"),
        ({}, "without leaveAt"),
        ({"leaveAt": "17:00", "destination": "nowhere"}, "'nowhere' nobody has mentioned"),
    ],
)
def test_taxis_are_matched_when_booked_as_required(
    slots: Mapping[str, str], reason: str | None
) -> None:
    journey = {"departure": "willow lodge", "destination": "harbour museum", **slots}
    played = dialogue(
        goal(TAXI),
        said("A taxi to Harbour Museum please.", "Done."),
        bookings=[booking("taxi", **journey)],
    )
    for verdict in (inform(played, backend()), booking_of(played, backend())):
        assert bool(verdict) is (reason is None)
        assert reason is None or reason in verdict.reason


@pytest.mark.parametrize(
    ("words", "right"),
    [
        ("I need a taxi from Willow Lodge to the Harbour Museum.", True),
        ("A taxi, please. Pick me up at Willow Lodge. I'm going to Harbour Museum.", True),
        ("I need a taxi between Harbour Museum and Willow Lodge.", True),
        ("A taxi from Harbour Museum. No, a taxi from Willow Lodge to Harbour Museum.", True),
        ("I need a taxi from the Harbour Museum to Willow Lodge.", False),
        ("A taxi to Willow Lodge please, from Harbour Museum.", False),
        ("A taxi that picks me up at Harbour Museum.", False),
        ("Can you get me a taxi? My destination is Willow Lodge.", False),
    ],
)
def test_a_taxi_goes_the_way_that_the_user_said(words: str, right: bool) -> None:
    """The goal leaves both places to follow from the venues of the dialogue."""
    ride = goal(DomainGoal("taxi", {"leaveAt": "17:00"}, wants_booking=True))
    journey = {"departure": "willow lodge", "destination": "harbour museum", "leaveAt": "17:00"}
    seen = said("Tell me of places.", "I recommend Willow Lodge and Harbour Museum.")
    played = dialogue(ride, seen, said(words, "Done."), bookings=[booking("taxi", **journey)])
    for verdict in (inform(played, backend()), booking_of(played, backend())):
        assert bool(verdict) is right
        wrong = "from willow lodge to harbour museum; in turn 2 the user said the other way"
        assert (wrong in verdict.reason) is not right


def test_police_is_matched_when_answered() -> None:
    wanted = goal(DomainGoal("police", request=("phone",)))
    answered = said("The police's phone?", "The police can be reached at 01999000111.")
    assert inform(dialogue(wanted, answered))
    assert not inform(dialogue(wanted, said("The police's phone?", "Hello!")))


# success


def test_telling_what_was_asked_succeeds() -> None:
    asks = said("Their phone and address?", "It is 01999 111 222, at 12 Mill Lane.")
    verdict = success(
        dialogue(restaurant_goal(request=("phone", "address")), OFFER, asks), backend()
    )
    assert verdict
    assert verdict.basis == "verified"


def test_a_wrong_value_is_named_beside_the_right_one() -> None:
    asks = said("Their phone?", "The phone number is 01999333444.")
    verdict = success(dialogue(restaurant_goal(request=("phone",)), OFFER, asks), backend())
    assert not verdict
    assert verdict.reason == (
        "restaurant: the phone of the copper kettle: told 01999333444, "
        "the database says 01999111222"
    )
    assert verdict.turns == (2,)


def test_a_value_never_told_names_the_turn_that_asked() -> None:
    asks = said("What is their phone number?", "It is a nice place.")
    verdict = success(dialogue(restaurant_goal(request=("phone",)), OFFER, asks), backend())
    assert verdict.reason == "restaurant: the phone of the copper kettle was never told"
    assert verdict.turns == (2,)


@pytest.mark.parametrize(
    ("slot", "text", "told"),
    [
        ("phone", "I do not have their phone here.", True),
        ("phone", "Do you want the phone?", False),
        ("phone", "It is a nice place.", False),
        ("parking", "Parking is there.", True),
        ("parking", "There is no parking.", True),
        ("parking", "It is a nice place.", False),
    ],
)
def test_of_a_value_that_nobody_knows_some_word_is_enough(slot: str, text: str, told: bool) -> None:
    row = {**KETTLE, slot: "?"}
    offer = said("Italian in the centre?", "The Copper Kettle.", found("restaurant", row))
    verdict = success(dialogue(restaurant_goal(request=(slot,)), offer, said("And?", text)))
    assert (verdict.passed, verdict.basis) == (told, "claimed, not verified")


@pytest.mark.parametrize(
    ("slot", "text"),
    [
        ("internet", "It has free wifi."),
        ("parking", "Unfortunately it has no parking."),
        ("stars", "It is a 4 star place."),
        ("type", "It is a guest house."),
        ("area", "You find it in the east of town."),
        ("postcode", "The postcode is QX7 7EF."),
        ("pricerange", "Prices are moderate."),
    ],
)
def test_hotel_values_are_understood_as_people_write_them(slot: str, text: str) -> None:
    wanted = goal(DomainGoal("hotel", {"stars": "4"}, request=(slot,)))
    offer = said("A hotel?", "Willow Lodge.", found("hotel", WILLOW))
    assert success(dialogue(wanted, offer, said("Tell me.", text)), backend())
    assert not success(dialogue(wanted, offer, said("Tell me.", "It is lovely.")), backend())


@pytest.mark.parametrize(
    ("slot", "text"),
    [("internet", "There is no internet."), ("parking", "It has free parking.")],
)
def test_a_wrong_yes_or_no_fails(slot: str, text: str) -> None:
    wanted = goal(DomainGoal("hotel", {"stars": "4"}, request=(slot,)))
    offer = said("A hotel?", "Willow Lodge.", found("hotel", WILLOW))
    assert not success(dialogue(wanted, offer, said("Tell me.", text)), backend())


@pytest.mark.parametrize(
    ("slot", "text"),
    [
        ("price", "The fare is 10.10 pounds."),
        ("price", "That is 20.20 pounds for both of you."),
        ("duration", "The trip takes 50 minutes."),
        ("trainID", "It is train TR1010."),
        ("leaveAt", "It leaves at 9:00 am."),
        ("arriveBy", "You arrive at 09:50."),
    ],
)
def test_train_values_are_understood(slot: str, text: str) -> None:
    wanted = goal(DomainGoal("train", {"day": "monday"}, {}, {"people": "2"}, {}, (slot,), True))
    held = [booking("train", people="2", **{k: str(v) for k, v in EARLY.items() if k != "price"})]
    played = dialogue(wanted, said("Book it.", text), bookings=held)
    silent = dialogue(wanted, said("Book it.", "Done."), bookings=held)
    assert success(played, backend())
    assert not success(silent, backend())


def test_entrance_fee_and_car_are_understood() -> None:
    fee = goal(DomainGoal("attraction", {"type": "museum"}, request=("entrance fee",)))
    offer = said("A museum?", "Harbour Museum.", found("attraction", MUSEUM))
    assert success(dialogue(fee, offer, said("The fee?", "Entrance is £5.")), backend())
    wants_car = DomainGoal("taxi", {"leaveAt": "17:00"}, request=("car type",), wants_booking=True)
    journey = {"leaveAt": "17:00", "type": "white honda"}
    held = [booking("taxi", **journey)]
    told = dialogue(goal(wants_car), said("A taxi.", "A white Honda will come."), bookings=held)
    other = dialogue(goal(wants_car), said("A taxi.", "A black Ford will come."), bookings=held)
    assert success(told, backend())
    assert not success(other, backend())


def test_success_needs_inform() -> None:
    asks = said("Their phone?", "The phone number is 01999333444.")
    verdict = success(dialogue(restaurant_goal(request=("phone",)), WRONG_OFFER, asks), backend())
    assert "offered saffron garden" in verdict.reason


# booking


def test_the_booking_asked_for_stands() -> None:
    played = dialogue(
        restaurant_goal(book=BOOK), OFFER, BOOKS, bookings=[booking("restaurant", **TABLE)]
    )
    verdict = booking_of(played, backend())
    assert verdict
    assert (verdict.turns, verdict.basis) == ((2,), "verified")


@pytest.mark.parametrize(
    ("bookings", "reason"),
    [
        ([], "restaurant: the bot says it is booked, but the backend holds no such booking"),
        (
            [booking("restaurnat", **TABLE)],
            "holds no such booking; one stands in the domain 'restaurnat': did you mean "
            "'restaurant'?",
        ),
        (
            [booking("restaurant", **{**TABLE, "day": "sunday"})],
            "whose day is 'sunday'; the goal wants 'friday'",
        ),
        (
            [booking("restaurant", **{**TABLE, "people": "5"})],
            "whose people is '5'; the goal wants '4'",
        ),
        (
            [booking("restaurant", **{**TABLE, "name": "saffron garden"})],
            "booked saffron garden, whose food is 'indian'; the goal wants 'italian'",
        ),
        (
            [booking("restaurant", "A1", **TABLE), booking("restaurant", "B2", **TABLE)],
            "restaurant: booked 2 times",
        ),
        (
            [booking("restaurant", **TABLE), booking("taxi", "T1", leaveAt="10:00")],
            "booked a taxi (reference T1), which the goal does not ask for",
        ),
        (
            [booking("restaurant", name="the copper kettle", day="friday", time="18:30")],
            "which does not say its people; the goal wants '4'",
        ),
    ],
)
def test_what_is_wrong_with_a_booking_is_said(bookings: list[Booking], reason: str) -> None:
    played = dialogue(restaurant_goal(book=BOOK), OFFER, BOOKS, bookings=bookings)
    verdict = booking_of(played, backend())
    assert not verdict
    assert reason in verdict.reason


def test_a_booking_that_was_never_claimed_is_missing() -> None:
    played = dialogue(restaurant_goal(book=BOOK), OFFER, bookings=[])
    assert booking_of(played, backend()).reason == "restaurant: none was booked"


def test_the_final_booking_counts_not_the_one_meant_to_fail() -> None:
    wanted = restaurant_goal(book=BOOK, fail_book={"time": "20:00"})
    failing = {**TABLE, "time": "20:00"}
    right = dialogue(wanted, OFFER, BOOKS, bookings=[booking("restaurant", **TABLE)])
    wrong = dialogue(wanted, OFFER, BOOKS, bookings=[booking("restaurant", **failing)])
    assert booking_of(right, backend(wanted))
    assert "whose time is '20:00'" in booking_of(wrong, backend(wanted)).reason


def test_a_train_is_checked_through_its_row() -> None:
    wanted = goal(DomainGoal("train", {"day": "monday"}, book={"people": "2"}, wants_booking=True))
    right = dialogue(wanted, bookings=[booking("train", trainID="TR1010", people="2")])
    wrong = dialogue(wanted, bookings=[booking("train", trainID="TR2020", people="2")])
    assert booking_of(right, backend())
    assert "whose day is 'tuesday'" in booking_of(wrong, backend()).reason


def test_a_goal_that_books_nothing_is_not_applicable_unless_something_is_booked() -> None:
    verdict = booking_of(dialogue(restaurant_goal(), OFFER, bookings=[]), backend())
    assert verdict
    assert not verdict.applicable
    assert verdict.metric is None
    unwanted = dialogue(restaurant_goal(), OFFER, bookings=[booking("restaurant", **TABLE)])
    verdict = booking_of(unwanted, backend())
    assert verdict.metric is False
    assert "which the goal does not ask for" in verdict.reason


# without a backend


def test_without_a_backend_reported_calls_tell() -> None:
    played = dialogue(restaurant_goal(book=BOOK), OFFER, BOOKS)
    verdict = booking_of(played)
    assert verdict
    assert verdict.basis == "claimed, not verified"
    wrong = said("Book.", "Booked!", booked("restaurant", **{**TABLE, "day": "sunday"}))
    assert "whose day is 'sunday'" in booking_of(dialogue(played.goal, OFFER, wrong)).reason


def test_a_refused_call_books_nothing() -> None:
    tries = said("Book it.", "Your table is booked.", refused("restaurant", **TABLE))
    verdict = booking_of(dialogue(restaurant_goal(book=BOOK), OFFER, tries))
    assert verdict.reason == "restaurant: the bot says it is booked, but no call booked it"


def test_a_cancelled_booking_does_not_stand() -> None:
    cancels = said("Cancel it.", "Cancelled.", ToolCall("cancel", {"reference": "AB12CD34"}))
    played = dialogue(restaurant_goal(book=BOOK), OFFER, BOOKS, cancels)
    assert booking_of(dialogue(restaurant_goal(book=BOOK), OFFER, BOOKS))
    assert not booking_of(played)


def test_with_nothing_else_what_the_bot_says_counts_and_is_called_a_claim() -> None:
    claims = said("Book.", "Your table at The Copper Kettle is booked, reference AB12CD34.")
    wanted = restaurant_goal(inform={"name": "The Copper Kettle"}, book=BOOK)
    verdict = booking_of(dialogue(wanted, claims))
    assert verdict
    assert verdict.basis == "claimed, not verified"
    assert not booking_of(dialogue(wanted, said("Book.", "Let me see.")))


class OwnBackend:
    """A user's own: bookings only, as mappings."""

    def __init__(self, *held: Mapping[str, Any]) -> None:
        self.held = held

    def bookings(self) -> list[Mapping[str, Any]]:
        return list(self.held)


PIZZA = goal(
    DomainGoal(
        "pizza",
        {"size": "large", "topping": "ham"},
        book={"deliver at": "19:30"},
        request=("total",),
        wants_booking=True,
    )
)


def test_domains_and_slots_of_ones_own() -> None:
    order = {"domain": "pizza", "reference": "P1", "size": "large", "topping": "ham"}
    played = dialogue(PIZZA, said("A pizza.", "Your total is 12 euros."))
    right = evaluate(played, OwnBackend({**order, "deliver at": "19:30"}))
    assert all(right.values())
    wrong = evaluate(played, OwnBackend({**order, "topping": "olives", "deliver at": "19:30"}))
    assert "whose topping is 'olives'; the goal wants 'ham'" in wrong["booking"].reason
    silent = dialogue(PIZZA, said("A pizza.", "Fine."))
    unanswered = evaluate(silent, OwnBackend({**order, "deliver at": "19:30"}))
    assert unanswered["success"].reason == "pizza: the total of the pizza was never told"


def test_own_domains_from_reported_calls() -> None:
    arguments = {"size": "large", "topping": "ham", "deliver at": "19:30"}
    orders = ToolCall("orderPizza", arguments, {"order_id": "77", "total": "12 euros"})
    played = dialogue(PIZZA, said("A pizza.", "Ordered, the total is 12 euros.", orders))
    verdicts = evaluate(played)
    assert all(verdicts.values())
    assert {verdict.basis for verdict in verdicts.values()} == {"claimed, not verified"}


@pytest.mark.parametrize("text", ["", "Hello!", "Goodbye!", "Okay."])
def test_a_bot_that_does_nothing_passes_nothing(text: str) -> None:
    wanted = restaurant_goal(book=BOOK, request=("phone",))
    user = "Please book an italian restaurant in the centre for 4 people on friday at 18:30."
    for played in (
        dialogue(wanted, said(user, text), said("Hello?", text), bookings=[]),
        dialogue(wanted, said(user, user)),
    ):
        assert not any(evaluate(played, None).values())
        assert not any(evaluate(played, backend()).values())


def test_a_goal_without_domains_says_nothing_of_inform_and_success() -> None:
    trouble = Goal("a", "b", (), ("Your headset plays no sound.",), solution="Hold the mute key.")
    verdicts = evaluate(dialogue(trouble, said("No sound.", "Hold the mute key.")))
    assert [verdicts[name].metric for name in ("inform", "success", "booking")] == [None] * 3


SAUNA = Goal(
    "G-sauna",
    "own",
    (DomainGoal("sauna", inform={"heat": "mild"}, request=("entry code", "duration of a round")),),
)


def sauna_told(
    text: str, user: str = "What are the entry code and the duration of a round?"
) -> Any:
    return success(dialogue(SAUNA, said("A mild sauna, please.", "Sure."), said(user, text)))


@pytest.mark.parametrize(
    "text",
    [
        "The entry code? It's 4471. The duration of a round? It's 12 minutes. Lovely, no?",
        "entry code: 4471\nduration of a round: 12 minutes",
        "\u2728 entry code \U0001f449 4471 \U0001f60a duration of a round \U0001f449 12 minutes",
        "| entry code | 4471 |\n| duration of a round | 12 minutes |",
        "- **Entry code**: 4471\n- **Duration of a round**: 12 minutes\n\nAnything else?",
        "It's 4471 for the entry code, and that'll be 12 minutes, the duration of a round.",
        "4471 (entry code). 12 minutes (duration of a round).",
    ],
)
def test_what_a_user_takes_for_the_answer_is_told_whatever_its_layout(text: str) -> None:
    verdict = sauna_told(text)
    assert verdict
    assert verdict.basis == "claimed, not verified"


def test_without_a_database_silence_is_no_answer() -> None:
    assert not sauna_told("Lovely weather today. Shall I warm it up?").passed
    assert not sauna_told("Which entry code? What duration of a round?").passed


class Spa:
    """A catalogue of saunas."""

    def query(self, domain: str, constraints: Mapping[str, str]) -> list[dict[str, str]]:
        row = {"name": "Fir", "heat": "mild", "rent": "15 pounds", "keeper": "Aino Lahti"}
        return [row] if domain == "sauna" else []

    def bookings(self) -> list[Booking]:
        return []


def rent_told(text: str, slot: str = "rent") -> Verdict:
    wanted = Goal("G-spa", "own", (DomainGoal("sauna", inform={"heat": "mild"}, request=(slot,)),))
    return success(dialogue(wanted, said(f"What is the {slot} of Fir?", text)), Spa())


def test_a_sum_is_the_same_in_any_currency_sign() -> None:
    assert rent_told("Fir it is. The rent is \u00a315.")
    assert rent_told("How about Fir? The rent? It's 15 quid!")


def test_another_value_is_a_failure_and_nearly_the_same_words_are_undecided() -> None:
    wrong = rent_told("Fir it is. The rent is 40 pounds.")
    assert not wrong.passed
    near = rent_told("Fir it is. The keeper: our dear Aino.", "keeper")
    assert "our dear Aino" in near.reason
    assert "may mean the value" in near.doubt
    far = rent_told("Fir it is. The keeper: Pekka.", "keeper")
    assert not far.doubt
    assert not far.passed


def test_the_reason_names_whose_value_was_told_instead() -> None:
    wanted = restaurant_goal(request=("phone",), book=BOOK)
    looks = said("Italian?", "The Copper Kettle is nice.", found("restaurant", KETTLE))
    told = said("Its phone?", "The phone number of Saffron Garden is 01999333444.")
    books = said("Book it.", "Your table is booked.", booked("restaurant", **TABLE))
    played = dialogue(wanted, looks, told, books, bookings=[booking("restaurant", **TABLE)])
    verdict = evaluate(played, backend())["success"]
    assert not verdict
    assert "told '01999333444', that of saffron garden, the database says" in verdict.reason.lower()
    assert verdict.turns == (2,)


# a backend that keeps bookings and has no database: the look-up's row tells the details


def told_phone(phone: str, repeats: bool) -> Verdict:
    """The restaurant was looked up, booked, and its phone told; there is no `query()`."""
    result = {"reference": "AB12CD34", **(TABLE if repeats else {})}
    books = ToolCall("book_restaurant", TABLE, result)
    played = dialogue(
        restaurant_goal(request=("phone",), book=BOOK),
        said("Italian?", "The Copper Kettle is nice.", found("restaurant", KETTLE)),
        said("Book it.", "Booked, the reference is AB12CD34.", books),
        said("Its phone?", f"The phone number is {phone}."),
    )
    held = {"domain": "restaurant", "reference": "AB12CD34", **TABLE}
    return evaluate(played, OwnBackend(held))["success"]


@pytest.mark.parametrize("repeats", [True, False])
def test_a_bookings_result_does_not_hide_what_the_look_up_told(repeats: bool) -> None:
    assert told_phone(KETTLE["phone"], repeats)
    wrong = told_phone("01999333444", repeats)
    assert not wrong
    assert wrong.turns == (3,)
    assert wrong.reason == (
        "restaurant: the phone of the copper kettle: told 01999333444, the results say 01999111222"
    )


def test_rows_of_a_train_id_that_mean_different_trains_stay_apart() -> None:
    other = {**EARLY, "day": "sunday", "price": "99.00 pounds"}
    looks = said("Trains?", "I have two.", found("train", other), found("train", EARLY))
    known = {"trainID": EARLY["trainID"], "day": EARLY["day"], "reference": "AB12CD34"}
    books = ToolCall("book_train", {"trainID": EARLY["trainID"]}, known)
    evidence = gather(dialogue(goal(DomainGoal("train")), looks, said("Book.", "Done.", books)))
    row = evidence.row("train", EARLY["trainID"])
    assert row is not None
    assert row["price"] == EARLY["price"]


# how a dialogue ended before something came


@pytest.mark.parametrize(
    ("stop", "how"),
    [
        (StopReason.SYSTEM_DONE, "; the bot ended the dialogue in turn 1"),
        (StopReason.USER_GAVE_UP, "; the user gave up in turn 1"),
        (StopReason.TURN_LIMIT, "; the turns ended in turn 1"),
        (StopReason.USER_DONE, ""),
    ],
)
def test_what_never_came_is_told_with_the_end(stop: StopReason, how: str) -> None:
    wanted = restaurant_goal(request=("phone",), book={"people": "2"})
    ended = replace(dialogue(wanted, OFFER, bookings=[]), stop_reason=stop)
    turns = (1,) if how else ()
    for verdict, what in (
        (booking_of(ended, backend()), "restaurant: none was booked"),
        (success(ended, backend()), "restaurant: the phone of the copper kettle was never told"),
    ):
        assert (verdict.reason, verdict.turns) == (f"{what}{how}", turns)


def test_a_taxi_that_is_only_said_to_be_booked_is_none() -> None:
    played = dialogue(goal(TAXI), said("A taxi please.", "Your taxi is booked."), bookings=[])
    reason = "taxi: the bot says it is booked, but the backend holds no such booking"
    for verdict in (inform(played, backend()), booking_of(played, backend())):
        assert (verdict.reason, verdict.turns) == (reason, (1,))
