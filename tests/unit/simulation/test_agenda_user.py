"""The agenda user against small bots and single bot turns."""

from collections.abc import Callable, Sequence

import pytest

from pytest_todeval.core.dialogue import ToolCall, Turn
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.errors import UsageError
from pytest_todeval.nlu.vocabulary import Vocabulary
from pytest_todeval.simulation.agenda import AgendaUser
from pytest_todeval.simulation.user import Utterance

HOTEL = DomainGoal(
    "hotel",
    inform={"area": "north", "pricerange": "cheap"},
    book={"people": "3", "day": "friday", "stay": "2"},
    request=("phone",),
    wants_booking=True,
)
FAILING = DomainGoal(
    "restaurant",
    inform={"food": "british", "area": "centre"},
    fail_inform={"food": "catalan", "area": "centre"},
    book={"people": "8", "day": "monday", "time": "16:30"},
    fail_book={"time": "17:30"},
    wants_booking=True,
)
NAMES = Vocabulary(
    names={"hotel": ("Sea View", "Rose House"), "restaurant": ("The Oak",)},
    values={"area": ("north", "south", "centre"), "food": ("british", "catalan")},
)


def goal(*parts: DomainGoal, message: Sequence[str] = ()) -> Goal:
    return Goal("G1", "own", tuple(parts), message=tuple(message))


def user_of(
    *parts: DomainGoal, style: str = "chatty", seed: int = 0, message: Sequence[str] = ()
) -> AgendaUser:
    return AgendaUser(goal(*parts, message=message), NAMES, style=style, seed=seed)


def talk(user: AgendaUser, *replies: str | tuple[str, ToolCall]) -> list[Utterance]:
    """What the user says at the start and after each of the bot's replies."""
    said = [user.respond(None)]
    for index, reply in enumerate(replies, 1):
        text, calls = (reply, ()) if isinstance(reply, str) else (reply[0], reply[1:])
        said.append(user.respond(Turn(index, said[-1].text, text, calls)))
    return said


def play(user: AgendaUser, bot: Callable[[str], str], limit: int = 30) -> list[Utterance]:
    said = [user.respond(None)]
    while said[-1].stop is None:
        assert len(said) < limit, "the user does not stop"
        said.append(user.respond(Turn(len(said), said[-1].text, bot(said[-1].text))))
    return said


def test_a_helpful_bot_ends_with_everything_done() -> None:
    said = talk(
        user_of(HOTEL),
        "Sea View is a cheap hotel in the north. Its phone number is 01223 123456.",
        "I booked it for 3 people for 2 nights from Friday. The reference number is ABC12345.",
    )
    assert "north" in said[0].text
    assert "cheap" in said[0].text
    assert all(words in said[1].text for words in ("3 people", "2 nights", "Friday"))
    assert said[2].stop is StopReason.USER_DONE


def test_plain_style_says_at_most_three_slots_a_turn_and_terse_one() -> None:
    values = ("north", "cheap", "3 people", "Friday", "2 nights")
    for style, most in (("plain", 3), ("terse", 1)):
        for seed in range(10):
            said = talk(user_of(HOTEL, style=style, seed=seed), "I see.", "I see.")
            for utterance in said:
                assert sum(value in utterance.text for value in values) <= most, utterance.text


def test_questions_are_answered_several_at_once() -> None:
    said = talk(
        user_of(HOTEL),
        "I can book Sea View. For how many people, and starting on which day?",
    )
    assert "3" in said[1].text
    assert "Friday" in said[1].text


def test_a_slot_that_is_not_in_the_goal_does_not_matter() -> None:
    said = talk(user_of(HOTEL), "How many stars should the hotel have?")
    assert "star" in said[1].text
    assert not any(digit in said[1].text for digit in "012345")


def test_no_booking_where_the_goal_has_none() -> None:
    part = DomainGoal("hotel", inform={"area": "north"}, request=("phone",))
    said = talk(user_of(part), "Sea View is in the north. Would you like me to book it?")
    assert any(word in said[1].text.lower() for word in ("booking", "book")), said[1].text
    assert "yes" not in said[1].text.lower()


def test_yes_to_an_offered_booking_with_its_slots() -> None:
    said = talk(user_of(HOTEL), "Sea View is in the north. Would you like me to book it?")
    assert said[1].text.startswith(("Yes", "Sure"))
    assert "Friday" in said[1].text


def test_a_wrong_value_is_corrected() -> None:
    said = talk(user_of(HOTEL), "I have found 3 cheap hotels in the south for you.")
    assert "north" in said[1].text
    assert "cheap" not in said[1].text


def test_a_call_that_the_words_do_not_speak_of_meets_no_objection() -> None:
    looked = ToolCall("find_hotel", {"area": "south", "pricerange": "cheap"}, {"results": []})
    said = talk(user_of(HOTEL), ("Sea View is a cheap hotel in the north.", looked))
    assert not any(word in said[1].text for word in ("No", "not", "north", "wrong"))
    wrong = ToolCall("book_hotel", {"name": "Sea View", "people": "5"}, {"reference": "A1B2C3D4"})
    said = talk(
        user_of(HOTEL),
        "Sea View is a cheap hotel in the north. Its phone number is 01223 123456.",
        ("Your booking is made. The reference number is A1B2C3D4.", wrong),
    )
    assert said[2].stop is StopReason.USER_DONE


def test_a_booking_that_is_said_wrongly_is_corrected_whatever_the_call_was() -> None:
    right = ToolCall(
        "book_hotel",
        {"name": "Sea View", "people": "3", "day": "friday", "stay": "2"},
        {"reference": "A1B2C3D4"},
    )
    said = talk(
        user_of(HOTEL),
        "Sea View is a cheap hotel in the north. Its phone number is 01223 123456.",
        ("I booked it from Sunday. The reference number is A1B2C3D4.", right),
    )
    assert "Friday" in said[2].text
    assert said[2].stop is None


def test_a_wrong_venue_by_its_row_is_turned_down() -> None:
    row = {"name": "Rose House", "area": "south", "pricerange": "cheap"}
    call = ToolCall("find_hotel", {}, {"results": [row]})
    said = talk(user_of(HOTEL), ("How about Rose House?", call))
    assert any(word in said[1].text for word in ("another", "different", "not that one"))


def test_no_booking_of_another_venue_than_the_one_wanted() -> None:
    part = DomainGoal(
        "hotel", inform={"name": "Sea View"}, book={"people": "3"}, wants_booking=True
    )
    said = talk(
        user_of(part),
        "What price range would you like?",
        "I recommend Rose House. Would you like me to book it for you?",
    )
    assert "Sea View" in said[2].text
    assert "yes" not in said[2].text.lower()


def test_the_first_fitting_of_several_offers_is_picked() -> None:
    rows = [
        {"name": "Rose House", "area": "south", "pricerange": "cheap"},
        {"name": "Sea View", "area": "north", "pricerange": "cheap"},
    ]
    call = ToolCall("find_hotel", {}, {"results": rows})
    said = talk(user_of(HOTEL), ("I have Rose House and Sea View. Which one would you like?", call))
    assert "sea view" in said[1].text.lower()


def test_the_alternative_follows_no_such_venue_and_a_failed_booking() -> None:
    said = talk(
        user_of(FAILING),
        "I'm sorry, there are no restaurants serving catalan food in the centre.",
        "The Oak serves British food in the centre. Shall I book a table?",
        "Sorry, the booking failed. Would you like another time?",
        "Your table is booked. The reference number is QWERTY12.",
    )
    assert "Catalan" in said[0].text
    assert "British" in said[1].text
    assert "17:30" in said[2].text
    assert "16:30" in said[3].text
    assert said[4].stop is StopReason.USER_DONE


def test_the_goals_constraints_hold_in_the_end_though_the_failing_ones_matched() -> None:
    said = talk(user_of(FAILING), "The Oak serves Catalan food in the centre.")
    assert "British" in said[1].text


def test_an_unanswered_request_is_asked_again_in_other_words_then_given_up() -> None:
    part = DomainGoal("hotel", inform={"area": "north"}, request=("phone", "postcode"))
    replies = iter(["Sea View is a nice hotel in the north."])
    others = ("It is very nice.", "Everybody likes it.", "What a day!", "Lovely.", "Splendid.")
    said = play(user_of(part), lambda _: next(replies, others[len(_) % 5]))
    assert said[-1].stop is StopReason.USER_GAVE_UP
    assert "phone" in said[-1].reason
    assert "postcode" in said[-1].reason
    texts = [utterance.text for utterance in said]
    assert len(set(texts)) == len(texts)


BAD_BOTS: dict[str, Callable[[str], str]] = {
    "echo": lambda text: text,
    "parrot": lambda text: f"You said: {text}",
    "goodbye": lambda _: "Goodbye!",
    "one word": lambda _: "Okay.",
    "silent": lambda _: "...",
    "lost": lambda _: "I'm sorry, I did not understand that. Could you rephrase?",
    "loop": lambda _: "Which area would you like?",
    "small talk": lambda text: f"Lovely weather today, {len(text)} degrees!",
}


@pytest.mark.parametrize("name", BAD_BOTS)
@pytest.mark.parametrize("style", ["plain", "terse", "chatty"])
def test_a_useless_bot_is_left_and_it_is_not_the_users_fault(name: str, style: str) -> None:
    for parts in ((HOTEL,), (HOTEL, FAILING)):
        said = play(user_of(*parts, style=style), BAD_BOTS[name])
        assert said[-1].stop is StopReason.USER_GAVE_UP, said
        assert said[-1].reason


def test_a_taxi_goes_between_the_venues_found_before() -> None:
    restaurant = DomainGoal("restaurant", inform={"name": "The Oak"}, request=("phone",))
    hotel = DomainGoal("hotel", inform={"area": "north"}, request=("phone",))
    taxi = DomainGoal("taxi", inform={"leaveAt": "10:00"}, wants_booking=True)
    message = (
        "You also want to book a <span class='emphasis'>taxi</span> to commute between the places",
        "You want to leave the <span class='emphasis'>hotel</span> by 10:00",
    )
    said = talk(
        user_of(restaurant, hotel, taxi, message=message),
        "The Oak is in the centre, phone 01223 123456.",
        "Sea View is in the north, phone 01223 654321.",
        "Your taxi is booked, a red Toyota will pick you up. The contact number is 07123456789.",
    )
    assert "from Sea View to The Oak" in said[2].text
    assert "10:00" in said[2].text
    assert said[3].stop is StopReason.USER_DONE


def test_domains_and_slots_of_ones_own_need_no_ontology() -> None:
    pizza = DomainGoal(
        "pizza",
        inform={"size": "large", "topping": "ham"},
        request=("waiting time",),
        book={"address": "1 Mill Road"},
        wants_booking=True,
    )
    said = talk(
        AgendaUser(goal(pizza), style="chatty"),
        "The waiting time is 20 minutes. What is the address?",
        "Your order is booked, the reference number is PIZZA123.",
    )
    assert "pizza" in said[0].text
    assert "large" in said[0].text
    assert "ham" in said[0].text
    assert "1 Mill Road" in said[1].text
    assert said[2].stop is StopReason.USER_DONE


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ((), "no domains"),
        ((DomainGoal("hotel"),), "nothing is wanted"),
        ((DomainGoal("hotel", inform={"stars": 4}),), "stars"),  # type: ignore[dict-item]
        ((DomainGoal("hotel", inform={"area": " "}),), "area"),
    ],
)
def test_a_goal_that_cannot_be_said_is_the_simulators_fault(
    parts: tuple[DomainGoal, ...], words: str
) -> None:
    said = AgendaUser(goal(*parts)).respond(None)
    assert said.stop is StopReason.SIMULATOR_FAULT
    assert words in said.reason


def test_a_booking_that_the_goal_does_not_describe_is_the_simulators_fault() -> None:
    part = DomainGoal("hotel", inform={"area": "north"}, wants_booking=True)
    said = play(user_of(part), lambda _: "I can book Sea View. For how many people?")
    assert said[-1].stop is StopReason.SIMULATOR_FAULT
    assert "people" in said[-1].reason


def test_the_same_goal_and_seed_say_the_same_and_seeds_differ() -> None:
    def texts(seed: int) -> list[str]:
        return [said.text for said in play(user_of(HOTEL, FAILING, seed=seed), lambda t: t)]

    assert texts(1) == texts(1)
    assert len({tuple(texts(seed)) for seed in range(5)}) > 1


def test_an_unknown_style_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match=r"unknown user style 'chaty'.*did you mean 'chatty'"):
        user_of(HOTEL, style="chaty")


def test_answers_that_are_not_understood_are_the_simulators_fault() -> None:
    call = ToolCall("find_hotel", {}, {"results": [{"name": "Rosenhaus", "area": "north"}]})
    german = (
        "Ich habe etwas sehr Schönes gefunden.",
        "Da wäre noch etwas frei.",
        "Gefällt es Ihnen so?",
    )
    said = talk(user_of(HOTEL), *((text, call) for text in german))
    assert said[-1].stop is StopReason.SIMULATOR_FAULT
    assert "understood" in said[-1].reason


def test_a_phone_number_that_a_visible_row_contradicts_is_asked_for_once_more() -> None:
    row = {"name": "Sea View", "area": "north", "pricerange": "cheap", "phone": "01223111111"}
    call = ToolCall("find_hotel", {}, {"results": [row]})
    part = DomainGoal("hotel", inform={"area": "north"}, request=("phone",))
    wrong = "The phone number of Sea View is 01223 999999."
    said = talk(user_of(part), (wrong, call), (wrong, call))
    assert "phone" in said[1].text
    assert said[2].stop is StopReason.USER_DONE


def test_names_that_no_vocabulary_lists_are_taken_from_the_text() -> None:
    part = DomainGoal("restaurant", inform={"area": "centre"}, request=("phone", "food"))
    taxi = DomainGoal("taxi", inform={"departure": "1 Mill Road", "leaveAt": "10:00"})
    said = talk(
        AgendaUser(goal(part, taxi), style="chatty"),
        "How about Da Vinci's Table? It is in the centre.",
        "It serves Sicilian food. The phone number is 01223 555555.",
    )
    assert "phone" in said[1].text
    assert "from 1 Mill Road to Da Vinci's Table" in said[2].text


def test_a_constraint_that_the_alternative_drops_no_longer_matters() -> None:
    part = DomainGoal(
        "hotel",
        inform={"area": "north"},
        fail_inform={"area": "north", "stars": "5"},
        request=("phone",),
    )
    said = talk(user_of(part), "I'm sorry, there are no hotels with 5 stars in the north.")
    assert "5" in said[0].text
    assert "star" in said[1].text
    assert "5" not in said[1].text


def test_a_refusal_in_words_of_no_ontology_leads_to_the_alternative() -> None:
    pizza = DomainGoal(
        "pizza",
        inform={"topping": "ham"},
        fail_inform={"topping": "pineapple"},
        book={"time": "19:00"},
        fail_book={"time": "18:00"},
        wants_booking=True,
    )
    said = talk(
        AgendaUser(goal(pizza), style="chatty"),
        "Sorry, we are out of pineapple.",
        "Fine. When shall we bring it?",
        "No deliveries at 18:00, I'm afraid.",
        "Your order is booked for 19:00.",
    )
    assert "pineapple" in said[0].text
    assert "ham" in said[1].text
    assert "18:00" in said[2].text
    assert "19:00" in said[3].text
    assert "reference" in said[4].text
