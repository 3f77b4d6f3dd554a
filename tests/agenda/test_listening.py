"""What reaches the user of a turn: echoes, quotations, names, numbers, what was not understood."""

import pytest

from pytest_todeval.core.dialogue import Turn
from pytest_todeval.core.dialogue_act import Act, DialogueAct
from pytest_todeval.core.goal import DomainGoal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.nlu.vocabulary import Vocabulary
from pytest_todeval.simulation.agenda.acts import ActKind
from pytest_todeval.simulation.agenda.memory import GoalMemory
from pytest_todeval.simulation.agenda.reaction import Reaction
from pytest_todeval.simulation.agenda.understanding import Understanding, is_echo
from tests.agenda.world import (
    BOOKED,
    HOTEL,
    NAMES,
    PHONE,
    ROOM,
    TABLE,
    Chat,
    found,
    goal_of,
    made,
    offer,
    reference,
    tells,
)

WISH = "I need a cheap hotel in the north."
BOAT = DomainGoal("hotel", inform={"area": "north"}, request=("phone",))


def understanding(*parts: DomainGoal, names: Vocabulary | None = NAMES) -> Understanding:
    memory = GoalMemory(goal_of(*parts))
    for part in memory.parts:
        part.opened = True
        part.told.update(part.inform)
    return Understanding(memory, names)


def heard(
    text: str, *parts: DomainGoal, user: str = WISH, names: Vocabulary | None = NAMES
) -> Reaction:
    return understanding(*(parts or (HOTEL,)), names=names).react(Turn(1, user, text))


# Echoes and quotations


@pytest.mark.parametrize(
    ("text", "echo"),
    [
        (WISH, True),
        (WISH.upper(), True),
        (f"  You said: {WISH}", True),
        (f"You said: {WISH} Did I get that right, my friend?", False),
        (f"{WISH} {29 * 'x'}", False),
        (f"{WISH} {28 * 'x'}", True),
        ("I have a cheap hotel for you.", False),
    ],
)
def test_a_bot_that_only_gives_back_the_users_words_says_nothing(text: str, echo: bool) -> None:
    assert is_echo(Turn(1, WISH, text)) is echo


def test_nine_tenths_of_the_users_words_are_an_echo() -> None:
    assert is_echo(Turn(1, "abcdefghij", "abcdefghix"))
    assert not is_echo(Turn(1, "abcdefghi", "abcdefghx"))


@pytest.mark.parametrize(("user", "echo"), [("Monday at 10:00", False), ("Monday at 10:00.", True)])
def test_a_word_or_two_are_repeated_by_chance(user: str, echo: bool) -> None:
    assert is_echo(Turn(1, user, f"Well, {user} it is")) is echo


def test_an_echo_calls_for_nothing() -> None:
    assert heard("You said: Which area would you like?", user="Which area would you like?") == (
        Reaction()
    )


def test_the_users_own_words_are_not_the_bots() -> None:
    quoted = f"'{WISH}' - let me see what I can find for such a wish, dear guest. Which food?"
    assert heard(quoted, TABLE, user=WISH).asked == ("food",)
    own = "Please rephrase, I said."
    assert heard(f"{own} So I was told by my master, who knows a lot about it all.", user=own) == (
        heard(" So I was told by my master, who knows a lot about it all.", user="")
    )
    for short, asked in (("Which area?", ("area",)), ("Which areas?", ())):
        text = f"{short} Tell me, for I have many nice ones."
        assert heard(text, user=short).asked == asked
    twice = "Which area of the town would you like?"
    assert heard(f"{twice} {twice}", user=twice).asked == ("area",)


# Names


def test_names_of_the_vocabulary_are_heard_and_others_are_not_guessed() -> None:
    assert heard("How about Sea View?").taken == "Sea View"
    assert heard("How about Villa Nova?").taken == ""


def test_names_that_no_vocabulary_lists_are_taken_from_the_words() -> None:
    for names in (None, Vocabulary(values=NAMES.values), Vocabulary(names={"hotel": ()})):
        assert heard("How about Villa Nova?", names=names).taken == "Villa Nova"
    pizza = DomainGoal("pizza", inform={"size": "large"}, request=("price",))
    turn = Turn(1, WISH, "How about Villa Nova?", claims=(), claims_by="bot")
    assert understanding(HOTEL, names=None).react(turn).taken == "Villa Nova"
    assert understanding(pizza, names=None).react(turn).taken == ""


def test_the_centre_of_a_name_is_no_area() -> None:
    ear = understanding(HOTEL, names=None)
    reaction = ear.react(Turn(1, WISH, "I recommend Village Centre."))
    assert reaction.taken == "Village Centre"
    assert not reaction.wrong


def test_names_of_rows_found_before_are_heard_without_a_vocabulary() -> None:
    ear = understanding(HOTEL, names=None)
    ear.memory.parts[0].told.clear()
    rows = found("hotel", {"name": "villa nova", "area": "north"})
    ear.react(Turn(1, WISH, "I have found a few.", (rows,)))
    ear.memory.parts[0].told.update(HOTEL.inform)
    reaction = ear.react(Turn(2, "Which one?", "What do you think of villa nova, then?"))
    assert reaction.taken == "villa nova"


def test_the_venue_taken_is_known_by_its_name_also_where_none_is_offered() -> None:
    ear = understanding(BOAT, names=None)
    ear.memory.parts[0].venue = "Village Centre"
    text = "Village Centre has the number 01223 111111."
    assert not ear.react(Turn(1, "What is the phone number?", text)).wrong
    assert ear.memory.parts[0].answers


# Several domains


def test_a_late_answer_about_a_domain_left_is_kept() -> None:
    ear = understanding(PHONE, TABLE)
    ear.memory.index = 1
    first, second = ear.memory.parts
    claims = (tells("phone", "111", domain="hotel"), tells("phone", "222", domain="restaurant"))
    ear.react(Turn(1, WISH, "(1)", claims=claims, claims_by="bot"))
    assert first.answers == {"phone": "111"}
    assert "phone" not in second.answers


def test_answers_about_a_domain_to_come_are_not_kept() -> None:
    ear = understanding(TABLE, PHONE)
    claims = (tells("phone", "111", domain="hotel"),)
    ear.react(Turn(1, WISH, "(1)", claims=claims, claims_by="bot"))
    assert ear.memory.parts[1].answers == {}


def test_the_number_of_another_booking_is_none_of_this_one() -> None:
    ear = understanding(TABLE, ROOM)
    first, second = ear.memory.parts
    first.reference, ear.memory.index = "ABC12345", 1
    second.told.update(second.book)
    second.venue = "Sea View"
    for number, booked in (("ABC12345", False), ("NEW12345", True)):
        claims = (DialogueAct(Act.REFERENCE, "hotel", "reference", number),)
        ear.react(Turn(1, WISH, "(1)", claims=claims, claims_by="bot"))
        assert second.booked is booked
    again = (BOOKED, reference("NEW12345"))
    ear.react(Turn(2, WISH, "(2)", claims=again, claims_by="bot"))
    assert second.reference == "NEW12345", "its own number may be told again"


def test_calls_of_another_domain_are_not_seen() -> None:
    ear = understanding(ROOM, TABLE)
    part = ear.memory.parts[0]
    part.told.update(part.book)
    part.venue = "Sea View"
    ear.react(Turn(1, WISH, "(1)", (made("restaurant", people="3"),)))
    assert not part.booked
    ear.react(Turn(2, WISH, "(2)", (made("hotel", people="3"),)))
    assert part.booked


def test_after_the_last_domain_nothing_is_heard() -> None:
    ear = understanding(HOTEL)
    ear.memory.index = 1
    assert ear.react(Turn(1, WISH, "How about Sea View?")) == Reaction()


# What was not understood

GERMAN = "Ich habe etwas sehr Schönes gefunden."
ROWS = found("hotel", {"name": "Rosenhaus", "area": "north"})


def test_words_about_the_business_that_were_not_understood_are_strange() -> None:
    reaction = heard(GERMAN)
    assert reaction.strange
    assert not reaction.puzzling


@pytest.mark.parametrize("calls", [(ROWS,), (made("hotel", people="3"),)])
def test_they_are_puzzling_if_the_bot_found_or_booked_something(calls: tuple[object, ...]) -> None:
    ear = understanding(HOTEL)
    assert ear.react(Turn(1, WISH, GERMAN, calls)).puzzling  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "strange"),
    [
        ("Bitte warten Sie einen Moment.", True),
        ("Bitte warten Sie", False),
        ("Einen kleinen Moment bitte", True),
        ("How about Sea View, dear guest?", False),
        ("Sorry, I did not understand that at all.", False),
        ("May I have your name, please?", False),
        ("Please reply YES or NO now", False),
        ("The birds sing so sweetly in the trees.", False),
        ("What a lovely cheap bird you are to me.", True),
    ],
)
def test_short_words_questions_and_babble_are_not_strange(text: str, strange: bool) -> None:
    assert heard(text).strange is strange


def test_a_booking_that_was_taken_from_the_call_is_no_puzzle() -> None:
    ear = understanding(ROOM)
    part = ear.memory.parts[0]
    part.told.update(part.book)
    reaction = ear.react(Turn(1, WISH, GERMAN, (made("hotel", people="3"),)))
    assert reaction.note
    assert not reaction.puzzling
    assert not reaction.strange


def test_the_words_of_the_goal_make_the_business() -> None:
    part = DomainGoal(
        "pet_shop",
        inform={"fur_type": "curly"},
        fail_inform={"fur_type": "woolly"},
        fail_book={"walk": "weekly"},
        request=("chew toy",),
    )
    words = understanding(part).words
    assert words >= {
        "pet",
        "shop",
        "fur",
        "type",
        "curly",
        "woolly",
        "walk",
        "weekly",
        "chew",
        "toy",
    }


# The vocabulary


def test_a_vocabulary_that_a_goal_adds_nothing_to_stays_as_it_is() -> None:
    assert understanding(HOTEL).vocabulary is NAMES
    spelt = DomainGoal("hotel", inform={"name": "the sea view", "area": "North"})
    assert understanding(spelt).vocabulary is NAMES
    booking = DomainGoal("hotel", book={"time": "18:03", "people": "7"})
    assert understanding(booking).vocabulary is NAMES


def test_the_goals_own_names_and_values_are_added() -> None:
    new = DomainGoal("hotel", inform={"name": "Villa Nova", "food": "sicilian"})
    known = understanding(new).vocabulary
    assert "Villa Nova" in known.names["hotel"]
    assert "Sea View" in known.names["hotel"]
    assert "sicilian" in known.values["food"]
    assert "british" in known.values["food"]
    own = DomainGoal("pizza", inform={"size": "large"}, request=("price",))
    known = understanding(own).vocabulary
    assert "pizza" in known.names
    assert known.values["size"] == ("large",)


def test_the_way_of_a_taxi_between_known_venues_is_no_news() -> None:
    ride = DomainGoal("taxi", inform={"departure": "sea view", "destination": "the oak"})
    rides = Vocabulary(
        {**NAMES.names, "taxi": ()}, {**NAMES.values, "departure": (), "destination": ()}
    )
    assert understanding(ride, names=rides).vocabulary is rides
    far = DomainGoal("taxi", inform={"departure": "1 Mill Road", "destination": "the oak"})
    known = understanding(far, names=rides).vocabulary
    assert known.values["departure"] == ("1 Mill Road",)
    assert known.values["destination"] == ()


def test_without_a_vocabulary_the_goals_values_are_all_that_is_known() -> None:
    assert understanding(HOTEL, names=None).vocabulary.values["area"] == ("north",)


# In a dialogue


def test_the_users_memory_of_a_venue_goes_into_its_next_request() -> None:
    chat = Chat(PHONE).hears(offer("Sea View"))
    assert chat.kinds == [ActKind.REQUEST]
    assert chat.acts[0].venue == "Sea View"
    chat.hears(tells("phone", "123"))
    assert chat.stop is StopReason.USER_DONE
