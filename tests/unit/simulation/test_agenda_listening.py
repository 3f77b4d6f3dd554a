"""The agenda user listens as a person does: to words, in both directions, and answers questions."""

import re
import time
from collections.abc import Callable

import pytest

from pytest_todeval.core.dialogue import ToolCall, Turn
from pytest_todeval.core.dialogue_act import Act, DialogueAct, Factuality
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.nlu.vocabulary import Vocabulary
from pytest_todeval.simulation.agenda import AgendaUser
from pytest_todeval.simulation.user import Utterance

TABLE = DomainGoal(
    "restaurant",
    inform={"area": "north"},
    book={"people": "3", "day": "friday", "time": "18:00"},
    wants_booking=True,
)
WITH_PHONE = DomainGoal(
    "restaurant",
    inform={"area": "north"},
    book={"people": "3", "day": "friday", "time": "18:00"},
    request=("postcode",),
    wants_booking=True,
)
ONLY_PARKING = DomainGoal("hotel", inform={"area": "north"}, request=("parking",))
NAMES = Vocabulary(
    names={
        "restaurant": ("The Oak", "Blue Door", "Corner Cafe", "Quay House", "Old Mill"),
        "hotel": ("Sea View",),
    },
    values={"area": ("north", "south", "centre")},
)
OFFER = "The Oak is a restaurant in the north."
BOOKED = DialogueAct(Act.BOOKED, "restaurant")


def user_of(*parts: DomainGoal, style: str = "chatty", seed: int = 0, **facts: str) -> AgendaUser:
    goal = Goal("G1", "own", parts, user={k.replace("_", " "): v for k, v in facts.items()})
    return AgendaUser(goal, NAMES, style=style, seed=seed)


def talk(user: AgendaUser, *replies: str | tuple[object, ...]) -> list[Utterance]:
    """What the user says at the start and after each reply: a text, then calls and claims."""
    said = [user.respond(None)]
    for index, reply in enumerate(replies, 1):
        text, *more = (reply,) if isinstance(reply, str) else reply
        calls = tuple(each for each in more if isinstance(each, ToolCall))
        claims = tuple(each for each in more if isinstance(each, DialogueAct))
        turn = Turn(
            index,
            said[-1].text,
            str(text),
            calls,
            claims=claims or None,
            claims_by="bot" if claims else "",
        )
        said.append(user.respond(turn))
    return said


def answer(text: str, *, style: str = "chatty", seed: int = 0, **facts: str) -> str:
    """What the user answers to a question that comes before its booking."""
    return talk(user_of(TABLE, style=style, seed=seed, **facts), OFFER, text)[-1].text


# Words, not calls


def booking(**slots: str) -> ToolCall:
    return ToolCall("book_restaurant", {"name": "The Oak", **slots}, {"reference": "ABC12345"})


def test_a_visible_booking_counts_where_the_words_say_nothing_and_is_noted() -> None:
    user = user_of(TABLE)
    said = talk(user, OFFER, ("Alles klar, das ist erledigt.", booking(people="3")))
    assert said[-1].stop is not StopReason.USER_GAVE_UP
    assert "turn 2" in user.notes[0]
    assert "Alles klar" in user.notes[0]
    assert "book_restaurant" in user.notes[0]


def test_an_extra_look_up_is_no_reason_to_contradict() -> None:
    looked = ToolCall("check_booking", {"people": "9", "day": "monday"}, {"free": True})
    said = talk(user_of(TABLE), OFFER, ("Would you like me to book a table?", looked))
    assert said[-1].text.startswith(("Yes", "Sure"))


def test_a_day_said_wrongly_is_corrected_though_the_call_was_right() -> None:
    told = (BOOKED, DialogueAct(Act.INFORM, "restaurant", "day", "sunday"))
    said = talk(user_of(TABLE), OFFER, ("Booked for Sunday.", booking(day="friday"), *told))
    assert "Friday" in said[-1].text


@pytest.mark.parametrize(
    "taken_back",
    [
        DialogueAct(Act.BOOKED, "restaurant", factuality=Factuality.DENIED),
        DialogueAct(Act.BOOKED, "restaurant", factuality=Factuality.CONDITIONAL),
        DialogueAct(Act.OFFER_BOOK, "restaurant"),
        DialogueAct(Act.BOOKING_FAILED, "restaurant"),
    ],
    ids=lambda claim: f"{claim.act}-{claim.factuality}",
)
def test_a_booking_taken_back_is_wanted_again(taken_back: DialogueAct) -> None:
    said = talk(
        user_of(WITH_PHONE),
        OFFER,
        ("It is booked.", BOOKED),
        ("About that booking ...", taken_back),
        ("The postcode is ZZ1 2AB.", DialogueAct(Act.INFORM, "restaurant", "postcode", "ZZ1 2AB")),
    )
    assert all(utterance.stop is not StopReason.USER_DONE for utterance in said)
    assert "book" in said[3].text.lower() or "yes" in said[3].text.lower()


@pytest.mark.parametrize(
    "claims",
    [
        (DialogueAct(Act.BOOKED, "restaurant", factuality=Factuality.DENIED),),
        (BOOKED, DialogueAct(Act.BOOKED, "restaurant", factuality=Factuality.DENIED)),
        (BOOKED, DialogueAct(Act.OFFER_BOOK, "restaurant", sentence="Shall I book it?")),
        (
            DialogueAct(Act.BOOKED, "restaurant", factuality=Factuality.DENIED),
            DialogueAct(Act.REFERENCE, "restaurant", "reference", "ABC12345"),
        ),
    ],
)
def test_the_user_does_not_leave_content_from_a_bot_that_has_not_booked(
    claims: tuple[DialogueAct, ...],
) -> None:
    said = talk(user_of(TABLE), OFFER, ("...", *claims))
    assert said[-1].stop is None


def test_an_offer_to_book_something_else_takes_nothing_back() -> None:
    more = DialogueAct(
        Act.OFFER_BOOK, "restaurant", sentence="Would you like to book anything else?"
    )
    reference = DialogueAct(Act.REFERENCE, "restaurant", "reference", "ABC12345")
    said = talk(user_of(TABLE), OFFER, ("It is booked, ABC12345.", BOOKED, reference, more))
    assert said[-1].stop is StopReason.USER_DONE


def test_a_bot_that_asks_after_a_check_of_bookings_hears_yes() -> None:
    check = ToolCall("check_booking", {"name": "The Oak"}, {"bookings": []})
    said = talk(user_of(TABLE), OFFER, ("Shall I book it?", check))
    assert said[-1].stop is None
    assert "yes" in said[-1].text.lower()


# Questions that the goal does not settle


def test_facts_are_the_goals_own_where_it_gives_them() -> None:
    said = answer("May I have your name and your phone number?", name="Zed Nought", phone="555 1")
    assert "Zed Nought" in said
    assert "555 1" in said
    assert "Nought" in answer("And your surname, please?", name="Zed Nought")
    assert "vegan" in answer("Do you have any allergies?", allergies="vegan")
    assert "A-17" in answer("What is your staff badge?", staff_badge="A-17")


@pytest.mark.parametrize("style", ["plain", "terse", "chatty"])
def test_invented_facts_are_those_of_nobody_and_stay_the_same(style: str) -> None:
    user = user_of(TABLE, style=style)
    said = talk(
        user,
        OFFER,
        "For the booking I need your name and e-mail address, please.",
        "And a contact number?",
        "What was your name again?",
    )
    mail = re.search(r"([a-z.]+)@example\.(org|com|net)", said[2].text)
    assert mail
    assert re.search(r"07700 900\d{3}|020 7946 0\d{3}", said[3].text)
    name = mail[1].replace(".", " ").title()
    assert name in said[2].text
    assert name in said[4].text


def test_facts_differ_between_seeds_and_not_within_one() -> None:
    question = "Under what name should I put the table?"
    answers = {answer(question, seed=seed).split()[-2] for seed in range(8)}
    assert len(answers) > 3
    assert answer(question, seed=3) == answer(question, seed=3)


@pytest.mark.parametrize(
    "question",
    [
        "Could you give me your card number to secure the table?",
        "Please enter your PIN.",
        "I need your credit card details, including the CVV.",
        "What is your password?",
    ],
)
def test_nobody_gets_a_card_number(question: str) -> None:
    said = answer(question)
    assert not re.search(r"\d", said), said
    assert "rather not" in said or "don't want" in said or "prefer not" in said


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Would you like to add travel insurance?", "no"),
        ("Shall I sign you up for our newsletter?", "no"),
        ("Do you have any allergies?", "no"),
        ("Any special requests for the kitchen?", "no"),
        ("Do you accept our terms and conditions?", "yes"),
        ("Would you like to pay now or later?", "later"),
        ("How did you hear about us?", "from|through"),
        ("What is your date of birth?", r"\b19\d\d|2000"),
        ("What is the purpose of your visit?", "leisure"),
        ("Window seat or aisle seat?", "window|aisle"),
        ("Would you like to sit by the bar, the fire, the window, the door or the stage?",
         "bar|fire|window|door|stage"),
        ("So that is 3 people on Friday at 18:00, correct?", "yes|yep"),
        ("Shall I pop that through for you?", "yes"),
        ("Do you want me to get you in?", "yes"),
    ],
)  # fmt: skip
def test_questions_are_answered(question: str, words: str) -> None:
    said = answer(question)
    assert re.search(words, said.lower()), said


def test_several_questions_at_once_are_all_answered() -> None:
    said = answer(
        "May I have your name? For how many people is it? Do you have any allergies?",
        name="Zed Nought",
    )
    assert "Zed Nought" in said
    assert "3" in said
    assert "no" in said.lower().replace("nought", "")


def test_a_wrong_confirmation_is_corrected() -> None:
    said = answer("So that is 3 people on Sunday at 18:00, correct?")
    assert "Friday" in said
    assert not said.startswith("Yes")


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("Reply 1 to confirm, 2 to cancel.", "1"),
        ("Reply 2 to cancel, or 1 to confirm the booking.", "1"),
        ("Please type YES to confirm your booking.", "YES"),
        ("Say 'book' to book the table, 'stop' to cancel.", "book"),
    ],
)
def test_the_word_asked_for_is_all_that_is_said(question: str, word: str) -> None:
    said = talk(user_of(TABLE), OFFER, "For when, and how many people?", question)
    assert said[-1].text == word


FIVE = ("Blue Door", "Corner Cafe", "The Oak", "Quay House", "Old Mill")


@pytest.mark.parametrize("by_number", [True, False])
def test_the_fitting_one_of_five_is_picked_by_number_only_if_asked(by_number: bool) -> None:
    rows = [{"name": name, "area": "north" if name == "The Oak" else "south"} for name in FIVE]
    listed = "\n".join(f"{n}. {name}" for n, name in enumerate(FIVE, 1))
    question = "Reply with the number of your choice." if by_number else "Which one do you like?"
    call = ToolCall("find_restaurant", {"area": "north"}, rows)
    said = talk(user_of(TABLE), (f"I have found these:\n{listed}\n{question}", call))
    assert said[-1].text == "3" if by_number else "The Oak" in said[-1].text


def test_values_of_a_list_belong_to_their_items() -> None:
    claims = [DialogueAct(Act.OFFER, "restaurant", "name", name) for name in FIVE[:3]]
    claims += [
        DialogueAct(Act.INFORM, "restaurant", "area", area, of=name)
        for name, area in zip(FIVE, ("south", "centre", "north"), strict=False)
    ]
    said = talk(user_of(TABLE), ("Here are three places.", *claims))
    assert "The Oak" in said[-1].text


def test_a_yes_answers_the_users_own_question() -> None:
    said = talk(user_of(ONLY_PARKING), "Sea View is a hotel in the north.", "Yes, it does!")
    assert "parking" in said[1].text
    assert said[2].stop is StopReason.USER_DONE


# Whose fault it is


def play(user: AgendaUser, bot: Callable[[int], str], limit: int = 30) -> Utterance:
    said = user.respond(None)
    for index in range(1, limit):
        if said.stop is not None:
            return said
        said = user.respond(Turn(index, said.text, bot(index)))
    raise AssertionError("the user does not stop")


@pytest.mark.parametrize(
    "question",
    ["May I have your name, please?", "What is your favourite colour?", "Card number, please?"],
)
def test_a_third_time_for_what_the_goal_cannot_answer_is_the_simulators_fault(
    question: str,
) -> None:
    said = play(user_of(TABLE), lambda index: OFFER if index == 1 else question)
    assert said.stop is StopReason.SIMULATOR_FAULT
    assert question in said.reason


def test_the_second_answer_is_the_bare_fact() -> None:
    question = "May I have your name, please?"
    said = talk(user_of(TABLE, name="Zed Nought"), OFFER, question, question)
    assert said[-1].text == "Zed Nought."


def test_a_question_not_understood_is_answered_politely_and_the_wish_repeated() -> None:
    said = talk(user_of(TABLE), OFFER, "For when?", "What is your favourite colour?")
    assert re.search("preference|don't mind|easy", said[-1].text)
    assert "book" in said[-1].text


STRANGE = (
    "Methinks thy wish doth please the cook of yon restaurant.",
    "Forsooth thy restaurant awaiteth thee.",
    "Verily many a guest doth sup upon venison.",
)


def test_three_different_answers_not_understood_are_the_ears_fault() -> None:
    said = play(user_of(TABLE), lambda index: STRANGE[index % 3])
    assert said.stop is StopReason.SIMULATOR_FAULT
    assert "Forsooth" in said.reason


@pytest.mark.parametrize(
    "replies",
    [
        ("I am a bot and I like being one.",),
        ("The birds sing so sweetly.",
         "The sea is wide and the sky is blue.", "I like a cup of tea."),
        ("I cannot help you with a table.", "I am only a demo, not a restaurant.",
         "Sorry, that is not something I do with people."),
    ],
)  # fmt: skip
def test_babble_and_refusals_to_help_remain_the_bots(replies: tuple[str, ...]) -> None:
    said = play(user_of(TABLE), lambda index: replies[index % len(replies)])
    assert said.stop is StopReason.USER_GAVE_UP


def test_a_visible_booking_that_was_never_heard_is_not_the_bots_failure() -> None:
    user = user_of(TABLE)
    said = user.respond(None)
    texts = (
        "A lovely evening it will be. Anything else?",
        "Sure. Anything else?",
        "Anything else at all?",
    )
    for index in range(1, 20):
        calls = (booking(people="3"),) if index == 2 else ()
        said = user.respond(
            Turn(index, said.text, OFFER if index == 1 else texts[index % 3], calls)
        )
        if said.stop is not None:
            break
    assert said.stop is StopReason.SIMULATOR_FAULT
    assert "nything else" in said.reason


def test_a_visible_booking_that_the_bot_denies_is_its_failure() -> None:
    denial = DialogueAct(Act.BOOKED, "restaurant", factuality=Factuality.DENIED)
    user = user_of(TABLE)
    said = user.respond(None)
    for index in range(1, 20):
        turn = Turn(index, said.text, OFFER if index == 1 else f"Not yet, {index}.")
        if index > 1:
            turn = Turn(
                index, said.text, turn.system, (booking(),), claims=(denial,), claims_by="x"
            )
        said = user.respond(turn)
        if said.stop is not None:
            break
    assert said.stop is StopReason.USER_GAVE_UP


def test_the_reference_of_another_booking_books_nothing() -> None:
    hotel = DomainGoal("hotel", inform={"area": "north"}, book={"stay": "2"}, wants_booking=True)
    said = talk(
        user_of(TABLE, hotel),
        OFFER,
        (
            "Booked, ABC12345.",
            BOOKED,
            DialogueAct(Act.REFERENCE, "restaurant", "reference", "ABC12345"),
        ),
        "Sea View is a hotel in the north.",
        (
            "So far you have ABC12345. Shall I book the hotel?",
            DialogueAct(Act.OFFER_BOOK, "hotel"),
            DialogueAct(Act.BOOKED, "hotel"),
            DialogueAct(Act.REFERENCE, "hotel", "reference", "ABC12345"),
        ),
    )
    assert said[-1].stop is None
    assert said[-1].text.startswith(("Yes", "Sure"))


def test_a_booking_that_nothing_was_said_of_is_not_believed() -> None:
    said = talk(user_of(TABLE, style="terse"), ("The Oak was booked 3 times today.", BOOKED))
    assert said[-1].stop is None


def test_constraints_come_before_a_booking_is_insisted_on() -> None:
    failed = DialogueAct(Act.BOOKING_FAILED, "hotel")
    part = DomainGoal(
        "hotel",
        inform={"area": "north", "stars": "3"},
        book={"stay": "2"},
        wants_booking=True,
    )
    said = talk(user_of(part, style="terse"), ("Hotels are often fully booked.", failed))
    assert "3 star" in said[-1].text


def test_what_takes_up_the_users_own_question_asks_it_nothing() -> None:
    part = DomainGoal("car", inform={"class": "small"}, request=("deposit", "phone"))
    said = talk(
        user_of(part), "I have a small one.", "The deposit? 300 pounds. Your phone? 555 123."
    )
    assert "deposit" in said[1].text
    assert not any(word in said[2].text for word in ("pay", "07700", "020 7946", "mind"))


@pytest.mark.parametrize(
    "unit",
    [
        "can i the ",
        "a or b, ",
        "1. x ",
        "reply 1 to ",
        "your name? ",
        "shall i ",
        "\x00(((",
        "so? ",
    ],
)
def test_hostile_texts_are_answered_at_once(unit: str) -> None:
    user = user_of(TABLE)
    started = time.process_time()
    talk(user, unit * (1_000_000 // len(unit)))
    assert time.process_time() - started < 3


COURSE = DomainGoal(
    "juggling_course",
    inform={"level": "first"},
    book={"start_day": "friday", "balls": "3", "child_seat": "no"},
    fail_book={"start_day": "monday"},
    wants_booking=True,
)
CHEERFUL = DomainGoal(
    "juggling_course",
    inform={"level": "first"},
    book={"start_day": "friday", "balls": "3", "child_seat": "no"},
    wants_booking=True,
)


def test_details_read_back_are_agreed_to_whatever_the_question() -> None:
    said = talk(
        user_of(CHEERFUL),
        "There is a first course. Shall I book it?",
        "I write so: start day Friday, balls 3, child seat no. It is good like this?",
    )
    assert re.search(r"\b(?:yes|yep|correct|right|exactly)\b", said[-1].text, re.I), said[-1].text
    assert "special" not in said[-1].text


def test_a_bot_that_wants_another_day_has_refused_the_first() -> None:
    said = talk(
        user_of(COURSE),
        "There is a first course. Shall I book it?",
        "**Hm:**\n\n| start day | Monday |\n\nTry another start day?",
    )
    assert "friday" in said[-1].text.lower()


def test_the_word_asked_for_stands_alone_and_nothing_is_lost_by_it() -> None:
    info = DomainGoal("restaurant", inform={"area": "north"}, request=("phone",))
    said = talk(
        user_of(info, ONLY_PARKING),
        f"{OFFER} The phone number is 01234567890. Book this? (yes / no)",
        "Anything else?",
    )
    assert said[1].text == "no"
    assert "north" in said[2].text.lower()
