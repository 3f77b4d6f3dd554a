"""Whole dialogues with small bots: when the user is done, gives up, or is itself at fault."""

from collections.abc import Callable

import pytest

from pytest_todeval.core.dialogue import Turn
from pytest_todeval.core.dialogue_act import Act, DialogueAct
from pytest_todeval.core.goal import DomainGoal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.simulation.agenda import AgendaUser
from pytest_todeval.simulation.agenda.acts import ActKind
from tests.agenda.world import (
    BOOKED,
    FAILED,
    FAILING,
    FULL,
    HOTEL,
    NAMES,
    NOTHING,
    PHONE,
    ROOM,
    SHALL_I,
    TABLE,
    Chat,
    asks,
    goal_of,
    made,
    offer,
    reference,
    tells,
)

RIDE = DomainGoal(
    "taxi", inform={"departure": "a", "destination": "b"}, request=("phone",), wants_booking=True
)


def play(chat: Chat, bot: Callable[[int], tuple[DialogueAct | str, ...]], limit: int = 40) -> Chat:
    """Goes on until the user stops; the bot is given the number of the turn."""
    for number in range(1, limit):
        if chat.stop is not None:
            return chat
        chat.hears(*bot(number))
    raise AssertionError("the user does not stop")


# Done


def test_a_goal_without_wishes_left_ends_with_thanks() -> None:
    chat = Chat(PHONE).hears(offer("Sea View"), tells("phone", "123"))
    assert chat.stop is StopReason.USER_DONE
    assert chat.reason == "everything is done"
    assert chat.text


def test_a_booking_without_a_number_is_asked_for_one_twice_and_then_let_be() -> None:
    chat = Chat(ROOM).hears(offer("Sea View")).hears(BOOKED)
    for _ in range(2):
        assert chat.kinds[0] in (ActKind.REQUEST, ActKind.REQUEST_AGAIN)
        assert chat.slots == {"reference": ""}
        assert chat.stop is None
        chat.hears()
    assert chat.stop is StopReason.USER_DONE


def test_two_domains_are_done_one_after_the_other() -> None:
    chat = Chat(PHONE, TABLE)
    assert {act.domain for act in chat.acts} == {"hotel"}
    chat.hears(offer("Sea View"), tells("phone", "123"))
    assert chat.kinds == [ActKind.GOING_ON, ActKind.OPEN]
    assert {act.domain for act in chat.acts} == {"restaurant"}
    chat.hears(offer("The Oak")).hears(BOOKED, reference())
    assert chat.stop is StopReason.USER_DONE


def test_a_taxi_is_booked_without_slots_and_then_asked_about() -> None:
    chat = Chat(RIDE).hears(BOOKED)
    assert chat.slots == {"phone": ""}
    assert chat.hears(tells("phone", "123")).stop is StopReason.USER_DONE


def test_a_correction_is_made_twice_for_each_wrong_value() -> None:
    chat = Chat(HOTEL, PHONE)
    kinds = [chat.hears(tells("area", "south")).kinds[0] for _ in range(3)]
    assert kinds[:2] == [ActKind.CORRECT, ActKind.CORRECT]
    assert kinds[2] is not ActKind.CORRECT


def test_the_wish_that_is_to_fail_is_changed_once_and_all_is_well() -> None:
    chat = Chat(FAILING)
    assert chat.slots == FAILING.fail_inform
    chat.hears(NOTHING)
    assert chat.kinds == [ActKind.CHANGE]
    assert chat.slots == {"food": "british"}
    chat.hears(offer("The Oak"), tells("phone", "123"))
    assert chat.stop is StopReason.USER_DONE


def test_the_booking_that_is_to_fail_is_changed_once_and_all_is_well() -> None:
    chat = Chat(FULL).hears(offer("The Oak"))
    assert chat.slots["time"] == "17:00"
    chat.hears(FAILED)
    assert (chat.kinds, chat.slots) == ([ActKind.CHANGE], {"time": "18:00"})
    assert chat.hears(BOOKED, reference()).stop is StopReason.USER_DONE


# Given up


def test_a_bot_of_no_help_is_left_after_three_strikes_and_three_setbacks() -> None:
    chat = play(Chat(PHONE, TABLE, ROOM), lambda n: (f"Hm {n}.",))
    assert chat.stop is StopReason.USER_GAVE_UP
    assert chat.reason.startswith("the bot did not help in spite of rephrasing; what is lacking: ")
    assert [part.abandoned for part in chat.parts] == ["nothing was found"] * 3
    openings = [n for n, said in enumerate(chat.said) if "restaurant" in said.text]
    assert openings[0] == 4, "one turn that is new, then three strikes"


def test_the_second_thing_gets_less_patience() -> None:
    chat = Chat(PHONE, TABLE, ROOM)
    at = []
    for number in range(1, 12):
        if chat.stop is None:
            at.append(chat.user._memory.index)
            chat.hears(f"Hm {number}.")
    assert [at.count(index) for index in range(3)] == [4, 3, 3]


def test_a_bot_that_says_the_same_five_times_is_left_at_the_fifth() -> None:
    chat = play(Chat(PHONE, TABLE, ROOM), lambda n: ("Okay.",))
    assert chat.stop is StopReason.USER_GAVE_UP
    assert "the bot said the same 5 times in a row" in chat.reason
    assert len(chat.said) == 6


def test_what_is_lacking_is_said_of_each_domain() -> None:
    chat = Chat(PHONE, TABLE).hears(offer("Sea View"))
    play(chat, lambda n: (f"Hm {n}.",))
    assert chat.stop is StopReason.USER_GAVE_UP
    assert "hotel: never told the phone; restaurant: nothing was found" in chat.reason


def test_a_bot_that_finds_nothing_is_asked_three_times() -> None:
    chat = Chat(HOTEL)
    assert chat.hears(NOTHING).kinds == [ActKind.RESTATE]
    assert chat.hears(NOTHING).kinds == [ActKind.RESTATE]
    chat.hears(NOTHING)
    assert chat.stop is StopReason.USER_GAVE_UP
    assert "hotel: nothing was found" in chat.reason


def test_a_bot_that_cannot_book_is_asked_four_times() -> None:
    chat = Chat(ROOM).hears(offer("Sea View"))
    for _ in range(3):
        assert chat.hears(FAILED).kinds == [ActKind.BOOK_AGAIN]
    chat.hears(FAILED)
    assert chat.stop is StopReason.USER_GAVE_UP
    assert "hotel: no booking" in chat.reason


def test_what_the_bot_says_of_what_is_given_up_in_that_turn_is_let_be() -> None:
    chat = Chat(PHONE, TABLE)
    chat.hears("Hm 1.").hears("Hm 2.").hears("Hm 3.").hears(asks("stars"))
    assert chat.parts[0].asked["stars"] == 1
    assert chat.kinds == [ActKind.OPEN]
    assert chat.acts[0].domain == "restaurant"
    assert not chat.parts[0].indifferent


# The simulator's own fault


def test_a_slot_of_no_matter_asked_for_three_times_is_the_simulators_fault() -> None:
    chat = Chat(PHONE)
    chat.hears(asks("stars")).hears(asks("stars"), "1")
    assert chat.stop is None
    chat.hears(asks("stars"), "2").hears(asks("stars"), "3")
    assert chat.stop is StopReason.SIMULATOR_FAULT
    assert "heard as 'stars'" in chat.reason
    assert chat.text == ""


@pytest.mark.parametrize("slot", ["people", "day", "time", "stay"])
def test_a_booking_slot_that_the_goal_lacks_is_its_fault_the_third_time(slot: str) -> None:
    bare = DomainGoal("hotel", inform={"area": "north"}, request=("phone",), wants_booking=True)
    chat = Chat(bare)
    for number in range(2):
        chat.hears(offer("Sea View"), asks(slot), f"{number}.")
        assert chat.stop is None
    chat.hears(tells("phone", "123"), asks(slot))
    assert chat.stop is StopReason.SIMULATOR_FAULT
    assert f"the bot needs `{slot}` to book, and the goal has no {slot} for hotel" == chat.reason


def test_a_taxi_needs_both_places_and_no_number_of_people() -> None:
    bare = DomainGoal("taxi", inform={"departure": "a", "leaveAt": "10:00"}, wants_booking=True)
    asked = Chat(bare)
    for number in range(3):
        asked.hears(asks("destination"), tells("price", str(number)))
    assert asked.stop is StopReason.SIMULATOR_FAULT
    assert "`destination`" in asked.reason


@pytest.mark.parametrize("part", [ROOM, PHONE, RIDE])
def test_slots_that_the_goal_has_or_that_no_booking_needs_are_not_its_fault(
    part: DomainGoal,
) -> None:
    user = AgendaUser(goal_of(part), NAMES)
    memory = user._memory.parts[0]
    memory.asked.update(["people"] * 5)
    assert user._not_in_goal() == ""
    memory.asked.update(["destination", "stars"] * 5)
    assert user._not_in_goal() == ""


def test_once_it_is_booked_nothing_is_missing_from_the_goal() -> None:
    bare = DomainGoal("hotel", inform={"area": "north"}, request=("phone",), wants_booking=True)
    user = AgendaUser(goal_of(bare), NAMES)
    memory = user._memory.parts[0]
    memory.asked.update(["people"] * 2)
    assert user._not_in_goal() == ""
    memory.asked.update(["people"])
    assert user._not_in_goal()
    memory.booked = True
    assert user._not_in_goal() == ""
    memory.booked, user._memory.index = False, 1
    assert user._not_in_goal() == ""


def test_a_visible_booking_never_heard_is_the_simulators_fault_whatever_else_is_lacking() -> None:
    chat = Chat(ROOM).hears(offer("Sea View"))
    chat.hears("It stands so.", tells("day", "friday"), made("hotel", people="3"))
    play(chat, lambda n: (tells("day", "friday"), f"Hm {n}."))
    assert chat.stop is StopReason.SIMULATOR_FAULT
    assert chat.reason == (
        "no booking of hotel was heard in 'It stands so.', though a visible call made one"
    )


def test_a_visible_booking_that_was_taken_for_done_is_noted() -> None:
    chat = Chat(ROOM).hears(offer("Sea View")).hears("Alles gut.", made("hotel", people="3"))
    assert chat.user.notes == [
        "turn 2: understood nothing of 'Alles gut.', took the visible call book_hotel(...)"
        " for what was done"
    ]
    assert Chat(ROOM).hears(offer("Sea View")).user.notes == []


def test_a_user_without_other_words_is_at_fault_rather_than_a_bore() -> None:
    """A bot whose every turn is progress, so that patience never ends."""
    bare = DomainGoal("pizza", inform={"x": "1"}, book={"y": "2"}, wants_booking=True)
    chat = Chat(bare, style="terse")
    chat.hears()
    for number in range(400):
        if chat.stop is not None:
            break
        chat.user._patience.strikes, chat.user._patience._same = 0, 0
        chat.user._memory.parts[0].baffled = number
        chat.hears(f"Hm {number}.")
    assert chat.stop is StopReason.SIMULATOR_FAULT
    assert "no other words left" in chat.reason
    last = chat.reason.partition("than ")[2]
    assert sum(repr(said.text) == last for said in chat.said) == 2


# Goals that cannot be played


@pytest.mark.parametrize(
    ("part", "words"),
    [
        (DomainGoal("", inform={"area": "north"}), "domain '' is no text"),
        (DomainGoal("hotel", fail_inform={"area": "?"}, inform={"area": "north"}), "fail_inform"),
        (DomainGoal("hotel", book={"stay": ""}), "book: 'stay': ''"),
        (DomainGoal("hotel", book={"stay": "1"}, fail_book={"stay": "-"}), "fail_book"),
        (DomainGoal("hotel", request=("",)), "request"),
        (DomainGoal("hotel", inform={"": "north"}), "inform"),
        (DomainGoal("hotel", fail_inform={"area": "north"}), "nothing is wanted of hotel"),
    ],
)
def test_what_cannot_be_said_is_named(part: DomainGoal, words: str) -> None:
    said = AgendaUser(goal_of(HOTEL, part)).respond(None)
    assert said.stop is StopReason.SIMULATOR_FAULT
    assert words in said.reason
    assert "own/G1" in said.reason


@pytest.mark.parametrize(
    "part",
    [
        DomainGoal("hotel", inform={"area": "north"}),
        DomainGoal("hotel", book={"stay": "2"}),
        DomainGoal("hotel", request=("phone",)),
        DomainGoal("taxi", wants_booking=True),
    ],
)
def test_one_wish_of_any_kind_is_enough(part: DomainGoal) -> None:
    assert AgendaUser(goal_of(part)).respond(None).stop is None


def test_a_user_that_cannot_play_its_goal_says_so_each_time() -> None:
    user = AgendaUser(goal_of())
    assert user.respond(None) == user.respond(Turn(1, "", "Hello!"))


# Seeds


def test_the_seed_is_the_goals_and_the_users() -> None:
    texts = {seed: Chat(ROOM, TABLE, style="plain", seed=seed).text for seed in range(12)}
    assert len(set(texts.values())) > 3
    assert texts[3] == Chat(ROOM, TABLE, style="plain", seed=3).text


def test_a_yes_is_followed_by_what_was_not_said_yet() -> None:
    chat = Chat(ROOM).hears(offer("Sea View"), SHALL_I)
    assert chat.kinds == [ActKind.YES, ActKind.ANSWER]
    assert chat.hears(asks("people")).slots == {"people": "3"}
    assert chat.hears(SHALL_I).kinds == [ActKind.YES, ActKind.BOOK_AGAIN]
    assert chat.hears(DialogueAct(Act.BYE)).stop is None
